//! The daily mail of the ten-day challenge (`challenge.daily-mail`): requesting it, and sending what is due.
//!
//! A mail is marked as sent in the transaction that queues it, with the member locked: each is sent once, whatever is repeated
//! and however many nodes run.

use catalogue::CatalogueLists;
use challenge::{Challenge, ChallengeError, ChallengeQueries, DailyMail, MailHour};
use identity::IdentityQueries;
use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::{Limit, MINUTE, StoreError, UserId};
use mail::Mail;

use crate::{
    tx::{ReadTx, Transactions, Tx},
    unsubscribe_link::{MailSeries, unsubscribe_link},
};

/// A member's settings of the daily mail.
#[derive(Clone, Debug)]
pub struct DailyMailSettings {
    /// Whether a plan is saved. Without one, the mail can't be requested.
    pub has_plan: bool,
    /// The hour of the mail; `None` if no more mails will come.
    pub hour: Option<MailHour>,
    /// The member's time zone, as an IANA name.
    pub timezone: String,
}

/// Reads a member's settings; `None` if the account was deleted.
pub fn daily_mail_settings<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<Option<DailyMailSettings>, StoreError> {
    let Some(user) = tx.pg.user(member)? else { return Ok(None) };
    let mail = tx.pg.daily_mail(member)?.filter(|mail| mail.due_at.is_some());
    Ok(Some(DailyMailSettings {
        has_plan: tx.pg.saved_plan(member)?.is_some(),
        hour: mail.and_then(|mail| mail.hour),
        timezone: user.timezone,
    }))
}

/// Requests one mail a day, at an hour in the member's time zone.
pub fn request_daily_mail(tx: &mut Tx<'_, '_>, member: UserId, hour: MailHour) -> Result<DailyMail, ChallengeError> {
    let now = tx.now();
    tx.pg.request_daily_mail(member, hour, now)
}

/// Stops the mails of a signed-in member.
pub fn stop_daily_mail(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), StoreError> {
    tx.pg.stop_daily_mail(member)
}

/// Reschedules a member's next mail after their time zone changed.
pub fn follow_time_zone(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), StoreError> {
    let now = tx.now();
    tx.pg.reschedule_daily_mail(member, now).map(|_| ())
}

/// The job that sends the daily mails that are due.
#[derive(Clone, Debug)]
pub struct SendDailyMails(
    /// Runs the transactions of the job.
    pub Transactions,
);

impl JobDefinition for SendDailyMails {
    const KIND: JobKind = JobKind::long("daily_mails").every(MINUTE);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl LongJob for SendDailyMails {
    async fn run_long(&self, (): &()) -> Outcome {
        match self.send_all().await {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
        }
    }
}

impl SendDailyMails {
    /// Goes through the members whose mail is due, each in a transaction of their own.
    async fn send_all(&self) -> Result<(), StoreError> {
        let (mut after, limit) = (None, Limit::clamped(Limit::MAX));
        loop {
            let due = move |tx: &mut ReadTx<'_, '_>| tx.pg.members_with_daily_mail_due(tx.env.now(), after, limit);
            let members: Vec<UserId> = self.0.read(due).await?;
            let Some(last) = members.last() else { return Ok(()) };
            after = Some(*last);
            for member in members {
                self.0.write(move |tx| send_due(tx, member)).await?;
            }
        }
    }
}

/// Queues a member's mail, unless another node has. A book that is no longer readable gets none.
fn send_due(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), StoreError> {
    let now = tx.now();
    let Some(due) = tx.pg.take_daily_mail(member, now)? else { return Ok(()) };
    let card = tx.pg.book_cards(&[due.day.book])?.pop();
    let (Some(card), Some(user)) = (card, tx.pg.user(member)?) else { return Ok(()) };
    let mail = Mail::DailyBook {
        first_name: user.first_name,
        day: due.day.number,
        days: due.days,
        title: card.title,
        author: card.author.name,
        is_done: due.day.is_done,
        link: tx.settings.link(&format!("/books/{}", card.subid)),
        unsubscribe: unsubscribe_link(tx, MailSeries::DailyBook, member),
    };
    tx.queue_mail(&user.email, &mail)
}

//! The job that reminds members of due cards (`study.due-reminder`) and mails them some of their highlights (`study.highlight-digest`).
//!
//! A notice is put off to its next moment in the transaction that sends it, with the notice locked: each is sent once, whatever
//! is repeated and however many nodes run.

use identity::{IdentityQueries, User};
use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::{HOUR, HighlightId, Limit, MINUTE, StoreError, TimeZone};
use mail::{DigestHighlight, Mail};
use push::PushMessage;
use study::{DueNotice, Notice, NoticeCommands, NoticeKind, NoticeQueries, Reminder, StudyQueries, StudySettings};

use crate::{
    study::{
        exports::source_of,
        highlights::shown_to,
        push::queue_push,
        review::{review_minutes, review_today},
        shown::ShownHighlight,
    },
    tx::{ReadTx, Transactions, Tx},
    unsubscribe_link::{MailSeries, unsubscribe_link},
};

/// A reminder that is later than that is not sent: it would come at another hour than the member's.
const LATEST_REMINDER: i64 = 12 * HOUR;

/// The job that sends the notices that are due.
#[derive(Clone, Debug)]
pub struct SendStudyNotices(
    /// Runs the transactions of the job.
    pub Transactions,
);

impl JobDefinition for SendStudyNotices {
    const KIND: JobKind = JobKind::long("study_notices").every(MINUTE);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl LongJob for SendStudyNotices {
    async fn run_long(&self, (): &()) -> Outcome {
        match self.send_all().await {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
        }
    }
}

impl SendStudyNotices {
    /// Goes through the notices that are due, each in a transaction of its own.
    async fn send_all(&self) -> Result<(), StoreError> {
        let (mut after, limit) = (None, Limit::clamped(Limit::MAX));
        loop {
            let due = move |tx: &mut ReadTx<'_, '_>| tx.pg.notices_due(tx.env.now(), after, limit);
            let due: Vec<DueNotice> = self.0.read(due).await?;
            let Some(last) = due.last() else { return Ok(()) };
            after = Some(*last);
            for notice in due {
                self.0.write(move |tx| send_due(tx, notice)).await?;
            }
        }
    }
}

/// Sends a notice, unless another node has, and stores when the next is due.
fn send_due(tx: &mut Tx<'_, '_>, due: DueNotice) -> Result<(), StoreError> {
    let (member, now) = (due.member, tx.now());
    let Some(notice) = tx.pg.lock_due_notice(due, now)? else { return Ok(()) };
    let Some(user) = tx.pg.user(member)? else { return Ok(()) };
    let settings = tx.pg.study_settings(member)?;
    let zone = TimeZone::named(&user.timezone);
    let mut next = notice.after_due(&settings, &zone, now);
    if next.due_at.is_some() && tx.pg.suspension_of(member)?.is_none() {
        match due.kind {
            NoticeKind::Reminder => {
                let is_late = notice.due_at.is_some_and(|due_at| now.since(due_at) > LATEST_REMINDER);
                if !is_late {
                    remind(tx, &user, &settings)?;
                }
            }
            NoticeKind::Digest => next.last_highlight = mail_digest(tx, &user, &settings, notice)?,
        }
    }
    tx.pg.put_notice(member, next)
}

/// Whether the member's address may get mails: nobody else may have typed it.
const fn gets_mails(user: &User) -> bool {
    user.email_confirmed_at.is_some()
}

/// Reminds a member of due cards, unless they have reviewed some today.
fn remind(tx: &mut Tx<'_, '_>, user: &User, settings: &StudySettings) -> Result<(), StoreError> {
    let review = review_today(tx, user.id)?;
    let cards = review.due.len();
    if cards == 0 || review.done > 0 {
        return Ok(());
    }
    let minutes = review_minutes(cards);
    match settings.reminder {
        Reminder::Mail if gets_mails(user) => {
            let mail = Mail::ReviewReminder {
                first_name: user.first_name.clone(),
                cards,
                minutes,
                link: tx.settings.link("/review"),
                unsubscribe: unsubscribe_link(tx, MailSeries::ReviewReminder, user.id),
            };
            tx.queue_mail(&user.email, &mail)
        }
        Reminder::Push => queue_push(tx, user.id, &reminder_message(cards, minutes)),
        Reminder::Off | Reminder::Mail => Ok(()),
    }
}

/// What a browser shows of due cards.
fn reminder_message(cards: usize, minutes: usize) -> PushMessage {
    let title = if cards == 1 { "One card is due".to_owned() } else { format!("{cards} cards are due") };
    let body = if minutes == 1 { "About a minute.".to_owned() } else { format!("About {minutes} minutes.") };
    PushMessage { title, body, path: "/review".to_owned() }
}

/// Mails the next highlights of a member; returns the last of them.
fn mail_digest(
    tx: &mut Tx<'_, '_>,
    user: &User,
    settings: &StudySettings,
    notice: Notice,
) -> Result<Option<HighlightId>, StoreError> {
    if !gets_mails(user) {
        return Ok(notice.last_highlight);
    }
    let next = tx.pg.digest_highlights(user.id, notice.last_highlight, settings.digest.highlights())?;
    let Some(last) = next.last().map(|stored| stored.highlight.id) else { return Ok(notice.last_highlight) };
    let shown = shown_to(tx, user.id, next)?;
    let highlights = shown.iter().map(|shown| digest_highlight(tx, shown)).collect();
    let mail = Mail::HighlightDigest {
        first_name: user.first_name.clone(),
        highlights,
        link: tx.settings.link("/highlights"),
        unsubscribe: unsubscribe_link(tx, MailSeries::HighlightDigest, user.id),
    };
    tx.queue_mail(&user.email, &mail)?;
    Ok(Some(last))
}

fn digest_highlight(tx: &Tx<'_, '_>, shown: &ShownHighlight) -> DigestHighlight {
    let (state, source) = (&shown.stored.highlight.state, source_of(tx, shown));
    DigestHighlight {
        words: state.anchor.exact.clone(),
        note: state.note.value.as_str().to_owned(),
        title: source.title,
        author: source.author,
        link: source.url,
    }
}

#[cfg(test)]
mod tests {
    use super::reminder_message;

    #[test]
    fn a_reminder_says_how_many_cards_and_how_long() {
        let text = |cards, minutes| {
            let message = reminder_message(cards, minutes);
            format!("{}: {}", message.title, message.body)
        };
        assert_eq!(text(1, 1), "One card is due: About a minute.");
        assert_eq!(text(12, 3), "12 cards are due: About 3 minutes.");
    }
}

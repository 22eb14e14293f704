//! The job that reminds members of due cards (`study.due-reminder`) and mails them some of their highlights (`study.highlight-digest`).
//!
//! A notice is put off to its next moment in the transaction that sends it, with the notice locked: each is sent once, whatever
//! is repeated and however many nodes run.

use identity::{IdentityQueries, User};
use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::{HOUR, HighlightId, Limit, MINUTE, StoreError, TimeZone};
use mail::{AskedInMail, DigestHighlight, Mail};
use push::PushMessage;
use study::{
    Asking, CommitmentQueries, DueNotice, Notice, NoticeCommands, NoticeKind, NoticeQueries, Reminder,
    StoredCommitment, StudyQueries, StudySettings, asked_by_reminder,
};

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
                    remind(tx, &user, &settings, notice)?;
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

/// Reminds a member of due cards, unless they have reviewed some today, and asks what became of commitments.
fn remind(tx: &mut Tx<'_, '_>, user: &User, settings: &StudySettings, notice: Notice) -> Result<(), StoreError> {
    let review = review_today(tx, user.id)?;
    let cards = if review.done > 0 { 0 } else { review.due.len() };
    let asked = asked_commitments(tx, user, settings, notice)?;
    if cards == 0 && asked.is_empty() {
        return Ok(());
    }
    let minutes = review_minutes(cards);
    match settings.reminder {
        Reminder::Mail if gets_mails(user) => {
            let mail = Mail::ReviewReminder {
                first_name: user.first_name.clone(),
                cards,
                minutes,
                asked,
                link: tx.settings.link(answered_on(cards)),
                unsubscribe: unsubscribe_link(tx, MailSeries::ReviewReminder, user.id),
            };
            tx.queue_mail(&user.email, &mail)
        }
        Reminder::Push => queue_push(tx, user.id, &reminder_message(cards, minutes, &asked)),
        Reminder::Off | Reminder::Mail => Ok(()),
    }
}

/// The commitments about which a reminder asks, while the member wants to be asked.
fn asked_commitments(
    tx: &mut Tx<'_, '_>,
    user: &User,
    settings: &StudySettings,
    notice: Notice,
) -> Result<Vec<AskedInMail>, StoreError> {
    if !settings.asks_commitments {
        return Ok(Vec::new());
    }
    let today = TimeZone::named(&user.timezone).day_of(tx.now());
    let open = tx.pg.open_commitments(user.id)?;
    let in_mail = |(stored, _): &(&StoredCommitment, Asking)| AskedInMail {
        days: u32::try_from(today.since_epoch() - stored.first_day.since_epoch()).unwrap_or(0),
        text: stored.commitment.state.text.value.as_str().to_owned(),
        title: stored.commitment.book_title.clone(),
    };
    Ok(asked_by_reminder(&open, notice.last_on, today).iter().map(in_mail).collect())
}

/// The page to which a reminder leads: that of the review, else the one that asks what became of commitments.
const fn answered_on(cards: usize) -> &'static str {
    if cards == 0 { "/home" } else { "/review" }
}

/// What a browser shows of due cards and of commitments that are asked about; at least one of both.
fn reminder_message(cards: usize, minutes: usize, asked: &[AskedInMail]) -> PushMessage {
    let path = answered_on(cards).to_owned();
    let wanted = asked.first().map(|one| format!("What became of it: {}", excerpt(&one.text)));
    if cards == 0 {
        let title = wanted.unwrap_or_default();
        let body = asked.first().map(|one| format!("What you wanted to do after “{}”.", one.title)).unwrap_or_default();
        return PushMessage { title, body, path };
    }
    let title = if cards == 1 { "One card is due".to_owned() } else { format!("{cards} cards are due") };
    let time = if minutes == 1 { "About a minute.".to_owned() } else { format!("About {minutes} minutes.") };
    let body = [Some(time), wanted].into_iter().flatten().collect::<Vec<_>>().join(" ");
    PushMessage { title, body, path }
}

/// The beginning of a text, so that a notification shows it whole.
fn excerpt(text: &str) -> String {
    const CHARS: usize = 80;
    if text.chars().count() <= CHARS {
        return text.to_owned();
    }
    let start: String = text.chars().take(CHARS).collect();
    format!("{}…", start.trim_end())
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
    use super::{AskedInMail, reminder_message};

    #[test]
    fn a_reminder_says_how_many_cards_and_how_long() {
        let text = |cards, minutes| {
            let message = reminder_message(cards, minutes, &[]);
            format!("{}: {} ({})", message.title, message.body, message.path)
        };
        assert_eq!(text(1, 1), "One card is due: About a minute. (/review)");
        assert_eq!(text(12, 3), "12 cards are due: About 3 minutes. (/review)");
    }

    #[test]
    fn a_push_message_asks_about_the_first_commitment() {
        let asked = |text: &str| [AskedInMail { text: text.to_owned(), title: "Walden".to_owned(), days: 3 }];
        let message = reminder_message(0, 0, &asked("Walk daily."));
        assert_eq!(message.title, "What became of it: Walk daily.");
        assert_eq!((message.body.as_str(), message.path.as_str()), ("What you wanted to do after “Walden”.", "/home"));
        let message = reminder_message(2, 1, &asked(&"é".repeat(81)));
        assert_eq!(message.body, format!("About a minute. What became of it: {}…", "é".repeat(80)));
        assert_eq!((message.title.as_str(), message.path.as_str()), ("2 cards are due", "/review"));
    }
}

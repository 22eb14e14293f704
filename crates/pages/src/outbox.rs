//! The outbox page of the demo profile (`site.demo-profile`): shows outgoing mails as the recipients would get them.

use askama::Template;
use jobs::{Job, State};
use kernel::Timestamp;
use mail::OutboxMail;
use workflows::calendar::moment;

/// The page's stylesheet.
pub const STYLESHEET: &str = include_str!("../templates/outbox.css");

/// One row of the list: a mail in the outbox.
struct Line {
    name: String,
    to: String,
    subject: String,
    when: String,
}

impl From<&OutboxMail> for Line {
    fn from(mail: &OutboxMail) -> Self {
        let received = mail.read();
        Self {
            name: mail.name.clone(),
            to: received.to,
            subject: received.subject.unwrap_or_else(|| "No subject".to_owned()),
            when: time(mail.queued_at),
        }
    }
}

/// A mail whose job is not done.
struct PendingMail {
    about: String,
    to: String,
    state: &'static str,
    reason: String,
    when: String,
}

impl From<&Job> for PendingMail {
    fn from(job: &Job) -> Self {
        Self {
            about: sentence(&job.about),
            to: job.recipient.clone().unwrap_or_default(),
            state: match job.state {
                State::Queued => "Waiting",
                State::Running => "On its way",
                State::Done => "Sent",
                State::SetAside => "Failed",
            },
            reason: job.last_error.clone().unwrap_or_default(),
            when: time(job.created_at),
        }
    }
}

#[derive(Template)]
#[template(path = "outbox.html")]
struct List<'a> {
    mails: Vec<Line>,
    waiting: Vec<PendingMail>,
    to: &'a str,
    /// Whether mails are stored in the outbox instead of being sent.
    kept: bool,
}

/// The list: the mails of the outbox whose recipient contains `to`, and the pending ones. `is_kept`: whether mails are stored
/// in the outbox instead of being sent.
pub fn list(mails: &[OutboxMail], waiting: &[Job], to: &str, is_kept: bool) -> askama::Result<String> {
    let wanted = to.to_lowercase();
    let mails = mails.iter().map(Line::from).filter(|line| line.to.to_lowercase().contains(&wanted)).collect();
    List { mails, waiting: waiting.iter().map(Into::into).collect(), to, kept: is_kept }.render()
}

#[derive(Template)]
#[template(path = "outbox_mail.html")]
struct One {
    line: Line,
    from: String,
    reply_to: Option<String>,
    text: String,
}

/// The page of one mail.
pub fn mail(mail: &OutboxMail) -> askama::Result<String> {
    let received = mail.read();
    One { line: mail.into(), from: received.from, reply_to: received.reply_to, text: received.text }.render()
}

/// The HTML of a mail, for an iframe. Its links open in a new tab.
pub fn html(mail: &OutboxMail) -> String {
    mail.read().html.replacen("<head>", "<head><base target=\"_blank\">", 1)
}

/// Converts a template name to a label: `confirm_email` becomes `Confirm email`.
fn sentence(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn time(at: Timestamp) -> String {
    moment(at).strftime("%b %-d, %Y, %-I:%M:%S %p UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_named_and_dated_for_people() {
        assert_eq!(sentence("confirm_email"), "Confirm email");
        assert_eq!(sentence(""), "");
        assert_eq!(time(Timestamp::from_millis(1_795_046_400_000)), "Nov 19, 2026, 12:00:00 AM UTC");
    }
}

//! The values of the inbox: messages, answers, filters, and the counts of reasons.

use std::{cmp::Reverse, collections::BTreeMap, fmt, str::FromStr};

use kernel::{Email, MessageId, Timestamp, UserId};

use crate::Field;

/// The default page size of the inbox, in messages.
pub const INBOX_PAGE: usize = 50;

/// The form that a message came from (`support.message-list`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKind {
    /// The contact form, or a member's request for a refund.
    Contact,
    /// The suggestion form.
    Suggest,
    /// The feedback form.
    Feedback,
    /// The questions to a member who deletes their account.
    Leaving,
    /// The reason of a member who cancels a subscription.
    Cancellation,
}

/// The error for a text that names no kind of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a kind of message is one of contact, suggest, feedback, leaving, cancellation")]
pub struct InvalidMessageKind;

impl MessageKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Contact, Self::Suggest, Self::Feedback, Self::Leaving, Self::Cancellation];

    /// The name in storage and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Suggest => "suggest",
            Self::Feedback => "feedback",
            Self::Leaving => "leaving",
            Self::Cancellation => "cancellation",
        }
    }

    /// Whether messages of this kind ask something of the operator. The others say why a member leaves, and need no answer
    /// (`support.leaving-reasons`).
    pub const fn is_question(self) -> bool {
        match self {
            Self::Contact | Self::Suggest | Self::Feedback => true,
            Self::Leaving | Self::Cancellation => false,
        }
    }
}

impl FromStr for MessageKind {
    type Err = InvalidMessageKind;

    fn from_str(text: &str) -> Result<Self, InvalidMessageKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(InvalidMessageKind)
    }
}

impl fmt::Display for MessageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A message that a person sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its id; later ones are greater.
    pub id: MessageId,
    pub kind: MessageKind,
    /// The sender's name, as typed.
    pub name: Option<String>,
    /// The address for the reply; not verified.
    pub email: Option<Email>,
    pub body: String,
    /// When it arrived.
    pub created_at: Timestamp,
    /// When an admin marked it as done; `None`: not done.
    pub done_at: Option<Timestamp>,
}

impl Message {
    /// What the person wrote, in one line: the first that is not blank. Of a member who deletes the account, the reason and not the
    /// form's question above it (`support.leaving-reasons`).
    pub fn first_line(&self) -> &str {
        let text = if self.kind == MessageKind::Leaving { why_of_leaving(&self.body) } else { &self.body };
        text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
    }
}

/// An admin's reply to a message, sent by mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageAnswer {
    pub text: String,
    /// The admin; `None` when that account was deleted.
    pub by: Option<UserId>,
    /// When the mail was queued.
    pub at: Timestamp,
}

/// How often a reason was given for leaving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonCount {
    /// [`MessageKind::Leaving`] or [`MessageKind::Cancellation`].
    pub kind: MessageKind,
    /// The reason. Spellings that differ only in case and whitespace count as one; this is the first of them.
    pub reason: String,
    /// How many members gave this reason.
    pub count: u64,
}

/// The most reasons of a kind that are listed. Reasons for deletions are free text, so there may be many.
pub const REASONS_SHOWN: usize = 50;

/// Counts the reasons in message texts, each given with its number of messages: most frequent first, equally frequent
/// ones alphabetically. The reason for a deletion is the answer to the first question.
pub fn count_reasons(kind: MessageKind, texts: impl IntoIterator<Item = (String, u64)>) -> Vec<ReasonCount> {
    let mut counts: BTreeMap<String, (String, u64)> = BTreeMap::new();
    for (text, count) in texts {
        let reason = if kind == MessageKind::Leaving { why_of_leaving(&text) } else { text.trim() };
        let key = reason.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        counts.entry(key).or_insert_with(|| (reason.to_owned(), 0)).1 += count;
    }
    let mut reasons: Vec<ReasonCount> =
        counts.into_values().map(|(reason, count)| ReasonCount { kind, reason, count }).collect();
    reasons.sort_by_key(|one| Reverse(one.count));
    reasons.truncate(REASONS_SHOWN);
    reasons
}

/// The answer to the first question in the text of [`NewMessage::leaving`](crate::NewMessage::leaving).
fn why_of_leaving(text: &str) -> &str {
    let text = text.strip_prefix(Field::Why.label()).unwrap_or(text);
    let second = format!("\n\n{}\n", Field::How.label());
    text.rfind(&second).map_or(text, |at| &text[..at]).trim()
}

/// Which messages a page of the inbox shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageFilter {
    /// Only of this kind.
    pub kind: Option<MessageKind>,
    /// Only questions, or only reasons for leaving.
    pub questions: Option<bool>,
    /// Only those that are done, or only those that are not.
    pub done: Option<bool>,
    /// Only those whose name, address or text contains this, ignoring case.
    pub text: Option<String>,
}

impl MessageFilter {
    /// Whether the message matches the filter.
    pub fn admits(&self, message: &Message) -> bool {
        self.kind.is_none_or(|kind| kind == message.kind)
            && self.questions.is_none_or(|questions| questions == message.kind.is_question())
            && self.done.is_none_or(|done| done == message.done_at.is_some())
            && self.text.as_ref().is_none_or(|text| {
                let email = message.email.as_ref().map(Email::as_str);
                let all = [message.name.as_deref(), email, Some(message.body.as_str())];
                all.into_iter().flatten().any(|one| one.to_lowercase().contains(&text.to_lowercase()))
            })
    }
}

#[cfg(test)]
mod tests {
    use kernel::{MessageId, Timestamp};

    use super::{Message, MessageKind, REASONS_SHOWN, count_reasons};
    use crate::NewMessage;

    fn reasons(kind: MessageKind, texts: &[(&str, u64)]) -> Vec<(String, u64)> {
        let counted = count_reasons(kind, texts.iter().map(|(text, count)| ((*text).to_owned(), *count)));
        counted.into_iter().map(|one| (one.reason, one.count)).collect()
    }

    #[test]
    fn reasons_are_counted_without_regard_to_case_and_space_most_frequent_first() {
        let texts = [("Too  dear", 1), ("No time.", 2), ("too dear\n", 3), ("Another", 2)];
        let counted = reasons(MessageKind::Cancellation, &texts);
        assert_eq!(counted, [("Too  dear".to_owned(), 4), ("Another".to_owned(), 2), ("No time.".to_owned(), 2)]);
    }

    #[test]
    fn the_reason_of_a_deletion_is_the_first_answer() {
        let [one, other] = ["A friend.", "An ad."].map(|how| NewMessage::leaving("No\n\ntime.", how).unwrap());
        let counted = reasons(MessageKind::Leaving, &[(one.body(), 1), (other.body(), 1)]);
        assert_eq!(counted, [("No\n\ntime.".to_owned(), 2)]);
    }

    #[test]
    fn a_message_is_shown_by_its_first_line_and_a_reason_for_leaving_without_its_question() {
        let message = |kind, body: &str| Message {
            id: MessageId::from_store(1),
            kind,
            name: None,
            email: None,
            body: body.to_owned(),
            created_at: Timestamp::from_millis(0),
            done_at: None,
        };
        let leaving = NewMessage::leaving("No time.\nReally.", "An ad.").unwrap();
        assert_eq!(message(MessageKind::Leaving, leaving.body()).first_line(), "No time.");
        assert_eq!(message(MessageKind::Contact, "\n  \n Hello.\nMore.").first_line(), "Hello.");
        assert_eq!(message(MessageKind::Contact, "").first_line(), "");
    }

    #[test]
    fn no_more_than_the_shown_reasons_are_counted_one_by_one() {
        let texts = (0..=REASONS_SHOWN).map(|n| (format!("Reason {n}"), 1));
        assert_eq!(count_reasons(MessageKind::Leaving, texts).len(), REASONS_SHOWN);
    }

    #[test]
    fn every_kind_is_parsed_from_its_name() {
        for kind in MessageKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert!("Contact".parse::<MessageKind>().is_err() && "".parse::<MessageKind>().is_err());
    }
}

//! The values of the domain: messages and what they are about.

use std::{fmt, str::FromStr};

use kernel::{Email, MessageId, Timestamp};

/// The default page size of the inbox, in messages.
pub const INBOX_PAGE: usize = 50;

/// The form that a message came from (`decisions.md` 53).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKind {
    /// The contact form.
    Contact,
    /// The suggestion of a book.
    Suggest,
    /// The feedback form.
    Feedback,
    /// The questions to a member who deletes the account.
    Leaving,
    /// The reason of a member who cancels a subscription.
    Cancellation,
}

/// The text names no kind of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a kind of message is one of contact, suggest, feedback, leaving, cancellation")]
pub struct InvalidMessageKind;

impl MessageKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Contact, Self::Suggest, Self::Feedback, Self::Leaving, Self::Cancellation];

    /// The kind's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Suggest => "suggest",
            Self::Feedback => "feedback",
            Self::Leaving => "leaving",
            Self::Cancellation => "cancellation",
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
    /// The form that it came from.
    pub kind: MessageKind,
    /// The sender's name, as typed.
    pub name: Option<String>,
    /// The address for the reply; not verified.
    pub email: Option<Email>,
    /// The text.
    pub body: String,
    /// When it arrived.
    pub created_at: Timestamp,
    /// When an admin marked it as done.
    pub done_at: Option<Timestamp>,
}

/// Which messages a page of the inbox shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageFilter {
    /// Only of this kind.
    pub kind: Option<MessageKind>,
    /// Only those that are done, or only those that are not.
    pub done: Option<bool>,
}

impl MessageFilter {
    /// Whether the filter lets the message pass.
    pub fn admits(&self, message: &Message) -> bool {
        self.kind.is_none_or(|kind| kind == message.kind)
            && self.done.is_none_or(|done| done == message.done_at.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::MessageKind;

    #[test]
    fn every_kind_is_parsed_from_its_name() {
        for kind in MessageKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert!("Contact".parse::<MessageKind>().is_err() && "".parse::<MessageKind>().is_err());
    }
}

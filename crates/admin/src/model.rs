//! The values of the domain: messages and what they are about.

use std::{fmt, str::FromStr};

use kernel::{Email, MessageId, Timestamp};

/// How many messages a page of the inbox has unless asked otherwise.
pub const INBOX_PAGE: usize = 50;

/// Where a message was written (`decisions.md` 53).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The contact form.
    Contact,
    /// Suggest a book.
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
pub struct InvalidKind;

impl Kind {
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

impl FromStr for Kind {
    type Err = InvalidKind;

    fn from_str(text: &str) -> Result<Self, InvalidKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(InvalidKind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What somebody wrote to the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its id; later ones are greater.
    pub id: MessageId,
    /// Where it was written.
    pub kind: Kind,
    /// Who wrote it, in their own words.
    pub name: Option<String>,
    /// Where an answer goes; nobody has proved that it is theirs.
    pub email: Option<Email>,
    /// What they wrote.
    pub body: String,
    /// When it arrived.
    pub created_at: Timestamp,
    /// When somebody had seen to it.
    pub done_at: Option<Timestamp>,
}

/// Which messages are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only those that are done, or only those that are not.
    pub done: Option<bool>,
}

impl Filter {
    /// Whether the message is wanted.
    pub fn admits(&self, message: &Message) -> bool {
        self.kind.is_none_or(|kind| kind == message.kind)
            && self.done.is_none_or(|done| done == message.done_at.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn kinds_have_names() {
        for kind in Kind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert!("Contact".parse::<Kind>().is_err() && "".parse::<Kind>().is_err());
    }
}

//! Ids: positive 64-bit integers, each of its own type so that one can't stand for another.

use std::{fmt, str::FromStr};

/// The number is not a positive 64-bit integer (`api.id-format`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id is a positive number")]
pub struct InvalidId;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i64);

        impl $name {
            /// Takes a number that came from outside.
            pub const fn new(value: i64) -> Result<Self, InvalidId> {
                if value > 0 { Ok(Self(value)) } else { Err(InvalidId) }
            }

            /// Takes a number that a store has given out itself.
            pub const fn from_store(value: i64) -> Self {
                Self(value)
            }

            /// The number.
            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                // `parse` would also take a sign.
                if !text.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(InvalidId);
                }
                text.parse().map_err(|_| InvalidId).and_then(Self::new)
            }
        }
    )+};
}

ids! {
    /// A person with an account.
    UserId,
    /// A signed-in device.
    SessionId,
    /// A book, and its summary.
    BookId,
    /// An author.
    AuthorId,
    /// A category.
    CategoryId,
    /// A collection of categories.
    CollectionId,
    /// A goal.
    GoalId,
    /// A tag.
    TagId,
    /// A message in the back office's inbox.
    MessageId,
    /// Work that is done after a change.
    JobId,
    /// Who pays: a member, or a guest who has not joined yet.
    PayerId,
    /// A passkey.
    PasskeyId,
    /// A post of the blog.
    PostId,
    /// An episode of the podcast.
    PodcastId,
    /// A thought that is shown for a day.
    InsightId,
    /// An illustrated key idea.
    VisualId,
    /// A book on its way to an e-reader.
    DeliveryId,
    /// A statement of a quiz.
    QuestionId,
    /// A summary that a member has made of a text of their own.
    SummaryId,
}

#[cfg(test)]
mod tests {
    use super::BookId;

    #[test]
    fn an_id_is_a_positive_number() {
        assert!(BookId::new(0).is_err() && BookId::new(-1).is_err());
        assert_eq!("12".parse::<BookId>().unwrap().get(), 12);
        for text in ["", "0", "-1", "+1", "1 ", "9223372036854775808", "x"] {
            assert!(text.parse::<BookId>().is_err(), "{text:?}");
        }
    }
}

//! Ids: positive 64-bit integers. Each kind of id has its own type, so that the compiler rejects mixing them up.

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
            /// Checks a number from outside, such as from a request.
            pub const fn new(value: i64) -> Result<Self, InvalidId> {
                if value > 0 { Ok(Self(value)) } else { Err(InvalidId) }
            }

            /// An id from the database: not checked.
            pub const fn from_store(value: i64) -> Self {
                Self(value)
            }

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
    /// A book with its summary.
    BookId,
    /// An author of books.
    AuthorId,
    /// A category that books belong to.
    CategoryId,
    /// A collection of categories.
    CollectionId,
    /// A goal that books help members reach.
    GoalId,
    /// A tag on books.
    TagId,
    /// A message in the back office's inbox.
    MessageId,
    /// A job in the queue (crate `jobs`).
    JobId,
    /// The payer of a purchase: a member, or a guest without an account.
    PayerId,
    /// A passkey of a user.
    PasskeyId,
    /// A blog post.
    PostId,
    /// A podcast episode.
    PodcastId,
    /// A daily insight: a short thought that is shown for one day.
    InsightId,
    /// An illustrated key idea.
    VisualId,
    /// A delivery of a book to an e-reader.
    DeliveryId,
    /// A quiz question: a statement to which a member responds true or false.
    QuestionId,
    /// A summary that a member generated from their own text.
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

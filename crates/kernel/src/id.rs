//! Ids: positive 64-bit integers. Each kind of id has its own type, so that the compiler rejects mixing them up.

use std::{fmt, str::FromStr};

/// The number is not a positive 64-bit integer (`api.id-format`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id is a positive number")]
pub struct InvalidId;

/// The greatest id that a member's device may choose: the greatest integer that JavaScript's numbers hold exactly.
pub const MAX_CLIENT_ID: i64 = (1 << 53) - 1;

macro_rules! ids {
    ($max:expr; $($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i64);

        impl $name {
            /// Checks a number from outside, such as from a request.
            pub const fn new(value: i64) -> Result<Self, InvalidId> {
                if value > 0 && value <= $max { Ok(Self(value)) } else { Err(InvalidId) }
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
    i64::MAX;
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
    /// A link between key ideas of two books.
    IdeaLinkId,
    /// A delivery of a book to an e-reader.
    DeliveryId,
    /// A quiz question: a statement to which a member responds true or false.
    QuestionId,
    /// A summary that a member generated from their own text.
    SummaryId,
    /// An API token of a member.
    ApiTokenId,
    /// A browser that shows push messages.
    PushSubscriptionId,
    /// A list that a member has given to their team.
    TeamListId,
}

// Chosen at random by the member's devices, so each is unique within a member's records only.
ids! {
    MAX_CLIENT_ID;
    /// A passage that a member kept.
    HighlightId,
    /// A review card of a member.
    ReviewCardId,
    /// A member's rating of a review card.
    AnswerId,
    /// What a member wants to do after a book.
    CommitmentId,
    /// A list of books that a member keeps.
    ListId,
}

#[cfg(test)]
mod tests {
    use super::{BookId, HighlightId, MAX_CLIENT_ID};

    #[test]
    fn an_id_is_a_positive_number() {
        assert!(BookId::new(0).is_err() && BookId::new(-1).is_err());
        assert_eq!("12".parse::<BookId>().unwrap().get(), 12);
        for text in ["", "0", "-1", "+1", "1 ", "9223372036854775808", "x"] {
            assert!(text.parse::<BookId>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn an_id_that_a_device_chose_is_exact_in_javascript() {
        assert_eq!(HighlightId::new(MAX_CLIENT_ID).unwrap().get(), 9_007_199_254_740_991);
        assert_eq!("9007199254740991".parse::<HighlightId>().unwrap().get(), MAX_CLIENT_ID);
        assert!(HighlightId::new(MAX_CLIENT_ID + 1).is_err() && HighlightId::new(0).is_err());
        assert!("9007199254740992".parse::<HighlightId>().is_err());
    }
}

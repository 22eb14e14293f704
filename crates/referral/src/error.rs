//! What can go wrong, in words that a person can read.

use kernel::{InvalidEmail, SECOND, StoreError};

/// A field of the invitation (`member.md §3`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The inviter's name.
    YourName,
    /// The friend's name.
    FriendName,
    /// The friend's address.
    FriendEmail,
}

impl Field {
    const fn in_words(self) -> &'static str {
        match self {
            Self::YourName => "your name",
            Self::FriendName => "your friend's name",
            Self::FriendEmail => "your friend's email address",
        }
    }
}

/// A rule of invitations was not kept, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum ReferralError {
    /// A field is blank; the first such field (`member.md §5`).
    #[error("Please specify {}.", .0.in_words())]
    Incomplete(Field),
    /// Nobody can be reached at the friend's address (`member.md §5`).
    #[error(transparent)]
    InvalidEmail(#[from] InvalidEmail),
    /// A name has more than [`crate::NAME_MAX_CHARS`] characters.
    #[error("Please use at most 100 characters for a name.")]
    NameTooLong(Field),
    /// A name has a web address in it: the mail goes to somebody who did not ask for it.
    #[error("Please use a name without a web address.")]
    NameWithLink(Field),
    /// The address is the inviter's own.
    #[error("Please invite somebody other than yourself.")]
    Oneself,
    /// The inviter's own address is not confirmed (`decisions.md §12`).
    #[error("Please confirm your email address first.")]
    NotConfirmed,
    /// The inviter has invited [`crate::INVITATIONS_A_DAY`] within a day; milliseconds until the next may go out.
    #[error("Too many invitations. Please try again in {} seconds.", wait_in_seconds(*.0))]
    TooMany(i64),
    /// The inviter's account is gone.
    #[error("This account does not exist any more.")]
    UnknownMember,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whole seconds, rounded up, at least one.
pub(crate) const fn wait_in_seconds(millis: i64) -> u64 {
    let seconds = millis.unsigned_abs().div_ceil(SECOND.unsigned_abs());
    if seconds == 0 { 1 } else { seconds }
}

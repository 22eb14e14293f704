//! What can go wrong, in words that a person can read.

use kernel::{InvalidEmail, SECOND, StoreError};

/// A field of the invitation (`referral.invitation-fields`).
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
    /// A field is blank; the first such field (`referral.invitation-fields`).
    #[error("Please specify {}.", .0.in_words())]
    Incomplete(Field),
    /// Nobody can be reached at the friend's address (`referral.invitation-fields`).
    #[error(transparent)]
    InvalidEmail(#[from] InvalidEmail),
    /// A name has more than [`crate::NAME_MAX_CHARS`] characters.
    #[error("Please use at most 100 characters for a name.")]
    NameTooLong(Field),
    /// A name has a web address in it: the mail goes to a person who did not ask for it.
    #[error("Please use a name without a web address.")]
    NameWithLink(Field),
    /// The address is the inviter's own.
    #[error("Please invite someone other than yourself.")]
    Oneself,
    /// The inviter's own address is not confirmed (`referral.confirmed-inviter`).
    #[error("Please confirm your email address first.")]
    NotConfirmed,
    /// The inviter has invited [`crate::INVITATIONS_A_DAY`] within a day.
    #[error("Too many invitations. Please try again in {} seconds.", .0.seconds())]
    TooMany(Wait),
    /// The inviter's account is gone.
    #[error("This account no longer exists.")]
    UnknownMember,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How long until another invitation may go out, in milliseconds: more than none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wait(pub(crate) i64);

impl Wait {
    /// Whole seconds, rounded up.
    pub const fn seconds(self) -> u64 {
        self.0.unsigned_abs().div_ceil(SECOND.unsigned_abs())
    }
}

//! Errors of invitations, with messages for members.

use kernel::{InvalidEmail, SECOND, StoreError};

/// A field of the invitation form (`referral.invitation-fields`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    YourName,
    FriendName,
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

/// Why an invitation failed. The messages are shown to members.
#[derive(Debug, thiserror::Error)]
pub enum ReferralError {
    /// The first blank field (`referral.invitation-fields`).
    #[error("Please specify {}.", .0.in_words())]
    Incomplete(Field),
    /// The friend's e-mail address is invalid (`referral.invitation-fields`).
    #[error(transparent)]
    InvalidEmail(#[from] InvalidEmail),
    /// A name has more than [`crate::NAME_MAX_CHARS`] characters.
    #[error("Please use at most 100 characters for a name.")]
    NameTooLong(Field),
    /// A name contains a URL. Refused, because the mail goes to a person who did not ask for it.
    #[error("Please use a name without a web address.")]
    NameWithLink(Field),
    /// The address is the inviter's own.
    #[error("Please invite someone other than yourself.")]
    Oneself,
    /// The inviter's e-mail address is not confirmed (`referral.confirmed-inviter`).
    #[error("Please confirm your email address first.")]
    NotConfirmed,
    /// The inviter has sent [`crate::INVITATIONS_A_DAY`] invitations within 24 hours.
    #[error("Too many invitations. Please try again in {} seconds.", .0.seconds())]
    TooMany(Wait),
    /// The inviter's account was deleted.
    #[error("This account no longer exists.")]
    UnknownMember,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The time until the next invitation is allowed, in milliseconds; above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wait(pub(crate) i64);

impl Wait {
    /// The time in whole seconds, rounded up.
    pub const fn seconds(self) -> u64 {
        self.0.unsigned_abs().div_ceil(SECOND.unsigned_abs())
    }
}

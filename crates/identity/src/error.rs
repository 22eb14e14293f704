//! How identity refuses and fails.

use kernel::{InvalidEmail, StoreError};

use crate::{RetryAfter, SealError};

/// A field of the forms for sign-up and login.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The e-mail address.
    Email,
    /// The password.
    Password,
    /// The first name.
    FirstName,
    /// The last name.
    LastName,
}

/// Why identity did not do what it was asked for. The texts are for the person who asked.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// A field of the sign-up form is blank; the first such field (`member.md §8`).
    #[error("Please specify an email or password or first name or last name.")]
    RegistrationIncomplete(Field),
    /// A field of the login form is blank; the first such field (`member.md §8`).
    #[error("Please specify an email or password.")]
    LoginIncomplete(Field),
    /// Nobody can be reached at this address.
    #[error(transparent)]
    InvalidEmail(#[from] InvalidEmail),
    /// A name is longer than [`crate::Registration::MAX_NAME_CHARS`].
    #[error("Please use at most 100 characters for a name.")]
    NameTooLong(Field),
    /// A name has characters that can't be shown.
    #[error("Please use only letters and signs that can be seen for a name.")]
    NameNotVisible(Field),
    /// The password is shorter than [`crate::Password::MIN_CHARS`].
    #[error("Please choose a password of at least 8 characters.")]
    PasswordTooShort,
    /// The password is longer than [`crate::Password::MAX_CHARS`].
    #[error("Please choose a password of at most 256 characters.")]
    PasswordTooLong,
    /// The password is on the shipped list of the most common ones.
    #[error("This password is one of the first that others would guess. Please choose another.")]
    PasswordTooCommon,
    /// Somebody has signed up with this address (`decisions.md` 18).
    #[error("This email address is already taken. Please log in or reset your password.")]
    EmailTaken,
    /// The address is unknown or the password is not the account's: the answer does not tell which.
    #[error("The email or password is not correct.")]
    InvalidCredentials,
    /// The session has ended, or the secret never was one: somebody has to log in again.
    #[error("Your session has ended. Please log in again.")]
    SessionEnded,
    /// Too many tries.
    #[error("Too many tries. Please try again in {} seconds.", .0.seconds())]
    TooManyTries(RetryAfter),
    /// The server's keys can't be read.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

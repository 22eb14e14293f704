//! How identity refuses and fails.

use kernel::{InvalidEmail, StoreError};

use crate::{RetryAfter, SealError};

/// A field of the forms for sign-up and login.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The e-mail address.
    Email,
    Password,
    FirstName,
    LastName,
}

/// Why identity did not do what it was asked for. The texts are for the person who asked.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// A field of the sign-up form is blank; the first such field (`identity.sign-up-fields`).
    #[error("Please specify an email or password or first name or last name.")]
    RegistrationIncomplete(Field),
    /// A field of the login form is blank; the first such field (`identity.login-fields`).
    #[error("Please specify an email or password.")]
    LoginIncomplete(Field),
    /// Nobody can be reached at this address.
    #[error(transparent)]
    InvalidEmail(#[from] InvalidEmail),
    /// No admin would be left, or an admin would take the role from themselves.
    #[error("You can't do this to yourself, and there must be at least one admin.")]
    LastAdmin,
    /// A name is longer than [`crate::Registration::MAX_NAME_CHARS`].
    #[error("Please use at most 100 characters for a name.")]
    NameTooLong(Field),
    /// A name has characters that can't be shown.
    #[error("Please use only visible characters in a name.")]
    NameNotVisible(Field),
    /// A name is blank where a person changes theirs; the first such field.
    #[error("Please specify a first name and a last name.")]
    NameMissing(Field),
    /// There is no such time zone.
    #[error("Please choose a time zone from the list.")]
    UnknownTimezone,
    /// The password is shorter than [`crate::Password::MIN_CHARS`].
    #[error("Please choose a password of at least 8 characters.")]
    PasswordTooShort,
    /// The password is longer than [`crate::Password::MAX_CHARS`].
    #[error("Please choose a password of at most 256 characters.")]
    PasswordTooLong,
    /// The password is on the shipped list of the most common ones.
    #[error("This password is easy to guess. Please choose another one.")]
    PasswordTooCommon,
    /// The two passwords that should be one differ (`identity.passwords-match`).
    #[error("The passwords do not match.")]
    PasswordsDiffer,
    /// The password that a member types to change something is not theirs.
    #[error("This is not your current password.")]
    CurrentPasswordWrong,
    /// The new address is the one that the member has.
    #[error("This is already your email address.")]
    EmailUnchanged,
    /// A mailed link or code is wrong, was used already, or came late: the answer does not tell which.
    #[error("This link has expired or was already used. Please ask for a new one.")]
    LinkInvalid,
    /// Six digits are wrong, were used already, or came late, or nobody has the address.
    #[error("This code is wrong or has expired. Please check it or ask for a new one.")]
    CodeInvalid,
    /// The link of a mail that moves an account was followed outside of a session of that account.
    #[error("Please log in to your account in this browser, then open the link in the email again.")]
    MoveNeedsSession,
    /// Another person came to have the address before it was confirmed.
    #[error("Another account now has this email address. Yours stays as it was.")]
    EmailTakenMeanwhile,
    /// A person has signed up with this address (`identity.email-taken`).
    #[error("This email address is already taken. Please log in or reset your password.")]
    EmailTaken,
    /// The address is unknown or the password is not the account's: the answer does not tell which.
    #[error("The email or password is not correct.")]
    InvalidCredentials,
    /// The session has ended, or the secret never was one: a person has to log in again.
    #[error("Your session has ended. Please log in again.")]
    SessionEnded,
    /// A code of an authenticator app or a recovery code is wrong, or was used before.
    #[error("That code is wrong or was already used. Please try the next one.")]
    WrongFactorCode,
    /// The ticket between password and second factor is over, was used, or never was one.
    #[error("Your login took too long. Please log in again.")]
    TicketOver,
    /// An authenticator app was confirmed before.
    #[error("Your account already has an authenticator app. Please turn it off first.")]
    TotpAlreadyEnabled,
    /// There is no authenticator app, or none that waits for its first code.
    #[error("Your account has no authenticator app yet. Please set one up.")]
    NoTotp,
    /// What protects an account is changed only after a fresh proof of who is there.
    #[error("Please confirm that it is you with your password, a code by email or a passkey.")]
    FreshLoginRequired,
    /// The first second factor of an account with a role, in a session that has not shown that the owner's mail reaches it.
    #[error(
        "Please confirm with a code we email you that this address is yours. An account with a role needs this for its first second factor."
    )]
    MailedCodeRequired,
    /// The name is blank, too long, or has characters that can't be shown.
    #[error("Please choose a name of 1 to 60 characters for your passkey.")]
    InvalidPasskeyName,
    /// The device's key is a passkey already.
    #[error("This passkey was already added.")]
    PasskeyAlreadyAdded,
    /// [`crate::MAX_PASSKEYS`] are there.
    #[error("An account can have at most 20 passkeys. Please remove one first.")]
    TooManyPasskeys,
    /// The passkey is the last way in.
    #[error("You would have no other way to log in. Please choose a password first.")]
    LastSignInMethod,
    /// The person has no such passkey.
    #[error("There is no such passkey.")]
    NoPasskey,
    /// A rate limit is reached.
    #[error("Too many tries. Please try again in {} seconds.", .0.seconds())]
    RateLimited(RetryAfter),
    /// So many passwords are being hashed that this one's turn did not come.
    #[error("too many passwords are being hashed")]
    Busy,
    /// The server's keys can't be read.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

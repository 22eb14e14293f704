//! The errors of identity.

use kernel::{InvalidEmail, StoreError};

use crate::{RetryAfter, SealError};

/// A field of the forms for sign-up, login and profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    Email,
    Password,
    FirstName,
    LastName,
}

/// Why identity refused or failed. The messages are shown to the member.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// A field of the sign-up form is blank; the first such field (`identity.sign-up-fields`).
    #[error("Please specify an email or password or first name or last name.")]
    RegistrationIncomplete(Field),
    /// A field of the login form is blank; the first such field (`identity.login-fields`).
    #[error("Please specify an email or password.")]
    LoginIncomplete(Field),
    /// The text is not an e-mail address.
    #[error(transparent)]
    InvalidEmail(#[from] InvalidEmail),
    /// The last admin would lose their rights, or an admin would take them from themselves.
    #[error("You can't do this to yourself, and there must be at least one admin.")]
    LastAdmin,
    /// A name is longer than [`crate::Registration::MAX_NAME_CHARS`].
    #[error("Please use at most 100 characters for a name.")]
    NameTooLong(Field),
    /// A name has characters that can't be displayed.
    #[error("Please use only visible characters in a name.")]
    NameNotVisible(Field),
    /// A name in the profile form is blank; the first such field.
    #[error("Please specify a first name and a last name.")]
    NameMissing(Field),
    /// The time zone is unknown.
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
    /// The repeated password differs (`identity.passwords-match`).
    #[error("The passwords do not match.")]
    PasswordsDiffer,
    /// The current password, typed to confirm a change, is wrong.
    #[error("This is not your current password.")]
    CurrentPasswordWrong,
    /// The new address is the current one.
    #[error("This is already your email address.")]
    EmailUnchanged,
    /// A mailed link or code is wrong, used or expired. The message does not tell which.
    #[error("This link has expired or was already used. Please ask for a new one.")]
    LinkInvalid,
    /// A six-digit code is wrong, used or expired, or the address is unknown. The message does not tell which.
    #[error("This code is wrong or has expired. Please check it or ask for a new one.")]
    CodeInvalid,
    /// A link that changes an account's address was opened outside of a session of that account.
    #[error("Please log in to your account in this browser, then open the link in the email again.")]
    MoveNeedsSession,
    /// Another account took the new address before it was confirmed.
    #[error("Another account now has this email address. Yours has not changed.")]
    EmailTakenMeanwhile,
    /// An account with this address exists (`identity.email-taken`).
    #[error("This email address is already taken. Please log in or reset your password.")]
    EmailTaken,
    /// The address is unknown or the password is wrong. The message does not tell which.
    #[error("The email or password is not correct.")]
    InvalidCredentials,
    /// The session has ended, or the token is invalid: the person has to log in again.
    #[error("Your session has ended. Please log in again.")]
    SessionEnded,
    /// A code of an authenticator app, or a recovery code, is wrong or was used before.
    #[error("That code is wrong or was already used. Please try the next one.")]
    WrongFactorCode,
    /// The secret that connects password and second factor is invalid, used or expired.
    #[error("Your login took too long. Please log in again.")]
    TicketOver,
    /// The account already has a confirmed authenticator app.
    #[error("Your account already has an authenticator app. Please turn it off first.")]
    TotpAlreadyEnabled,
    /// There is no authenticator app, or none that awaits its first code.
    #[error("Your account has no authenticator app yet. Please set one up.")]
    NoTotp,
    /// The change requires a fresh proof of identity.
    #[error("Please confirm that it is you with your password, a code we email you or a passkey.")]
    FreshLoginRequired,
    /// Adding the first second factor to an account with a role requires a fresh proof, in this session, that the
    /// owner's mail is received.
    #[error(
        "Please confirm that this address is yours with a code we email you. Editors and admins must do this before they \
         set up their first second factor."
    )]
    MailedCodeRequired,
    /// The passkey's name is blank, too long, or has characters that can't be displayed.
    #[error("Please choose a name of 1 to 60 characters for your passkey.")]
    InvalidPasskeyName,
    /// The passkey is already registered.
    #[error("This passkey was already added.")]
    PasskeyAlreadyAdded,
    /// The account already has [`crate::MAX_PASSKEYS`] passkeys.
    #[error("An account can have at most 20 passkeys. Please remove one first.")]
    TooManyPasskeys,
    /// The passkey is the last sign-in method.
    #[error("You would have no other way to log in. Please choose a password first.")]
    LastSignInMethod,
    /// The account has no such passkey.
    #[error("There is no such passkey.")]
    NoPasskey,
    /// The name of an API token is blank or longer than [`crate::API_TOKEN_NAME_CHARS`].
    #[error("Please choose a name of 1 to 60 characters for your token.")]
    InvalidApiTokenName,
    /// An API token without a scope.
    #[error("Please choose what the token may do.")]
    NoApiScope,
    /// The member already has [`crate::MAX_API_TOKENS`] API tokens.
    #[error("You can have at most 20 tokens. Please delete one first.")]
    TooManyApiTokens,
    /// A rate limit is reached.
    #[error("Too many attempts. Please try again in {} seconds.", .0.seconds())]
    RateLimited(RetryAfter),
    /// Too many passwords are being hashed; this one did not get its turn in time.
    #[error("too many passwords are being hashed")]
    Busy,
    /// The server's keys can't be decrypted.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

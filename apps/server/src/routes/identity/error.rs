//! Identity's errors on the wire.

use identity::{Field, IdentityError, ProviderError};

use crate::error::{ApiError, Code};

impl From<IdentityError> for ApiError {
    fn from(error: IdentityError) -> Self {
        let text = error.to_string();
        match error {
            IdentityError::RegistrationIncomplete(field)
            | IdentityError::LoginIncomplete(field)
            | IdentityError::NameTooLong(field)
            | IdentityError::NameNotVisible(field)
            | IdentityError::NameMissing(field) => Self::invalid(name_of(field), text),
            IdentityError::InvalidEmail(_) => Self::invalid(name_of(Field::Email), text),
            IdentityError::PasswordTooShort | IdentityError::PasswordTooLong | IdentityError::PasswordTooCommon => {
                Self::invalid(name_of(Field::Password), text)
            }
            IdentityError::PasswordsDiffer => Self::invalid("password2", text),
            IdentityError::CurrentPasswordWrong => {
                Self::new(Code::InvalidCredentials, text).on_field("currentPassword")
            }
            IdentityError::UnknownTimezone => Self::invalid("timezone", text),
            IdentityError::EmailUnchanged => Self::invalid("email", text),
            IdentityError::LinkInvalid | IdentityError::CodeInvalid => Self::new(Code::CodeInvalid, text),
            IdentityError::EmailTakenMeanwhile => Self::new(Code::EmailTaken, text),
            IdentityError::EmailTaken => Self::new(Code::EmailTaken, text).on_field(name_of(Field::Email)),
            IdentityError::InvalidCredentials => Self::new(Code::InvalidCredentials, text),
            IdentityError::WrongFactorCode => Self::new(Code::CodeInvalid, text).on_field("code"),
            IdentityError::TicketOver => Self::new(Code::CodeInvalid, text).on_field("ticket"),
            IdentityError::TotpThere | IdentityError::PasskeyThere => Self::new(Code::AlreadyThere, text),
            IdentityError::LastWayIn => Self::new(Code::LastWayIn, text),
            IdentityError::NoTotp | IdentityError::NoPasskey => Self::new(Code::NotFound, text),
            IdentityError::FreshLoginRequired => Self::new(Code::FreshLoginRequired, text),
            IdentityError::InvalidPasskeyName => Self::invalid("name", text),
            IdentityError::TooManyPasskeys => Self::new(Code::ValidationFailed, text),
            IdentityError::SessionEnded => Self::new(Code::SessionEnded, text),
            IdentityError::TooManyTries(after) => Self::too_many_tries(after.seconds()),
            IdentityError::Seal(cause) => Self::internal(cause),
            IdentityError::Store(cause) => cause.into(),
        }
    }
}

impl From<ProviderError> for ApiError {
    fn from(error: ProviderError) -> Self {
        let text = error.to_string();
        match error {
            ProviderError::NoEmail(_) => Self::new(Code::ProviderRefused, text),
            ProviderError::ConnectFirst => Self::new(Code::ConnectFirst, text),
            ProviderError::ConnectedElsewhere(_) | ProviderError::AnotherConnected(_) => {
                Self::new(Code::AlreadyThere, text)
            }
            ProviderError::LastWayIn(_) => Self::new(Code::LastWayIn, text),
            ProviderError::Store(cause) => cause.into(),
        }
    }
}

/// A field's name in the bodies of sign-up and login.
const fn name_of(field: Field) -> &'static str {
    match field {
        Field::Email => "username",
        Field::Password => "password",
        Field::FirstName => "firstName",
        Field::LastName => "lastName",
    }
}

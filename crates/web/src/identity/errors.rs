//! Maps errors of identity to API errors.

use identity::{IdentityError, ProviderError};
use workflows::{
    identity::{
        account_import::ImportError, api_tokens::ApiTokenError, archive::ArchiveError, proof::ProofError,
        provider_sign_in::ProviderSignInError,
    },
    setup::SetupError,
};

use crate::http::error::{ApiError, Code};

impl From<IdentityError> for ApiError {
    fn from(error: IdentityError) -> Self {
        let text = error.to_string();
        match error {
            IdentityError::RegistrationIncomplete(field)
            | IdentityError::LoginIncomplete(field)
            | IdentityError::NameTooLong(field)
            | IdentityError::NameNotVisible(field)
            | IdentityError::NameMissing(field) => Self::invalid(account_field(field), text),
            IdentityError::InvalidEmail(_) => Self::invalid(account_field(identity::Field::Email), text),
            IdentityError::PasswordTooShort | IdentityError::PasswordTooLong | IdentityError::PasswordTooCommon => {
                Self::invalid(account_field(identity::Field::Password), text)
            }
            IdentityError::PasswordsDiffer => Self::invalid("password2", text),
            IdentityError::CurrentPasswordWrong => {
                Self::new(Code::InvalidCredentials, text).on_field("currentPassword")
            }
            IdentityError::LastAdmin => Self::new(Code::LastAdmin, text),
            IdentityError::UnknownTimezone => Self::invalid("timezone", text),
            IdentityError::EmailUnchanged => Self::invalid("email", text),
            IdentityError::LinkInvalid | IdentityError::CodeInvalid => Self::new(Code::CodeInvalid, text),
            IdentityError::EmailTakenMeanwhile => Self::new(Code::EmailTaken, text),
            IdentityError::EmailTaken => {
                Self::new(Code::EmailTaken, text).on_field(account_field(identity::Field::Email))
            }
            IdentityError::InvalidCredentials => Self::new(Code::InvalidCredentials, text),
            IdentityError::WrongFactorCode => Self::new(Code::CodeInvalid, text).on_field("code"),
            IdentityError::TicketOver => Self::new(Code::CodeInvalid, text).on_field("ticket"),
            IdentityError::TotpAlreadyEnabled | IdentityError::PasskeyAlreadyAdded => {
                Self::new(Code::AlreadyThere, text)
            }
            IdentityError::LastSignInMethod => Self::new(Code::LastSignInMethod, text),
            IdentityError::NoTotp | IdentityError::NoPasskey => Self::new(Code::NotFound, text),
            IdentityError::FreshLoginRequired | IdentityError::MoveNeedsSession => {
                Self::new(Code::FreshLoginRequired, text)
            }
            IdentityError::MailedCodeRequired => Self::new(Code::MailedCodeRequired, text),
            IdentityError::InvalidPasskeyName | IdentityError::InvalidApiTokenName => Self::invalid("name", text),
            IdentityError::NoApiScope => Self::invalid("scopes", text),
            IdentityError::TooManyPasskeys | IdentityError::TooManyApiTokens => Self::new(Code::ValidationFailed, text),
            IdentityError::SessionEnded => Self::new(Code::SessionEnded, text),
            IdentityError::RateLimited(after) => Self::too_many_tries(after.seconds()),
            IdentityError::Busy => Self::busy(),
            IdentityError::Seal(cause) => Self::internal(cause),
            IdentityError::Store(cause) => cause.into(),
        }
    }
}

impl From<ApiTokenError> for ApiError {
    fn from(error: ApiTokenError) -> Self {
        match error {
            ApiTokenError::Unknown => Self::unauthenticated(),
            ApiTokenError::MissingScope(_) => Self::forbidden(),
            ApiTokenError::Identity(error) => error.into(),
        }
    }
}

impl From<SetupError> for ApiError {
    fn from(error: SetupError) -> Self {
        let text = error.to_string();
        match error {
            SetupError::Closed => Self::new(Code::AlreadyThere, text),
            SetupError::TokenInvalid => Self::new(Code::SetupTokenInvalid, text).on_field("token"),
            SetupError::InvalidName => Self::invalid("siteName", text),
            SetupError::Identity(cause) => cause.into(),
            SetupError::Store(cause) => cause.into(),
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
            ProviderError::LastSignInMethod(_) => Self::new(Code::LastSignInMethod, text),
            ProviderError::Store(cause) => cause.into(),
        }
    }
}

/// The name of a field in the bodies of sign-up and login.
const fn account_field(field: identity::Field) -> &'static str {
    match field {
        identity::Field::Email => "username",
        identity::Field::Password => "password",
        identity::Field::FirstName => "firstName",
        identity::Field::LastName => "lastName",
    }
}

impl From<ProviderSignInError> for ApiError {
    fn from(error: ProviderSignInError) -> Self {
        match error {
            ProviderSignInError::Provider(error) => error.into(),
            ProviderSignInError::Identity(error) => error.into(),
            ProviderSignInError::OpenId(error) => error.into(),
            ProviderSignInError::Declined => Self::new(Code::ProviderRefused, error.to_string()),
            ProviderSignInError::FlowOver => Self::sign_in_flow_over(),
            ProviderSignInError::SignedOut => Self::unauthenticated(),
            ProviderSignInError::NotConfigured => Self::not_found("login provider"),
            ProviderSignInError::CallbackUrl(error) => Self::internal(error),
            ProviderSignInError::Store(error) => error.into(),
        }
    }
}

impl From<ProofError> for ApiError {
    fn from(error: ProofError) -> Self {
        match error {
            ProofError::WrongCode => Self::new(Code::CodeInvalid, error.to_string()).on_field("code"),
            ProofError::WrongPasskey => Self::new(Code::InvalidCredentials, error.to_string()),
            ProofError::NoPasskeys => Self::not_found("page"),
            ProofError::Identity(error) => error.into(),
        }
    }
}

impl From<openid::ProviderError> for ApiError {
    fn from(error: openid::ProviderError) -> Self {
        match &error {
            openid::ProviderError::Down(provider, _) => {
                tracing::warn!(%error, "a sign-in provider is down");
                Self::new(Code::ProviderDown, format!("We could not reach {provider}. Please try again in a moment."))
            }
            openid::ProviderError::CodeRefused(_) => Self::sign_in_flow_over(),
            openid::ProviderError::Untrusted(provider, _) => {
                tracing::warn!(%error, "a sign-in provider's response is refused");
                Self::new(
                    Code::ProviderRefused,
                    format!("{provider}'s response could not be verified. Please try again or use your password."),
                )
            }
        }
    }
}

impl From<ImportError> for ApiError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::SignedOut => Self::unauthenticated(),
            ImportError::UnderWay => Self::new(Code::AlreadyThere, error.to_string()),
            ImportError::Store(error) => error.into(),
        }
    }
}

impl From<ArchiveError> for ApiError {
    fn from(error: ArchiveError) -> Self {
        let text = error.to_string();
        match error {
            ArchiveError::SignedOut => Self::unauthenticated(),
            ArchiveError::NotConfirmed => Self::new(Code::NotConfirmed, text),
            ArchiveError::Progress(error) => error.into(),
            ArchiveError::Zip(error) => Self::internal(error),
            ArchiveError::Store(error) => error.into(),
        }
    }
}

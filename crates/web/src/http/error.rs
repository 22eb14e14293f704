//! [`ApiError`], the only error type of handlers. Each feature's `errors.rs` maps its errors to it in matches without a
//! wildcard, so that a new cause does not compile until it has a status and a code.

use std::borrow::Cow;

use actix_web::{
    HttpResponse, ResponseError,
    http::{StatusCode, header},
};
use kernel::StoreError;
use media::{MediaError, PictureError};
use serde::Serialize;
use utoipa::ToSchema;

/// An error response of the API (`api.answer-frame`, `api.status-codes`).
#[derive(Debug)]
pub struct ApiError {
    code: Code,
    text: String,
    field: Option<Cow<'static, str>>,
    retry_after: Option<u64>,
    ticket: Option<String>,
    allow: Option<String>,
}

/// The list of codes. The same words stand on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// 400: the body is not JSON, or not an object.
    BadRequest,
    /// 400: a mailed link or code is wrong, was used already or has expired.
    CodeInvalid,
    /// 400: the provider did not let the person in.
    ProviderRefused,
    /// 400: address and password don't belong together.
    InvalidCredentials,
    /// 401: the access token is missing, expired or revoked.
    Unauthenticated,
    /// 401: the session can't be refreshed any more.
    SessionEnded,
    /// 402: the payment provider declined. Nothing was charged.
    CardDeclined,
    /// 403: the second factor is wanted; `ticket` is for `POST /api/user/second-factor`.
    SecondFactorRequired,
    /// 403: a person has to log in again, or to type the password, before they do this.
    FreshLoginRequired,
    /// 403: a person has to give a mailed code before they do this: a password or a passkey is not enough.
    MailedCodeRequired,
    /// 403: an admin has suspended the account.
    Suspended,
    /// 403: for members who have confirmed their address.
    NotConfirmed,
    /// 403: not for this role.
    Forbidden,
    /// 403: another site's page made the request.
    CrossSite,
    /// 403: the setup token is not the one that the server printed last.
    SetupTokenInvalid,
    /// 403: for paid members.
    UpgradeRequired,
    /// 403: the book has been neither opened nor completed.
    NotOpened,
    /// 404
    NotFound,
    /// 404: no plan has this id.
    UnknownPlan,
    /// 405
    MethodNotAllowed,
    /// 408: the body took too long to arrive.
    TooSlow,
    /// 409: an account has this address.
    EmailTaken,
    /// 409: an account has this address, and the provider does not vouch for it.
    ConnectFirst,
    /// 409: it is the member's only sign-in method.
    #[serde(rename = "last_way_in")]
    LastSignInMethod,
    /// 409: no admin would be left, or it is the admin's own account.
    LastAdmin,
    /// 409: another version was saved meanwhile; nothing was changed.
    EditConflict,
    /// 409: other things stand on it.
    InUse,
    /// 409: it is there already.
    AlreadyThere,
    /// 409: the plan runs already, or another one does, which is switched instead.
    AlreadySubscribed,
    /// 409: another plan runs, at a provider that can't switch it.
    SwitchUnavailable,
    /// 409: the price is another one than was shown; nothing was charged.
    PriceChanged,
    /// 413
    PayloadTooLarge,
    /// 414: the path and the query are too long together.
    UriTooLong,
    /// 415: the body is not JSON.
    UnsupportedMediaType,
    /// 422: a value breaks a rule, or a field or a parameter is missing or can't be read.
    ValidationFailed,
    /// 429
    TooManyTries,
    /// 500
    Internal,
    /// 502: a sign-in provider can't be reached or answers nonsense.
    ProviderDown,
    /// 502: the mail server can't be reached or refuses.
    MailFailed,
    /// 503
    Busy,
    /// 507: the disk or the object store is full; nothing was stored.
    StorageFull,
}

impl Code {
    /// The code's name on the wire.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// The HTTP status of the code.
    pub const fn status(self) -> StatusCode {
        match self {
            Self::BadRequest | Self::CodeInvalid | Self::ProviderRefused | Self::InvalidCredentials => {
                StatusCode::BAD_REQUEST
            }
            Self::Unauthenticated | Self::SessionEnded => StatusCode::UNAUTHORIZED,
            Self::SecondFactorRequired
            | Self::FreshLoginRequired
            | Self::MailedCodeRequired
            | Self::Suspended
            | Self::NotConfirmed
            | Self::SetupTokenInvalid
            | Self::Forbidden
            | Self::CrossSite
            | Self::UpgradeRequired
            | Self::NotOpened => StatusCode::FORBIDDEN,
            Self::CardDeclined => StatusCode::PAYMENT_REQUIRED,
            Self::NotFound | Self::UnknownPlan => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::EmailTaken
            | Self::ConnectFirst
            | Self::LastSignInMethod
            | Self::LastAdmin
            | Self::EditConflict
            | Self::InUse
            | Self::AlreadyThere
            | Self::AlreadySubscribed
            | Self::SwitchUnavailable
            | Self::PriceChanged => StatusCode::CONFLICT,
            Self::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UriTooLong => StatusCode::URI_TOO_LONG,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::ValidationFailed => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooManyTries => StatusCode::TOO_MANY_REQUESTS,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::ProviderDown | Self::MailFailed => StatusCode::BAD_GATEWAY,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::StorageFull => StatusCode::INSUFFICIENT_STORAGE,
        }
    }
}

/// The body of every failure.
#[derive(Serialize, ToSchema)]
pub struct Failure {
    /// Always `error`.
    #[schema(pattern = "^error$")]
    status: &'static str,
    /// A text that a person can read.
    error: String,
    code: Code,
    /// The field that is to blame, where one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// True where a signed-in member is wanted and nobody is.
    #[serde(rename = "notLoggedIn", skip_serializing_if = "Option::is_none")]
    not_logged_in: Option<bool>,
    /// For the next step of a sign-in, with `second_factor_required`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticket: Option<String>,
}

impl ApiError {
    /// An error with a code, and a text for people.
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), field: None, retry_after: None, ticket: None, allow: None }
    }

    /// A validation error; the text is shown next to the field.
    pub fn invalid(field: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..Self::new(Code::ValidationFailed, text) }
    }

    /// Sets the field that caused the error.
    #[must_use]
    pub fn on_field(self, field: impl Into<Cow<'static, str>>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// Adds the ticket for the next step of a sign-in.
    #[must_use]
    pub fn with_ticket(self, ticket: String) -> Self {
        Self { ticket: Some(ticket), ..self }
    }

    /// A text contains U+0000, which Postgres can't store.
    pub fn unstorable_text() -> Self {
        Self::new(Code::ValidationFailed, "This text contains a character that can't be stored. Please remove it.")
    }

    /// The caller's role is not sufficient (`identity.role-check`).
    pub fn forbidden() -> Self {
        Self::new(Code::Forbidden, "You do not have access to this page.")
    }

    /// The requested resource does not exist, or is hidden from the caller. `what` is its name in the text.
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("There is no such {what}."))
    }

    /// The access token is missing, expired or revoked.
    pub fn unauthenticated() -> Self {
        Self::new(Code::Unauthenticated, "Please log in.")
    }

    /// The path exists, but not for this method. `allow` lists the supported methods.
    pub fn method_not_allowed(allow: String) -> Self {
        Self { allow: Some(allow), ..Self::new(Code::MethodNotAllowed, "This URL does not support that method.") }
    }

    /// A rate limit is exceeded; `seconds` until the next attempt is allowed.
    pub fn too_many_tries(seconds: u64) -> Self {
        let seconds = seconds.max(1);
        Self {
            retry_after: Some(seconds),
            ..Self::new(Code::TooManyTries, format!("Too many attempts. Please try again in {}.", in_words(seconds)))
        }
    }

    /// The server is temporarily unable to handle the request; the client may retry in 2 seconds.
    pub fn busy() -> Self {
        Self { retry_after: Some(2), ..Self::new(Code::Busy, "The service is busy. Please try again in a moment.") }
    }

    /// The same error with another text.
    #[must_use]
    pub fn saying(self, text: String) -> Self {
        Self { text, ..self }
    }

    /// An unexpected error. The cause is logged here and not shown to the client.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "internal error");
        Self::new(Code::Internal, "There was an error processing your request. Please try again later.")
    }

    /// A sign-in with a provider can't be completed: it has expired, or was completed already.
    pub fn sign_in_flow_over() -> Self {
        Self::new(Code::ProviderRefused, "This login took too long or was already used. Please try again.")
    }

    pub const fn code(&self) -> Code {
        self.code
    }

    /// The field that caused the error.
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        if error.is_unavailable() {
            tracing::warn!(%error, "the store is unavailable");
            Self::busy()
        } else if error.is_owner_gone() {
            // The account was deleted, or the session revoked, while this request was running.
            Self::unauthenticated()
        } else if error.is_unstorable_text() {
            Self::unstorable_text()
        } else {
            Self::internal(error)
        }
    }
}

impl From<askama::Error> for ApiError {
    fn from(error: askama::Error) -> Self {
        Self::internal(error)
    }
}

impl From<MediaError> for ApiError {
    fn from(error: MediaError) -> Self {
        match error {
            MediaError::BadName(_) => Self::internal(error),
            MediaError::NotARecording
            | MediaError::Picture(
                PictureError::NotAPicture
                | PictureError::NotADrawing
                | PictureError::TooComplex
                | PictureError::TooLarge,
            ) => Self::new(Code::ValidationFailed, error.to_string()),
            // The client has disconnected or will retry.
            MediaError::BrokeOff(_) | MediaError::Busy => Self::busy(),
            MediaError::Full => {
                tracing::error!(%error, "the file store is full");
                Self::new(Code::StorageFull, "There is not enough space for this file. Nothing was stored.")
            }
            MediaError::Store(_) | MediaError::Disk(_) => {
                tracing::error!(%error, "the file store is out of order");
                Self::busy()
            }
        }
    }
}

fn in_words(seconds: u64) -> String {
    let (number, unit) = if seconds < 90 {
        (seconds, "second")
    } else if seconds < 90 * 60 {
        (seconds.div_ceil(60), "minute")
    } else {
        (seconds.div_ceil(3600), "hour")
    };
    if number == 1 { format!("{number} {unit}") } else { format!("{number} {unit}s") }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.code.status());
        response.insert_header((header::CACHE_CONTROL, "no-store"));
        if let Some(seconds) = self.retry_after {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        if let Some(methods) = &self.allow {
            response.insert_header((header::ALLOW, methods.as_str()));
        }
        // For the security log.
        response.extensions_mut().insert(self.code);
        let nobody = self.code == Code::Unauthenticated || self.code == Code::SessionEnded;
        response.json(Failure {
            status: "error",
            error: self.text.clone(),
            code: self.code,
            field: self.field.as_deref().map(str::to_owned),
            not_logged_in: nobody.then_some(true),
            ticket: self.ticket.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn waiting_times_read_like_speech() {
        assert_eq!(in_words(1), "1 second");
        assert_eq!(in_words(45), "45 seconds");
        assert_eq!(in_words(120), "2 minutes");
        assert_eq!(in_words(3600), "60 minutes");
        assert_eq!(in_words(7200), "2 hours");
    }
}

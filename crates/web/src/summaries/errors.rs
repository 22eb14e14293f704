//! Maps errors of members' summaries to API errors.

use summaries::{FailureCode, MemberSummaryError, SourceKind, SummaryFailure};
use workflows::summaries::summarise::SummariseError;

use crate::http::error::{ApiError, Code};

/// `Retry-After` for a member with too many summaries in progress, in seconds.
const SUMMARY_WAIT: u64 = 5;

/// The answer to a call whose summary could not be made, on the field that gave its source.
pub(super) fn refusal(kind: SourceKind, failure: &SummaryFailure) -> ApiError {
    let code = match failure.code {
        FailureCode::TooLarge => Code::PayloadTooLarge,
        FailureCode::NotText => Code::UnsupportedMediaType,
        FailureCode::Interrupted => return ApiError::busy().saying(failure.text.clone()),
        FailureCode::Unreachable
        | FailureCode::ForbiddenAddress
        | FailureCode::TooSlow
        | FailureCode::Unreadable
        | FailureCode::Encrypted
        | FailureCode::Scanned
        | FailureCode::NoText => Code::ValidationFailed,
    };
    let field = match kind {
        SourceKind::Link => "url",
        SourceKind::File => "file",
        SourceKind::Text => "text",
    };
    ApiError::new(code, failure.text.clone()).on_field(field)
}

impl From<MemberSummaryError> for ApiError {
    fn from(error: MemberSummaryError) -> Self {
        let text = error.to_string();
        match error {
            MemberSummaryError::UnknownSummary => Self::not_found("summary"),
            MemberSummaryError::Finished => Self::new(Code::AlreadyThere, text),
            MemberSummaryError::TooManyAtOnce => Self::too_many_tries(SUMMARY_WAIT).saying(text),
            MemberSummaryError::QueueFull => Self::busy().saying(text),
            MemberSummaryError::TextTooShort => Self::invalid("text", text),
            MemberSummaryError::InvalidTitle => Self::invalid("title", text),
            MemberSummaryError::Store(cause) => cause.into(),
        }
    }
}

impl From<SummariseError> for ApiError {
    fn from(error: SummariseError) -> Self {
        match error {
            SummariseError::SignedOut => Self::unauthenticated(),
            SummariseError::UpgradeRequired => Self::new(Code::UpgradeRequired, error.to_string()),
            SummariseError::Summary(error) => error.into(),
            SummariseError::Store(error) => error.into(),
        }
    }
}

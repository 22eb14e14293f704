//! Maps errors of members' summaries to API errors.

use summaries::MemberSummaryError;
use workflows::summaries::summarise::SummariseError;

use crate::http::error::{ApiError, Code};

/// `Retry-After` for a member with too many summaries in progress, in seconds.
const SUMMARY_WAIT: u64 = 5;

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

//! Maps errors of reading, and refused access, to API errors.

use reading_progress::{Action, DenialReason, ProgressError, Refusal};

use crate::http::error::{ApiError, Code};

impl From<ProgressError> for ApiError {
    fn from(error: ProgressError) -> Self {
        let text = error.to_string();
        match error {
            ProgressError::RatingRequired => Self::invalid("rating", text),
            ProgressError::FeedbackTooLong => Self::invalid("feedback", text),
            ProgressError::NoCategory => Self::invalid("recommends", text),
            ProgressError::UnknownCategory => Self::new(Code::NotFound, text).on_field("recommends"),
            ProgressError::NotOpened => Self::new(Code::NotOpened, text),
            ProgressError::AlreadyHere => Self::new(Code::AlreadyThere, text),
            ProgressError::InvalidMinutes | ProgressError::InvalidSummaries => Self::invalid("amount", text),
            ProgressError::TimeNotCounted => Self::invalid("countsTime", text),
            ProgressError::UnknownReader => Self::unauthenticated(),
            ProgressError::Store(error) => error.into(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let code = match (refusal.reason, refusal.action) {
            (DenialReason::SignInRequired, _) => Code::Unauthenticated,
            (DenialReason::NotOpened, Action::WriteHistory) => Code::NotOpened,
            (DenialReason::UpgradeRequired | DenialReason::NotOpened, _) => Code::UpgradeRequired,
            (DenialReason::NotWritten, Action::Read | Action::WriteHistory | Action::Watch | Action::SeeVisuals) => {
                Code::Forbidden
            }
            (
                DenialReason::NotWritten,
                Action::Listen | Action::Download | Action::DownloadInfographic | Action::SendToEReader,
            ) => Code::NotFound,
        };
        Self::new(code, refusal.to_string())
    }
}

//! How the errors of reading are answered.

use reading_progress::ProgressError;

use crate::error::{ApiError, Code};

impl From<ProgressError> for ApiError {
    fn from(error: ProgressError) -> Self {
        let text = error.to_string();
        match error {
            ProgressError::RatingRequired => Self::invalid("rating", text),
            ProgressError::FeedbackTooLong => Self::invalid("feedback", text),
            ProgressError::NoCategory => Self::invalid("recommends", text),
            ProgressError::UnknownCategory => Self::new(Code::NotFound, text).on_field("recommends"),
            ProgressError::NotOpened => Self::new(Code::NotOpened, text),
            ProgressError::UpgradeRequired => Self::new(Code::UpgradeRequired, text),
            ProgressError::ComingSoon => Self::new(Code::Forbidden, text),
            ProgressError::UnknownReader => Self::unauthenticated(),
            ProgressError::Store(error) => error.into(),
        }
    }
}

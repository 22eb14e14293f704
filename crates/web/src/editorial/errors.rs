//! Maps errors of editorial content to API errors.

use editorial::EditorialError;

use crate::http::error::{ApiError, Code};

impl From<EditorialError> for ApiError {
    fn from(error: EditorialError) -> Self {
        match error {
            EditorialError::Blank(field) | EditorialError::TooLong(field, _) => {
                Self::invalid(field.as_str(), error.to_string())
            }
            EditorialError::BadLink => Self::invalid("href", error.to_string()),
            EditorialError::EndsFirst => Self::invalid("until", error.to_string()),
            EditorialError::UnknownPlaceholder(_) => Self::invalid("text", error.to_string()),
            EditorialError::BadCategory(_) => Self::invalid("categories", error.to_string()),
            EditorialError::TitleTaken => Self::new(Code::AlreadyThere, error.to_string()).on_field("title"),
            EditorialError::Store(error) => error.into(),
        }
    }
}

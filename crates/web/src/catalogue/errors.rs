//! Maps errors of the catalogue to API errors.

use catalogue::CatalogueError;
use workflows::{catalogue::infographics::InfographicsError, error::ViewError};

use crate::http::error::{ApiError, Code};

impl From<ViewError> for ApiError {
    fn from(error: ViewError) -> Self {
        match error {
            ViewError::SignedOut => Self::unauthenticated(),
            ViewError::NotFound(what) => Self::not_found(what),
            ViewError::Refused(refusal) => refusal.into(),
            ViewError::Catalogue(error) => error.into(),
            ViewError::Progress(error) => error.into(),
            ViewError::Store(error) => error.into(),
        }
    }
}

impl From<CatalogueError> for ApiError {
    fn from(error: CatalogueError) -> Self {
        match error {
            CatalogueError::Invalid { field, message } => Self::invalid(field, message),
            CatalogueError::Unknown { field, .. } => Self::invalid(field, error.to_string()),
            CatalogueError::UnknownFilter(filter) => {
                Self::new(Code::NotFound, error.to_string()).on_field(filter.as_str())
            }
            CatalogueError::BadCursor => Self::invalid("after", error.to_string()),
            CatalogueError::Store(error) => error.into(),
        }
    }
}

impl From<InfographicsError> for ApiError {
    fn from(error: InfographicsError) -> Self {
        match error {
            InfographicsError::Refused(refusal) => refusal.into(),
            InfographicsError::Media(error) => error.into(),
            InfographicsError::Zip(error) => Self::internal(error),
            InfographicsError::Store(error) => error.into(),
        }
    }
}

//! Maps errors of delivery to API errors.

use delivery::EReaderError;
use workflows::delivery::{book_files::BookFileError, e_reader::DeliveryError};

use crate::http::error::{ApiError, Code};

impl From<EReaderError> for ApiError {
    fn from(error: EReaderError) -> Self {
        let text = error.to_string();
        match error {
            EReaderError::Incomplete
            | EReaderError::NotKindle(_)
            | EReaderError::InvalidEmail(_)
            | EReaderError::NoAddress => Self::invalid("kindle_email", text),
            EReaderError::UnknownDomain => Self::invalid("kindle_email_end", text),
            EReaderError::InvalidDocument => Self::invalid("document", text),
            EReaderError::InvalidPlace => Self::invalid("progress", text),
            EReaderError::UnknownDelivery => Self::not_found("delivery"),
            EReaderError::NotFailed => Self::new(Code::AlreadyThere, text),
            EReaderError::Store(cause) => cause.into(),
        }
    }
}

impl From<DeliveryError> for ApiError {
    fn from(error: DeliveryError) -> Self {
        match error {
            DeliveryError::View(error) => error.into(),
            DeliveryError::EReader(error) => error.into(),
            DeliveryError::Unfinished => Self::new(Code::AlreadyThere, error.to_string()),
            DeliveryError::Store(error) => error.into(),
        }
    }
}

impl From<BookFileError> for ApiError {
    fn from(error: BookFileError) -> Self {
        match error {
            BookFileError::Media(error) => error.into(),
            BookFileError::Document(_) | BookFileError::BrokenOff => Self::internal(error),
        }
    }
}

//! How the errors of deliveries are answered.

use e_reader::EReaderError;

use crate::error::{ApiError, Code};

impl From<EReaderError> for ApiError {
    fn from(error: EReaderError) -> Self {
        let text = error.to_string();
        match error {
            EReaderError::Incomplete | EReaderError::InvalidEmail(_) | EReaderError::NoAddress => {
                Self::invalid("kindle_email", text)
            }
            EReaderError::UnknownDomain => Self::invalid("kindle_email_end", text),
            EReaderError::UnknownDelivery => Self::not_found("delivery"),
            EReaderError::NotFailed => Self::new(Code::AlreadyThere, text),
            EReaderError::Store(cause) => cause.into(),
        }
    }
}

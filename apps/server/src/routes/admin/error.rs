//! How the errors of the back office are answered.

use admin::{AdminError, Field};

use crate::error::ApiError;

impl From<AdminError> for ApiError {
    fn from(error: AdminError) -> Self {
        let text = error.to_string();
        match error {
            AdminError::Incomplete(field)
            | AdminError::FeedbackIncomplete(field)
            | AdminError::Unanswered(field)
            | AdminError::TooLong(field) => Self::invalid(name_of(field), text),
            AdminError::NameTooLong => Self::invalid(name_of(Field::Name), text),
            AdminError::InvalidEmail(_) => Self::invalid(name_of(Field::Email), text),
            AdminError::UnknownMessage => Self::not_found("message"),
            AdminError::Store(cause) => cause.into(),
        }
    }
}

/// A field's name in the bodies of the forms.
const fn name_of(field: Field) -> &'static str {
    match field {
        Field::Name => "name",
        Field::Email => "email",
        Field::Body => "body",
        Field::Feedback => "feedback",
        Field::Why => "why",
        Field::How => "how",
    }
}

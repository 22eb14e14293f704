//! Maps errors of the public forms to API errors.

use support::SupportError;

use crate::http::error::{ApiError, Code};

impl From<SupportError> for ApiError {
    fn from(error: SupportError) -> Self {
        let text = error.to_string();
        match error {
            SupportError::Incomplete(field)
            | SupportError::FeedbackIncomplete(field)
            | SupportError::Unanswered(field)
            | SupportError::TooLong(field) => Self::invalid(form_field(field), text),
            SupportError::NameTooLong => Self::invalid(form_field(support::Field::Name), text),
            SupportError::InvalidEmail(_) => Self::invalid(form_field(support::Field::Email), text),
            SupportError::UnknownReason => Self::invalid("reason", text),
            SupportError::NoAddress => Self::new(Code::AlreadyThere, text),
            SupportError::UnknownMessage => Self::not_found("message"),
            SupportError::Store(cause) => cause.into(),
        }
    }
}

/// The name of a field in the bodies of the forms.
const fn form_field(field: support::Field) -> &'static str {
    match field {
        support::Field::Name => "name",
        support::Field::Email => "email",
        support::Field::Body => "body",
        support::Field::Feedback => "feedback",
        support::Field::Answer => "text",
        support::Field::Why => "why",
        support::Field::How => "how",
    }
}

//! Maps errors of the back office to API errors.

use workflows::admin::people::PeopleError;

use crate::http::error::{ApiError, Code};

impl From<PeopleError> for ApiError {
    fn from(error: PeopleError) -> Self {
        let text = error.to_string();
        match error {
            PeopleError::Unknown => Self::not_found("user"),
            PeopleError::SignedOut => Self::unauthenticated(),
            PeopleError::UnknownPlan => Self::invalid("planId", text),
            PeopleError::PlanOver => Self::invalid("endPaidDate", text),
            PeopleError::SubscriptionRuns => Self::new(Code::AlreadySubscribed, text),
            PeopleError::ReasonMissing => Self::invalid("reason", text),
            PeopleError::EmailTaken => Self::new(Code::EmailTaken, text).on_field("email"),
            PeopleError::Identity(error) => error.into(),
            PeopleError::Support(error) => error.into(),
            PeopleError::Archive(error) => error.into(),
            PeopleError::Store(error) => error.into(),
        }
    }
}

//! How the errors of invitations are answered.

use referral::{Field, ReferralError};

use crate::error::{ApiError, Code};

impl From<ReferralError> for ApiError {
    fn from(error: ReferralError) -> Self {
        let text = error.to_string();
        match error {
            ReferralError::Incomplete(field)
            | ReferralError::NameTooLong(field)
            | ReferralError::NameWithLink(field) => Self::invalid(name_of(field), text),
            ReferralError::InvalidEmail(_) | ReferralError::Oneself => Self::invalid(name_of(Field::FriendEmail), text),
            ReferralError::NotConfirmed => Self::new(Code::NotConfirmed, text),
            ReferralError::TooMany(wait) => Self::too_many_tries(wait.seconds()),
            ReferralError::UnknownMember => Self::unauthenticated(),
            ReferralError::Store(cause) => cause.into(),
        }
    }
}

/// A field's name in the body of an invitation.
const fn name_of(field: Field) -> &'static str {
    match field {
        Field::YourName => "yourName",
        Field::FriendName => "friendName",
        Field::FriendEmail => "friendEmail",
    }
}

//! Maps errors of referral to API errors.

use referral::ReferralError;
use workflows::referral::invite_friend::InviteError;

use crate::http::error::{ApiError, Code};

impl From<InviteError> for ApiError {
    fn from(error: InviteError) -> Self {
        match error {
            InviteError::Referral(error) => error.into(),
            InviteError::Identity(error) => error.into(),
            InviteError::Store(error) => error.into(),
        }
    }
}

impl From<ReferralError> for ApiError {
    fn from(error: ReferralError) -> Self {
        let text = error.to_string();
        match error {
            ReferralError::Incomplete(field)
            | ReferralError::NameTooLong(field)
            | ReferralError::NameWithLink(field) => Self::invalid(invitation_field(field), text),
            ReferralError::InvalidEmail(_) | ReferralError::Oneself => {
                Self::invalid(invitation_field(referral::Field::FriendEmail), text)
            }
            ReferralError::NotConfirmed => Self::new(Code::NotConfirmed, text),
            ReferralError::TooMany(wait) => Self::too_many_tries(wait.seconds()),
            ReferralError::UnknownMember => Self::unauthenticated(),
            ReferralError::Store(cause) => cause.into(),
        }
    }
}

/// The name of a field in the body of an invitation.
const fn invitation_field(field: referral::Field) -> &'static str {
    match field {
        referral::Field::YourName => "yourName",
        referral::Field::FriendName => "friendName",
        referral::Field::FriendEmail => "friendEmail",
    }
}

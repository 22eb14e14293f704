//! A new password in a form that asks for it twice.

use identity::{IdentityError, Password};

use crate::error::ApiError;

/// Reads `password1` and `password2`.
pub(super) fn read(password1: Option<&str>, password2: Option<&str>) -> Result<Password, ApiError> {
    Password::choose_twice(password1.unwrap_or_default(), password2.unwrap_or_default()).map_err(|error| {
        let is_about_both = matches!(error, IdentityError::PasswordsDiffer);
        let error = ApiError::from(error);
        if is_about_both { error } else { error.on_field("password1") }
    })
}

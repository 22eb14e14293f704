//! Passwords: change, forgotten, reset.

use actix_web::{put, web::Data};
use identity::{IdentityError, Password};
use kernel::Email;
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::identity::recovery::{RecoveryRequest, request_recovery};

use crate::{
    app::App,
    extract::{Body, Client, Member},
    http::{
        error::ApiError,
        openapi::TooManyTries,
        wire::{Answer, Nothing},
    },
    identity::read_email,
};

/// The password that is, and the one that is to be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangePassword {
    /// The current password; not needed by a person who never had one, who has to have logged in a moment ago.
    current_password: Option<String>,
    /// 8 to 256 characters, and none of the most common passwords.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password1: Option<String>,
    /// The same again.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password2: Option<String>,
}

/// Sets a new password. All other sessions end.
#[utoipa::path(tag = "identity", request_body = ChangePassword, responses((status = 200, description = "The password is set.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[put("/api/user/password")]
pub(super) async fn change_password(
    app: Data<App>,
    Member(claims): Member,
    Client(client): Client,
    Body(form): Body<ChangePassword>,
) -> Result<Answer<Nothing>, ApiError> {
    let password = read_new_password(form.password1.as_deref(), form.password2.as_deref())?;
    app.passwords.change(claims, form.current_password, password, client).await?;
    Ok(Answer::new(Nothing {}))
}

/// Whose password was forgotten.
#[derive(Deserialize, ToSchema)]
pub(super) struct ForgotPassword {
    /// The e-mail address.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
}

/// Mails a link to choose a new password, if a person has the address. Whether that is so can't be told from the
/// answer, nor from the time that it takes.
#[utoipa::path(tag = "identity", request_body = ForgotPassword, responses((status = 200, description = "If there is an account with this address, a mail is on its way.", body = Answer<Nothing>), TooManyTries), security(()))]
#[put("/api/user/forgot-password")]
pub(super) async fn forgot_password(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<ForgotPassword>,
) -> Result<Answer<Nothing>, ApiError> {
    let email = read_email(form.email.as_deref())?;
    let (keys, request) = (app.keys().await?, RecoveryRequest::NewPassword);
    app.write_tx(move |tx| request_recovery(tx, &keys.refresh, &client, &email, &request)).await?;
    Ok(Answer::new(Nothing {}))
}

/// A new password, and the code of the mailed link.
#[derive(Deserialize, ToSchema)]
pub(super) struct ResetPassword {
    /// 8 to 256 characters, and none of the most common passwords.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password1: Option<String>,
    /// The same again.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password2: Option<String>,
    /// The code of the link.
    #[schema(value_type = String, required)]
    code: Option<String>,
    /// The address of the link.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
}

/// Sets a new password by a mailed link, which is good once and for an hour. All sessions end.
#[utoipa::path(tag = "identity", request_body = ResetPassword, responses((status = 200, description = "The password is set.", body = Answer<Nothing>), TooManyTries), security(()))]
#[put("/api/user/reset-password")]
pub(super) async fn reset_password(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<ResetPassword>,
) -> Result<Answer<Nothing>, ApiError> {
    let password = read_new_password(form.password1.as_deref(), form.password2.as_deref())?;
    let code = form.code.unwrap_or_default();
    // An invalid address means that the link was truncated or altered.
    let email = Email::parse(form.email.as_deref().unwrap_or_default()).map_err(|_| IdentityError::LinkInvalid)?;
    app.passwords.reset((code, email), password, client).await?;
    Ok(Answer::new(Nothing {}))
}

/// Validates the new password, which must be the same in both fields.
fn read_new_password(password1: Option<&str>, password2: Option<&str>) -> Result<Password, ApiError> {
    Password::choose_twice(password1.unwrap_or_default(), password2.unwrap_or_default()).map_err(|error| {
        let is_about_both = matches!(error, IdentityError::PasswordsDiffer);
        let error = ApiError::from(error);
        if is_about_both { error } else { error.on_field("password1") }
    })
}

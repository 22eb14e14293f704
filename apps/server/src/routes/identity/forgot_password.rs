//! `PUT /api/user/forgot-password`.

use actix_web::{put, web::Data};
use kernel::Email;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Client},
    flows::recovery::{RecoveryRequest, request_recovery},
    openapi::TooManyTries,
    wire::{Answer, Nothing},
};

/// Whose password was forgotten.
#[derive(Deserialize, ToSchema)]
pub(super) struct ForgotPassword {
    /// The e-mail address.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
}

/// Mails a link to choose a new password, if somebody has the address. Whether that is so can't be told from the
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

/// The address of a form whose field is called `email`.
pub(super) fn read_email(text: Option<&str>) -> Result<Email, ApiError> {
    Email::parse(text.unwrap_or_default()).map_err(|error| ApiError::invalid("email", error.to_string()))
}

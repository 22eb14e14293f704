//! `POST /api/user/login-code`.

use actix_web::{post, web::Data};
use identity::IdentityError;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{forgot_password::read_email, signed_in::SignedIn};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Client},
    flows::sign_in::sign_in_by_login_code,
    openapi::TooManyTries,
    wire::{Answer, user},
};

/// The six digits of a mail.
#[derive(Deserialize, ToSchema)]
pub(super) struct LoginCode {
    /// The address to which they were mailed.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
    /// Six digits; blanks between them do not count.
    #[schema(value_type = String, required)]
    code: Option<String>,
}

/// Signs in by the six digits of a mail. Five wrong ones burn them. Whether the address is known can't be told from
/// the answer, nor from the time that it takes.
#[utoipa::path(tag = "identity", request_body = LoginCode, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<user::SignedIn>), TooManyTries), security(()))]
#[post("/api/user/login-code")]
pub(super) async fn login_code(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<LoginCode>,
) -> Result<SignedIn, ApiError> {
    let email = read_email(form.email.as_deref())?;
    let code: String = form.code.unwrap_or_default().split_whitespace().collect();
    let keys = app.keys().await?;
    let outcome = app.write_tx(move |tx| sign_in_by_login_code(tx, &keys.refresh, &client, (&email, &code))).await?;
    SignedIn::of(&app, outcome, || IdentityError::CodeInvalid.into()).await
}

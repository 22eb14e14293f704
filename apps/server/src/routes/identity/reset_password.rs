//! `PUT /api/user/reset-password`.

use actix_web::{put, web::Data};
use identity::IdentityError;
use kernel::Email;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{hashing, new_password};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Client},
    flows::passwords,
    openapi::TooManyTries,
    wire::{Answer, Nothing},
};

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
    let password = new_password::read(form.password1.as_deref(), form.password2.as_deref())?;
    let code = form.code.unwrap_or_default();
    // An address that can't be one came with a link that was cut or changed on its way.
    let email = Email::parse(form.email.as_deref().unwrap_or_default()).map_err(|_| IdentityError::LinkInvalid)?;
    let (address, link) = (client.address, (code.clone(), email.clone()));
    // Only a valid code makes the server hash.
    if !app.write_tx(move |tx| passwords::is_reset_code_valid(tx, address, &link.0, &link.1)).await? {
        return Err(IdentityError::LinkInvalid.into());
    }
    let hash = hashing::hash(&app, password).await?;
    app.write_tx(move |tx| passwords::reset_password(tx, &code, &email, &hash, &client)).await?;
    Ok(Answer::new(Nothing {}))
}

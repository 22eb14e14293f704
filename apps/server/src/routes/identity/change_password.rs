//! `PUT /api/user/password`.

use actix_web::{put, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{current_password, hashing, new_password};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Client, Member},
    flows::passwords,
    openapi::TooManyTries,
    wire::{Answer, Nothing},
};

/// The password that is, and the one that is to be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangePassword {
    /// The current password; not needed by somebody who never had one, who has to have logged in a moment ago.
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
    let password = new_password::read(form.password1.as_deref(), form.password2.as_deref())?;
    let account = current_password::check(&app, claims.user, form.current_password).await?;
    let (hash, verified) = (hashing::hash(&app, password).await?, account.password_hash);
    app.write_tx(move |tx| passwords::change_password(tx, &claims, verified.as_ref(), &hash, &client)).await?;
    Ok(Answer::new(Nothing {}))
}

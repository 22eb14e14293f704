//! `POST /api/user/totp`.

use actix_web::{post, web::Data};

use super::Proof;
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, OptionalBody},
    flows::second_factor,
    openapi::{Conflict, TooManyTries},
    routes::identity::typed_password,
    wire::{Answer, security::TotpSetup},
};

/// Begins an authenticator app. It protects nothing before its first code has come, within an hour.
#[utoipa::path(tag = "identity", request_body = Option<Proof>, responses((status = 200, description = "What the app needs to know.", body = Answer<TotpSetup>), Conflict, TooManyTries), security(("token" = [])))]
#[post("/api/user/totp")]
pub(super) async fn begin_totp(
    app: Data<App>,
    Member(claims): Member,
    OptionalBody(proof): OptionalBody<Proof>,
) -> Result<Answer<TotpSetup>, ApiError> {
    let password = proof.unwrap_or_default().current_password;
    let was_typed = typed_password::was_typed(&app, claims.user, password).await?;
    let (secret, url) = app.write_tx(move |tx| second_factor::begin_totp(tx, &claims, was_typed)).await?;
    let qr = artwork::qr_code(&url).map_err(ApiError::internal)?;
    Ok(Answer::new(TotpSetup { secret: secret.encode(), url, qr }))
}

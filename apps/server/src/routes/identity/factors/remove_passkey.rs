//! `DELETE /api/user/passkeys/{id}`.

use actix_web::{delete, web::Data};
use kernel::PasskeyId;

use super::Proof;
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, OptionalBody, Path},
    flows::passkeys,
    openapi::{Conflict, TooManyTries},
    routes::identity::typed_password,
    wire::{Answer, Nothing},
};

/// Removes a passkey. Mails the owner.
#[utoipa::path(tag = "identity", params(("id" = i64, Path, description = "The passkey's id.")), request_body = Option<Proof>, responses((status = 200, description = "It is gone.", body = Answer<Nothing>), Conflict, TooManyTries), security(("token" = [])))]
#[delete("/api/user/passkeys/{id}")]
pub(super) async fn remove_passkey(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    OptionalBody(proof): OptionalBody<Proof>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: PasskeyId = id.parse().map_err(|_| ApiError::not_found("passkey"))?;
    let password = proof.unwrap_or_default().current_password;
    let was_typed = typed_password::was_typed(&app, claims.user, password).await?;
    app.write_tx(move |tx| passkeys::remove_passkey(tx, &claims, id, was_typed)).await?;
    Ok(Answer::new(Nothing {}))
}

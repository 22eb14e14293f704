//! `DELETE /api/user/providers/{name}`.

use actix_web::{delete, web::Data};
use identity::Provider;
use workflows::identity::provider_sign_in;

use crate::{
    app::App,
    extract::{Member, Path},
    http::{
        error::ApiError,
        openapi::Conflict,
        wire::{Answer, Nothing},
    },
};

/// Takes a provider away from the member's account; refused when nothing else would let the member in.
#[utoipa::path(tag = "identity", params(("name" = String, Path, description = "`google`, `apple`, `facebook` or `linkedin`.")), responses((status = 200, description = "Not connected any more.", body = Answer<Nothing>), Conflict), security(("token" = [])))]
#[delete("/api/user/providers/{name}")]
pub(super) async fn disconnect(
    app: Data<App>,
    Member(claims): Member,
    name: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let provider: Provider = name.parse().map_err(|_| ApiError::not_found("login provider"))?;
    app.write_tx(move |tx| provider_sign_in::disconnect(tx, claims.user, provider)).await?;
    Ok(Answer::new(Nothing {}))
}

//! `PUT /api/user/passkeys/{id}`.

use actix_web::{put, web::Data};
use identity::{Factors, PasskeyName};
use kernel::PasskeyId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Member, Path},
    wire::{Answer, security::PasskeyResult},
};

/// Another name for a passkey.
#[derive(Deserialize, ToSchema)]
pub(super) struct RenamePasskey {
    /// 1 to 60 characters.
    name: String,
}

/// Gives a passkey another name.
#[utoipa::path(tag = "identity", params(("id" = i64, Path, description = "The passkey's id.")), request_body = RenamePasskey, responses((status = 200, description = "The passkey.", body = Answer<PasskeyResult>)), security(("token" = [])))]
#[put("/api/user/passkeys/{id}")]
pub(super) async fn rename_passkey(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    Body(form): Body<RenamePasskey>,
) -> Result<Answer<PasskeyResult>, ApiError> {
    let id: PasskeyId = id.parse().map_err(|_| ApiError::not_found("passkey"))?;
    let name = PasskeyName::parse(&form.name)?;
    let passkey = app.db.write(move |pg| pg.rename_passkey(claims.user, id, &name)).await?;
    Ok(Answer::new(PasskeyResult { passkey: (&passkey).into() }))
}

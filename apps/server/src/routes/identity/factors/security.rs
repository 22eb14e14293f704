//! `GET /api/user/security`.

use actix_web::{get, web::Data};
use kernel::StoreError;

use crate::{
    app::App,
    error::ApiError,
    extract::Member,
    flows::security::security_overview,
    wire::{self, Answer},
};

/// How somebody signs in and what protects their account.
#[utoipa::path(tag = "identity", responses((status = 200, description = "How the account is protected.", body = Answer<wire::security::Security>)), security(("token" = [])))]
#[get("/api/user/security")]
pub(super) async fn security(
    app: Data<App>,
    Member(claims): Member,
) -> Result<Answer<wire::security::Security>, ApiError> {
    let overview = app.read_tx::<_, StoreError, _>(move |tx| security_overview(tx, &claims)).await?;
    let overview = overview.ok_or_else(ApiError::unauthenticated)?;
    let is_configured = |provider| app.providers.get(provider).is_some();
    Ok(Answer::new(wire::security::Security::new(&overview, is_configured, app.passkeys.is_some())))
}

//! `GET /api/user/security`.

use actix_web::{get, web::Data};
use kernel::StoreError;

use crate::{
    app::App,
    error::ApiError,
    extract::Member,
    flows::protection,
    wire::{self, Answer, Failures},
};

/// How somebody signs in and what protects their account.
#[utoipa::path(tag = "identity", responses((status = 200, description = "How the account is protected.", body = Answer<wire::security::Security>), Failures), security(("token" = [])))]
#[get("/api/user/security")]
pub(super) async fn security(
    app: Data<App>,
    Member(claims): Member,
) -> Result<Answer<wire::security::Security>, ApiError> {
    let within = app.clone();
    let found = app.db.read::<_, StoreError, _>(move |pg| protection::security(pg, &within, &claims)).await?;
    found.map(Answer::new).ok_or_else(ApiError::unauthenticated)
}

//! `GET /api/user/session`.

use actix_web::{HttpRequest, get, web::Data};
use kernel::StoreError;

use super::signed_in::SignedIn;
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, bearer},
    flows,
    wire::{Answer, Failures, user},
};

/// Who is signed in. The token is the one that was sent: only the refresh cookie makes new ones.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The member and the token.", body = Answer<user::SignedIn>), Failures), security(("token" = [])))]
#[get("/api/user/session")]
pub(super) async fn session(
    app: Data<App>,
    Member(claims): Member,
    request: HttpRequest,
) -> Result<SignedIn, ApiError> {
    let now = app.env.now();
    let account = app.db.read::<_, StoreError, _>(move |pg| flows::account::account(pg, claims.user, now)).await?;
    let account = account.ok_or_else(ApiError::unauthenticated)?.seen_by(&claims);
    let token = bearer(request.headers()).unwrap_or_default().to_owned();
    Ok(SignedIn::still(&app, token, &account))
}

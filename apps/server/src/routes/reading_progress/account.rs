//! `GET /api/user/account`.

use actix_web::{get, web::Data};

use crate::{app::App, error::ApiError, extract::Member, routes::identity::types::UserResult, wire::Answer};

/// The member's account: name, plan and choices.
#[utoipa::path(
    tag = "reading",
    responses((status = 200, description = "The member.", body = Answer<UserResult>)),
    security(("token" = []))
)]
#[get("/api/user/account")]
pub(super) async fn account(app: Data<App>, Member(claims): Member) -> Result<Answer<UserResult>, ApiError> {
    let now = app.env.now();
    let account = app.db.read(move |pg| workflows::account::account(pg, claims.user, now)).await?;
    let account = account.ok_or_else(ApiError::unauthenticated)?.seen_by(&claims);
    Ok(Answer::new(UserResult { user: (&account).into() }))
}

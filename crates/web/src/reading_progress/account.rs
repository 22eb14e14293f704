//! `GET /api/user/account`, `GET /api/user/allowance` and `PUT /api/user/recommends`.

use actix_web::{get, put, web::Data};
use serde::Deserialize;
use serde_json::Number;
use utoipa::ToSchema;
use workflows::reading_progress::reading;

use crate::{
    app::App,
    catalogue::types::book::AllowanceResult,
    extract::{Body, Member},
    http::{error::ApiError, openapi::NotFound, whole::whole, wire::Answer},
    identity::types::UserResult,
};

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

/// What the member may still open without a plan (`reading-progress.free-summaries`).
#[utoipa::path(
    tag = "reading",
    responses((status = 200, description = "The free summaries.", body = Answer<AllowanceResult>)),
    security(("token" = []))
)]
#[get("/api/user/allowance")]
pub(super) async fn allowance(app: Data<App>, Member(claims): Member) -> Result<Answer<AllowanceResult>, ApiError> {
    let allowance = app.read_tx(move |tx| reading::reader_allowance(tx, claims.user)).await?;
    Ok(Answer::new(allowance.into()))
}

/// The categories that the reader is interested in.
#[derive(Deserialize, ToSchema)]
pub struct Choice {
    /// Ids of categories, at least one.
    #[schema(value_type = Vec<i64>, required, min_items = 1)]
    recommends: Option<Vec<Number>>,
}

/// Sets the categories from which books are recommended, in the place of those before.
#[utoipa::path(
    tag = "reading",
    request_body = Choice,
    responses((status = 200, description = "The member with the new choices.", body = Answer<UserResult>), NotFound),
    security(("token" = []))
)]
#[put("/api/user/recommends")]
pub(super) async fn set_recommends(
    app: Data<App>,
    Member(claims): Member,
    Body(choice): Body<Choice>,
) -> Result<Answer<UserResult>, ApiError> {
    // A fraction becomes 0, which is not a valid id: the workflow rejects it.
    let chosen = choice.recommends.unwrap_or_default().iter().map(|id| whole(id).unwrap_or(0)).collect::<Vec<_>>();
    let member = app.write_tx(move |tx| reading::set_recommends(tx, claims.user, &chosen)).await?;
    Ok(Answer::new(UserResult { user: (&member.seen_by(&claims)).into() }))
}

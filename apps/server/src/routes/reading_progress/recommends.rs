//! `PUT /api/user/recommends`.

use actix_web::{put, web::Data};
use serde::Deserialize;
use serde_json::Number;
use utoipa::ToSchema;
use workflows::reading;

use super::whole::whole;
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Member},
    openapi::NotFound,
    routes::identity::types::UserResult,
    wire::Answer,
};

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
    // No category has the number 0.
    let chosen = choice.recommends.unwrap_or_default().iter().map(|id| whole(id).unwrap_or(0)).collect::<Vec<_>>();
    let account = app.write_tx(move |tx| reading::set_recommends(tx, claims.user, &chosen)).await?;
    Ok(Answer::new(UserResult { user: (&account.seen_by(&claims)).into() }))
}

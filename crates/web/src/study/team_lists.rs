//! `/api/team-lists`: lists that buyers of seats have given to their teams.

use actix_web::{delete, get, put, web::Data};
use kernel::{TeamListId, UserId};
use workflows::study::lists;

use crate::{
    app::App,
    extract::{Member, Path},
    http::{
        error::ApiError,
        openapi::{NotFound, TooManyTries},
        wire::Answer,
    },
    study::list_types::{AgreedResult, TeamList, TeamListResult},
};

fn team_list_id(id: &str) -> Result<TeamListId, ApiError> {
    id.parse().map_err(|_| ApiError::not_found("list"))
}

/// A list of a team, for its owner and those who have a seat: its books, and who has finished which of them, of those who have agreed.
#[utoipa::path(
    tag = "study",
    params(("id" = i64, Path, description = "The id of a team's list.", minimum = 1)),
    responses((status = 200, description = "The list.", body = Answer<TeamListResult>), NotFound),
    security(("token" = []))
)]
#[get("/api/team-lists/{id}")]
pub(super) async fn show_team_list(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<TeamListResult>, ApiError> {
    let id = team_list_id(&id)?;
    let found = app.read_tx(move |tx| lists::team_list(tx, claims.user, id)).await?;
    Ok(Answer::new(TeamListResult { list: TeamList::new(id, found) }))
}

/// Agrees that the team sees which books of the list the member has finished.
#[utoipa::path(
    tag = "study",
    params(("id" = i64, Path, description = "The id of a team's list.", minimum = 1)),
    responses((status = 200, description = "The team sees it.", body = Answer<AgreedResult>), NotFound, TooManyTries),
    security(("token" = []))
)]
#[put("/api/team-lists/{id}/agreement")]
pub(super) async fn agree_to_team_list(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<AgreedResult>, ApiError> {
    set_agreed(&app, claims.user, &id, true).await
}

/// Ends that the team sees it.
#[utoipa::path(
    tag = "study",
    params(("id" = i64, Path, description = "The id of a team's list.", minimum = 1)),
    responses((status = 200, description = "The team does not see it.", body = Answer<AgreedResult>), NotFound, TooManyTries),
    security(("token" = []))
)]
#[delete("/api/team-lists/{id}/agreement")]
pub(super) async fn end_agreement_to_team_list(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<AgreedResult>, ApiError> {
    set_agreed(&app, claims.user, &id, false).await
}

async fn set_agreed(app: &App, member: UserId, id: &str, is_agreed: bool) -> Result<Answer<AgreedResult>, ApiError> {
    let id = team_list_id(id)?;
    app.write_tx(move |tx| lists::agree_to_team(tx, member, id, is_agreed)).await?;
    Ok(Answer::new(AgreedResult { is_agreed }))
}

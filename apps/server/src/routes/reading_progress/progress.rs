//! `GET /api/user-book-history/xp`.

use actix_web::{get, web::Data};
use workflows::reading;

use crate::{app::App, error::ApiError, extract::Member, routes::reading_progress::types::Progress, wire::Answer};

/// What the reader's reading has earned.
#[utoipa::path(
    tag = "reading",
    responses((status = 200, description = "XP, level, awards, streaks and skills.", body = Answer<Progress>)),
    security(("token" = []))
)]
#[get("/api/user-book-history/xp")]
pub(super) async fn progress(app: Data<App>, Member(claims): Member) -> Result<Answer<Progress>, ApiError> {
    let progress = app.read_tx(move |tx| reading::reader_progress(tx, claims.user)).await?;
    Ok(Answer::new((&progress).into()))
}

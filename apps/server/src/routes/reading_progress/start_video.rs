//! `POST /api/user-book-history/{id}`.

use actix_web::{post, web::Data};
use workflows::reading;

use super::book_name;
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Path},
    routes::reading_progress::types::VideoStart,
    wire::Answer,
};

/// Logs that the reader has started the video of a book: an entry of history at the section where the reader was.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "It is logged.", body = Answer<VideoStart>)),
    security(("token" = []))
)]
#[post("/api/user-book-history/{id}")]
pub(super) async fn start_video(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<VideoStart>, ApiError> {
    let book = book_name::in_path(&id)?;
    let entry = app.write_tx(move |tx| reading::start_video(tx, claims.user, &book)).await?;
    Ok(Answer::new(VideoStart { entry: (&entry).into() }))
}

//! `GET /api/books/{id}/video`.

use actix_web::{get, web::Data};
use catalogue::BookRef;
use workflows::recordings;

use crate::{
    app::App,
    error::ApiError,
    extract::{Path, Viewer},
    openapi::Forbidden,
    routes::recordings::types::VideoResult,
    wire::Answer,
};

/// A book's video, for paid members, and for everybody if the book is free. Without a video `url` is null.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "The video.", body = Answer<VideoResult>), Forbidden),
    security((), ("token" = []))
)]
#[get("/api/books/{id}/video")]
pub(super) async fn video(app: Data<App>, viewer: Viewer, id: Path<String>) -> Result<Answer<VideoResult>, ApiError> {
    let (reader, now) = (viewer.0.map(|claims| claims.user), app.env.now());
    let book = BookRef::parse(&id).ok_or_else(|| ApiError::not_found("book"))?;
    let video = app.read_tx(move |tx| recordings::video(tx, reader, &book)).await?;
    Ok(Answer::new(VideoResult::of(&video.book, video.film.as_ref(), &app.signer().await?, reader, now)))
}

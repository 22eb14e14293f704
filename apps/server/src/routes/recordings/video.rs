//! `GET /api/books/{id}/video`.

use actix_web::{get, web::Data};
use catalogue::BookRef;

use crate::{
    app::App,
    error::ApiError,
    extract::{Path, Viewer},
    flows::recordings,
    openapi::Forbidden,
    wire::{Answer, recordings::VideoResult},
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
    let (book, film) = app.db.read(move |pg| recordings::video(pg, reader, &book, now)).await?;
    Ok(Answer::new(VideoResult::of(&book, film.as_ref(), &app.signer().await?, reader, now)))
}

//! Audio, podcast episode and video of a book.

pub(crate) mod types;

use actix_web::{get, web::Data};
use catalogue::{Book, BookRef, Recording};
use kernel::UserId;
use workflows::{catalogue::recordings, error::ViewError, tx::ReadTx};

use crate::{
    app::App,
    catalogue::{
        recordings::types::{AudioResult, VideoResult, seconds, type_of},
        types::book_name,
    },
    extract::{Path, Viewer},
    http::{
        error::ApiError,
        openapi::{Forbidden, Routes},
        wire::Answer,
    },
};

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(audio).service(book_podcast).service(video);
}

/// A book's audio: where it lies and, if the product made it, when each section and paragraph begins. For everybody who
/// may read the full text; a free member has to have opened the book. Takes nothing from an allowance.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "The audio.", body = Answer<AudioResult>), Forbidden),
    security((), ("token" = []))
)]
#[get("/api/books/{id}/audio")]
async fn audio(app: Data<App>, viewer: Viewer, id: Path<String>) -> Result<Answer<AudioResult>, ApiError> {
    heard(&app, &viewer, &id, recordings::audio).await
}

/// The episode about a book: where it lies. For everybody who may read the full text; a free member has to have opened the
/// book. Takes nothing from an allowance.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "The episode.", body = Answer<AudioResult>), Forbidden),
    security((), ("token" = []))
)]
#[get("/api/books/{id}/podcast")]
async fn book_podcast(app: Data<App>, viewer: Viewer, id: Path<String>) -> Result<Answer<AudioResult>, ApiError> {
    heard(&app, &viewer, &id, recordings::podcast).await
}

/// A workflow that returns a book with one of its recordings, if the viewer may listen.
type Heard = fn(&mut ReadTx<'_, '_>, Option<UserId>, &BookRef) -> Result<(Book, Recording), ViewError>;

/// Responds with the URL of the recording that `workflow` returns for the viewer.
async fn heard(app: &App, viewer: &Viewer, id: &str, workflow: Heard) -> Result<Answer<AudioResult>, ApiError> {
    let (reader, now) = (viewer.0.as_ref().map(|claims| claims.user), app.env.now());
    let book = book_name::in_path(id)?;
    let (book, recording) = app.read_tx(move |tx| workflow(tx, reader, &book)).await?;
    let reader = reader.filter(|_| !book.card.free);
    let signed = app.signer().await?.presign(&recording.media, reader, now);
    Ok(Answer::new(AudioResult {
        url: signed.url,
        kind: type_of(&recording.media),
        seconds: recording.duration_ms.map(seconds),
        until: signed.expires_at.millis(),
        chapters: recording.chapters.iter().map(Into::into).collect(),
        marks: recording.marks.iter().map(Into::into).collect(),
    }))
}

/// A book's video, for paid members, and for everybody if the book is free. Without a video `url` is null.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "The video.", body = Answer<VideoResult>), Forbidden),
    security((), ("token" = []))
)]
#[get("/api/books/{id}/video")]
async fn video(app: Data<App>, viewer: Viewer, id: Path<String>) -> Result<Answer<VideoResult>, ApiError> {
    let (reader, now) = (viewer.0.map(|claims| claims.user), app.env.now());
    let book = book_name::in_path(&id)?;
    let video = app.read_tx(move |tx| recordings::video(tx, reader, &book)).await?;
    Ok(Answer::new(VideoResult::of(&video.book, video.film.as_ref(), &app.signer().await?, reader, now)))
}

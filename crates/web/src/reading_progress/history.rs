//! `GET /api/user-book-history`, and `GET`, `POST` and `DELETE` of one of its books. Saving the reading position is in
//! `save_position.rs`.

use actix_web::{delete, get, post, web::Data};
use reading_progress::HISTORY_PAGE;
use workflows::reading_progress::reading;

use crate::{
    app::App,
    catalogue::types::book_name,
    extract::{Member, Path, Query},
    http::{
        error::ApiError,
        wire::{Answer, page::ListParams},
    },
    reading_progress::types::{HistoryResult, InHistory, PlaceResult, Progress, VideoStart},
};

/// What the reader has read, newest first.
#[utoipa::path(
    tag = "reading",
    params(ListParams),
    responses((status = 200, description = "A page of history.", body = Answer<HistoryResult>)),
    security(("token" = []))
)]
#[get("/api/user-book-history")]
pub(super) async fn history(
    app: Data<App>,
    Member(claims): Member,
    query: Query<ListParams>,
) -> Result<Answer<HistoryResult>, ApiError> {
    let (after, limit) = query.read(HISTORY_PAGE)?;
    let read = app.read_tx(move |tx| reading::history(tx, claims.user, after, limit)).await?;
    Ok(Answer::new(HistoryResult {
        user: (&read.account.seen_by(&claims)).into(),
        books: read.page.items.into_iter().map(Into::into).collect(),
        counts: read.counts.into(),
        next: read.page.next.map(|key| key.to_string()),
    }))
}

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

/// Where the reader is in a book, as all devices together say. Takes nothing from the allowance.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "Where the reader is.", body = Answer<PlaceResult>)),
    security(("token" = []))
)]
#[get("/api/user-book-history/{id}")]
pub(super) async fn place(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<PlaceResult>, ApiError> {
    let book = app.book_facts(book_name::in_path(&id)?).await?;
    let place = app.read_tx(move |tx| reading::place(tx, claims.user, book.id)).await?;
    Ok(Answer::new(place.into()))
}

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

/// Hides a book from the reader's history until it is read again. The library shows it as never read, and `numCompleted` does not
/// count it. Position, completion, whether it was added to the library, and what was earned stay.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "The book is not in the history.", body = Answer<InHistory>)),
    security(("token" = []))
)]
#[delete("/api/user-book-history/{id}")]
pub(super) async fn hide(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<InHistory>, ApiError> {
    let book = book_name::in_path(&id)?;
    app.write_tx(move |tx| reading::hide_history(tx, claims.user, &book)).await?;
    Ok(Answer::new(InHistory { is_in_history: false }))
}

/// Shows a book that was hidden in the reader's history again, where it stood. A book that was never read does not come
/// there by this.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "Whether the book is in the history: it was read.", body = Answer<InHistory>)),
    security(("token" = []))
)]
#[post("/api/user-book-history/{id}/show")]
pub(super) async fn show(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<InHistory>, ApiError> {
    let book = book_name::in_path(&id)?;
    let is_in_history = app.write_tx(move |tx| reading::show_history(tx, claims.user, &book)).await?;
    Ok(Answer::new(InHistory { is_in_history }))
}

//! `GET` and `POST /api/library`, `DELETE /api/library/{id}`.

use actix_web::{delete, get, post, web::Data};
use reading_progress::LIBRARY_PAGE;
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::reading_progress::reading;

use crate::{
    app::App,
    catalogue::types::book_name::{self, BookName},
    extract::{Body, Member, Path, Query},
    http::{error::ApiError, openapi::NotFound, wire::Answer},
    reading_progress::types::{InLibrary, LibraryParams, LibraryResult},
};

/// The books that the reader has added or completed, newest first, and how many stand on each shelf.
#[utoipa::path(
    tag = "reading",
    params(LibraryParams),
    responses((status = 200, description = "A page of the library.", body = Answer<LibraryResult>)),
    security(("token" = []))
)]
#[get("/api/library")]
pub(super) async fn library(
    app: Data<App>,
    Member(claims): Member,
    query: Query<LibraryParams>,
) -> Result<Answer<LibraryResult>, ApiError> {
    let (shelf, after, limit) = query.read(LIBRARY_PAGE)?;
    let library = app.read_tx(move |tx| reading::library(tx, claims.user, shelf, after, limit)).await?;
    Ok(Answer::new(LibraryResult {
        user: (&library.account.seen_by(&claims)).into(),
        books: library.page.items.into_iter().map(Into::into).collect(),
        counts: library.counts.into(),
        next: library.page.next.map(|key| key.to_string()),
    }))
}

/// A book to keep.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Addition {
    #[schema(value_type = BookName, required)]
    book_id: Option<BookName>,
}

/// Adds a book to the reader's library. One that is there stays where it is.
#[utoipa::path(
    tag = "reading",
    request_body = Addition,
    responses((status = 200, description = "The book is in the library.", body = Answer<InLibrary>), NotFound),
    security(("token" = []))
)]
#[post("/api/library")]
pub(super) async fn add_to_library(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<Addition>,
) -> Result<Answer<InLibrary>, ApiError> {
    let book = BookName::read(body.book_id.as_ref())?;
    app.write_tx(move |tx| reading::add_to_library(tx, claims.user, &book)).await?;
    Ok(Answer::new(InLibrary { is_in_library: true }))
}

/// Takes back that a book was added to the reader's library. A completed one stays under `finished`.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "The book is not in the library.", body = Answer<InLibrary>)),
    security(("token" = []))
)]
#[delete("/api/library/{id}")]
pub(super) async fn remove_from_library(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<InLibrary>, ApiError> {
    let book = book_name::in_path(&id)?;
    app.write_tx(move |tx| reading::remove_from_library(tx, claims.user, &book)).await?;
    Ok(Answer::new(InLibrary { is_in_library: false }))
}

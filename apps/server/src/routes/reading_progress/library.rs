//! `GET /api/library`.

use actix_web::{get, web::Data};
use reading_progress::LIBRARY_PAGE;
use workflows::reading;

use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Query},
    routes::reading_progress::types::{LibraryParams, LibraryResult},
    wire::Answer,
};

/// The books that the reader keeps, newest first, and how many stand on each shelf.
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

//! `GET /api/library`.

use actix_web::{get, web::Data};
use reading_progress::LIBRARY_PAGE;

use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Query},
    flows::reading,
    wire::{
        Answer,
        progress::{LibraryParams, LibraryResult},
    },
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
    let ((shelf, after, limit), now) = (query.read(LIBRARY_PAGE)?, app.env.now());
    let kept = app.db.read(move |pg| reading::library(pg, claims.user, shelf, after, limit, now)).await?;
    Ok(Answer::new(LibraryResult {
        user: (&kept.listed.account.seen_by(&claims)).into(),
        books: kept.listed.page.items,
        counts: kept.counts.into(),
        next: kept.listed.page.next.map(|key| key.to_string()),
    }))
}

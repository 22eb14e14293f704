//! `GET /api/library`.

use actix_web::{get, web::Data};
use reading_progress::LIBRARY_PAGE;

use super::list_params::{ListParams, key_text};
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Query},
    flows::reading,
    wire::{Answer, Failures, progress::LibraryResult},
};

/// The books that the reader keeps, newest first.
#[utoipa::path(
    tag = "reading",
    params(ListParams),
    responses((status = 200, description = "A page of the library.", body = Answer<LibraryResult>), Failures),
    security(("token" = []))
)]
#[get("/api/library")]
pub(super) async fn library(
    app: Data<App>,
    Member(claims): Member,
    query: Query<ListParams>,
) -> Result<Answer<LibraryResult>, ApiError> {
    let ((after, limit), now) = (query.read(LIBRARY_PAGE)?, app.env.now());
    let kept = app.db.read(move |pg| reading::library(pg, claims.user, after, limit, now)).await?;
    Ok(Answer::new(LibraryResult {
        user: (&kept.account.seen_by(&claims)).into(),
        books: kept.page.items,
        next: kept.page.next.as_ref().map(key_text),
    }))
}

//! `GET /api/user-book-history`.

use actix_web::{get, web::Data};
use reading_progress::HISTORY_PAGE;
use workflows::reading;

use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Query},
    routes::reading_progress::types::HistoryResult,
    wire::{Answer, page::ListParams},
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
        next: read.page.next.map(|key| key.to_string()),
    }))
}

//! `GET /api/books/list`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::Limit;

use super::remembered;
use crate::{
    app::App,
    error::ApiError,
    extract::{Query, Viewer},
    flows::book_lists::list_books,
    openapi::Unchanged,
    wire::{
        Answer,
        list::{BookListResult, BooksParams},
    },
};

/// A page of books as a map by `subid`, with their order beside it.
#[utoipa::path(
    tag = "catalogue",
    params(BooksParams),
    responses(
        (status = 200, description = "A page of the list.", body = Answer<BookListResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/books/list")]
pub(super) async fn list(
    app: Data<App>,
    viewer: Viewer,
    params: Query<BooksParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = params.read(Limit::MAX)?;
    let reader = viewer.0.map(|claims| claims.user);
    remembered(&app, viewer.0.as_ref(), &request, async {
        let list = app.read_tx(move |tx| list_books(tx, reader, &query)).await?;
        Ok((BookListResult::from(&list), list.right_until))
    })
    .await
}

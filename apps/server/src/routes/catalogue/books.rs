//! `GET /api/books`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::Timestamp;

use super::remembered;
use crate::{
    app::App,
    error::ApiError,
    extract::{Query, Viewer},
    flows::book_lists::catalogue_page,
    openapi::Unchanged,
    wire::{
        Answer,
        list::{BooksParams, BooksResult},
    },
};

/// How many books a page has when nothing is said.
const PAGE: usize = 20;

/// The catalogue: a page of books, the categories, and what is recommended to this viewer.
#[utoipa::path(
    tag = "catalogue",
    params(BooksParams),
    responses(
        (status = 200, description = "A page of the catalogue.", body = Answer<BooksResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/books")]
pub(super) async fn books(
    app: Data<App>,
    viewer: Viewer,
    params: Query<BooksParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = params.read(PAGE)?;
    let reader = viewer.0.map(|claims| claims.user);
    remembered(&app, viewer.0.as_ref(), &request, async {
        let page = app.read_tx(move |tx| catalogue_page(tx, reader, &query)).await?;
        let mut result = BooksResult::from(&page);
        if let (Some(user), Some(claims)) = (&mut result.user, &viewer.0) {
            user.role = claims.role.into();
        }
        let right_until = result.user.as_ref().and_then(|user| user.end_paid_date).map(Timestamp::from_millis);
        Ok((result, right_until))
    })
    .await
}

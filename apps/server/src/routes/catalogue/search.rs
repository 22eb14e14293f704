//! `GET /api/search`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};

use super::remembered;
use crate::{
    app::App,
    error::ApiError,
    extract::{Query, Viewer},
    flows::suggestions::suggest,
    openapi::Unchanged,
    wire::{
        Answer,
        discovery::{SearchParams, SearchResult},
    },
};

/// Search as one types: books with the section and the passage (where this viewer may read it), authors, categories,
/// collections and tags. Accents and small slips are forgiven, and the last word may be unfinished.
#[utoipa::path(
    tag = "catalogue",
    params(SearchParams),
    responses(
        (status = 200, description = "What was found, each list with the best first.", body = Answer<SearchResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/search")]
pub(super) async fn search(
    app: Data<App>,
    viewer: Viewer,
    params: Query<SearchParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = params.read()?;
    let reader = viewer.0.map(|claims| claims.user);
    remembered(&app, viewer.0.as_ref(), &request, async {
        let list = app.read_tx(move |tx| suggest(tx, reader, &query)).await?;
        Ok((SearchResult::from(&list), list.right_until))
    })
    .await
}

//! `GET /api/search`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};

use super::remembered;
use crate::{
    app::App,
    error::ApiError,
    extract::{Query, Viewer},
    flows::discovery,
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
    let now = app.env.now();
    remembered(&app, viewer.0.as_ref(), &request, async {
        app.db.read(move |pg| discovery::suggestions(pg, reader, &query, now)).await
    })
    .await
}

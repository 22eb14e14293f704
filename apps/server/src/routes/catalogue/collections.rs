//! `GET /api/collections` and `GET /api/collections/{id}`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::Limit;

use super::remembered;
use crate::{
    app::App,
    error::ApiError,
    extract::{Path, Query, Viewer},
    flows::discovery,
    openapi::Unchanged,
    wire::{
        Answer,
        discovery::{CollectionResult, CollectionsResult},
        page::ListParams,
    },
};

/// A page of the collections, the newest first. The same for everybody.
#[utoipa::path(
    tag = "catalogue",
    params(ListParams),
    responses(
        (status = 200, description = "A page of the collections.", body = Answer<CollectionsResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/collections")]
pub(super) async fn collections(
    app: Data<App>,
    _: Viewer,
    params: Query<ListParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (after, limit) = params.read(Limit::MAX)?;
    remembered(&app, None, &request, async {
        Ok((app.db.read(move |pg| discovery::collections(pg, after, limit)).await?, None))
    })
    .await
}

/// A collection. The same for everybody.
#[utoipa::path(
    tag = "catalogue",
    params(("id" = String, Path, description = "The id of a collection.")),
    responses(
        (status = 200, description = "The collection.", body = Answer<CollectionResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/collections/{id}")]
pub(super) async fn collection(
    app: Data<App>,
    _: Viewer,
    id: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let missing = || ApiError::not_found("collection");
    let id = id.parse().map_err(|_| missing())?;
    remembered(&app, None, &request, async {
        let collection = app.db.read(move |pg| discovery::collection(pg, id)).await?;
        Ok((CollectionResult { collection: collection.ok_or_else(missing)? }, None))
    })
    .await
}

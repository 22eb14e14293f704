//! `GET /api/collections` and `GET /api/collections/{id}`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use catalogue::{CatalogueLists, CatalogueQueries};
use kernel::{CollectionId, DateCursor, Limit, StoreError};

use crate::{
    app::App,
    cached_responses::cached,
    catalogue::types::directory::{Collection, CollectionResult, CollectionsResult},
    extract::{Path, Query, Viewer},
    http::{
        error::ApiError,
        openapi::Unchanged,
        wire::{Answer, page::ListParams},
    },
};

/// A page of the collections, the newest first. The same for everybody.
#[utoipa::path(
    tag = "catalogue", params(ListParams), security((), ("token" = [])),
    responses((status = 200, description = "A page of the collections.", body = Answer<CollectionsResult>), Unchanged)
)]
#[get("/api/collections")]
pub(super) async fn collections(
    app: Data<App>,
    _: Viewer,
    params: Query<ListParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (after, limit) = params.read(Limit::MAX)?;
    cached(&app, None, &request, ListParams::NAMES, async || Ok((read_collections(&app, after, limit).await?, None)))
        .await
}

/// A collection. The same for everybody.
#[utoipa::path(
    tag = "catalogue", params(("id" = String, Path, description = "The id of a collection.")),
    security((), ("token" = [])),
    responses((status = 200, description = "The collection.", body = Answer<CollectionResult>), Unchanged)
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
    cached(&app, None, &request, &[], async || {
        let collection = read_collection(&app, id).await?.ok_or_else(missing)?;
        Ok((CollectionResult { collection }, None))
    })
    .await
}

/// Reads a page of the collections, each with its categories.
pub(crate) async fn read_collections(
    app: &App,
    after: Option<DateCursor<CollectionId>>,
    limit: Limit,
) -> Result<CollectionsResult, StoreError> {
    app.db
        .read(move |pg| {
            let page = pg.collections(after, limit)?;
            let categories = pg.categories()?;
            Ok(CollectionsResult {
                collections: page.items.iter().map(|one| Collection::new(one, &categories)).collect(),
                next: page.next.map(|next| next.to_string()),
            })
        })
        .await
}

/// Reads a collection with its categories; `None` when there is no such collection.
pub(crate) async fn read_collection(app: &App, id: CollectionId) -> Result<Option<Collection>, StoreError> {
    app.db
        .read(move |pg| {
            let Some(found) = pg.collection(id)? else { return Ok(None) };
            Ok(Some(Collection::new(&found, &pg.categories()?)))
        })
        .await
}

//! The podcast: list of episodes, and one episode.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::{Slug, StoreError};
use workflows::editorial::podcasts::{episode, episodes};

use crate::{
    app::App,
    cached_responses::cached,
    editorial::{
        PAGE,
        types::{PodcastResult, PodcastsResult},
    },
    extract::{self, Query, Viewer},
    http::{
        error::ApiError,
        openapi::Unchanged,
        wire::{Answer, page::ListParams},
    },
};

/// Episodes of the podcast, the newest first. The same for everybody.
#[utoipa::path(
    tag = "editorial", params(ListParams), security((), ("token" = [])),
    responses((status = 200, description = "A page of episodes.", body = Answer<PodcastsResult>), Unchanged)
)]
#[get("/api/podcasts")]
pub(super) async fn podcasts(
    app: Data<App>,
    _: Viewer,
    params: Query<ListParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (after, limit) = params.read(PAGE)?;
    cached(&app, None, &request, ListParams::NAMES, async || {
        let found = app.read_tx::<_, StoreError, _>(move |tx| episodes(tx, after, limit)).await?;
        Ok((PodcastsResult::from(found), None))
    })
    .await
}

/// An episode with what is said in it. The same for everybody.
#[utoipa::path(
    tag = "editorial", params(("slug" = String, Path, description = "Its name in addresses.")),
    security((), ("token" = [])),
    responses((status = 200, description = "The episode.", body = Answer<PodcastResult>), Unchanged)
)]
#[get("/api/podcasts/{slug}")]
pub(super) async fn podcast(
    app: Data<App>,
    _: Viewer,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let not_there = || ApiError::not_found("podcast");
    let slug = Slug::parse(&slug).map_err(|_| not_there())?;
    cached(&app, None, &request, &[], async || {
        let found = app.read_tx::<_, StoreError, _>(move |tx| episode(tx, &slug)).await?;
        Ok((PodcastResult::from(found.ok_or_else(not_there)?), None))
    })
    .await
}

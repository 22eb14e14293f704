//! `GET /api/podcasts/{slug}`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::{Slug, StoreError};

use crate::{
    app::App,
    error::ApiError,
    extract::{self, Viewer},
    flows::podcasts,
    openapi::Unchanged,
    routes::catalogue::remembered,
    wire::{Answer, editorial::PodcastResult},
};

/// An episode with what is said in it. The same for everybody.
#[utoipa::path(
    tag = "editorial",
    params(("slug" = String, Path, description = "Its name in addresses.")),
    responses(
        (status = 200, description = "The episode.", body = Answer<PodcastResult>),
        Unchanged),
    security((), ("token" = []))
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
    remembered(&app, None, &request, async {
        let found = app.read_tx::<_, StoreError, _>(move |tx| podcasts::episode(tx, &slug)).await?;
        Ok((PodcastResult::from(found.ok_or_else(not_there)?), None))
    })
    .await
}

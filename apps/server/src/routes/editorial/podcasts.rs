//! `GET /api/podcasts`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::StoreError;

use super::PAGE;
use crate::{
    app::App,
    error::ApiError,
    extract::{Query, Viewer},
    flows::podcasts::episodes,
    openapi::Unchanged,
    routes::catalogue::remembered,
    wire::{Answer, editorial::PodcastsResult, page::ListParams},
};

/// Episodes of the podcast, the newest first. The same for everybody.
#[utoipa::path(
    tag = "editorial",
    params(ListParams),
    responses(
        (status = 200, description = "A page of episodes.", body = Answer<PodcastsResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/podcasts")]
pub(super) async fn podcasts(
    app: Data<App>,
    _: Viewer,
    params: Query<ListParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (after, limit) = params.read(PAGE)?;
    remembered(&app, None, &request, async {
        let found = app.read_tx::<_, StoreError, _>(move |tx| episodes(tx, after, limit)).await?;
        Ok((PodcastsResult::from(found), None))
    })
    .await
}

//! `GET /api/podcasts`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};

use crate::{
    app::App,
    error::ApiError,
    extract::{Query, Viewer},
    flows::editorial::{self, PAGE},
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
        Ok((app.db.read(move |pg| editorial::podcasts(pg, after, limit)).await?, None))
    })
    .await
}

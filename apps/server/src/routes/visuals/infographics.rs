//! `GET /api/infographics`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use workflows::visuals;

use crate::{
    app::App,
    cache::cached,
    error::ApiError,
    extract::{Query, Viewer},
    openapi::Unchanged,
    routes::visuals::types::{InfographicsResult, VisualsParams},
    wire::Answer,
};

/// The gallery of infographics: thumbnails for everybody, and whether this viewer may download them.
#[utoipa::path(
    tag = "catalogue",
    params(VisualsParams),
    responses(
        (status = 200, description = "A page of the gallery.", body = Answer<InfographicsResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/infographics")]
pub(super) async fn infographics(
    app: Data<App>,
    viewer: Viewer,
    params: Query<VisualsParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let wanted = params.read()?;
    let reader = viewer.0.map(|claims| claims.user);
    cached(&app, viewer.0.as_ref(), &request, VisualsParams::NAMES, async {
        let listed = app.read_tx(move |tx| visuals::list_visual_books(tx, reader, wanted)).await?;
        let until = listed.until;
        Ok((InfographicsResult::from(listed), until))
    })
    .await
}

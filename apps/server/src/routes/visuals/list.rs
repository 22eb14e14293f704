//! `GET /api/visuals`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use workflows::visuals;

use crate::{
    app::App,
    cache::cached,
    error::ApiError,
    extract::{Query, Viewer},
    openapi::Unchanged,
    routes::visuals::types::{VisualsParams, VisualsResult},
    wire::Answer,
};

/// The books whose key ideas are illustrated, each once. The same for everybody.
#[utoipa::path(
    tag = "catalogue",
    params(VisualsParams),
    responses(
        (status = 200, description = "A page of the list.", body = Answer<VisualsResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/visuals")]
pub(super) async fn visuals_list(
    app: Data<App>,
    _: Viewer,
    params: Query<VisualsParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let wanted = params.read()?;
    cached(&app, None, &request, VisualsParams::NAMES, async {
        let listed = app.read_tx(move |tx| visuals::list_visual_books(tx, None, wanted)).await?;
        Ok((VisualsResult::from(listed), None))
    })
    .await
}

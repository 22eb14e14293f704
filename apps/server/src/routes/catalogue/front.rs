//! `GET /api/front`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};

use super::remembered;
use crate::{
    app::App,
    error::ApiError,
    extract::Viewer,
    flows::lists,
    openapi::Unchanged,
    wire::{Answer, list::FrontResult},
};

/// What the front page shows. The same for everybody.
#[utoipa::path(
    tag = "catalogue",
    responses(
        (status = 200, description = "The front page.", body = Answer<FrontResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/front")]
pub(super) async fn front(app: Data<App>, _: Viewer, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let now = app.env.now();
    remembered(&app, None, &request, async { Ok((app.db.read(move |pg| lists::front(pg, now)).await?, None)) }).await
}

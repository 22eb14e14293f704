//! `GET /api/insight`.

use ::editorial::next_day;
use actix_web::{HttpRequest, HttpResponse, get, web::Data};

use crate::{
    app::App,
    error::ApiError,
    extract::Viewer,
    flows::editorial,
    openapi::Unchanged,
    routes::catalogue::remembered,
    wire::{Answer, editorial::InsightResult},
};

/// The insight of the day: the same for everybody on a day (UTC), another one on the next.
#[utoipa::path(
    tag = "editorial",
    responses(
        (status = 200, description = "The insight.", body = Answer<InsightResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/insight")]
pub(super) async fn insight(app: Data<App>, _: Viewer, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let now = app.env.now();
    remembered(&app, None, &request, async {
        Ok((app.db.read(move |pg| editorial::insight(pg, now)).await?, Some(next_day(now))))
    })
    .await
}

//! `GET /api/insight`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use editorial::next_day;
use kernel::StoreError;
use workflows::editorial::texts::insight_of_the_day;

use crate::{
    app::App,
    cached_responses::cached,
    editorial::types::InsightResult,
    extract::Viewer,
    http::{error::ApiError, openapi::Unchanged, wire::Answer},
};

/// The insight of the day: the same for everybody on a day (UTC), another one on the next.
#[utoipa::path(
    tag = "editorial", security((), ("token" = [])),
    responses((status = 200, description = "The insight.", body = Answer<InsightResult>), Unchanged)
)]
#[get("/api/insight")]
pub(super) async fn insight(app: Data<App>, _: Viewer, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let now = app.env.now();
    cached(&app, None, &request, &[], async || {
        let insight = app.read_tx::<_, StoreError, _>(insight_of_the_day).await?;
        Ok((InsightResult { insight: insight.map(Into::into) }, Some(next_day(now))))
    })
    .await
}

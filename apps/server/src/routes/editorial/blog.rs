//! `GET /api/blog`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};

use crate::{
    app::App,
    error::ApiError,
    extract::{Query, Viewer},
    flows::editorial::{self, PAGE},
    openapi::Unchanged,
    routes::catalogue::remembered,
    wire::{
        Answer,
        editorial::{BlogParams, BlogResult},
    },
};

/// Posts, the newest first: all, or those of a category. The same for everybody.
#[utoipa::path(
    tag = "editorial",
    params(BlogParams),
    responses(
        (status = 200, description = "A page of the blog.", body = Answer<BlogResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/blog")]
pub(super) async fn blog(
    app: Data<App>,
    _: Viewer,
    params: Query<BlogParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (category, after, limit) = params.read(PAGE)?;
    remembered(&app, None, &request, async {
        Ok((app.db.read(move |pg| editorial::blog(pg, category.as_ref(), after, limit)).await?, None))
    })
    .await
}

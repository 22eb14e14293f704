//! `GET /api/blog/{slug}`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::{Slug, StoreError};

use crate::{
    app::App,
    error::ApiError,
    extract::{self, Viewer},
    flows::editorial_texts,
    openapi::Unchanged,
    routes::catalogue::remembered,
    wire::{Answer, editorial::PostResult},
};

/// A post with its text. The same for everybody.
#[utoipa::path(
    tag = "editorial",
    params(("slug" = String, Path, description = "Its name in addresses.")),
    responses(
        (status = 200, description = "The post.", body = Answer<PostResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/blog/{slug}")]
pub(super) async fn post(
    app: Data<App>,
    _: Viewer,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let not_there = || ApiError::not_found("post");
    let slug = Slug::parse(&slug).map_err(|_| not_there())?;
    remembered(&app, None, &request, async {
        let found = app.read_tx::<_, StoreError, _>(move |tx| editorial_texts::post(tx, &slug)).await?;
        Ok((PostResult::from(&found.ok_or_else(not_there)?), None))
    })
    .await
}

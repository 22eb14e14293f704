//! `GET /api/pages/{slug}`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::{Slug, StoreError};

use crate::{
    app::App,
    error::ApiError,
    extract::{self, Viewer},
    flows::editorial_texts::site_page,
    openapi::Unchanged,
    routes::catalogue::remembered,
    wire::{Answer, editorial::SitePageResult},
};

/// A page of the house: about, terms, privacy. The same for everybody.
#[utoipa::path(
    tag = "editorial",
    params(("slug" = String, Path, description = "Its name in addresses.")),
    responses(
        (status = 200, description = "The page.", body = Answer<SitePageResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/pages/{slug}")]
pub(super) async fn page(
    app: Data<App>,
    _: Viewer,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let not_there = || ApiError::not_found("page");
    let slug = Slug::parse(&slug).map_err(|_| not_there())?;
    remembered(&app, None, &request, async {
        let found = app.read_tx::<_, StoreError, _>(move |tx| site_page(tx, &slug)).await?;
        Ok((SitePageResult { page: found.ok_or_else(not_there)?.into() }, None))
    })
    .await
}

//! The site's pages, and the product pages.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::{Slug, StoreError};
use workflows::editorial::{product_pages, texts::site_page};

use crate::{
    app::App,
    cached_responses::cached,
    editorial::{product_types::ProductPageResult, types::SitePageResult},
    extract::{self, Viewer},
    http::{error::ApiError, openapi::Unchanged, wire::Answer},
};

/// A page of the site: about, terms, privacy. The same for everybody.
#[utoipa::path(
    tag = "editorial", params(("slug" = String, Path, description = "Its name in addresses.")),
    security((), ("token" = [])),
    responses((status = 200, description = "The page.", body = Answer<SitePageResult>), Unchanged)
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
    cached(&app, None, &request, &[], async || {
        let found = app.read_tx::<_, StoreError, _>(move |tx| site_page(tx, &slug)).await?;
        Ok((SitePageResult { page: found.ok_or_else(not_there)?.into() }, None))
    })
    .await
}

/// A page that tells what can be had, with the prices of this moment: try, teams, giftcard, affiliate. The same for everybody.
#[utoipa::path(
    tag = "editorial", params(("slug" = String, Path, description = "Its name in addresses.")),
    security((), ("token" = [])),
    responses((status = 200, description = "The page.", body = Answer<ProductPageResult>), Unchanged)
)]
#[get("/api/product-pages/{slug}")]
pub(super) async fn product_page(
    app: Data<App>,
    _: Viewer,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    cached(&app, None, &request, &[], async || {
        let found = app.read_tx::<_, StoreError, _>(move |tx| product_pages::product_page(tx, &slug)).await?;
        let found = found.ok_or_else(|| ApiError::not_found("page"))?;
        Ok((ProductPageResult { page: found.into() }, None))
    })
    .await
}

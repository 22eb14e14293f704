//! `robots.txt` and sitemaps.

use actix_web::{HttpRequest, HttpResponse, get, http::header, web::Data};
use kernel::StoreError;
use workflows::sitemap::{SitemapPart, sitemap_locations, sitemap_parts};

use crate::{app::App, extract, http::error::ApiError, pages::found_xml};

const XML: &str = "application/xml; charset=utf-8";

/// `robots.txt`.
#[get("/robots.txt")]
pub(super) async fn robots(app: Data<App>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/plain; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .body(pages::sitemap::robots(&app.config))
}

/// The sitemap index.
#[get("/sitemap.xml")]
pub(super) async fn index(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    found_xml(&app, &request, "sitemap", XML, async || {
        let parts = app.read_tx_from_replica::<_, StoreError, _>(sitemap_parts).await?;
        Ok(pages::sitemap::index(&app.config, &parts))
    })
    .await
}

/// A sitemap part: the site's pages, blog and podcast, authors, or a range of books.
#[get("/sitemaps/{part}.xml")]
pub(super) async fn one_part(
    app: Data<App>,
    part: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    found_xml(&app, &request, &format!("sitemap {}", *part), XML, async || {
        let missing = || ApiError::not_found("page");
        let part = SitemapPart::parse(&part).ok_or_else(missing)?;
        let locations = app.read_tx_from_replica::<_, StoreError, _>(move |tx| sitemap_locations(tx, part)).await?;
        if locations.is_empty() { Err(missing()) } else { Ok(pages::sitemap::part(&app.config, &locations)) }
    })
    .await
}

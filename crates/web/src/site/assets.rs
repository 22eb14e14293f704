//! The files of the built web app, and those for installing it: web app manifest, icons, service worker.

use ::cache::{Cacheable, Encoded, Scope};
use ::pages::{
    web_app::Asset,
    web_manifest::{ICON_WIDTHS, web_manifest},
};
use actix_web::{
    HttpRequest, HttpResponse, get,
    http::{StatusCode, header},
    web::{self, Data, ServiceConfig},
};

use crate::{app::App, cached_responses::respond, extract, http::error::ApiError};

/// `Cache-Control` of files with a hash in their name: browsers cache them forever.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// `Cache-Control` of files that depend on the site's name: manifest and icons.
const ONE_DAY: &str = "public, max-age=86400";

/// Registers the routes of this module.
pub fn configure(config: &mut ServiceConfig) {
    config.service(asset).service(service_worker).service(manifest).service(app_icon).service(icon);
}

/// A file of the web app with a hash in its name.
#[get("/assets/{name:.*}")]
async fn asset(app: Data<App>, name: extract::Path<String>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let asset = app.web_app.asset(&name).ok_or_else(|| ApiError::not_found("file"))?;
    Ok(file(asset, &request, FOR_EVER))
}

/// The service worker. Browsers revalidate it at each visit, so that an upgrade reaches them.
#[get("/sw.js")]
async fn service_worker(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let worker = app.web_app.service_worker().ok_or_else(|| ApiError::not_found("file"))?;
    Ok(file(worker, &request, "no-cache"))
}

fn file(built: &Asset, request: &HttpRequest, cache_control: &'static str) -> HttpResponse {
    let accepted = request.headers().get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let (body, coding) = built.form_for(accepted.unwrap_or_default());
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, built.content_type.as_str()))
        .insert_header((header::CACHE_CONTROL, cache_control))
        .insert_header((header::VARY, "Accept-Encoding"));
    if let Some(coding) = coding {
        response.insert_header((header::CONTENT_ENCODING, coding));
    }
    response.body(body.clone())
}

/// The web app manifest.
#[get("/app.webmanifest")]
async fn manifest(app: Data<App>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/manifest+json"))
        .insert_header((header::CACHE_CONTROL, ONE_DAY))
        .body(web_manifest(&app.config.site.name).to_string())
}

/// An icon of the installed app, as PNG.
#[get("/icons/app-{width}.png")]
async fn app_icon(app: Data<App>, width: extract::Path<u32>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let width = ICON_WIDTHS.into_iter().find(|known| *known == *width).ok_or_else(|| ApiError::not_found("file"))?;
    let name = app.config.site.name.clone();
    let key = format!("icon {width}");
    let png = app.responses.get_or_make(None, &key, app.env.now(), async || {
        let drawn = web::block(move || artwork::raster::png(&artwork::app_icon(&name), width)).await;
        let bytes = drawn.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
        let encoded = Encoded::personal(bytes, "image/png");
        Ok::<_, ApiError>(Cacheable { encoded, valid_until: None, scope: Scope::Lists })
    });
    let png = png.await?;
    Ok(respond(&png, &request, StatusCode::OK, ONE_DAY))
}

/// The favicon: the site's logo as SVG.
#[get("/favicon.svg")]
async fn icon(app: Data<App>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "image/svg+xml"))
        .insert_header((header::CACHE_CONTROL, ONE_DAY))
        .body(artwork::mark(&app.config.site.name))
}

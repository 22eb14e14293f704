//! Files of the built web app, and the site's icon.

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header,
    web::{Data, ServiceConfig},
};

use crate::{app::App, error::ApiError, extract};

/// Their addresses.
pub fn configure(config: &mut ServiceConfig) {
    config.service(asset).service(icon);
}

/// Files with a hash in their name: kept by browsers for ever.
#[get("/assets/{name:.*}")]
async fn asset(app: Data<App>, name: extract::Path<String>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let asset = app.web_app.asset(&name).ok_or_else(|| ApiError::not_found("file"))?;
    let accepted = request.headers().get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let (body, coding) = asset.form_for(accepted.unwrap_or_default());
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, asset.content_type.as_str()))
        .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .insert_header((header::VARY, "Accept-Encoding"));
    if let Some(coding) = coding {
        response.insert_header((header::CONTENT_ENCODING, coding));
    }
    Ok(response.body(body.clone()))
}

/// The site's icon: the mark, as the covers' hand draws it.
#[get("/favicon.svg")]
async fn icon(app: Data<App>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "image/svg+xml"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .body(artwork::mark(&app.config.site.name))
}

//! For operators: health, readiness, metrics, and the API's description of itself.

use actix_web::{HttpRequest, HttpResponse, get, http::StatusCode, http::header, web::Data};

use crate::{
    app::App,
    cache::{Encoded, JSON},
    error::ApiError,
    media, web_app,
    wire::{Answer, Failures, Nothing},
};

/// The OpenAPI document, ready to send.
#[derive(Debug)]
pub struct Document {
    encoded: Encoded,
    paths: Vec<String>,
}

impl Document {
    /// Serialises the document once.
    pub fn new(document: &utoipa::openapi::OpenApi) -> anyhow::Result<Self> {
        let paths = document.paths.paths.keys().cloned().collect();
        Ok(Self { encoded: Encoded::public(document.to_pretty_json()?.into_bytes(), JSON), paths })
    }

    /// Whether the document has a call at this address, by whatever method.
    pub fn knows(&self, path: &str) -> bool {
        self.paths.iter().any(|pattern| {
            let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
            loop {
                match (wanted.next(), given.next()) {
                    (None, None) => return true,
                    (Some(wanted), Some(given))
                        if wanted == given || (wanted.starts_with('{') && !given.is_empty()) => {}
                    _ => return false,
                }
            }
        })
    }
}

/// Files and counters, which the document does not describe.
pub fn configure(config: &mut actix_web::web::ServiceConfig) {
    config.service(metrics).service(media::serve).service(web_app::asset).service(web_app::icon);
}

/// The API's description of itself.
#[utoipa::path(tag = "operating", responses((status = 200, description = "This document.", body = serde_json::Value), (status = 304, description = "Unchanged."), Failures))]
#[get("/api/openapi.json")]
pub async fn openapi(document: Data<Document>, request: HttpRequest) -> HttpResponse {
    document.encoded.respond(&request, StatusCode::OK, "no-cache")
}

/// The process lives.
#[utoipa::path(tag = "operating", responses((status = 200, description = "It does.", body = Answer<Nothing>), Failures))]
#[get("/healthz")]
pub async fn healthz() -> Answer<Nothing> {
    Answer::new(Nothing {})
}

/// The process can serve: its database answers, migrated and (in the demo profile) seeded.
#[utoipa::path(tag = "operating", responses((status = 200, description = "It can.", body = Answer<Nothing>), Failures))]
#[get("/readyz")]
pub async fn readyz(app: Data<App>) -> Result<Answer<Nothing>, ApiError> {
    if app.is_ready().await? { Ok(Answer::new(Nothing {})) } else { Err(ApiError::busy()) }
}

/// Counters in Prometheus' text form.
#[get("/metrics")]
async fn metrics(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let text = app.metrics.text().map_err(ApiError::internal)?;
    Ok(HttpResponse::Ok().insert_header((header::CONTENT_TYPE, "text/plain; version=0.0.4")).body(text))
}

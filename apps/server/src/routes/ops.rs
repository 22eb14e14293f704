//! For operators: health, readiness, metrics, and the API's description of itself.

use actix_web::{HttpRequest, HttpResponse, get, http::StatusCode, http::header, web::Data};

use utoipa::openapi::PathItem;

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
    calls: Vec<(String, String)>,
}

impl Document {
    /// Serialises the document once.
    pub fn new(document: &utoipa::openapi::OpenApi) -> anyhow::Result<Self> {
        let calls = document.paths.paths.iter().map(|(path, item)| (path.clone(), methods_of(item))).collect();
        Ok(Self { encoded: Encoded::public(document.to_pretty_json()?.into_bytes(), JSON), calls })
    }

    /// The methods, as an `Allow` header lists them, of the call that the document has at this address.
    pub fn methods_at(&self, path: &str) -> Option<&str> {
        let (_, methods) = self.calls.iter().find(|(pattern, _)| {
            let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
            loop {
                match (wanted.next(), given.next()) {
                    (None, None) => return true,
                    (Some(wanted), Some(given))
                        if wanted == given || (wanted.starts_with('{') && !given.is_empty()) => {}
                    _ => return false,
                }
            }
        })?;
        Some(methods)
    }
}

fn methods_of(item: &PathItem) -> String {
    let there = [
        (item.get.is_some(), "GET, HEAD"),
        (item.put.is_some(), "PUT"),
        (item.post.is_some(), "POST"),
        (item.delete.is_some(), "DELETE"),
    ];
    there.iter().filter(|(is_there, _)| *is_there).map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
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

//! Routes for operators: health, readiness, metrics, and the OpenAPI document.

use std::{
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::{
        StatusCode,
        header::{self, HeaderMap},
    },
    web::Data,
};

use cache::Encoded;
use client_info::Network;
use utoipa::openapi::PathItem;

use crate::{
    app::App,
    cached_responses::{JSON, respond},
    http::{
        error::ApiError,
        openapi::{Busy, Internal, Unchanged},
        wire::{Answer, Nothing},
    },
    site::{assets, media},
};

/// The serialised and compressed OpenAPI document.
#[derive(Debug)]
pub struct Document {
    encoded: Encoded,
    calls: Vec<(String, String)>,
}

impl Document {
    /// The document, built once per process.
    pub fn shared() -> anyhow::Result<Arc<Self>> {
        static DOCUMENT: OnceLock<Arc<Document>> = OnceLock::new();
        if let Some(document) = DOCUMENT.get() {
            return Ok(Arc::clone(document));
        }
        let document = Arc::new(Self::new(&crate::document())?);
        Ok(Arc::clone(DOCUMENT.get_or_init(|| document)))
    }

    fn new(document: &utoipa::openapi::OpenApi) -> anyhow::Result<Self> {
        let calls = document.paths.paths.iter().map(|(path, item)| (path.clone(), methods_of(item))).collect();
        Ok(Self { encoded: Encoded::public(document.to_pretty_json()?.into_bytes(), JSON), calls })
    }

    /// The value of the `Allow` header for a path in the document; `None` when the document has no such path.
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

/// Registers what the port of a worker answers.
pub fn configure_health(config: &mut actix_web::web::ServiceConfig) {
    config.service(healthz).service(readyz).service(metrics);
}

/// Registers metrics, media and assets, which are not part of the OpenAPI document.
pub fn configure(config: &mut actix_web::web::ServiceConfig) {
    config.service(metrics).configure(media::configure).configure(assets::configure);
}

/// The API's description of itself.
#[utoipa::path(
    tag = "operating",
    responses((status = 200, description = "This document.", body = serde_json::Value), Unchanged)
)]
#[get("/api/openapi.json")]
pub async fn openapi(document: Data<Document>, request: HttpRequest) -> HttpResponse {
    respond(&document.encoded, &request, StatusCode::OK, "no-cache")
}

/// The process lives.
#[utoipa::path(tag = "operating", responses((status = 200, description = "It does.", body = Answer<Nothing>)))]
#[get("/healthz")]
pub async fn healthz() -> Answer<Nothing> {
    Answer::new(Nothing {})
}

/// The process can serve: its database answers, migrated and (in the demo profile) seeded.
#[utoipa::path(
    tag = "operating", responses((status = 200, description = "It can.", body = Answer<Nothing>), Busy, Internal)
)]
#[get("/readyz")]
pub async fn readyz(app: Data<App>) -> Result<Answer<Nothing>, ApiError> {
    if app.is_ready().await? { Ok(Answer::new(Nothing {})) } else { Err(ApiError::busy()) }
}

/// Headers that proxies add to forwarded requests.
const PASSED_ON: [&str; 4] = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/// Whether this peer may read the metrics: loopback or `METRICS_FROM`, and only without a proxy in between. They must stay
/// private, because they reveal for instance whether a request caused a mail.
fn may_read_metrics(peer: Option<IpAddr>, headers: &HeaderMap, from: &[Network]) -> bool {
    let is_near = peer
        .map(|peer| peer.to_canonical())
        .is_some_and(|peer| peer.is_loopback() || from.iter().any(|network| network.contains(peer)));
    is_near && !PASSED_ON.iter().any(|name| headers.contains_key(*name))
}

/// The content type of Prometheus' text format.
const METRICS_TYPE: &str = "text/plain; version=0.0.4";

/// Metrics in Prometheus' text format.
#[get("/metrics")]
async fn metrics(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let peer = request.peer_addr().map(|peer| peer.ip());
    if !may_read_metrics(peer, request.headers(), &app.config.metrics_from) {
        return Err(ApiError::not_found("page"));
    }
    let text = app.metrics_text().map_err(ApiError::internal)?;
    Ok(HttpResponse::Ok().insert_header((header::CONTENT_TYPE, METRICS_TYPE)).body(text))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn counters_are_for_the_house_alone() {
        let from = ["10.0.0.0/8".parse().unwrap()];
        let direct = HeaderMap::new();
        let may = |peer: &str, headers: &HeaderMap| may_read_metrics(Some(peer.parse().unwrap()), headers, &from);
        for peer in ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "::ffff:10.1.2.3"] {
            assert!(may(peer, &direct), "{peer}");
        }
        for peer in ["203.0.113.9", "11.0.0.1", "2001:db8::1"] {
            assert!(!may(peer, &direct), "{peer}");
        }
        assert!(!may_read_metrics(None, &direct, &from));
        for name in PASSED_ON {
            let mut headers = HeaderMap::new();
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static("127.0.0.1"));
            assert!(!may("127.0.0.1", &headers) && !may("10.1.2.3", &headers), "{name}");
        }
    }
}

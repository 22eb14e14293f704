//! The built web app: its files, and the list that says which of them a page needs.
//!
//! A release binary carries them; a debug build reads `frontend/dist` when it starts.

use std::{collections::HashMap, sync::Arc};

use ::cache::accepts;
use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::{self, HeaderValue},
    web::Data,
};
use bytes::Bytes;
use pages::manifest::Manifest;
use rust_embed::RustEmbed;

use crate::{app::App, error::ApiError, extract};

#[derive(RustEmbed)]
#[folder = "../../frontend/dist"]
#[allow_missing = true]
struct Dist;

struct Asset {
    plain: Bytes,
    gzip: Option<Bytes>,
    brotli: Option<Bytes>,
    kind: HeaderValue,
}

/// The files in memory.
pub struct WebApp {
    /// The list.
    pub manifest: Manifest,
    assets: HashMap<String, Arc<Asset>>,
}

impl std::fmt::Debug for WebApp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebApp").field("files", &self.assets.len()).finish_non_exhaustive()
    }
}

impl WebApp {
    /// Reads the files. Without a build pages are still readable, only not alive.
    pub fn load() -> Self {
        let bytes = |name: &str| {
            Dist::get(name).map(|file| match file.data {
                std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                std::borrow::Cow::Owned(bytes) => Bytes::from(bytes),
            })
        };
        let manifest = match bytes("manifest.json").map(|text| serde_json::from_slice(&text)) {
            Some(Ok(manifest)) => manifest,
            Some(Err(error)) => {
                tracing::error!(%error, "the web app's manifest can't be read");
                Manifest::default()
            }
            None => {
                tracing::warn!("the web app is not built: pages are served without scripts and styles");
                Manifest::default()
            }
        };
        let assets = Dist::iter()
            .filter(|name| !name.ends_with(".gz") && !name.ends_with(".br") && name != "manifest.json")
            .filter_map(|name| {
                let kind = mime_guess::from_path(&*name).first_or_octet_stream();
                let text = kind.type_() == "text" || kind.subtype() == "javascript";
                let kind = if text { format!("{kind}; charset=utf-8") } else { kind.to_string() };
                let file = Asset {
                    plain: bytes(&name)?,
                    gzip: bytes(&format!("{name}.gz")),
                    brotli: bytes(&format!("{name}.br")),
                    kind: HeaderValue::from_str(&kind).ok()?,
                };
                Some((name.into_owned(), Arc::new(file)))
            })
            .collect();
        Self { manifest, assets }
    }

    /// Answers with a file, its name holding its hash.
    fn respond(&self, name: &str, request: &HttpRequest, cache_control: &'static str) -> Option<HttpResponse> {
        let file = self.assets.get(name)?;
        let accepted =
            request.headers().get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
        let (body, encoding) = match (&file.brotli, &file.gzip) {
            (Some(bytes), _) if accepts(accepted, "br") => (bytes, Some("br")),
            (_, Some(bytes)) if accepts(accepted, "gzip") => (bytes, Some("gzip")),
            _ => (&file.plain, None),
        };
        let mut response = HttpResponse::Ok();
        response
            .insert_header((header::CONTENT_TYPE, file.kind.clone()))
            .insert_header((header::CACHE_CONTROL, HeaderValue::from_static(cache_control)))
            .insert_header((header::VARY, HeaderValue::from_static("Accept-Encoding")));
        if let Some(encoding) = encoding {
            response.insert_header((header::CONTENT_ENCODING, HeaderValue::from_static(encoding)));
        }
        Some(response.body(body.clone()))
    }
}

/// Files with a hash in their name: kept by browsers for ever.
#[get("/assets/{name:.*}")]
pub(crate) async fn asset(
    app: Data<App>,
    name: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    app.web_app
        .respond(&format!("assets/{name}"), &request, "public, max-age=31536000, immutable")
        .ok_or_else(|| ApiError::not_found("file"))
}

/// The site's icon: the mark, as the covers' hand draws it.
#[get("/favicon.svg")]
pub(crate) async fn icon(app: Data<App>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")))
        .insert_header((header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400")))
        .body(artwork::mark(&app.config.site.name))
}

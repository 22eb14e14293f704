//! The built web app: its files, and the manifest that lists which of them a page needs.
//!
//! A release binary embeds the files; a debug build reads `frontend/dist` at start.

use std::{collections::HashMap, sync::LazyLock};

use bytes::Bytes;
use cache::accepts;
use rust_embed::RustEmbed;

use crate::manifest::Manifest;

#[derive(RustEmbed)]
#[folder = "../../frontend/dist"]
#[allow_missing = true]
struct Dist;

/// A file of the web app, with its compressed versions if the build made any.
#[derive(Debug)]
pub struct Asset {
    plain: Bytes,
    gzip: Option<Bytes>,
    brotli: Option<Bytes>,
    pub content_type: String,
}

impl Asset {
    /// The smallest version that a client with this `Accept-Encoding` accepts: the bytes, and their content coding (`None` for
    /// the uncompressed file).
    pub fn form_for(&self, accept_encoding: &str) -> (&Bytes, Option<&'static str>) {
        match (&self.brotli, &self.gzip) {
            (Some(bytes), _) if accepts(accept_encoding, "br") => (bytes, Some("br")),
            (_, Some(bytes)) if accepts(accept_encoding, "gzip") => (bytes, Some("gzip")),
            _ => (&self.plain, None),
        }
    }
}

/// The files of the web app, in memory.
pub struct WebApp {
    pub manifest: Manifest,
    assets: HashMap<String, Asset>,
}

impl std::fmt::Debug for WebApp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebApp").field("files", &self.assets.len()).finish_non_exhaustive()
    }
}

impl WebApp {
    /// The files, read once per process: a debug build hashes each of them, and the tests start hundreds of servers.
    pub fn shared() -> &'static Self {
        static FILES: LazyLock<WebApp> = LazyLock::new(WebApp::load);
        &FILES
    }

    /// Reads the files. When the web app is not built, pages are served without scripts and styles.
    fn load() -> Self {
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
                    content_type: kind,
                };
                Some((name.into_owned(), file))
            })
            .collect();
        Self { manifest, assets }
    }

    /// The service worker. It must be served at the root of the site, so that every page is in its scope.
    pub fn service_worker(&self) -> Option<&Asset> {
        self.assets.get("sw.js")
    }

    /// A file in the folder `assets`. Its name contains a hash of its content.
    pub fn asset(&self, name: &str) -> Option<&Asset> {
        self.assets.get(&format!("assets/{name}"))
    }
}

//! Covers and other files, in an object store.
//!
//! A key holds a hash of what lies under it, so what an address answers never changes and may be kept for ever.

use std::{fs, io::ErrorKind, path::Path as FsPath, sync::Arc};

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::{self, HeaderValue},
    web::Data,
};
use anyhow::Context;
use object_store::{GetResult, ObjectStore, ObjectStoreExt, PutOptions, local::LocalFileSystem, path::Path};
use sha2::{Digest, Sha256};

use crate::{
    app::App,
    cache::{Encoding, accepts},
    error::ApiError,
    extract,
};

const SVG: &str = "image/svg+xml";
/// The compressed forms of a drawing, the smaller one first.
const ENCODINGS: [Encoding; 2] = [Encoding::Brotli, Encoding::Gzip];

/// The object store and the addresses of what is in it.
#[derive(Debug)]
pub struct Media {
    store: Arc<dyn ObjectStore>,
}

impl Media {
    /// A store in a folder of the data folder.
    pub fn new(home: &FsPath) -> anyhow::Result<Self> {
        let folder = home.join("media");
        fs::create_dir_all(&folder).with_context(|| format!("PITH_HOME: {} can't be made", folder.display()))?;
        let store = LocalFileSystem::new_with_prefix(&folder)
            .with_context(|| format!("PITH_HOME: {} can't be used", folder.display()))?
            .with_automatic_cleanup(true);
        Ok(Self { store: Arc::new(store) })
    }

    /// Puts bytes under a key with their hash in it: `covers/walden.svg` becomes `covers/walden-1a2b3c4d.svg`.
    /// Gives the key. Putting the same again changes nothing.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<String> {
        let hash = hex::encode(&Sha256::digest(&bytes)[..6]);
        let (stem, ending) = name.rsplit_once('.').context("a file's name has an ending")?;
        let key = format!("{stem}-{hash}.{ending}");
        let path = Path::parse(&key)?;
        if self.store.head(&path).await.is_err() {
            if ending == "svg" {
                // Compressed once, here, and not at each request. The picture itself comes last: once it is there,
                // the others are.
                for encoding in ENCODINGS {
                    if let Some(compressed) = encoding.compress(&bytes) {
                        let path = Path::parse(format!("{key}.{}", encoding.ending()))?;
                        self.store.put_opts(&path, compressed.into(), PutOptions::default()).await?;
                    }
                }
            }
            self.store.put_opts(&path, bytes.into(), PutOptions::default()).await?;
        }
        Ok(key)
    }

    /// What lies under a key, compressed in a way that the client takes where there is such a form.
    async fn get(&self, key: &str, kind: &str, accepted: &str) -> object_store::Result<(GetResult, Option<Encoding>)> {
        for encoding in ENCODINGS.into_iter().filter(|encoding| kind == SVG && accepts(accepted, encoding.name())) {
            let path = Path::parse(format!("{key}.{}", encoding.ending()))?;
            if let Ok(found) = self.store.get(&path).await {
                return Ok((found, Some(encoding)));
            }
        }
        // The store's own parser refuses what climbs out of it.
        let found = self.store.get(&Path::parse(key)?).await?;
        Ok((found, None))
    }

    /// The address at which a browser fetches a key.
    pub fn address(key: &str) -> String {
        format!("/media/{key}")
    }
}

/// Pictures that anybody may see.
#[get("/media/{key:.*}")]
pub(crate) async fn serve(
    app: Data<App>,
    key: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Some(kind) = public_kind(key.as_str()) else { return Err(ApiError::not_found("file")) };
    let accepted = request.headers().get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    let (found, encoding) = match app.media.get(key.as_str(), kind, accepted).await {
        Ok(found) => found,
        Err(object_store::Error::NotFound { .. } | object_store::Error::InvalidPath { .. }) => {
            return Err(ApiError::not_found("file"));
        }
        Err(error) if names_nothing(&error) => return Err(ApiError::not_found("file")),
        Err(error) => return Err(ApiError::internal(error)),
    };
    // Each address has one content for ever: its name is its tag.
    let etag = format!("W/\"{}\"", key.as_str().rsplit(['-', '/']).next().unwrap_or_default());
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, HeaderValue::from_static(kind)))
        .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
        // A picture is a picture: nothing in an SVG runs or fetches, also when it is opened by itself.
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox"));
    if kind == SVG {
        response.insert_header((header::VARY, HeaderValue::from_static("Accept-Encoding")));
    }
    if let Some(encoding) = encoding {
        response.insert_header((header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name())));
    }
    if let Ok(tag) = HeaderValue::from_str(&etag) {
        if request.headers().get(header::IF_NONE_MATCH) == Some(&tag) {
            return Ok(response.status(actix_web::http::StatusCode::NOT_MODIFIED).finish());
        }
        response.insert_header((header::ETAG, tag));
    }
    let size = found.meta.size;
    Ok(response.no_chunking(size).streaming(found.into_stream()))
}

/// Whether a file system's failure says that no file can have this name: a file in the place of a folder, a name that
/// is too long. An object store of another kind has no such failures.
fn names_nothing(error: &object_store::Error) -> bool {
    let mut causes = std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.any(|cause| {
        let kind = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        matches!(kind, Some(ErrorKind::NotADirectory | ErrorKind::InvalidFilename | ErrorKind::IsADirectory))
    })
}

/// The content type of what may be served to anybody; what is for members only has its own way.
fn public_kind(key: &str) -> Option<&'static str> {
    let (folder, name) = key.split_once('/')?;
    if !matches!(folder, "covers" | "categories" | "authors") {
        return None;
    }
    match name.rsplit_once('.')?.1 {
        "svg" => Some(SVG),
        "jpg" | "jpeg" => Some("image/jpeg"),
        "png" => Some("image/png"),
        "webp" => Some("image/webp"),
        "avif" => Some("image/avif"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::public_kind;

    #[test]
    fn only_pictures_of_known_folders_are_public() {
        assert_eq!(public_kind("covers/walden-1a.svg"), Some("image/svg+xml"));
        assert_eq!(public_kind("audio/walden.mp3"), None);
        assert_eq!(public_kind("covers/walden.html"), None);
        assert_eq!(public_kind("secret"), None);
    }
}

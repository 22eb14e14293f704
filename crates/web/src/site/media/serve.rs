//! `/media/…`: files and byte ranges, public or with a presigned URL.

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder, get,
    http::{
        StatusCode,
        header::{self, HeaderName},
    },
    web::Data,
};

use ::cache::accepts;
use media::{
    Audience, ENCODINGS, Encoding, Kind, Media, MediaError, StoredFile,
    disposition::disposition,
    is_drawing, place_of,
    range::{RequestedRange, if_range_holds, is_not_modified, parse_range},
};

use crate::{
    app::App,
    extract,
    http::error::{ApiError, Code},
    middleware::IsHead,
};

/// Blocks scripts and other requests when a file is opened as a document.
const CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; sandbox";
/// The content under a URL never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// `GET /media/{key}`: a file, or a byte range of it.
#[get("/media/{key:.*}")]
pub(crate) async fn serve(
    app: Data<App>,
    key: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let key = key.as_str();
    let Some((folder, kind)) = place_of(key) else { return Err(ApiError::not_found("file")) };
    let cache_control = match folder.audience {
        Audience::Public => FOR_EVER.to_owned(),
        Audience::Signed => presigned_cache_control(&app, key, &request).await?,
    };
    let file = File { key, kind, cache_control: &cache_control, is_public: folder.audience == Audience::Public };
    if let Some(answer) = file.answer(&app.media, &request).await? {
        return Ok(answer);
    }
    // A rendition of a drawing is made at its first request.
    let made = app.media.make_form(key).await.or_else(nothing_made)?;
    let answer = if made { file.answer(&app.media, &request).await? } else { None };
    answer.ok_or_else(|| ApiError::not_found("file"))
}

/// The `Cache-Control` of a file with a presigned URL; an error when the URL is invalid or has expired.
async fn presigned_cache_control(app: &App, key: &str, request: &HttpRequest) -> Result<String, ApiError> {
    let now = app.env.now();
    let expires_at = app.signer().await?.verify(key, request.query_string(), now);
    let expires_at = expires_at.ok_or_else(|| ApiError::new(Code::Forbidden, "This link is no longer valid."))?;
    Ok(format!("private, max-age={}", expires_at.since(now) / 1000))
}

/// A file that the client may fetch.
#[derive(Debug)]
pub(super) struct File<'a> {
    pub(super) key: &'a str,
    pub(super) kind: Kind,
    pub(super) cache_control: &'a str,
    /// Whether pages of other sites may embed it.
    pub(super) is_public: bool,
}

impl File<'_> {
    /// Responds with the file in the requested content coding and range; `None` when it does not exist.
    pub(super) async fn answer(&self, media: &Media, request: &HttpRequest) -> Result<Option<HttpResponse>, ApiError> {
        // A range applies only to GET, and only to the same version of the file (`If-Range`).
        let range = header_of(request, header::RANGE)
            .filter(|_| request.extensions().get::<IsHead>().is_none())
            .filter(|_| header_of(request, header::IF_RANGE).is_none_or(|tag| if_range_holds(tag, &self.tag(None))));
        let range = match range {
            None => RequestedRange::Whole,
            Some(range) => {
                let Some(size) = media.size(self.key).await? else { return Ok(None) };
                match parse_range(range, size) {
                    RequestedRange::Unsatisfiable => return Ok(Some(self.unsatisfiable(size))),
                    range => range,
                }
            }
        };
        // `206` also when the range is the whole file: after `200`, a player would assume that it can't seek.
        let is_partial = range != RequestedRange::Whole;
        let (found, encoding) = self.read(media, range, request).await?;
        Ok(found.map(|found| self.respond(request, found, encoding, is_partial)))
    }

    fn respond(
        &self,
        request: &HttpRequest,
        found: StoredFile,
        encoding: Option<Encoding>,
        is_partial: bool,
    ) -> HttpResponse {
        let tag = self.tag(encoding);
        let is_unchanged = header_of(request, header::IF_NONE_MATCH).is_some_and(|sent| is_not_modified(sent, &tag));
        let mut response = self.head(request);
        response.insert_header((header::ETAG, tag));
        if let Some(encoding) = encoding {
            response.insert_header((header::CONTENT_ENCODING, encoding.name()));
        }
        if is_unchanged {
            response.status(StatusCode::NOT_MODIFIED).finish()
        } else {
            body(response, found, is_partial)
        }
    }

    /// The strong `ETag`: the last part of the key, which contains the hash of the content.
    fn tag(&self, encoding: Option<Encoding>) -> String {
        let name = self.key.rsplit(['-', '/']).next().unwrap_or_default();
        encoding.map_or_else(|| format!("\"{name}\""), |encoding| format!("\"{name}.{}\"", encoding.ending()))
    }

    fn head(&self, request: &HttpRequest) -> HttpResponseBuilder {
        let mut response = HttpResponse::Ok();
        response
            .insert_header((header::CONTENT_TYPE, self.kind.content_type))
            .insert_header((header::CACHE_CONTROL, self.cache_control))
            .insert_header((header::CONTENT_SECURITY_POLICY, CSP))
            .insert_header((header::ACCEPT_RANGES, "bytes"));
        if self.is_public {
            // Feed readers and link previews embed public files in their own pages.
            response.insert_header((HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"));
        }
        if is_drawing(self.key) {
            response.insert_header((header::VARY, "Accept-Encoding"));
        }
        if let Some(disposition) = disposition(request.query_string(), self.key) {
            response.insert_header((header::CONTENT_DISPOSITION, disposition));
        }
        response
    }

    fn unsatisfiable(&self, size: u64) -> HttpResponse {
        HttpResponse::RangeNotSatisfiable()
            .insert_header((header::CONTENT_RANGE, format!("bytes */{size}")))
            .insert_header((header::ETAG, self.tag(None)))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .finish()
    }

    /// Reads a range, or the whole file: compressed when the client accepts it and a compressed version is stored.
    async fn read(
        &self,
        media: &Media,
        range: RequestedRange,
        request: &HttpRequest,
    ) -> Result<(Option<StoredFile>, Option<Encoding>), ApiError> {
        if let RequestedRange::Part(range) = range {
            return Ok((media.get(self.key, Some(range)).await?, None));
        }
        let accepted = header_of(request, header::ACCEPT_ENCODING).unwrap_or_default();
        for encoding in ENCODINGS.into_iter().filter(|one| is_drawing(self.key) && accepts(accepted, one.name())) {
            if let Some(found) = media.get_compressed(self.key, encoding).await? {
                return Ok((Some(found), Some(encoding)));
            }
        }
        Ok((media.get(self.key, None).await?, None))
    }
}

fn header_of(request: &HttpRequest, name: HeaderName) -> Option<&str> {
    request.headers().get(name).and_then(|value| value.to_str().ok())
}

fn body(mut response: HttpResponseBuilder, found: StoredFile, partial: bool) -> HttpResponse {
    let StoredFile { size, range, stream } = found;
    if partial {
        response.status(StatusCode::PARTIAL_CONTENT);
        response.insert_header((header::CONTENT_RANGE, format!("bytes {}-{}/{size}", range.start, range.end - 1)));
    }
    response.no_chunking(range.end - range.start).streaming(stream)
}

/// Treats a drawing that can't be drawn as one without renditions.
fn nothing_made(error: MediaError) -> Result<bool, ApiError> {
    match error {
        MediaError::Picture(_) => Ok(false),
        error => Err(error.into()),
    }
}

//! `/media/…`: files and parts of files, to whoever may have them.

use std::fmt::Write;

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder, get,
    http::{
        StatusCode,
        header::{self, HeaderName},
    },
    web::Data,
};

use super::{
    Audience, ENCODINGS, Found, Kind, Media, MediaError,
    folders::SVG,
    place_of,
    range::{self, Wanted},
};
use crate::{
    app::App,
    cache::{Encoding, accepts},
    error::{ApiError, Code},
    extract,
    middleware::IsHead,
};

/// Nothing in a file runs or fetches, also when it is opened by itself.
const CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; sandbox";
/// Each address has one content for ever.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// A file, or a part of it.
#[get("/media/{key:.*}")]
pub(crate) async fn serve(
    app: Data<App>,
    key: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let key = key.as_str();
    let Some((folder, kind)) = place_of(key) else { return Err(ApiError::not_found("file")) };
    let kept = match folder.audience {
        Audience::Public => FOR_EVER.to_owned(),
        Audience::Signed => admitted(&app, key, &request).await?,
    };
    let file = File { key, kind, kept: &kept, is_public: folder.audience == Audience::Public };
    if let Some(answer) = file.answer(&app.media, &request).await? {
        return Ok(answer);
    }
    // A form of a drawing that nobody has wanted yet.
    let made = app.media.make_form(key).await.or_else(nothing_made)?;
    let answer = if made { file.answer(&app.media, &request).await? } else { None };
    answer.ok_or_else(|| ApiError::not_found("file"))
}

/// For how long a signed address's file may be kept; an error when the address is not, or no longer, good.
async fn admitted(app: &App, key: &str, request: &HttpRequest) -> Result<String, ApiError> {
    let now = app.env.now();
    let until = app.signer().await?.admitted(key, request.query_string(), now);
    let until = until.ok_or_else(|| ApiError::new(Code::Forbidden, "This address is not good any more."))?;
    Ok(format!("private, max-age={}", until.since(now) / 1000))
}

/// A file that may be sent to whoever asks.
#[derive(Debug)]
pub(super) struct File<'a> {
    /// Its key.
    pub(super) key: &'a str,
    /// What it is.
    pub(super) kind: Kind,
    /// For how long and by whom it may be kept: a `Cache-Control`.
    pub(super) kept: &'a str,
    /// Whether pages of other sites may show it.
    pub(super) is_public: bool,
}

impl File<'_> {
    /// The file in the form and to the extent that a request wants; `None` when it is not there.
    pub(super) async fn answer(&self, media: &Media, request: &HttpRequest) -> Result<Option<HttpResponse>, ApiError> {
        let header = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
        // Ranges are for GET alone, and count only for the very file of which the client has the other parts.
        let asked = header(header::RANGE)
            .filter(|_| request.extensions().get::<IsHead>().is_none())
            .filter(|_| header(header::IF_RANGE).is_none_or(|tag| range::if_range_holds(tag, &self.tag(None))));
        let wanted = match asked {
            None => Wanted::Whole,
            Some(asked) => {
                let Some(size) = media.size(self.key).await.or_else(nothing)? else { return Ok(None) };
                match range::wanted(asked, size) {
                    Wanted::Nothing => return Ok(Some(self.no_such_part(size))),
                    wanted => wanted,
                }
            }
        };
        // Also when the part is all there is: to a player `200` would say that it can't jump.
        let partial = wanted != Wanted::Whole;
        let (found, encoding) = match wanted {
            Wanted::Part(range) => (media.get(self.key, Some(range)).await.or_else(nothing)?, None),
            Wanted::Whole | Wanted::Nothing => {
                self.best_form(media, header(header::ACCEPT_ENCODING).unwrap_or_default()).await?
            }
        };
        let Some(found) = found else { return Ok(None) };
        let tag = self.tag(encoding);
        let known = header(header::IF_NONE_MATCH).is_some_and(|sent| range::is_known(sent, &tag));
        let mut response = self.head(request);
        response.insert_header((header::ETAG, tag));
        if let Some(encoding) = encoding {
            response.insert_header((header::CONTENT_ENCODING, encoding.name()));
        }
        if known {
            return Ok(Some(response.status(StatusCode::NOT_MODIFIED).finish()));
        }
        Ok(Some(body(response, found, partial)))
    }

    /// A strong tag: a key's last part holds the hash of its content.
    fn tag(&self, encoding: Option<Encoding>) -> String {
        let name = self.key.rsplit(['-', '/']).next().unwrap_or_default();
        encoding.map_or_else(|| format!("\"{name}\""), |encoding| format!("\"{name}.{}\"", encoding.ending()))
    }

    fn head(&self, request: &HttpRequest) -> HttpResponseBuilder {
        let mut response = HttpResponse::Ok();
        response
            .insert_header((header::CONTENT_TYPE, self.kind.content_type))
            .insert_header((header::CACHE_CONTROL, self.kept))
            .insert_header((header::CONTENT_SECURITY_POLICY, CSP))
            .insert_header((header::ACCEPT_RANGES, "bytes"));
        if self.is_public {
            // Readers of feeds and previews of links show these on pages of their own.
            response.insert_header((HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"));
        }
        if self.kind == SVG {
            response.insert_header((header::VARY, "Accept-Encoding"));
        }
        if let Some(disposition) = disposition(request.query_string(), self.key) {
            response.insert_header((header::CONTENT_DISPOSITION, disposition));
        }
        response
    }

    fn no_such_part(&self, size: u64) -> HttpResponse {
        HttpResponse::RangeNotSatisfiable()
            .insert_header((header::CONTENT_RANGE, format!("bytes */{size}")))
            .insert_header((header::ETAG, self.tag(None)))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .finish()
    }

    /// The whole file, compressed in a way that the client takes where there is such a form.
    async fn best_form(&self, media: &Media, accepted: &str) -> Result<(Option<Found>, Option<Encoding>), ApiError> {
        for encoding in ENCODINGS.into_iter().filter(|one| self.kind == SVG && accepts(accepted, one.name())) {
            if let Some(found) = media.get_compressed(self.key, encoding).await.or_else(nothing)? {
                return Ok((Some(found), Some(encoding)));
            }
        }
        Ok((media.get(self.key, None).await.or_else(nothing)?, None))
    }
}

fn body(mut response: HttpResponseBuilder, found: Found, partial: bool) -> HttpResponse {
    let Found { size, range, stream } = found;
    if partial {
        response.status(StatusCode::PARTIAL_CONTENT);
        response.insert_header((header::CONTENT_RANGE, format!("bytes {}-{}/{size}", range.start, range.end - 1)));
    }
    response.no_chunking(range.end - range.start).streaming(stream)
}

/// A drawing that can't be drawn, or whose name no file can have, has no forms.
fn nothing_made(error: MediaError) -> Result<bool, ApiError> {
    match error {
        MediaError::Picture(_) => Ok(false),
        error if error.names_nothing() => Ok(false),
        error => Err(error.into()),
    }
}

/// A file system's way to say that no file can have this name (a file stands in the place of a folder) is an absence.
fn nothing<T>(error: MediaError) -> Result<Option<T>, ApiError> {
    if error.names_nothing() { Ok(None) } else { Err(error.into()) }
}

/// What makes a browser save a file instead of showing it, under the name that `?download=` gives. The ending is the
/// file's own: an address of ours never makes a program of a picture.
fn disposition(query: &str, key: &str) -> Option<String> {
    let given = query.split('&').find_map(|pair| match pair.split_once('=') {
        Some(("download", value)) => Some(value),
        None if pair == "download" => Some(""),
        _ => None,
    })?;
    let given = url::form_urlencoded::parse(format!("n={given}").as_bytes()).next().map(|(_, name)| name.into_owned());
    let (stem, ending) = key.rsplit('/').next()?.rsplit_once('.')?;
    let own = stem.rsplit_once('-').map_or(stem, |(name, _hash)| name);
    Some(attachment(&given.unwrap_or_default(), own, ending))
}

/// A `Content-Disposition` for a file to be saved (RFC 6266): `name` with the ending that the file has, or `otherwise`
/// when there is nothing in it that a file's name may hold.
pub(crate) fn attachment(name: &str, otherwise: &str, ending: &str) -> String {
    let name = name.trim().strip_suffix(&format!(".{ending}")).unwrap_or(name);
    let name: String =
        name.chars().map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { ' ' } else { c }).take(120).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_matches(['.', ' ']);
    let name = if name.is_empty() { otherwise } else { name };
    let plain: String = name.chars().map(|c| if c.is_ascii() && c != '%' { c } else { '_' }).collect();
    let mut exact = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            exact.push(char::from(byte));
        } else {
            let _ = write!(exact, "%{byte:02X}");
        }
    }
    format!("attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{exact}.{ending}")
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn a_file_is_saved_under_a_name_that_is_safe_and_keeps_its_ending() {
        let key = "documents/walden-1a2b.pdf";
        for (query, name) in [
            ("download", "walden.pdf"),
            ("download=", "walden.pdf"),
            ("for=0&download=Walden", "Walden.pdf"),
            ("download=Walden.pdf", "Walden.pdf"),
            ("download=setup.exe", "setup.exe.pdf"),
            ("download=..%2F..%2Fetc%2Fpasswd", "etc passwd.pdf"),
            ("download=a%0D%0AX-Evil:%201", "a X-Evil 1.pdf"),
            ("download=%22%22", "walden.pdf"),
        ] {
            let header = disposition(query, key).unwrap();
            assert!(header.starts_with(&format!("attachment; filename=\"{name}\"; ")), "{query}: {header}");
            assert!(HeaderValue::from_str(&header).is_ok());
        }
        assert_eq!(disposition("for=0&until=1", key), None);
        assert_eq!(
            disposition("download=Caf%C3%A9+100%25", key).unwrap(),
            "attachment; filename=\"Caf_ 100_.pdf\"; filename*=UTF-8''Caf%C3%A9%20100%25.pdf"
        );
    }
}

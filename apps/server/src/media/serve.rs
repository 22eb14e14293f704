//! `/media/…`: files and parts of files, to whoever may have them.

use std::fmt::Write;

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder, get,
    http::{
        StatusCode,
        header::{self, HeaderName, HeaderValue},
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
    let cached = match folder.audience {
        Audience::Public => FOR_EVER.to_owned(),
        Audience::Signed => admitted(&app, key, &request).await?,
    };
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, cached));
    if folder.audience == Audience::Public {
        // Readers of feeds and previews of links show these on pages of their own.
        response.insert_header((HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"));
    }
    answer(&app.media, key, kind, &request, response).await
}

/// For how long a signed address's file may be kept; an error when the address is not, or no longer, good.
async fn admitted(app: &App, key: &str, request: &HttpRequest) -> Result<String, ApiError> {
    let now = app.env.now();
    let until = app.signer().await?.admitted(key, request.query_string(), now);
    let until = until.ok_or_else(|| ApiError::new(Code::Forbidden, "This address is not good any more."))?;
    Ok(format!("private, max-age={}", until.since(now) / 1000))
}

/// Answers with a file in the form and to the extent that the request wants.
pub(super) async fn answer(
    media: &Media,
    key: &str,
    kind: Kind,
    request: &HttpRequest,
    mut response: HttpResponseBuilder,
) -> Result<HttpResponse, ApiError> {
    let header = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    // A key's last part holds the hash of its content.
    let name = key.rsplit(['-', '/']).next().unwrap_or_default();
    let whole_tag = format!("\"{name}\"");
    response
        .insert_header((header::CONTENT_TYPE, HeaderValue::from_static(kind.content_type)))
        .insert_header((header::CONTENT_SECURITY_POLICY, CSP))
        .insert_header((header::ACCEPT_RANGES, "bytes"));
    if kind == SVG {
        response.insert_header((header::VARY, "Accept-Encoding"));
    }
    if let Some(disposition) = disposition(request.query_string(), key) {
        response.insert_header((header::CONTENT_DISPOSITION, disposition));
    }
    // Ranges are for GET alone, and count only for the very file of which the client has the other parts.
    let asked = header(header::RANGE)
        .filter(|_| request.extensions().get::<IsHead>().is_none())
        .filter(|_| header(header::IF_RANGE).is_none_or(|tag| range::if_range_holds(tag, &whole_tag)));
    let not_found = || ApiError::not_found("file");
    let mut wanted = Wanted::Whole;
    if let Some(asked) = asked {
        let size = media.size(key).await.or_else(nothing)?.ok_or_else(not_found)?;
        wanted = range::wanted(asked, size);
        if wanted == Wanted::Nothing {
            response.insert_header((header::CONTENT_RANGE, format!("bytes */{size}")));
            response.insert_header((header::CACHE_CONTROL, "no-store"));
            return Ok(response.status(StatusCode::RANGE_NOT_SATISFIABLE).finish());
        }
    }
    // Also when the part is all there is: to a player `200` would say that it can't jump.
    let partial = wanted != Wanted::Whole;
    let (found, encoding) = match wanted {
        Wanted::Part(range) => (media.get(key, Some(range)).await.or_else(nothing)?, None),
        Wanted::Whole | Wanted::Nothing => {
            best_form(media, key, kind, header(header::ACCEPT_ENCODING).unwrap_or_default()).await?
        }
    };
    let found = found.ok_or_else(not_found)?;
    let tag = match encoding {
        Some(encoding) => {
            response.insert_header((header::CONTENT_ENCODING, encoding.name()));
            format!("\"{name}.{}\"", encoding.ending())
        }
        None => whole_tag,
    };
    let known = header(header::IF_NONE_MATCH).is_some_and(|sent| range::is_known(sent, &tag));
    response.insert_header((header::ETAG, tag));
    if known {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    Ok(body(response, found, partial))
}

fn body(mut response: HttpResponseBuilder, found: Found, partial: bool) -> HttpResponse {
    let Found { size, range, stream } = found;
    let length = range.end - range.start;
    if partial {
        response.status(StatusCode::PARTIAL_CONTENT);
        response.insert_header((header::CONTENT_RANGE, format!("bytes {}-{}/{size}", range.start, range.end - 1)));
    }
    response.no_chunking(length).streaming(stream)
}

/// The whole file, compressed in a way that the client takes where there is such a form.
async fn best_form(
    media: &Media,
    key: &str,
    kind: Kind,
    accepted: &str,
) -> Result<(Option<Found>, Option<Encoding>), ApiError> {
    for encoding in ENCODINGS.into_iter().filter(|encoding| kind == SVG && accepts(accepted, encoding.name())) {
        if let Some(found) = media.get_compressed(key, encoding).await.or_else(nothing)? {
            return Ok((Some(found), Some(encoding)));
        }
    }
    Ok((media.get(key, None).await.or_else(nothing)?, None))
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

//! Cached responses over HTTP: one helper for handlers, conditional requests, content codings.

use std::borrow::Cow;

use ::cache::{Cacheable, Encoded, Scope};
use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderValue},
    },
};
use identity::Claims;
use kernel::Timestamp;
use serde::Serialize;
use url::form_urlencoded;

use crate::{
    app::App,
    http::{error::ApiError, wire::Answer},
};

/// The content type of JSON.
pub const JSON: &str = "application/json";
/// The content type of pages.
pub const HTML: &str = "text/html; charset=utf-8";

/// A browser may store a public response, and revalidates it each time: an unchanged one costs a `304`.
const REVALIDATE: &str = "no-cache";
/// A member's response is stored nowhere else.
const PRIVATE: &str = "private, no-store";

/// The query of a request as far as it names these parameters, in a fixed order and encoding. Two requests that ask for the
/// same have the same text; what the call does not read is no part of it.
pub fn normalised_query(request: &HttpRequest, parameters: &[&str]) -> String {
    let mut pairs: Vec<_> = form_urlencoded::parse(request.query_string().as_bytes())
        .filter(|(name, _)| parameters.contains(&&**name))
        .collect();
    pairs.sort();
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// The key of a cached response: the path as routes see it, and the parameters that the call reads. It must name them all.
/// A path without them is borrowed.
pub fn cache_key<'a>(request: &'a HttpRequest, parameters: &[&str]) -> Cow<'a, str> {
    let path = request.match_info().as_str();
    if parameters.is_empty() || request.query_string().is_empty() {
        return Cow::Borrowed(path);
    }
    let query = normalised_query(request, parameters);
    if query.is_empty() { Cow::Borrowed(path) } else { Cow::Owned(format!("{path}?{query}")) }
}

/// The same address with another value of one parameter. Of the others those stay that the page reads: it is cached for
/// every client that asks for the same.
pub(crate) fn with_parameter(request: &HttpRequest, parameters: &[&str], name: &str, value: &str) -> String {
    let others: Vec<&str> = parameters.iter().copied().filter(|other| *other != name).collect();
    let mut query = form_urlencoded::Serializer::new(normalised_query(request, &others));
    format!("{}?{}", request.path(), query.append_pair(name, value).finish())
}

/// Responds from the cache, or with what `make` returns and until when it is valid. `parameters` are those of the query
/// that the call reads. A visitor's response is compressed, a member's is not.
pub async fn cached<T: Serialize>(
    app: &App,
    viewer: Option<&Claims>,
    request: &HttpRequest,
    parameters: &[&str],
    make: impl AsyncFnOnce() -> Result<(T, Option<Timestamp>), ApiError>,
) -> Result<HttpResponse, ApiError> {
    cached_within(app, viewer, request, parameters, async || {
        let (result, right_until) = make().await?;
        Ok((result, right_until, Scope::Lists))
    })
    .await
}

/// [`cached`], for a response that is made of the scope that `make` returns.
pub async fn cached_within<T: Serialize>(
    app: &App,
    viewer: Option<&Claims>,
    request: &HttpRequest,
    parameters: &[&str],
    make: impl AsyncFnOnce() -> Result<(T, Option<Timestamp>, Scope), ApiError>,
) -> Result<HttpResponse, ApiError> {
    let policy = if viewer.is_some() { PRIVATE } else { REVALIDATE };
    cached_by(policy, app, viewer, request, parameters, make).await
}

/// [`cached_within`], for a response that no client stores, a visitor's neither: asking for it may record something.
pub async fn cached_unstored<T: Serialize>(
    app: &App,
    viewer: Option<&Claims>,
    request: &HttpRequest,
    parameters: &[&str],
    make: impl AsyncFnOnce() -> Result<(T, Option<Timestamp>, Scope), ApiError>,
) -> Result<HttpResponse, ApiError> {
    cached_by(PRIVATE, app, viewer, request, parameters, make).await
}

async fn cached_by<T: Serialize>(
    policy: &'static str,
    app: &App,
    viewer: Option<&Claims>,
    request: &HttpRequest,
    parameters: &[&str],
    make: impl AsyncFnOnce() -> Result<(T, Option<Timestamp>, Scope), ApiError>,
) -> Result<HttpResponse, ApiError> {
    let reader = viewer.map(|claims| claims.user);
    let mut key = cache_key(request, parameters);
    if let Some(claims) = viewer {
        // Two sessions of a member may have different roles, and the response shows the role.
        key = Cow::Owned([claims.role.as_str(), " ", &key].concat());
    }
    let response = app.responses.get_or_make::<ApiError>(reader, &key, app.env.now(), async || {
        // On the heap, and only when the cache has nothing: what builds a response is large, what finds one is not.
        let (result, valid_until, scope) = Box::pin(make()).await?;
        let bytes = json_bytes(&Answer::new(result))?;
        let encoded = if reader.is_some() { Encoded::personal(bytes, JSON) } else { Encoded::public(bytes, JSON) };
        Ok(Cacheable { encoded, valid_until, scope })
    });
    let encoded = response.await?;
    Ok(respond(&encoded, request, StatusCode::OK, policy))
}

/// JSON as the bytes of a response.
fn json_bytes(value: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(value).map_err(ApiError::internal)
}

/// Responds to a request with these bytes: `304` when the client has them, otherwise in the best content coding that it
/// accepts.
pub fn respond(
    encoded: &Encoded,
    request: &HttpRequest,
    status: StatusCode,
    cache_control: &'static str,
) -> HttpResponse {
    let sent = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let is_unchanged = status.is_success() && sent(header::IF_NONE_MATCH).is_some_and(|tags| encoded.matches(tags));
    let mut response = HttpResponse::build(if is_unchanged { StatusCode::NOT_MODIFIED } else { status });
    response
        .insert_header((header::ETAG, encoded.etag()))
        .insert_header((header::CACHE_CONTROL, cache_control))
        .insert_header((header::VARY, "Accept-Encoding, Authorization"));
    if is_unchanged {
        return response.finish();
    }
    response.insert_header((header::CONTENT_TYPE, encoded.content_type()));
    let (body, coding) = encoded.form_for(sent(header::ACCEPT_ENCODING).unwrap_or_default());
    if let Some(coding) = coding {
        response.insert_header((header::CONTENT_ENCODING, coding));
    }
    response.body(body.clone())
}

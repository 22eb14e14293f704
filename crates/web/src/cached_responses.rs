//! Cached responses over HTTP: helpers for handlers, conditional requests, content codings.

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

/// `Cache-Control` of public responses: a browser may store them, but revalidates each time. An unchanged one costs a `304`.
const REVALIDATE: &str = "no-cache";
/// `Cache-Control` of members' responses: neither browsers nor proxies store them.
const PRIVATE: &str = "private, no-store";

/// Normalises a query for cache keys: only these parameters, in a fixed order and encoding. Equivalent queries give the same
/// text.
pub fn normalised_query(request: &HttpRequest, parameters: &[&str]) -> String {
    let mut pairs: Vec<_> = form_urlencoded::parse(request.query_string().as_bytes())
        .filter(|(name, _)| parameters.contains(&&**name))
        .collect();
    pairs.sort();
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// The key of a cached response: the routed path and the query. `parameters` must name all that the handler reads. Borrowed
/// when the query has none of them.
pub fn cache_key<'a>(request: &'a HttpRequest, parameters: &[&str]) -> Cow<'a, str> {
    let path = request.match_info().as_str();
    if parameters.is_empty() || request.query_string().is_empty() {
        return Cow::Borrowed(path);
    }
    let query = normalised_query(request, parameters);
    if query.is_empty() { Cow::Borrowed(path) } else { Cow::Owned(format!("{path}?{query}")) }
}

/// The request's URL with another value of one parameter. Of the other parameters, only those in `parameters` stay: the page
/// is cached and must not contain one client's extra parameters.
pub(crate) fn with_parameter(request: &HttpRequest, parameters: &[&str], name: &str, value: &str) -> String {
    let others: Vec<&str> = parameters.iter().copied().filter(|other| *other != name).collect();
    let mut query = form_urlencoded::Serializer::new(normalised_query(request, &others));
    format!("{}?{}", request.path(), query.append_pair(name, value).finish())
}

/// Responds from the cache, or calls `make`, which returns the result and its expiry (`None`: valid until it is invalidated).
/// `parameters` are the query parameters that the handler reads. Only visitors' responses are compressed.
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

/// [`cached`] with a [`Scope`]: `make` returns which changes invalidate the response.
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

/// [`cached_within`] for a response that no client may store, not even a visitor's: requesting it may record a view.
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
        // A response may depend on the role, and two sessions of a member may have different roles.
        key = Cow::Owned([claims.role.as_str(), " ", &key].concat());
    }
    let response = app.responses.get_or_make::<ApiError>(reader, &key, app.env.now(), async || {
        // Boxed, and only on a cache miss: the future that builds a response is large.
        let (result, valid_until, scope) = Box::pin(make()).await?;
        let bytes = json_bytes(&Answer::new(result))?;
        let encoded = if reader.is_some() { Encoded::personal(bytes, JSON) } else { Encoded::public(bytes, JSON) };
        Ok(Cacheable { encoded, valid_until, scope })
    });
    let encoded = response.await?;
    Ok(respond(&encoded, request, StatusCode::OK, policy))
}

fn json_bytes(value: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(value).map_err(ApiError::internal)
}

/// Responds with `304` when the client's `ETag` matches, otherwise with the bytes in the best content coding that it accepts.
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

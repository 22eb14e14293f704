//! Extractors of bodies, paths and queries, with limits on size and time.

use std::{
    future::{Future, Ready, ready},
    ops::Deref,
    pin::Pin,
    time::Duration,
};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::{StatusCode, header},
    web::{self, BytesMut},
};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;
use url::form_urlencoded;

use crate::http::{
    error::{ApiError, Code},
    storable_text,
};

/// The maximum size of a body, in bytes.
const BODY_LIMIT: usize = 64 * 1024;
/// The maximum size of an editor's JSON body, in bytes.
const LARGE_BODY_LIMIT: usize = 2 * 1024 * 1024;
/// Timeout for receiving a body.
const BODY_DEADLINE: Duration = Duration::from_secs(30);

/// A JSON body of at most 64 kB.
#[derive(Debug)]
pub struct Body<T>(pub T);

/// A JSON body of an editor, with long texts: at most 2 MB.
#[derive(Debug)]
pub struct LargeBody<T>(pub T);

/// The fields of an HTML form.
#[derive(Debug)]
pub struct Form<T>(pub T);

/// A raw body, for signatures that cover its bytes. At most 256 kB.
#[derive(Debug)]
pub struct RawBody(pub web::Bytes);

impl FromRequest for RawBody {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = web::Bytes::from_request(request, payload);
        Box::pin(async move {
            match tokio::time::timeout(BODY_DEADLINE, bytes).await {
                Ok(Ok(bytes)) => Ok(Self(bytes)),
                Ok(Err(error)) if error.as_response_error().status_code() == StatusCode::PAYLOAD_TOO_LARGE => {
                    Err(ApiError::new(Code::PayloadTooLarge, "The body is too large."))
                }
                Ok(Err(_)) => Err(ApiError::new(Code::BadRequest, "The request body was cut off.")),
                Err(_) => Err(ApiError::new(Code::TooSlow, "The body took too long to arrive.")),
            }
        })
    }
}

type Reading<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let json = read_json(request, payload, BODY_LIMIT);
        Box::pin(async move { json.await.map(Self) })
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for LargeBody<T> {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let json = read_json(request, payload, LARGE_BODY_LIMIT);
        Box::pin(async move { json.await.map(Self) })
    }
}

/// Reads a JSON body of at most `limit` bytes.
fn read_json<T: DeserializeOwned + 'static>(request: &HttpRequest, payload: &mut Payload, limit: usize) -> Reading<T> {
    const OTHERWISE: &str = "The body must be JSON (content type application/json).";
    let bytes = read(request, payload, limit, "application/json", OTHERWISE);
    Box::pin(async move {
        let bytes = bytes.await?;
        storable_text::check_json(&bytes)?;
        parse_json(&bytes)
    })
}

/// Parses a JSON body. A missing field and a value of the wrong type are validation errors that name the top-level field, as
/// forms do, and say in the text where in the body it is (`api.field-to-blame`).
fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(bytes).or_else(|error| {
        if !error.is_data() {
            return Err(ApiError::new(Code::BadRequest, "The body is not valid JSON."));
        }
        // Paths are followed only now, so that a valid body costs nothing more.
        let mut json = serde_json::Deserializer::from_slice(bytes);
        serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let cause = error.inner().to_string();
            let path = error.path();
            let mut place = path.iter().filter(|part| !matches!(part, Segment::Enum { .. } | Segment::Unknown));
            match (place.next(), missing_field(&cause)) {
                (Some(Segment::Map { key }), Some(name)) => {
                    ApiError::invalid(key.clone(), format!("Please specify {path}.{name}."))
                }
                (Some(Segment::Map { key }), None) => {
                    ApiError::invalid(key.clone(), format!("The field '{path}' can't be read."))
                }
                (_, Some(name)) => ApiError::invalid(name.to_owned(), format!("Please specify {name}.")),
                (_, None) => {
                    ApiError::new(Code::BadRequest, "The body must be a JSON object with the fields of this call.")
                }
            }
        })
    })
}

/// The field that serde misses, from its message; the path ends at the object that lacks it.
fn missing_field(cause: &str) -> Option<&str> {
    cause.strip_prefix("missing field `")?.split('`').next()
}

impl<T: DeserializeOwned + 'static> FromRequest for Form<T> {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        const KIND: &str = "application/x-www-form-urlencoded";
        let bytes = read(
            request,
            payload,
            BODY_LIMIT,
            KIND,
            "The body must be a form (content type application/x-www-form-urlencoded).",
        );
        Box::pin(async move {
            let unreadable = || ApiError::new(Code::BadRequest, "The form can't be read.");
            let bytes = bytes.await?;
            let text = std::str::from_utf8(&bytes).map_err(|_| unreadable())?;
            storable_text::check_pairs(text)?;
            serde_urlencoded::from_str(text).map(Self).map_err(|_| unreadable())
        })
    }
}

fn read(
    request: &HttpRequest,
    payload: &mut Payload,
    limit: usize,
    kind: &str,
    otherwise: &'static str,
) -> Reading<BytesMut> {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let is_kind = header(header::CONTENT_TYPE)
        .is_some_and(|value| value.split(';').next().is_some_and(|said| said.trim().eq_ignore_ascii_case(kind)));
    let announced: usize = header(header::CONTENT_LENGTH).and_then(|value| value.parse().ok()).unwrap_or(0);
    let mut payload = payload.take();
    Box::pin(async move {
        if !is_kind {
            return Err(ApiError::new(Code::UnsupportedMediaType, otherwise));
        }
        if announced > limit {
            return Err(too_large());
        }
        let read = async {
            let mut bytes = BytesMut::new();
            while let Some(chunk) = payload.next().await {
                let chunk = chunk.map_err(|_| ApiError::new(Code::BadRequest, "The request body was cut off."))?;
                if bytes.len() + chunk.len() > limit {
                    return Err(too_large());
                }
                bytes.extend_from_slice(&chunk);
            }
            Ok(bytes)
        };
        tokio::time::timeout(BODY_DEADLINE, read)
            .await
            .map_err(|_| ApiError::new(Code::TooSlow, "The body took too long to arrive."))?
    })
}

/// The query parameters. An invalid one is a validation error that names the parameter.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(T);

impl<T> Query<T> {
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Query<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read_query(request.query_string()).map(Self))
    }
}

fn read_query<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    storable_text::check_pairs(text)?;
    let pairs = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
    serde_path_to_error::deserialize(pairs).map_err(|error| {
        let cause = error.inner().to_string();
        if let Some(name) = missing_field(&cause) {
            return ApiError::invalid(name.to_owned(), format!("Please specify {name}."));
        }
        match parameter_of(error.path(), &cause) {
            Some(name) => {
                let text = format!("The parameter '{name}' can't be read.");
                ApiError::invalid(name, text)
            }
            None => ApiError::new(Code::ValidationFailed, "The query can't be read."),
        }
    })
}

/// The name of the invalid parameter. For a duplicate one, only serde's message has the name.
fn parameter_of(path: &serde_path_to_error::Path, cause: &str) -> Option<String> {
    if let Some(Segment::Map { key }) = path.iter().next() {
        return Some(key.clone());
    }
    cause.strip_prefix("duplicate field `")?.split('`').next().map(str::to_owned)
}

/// A JSON body that may be left out.
#[derive(Debug)]
pub struct OptionalBody<T>(pub Option<T>);

impl<T: DeserializeOwned + 'static> FromRequest for OptionalBody<T> {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let headers = request.headers();
        let is_there = headers.contains_key(header::CONTENT_TYPE)
            || headers.contains_key(header::TRANSFER_ENCODING)
            || headers.get(header::CONTENT_LENGTH).is_some_and(|length| length != "0");
        if !is_there {
            return Box::pin(async { Ok(Self(None)) });
        }
        let body = Body::from_request(request, payload);
        Box::pin(async move { body.await.map(|Body(value)| Self(Some(value))) })
    }
}

fn too_large() -> ApiError {
    ApiError::new(Code::PayloadTooLarge, format!("The body is larger than {} kB.", BODY_LIMIT / 1024))
}

/// The named segments of a path. An invalid one gives `404`.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(T);

impl<T> Path<T> {
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Path<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned> FromRequest for Path<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let read = storable_text::check_path(request.match_info()).and_then(|()| {
            let parts = web::Path::<T>::from_request(request, payload).into_inner();
            parts.map(|parts| Self(parts.into_inner())).map_err(|_| ApiError::not_found("page"))
        });
        ready(read)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;
    use serde::Deserialize;

    use super::{parse_json, read_query};
    use crate::http::error::ApiError;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Sort {
        New,
        Old,
    }

    #[derive(Debug, Deserialize)]
    struct Params {
        sort: Option<Sort>,
        limit: Option<usize>,
        audio: Option<bool>,
        format: String,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Form {
        #[allow(dead_code, reason = "only read")]
        plan_id: String,
        #[serde(default)]
        #[allow(dead_code, reason = "only read")]
        quotes: Vec<Quote>,
    }

    #[derive(Debug, Deserialize)]
    struct Quote {
        #[allow(dead_code, reason = "only read")]
        text: String,
    }

    #[test]
    fn a_field_that_is_missing_or_of_another_type_is_to_blame() {
        for (body, field, text) in [
            ("{}", Some("planId"), "Please specify planId."),
            (r#"{"planId":5}"#, Some("planId"), "The field 'planId' can't be read."),
            (r#"{"planId":"monthly","quotes":5}"#, Some("quotes"), "The field 'quotes' can't be read."),
            (r#"{"planId":"monthly","quotes":["So it is."]}"#, Some("quotes"), "The field 'quotes[0]' can't be read."),
            (r#"{"planId":"monthly","quotes":[{"text":"So"},{}]}"#, Some("quotes"), "Please specify quotes[1].text."),
            (
                r#"{"planId":"monthly","quotes":[{"text":7}]}"#,
                Some("quotes"),
                "The field 'quotes[0].text' can't be read.",
            ),
            ("5", None, "The body must be a JSON object with the fields of this call."),
            (r#"{"planId":"#, None, "The body is not valid JSON."),
            ("planId", None, "The body is not valid JSON."),
        ] {
            let error: ApiError = parse_json::<Form>(body.as_bytes()).expect_err(body);
            let status = if field.is_some() { 422 } else { 400 };
            assert_eq!((error.field(), error.to_string().as_str()), (field, text), "{body}");
            assert_eq!(error.code().status().as_u16(), status, "{body}");
        }
        assert!(parse_json::<Form>(br#"{"planId":"monthly"}"#).is_ok());
    }

    #[actix_web::test]
    async fn a_parameter_that_can_not_be_read_is_named() {
        for (query, field) in [
            ("format=svg&sort=best", "sort"),
            ("format=svg&limit=-1", "limit"),
            ("format=svg&limit=many", "limit"),
            ("format=svg&audio=perhaps", "audio"),
            ("format=svg&audio=", "audio"),
            ("format=svg&sort=new&sort=old", "sort"),
            ("sort=new", "format"),
        ] {
            let response = read_query::<Params>(query).expect_err(query).error_response();
            assert_eq!(response.status().as_u16(), 422, "{query}");
            let body = actix_web::body::to_bytes(response.into_body()).await.unwrap();
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!((&body["code"], &body["field"]), (&"validation_failed".into(), &field.into()), "{query}");
        }
    }

    #[test]
    fn readable_parameters_are_read_and_unknown_ones_are_ignored() {
        let read: Params = read_query("format=a%20b&limit=2&audio=true&sort=old&utm_source=x").unwrap();
        assert!(matches!(read.sort, Some(Sort::Old)));
        assert_eq!((read.limit, read.audio, read.format.as_str()), (Some(2), Some(true), "a b"));
    }
}

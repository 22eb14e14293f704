//! Bodies, paths and queries, read with limits of size and time.

use std::{future::Future, pin::Pin, time::Duration};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header,
    web::{self, BytesMut},
};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;

use crate::error::{ApiError, Code};

/// The most that a body may have, in bytes.
const BODY_LIMIT: usize = 64 * 1024;
/// How long a body may take to arrive.
const BODY_DEADLINE: Duration = Duration::from_secs(30);

/// A JSON body.
#[derive(Debug)]
pub struct Body<T>(pub T);

/// The fields of an HTML form.
#[derive(Debug)]
pub struct Form<T>(pub T);

type Reading<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes =
            read(request, payload, "application/json", "The body must be JSON (content type application/json).");
        Box::pin(async move {
            serde_json::from_slice(&bytes.await?).map(Self).map_err(|error| {
                // What serde says of types and places is for programmers; it repeats at most a piece of their own body.
                ApiError::new(Code::BadRequest, format!("The body can't be read: {error}."))
            })
        })
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Form<T> {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        const KIND: &str = "application/x-www-form-urlencoded";
        let bytes =
            read(request, payload, KIND, "The body must be a form (content type application/x-www-form-urlencoded).");
        Box::pin(async move {
            let unreadable = || ApiError::new(Code::BadRequest, "The form can't be read.");
            let bytes = bytes.await?;
            let text = std::str::from_utf8(&bytes).map_err(|_| unreadable())?;
            web::Query::<T>::from_query(text).map(|fields| Self(fields.into_inner())).map_err(|_| unreadable())
        })
    }
}

/// Reads a body of this kind.
fn read(request: &HttpRequest, payload: &mut Payload, kind: &str, otherwise: &'static str) -> Reading<BytesMut> {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let is_kind = header(header::CONTENT_TYPE)
        .is_some_and(|value| value.split(';').next().is_some_and(|said| said.trim().eq_ignore_ascii_case(kind)));
    let announced: usize = header(header::CONTENT_LENGTH).and_then(|value| value.parse().ok()).unwrap_or(0);
    let mut payload = payload.take();
    Box::pin(async move {
        if !is_kind {
            return Err(ApiError::new(Code::UnsupportedMediaType, otherwise));
        }
        if announced > BODY_LIMIT {
            return Err(too_large());
        }
        let read = async {
            let mut bytes = BytesMut::new();
            while let Some(chunk) = payload.next().await {
                let chunk = chunk.map_err(|_| ApiError::new(Code::BadRequest, "The body broke off."))?;
                if bytes.len() + chunk.len() > BODY_LIMIT {
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

/// How paths and queries that can't be read are answered.
pub fn path_config() -> web::PathConfig {
    web::PathConfig::default().error_handler(|_, _| ApiError::not_found("page").into())
}

/// See [`path_config`].
pub fn query_config() -> web::QueryConfig {
    web::QueryConfig::default()
        .error_handler(|error, _| ApiError::new(Code::BadRequest, format!("The query can't be read: {error}.")).into())
}

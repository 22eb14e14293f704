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

/// The most that a JSON body may have, in bytes.
const BODY_LIMIT: usize = 64 * 1024;
/// How long a body may take to arrive.
const BODY_DEADLINE: Duration = Duration::from_secs(30);

/// A JSON body.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let is_json =
            request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
                value.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
            });
        let announced: usize = request
            .headers()
            .get(header::CONTENT_LENGTH)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.parse().ok())
            .unwrap_or(0);
        let mut payload = payload.take();
        Box::pin(async move {
            if !is_json {
                return Err(ApiError::new(
                    Code::UnsupportedMediaType,
                    "The body must be JSON (content type application/json).",
                ));
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
            let bytes = tokio::time::timeout(BODY_DEADLINE, read)
                .await
                .map_err(|_| ApiError::new(Code::TooSlow, "The body took too long to arrive."))??;
            serde_json::from_slice(&bytes).map(Self).map_err(|error| {
                // What serde says of types and places is for programmers; it repeats at most a piece of their own body.
                ApiError::new(Code::BadRequest, format!("The body can't be read: {error}."))
            })
        })
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

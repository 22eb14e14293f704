//! The HTTP client for providers: bounded in time and size, without redirects.

use std::time::Duration;

use openidconnect::{HttpRequest, HttpResponse, http::Response};
use reqwest::{Client, redirect::Policy};
use tracing::Instrument;

/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The largest response, in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpError {
    /// No response, or not in time.
    #[error("{0}")]
    Failed(String),
    /// The response is larger than the limit.
    #[error("the answer is too large")]
    TooLarge,
    /// The response can't be parsed.
    #[error("{0}")]
    Invalid(String),
}

/// The HTTP client, cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct HttpClient(Client);

impl HttpClient {
    pub(crate) fn new() -> Result<Self, reqwest::Error> {
        let client =
            Client::builder().timeout(TIMEOUT).connect_timeout(TIMEOUT / 2).redirect(Policy::none()).build()?;
        Ok(Self(client))
    }

    /// Sends a request and reads its response.
    pub(crate) async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let host = request.uri().host().unwrap_or_default().to_owned();
        let span =
            tracing::debug_span!(target: "trace", "sign-in provider", otel.kind = "client", server.address = host);
        self.send_in_span(request).instrument(span).await
    }

    async fn send_in_span(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let request = reqwest::Request::try_from(request).map_err(failed)?;
        let mut received = self.0.execute(request).await.map_err(failed)?;
        let mut body = Vec::new();
        while let Some(chunk) = received.chunk().await.map_err(failed)? {
            if body.len() + chunk.len() > MAX_BYTES {
                return Err(HttpError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        let mut response = Response::builder().status(received.status());
        for (name, value) in received.headers() {
            response = response.header(name, value);
        }
        response.body(body).map_err(|error| HttpError::Invalid(error.to_string()))
    }
}

/// The error without the URL, which may carry a secret.
fn failed(error: reqwest::Error) -> HttpError {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(deeper) = cause {
        text = format!("{text}: {deeper}");
        cause = deeper.source();
    }
    HttpError::Failed(text)
}

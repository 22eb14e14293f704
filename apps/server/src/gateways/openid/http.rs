//! The client that speaks to providers: bounded in time and size, and it follows nobody's redirects.

use std::time::Duration;

use openidconnect::{HttpRequest, HttpResponse, http::Response};
use reqwest::{Client, redirect::Policy};

/// The longest that a provider may take for an answer.
const WAIT: Duration = Duration::from_secs(10);
/// The most that an answer may have, in bytes.
const LIMIT: usize = 256 * 1024;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum HttpError {
    /// Nobody answered, or not in time.
    #[error("{0}")]
    Failed(String),
    /// The answer is larger than anything that a provider has to say.
    #[error("the answer is too large")]
    TooLarge,
    /// The answer makes no sense.
    #[error("{0}")]
    Nonsense(String),
}

/// The client.
#[derive(Clone, Debug)]
pub(super) struct Http(Client);

impl Http {
    /// Makes the client.
    pub(super) fn new() -> anyhow::Result<Self> {
        let client = Client::builder().timeout(WAIT).connect_timeout(WAIT / 2).redirect(Policy::none()).build()?;
        Ok(Self(client))
    }

    /// Sends a request and reads its answer.
    pub(super) async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let request = reqwest::Request::try_from(request).map_err(failed)?;
        let mut answer = self.0.execute(request).await.map_err(failed)?;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(failed)? {
            if body.len() + chunk.len() > LIMIT {
                return Err(HttpError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        let mut response = Response::builder().status(answer.status());
        for (name, value) in answer.headers() {
            response = response.header(name, value);
        }
        response.body(body).map_err(|error| HttpError::Nonsense(error.to_string()))
    }
}

/// An address may bear a secret: it does not stand in the error.
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

//! Requests to PayPal: calls, access tokens, `PayPal-Request-Id`, and the mapping of failures.

use std::{sync::Arc, time::Duration};

use billing::gateway::{Decline, GatewayError, IdempotencyKey};
use kernel::{Env, Timestamp};
use reqwest::{Client, Method, RequestBuilder, redirect::Policy};
use serde_json::Value;
use tokio::sync::Mutex;
use tracing::Instrument;

use super::PayPalConfig;
use crate::{
    json::{number, text},
    key::provider_key,
    stripe::SetupError,
};

/// The maximum size of a response, in bytes.
const MAX_BYTES: usize = 1024 * 1024;
/// How long before its expiry an access token is renewed, in milliseconds.
const TOKEN_MARGIN: i64 = 60_000;
/// Issue codes that mean that the payer's account or card was declined.
const DECLINES: [&str; 7] = [
    "INSTRUMENT_DECLINED",
    "PAYER_CANNOT_PAY",
    "PAYER_ACCOUNT_LOCKED_OR_CLOSED",
    "PAYER_ACCOUNT_RESTRICTED",
    "TRANSACTION_REFUSED",
    "TRANSACTION_LIMIT_EXCEEDED",
    "PAYMENT_DENIED",
];

/// The status and body of a response; `Null` without a body.
pub(super) type Answer = (u16, Value);

pub(super) struct PayPalClient {
    http: Client,
    config: PayPalConfig,
    env: Arc<dyn Env>,
    token: Mutex<Option<(String, Timestamp)>>,
}

/// A request that got no usable response.
struct FailedRequest {
    error: GatewayError,
    /// Whether the connection broke, so that a retry may succeed.
    broke_off: bool,
}

impl From<GatewayError> for FailedRequest {
    fn from(error: GatewayError) -> Self {
        Self { error, broke_off: false }
    }
}

fn transport(error: &reqwest::Error) -> FailedRequest {
    // The error's own text may contain the URL, and its causes are more specific.
    let mut text = if error.is_timeout() { "no answer in time".to_owned() } else { String::new() };
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        text = format!("{text} {deeper}");
        cause = deeper.source();
    }
    if error.is_connect() {
        GatewayError::Unreachable(text).into()
    } else {
        FailedRequest { error: GatewayError::UnknownOutcome(text), broke_off: !error.is_timeout() }
    }
}

impl PayPalClient {
    pub(super) fn new(config: PayPalConfig, env: Arc<dyn Env>) -> Result<Self, SetupError> {
        let http = Client::builder()
            .timeout(config.timeout)
            .redirect(Policy::none())
            // An idle connection closed by the provider would look like one that broke during a request.
            .pool_max_idle_per_host(0)
            .build()
            .map_err(|error| SetupError(error.to_string()))?;
        Ok(Self { http, config, env, token: Mutex::new(None) })
    }

    /// Returns a cached or new access token. `refused` is a token that PayPal has rejected. The lock makes concurrent
    /// callers share one request.
    async fn token(&self, refused: Option<&str>) -> Result<String, GatewayError> {
        let mut known = self.token.lock().await;
        if let Some((token, until)) = known.as_ref()
            && self.env.now() < *until
            && refused != Some(token)
        {
            return Ok(token.clone());
        }
        let secret = String::from_utf8_lossy(self.config.client_secret.bytes()).into_owned();
        let request = self
            .http
            .post(self.url("/v1/oauth2/token")?)
            .basic_auth(&self.config.client_id, Some(secret))
            .form(&[("grant_type", "client_credentials")]);
        // Fetching a token moves no money, so nothing has been done yet.
        let nothing_done = |error: GatewayError| match error {
            GatewayError::UnknownOutcome(text) | GatewayError::Malformed(text) => GatewayError::Unreachable(text),
            other => other,
        };
        let (status, body) = read(request).await.map_err(|failed| nothing_done(failed.error))?;
        if status != 200 {
            return Err(nothing_done(failure(status, &body)));
        }
        let token = text(&body, "/access_token").ok_or_else(|| GatewayError::Unreachable("no token".to_owned()))?;
        let seconds = number(&body, "/expires_in").unwrap_or_default();
        *known = Some((token.to_owned(), self.env.now().plus(seconds * 1000 - TOKEN_MARGIN)));
        Ok(token.to_owned())
    }

    fn url(&self, path: &str) -> Result<url::Url, GatewayError> {
        self.config.api.join(path).map_err(|error| GatewayError::Refused(error.to_string()))
    }

    /// Reads an object; `None` if it does not exist.
    pub(super) async fn get(&self, path: &str) -> Result<Option<Value>, GatewayError> {
        match self.send(Method::GET, path, None, None).await? {
            (404, _) => Ok(None),
            (200..=299, body) => Ok(Some(body)),
            (status, body) => Err(failure(status, &body)),
        }
    }

    /// Creates or changes an object, once per key.
    pub(super) async fn post(&self, path: &str, body: &Value, key: &IdempotencyKey) -> Result<Value, GatewayError> {
        match self.send(Method::POST, path, Some(body.to_string()), Some(&provider_key(key))).await? {
            (200..=299, body) => Ok(body),
            (status, body) => Err(failure(status, &body)),
        }
    }

    /// Posts a JSON text unchanged.
    pub(super) async fn post_raw(&self, path: &str, body: String) -> Result<Value, GatewayError> {
        match self.send(Method::POST, path, Some(body), None).await? {
            (200..=299, body) => Ok(body),
            (status, body) => Err(failure(status, &body)),
        }
    }

    /// Sends a request. Retries once with a new token if the token is rejected, and once if the connection failed and the
    /// request is safe to repeat (a read, or one with a key).
    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        key: Option<&str>,
    ) -> Result<Answer, GatewayError> {
        let url = self.url(path)?;
        let may_repeat = method == Method::GET || key.is_some();
        let mut token = self.token(None).await?;
        let (mut was_refused, mut has_failed) = (false, false);
        loop {
            let mut request = self.http.request(method.clone(), url.clone()).bearer_auth(&token);
            request = request.header("Prefer", "return=representation").header("Content-Type", "application/json");
            if let Some(key) = key {
                request = request.header("PayPal-Request-Id", key);
            }
            if let Some(body) = &body {
                request = request.body(body.clone());
            }
            let span = tracing::debug_span!(target: "trace", "paypal", otel.name = "paypal", otel.kind = "client", url.path = url.path());
            match read(request).instrument(span).await {
                Ok((401, _)) if !was_refused => {
                    was_refused = true;
                    token = self.token(Some(&token)).await?;
                }
                Err(failed) if failed.broke_off && may_repeat && !has_failed => has_failed = true,
                answer => return answer.map_err(|failed| failed.error),
            }
        }
    }
}

async fn read(request: RequestBuilder) -> Result<Answer, FailedRequest> {
    let mut response = request.send().await.map_err(|error| transport(&error.without_url()))?;
    let status = response.status().as_u16();
    if status == 429 {
        let seconds = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
        return Err(GatewayError::RateLimited { retry_after: seconds.map(Duration::from_secs) }.into());
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| transport(&error.without_url()))? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(GatewayError::Malformed("the answer is too large".to_owned()).into());
        }
        body.extend_from_slice(&chunk);
    }
    if status >= 500 {
        return Err(GatewayError::UnknownOutcome(format!("status {status}")).into());
    }
    if body.is_empty() {
        return Ok((status, Value::Null));
    }
    let body = serde_json::from_slice(&body).map_err(|error| GatewayError::Malformed(error.to_string()))?;
    Ok((status, body))
}

/// Maps a response with an error status below 500. PayPal did not act.
fn failure(status: u16, body: &Value) -> GatewayError {
    let issue = text(body, "/details/0/issue").or_else(|| text(body, "/name")).unwrap_or_default();
    if DECLINES.contains(&issue) {
        let message = "PayPal declined the payment. Please choose another way to pay.".to_owned();
        return GatewayError::Declined(Decline { code: issue.to_owned(), message });
    }
    GatewayError::Refused(format!("status {status}: {issue}"))
}

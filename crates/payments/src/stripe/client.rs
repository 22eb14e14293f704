//! Requests to Stripe: calls, idempotency keys, and the mapping of failures.
//!
//! The client is async-stripe's. Responses are read field by field instead of into its types, so that an unknown value in
//! a nested object we don't use can't make us lose a payment.

use billing::gateway::{GatewayError, IdempotencyKey};
use serde_json::Value;
use stripe::{Client, ClientBuilder, IdempotencyKey as StripeKey, RequestStrategy, StripeError};
use stripe_client_core::{RequestBuilder, StripeMethod};
use tracing::Instrument;
use url::form_urlencoded;

use super::{SetupError, StripeConfig};
use crate::{json::text, key::provider_key, sandbox::decline};

/// The fields of a form.
pub(super) type Form = Vec<(String, String)>;

/// Builds a form from pairs.
pub(super) fn form<const N: usize>(fields: [(&str, &str); N]) -> Form {
    fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

fn encode(fields: &[(String, String)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

#[derive(Debug)]
pub(super) struct StripeClient(Client);

impl StripeClient {
    pub(super) fn new(config: &StripeConfig) -> Result<Self, SetupError> {
        let secret = String::from_utf8_lossy(config.secret_key.bytes()).into_owned();
        let client = ClientBuilder::new(secret).url(config.api.as_str()).timeout(config.timeout).build();
        client.map(Self).map_err(|error| SetupError(error.to_string()))
    }

    /// Reads an object; `None` if it does not exist.
    pub(super) async fn get(&self, path: &str, query: &Form) -> Result<Option<Value>, GatewayError> {
        let request = || {
            let mut request = RequestBuilder::new(StripeMethod::Get, path);
            request.query = (!query.is_empty()).then(|| encode(query));
            request
        };
        match self.send(&request, &RequestStrategy::Once).await {
            Ok(value) => Ok(Some(value)),
            Err(StripeError::Stripe(_, 404)) => Ok(None),
            Err(error) => Err(failure(error)),
        }
    }

    /// Creates or changes an object, once per key.
    pub(super) async fn post(&self, path: &str, fields: &Form, key: &IdempotencyKey) -> Result<Value, GatewayError> {
        let request = || {
            let mut request = RequestBuilder::new(StripeMethod::Post, path);
            request.body = Some(encode(fields));
            request
        };
        let key = StripeKey::new(provider_key(key)).map_err(|error| GatewayError::Refused(error.to_string()))?;
        self.send(&request, &RequestStrategy::Idempotent(key)).await.map_err(failure)
    }

    /// Ends an object. Repeating it is harmless.
    pub(super) async fn delete(&self, path: &str) -> Result<(), GatewayError> {
        match self.send(&|| RequestBuilder::new(StripeMethod::Delete, path), &RequestStrategy::Once).await {
            Ok(_) | Err(StripeError::Stripe(_, 404)) => Ok(()),
            Err(error) => Err(failure(error)),
        }
    }

    /// Sends a request, and retries once if the connection failed: reads, deletions and requests with a key are safe to
    /// repeat.
    async fn send(
        &self,
        request: &(impl Fn() -> RequestBuilder + Sync),
        strategy: &RequestStrategy,
    ) -> Result<Value, StripeError> {
        let attempt = || {
            let span = tracing::debug_span!(target: "trace", "stripe", otel.name = "stripe", otel.kind = "client");
            request()
                .customize::<miniserde::json::Value>()
                .request_strategy(strategy.clone())
                .send(&self.0)
                .instrument(span)
        };
        let answer = match attempt().await {
            Err(StripeError::ClientError(_)) => attempt().await?,
            other => other?,
        };
        serde_json::from_str(&miniserde::json::to_string(&answer))
            .map_err(|error| StripeError::JSONDeserialize(error.to_string()))
    }
}

/// Maps a failure by whether Stripe may have acted.
fn failure(error: StripeError) -> GatewayError {
    match error {
        StripeError::Stripe(error, status) => {
            let kind = error.type_.as_str().to_owned();
            let code = error.code.map(|code| code.as_str().to_owned());
            let message = error.message.unwrap_or_default();
            match status {
                402 => {
                    let code = error.decline_code.or(code).unwrap_or_else(|| "card_declined".to_owned());
                    let message = if message.is_empty() { decline(&code).message } else { message };
                    GatewayError::Declined(billing::gateway::Decline { code, message })
                }
                _ if kind == "idempotency_error" && status == 400 => GatewayError::KeyReused,
                429 => GatewayError::RateLimited { retry_after: None },
                // Another request with this key is still running.
                409 => GatewayError::UnknownOutcome("a request with this key is running".to_owned()),
                500.. => GatewayError::UnknownOutcome(format!("status {status}")),
                _ => GatewayError::Refused(format!("status {status}: {} {message}", code.unwrap_or(kind))),
            }
        }
        StripeError::JSONDeserialize(error) => GatewayError::Malformed(error),
        StripeError::Timeout => GatewayError::UnknownOutcome("no answer in time".to_owned()),
        // hyper names the phase in which it failed.
        StripeError::ClientError(error) if error.contains("(Connect)") => GatewayError::Unreachable(error),
        StripeError::ClientError(error) => GatewayError::UnknownOutcome(error),
        StripeError::ConfigError(error) => GatewayError::Refused(error),
    }
}

/// Checks that an id can be used as a path segment.
pub(super) fn path_id(id: &str) -> Result<&str, GatewayError> {
    if !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        Ok(id)
    } else {
        Err(GatewayError::Refused("Stripe has no such id".to_owned()))
    }
}

/// The id of a referenced object, whether expanded or not.
pub(super) fn reference<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    text(value, pointer).or_else(|| text(value, &format!("{pointer}/id")))
}

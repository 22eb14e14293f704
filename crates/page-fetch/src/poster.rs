//! Posts to URLs that members name: webhooks and push services.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tracing::Instrument;

use crate::connection::{checked_addresses, client_for, parse_url, verify_peer};
use crate::error::FetchError;
use crate::network::{AnyNetwork, Network, PublicNetwork};

/// Time for a request and its response.
const TIME: Duration = Duration::from_secs(10);

/// The name of a header, in lower case, and its value.
pub type Header = (&'static str, String);

/// Posts to URLs of the public web, and follows no redirect. What is answered is not read: only its status counts.
#[derive(Clone)]
pub struct Poster {
    user_agent: String,
    network: Arc<dyn Network>,
}

impl Poster {
    /// Creates a poster. `user_agent` names the site, as in `Example/1.0 (+https://example.com)`. With `allows_private` private
    /// addresses may be posted to as well.
    pub fn new(user_agent: String, allows_private: bool) -> Self {
        let network: Arc<dyn Network> = if allows_private { Arc::new(AnyNetwork) } else { Arc::new(PublicNetwork) };
        Self { user_agent, network }
    }

    /// Creates a poster for which a test decides how names resolve and which addresses are allowed.
    #[cfg(test)]
    pub(crate) fn with_network(network: Arc<dyn Network>) -> Self {
        Self { user_agent: "Test/1.0".to_owned(), network }
    }

    /// Posts a body with these headers; returns the status of the response.
    ///
    /// # Errors
    /// When there is no response within 10 seconds. A status that reports a failure is no error.
    pub async fn post(&self, url: &str, headers: &[Header], body: Vec<u8>) -> Result<u16, FetchError> {
        let url = parse_url(url)?;
        let headers = header_map(headers).ok_or(FetchError::InvalidUrl)?;
        let posting = async {
            let addresses = checked_addresses(&*self.network, &url).await?;
            let client = client_for(&url, &addresses, &self.user_agent)?;
            let span = tracing::debug_span!(target: "trace", "post", otel.kind = "client");
            let request = client.post(url.clone()).headers(headers).body(body);
            let response = request.send().instrument(span).await.map_err(|_| FetchError::Unreachable)?;
            Ok(verify_peer(response, &addresses)?.status().as_u16())
        };
        tokio::time::timeout(TIME, posting).await.unwrap_or(Err(FetchError::TimedOut(TIME)))
    }
}

/// `None`: a value has characters that no header can have.
fn header_map(headers: &[Header]) -> Option<HeaderMap> {
    let entry = |(name, value): &Header| Some((HeaderName::from_static(name), HeaderValue::try_from(value).ok()?));
    headers.iter().map(entry).collect()
}

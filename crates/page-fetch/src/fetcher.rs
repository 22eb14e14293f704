//! One fetch: validate the URL, connect, follow redirects, read within limits.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Response;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, LOCATION};
use tracing::Instrument;
use url::Url;

use crate::connection::{checked_addresses, checked_url, client_for, parse_url, verify_peer};
use crate::error::FetchError;
use crate::network::{Network, PublicNetwork};

/// The `Accept` header.
const ACCEPTED: &str = "text/html, application/xhtml+xml, application/pdf, application/epub+zip, text/markdown, text/plain;q=0.9, */*;q=0.1";
/// Accepted content types, besides `text/…`. The actual format is detected from the content later.
const TYPES: [&str; 7] = [
    "application/xhtml+xml",
    "application/xml",
    "application/pdf",
    "application/epub+zip",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/octet-stream",
    "binary/octet-stream",
];

/// Limits on one fetch (`summaries.page-fetching`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchLimits {
    /// Time for the whole fetch, redirects and body included.
    pub time: Duration,
    /// Maximum size of the body.
    pub bytes: usize,
    /// Maximum number of redirects.
    pub redirects: usize,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), bytes: 10 * 1024 * 1024, redirects: 5 }
    }
}

/// A fetched page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedPage {
    /// The final URL, after redirects.
    pub url: Url,
    pub bytes: Vec<u8>,
    /// The charset in the `Content-Type`, if any.
    pub charset: Option<String>,
}

/// Fetches pages of the public web.
#[derive(Clone)]
pub struct PageFetcher {
    user_agent: String,
    network: Arc<dyn Network>,
    limits: FetchLimits,
}

impl PageFetcher {
    /// Creates a fetcher. `user_agent` names the bot and a page about it, as in `ExampleBot/1.0 (+https://example.com/ai)`.
    pub fn new(user_agent: String) -> Self {
        Self { user_agent, network: Arc::new(PublicNetwork), limits: FetchLimits::default() }
    }

    /// Creates a fetcher for which a test decides how names resolve and which addresses are allowed.
    #[cfg(any(test, feature = "testing"))]
    pub fn with_network(user_agent: String, network: Arc<dyn Network>, limits: FetchLimits) -> Self {
        Self { user_agent, network, limits }
    }

    /// Fetches the page at `url`, following redirects.
    pub async fn fetch(&self, url: &str) -> Result<FetchedPage, FetchError> {
        let url = parse_url(url)?;
        let fetched = tokio::time::timeout(self.limits.time, self.follow(url)).await;
        fetched.unwrap_or(Err(FetchError::TimedOut(self.limits.time)))
    }

    async fn follow(&self, mut url: Url) -> Result<FetchedPage, FetchError> {
        for _ in 0..=self.limits.redirects {
            let addresses = checked_addresses(&*self.network, &url).await?;
            let response = self.request(&url, &addresses).await?;
            let status = response.status();
            if matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
                && let Some(place) = response.headers().get(LOCATION)
            {
                // As browsers do, bytes beyond ASCII are interpreted as UTF-8.
                let place = String::from_utf8_lossy(place.as_bytes());
                let next = url.join(&place).map_err(|_| FetchError::InvalidUrl)?;
                url = checked_url(next)?;
                continue;
            }
            if !status.is_success() {
                return Err(FetchError::Status(status.as_u16()));
            }
            return self.page_of(url, response).await;
        }
        Err(FetchError::TooManyRedirects)
    }

    async fn request(&self, url: &Url, addresses: &[SocketAddr]) -> Result<Response, FetchError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, reqwest::header::HeaderValue::from_static(ACCEPTED));
        // A compressed body could unpack to any size.
        headers.insert(ACCEPT_ENCODING, reqwest::header::HeaderValue::from_static("identity"));
        let client = client_for(url, addresses, &self.user_agent)?;
        let span = tracing::debug_span!(target: "trace", "page", otel.kind = "client");
        let request = client.get(url.clone()).headers(headers);
        let response = request.send().instrument(span).await.map_err(|_| FetchError::Unreachable)?;
        verify_peer(response, addresses)
    }

    async fn page_of(&self, url: Url, mut response: Response) -> Result<FetchedPage, FetchError> {
        let too_large = || FetchError::TooLarge { limit: self.limits.bytes };
        let headers = response.headers();
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_lowercase);
        let content_type = text(CONTENT_TYPE);
        if !content_type.as_deref().is_none_or(is_readable) {
            return Err(FetchError::UnsupportedType);
        }
        if text(CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
            return Err(FetchError::UnsupportedEncoding);
        }
        if response.content_length().is_some_and(|length| length > self.limits.bytes as u64) {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|_| FetchError::Unreachable)? {
            if bytes.len() + part.len() > self.limits.bytes {
                return Err(too_large());
            }
            bytes.extend_from_slice(&part);
        }
        Ok(FetchedPage { url, bytes, charset: content_type.as_deref().and_then(charset_of) })
    }
}

fn is_readable(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.is_empty() || kind.starts_with("text/") || TYPES.contains(&kind)
}

fn charset_of(content_type: &str) -> Option<String> {
    let (_, rest) = content_type.split_once("charset=")?;
    let label = rest.split(';').next()?.trim().trim_matches('"');
    (!label.is_empty()).then(|| label.to_owned())
}

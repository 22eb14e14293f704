//! Fetches pages of the public web for members (`summaries.page-fetching`), and posts to URLs that members name
//! (`study.highlight-webhook`, `study.push-messages`).
//!
//! Invariants:
//!
//! - A connection only goes to a checked IP address: a name is resolved once per request, all of its addresses are checked,
//!   and the connection uses these and no others. So a name that resolves differently the second time (DNS rebinding) gains
//!   nothing.
//! - Every redirect is a new request with new checks. No proxy is used, because it would resolve names itself.
//! - A fetch ends after 10 s, redirects and body included, and reads at most 10 MB. A post ends after 10 s, follows no
//!   redirect and reads no body.
//! - No cookie, credential or header of a member is sent.

mod addresses;
mod connection;
mod error;
mod fetcher;
mod network;
mod poster;
#[cfg(test)]
mod tests;

pub use addresses::is_public;
pub use error::FetchError;
pub use fetcher::{FetchLimits, FetchedPage, PageFetcher};
pub use network::{AnyNetwork, Network, PublicNetwork, ResolveFuture};
pub use poster::{Header, Poster};

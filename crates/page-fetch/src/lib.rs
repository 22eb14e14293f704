//! Fetches pages of the public web for members (`summaries.page-fetching`), and nothing else.
//!
//! Invariants:
//!
//! - A connection only goes to a checked IP address: a name is resolved once per request, all of its addresses are checked,
//!   and the connection uses these and no others. So a name that resolves differently the second time (DNS rebinding) gains
//!   nothing.
//! - Every redirect is a new request with new checks. No proxy is used, because it would resolve names itself.
//! - A fetch ends after 10 s, redirects and body included, and reads at most 10 MB.
//! - No cookie, credential or header of a member is sent.

mod addresses;
mod error;
mod fetcher;
mod network;
#[cfg(test)]
mod tests;

pub use addresses::is_public;
pub use error::FetchError;
pub use fetcher::{FetchLimits, FetchedPage, PageFetcher};
pub use network::{Network, PublicNetwork, ResolveFuture};

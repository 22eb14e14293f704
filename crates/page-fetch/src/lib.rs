//! Fetches pages of the public web for members (`summaries.page-fetching`), and nothing else.
//!
//! Invariants:
//!
//! - A connection goes to an address that was checked: a name is resolved once for each request, all of its addresses are checked,
//!   and the connection uses these and no others. So a name that is resolved differently the second time gains nothing.
//! - Every redirect is a new request with new checks. No proxy is used: it would resolve names itself.
//! - A fetch ends after 10 s, redirects and body included, and holds at most 10 MB.
//! - No cookie, no credential and no header of a member goes out.

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

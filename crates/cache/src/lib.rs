//! Caches of a process: responses, verified access tokens, keys, facts of books, read models; cache invalidation by version counters; and
//! counts that are written later.
//!
//! Nothing here is the truth: every entry can be made again from the database. An entry carries the versions under which
//! it was read; a change moves a version on and so invalidates everything that was read before it, also what is being
//! read at that very moment. The crate knows no HTTP.

mod book_facts;
mod catalogue;
mod catalogue_model;
mod encoded;
mod keys;
mod responses;
mod tokens;
mod versions;
mod views;

pub use book_facts::BookFactsCache;
pub use catalogue::{CatalogueSnapshot, CatalogueStamp, CatalogueVersions, Scope};
pub use catalogue_model::CatalogueModel;
pub use encoded::{Encoded, accepts};
pub use keys::{KeyCache, Keys};
pub use responses::{Cacheable, ReadVersions, ResponseCache};
pub use tokens::TokenCache;
pub use versions::{Version, Versions};
pub use views::ViewCounter;

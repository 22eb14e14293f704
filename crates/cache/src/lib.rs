//! The caches of a process: responses, verified access tokens, keys, book facts and read models, invalidated by version
//! counters; and write-behind buffers of view counts and of searches without a result.
//!
//! Every entry can be rebuilt from the database. An entry carries the versions under which it was read. A change
//! increments a version, and thereby invalidates everything that was read before, including what is being read at that
//! moment. The crate contains no HTTP.

mod book_facts;
mod catalogue;
mod catalogue_model;
mod encoded;
mod keys;
mod lookups;
mod responses;
mod searches;
mod tokens;
mod versions;
mod views;

pub use book_facts::BookFactsCache;
pub use catalogue::{CatalogueSnapshot, CatalogueStamp, CatalogueVersions, Scope};
pub use catalogue_model::CatalogueModel;
pub use encoded::{Encoded, accepts};
pub use keys::{KeyCache, Keys};
pub use lookups::CacheUse;
pub use responses::{Cacheable, ReadVersions, ResponseCache};
pub use searches::SearchCounter;
pub use tokens::TokenCache;
pub use versions::{Version, Versions};
pub use views::ViewCounter;

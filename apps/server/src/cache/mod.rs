//! What a node holds in memory, and how it forgets.
//!
//! Nothing here is the truth: every entry can be made again from the database. An entry carries the epochs under
//! which it was read; a change moves an epoch on, and everything read before it is worth nothing, also what is being
//! read at that very moment.

mod answers;
mod catalogue;
mod epochs;
mod facts;
mod tokens;

pub use answers::{Answers, Begun, Cacheable, CachedAnswer, Encoded};
pub(crate) use answers::{HTML, JSON, accepts, json_bytes};
pub use catalogue::{CatalogueSnapshot, CatalogueStamp, CatalogueVersions, Scope};
pub use epochs::{Epoch, Epochs};
pub use facts::Facts;
pub use tokens::Tokens;

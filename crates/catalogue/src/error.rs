//! How the catalogue refuses.

use kernel::{Slug, StoreError};

use crate::FilterName;

/// Why the catalogue did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// What an editor wrote breaks a rule. The field is named as in [`crate::BookDraft`] and its like.
    #[error("{message}")]
    Invalid {
        field: &'static str,
        /// What is wrong, for a person.
        message: String,
    },
    /// A book names an author, a category or a goal that is not there.
    #[error("There is no {what} '{slug}'.")]
    Unknown {
        /// The field: `author`, `categories` or `goals`.
        field: &'static str,
        /// What is missing.
        what: &'static str,
        /// Its name.
        slug: Slug,
    },
    /// A list is asked for by a name that names nothing.
    #[error("There is no such {}.", .0.as_str())]
    UnknownFilter(FilterName),
    /// The key of a next page was not given out for this list.
    #[error("{}", kernel::InvalidCursor)]
    BadCursor,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

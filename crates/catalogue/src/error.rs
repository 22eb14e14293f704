//! The catalogue's errors.

use kernel::{Slug, StoreError};

use crate::FilterName;

/// Why an operation of the catalogue failed.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// An editor's input breaks a rule. The field is named as on the wire.
    #[error("{message}")]
    Invalid {
        field: &'static str,
        /// What is wrong, for a person.
        message: String,
    },
    /// A book or a collection refers to an author, a category, a goal or a book that does not exist.
    #[error("There is no {what} '{slug}'.")]
    Unknown {
        /// The field: `author`, `categories`, `goals` or `books`.
        field: &'static str,
        /// The kind of the missing thing, for a person: `author`, `category`, `goal` or `book`.
        what: &'static str,
        /// The slug that is unknown.
        slug: Slug,
    },
    /// A list is filtered by something that does not exist.
    #[error("There is no such {}.", .0.as_str())]
    UnknownFilter(FilterName),
    /// The pagination cursor belongs to another list.
    #[error("{}", kernel::InvalidCursor)]
    BadCursor,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

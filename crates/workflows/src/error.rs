//! The error of workflows that serve a viewer.

use catalogue::CatalogueError;
use kernel::StoreError;
use reading_progress::{ProgressError, Refusal};

/// Why a viewer does not get what a workflow reads.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The viewer's account was deleted meanwhile.
    #[error("the viewer is not signed in any more")]
    SignedOut,
    /// There is no such thing; `0` is its kind for people, such as "book".
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The viewer may not do this with the book.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The catalogue refuses the query.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// A rule of reading progress refuses it.
    #[error(transparent)]
    Progress(#[from] ProgressError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

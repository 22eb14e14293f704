//! Why a workflow that serves a viewer fails, where several fail alike.

use catalogue::CatalogueError;
use kernel::StoreError;
use reading_progress::{ProgressError, Refusal};

/// Why a viewer does not get what a workflow reads.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The viewer's account was deleted meanwhile.
    #[error("the viewer is not signed in any more")]
    SignedOut,
    /// What is asked for does not exist; `0` is its name for people, such as "book".
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The viewer may not do this with the book.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The query can't be answered.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// A rule of reading refuses it.
    #[error(transparent)]
    Progress(#[from] ProgressError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

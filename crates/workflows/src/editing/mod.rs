//! What editors change of the catalogue: by number, based on a version, recorded in the audit log (`decisions.md` 53).

pub mod books;
pub mod deletions;
pub mod files;
pub mod names;
pub mod rows;
pub mod site;
pub mod visuals;

use admin::{Actor, EditCommands, EditConflict, Edits, RowRef, RowVersion};
use catalogue::CatalogueError;
use challenge::ChallengeError;
use editorial::EditorialError;
use kernel::{StoreError, UserId};

use super::{audit::AuditTrail, tx::Tx};

/// Why an edit is refused.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// There is no such thing; `0` is its name for people, such as "book".
    #[error("There is no such {0}.")]
    Unknown(&'static str),
    /// Another version was saved meanwhile.
    #[error(transparent)]
    Conflict(#[from] EditConflict),
    /// Another thing has the name in addresses, or what was bought hangs on it. `0` is the field.
    #[error("This address is taken, or can't be changed any more.")]
    Taken(&'static str),
    /// Another author or tag has the name.
    #[error("There is another one of this name. Merge the two instead.")]
    NameTaken,
    /// Other things stand on it; the text says which, and what to do instead.
    #[error("{0}")]
    InUse(String),
    /// An order names other rows than there are.
    #[error("Another editor added or deleted one meanwhile. Nothing was changed.")]
    OrderStale,
    /// A required field is missing.
    #[error("Please specify {label}.")]
    Missing {
        /// The field, by its name on the wire.
        field: &'static str,
        /// Its label.
        label: &'static str,
    },
    /// The catalogue refuses it.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// The editorial part refuses it.
    #[error(transparent)]
    Editorial(#[from] EditorialError),
    /// The quizzes refuse it.
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
    /// What is stored can't be read.
    #[error("a revision can't be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Locks a row for an edit that is based on a version.
fn begin(tx: &mut Tx<'_, '_>, row: RowRef, read: Option<i64>) -> Result<RowVersion, EditError> {
    Ok(tx.pg.begin_edit(row, read)??)
}

/// Puts the next version in the place of a row's; gives its number.
fn advance(tx: &mut Tx<'_, '_>, trail: &AuditTrail, row: RowRef) -> Result<i64, StoreError> {
    let now = tx.now();
    tx.pg.advance_row(row, editor(trail), now)
}

/// The person who edits.
fn editor(trail: &AuditTrail) -> Option<UserId> {
    Actor::user(trail.actor())
}

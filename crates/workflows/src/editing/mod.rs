//! What editors change of the catalogue: by number, based on a version, recorded in the audit log (`catalogue.edit-versions`).

pub mod books;
pub mod deletions;
pub mod files;
pub mod names;
pub mod rows;
pub mod site;
pub mod visuals;

use admin::{Actor, EditCommands, EditConflict, Edits, RowRef, RowVersion};
use catalogue::{BookRef, CatalogueError};
use challenge::ChallengeError;
use editorial::EditorialError;
use kernel::{BookId, MINUTE, StoreError, UserId};

use super::{
    audit::AuditTrail,
    drawings::queue_drawing,
    narration::{self, FilmRequest},
    tx::Tx,
};

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

/// How long after the last of several changes a film is made, in milliseconds: it takes minutes of a core.
const FILM_DELAY: i64 = 10 * MINUTE;

/// What was changed of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BookChange {
    /// The text, the cover, or what is said about it.
    Text,
    /// The title, the author's name or the book's name in addresses, and perhaps more.
    Names,
    /// The key ideas or their pictures.
    KeyIdeas,
}

/// Queues what is made of a book, in the transaction that changes it: the infographic, the audio, the film. A film is made again
/// when it shows something else; the first one is made when the key ideas are changed.
pub(super) fn after_book_change(tx: &mut Tx<'_, '_>, id: BookId, change: BookChange) -> Result<(), StoreError> {
    let now = tx.now();
    let (draws, film) = match change {
        BookChange::Text => (false, FilmRequest::Replacement),
        BookChange::Names => (true, FilmRequest::Replacement),
        BookChange::KeyIdeas => (true, FilmRequest::First),
    };
    if draws {
        queue_drawing(tx.pg, id, now)?;
    }
    if tx.settings.makes_recordings {
        let book = BookRef::Id(id);
        narration::queue_audio(tx.pg, &book, now)?;
        narration::queue_film(tx.pg, &book, film, now.plus(FILM_DELAY), now)?;
    }
    Ok(())
}

/// Queues the audio of an episode whose script was changed, in the transaction that changes it.
pub(super) fn after_podcast_change(tx: &mut Tx<'_, '_>) -> Result<(), StoreError> {
    if tx.settings.makes_recordings {
        let now = tx.now();
        narration::queue_podcasts(tx.pg, now)?;
    }
    Ok(())
}

/// The person who edits.
fn editor(trail: &AuditTrail) -> Option<UserId> {
    Actor::user(trail.actor())
}

//! Work that follows a change of a book.

use catalogue::{BookChange, BookRef};
use kernel::{BookId, MINUTE, StoreError};

use crate::{
    catalogue::drawings::queue_drawing,
    narration::{self, FilmRequest},
    tx::Tx,
};

/// How long after the last of several changes a film is made, in milliseconds: making one occupies a core for minutes.
const FILM_DELAY: i64 = 10 * MINUTE;

/// Queues the infographic, the audio and the film of a changed book, in the transaction that changes it. A film is made again
/// if it would show something else; the first one is made when the key ideas change.
pub(crate) fn after_book_change(tx: &mut Tx<'_, '_>, id: BookId, change: BookChange) -> Result<(), StoreError> {
    let now = tx.now();
    if change.redraws_infographic() {
        queue_drawing(tx.pg, id, now)?;
    }
    if tx.settings.makes_recordings {
        let book = BookRef::Id(id);
        narration::queue_audio(tx.pg, &book, now)?;
        let film = if change.makes_first_film() { FilmRequest::First } else { FilmRequest::Replacement };
        narration::queue_film(tx.pg, &book, film, now.plus(FILM_DELAY), now)?;
    }
    Ok(())
}

//! Saves generated recordings.

use kernel::{BookId, StoreError};

use super::{
    model::{Film, Narration, shown_hash, text_hash},
    store::RecordingStore,
};
use crate::{BookRef, CatalogueStore};

/// Recordings of books, over any store.
pub trait Recordings: RecordingStore + CatalogueStore {
    /// Makes a generated narration the book's audio. Returns `false`, and changes nothing, when the book's text has
    /// changed since, or when its audio is neither `instead_of` nor this one: an admin may have uploaded another.
    fn save_narration(
        &mut self,
        book: BookId,
        narration: &Narration,
        instead_of: Option<&str>,
    ) -> Result<bool, StoreError> {
        let key = BookRef::Id(book);
        self.lock_recording_files(&key)?;
        if self.book(&key)?.is_none_or(|book| text_hash(&book.body) != narration.text_hash) {
            return Ok(false);
        }
        self.put_narration(book, narration, instead_of)
    }

    /// Makes a generated film the book's video. Returns `false`, and changes nothing, when the content to show has
    /// changed since, or when the book's video is neither `instead_of` nor this one: an admin may have uploaded
    /// another.
    fn save_film(&mut self, book: BookId, film: &Film, instead_of: Option<&str>) -> Result<bool, StoreError> {
        let key = BookRef::Id(book);
        self.lock_recording_files(&key)?;
        let Some(there) = self.book(&key)? else { return Ok(false) };
        if shown_hash(&there, &self.visuals(book)?) != film.shown_hash {
            return Ok(false);
        }
        self.put_film(book, film, instead_of)
    }
}

impl<S: RecordingStore + CatalogueStore + ?Sized> Recordings for S {}

//! What recordings offer.

use kernel::{BookId, StoreError};

use super::{
    model::{Film, Narration, shown_hash, text_hash},
    store::RecordingStore,
};
use crate::{BookRef, CatalogueStore};

/// Recordings of books, over any store.
pub trait Recordings: RecordingStore + CatalogueStore {
    /// Gives the book the audio that was made, unless it has another text meanwhile, or a person has put another
    /// recording there; gives whether it is the book's now.
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

    /// Gives the book the film that was made, unless other things are to be shown meanwhile, or a person has put another
    /// video there; gives whether it is the book's now.
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

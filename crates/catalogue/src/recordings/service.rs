//! What recordings offer.

use kernel::{BookId, StoreError};

use super::{
    model::{Film, Narration, Recording, shown_hash, text_hash},
    store::RecordingStore,
};
use crate::{Book, BookRef, CatalogueStore, Visual};

/// Recordings of books, over any store.
pub trait Recordings: RecordingStore + CatalogueStore {
    /// A book's audio as it is played; `None` when it has none.
    fn recording(&mut self, book: &Book) -> Result<Option<Recording>, StoreError> {
        if book.card.media.is_none() {
            return Ok(None);
        }
        Ok(Recording::of(book, self.find_narration(book.card.id)?))
    }

    /// What is known of a book's video; `None` when it has none, or one that a person put there.
    fn film(&mut self, book: &Book) -> Result<Option<Film>, StoreError> {
        let Some(video) = &book.card.video else { return Ok(None) };
        Ok(self.find_film(book.card.id)?.filter(|film| film.media == *video))
    }

    /// What is known of this audio of a book, when the product made it; `None` when a person recorded it.
    fn made_audio(&mut self, book: BookId, media: &str) -> Result<Option<Narration>, StoreError> {
        Ok(self.find_narration(book)?.filter(|made| made.media == media))
    }

    /// What is known of this video of a book, when the product made it; `None` when a person filmed it.
    fn made_video(&mut self, book: BookId, video: &str) -> Result<Option<Film>, StoreError> {
        Ok(self.find_film(book)?.filter(|made| made.media == video))
    }

    /// Whether the book is to be read aloud: it has a text, and no audio or one that was made of another text. What
    /// a person recorded is never replaced.
    fn wants_narration(&mut self, book: &Book) -> Result<bool, StoreError> {
        if book.card.coming_soon || book.body.is_empty() {
            return Ok(false);
        }
        let Some(media) = &book.card.media else { return Ok(true) };
        let narration = self.find_narration(book.card.id)?;
        Ok(narration.is_some_and(|made| made.media == *media && made.text_hash != text_hash(&book.body)))
    }

    /// Whether a film is to be made of the book: it has key ideas to show, and no video or one that shows other things.
    /// What a person filmed is never replaced.
    fn wants_film(&mut self, book: &Book, ideas: &[Visual]) -> Result<bool, StoreError> {
        if book.card.coming_soon || book.body.is_empty() || ideas.is_empty() {
            return Ok(false);
        }
        let Some(video) = &book.card.video else { return Ok(true) };
        let film = self.find_film(book.card.id)?;
        Ok(film.is_some_and(|made| made.media == *video && made.shown_hash != shown_hash(book, ideas)))
    }

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

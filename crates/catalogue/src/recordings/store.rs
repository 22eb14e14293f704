//! What recordings need from storage.

use kernel::{BookId, StoreError};

use super::model::{Film, Narration, Recording, shown_hash, text_hash};
use crate::{Book, BookRef, Visual};

/// Reads, callable by everyone who holds a connection.
pub trait RecordingQueries {
    /// A book's narration, whether or not the book still has its audio and its text.
    fn find_narration(&mut self, book: BookId) -> Result<Option<Narration>, StoreError>;

    /// A book's film, whether or not the book still has its video and its text.
    fn find_film(&mut self, book: BookId) -> Result<Option<Film>, StoreError>;

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
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait RecordingCommands {
    /// The keys of the files that a book's recordings are: its audio, its video, and the poster and the captions of a film
    /// that is its video. None when there is no such book. The book and its recordings are locked until the transaction
    /// ends.
    fn lock_recording_files(&mut self, book: &BookRef) -> Result<Vec<String>, StoreError>;
}

/// Storage of what is known of recordings, beside [`crate::CatalogueStore`] and on the same transaction.
pub trait RecordingStore: RecordingQueries + RecordingCommands {
    /// Makes the narration's audio the book's, unless its audio is meanwhile another one than `instead_of` and than
    /// this; gives whether it is the book's now.
    fn put_narration(
        &mut self,
        book: BookId,
        narration: &Narration,
        instead_of: Option<&str>,
    ) -> Result<bool, StoreError>;

    /// Makes the film's video the book's, unless its video is meanwhile another one than `instead_of` and than this;
    /// gives whether it is the book's now.
    fn put_film(&mut self, book: BookId, film: &Film, instead_of: Option<&str>) -> Result<bool, StoreError>;
}

//! What recordings need from storage.

use kernel::{BookId, StoreError};

use super::model::{Film, Narration, Recording, shown_hash, text_hash};
use crate::{Book, BookRef, Visual};

/// Reads, callable with any connection.
pub trait RecordingQueries {
    /// A book's narration, even if the book's audio or text has changed since.
    fn find_narration(&mut self, book: BookId) -> Result<Option<Narration>, StoreError>;

    /// A book's film, even if the book's video or text has changed since.
    fn find_film(&mut self, book: BookId) -> Result<Option<Film>, StoreError>;

    /// A book's audio as readers play it; `None` when it has none.
    fn recording(&mut self, book: &Book) -> Result<Option<Recording>, StoreError> {
        if book.card.media.is_none() {
            return Ok(None);
        }
        Ok(Recording::of(book, self.find_narration(book.card.id)?))
    }

    /// The metadata of a book's generated video; `None` when the book has no video or an uploaded one.
    fn film(&mut self, book: &Book) -> Result<Option<Film>, StoreError> {
        let Some(video) = &book.card.video else { return Ok(None) };
        Ok(self.find_film(book.card.id)?.filter(|film| film.media == *video))
    }

    /// The narration with this audio key; `None` when the audio was uploaded.
    fn made_audio(&mut self, book: BookId, media: &str) -> Result<Option<Narration>, StoreError> {
        Ok(self.find_narration(book)?.filter(|made| made.media == media))
    }

    /// The film with this video key; `None` when the video was uploaded.
    fn made_video(&mut self, book: BookId, video: &str) -> Result<Option<Film>, StoreError> {
        Ok(self.find_film(book)?.filter(|made| made.media == video))
    }

    /// Whether a narration of the book is to be generated: it has a text, and no audio or one generated from another
    /// text. An uploaded recording is never replaced.
    fn wants_narration(&mut self, book: &Book) -> Result<bool, StoreError> {
        if book.card.coming_soon || book.body.is_empty() {
            return Ok(false);
        }
        let Some(media) = &book.card.media else { return Ok(true) };
        let narration = self.find_narration(book.card.id)?;
        Ok(narration.is_some_and(|made| made.media == *media && made.text_hash != text_hash(&book.body)))
    }

    /// Whether a film of the book is to be generated: it has a text and key ideas, and no video or a generated one with
    /// other content. An uploaded video is never replaced.
    fn wants_film(&mut self, book: &Book, ideas: &[Visual]) -> Result<bool, StoreError> {
        if book.card.coming_soon || book.body.is_empty() || ideas.is_empty() {
            return Ok(false);
        }
        let Some(video) = &book.card.video else { return Ok(true) };
        let film = self.find_film(book.card.id)?;
        Ok(film.is_some_and(|made| made.media == *video && made.shown_hash != shown_hash(book, ideas)))
    }
}

/// Writes that need no rule, callable in any transaction.
pub trait RecordingCommands {
    /// The object-store keys of a book's recordings: its audio, its video, and the poster and captions if the video is
    /// a generated film. Empty when there is no such book. Locks the book and its recordings until the transaction
    /// ends.
    fn lock_recording_files(&mut self, book: &BookRef) -> Result<Vec<String>, StoreError>;
}

/// Storage of the metadata of recordings, on the same transaction as [`crate::CatalogueStore`].
pub trait RecordingStore: RecordingQueries + RecordingCommands {
    /// Stores a narration and makes its audio the book's, if the book's audio is still `instead_of` or already this
    /// one. Returns whether it is the book's audio now.
    fn put_narration(
        &mut self,
        book: BookId,
        narration: &Narration,
        instead_of: Option<&str>,
    ) -> Result<bool, StoreError>;

    /// Stores a film and makes its video the book's, if the book's video is still `instead_of` or already this one.
    /// Returns whether it is the book's video now.
    fn put_film(&mut self, book: BookId, film: &Film, instead_of: Option<&str>) -> Result<bool, StoreError>;
}

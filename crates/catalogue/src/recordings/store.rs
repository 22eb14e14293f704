//! What recordings need from storage.

use kernel::{BookId, StoreError};

use super::model::{Film, Narration};
use crate::BookRef;

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait RecordingCommands {
    /// The keys of the files that a book's recordings are: its audio, its video, and the poster and the captions of a film
    /// that is its video. None when there is no such book. The book and its recordings are locked until the transaction
    /// ends.
    fn lock_recording_files(&mut self, book: &BookRef) -> Result<Vec<String>, StoreError>;
}

/// Storage of what is known of recordings, beside [`crate::CatalogueStore`] and on the same transaction.
pub trait RecordingStore: RecordingCommands {
    /// A book's narration, whether or not the book still has its audio and its text.
    fn find_narration(&mut self, book: BookId) -> Result<Option<Narration>, StoreError>;

    /// Makes the narration's audio the book's, unless its audio is meanwhile another one than `instead_of` and than
    /// this; gives whether it is the book's now.
    fn put_narration(
        &mut self,
        book: BookId,
        narration: &Narration,
        instead_of: Option<&str>,
    ) -> Result<bool, StoreError>;

    /// A book's film, whether or not the book still has its video and its text.
    fn find_film(&mut self, book: BookId) -> Result<Option<Film>, StoreError>;

    /// Makes the film's video the book's, unless its video is meanwhile another one than `instead_of` and than this;
    /// gives whether it is the book's now.
    fn put_film(&mut self, book: BookId, film: &Film, instead_of: Option<&str>) -> Result<bool, StoreError>;
}

//! The in-memory store of recordings.

use kernel::{BookId, StoreError};

use super::Memory;
use crate::{BookRef, Film, Narration, RecordingCommands, RecordingQueries, RecordingStore};

impl Memory {
    /// The keys of the files of a book's recordings.
    fn files(&self, book: &BookRef) -> Vec<String> {
        let Some((book, media, video)) = self.audio_and_video(book) else { return Vec::new() };
        let film = self.films.get(&book).filter(|film| Some(&film.media) == video.as_ref());
        let beside = film.map(|film| [film.poster.clone(), film.captions.clone()]);
        [media, video].into_iter().flatten().chain(beside.into_iter().flatten()).collect()
    }
}

impl RecordingQueries for Memory {
    fn find_narration(&mut self, book: BookId) -> Result<Option<Narration>, StoreError> {
        Ok(self.narrations.get(&book).cloned())
    }

    fn find_film(&mut self, book: BookId) -> Result<Option<Film>, StoreError> {
        Ok(self.films.get(&book).cloned())
    }
}

impl RecordingCommands for Memory {
    fn lock_recording_files(&mut self, book: &BookRef) -> Result<Vec<String>, StoreError> {
        Ok(self.files(book))
    }
}

impl RecordingStore for Memory {
    fn put_narration(
        &mut self,
        book: BookId,
        narration: &Narration,
        instead_of: Option<&str>,
    ) -> Result<bool, StoreError> {
        let fits = self.exchange(book, |draft| &mut draft.media, instead_of, &narration.media);
        if fits {
            self.narrations.insert(book, narration.clone());
        }
        Ok(fits)
    }

    fn put_film(&mut self, book: BookId, film: &Film, instead_of: Option<&str>) -> Result<bool, StoreError> {
        let fits = self.exchange(book, |draft| &mut draft.video, instead_of, &film.media);
        if fits {
            self.films.insert(book, film.clone());
        }
        Ok(fits)
    }
}

#[cfg(test)]
mod tests {
    use crate::Memory;

    fn with_store(case: impl FnOnce(&mut Memory)) {
        case(&mut Memory::new());
    }

    crate::recordings_contract_tests!(with_store);
}

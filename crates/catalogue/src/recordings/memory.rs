//! Recordings in memory, beside the catalogue's books.

use kernel::{BookId, StoreError};

use super::{
    model::{Film, Narration},
    store::RecordingStore,
};
use crate::memory::Memory;

impl RecordingStore for Memory {
    fn find_narration(&mut self, book: BookId) -> Result<Option<Narration>, StoreError> {
        Ok(self.narrations.get(&book).cloned())
    }

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

    fn find_film(&mut self, book: BookId) -> Result<Option<Film>, StoreError> {
        Ok(self.films.get(&book).cloned())
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

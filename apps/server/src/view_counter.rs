//! Counting opens of books, in memory first.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use kernel::BookId;

/// Opens since the last flush to the database. Counting them one by one would make every reader of a popular book wait for
/// the same row; a crash loses five seconds of a statistic.
#[derive(Debug, Default)]
pub struct ViewCounter(Mutex<HashMap<BookId, u64>>);

impl ViewCounter {
    /// Counts an open of the book.
    pub fn count(&self, book: BookId) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(book).or_default() += 1;
    }

    /// Takes all counts, to be flushed.
    pub fn take(&self) -> HashMap<BookId, u64> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds counts that could not be flushed.
    pub fn put_back(&self, views: &HashMap<BookId, u64>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (book, count) in views {
            *all.entry(*book).or_default() += count;
        }
    }
}

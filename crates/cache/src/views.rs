//! Counting of book views: a write-behind buffer.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use catalogue::CatalogueCommands;
use kernel::{BookId, StoreError, Timestamp};
use postgres::Db;

/// Book views since the last flush to the database. Writing them one by one would make every reader of a popular book
/// wait for the same row; a crash loses five seconds of a statistic.
#[derive(Debug, Default)]
pub struct ViewCounter(Mutex<HashMap<BookId, u64>>);

impl ViewCounter {
    /// Counts a view of the book.
    pub fn count(&self, book: BookId) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(book).or_default() += 1;
    }

    /// Writes the views counted so far to the database. If that fails, they stay counted.
    pub async fn flush(&self, db: &Db, now: Timestamp) -> Result<(), StoreError> {
        let views = self.take();
        if views.is_empty() {
            return Ok(());
        }
        let again = views.clone();
        let written = db.write::<_, StoreError, _>(move |pg| pg.add_book_opens(&views, now)).await;
        if written.is_err() {
            self.put_back(&again);
        }
        written
    }

    fn take(&self) -> HashMap<BookId, u64> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn put_back(&self, views: &HashMap<BookId, u64>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (book, count) in views {
            *all.entry(*book).or_default() += count;
        }
    }
}

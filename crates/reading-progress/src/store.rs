//! What reading needs from storage.

use std::collections::HashMap;

use kernel::{BookId, CategoryId, DateCursor, Day, Limit, Page, Slug, StoreError, TimeZone, Timestamp, UserId};

use crate::{
    AllowanceUse, BookFacts, DueNotice, HistoryCondition, HistoryEntry, KeptBook, OpeningRight, Place, Progress,
    ProgressError, ProgressFacts, Rating, ReaderState, Records, Shelf, ShelfCounts, Visit,
};

/// A number that no book has: ids are positive.
const NO_BOOK: BookId = BookId::from_store(0);

/// Reads, callable by everyone who holds a connection.
pub trait ProgressQueries {
    /// What the rules need to know of a published book of this number.
    fn book_facts(&mut self, book: BookId) -> Result<Option<BookFacts>, StoreError>;

    /// What the rules need to know of a published book of this name in addresses.
    fn book_facts_named(&mut self, subid: &Slug) -> Result<Option<BookFacts>, StoreError>;

    /// The books that the reader has opened by one of these rights, latest first.
    fn books_opened_by(
        &mut self,
        reader: UserId,
        rights: &[OpeningRight],
        limit: Limit,
    ) -> Result<Vec<BookId>, StoreError>;

    /// Where the reader is in a book; `None`: was never there.
    fn place_of(&mut self, reader: UserId, book: BookId) -> Result<Option<Place>, StoreError>;

    /// The books that the reader has begun or completed, in any order.
    fn begun_books(&mut self, reader: UserId) -> Result<Vec<BookId>, StoreError>;

    /// The books of which the reader wants to hear when they can be read, the latest request first.
    fn requested_notices(&mut self, reader: UserId) -> Result<Vec<BookId>, StoreError>;

    /// How many published books stand on each shelf.
    fn shelf_counts(&mut self, reader: UserId) -> Result<ShelfCounts, StoreError>;

    /// When a reader last opened a summary, or went on in one.
    fn last_opened_at(&mut self, reader: UserId) -> Result<Option<Timestamp>, StoreError>;

    /// How many sections with text each of the books has, in any order. Books without any may be left out.
    fn section_counts_of(&mut self, books: &[BookId]) -> Result<Vec<(BookId, u32)>, StoreError>;

    /// All that concerns the reader and the book, seen at one moment; `None` when there is no such reader.
    fn reader_state_of(&mut self, reader: UserId, book: BookId) -> Result<Option<ReaderState>, StoreError>;

    /// What the reader's progress is counted from, seen at one moment; `None` when there is no such reader.
    fn progress_facts_of(&mut self, reader: UserId) -> Result<Option<ProgressFacts>, StoreError>;

    /// The categories that the reader has chosen, by id; `None` when there is no such reader.
    fn find_recommends(&mut self, reader: UserId) -> Result<Option<Vec<CategoryId>>, StoreError>;

    /// Entries of published books that are not hidden ([`Place::is_shown`]), newest first, after the key; one more than
    /// the limit when there are more.
    fn history_after(
        &mut self,
        reader: UserId,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Vec<HistoryEntry>, StoreError>;

    /// Published books of a shelf of the library, newest first, after the key; one more than the limit when there are
    /// more.
    fn library_after(
        &mut self,
        reader: UserId,
        shelf: Shelf,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Vec<KeptBook>, StoreError>;

    /// Everything that is kept of the reader, each list as it is when it is read; `None` when there is no such reader.
    fn reader_records(&mut self, reader: UserId) -> Result<Option<Records>, StoreError>;

    /// How many sections with text each of the books has.
    fn section_counts(&mut self, books: &[BookId]) -> Result<HashMap<BookId, u32>, StoreError> {
        if books.is_empty() {
            return Ok(HashMap::new());
        }
        Ok(self.section_counts_of(books)?.into_iter().collect())
    }

    /// All that concerns one reader and one book.
    fn reader_state(&mut self, reader: UserId, book: BookId) -> Result<ReaderState, ProgressError> {
        self.reader_state_of(reader, book)?.ok_or(ProgressError::UnknownReader)
    }

    /// What the reader has taken of the allowance of free summaries.
    fn allowance_use_of(&mut self, reader: UserId) -> Result<AllowanceUse, ProgressError> {
        // It is the same for each book.
        Ok(self.reader_state(reader, NO_BOOK)?.allowance)
    }

    /// The categories that the reader has chosen, by id.
    fn recommends_of(&mut self, reader: UserId) -> Result<Vec<CategoryId>, ProgressError> {
        self.find_recommends(reader)?.ok_or(ProgressError::UnknownReader)
    }

    /// What the reader's reading has earned.
    fn progress_of(&mut self, reader: UserId, now: Timestamp) -> Result<Progress, ProgressError> {
        let facts = self.progress_facts_of(reader)?.ok_or(ProgressError::UnknownReader)?;
        Ok(Progress::of(facts, now))
    }

    /// Where the reader was, newest first. Books that are hidden or not published stand aside.
    fn history_of(
        &mut self,
        reader: UserId,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Page<HistoryEntry, DateCursor<BookId>>, ProgressError> {
        Ok(Page::from_surplus(self.history_after(reader, after, limit)?, limit, HistoryEntry::key))
    }

    /// A shelf of the reader's library, newest first. Books that are not published stand aside.
    fn library_of(
        &mut self,
        reader: UserId,
        shelf: Shelf,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Page<KeptBook, DateCursor<BookId>>, ProgressError> {
        Ok(Page::from_surplus(self.library_after(reader, shelf, after, limit)?, limit, KeptBook::key))
    }

    /// Everything that is kept of the reader, for the reader's own archive (`identity.data-archive`).
    fn records_of(&mut self, reader: UserId) -> Result<Records, ProgressError> {
        self.reader_records(reader)?.ok_or(ProgressError::UnknownReader)
    }
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait ProgressCommands: ProgressQueries {
    /// Hides a place from history ([`Place::hidden`]), if there is one.
    fn hide_history(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError>;

    /// Shows a place in history again ([`Place::shown`]), if there is one.
    fn show_history(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError>;

    /// Puts a book into the library. One that is there stays as it is.
    fn add_to_library(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError>;

    /// Takes a book out of the library, if it is there.
    fn remove_from_library(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError>;

    /// Withdraws the request for a notice, if there is one.
    fn withdraw_notice(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError>;

    /// Removes at most so many requests for notices of books that can be read by now, the oldest first, and gives them:
    /// who removed a request sends its notice, in the same transaction.
    fn take_due_notices(&mut self, limit: Limit) -> Result<Vec<DueNotice>, StoreError>;
}

/// Storage for reading, within one transaction. The rules are in [`crate::ReadingProgress`].
pub trait ProgressStore: ProgressCommands {
    /// Stores that the reader wants a notice when the book can be read. An earlier request stays as it is.
    fn insert_notice_request(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError>;

    /// Lets one transaction at a time pass for this reader, and gives the reader's time zone; `None` when there is no
    /// such reader. What is read afterwards is what the one before has left.
    fn lock_reader(&mut self, reader: UserId) -> Result<Option<TimeZone>, StoreError>;

    /// Records that the reader has opened the book, in the place of what was recorded before.
    fn record_open(&mut self, reader: UserId, book: BookId, by: OpeningRight, at: Timestamp) -> Result<(), StoreError>;

    /// Merges a visit into where the reader is ([`Place::first`], [`Place::merged`]), if the reader meets the condition.
    /// `None`: nothing was written, because the reader does not, or there is no such reader.
    fn merge_visit(
        &mut self,
        reader: UserId,
        book: BookId,
        visit: &Visit,
        condition: &HistoryCondition,
    ) -> Result<Option<Place>, StoreError>;

    /// Marks a place that is there as completed ([`Place::completed`]).
    fn mark_completed(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError>;

    /// Counts a summary in a day of the reader's calendar. The same one counts once on a day.
    fn count_reading_day(&mut self, reader: UserId, book: BookId, day: Day) -> Result<(), StoreError>;

    /// The reader's rating of a book.
    fn find_rating(&mut self, reader: UserId, book: BookId) -> Result<Option<Rating>, StoreError>;

    /// Writes the reader's rating of a book, in the place of the one before.
    fn upsert_rating(&mut self, reader: UserId, book: BookId, rating: &Rating, at: Timestamp)
    -> Result<(), StoreError>;

    /// Deletes the reader's rating of a book, and gives what it was. The sums of the book's ratings are the caller's.
    fn delete_rating(&mut self, reader: UserId, book: BookId) -> Result<Option<Rating>, StoreError>;

    /// Adds to the number and to the sum of a book's ratings.
    fn add_to_book_ratings(&mut self, book: BookId, count: i64, stars: i64) -> Result<(), StoreError>;

    /// Writes the reader's chosen categories (each named once) in the place of those before; `false` when one of them does not exist
    /// (the caller then gives the transaction up).
    fn replace_recommends(&mut self, reader: UserId, categories: &[CategoryId]) -> Result<bool, StoreError>;

    /// Deletes everything that is kept of the reader, and gives what the reader's ratings were, by book. The sums of
    /// the books' ratings are the caller's.
    fn delete_reader_records(&mut self, reader: UserId) -> Result<Vec<(BookId, Rating)>, StoreError>;
}

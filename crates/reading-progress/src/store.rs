//! What reading progress needs from storage.

use std::collections::HashMap;

use kernel::{BookId, CategoryId, DateCursor, Day, Limit, Page, Slug, StoreError, TimeZone, Timestamp, UserId};

use crate::{
    AllowanceUse, BookFacts, DueNotice, GoalCommands, HistoryCondition, HistoryCounts, HistoryEntry, KeptBook,
    OpeningRight, Place, Progress, ProgressError, ProgressFacts, RatedBook, ReaderState, Records, Shelf, ShelfCounts,
    Visit,
};

/// An id that no book has: ids are positive.
const NO_BOOK: BookId = BookId::from_store(0);

/// Reads, callable with any connection.
pub trait ProgressQueries {
    /// The facts about the published book with this id; `None` when there is none.
    fn book_facts(&mut self, book: BookId) -> Result<Option<BookFacts>, StoreError>;

    /// The facts about the published book with this slug; `None` when there is none.
    fn book_facts_named(&mut self, subid: &Slug) -> Result<Option<BookFacts>, StoreError>;

    /// The books that the reader has opened by one of these rights, latest first.
    fn books_opened_by(
        &mut self,
        reader: UserId,
        rights: &[OpeningRight],
        limit: Limit,
    ) -> Result<Vec<BookId>, StoreError>;

    /// The reader's place in a book; `None`: never visited.
    fn place_of(&mut self, reader: UserId, book: BookId) -> Result<Option<Place>, StoreError>;

    /// The books that the reader has begun, and whether each was completed, in any order.
    fn begun_books(&mut self, reader: UserId) -> Result<Vec<(BookId, bool)>, StoreError>;

    /// Which of these books each of these readers has completed, in any order; those that a reader has hidden in their history are left
    /// out.
    fn completed_among(&mut self, readers: &[UserId], books: &[BookId]) -> Result<Vec<(UserId, BookId)>, StoreError>;

    /// The books whose notice the reader has requested, latest request first.
    fn requested_notices(&mut self, reader: UserId) -> Result<Vec<BookId>, StoreError>;

    /// The number of published books on each shelf of the reader's library.
    fn shelf_counts(&mut self, reader: UserId) -> Result<ShelfCounts, StoreError>;

    /// The number of entries of the reader's history.
    fn history_counts(&mut self, reader: UserId) -> Result<HistoryCounts, StoreError>;

    /// When the reader last opened a summary or continued one; `None`: never.
    fn last_opened_at(&mut self, reader: UserId) -> Result<Option<Timestamp>, StoreError>;

    /// The number of sections with text of each book, in any order. Books without any may be left out.
    fn section_counts_of(&mut self, books: &[BookId]) -> Result<Vec<(BookId, u32)>, StoreError>;

    /// The state of the reader and the book, from one snapshot; `None` when there is no such reader.
    fn reader_state_of(&mut self, reader: UserId, book: BookId) -> Result<Option<ReaderState>, StoreError>;

    /// The facts that the reader's progress is computed from, in one snapshot; `None` when there is no such reader.
    fn progress_facts_of(&mut self, reader: UserId) -> Result<Option<ProgressFacts>, StoreError>;

    /// The categories that the reader has chosen, by id; `None` when there is no such reader.
    fn find_recommends(&mut self, reader: UserId) -> Result<Option<Vec<CategoryId>>, StoreError>;

    /// History entries of published books that are not hidden ([`Place::is_shown`]), newest first, after the cursor:
    /// one more than the limit when there are more.
    fn history_after(
        &mut self,
        reader: UserId,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Vec<HistoryEntry>, StoreError>;

    /// Published books of a shelf of the library, newest first, after the cursor: one more than the limit when there
    /// are more.
    fn library_after(
        &mut self,
        reader: UserId,
        shelf: Shelf,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Vec<KeptBook>, StoreError>;

    /// Everything that is stored about the reader; the lists may be from different moments. `None` when there is no
    /// such reader.
    fn reader_records(&mut self, reader: UserId) -> Result<Option<Records>, StoreError>;

    /// The number of sections with text of each book; a book without any may be missing.
    fn section_counts(&mut self, books: &[BookId]) -> Result<HashMap<BookId, u32>, StoreError> {
        if books.is_empty() {
            return Ok(HashMap::new());
        }
        Ok(self.section_counts_of(books)?.into_iter().collect())
    }

    /// The state of one reader and one book. [`ProgressError::UnknownReader`] when there is no such reader.
    fn reader_state(&mut self, reader: UserId, book: BookId) -> Result<ReaderState, ProgressError> {
        self.reader_state_of(reader, book)?.ok_or(ProgressError::UnknownReader)
    }

    /// How much of the allowance of free summaries the reader has used.
    fn allowance_use_of(&mut self, reader: UserId) -> Result<AllowanceUse, ProgressError> {
        // The allowance does not depend on the book.
        Ok(self.reader_state(reader, NO_BOOK)?.allowance)
    }

    /// The categories that the reader has chosen, by id.
    fn recommends_of(&mut self, reader: UserId) -> Result<Vec<CategoryId>, ProgressError> {
        self.find_recommends(reader)?.ok_or(ProgressError::UnknownReader)
    }

    /// What the reader has earned by reading.
    fn progress_of(&mut self, reader: UserId, now: Timestamp) -> Result<Progress, ProgressError> {
        self.progress_with(reader, &[], now)
    }

    /// What the reader has earned by reading; `other_days` count for the streak too (`reading-progress.streak-days`).
    fn progress_with(&mut self, reader: UserId, other_days: &[Day], now: Timestamp) -> Result<Progress, ProgressError> {
        let facts = self.progress_facts_of(reader)?.ok_or(ProgressError::UnknownReader)?;
        Ok(Progress::of(facts, other_days, now))
    }

    /// A page of the reader's history, newest first, without hidden entries and unpublished books.
    fn history_of(
        &mut self,
        reader: UserId,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Page<HistoryEntry, DateCursor<BookId>>, ProgressError> {
        Ok(Page::from_surplus(self.history_after(reader, after, limit)?, limit, HistoryEntry::key))
    }

    /// A page of a shelf of the reader's library, newest first, without unpublished books.
    fn library_of(
        &mut self,
        reader: UserId,
        shelf: Shelf,
        after: Option<DateCursor<BookId>>,
        limit: Limit,
    ) -> Result<Page<KeptBook, DateCursor<BookId>>, ProgressError> {
        Ok(Page::from_surplus(self.library_after(reader, shelf, after, limit)?, limit, KeptBook::key))
    }

    /// Everything that is stored about the reader, for the data archive (`identity.data-archive`).
    fn records_of(&mut self, reader: UserId) -> Result<Records, ProgressError> {
        self.reader_records(reader)?.ok_or(ProgressError::UnknownReader)
    }
}

/// Writes that need no rule, callable in any transaction.
pub trait ProgressCommands: ProgressQueries {
    /// Hides a place from history ([`Place::hidden`]), if there is one.
    fn hide_history(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError>;

    /// Shows a place in history again ([`Place::shown`]), if there is one.
    fn show_history(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError>;

    /// Saves a book in the library. One that is saved already keeps its date.
    fn add_to_library(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError>;

    /// Ends that a book is saved in the library. A completed one stays under [`Shelf::Finished`].
    fn remove_from_library(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError>;

    /// Withdraws the request for a notice, if there is one.
    fn withdraw_notice(&mut self, reader: UserId, book: BookId) -> Result<(), StoreError>;

    /// Removes and returns up to `limit` requests for notices of books that are readable by now, oldest first. The
    /// caller sends the notices in the same transaction.
    fn take_due_notices(&mut self, limit: Limit) -> Result<Vec<DueNotice>, StoreError>;
}

/// Storage of reading progress, within one transaction. The rules are in [`crate::ReadingProgress`].
pub trait ProgressStore: ProgressCommands + GoalCommands {
    /// Stores a request for a notice when the book becomes readable. An earlier request stays as it is.
    fn insert_notice_request(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError>;

    /// Locks the reader until the transaction ends, and returns the reader's time zone; `None` when there is no such
    /// reader. Later reads see what the previous holder of the lock has committed.
    fn lock_reader(&mut self, reader: UserId) -> Result<Option<TimeZone>, StoreError>;

    /// Records that the reader has opened the book; replaces an earlier record.
    fn record_open(&mut self, reader: UserId, book: BookId, by: OpeningRight, at: Timestamp) -> Result<(), StoreError>;

    /// Merges a visit into the reader's place ([`Place::first`], [`Place::merged`]), if the reader meets the condition.
    /// `None`, and nothing written, when the reader does not, or does not exist.
    fn merge_visit(
        &mut self,
        reader: UserId,
        book: BookId,
        visit: &Visit,
        condition: &HistoryCondition,
    ) -> Result<Option<Place>, StoreError>;

    /// Marks an existing place as completed ([`Place::completed`]).
    fn mark_completed(&mut self, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError>;

    /// Counts a summary as completed on a day of the reader's calendar. A summary counts once a day.
    fn count_reading_day(&mut self, reader: UserId, book: BookId, day: Day) -> Result<(), StoreError>;

    /// Stores that a summary is counted on a day already: [`Self::raise_reading_days`] has its number.
    fn mark_reading_day(&mut self, reader: UserId, book: BookId, day: Day) -> Result<(), StoreError>;

    /// Raises the numbers of summaries that the reader completed on days to these, each day once; greater ones stay.
    fn raise_reading_days(&mut self, reader: UserId, days: &[(Day, u32)]) -> Result<(), StoreError>;

    /// The reader's rating of a book.
    fn find_rating(&mut self, reader: UserId, book: BookId) -> Result<Option<RatedBook>, StoreError>;

    /// Stores the reader's rating of a book; replaces an earlier one. The caller updates the book's rating count and sum.
    fn put_rating(&mut self, reader: UserId, rated: &RatedBook) -> Result<(), StoreError>;

    /// Deletes and returns the reader's rating of a book. The caller updates the book's rating count and sum.
    fn delete_rating(&mut self, reader: UserId, book: BookId) -> Result<Option<RatedBook>, StoreError>;

    /// Adds to the count and to the star sum of a book's ratings; both may be negative.
    fn add_to_book_ratings(&mut self, book: BookId, count: i64, stars: i64) -> Result<(), StoreError>;

    /// Replaces the reader's chosen categories, of which none is repeated. `false` when one of them does not exist; the
    /// caller then rolls the transaction back.
    fn replace_recommends(&mut self, reader: UserId, categories: &[CategoryId]) -> Result<bool, StoreError>;

    /// Deletes everything that is stored about the reader, and returns the reader's ratings. The caller updates the books' rating
    /// counts and sums.
    fn delete_reader_records(&mut self, reader: UserId) -> Result<Vec<RatedBook>, StoreError>;
}

//! The rules of reading, over what storage offers.

use std::collections::HashMap;

use kernel::{BookId, CategoryId, Limit, Page, Slug, StoreError, Timestamp, UserId};

use crate::{
    BookFacts, Decision, Entitlement, HistoryEntry, LibraryEntry, ListKey, Progress, ProgressError, ProgressStore,
    Rating, ReaderState, Records, SavedPosition, Standing,
};

/// What came of opening a book.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// What the reader gets to see. What was to be recorded is recorded.
    pub decision: Decision,
    /// The reader and the book before this open.
    pub state: ReaderState,
}

impl Opening {
    /// Whether the reader has never opened this book before.
    pub fn is_first(&self) -> bool {
        self.decision.record.is_some() && self.state.opened.is_none()
    }
}

/// What reading offers. Every method that writes belongs into one transaction, given up when it fails.
pub trait ReadingProgress: ProgressStore {
    /// What the rules need to know of a published book, by its number.
    fn book_facts(&mut self, book: BookId) -> Result<Option<BookFacts>, StoreError> {
        self.book_facts_by_id(book)
    }

    /// What the rules need to know of a published book, by its name in addresses.
    fn book_facts_named(&mut self, subid: &Slug) -> Result<Option<BookFacts>, StoreError> {
        self.book_facts_by_subid(subid)
    }

    /// How many sections with text each of the books has.
    fn section_counts(&mut self, books: &[BookId]) -> Result<HashMap<BookId, u32>, StoreError> {
        if books.is_empty() {
            return Ok(HashMap::new());
        }
        Ok(self.section_counts_of(books)?.into_iter().collect())
    }

    /// All that concerns one reader and one book. [`ReaderState::decide`] says what the reader gets to see; when it
    /// wants something recorded, the text must come from [`ReadingProgress::open_book`].
    fn reader_state(&mut self, reader: UserId, book: BookId, now: Timestamp) -> Result<ReaderState, ProgressError> {
        self.reader_state_of(reader, book, now)?.ok_or(ProgressError::UnknownReader)
    }

    /// Opens a book for a reader and records by what right, so that two opens at the same moment can't take more
    /// than there is (`decisions.md` 23).
    fn open_book(&mut self, reader: UserId, book: &BookFacts, now: Timestamp) -> Result<Opening, ProgressError> {
        let state = self.reader_state(reader, book.id, now)?;
        let decision = state.decide(book, now);
        if decision.record.is_none() {
            return Ok(Opening { decision, state });
        }
        // Somebody may have been quicker: what counts is what is there once this reader is ours.
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        let state = self.reader_state(reader, book.id, now)?;
        let decision = state.decide(book, now);
        if let Some(by) = decision.record {
            self.record_open(reader, book.id, by, now)?;
        }
        Ok(Opening { decision, state })
    }

    /// The books whose full text the reader keeps also without a plan, latest first.
    fn books_opened_for_good(&mut self, reader: UserId, limit: Limit) -> Result<Vec<BookId>, StoreError> {
        self.books_opened_by_rights_that_stay(reader, limit)
    }

    /// The reader's plan and choices.
    fn standing_of(&mut self, reader: UserId, now: Timestamp) -> Result<Standing, ProgressError> {
        let stored = self.plan_and_choices_of(reader, now)?.ok_or(ProgressError::UnknownReader)?;
        Ok(Standing {
            entitlement: Entitlement::best(&stored.entitlements, now).cloned(),
            recommends: stored.recommends,
        })
    }

    /// The best entitlement that runs; `None`: not paid.
    fn entitlement_of(&mut self, reader: UserId, now: Timestamp) -> Result<Option<Entitlement>, ProgressError> {
        Ok(self.standing_of(reader, now)?.entitlement)
    }

    /// Gives the reader an entitlement, beside those that are there.
    fn grant_entitlement(&mut self, reader: UserId, entitlement: &Entitlement) -> Result<(), ProgressError> {
        Ok(self.insert_entitlement(reader, entitlement)?)
    }

    /// Saves where the reader is: a section from 0, brought within those that exist. `completed` counts at the last
    /// section with text only; below it the position alone is kept (`decisions.md` 24, §12).
    fn save_position(
        &mut self,
        reader: UserId,
        book: &BookFacts,
        position: i64,
        completed: bool,
        now: Timestamp,
    ) -> Result<SavedPosition, ProgressError> {
        if book.coming_soon {
            return Err(ProgressError::ComingSoon);
        }
        let last = book.sections.saturating_sub(1);
        let position = u32::try_from(position.max(0)).unwrap_or(u32::MAX).min(last);
        if !(completed && book.sections > 0 && position == last) {
            let entry = self.upsert_position(reader, book.id, Some(position), book.free, now)?;
            let entry = entry.map_or_else(|| Err(why_not(self, reader, book, now)), Ok)?;
            return Ok(SavedPosition { entry, progress: None });
        }

        // Of completions at the same moment one is the first.
        let time_zone = self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        let entry = self.upsert_position(reader, book.id, Some(position), book.free, now)?;
        let entry = entry.map_or_else(|| Err(why_not(self, reader, book, now)), Ok)?;
        self.count_reading_day(reader, time_zone.day_of(now))?;
        if entry.completed {
            return Ok(SavedPosition { entry, progress: None });
        }
        self.mark_completed(reader, book.id, now)?;
        let progress = self.progress_of(reader, now)?;
        Ok(SavedPosition { entry: HistoryEntry { completed: true, ..entry }, progress: Some(progress) })
    }

    /// Logs that the reader has started the book's video: an entry of history at the section where the reader was
    /// (`member.md §4`).
    fn start_video(&mut self, reader: UserId, book: &BookFacts, now: Timestamp) -> Result<HistoryEntry, ProgressError> {
        if book.coming_soon {
            return Err(ProgressError::ComingSoon);
        }
        let entry = self.upsert_position(reader, book.id, None, book.free, now)?;
        entry.map_or_else(|| Err(why_not(self, reader, book, now)), Ok)
    }

    /// What the reader's reading has earned.
    fn progress_of(&mut self, reader: UserId, now: Timestamp) -> Result<Progress, ProgressError> {
        let facts = self.progress_facts_of(reader, now)?.ok_or(ProgressError::UnknownReader)?;
        Ok(Progress::of(facts, now))
    }

    /// The books that the reader has completed, in any order: those that need not be recommended any more.
    fn completed_books(&mut self, reader: UserId) -> Result<Vec<BookId>, StoreError> {
        self.completed_books_of(reader)
    }

    /// Where the reader was, newest first. Books that are not published stand aside.
    fn history_of(
        &mut self,
        reader: UserId,
        after: Option<ListKey>,
        limit: Limit,
    ) -> Result<Page<HistoryEntry, ListKey>, ProgressError> {
        Ok(Page::from_surplus(self.history_after(reader, after, limit)?, limit, HistoryEntry::key))
    }

    /// Adds a book to the reader's library. One that is there keeps its place.
    fn add_to_library(&mut self, reader: UserId, book: BookId, now: Timestamp) -> Result<(), ProgressError> {
        Ok(self.insert_library_book(reader, book, now)?)
    }

    /// Removes a book from the reader's library, if it is there.
    fn remove_from_library(&mut self, reader: UserId, book: BookId) -> Result<(), ProgressError> {
        Ok(self.delete_library_book(reader, book)?)
    }

    /// The reader's library, newest first. Books that are not published stand aside.
    fn library_of(
        &mut self,
        reader: UserId,
        after: Option<ListKey>,
        limit: Limit,
    ) -> Result<Page<LibraryEntry, ListKey>, ProgressError> {
        Ok(Page::from_surplus(self.library_after(reader, after, limit)?, limit, LibraryEntry::key))
    }

    /// Rates a book that the reader has opened or completed; a new rating takes the place of the one before
    /// (`decisions.md` 57).
    fn rate_book(
        &mut self,
        reader: UserId,
        book: BookId,
        rating: &Rating,
        now: Timestamp,
    ) -> Result<(), ProgressError> {
        // Of two ratings by one reader at the same moment the second must see the first.
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        let state = self.reader_state(reader, book, now)?;
        if state.opened.is_none() && !state.completed {
            return Err(ProgressError::NotOpened);
        }
        let before = self.find_rating(reader, book)?;
        let stars = i64::from(rating.stars()) - before.as_ref().map_or(0, |before| i64::from(before.stars()));
        self.upsert_rating(reader, book, rating, now)?;
        self.add_to_book_ratings(book, i64::from(before.is_none()), stars)?;
        Ok(())
    }

    /// Sets the categories that the reader has chosen: at least one, each one that exists (`member.md §5`).
    fn set_recommends(&mut self, reader: UserId, categories: &[CategoryId]) -> Result<(), ProgressError> {
        let mut categories = categories.to_vec();
        categories.sort_unstable();
        categories.dedup();
        if categories.is_empty() {
            return Err(ProgressError::NoCategory);
        }
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        if self.replace_recommends(reader, &categories)? { Ok(()) } else { Err(ProgressError::UnknownCategory) }
    }

    /// Everything that is kept of the reader, for the reader's own archive (`decisions.md` 21).
    fn records_of(&mut self, reader: UserId) -> Result<Records, ProgressError> {
        self.reader_records(reader)?.ok_or(ProgressError::UnknownReader)
    }

    /// Forgets everything of a reader who leaves (`decisions.md` 21), ratings too: what a book's readers think of it is
    /// what those who are there think. The caller has the reader locked.
    fn forget_reader(&mut self, reader: UserId) -> Result<(), ProgressError> {
        let mut ratings = self.delete_reader_records(reader)?;
        // One order for everybody, so that two who leave at the same moment do not wait for each other.
        ratings.sort_unstable_by_key(|(book, _)| *book);
        for (book, rating) in ratings {
            self.add_to_book_ratings(book, -1, -i64::from(rating.stars()))?;
        }
        Ok(())
    }
}

impl<S: ProgressStore + ?Sized> ReadingProgress for S {}

/// Why a reader may not write history for a book.
fn why_not<S: ProgressStore + ?Sized>(
    store: &mut S,
    reader: UserId,
    book: &BookFacts,
    now: Timestamp,
) -> ProgressError {
    match store.reader_state(reader, book.id, now) {
        Err(error) => error,
        Ok(state) if state.decide(book, now).limit_reached => ProgressError::UpgradeRequired,
        Ok(_) => ProgressError::NotOpened,
    }
}

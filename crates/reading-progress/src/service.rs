//! The rules of reading, over any store.

use kernel::{BookId, CategoryId, Day, Timestamp, UserId};

use crate::{
    BookFacts, Device, GoalSettings, HistoryCondition, HistoryEntry, LAST_PARAGRAPH, LONGEST_AUDIO, OpeningRight,
    Place, ProgressError, ProgressStore, RatedBook, Rating, ReaderState, SavedPosition, Visit,
};

/// A device's report of its reader's position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionReport {
    /// The index of the section, from 0, clamped to those that exist. `None`: the position does not change.
    pub position: Option<i64>,
    /// The index of the paragraph at the top of the screen, from 0 in its section, clamped to [`LAST_PARAGRAPH`].
    /// Ignored without a section that exists.
    pub paragraph: Option<i64>,
    /// Whether the reader has come to the end. Counts only at the last section with text.
    pub completed: bool,
    /// The position of the audio in milliseconds, clamped to 0 and [`LONGEST_AUDIO`].
    pub audio: Option<i64>,
    /// When the reader was there, by the server's clock ([`crate::moment`]).
    pub at: Timestamp,
    /// The browser that reports.
    pub device: Option<Device>,
}

impl PositionReport {
    /// The report of a reader who has started the book's video: it adds a history entry and keeps the section
    /// (`reading-progress.saved-position`).
    pub const fn video_start(now: Timestamp) -> Self {
        Self { position: None, paragraph: None, completed: false, audio: None, at: now, device: None }
    }

    /// The report of a reader who is at a section now, from an unnamed device.
    pub const fn here(position: i64, completed: bool, now: Timestamp) -> Self {
        Self { position: Some(position), paragraph: None, completed, audio: None, at: now, device: None }
    }

    /// Whether the report completes the book: the reader came to the end, in the last section with text
    /// (`reading-progress.book-completion`).
    pub fn is_completion(&self, book: &BookFacts) -> bool {
        self.completed && book.sections > 0 && self.visit(book).position == Some(book.sections - 1)
    }

    /// The visit of the book that is reported.
    pub fn visit(&self, book: &BookFacts) -> Visit {
        let last = book.sections.saturating_sub(1);
        let within = |position: i64| u32::try_from(position.max(0)).unwrap_or(u32::MAX).min(last);
        let is_there = self.position.is_some_and(|position| (0..=i64::from(last)).contains(&position));
        let paragraph = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX).min(LAST_PARAGRAPH);
        let audio = |millis: i64| u64::try_from(millis).unwrap_or(0).min(LONGEST_AUDIO);
        Visit {
            at: self.at,
            position: self.position.map(within),
            paragraph: self.paragraph.filter(|_| is_there).map(paragraph),
            audio: self.audio.map(audio),
            device: self.device.clone(),
        }
    }
}

/// The operations of reading progress. Each method that writes runs in one transaction, which the caller rolls back
/// when it fails.
pub trait ReadingProgress: ProgressStore {
    /// Opens a book for a reader and records the right. `decide` returns the right to record, if any; it gets the state
    /// while the reader is locked, so that concurrent openings can't use more than the allowance
    /// (`reading-progress.opening-takes`). Returns what `decide` returned, and the state before this opening.
    fn open_book<T>(
        &mut self,
        reader: UserId,
        book: BookId,
        now: Timestamp,
        decide: impl FnOnce(&mut Self, &ReaderState) -> Result<(T, Option<OpeningRight>), ProgressError>,
    ) -> Result<(T, ReaderState), ProgressError> {
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        let state = self.reader_state(reader, book)?;
        let (decision, right) = decide(self, &state)?;
        if let Some(right) = right {
            self.record_open(reader, book, right, now)?;
        }
        Ok((decision, state))
    }

    /// Merges a device's report into the reader's [`crate::Place`]; `None`: the reader does not meet the condition. The
    /// result does not depend on the order of reports or on duplicates, and a completion counts on the day on which it
    /// happened. A section is clamped to those that exist. `completed` counts only at the last section with text;
    /// elsewhere only the position is saved (`reading-progress.book-completion`). `other_days` count for the streak of the
    /// progress.
    fn save_report(
        &mut self,
        reader: UserId,
        book: &BookFacts,
        report: &PositionReport,
        condition: &HistoryCondition,
        other_days: &[Day],
        now: Timestamp,
    ) -> Result<Option<SavedPosition>, ProgressError> {
        let visit = report.visit(book);
        if !report.is_completion(book) {
            let place = self.merge_visit(reader, book.id, &visit, condition)?;
            return Ok(place.map(|place| SavedPosition::of(book.id, place)));
        }

        // The lock decides which of two concurrent completions is the first.
        let time_zone = self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        let Some(before) = self.merge_visit(reader, book.id, &visit, condition)? else { return Ok(None) };
        self.count_reading_day(reader, book.id, time_zone.day_of(visit.at))?;
        self.mark_completed(reader, book.id, visit.at)?;
        let is_first = before.completed_at.is_none();
        let progress = if is_first { Some(self.progress_with(reader, other_days, now)?) } else { None };
        let place = before.completed(visit.at);
        Ok(Some(SavedPosition { entry: HistoryEntry::of(book.id, &place), place, progress }))
    }

    /// Rates a book that the reader has opened or completed; a new rating replaces the earlier one
    /// (`reading-progress.rating-rules`). [`ProgressError::NotOpened`] otherwise.
    fn rate_book(
        &mut self,
        reader: UserId,
        book: BookId,
        rating: &Rating,
        now: Timestamp,
    ) -> Result<(), ProgressError> {
        // Of two concurrent ratings by one reader, the second must see the first.
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        let state = self.reader_state(reader, book)?;
        if state.opened.is_none() && !state.completed() {
            return Err(ProgressError::NotOpened);
        }
        let before = self.find_rating(reader, book)?;
        let created_at = before.as_ref().map_or(now, |before| before.created_at);
        let (rating, counts) = (rating.clone(), state.opened.is_some());
        let rated = RatedBook { book, rating, created_at, updated_at: now, counts };
        self.put_rating(reader, &rated)?;
        count_rating(self, book, before.as_ref(), Some(&rated))
    }

    /// Merges a place of an imported archive. It gives no right (`identity.import-rights`): the text stays closed to a reader
    /// who may not open it here. The days of completions are imported by themselves.
    fn import_place(&mut self, reader: UserId, book: &BookFacts, place: &Place) -> Result<(), ProgressError> {
        let time_zone = self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        let is_new = self.place_of(reader, book.id)?.is_none();
        for visit in place.visits(book.sections.saturating_sub(1)) {
            self.merge_visit(reader, book.id, &visit, &HistoryCondition::NONE)?;
        }
        if let Some(at) = place.completed_at {
            self.mark_reading_day(reader, book.id, time_zone.day_of(at))?;
            self.mark_completed(reader, book.id, at)?;
        }
        // One that is known may have been shown again since.
        if let Some(at) = place.hidden_at.filter(|_| is_new) {
            self.hide_history(reader, book.id, at)?;
        }
        Ok(())
    }

    /// Takes the completions of an imported archive over, day by day: on each the greater number counts.
    fn import_reading_days(&mut self, reader: UserId, days: &[(Day, u32)]) -> Result<(), ProgressError> {
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        Ok(self.raise_reading_days(reader, days)?)
    }

    /// Takes a rating of an imported archive over, unless the reader has rated the book here. It counts for the book if the reader
    /// has opened that here: an archive may say anything.
    fn import_rating(
        &mut self,
        reader: UserId,
        book: BookId,
        rating: &Rating,
        (created_at, updated_at): (Timestamp, Timestamp),
    ) -> Result<(), ProgressError> {
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        if self.find_rating(reader, book)?.is_some() {
            return Ok(());
        }
        let counts = self.reader_state(reader, book)?.opened.is_some();
        let rated = RatedBook { book, rating: rating.clone(), created_at, updated_at, counts };
        self.put_rating(reader, &rated)?;
        count_rating(self, book, None, Some(&rated))
    }

    /// Stores what the reader has chosen about goal and reading time.
    fn choose_goal(&mut self, reader: UserId, settings: GoalSettings) -> Result<(), ProgressError> {
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        Ok(self.save_goal_settings(reader, settings)?)
    }

    /// Withdraws the reader's rating of a book, if there is one.
    fn take_rating_back(&mut self, reader: UserId, book: BookId) -> Result<(), ProgressError> {
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        let before = self.delete_rating(reader, book)?;
        count_rating(self, book, before.as_ref(), None)
    }

    /// Sets the reader's chosen categories: at least one, and all must exist (`reading-progress.chosen-categories`).
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

    /// Requests a mail for when the book becomes readable. Repeating the request changes nothing.
    /// [`ProgressError::AlreadyHere`] when the book is not coming soon.
    fn request_notice(&mut self, reader: UserId, book: &BookFacts, at: Timestamp) -> Result<(), ProgressError> {
        if !book.coming_soon {
            return Err(ProgressError::AlreadyHere);
        }
        Ok(self.insert_notice_request(reader, book.id, at)?)
    }

    /// Deletes everything about a reader whose account is deleted (`identity.account-deletion`), including ratings,
    /// which no longer count for their books. The caller has locked the reader.
    fn forget_reader(&mut self, reader: UserId) -> Result<(), ProgressError> {
        let mut ratings = self.delete_reader_records(reader)?;
        // A fixed order, so that two concurrent deletions can't deadlock.
        ratings.sort_unstable_by_key(|rated| rated.book);
        ratings.iter().try_for_each(|rated| count_rating(self, rated.book, Some(rated), None))
    }
}

impl<S: ProgressStore + ?Sized> ReadingProgress for S {}

/// Updates the count and the star sum of a book whose rating by one reader has changed.
fn count_rating(
    store: &mut (impl ProgressStore + ?Sized),
    book: BookId,
    before: Option<&RatedBook>,
    after: Option<&RatedBook>,
) -> Result<(), ProgressError> {
    let counted = |rated: Option<&RatedBook>| {
        let rated = rated.filter(|rated| rated.counts);
        rated.map_or((0, 0), |rated| (1, i64::from(rated.rating.stars())))
    };
    let ((count_before, stars_before), (count, stars)) = (counted(before), counted(after));
    if (count_before, stars_before) != (count, stars) {
        store.add_to_book_ratings(book, count - count_before, stars - stars_before)?;
    }
    Ok(())
}

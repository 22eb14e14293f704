//! The rules of reading, over what storage offers.

use kernel::{BookId, CategoryId, Timestamp, UserId};

use crate::{
    BookFacts, Device, HistoryCondition, HistoryEntry, LAST_PARAGRAPH, LONGEST_AUDIO, OpeningRight, ProgressError,
    ProgressStore, Rating, ReaderState, SavedPosition, Visit,
};

/// What a device reports of where its reader is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The section, from 0; brought within those that exist. `None`: wherever the reader was.
    pub position: Option<i64>,
    /// The paragraph at the top of the screen, from 0 in its section; brought within 0 and [`LAST_PARAGRAPH`]. Counts with
    /// a section that exists only.
    pub paragraph: Option<i64>,
    /// The reader has come to the end. Counts at the last section with text only.
    pub completed: bool,
    /// Where the audio is, in milliseconds; brought within 0 and [`LONGEST_AUDIO`].
    pub audio: Option<i64>,
    /// When the reader was there, by the server's clock ([`crate::moment`]).
    pub at: Timestamp,
    /// Which browser reports.
    pub device: Option<Device>,
}

impl Report {
    /// A reader who has started the book's video: an entry of history at the section where the reader was
    /// (`reading-progress.saved-position`).
    pub const fn video_start(now: Timestamp) -> Self {
        Self { position: None, paragraph: None, completed: false, audio: None, at: now, device: None }
    }

    /// A reader who is at a section now, on a device that does not say which one it is.
    pub const fn here(position: i64, completed: bool, now: Timestamp) -> Self {
        Self { position: Some(position), paragraph: None, completed, audio: None, at: now, device: None }
    }

    /// Whether it completes the book: its reader came to the end, in the last section with text (`reading-progress.book-completion`).
    pub fn is_completion(&self, book: &BookFacts) -> bool {
        self.completed && book.sections > 0 && self.visit(book.sections - 1).position == Some(book.sections - 1)
    }

    /// The visit that it is, to a book that ends with that section.
    fn visit(&self, last: u32) -> Visit {
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

/// What reading offers. Every method that writes belongs into one transaction, given up when it fails.
pub trait ReadingProgress: ProgressStore {
    /// Opens a book for a reader and records by what right. `decide` says which, if any, with the state that holds while
    /// no other opening of the reader's is under way, so that two openings at the same moment can't take more than there
    /// is (`reading-progress.opening-takes`). Gives what `decide` gave, and the state before this opening.
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

    /// Merges what a device reports, late or not, into where the reader is ([`Place`]); `None`: the reader does not meet
    /// the condition. What comes of it is the same in whatever order reports arrive, and however often; a completion
    /// counts in the day on which it was. A section is brought within those that exist. `completed` counts at the last
    /// section with text only; below it the position alone is kept (`reading-progress.book-completion`).
    fn save_report(
        &mut self,
        reader: UserId,
        book: &BookFacts,
        report: &Report,
        condition: &HistoryCondition,
        now: Timestamp,
    ) -> Result<Option<SavedPosition>, ProgressError> {
        let last = book.sections.saturating_sub(1);
        let visit = report.visit(last);
        if !report.is_completion(book) {
            let place = self.merge_visit(reader, book.id, &visit, condition)?;
            let saved = |place| SavedPosition { entry: HistoryEntry::of(book.id, &place), place, progress: None };
            return Ok(place.map(saved));
        }

        // Of completions at the same moment one is the first.
        let time_zone = self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        let Some(before) = self.merge_visit(reader, book.id, &visit, condition)? else { return Ok(None) };
        self.count_reading_day(reader, book.id, time_zone.day_of(visit.at))?;
        self.mark_completed(reader, book.id, visit.at)?;
        let progress = if before.completed_at.is_none() { Some(self.progress_of(reader, now)?) } else { None };
        let place = before.completed(visit.at);
        Ok(Some(SavedPosition { entry: HistoryEntry::of(book.id, &place), place, progress }))
    }

    /// Rates a book that the reader has opened or completed; a new rating takes the place of the one before
    /// (`reading-progress.rating-rules`).
    fn rate_book(
        &mut self,
        reader: UserId,
        book: BookId,
        rating: &Rating,
        now: Timestamp,
    ) -> Result<(), ProgressError> {
        // Of two ratings by one reader at the same moment the second must see the first.
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        let state = self.reader_state(reader, book)?;
        if state.opened.is_none() && !state.completed() {
            return Err(ProgressError::NotOpened);
        }
        let before = self.find_rating(reader, book)?;
        let stars = i64::from(rating.stars()) - before.as_ref().map_or(0, |before| i64::from(before.stars()));
        self.upsert_rating(reader, book, rating, now)?;
        self.add_to_book_ratings(book, i64::from(before.is_none()), stars)?;
        Ok(())
    }

    /// Takes the reader's rating of a book back, if there is one.
    fn take_rating_back(&mut self, reader: UserId, book: BookId) -> Result<(), ProgressError> {
        self.lock_reader(reader)?.ok_or(ProgressError::UnknownReader)?;
        if let Some(before) = self.delete_rating(reader, book)? {
            self.add_to_book_ratings(book, -1, -i64::from(before.stars()))?;
        }
        Ok(())
    }

    /// Sets the categories that the reader has chosen: at least one, each one that exists (`reading-progress.chosen-categories`).
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

    /// Stores that the reader wants a mail when the book, which is coming soon, can be read. Requesting it again changes
    /// nothing.
    fn request_notice(&mut self, reader: UserId, book: &BookFacts, at: Timestamp) -> Result<(), ProgressError> {
        if !book.coming_soon {
            return Err(ProgressError::AlreadyHere);
        }
        Ok(self.insert_notice_request(reader, book.id, at)?)
    }

    /// Forgets everything of a reader who leaves (`identity.account-deletion`), ratings too: what a book's readers think of it is
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

//! Values: history entries, library entries, notices and ratings.

use kernel::{BookId, DateCursor, Timestamp, UserId};

use crate::{AllowanceUse, OpeningRight, Place, Progress, ProgressError};

/// The most characters that feedback may have (`reading-progress.rating-rules`).
pub const FEEDBACK_MAX_CHARS: usize = 500;
/// The default page size of the history (`reading-progress.history-list`).
pub const HISTORY_PAGE: usize = 10;
/// The default page size of the library (`reading-progress.library-pages`).
pub const LIBRARY_PAGE: usize = 20;

/// The state of one reader and one book.
#[derive(Clone, Debug, PartialEq)]
pub struct ReaderState {
    /// How much of the allowance was used; it is the same for each book.
    pub allowance: AllowanceUse,
    /// The right by which the book was opened; `None`: never.
    pub opened: Option<OpeningRight>,
    /// The reader's place in the book; `None`: never visited.
    pub place: Option<Place>,
    /// Whether the book is in the reader's library.
    pub in_library: bool,
    /// The reader's rating of the book; `None`: not rated.
    pub rating: Option<Rating>,
}

impl ReaderState {
    /// The index of the section where the reader is, from 0.
    pub fn position(&self) -> u32 {
        self.place.as_ref().map_or(0, Place::position)
    }

    /// Whether the reader has completed the summary.
    pub fn completed(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.completed_at.is_some())
    }
}

/// An entry of a reader's history: the place in one book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    pub book: BookId,
    /// The index of the section, from 0.
    pub position: u32,
    /// Whether the summary was ever completed.
    pub completed: bool,
    /// When the reader last visited the book.
    pub at: Timestamp,
}

impl HistoryEntry {
    /// The entry for a place.
    pub fn of(book: BookId, place: &Place) -> Self {
        Self { book, position: place.position(), completed: place.completed_at.is_some(), at: place.seen_at }
    }

    /// The entry's pagination cursor.
    pub const fn key(&self) -> DateCursor<BookId> {
        DateCursor { at: self.at, id: self.book }
    }
}

/// The result of saving a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedPosition {
    /// The entry as it is now.
    pub entry: HistoryEntry,
    /// The place merged from all devices.
    pub place: Place,
    /// The reader's progress, when this was the first completion of the book; otherwise `None`.
    pub progress: Option<Progress>,
}

impl SavedPosition {
    /// The result of a save that completed nothing.
    pub fn of(book: BookId, place: Place) -> Self {
        Self { entry: HistoryEntry::of(book, &place), place, progress: None }
    }
}

/// A book in a reader's library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryEntry {
    pub book: BookId,
    /// When it was added.
    pub at: Timestamp,
}

impl LibraryEntry {
    /// The entry's pagination cursor.
    pub const fn key(&self) -> DateCursor<BookId> {
        DateCursor { at: self.at, id: self.book }
    }
}

/// A notice that is to be sent, because its book has become readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueNotice {
    /// The reader who requested it.
    pub reader: UserId,
    pub book: BookId,
}

/// A part of the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shelf {
    #[default]
    All,
    /// Saved books that were begun and never completed.
    Reading,
    /// Books that were completed, whether saved or not.
    Finished,
    /// Saved books that were neither begun nor completed.
    Saved,
}

impl Shelf {
    /// The shelf of a book, besides the whole library (`reading-progress.library-shelves`); `None`: it is not in the
    /// library. A place that is hidden from history counts as none.
    pub fn of(is_saved: bool, place: Option<&Place>) -> Option<Self> {
        match place.filter(|place| place.is_shown()) {
            Some(place) if place.completed_at.is_some() => Some(Self::Finished),
            Some(_) if is_saved => Some(Self::Reading),
            None if is_saved => Some(Self::Saved),
            _ => None,
        }
    }

    /// Whether this part of the library holds the books of another shelf.
    pub fn holds(self, one: Self) -> bool {
        self == Self::All || self == one
    }
}

/// The number of published books in the reader's history ([`Place::is_shown`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistoryCounts {
    pub all: u64,
    /// How many of them were completed.
    pub completed: u64,
}

/// The number of published books on each shelf; no book is on two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShelfCounts {
    pub reading: u64,
    pub finished: u64,
    pub saved: u64,
}

impl ShelfCounts {
    /// The number of books in the whole library.
    pub const fn all(&self) -> u64 {
        self.reading + self.finished + self.saved
    }
}

/// A book of the library, and how far the reader has read it. A place that is hidden from history counts as none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptBook {
    /// The book, and when it was saved; of a book that is not saved, when it was completed.
    pub entry: LibraryEntry,
    /// Whether the reader has saved it.
    pub is_saved: bool,
    /// The index of the section where the reader is, from 0; `None`: never visited.
    pub position: Option<u32>,
    /// Whether the summary was ever completed.
    pub completed: bool,
}

impl KeptBook {
    /// The pagination cursor.
    pub const fn key(&self) -> DateCursor<BookId> {
        self.entry.key()
    }
}

/// A reader's rating of a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rating {
    stars: u8,
    feedback: String,
}

impl Rating {
    /// Validates a rating: one to five stars, and at most [`FEEDBACK_MAX_CHARS`] characters of feedback
    /// (`reading-progress.rating-rules`).
    ///
    /// The feedback is trimmed, and NUL is removed, which no text column can store.
    pub fn new(stars: Option<i64>, feedback: &str) -> Result<Self, ProgressError> {
        let stars = stars.and_then(|stars| u8::try_from(stars).ok()).filter(|stars| (1..=5).contains(stars));
        let stars = stars.ok_or(ProgressError::RatingRequired)?;
        let feedback = feedback.replace('\0', "").trim().to_owned();
        if feedback.chars().count() > FEEDBACK_MAX_CHARS {
            return Err(ProgressError::FeedbackTooLong);
        }
        Ok(Self { stars, feedback })
    }

    /// The stars, from 1 to 5.
    pub const fn stars(&self) -> u8 {
        self.stars
    }

    /// The reader's comment; empty when there is none.
    pub fn feedback(&self) -> &str {
        &self.feedback
    }
}

#[cfg(test)]
mod tests {
    use super::{FEEDBACK_MAX_CHARS, HISTORY_PAGE, LIBRARY_PAGE, Rating};
    use crate::ProgressError;

    #[test]
    fn the_history_has_ten_entries_a_page_and_the_library_twenty_books() {
        assert_eq!((HISTORY_PAGE, LIBRARY_PAGE, FEEDBACK_MAX_CHARS), (10, 20, 500));
    }

    #[test]
    fn a_rating_has_one_to_five_stars() {
        for stars in [None, Some(0), Some(6), Some(-1), Some(257), Some(i64::MAX)] {
            assert!(matches!(Rating::new(stars, ""), Err(ProgressError::RatingRequired)), "{stars:?}");
        }
        assert_eq!(Rating::new(Some(5), "").unwrap().stars(), 5);
        assert_eq!(ProgressError::RatingRequired.to_string(), "Please select a rating before submitting!");
    }

    #[test]
    fn feedback_has_at_most_500_characters_of_any_alphabet() {
        assert_eq!(Rating::new(Some(3), &format!("  {}\n", "ö".repeat(500))).unwrap().feedback(), "ö".repeat(500));
        assert!(matches!(Rating::new(Some(3), &"ö".repeat(501)), Err(ProgressError::FeedbackTooLong)));
        assert_eq!(Rating::new(Some(3), "a\0b").unwrap().feedback(), "ab");
    }
}

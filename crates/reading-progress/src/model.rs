//! Values: where readers are, what they keep, and what they think.

use kernel::{BookId, DateCursor, Timestamp, UserId};

use crate::{AllowanceUse, OpeningRight, Place, Progress, ProgressError};

/// The most characters that feedback may have (`reading-progress.rating-rules`).
pub const FEEDBACK_MAX_CHARS: usize = 500;
/// How many entries a page of history has unless asked otherwise (`reading-progress.history-list`).
pub const HISTORY_PAGE: usize = 10;
/// How many books a page of the library has unless asked otherwise (`reading-progress.library-pages`).
pub const LIBRARY_PAGE: usize = 20;

/// All that concerns one reader and one book.
#[derive(Clone, Debug, PartialEq)]
pub struct ReaderState {
    /// What was taken of the allowance, the same for each book.
    pub allowance: AllowanceUse,
    /// The right by which the book was opened; `None`: never.
    pub opened: Option<OpeningRight>,
    /// Where the reader is in it; `None`: was never there.
    pub place: Option<Place>,
    /// Whether the book is in the reader's library.
    pub in_library: bool,
    /// The reader's rating of the book; `None`: not rated.
    pub rating: Option<Rating>,
}

impl ReaderState {
    /// The section where the reader is, from 0.
    pub fn position(&self) -> u32 {
        self.place.as_ref().map_or(0, Place::position)
    }

    /// Whether the reader has completed the summary.
    pub fn completed(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.completed_at.is_some())
    }
}

/// Where a reader is in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    pub book: BookId,
    /// The section, from 0.
    pub position: u32,
    /// Whether the summary was ever completed.
    pub completed: bool,
    /// When the reader was there.
    pub at: Timestamp,
}

impl HistoryEntry {
    /// The entry that a place is.
    pub fn of(book: BookId, place: &Place) -> Self {
        Self { book, position: place.position(), completed: place.completed_at.is_some(), at: place.seen_at }
    }

    /// The entry's place in the list.
    pub const fn key(&self) -> DateCursor<BookId> {
        DateCursor { at: self.at, id: self.book }
    }
}

/// What saving a position has brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedPosition {
    /// The entry as it is now.
    pub entry: HistoryEntry,
    /// Where the reader is, as all devices together say.
    pub place: Place,
    /// What the reader has earned, when this completed the book for the first time.
    pub progress: Option<Progress>,
}

/// A book that a reader keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryEntry {
    pub book: BookId,
    /// When it was added.
    pub at: Timestamp,
}

impl LibraryEntry {
    /// The entry's place in the list.
    pub const fn key(&self) -> DateCursor<BookId> {
        DateCursor { at: self.at, id: self.book }
    }
}

/// A notice that is to be sent: its book can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueNotice {
    /// Who requested it.
    pub reader: UserId,
    pub book: BookId,
}

/// A part of the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shelf {
    #[default]
    All,
    /// What was begun and never completed.
    Reading,
    /// What was completed.
    Finished,
    /// What was kept for later: neither begun nor completed.
    Saved,
}

impl Shelf {
    /// Whether a book of the library stands here: whether the reader was ever in it, and ever completed it.
    pub const fn holds(self, begun: bool, completed: bool) -> bool {
        match self {
            Self::All => true,
            Self::Reading => begun && !completed,
            Self::Finished => completed,
            Self::Saved => !begun && !completed,
        }
    }
}

/// How many published books stand on each shelf; no book stands on two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShelfCounts {
    /// [`Shelf::Reading`].
    pub reading: u64,
    /// [`Shelf::Finished`].
    pub finished: u64,
    /// [`Shelf::Saved`].
    pub saved: u64,
}

impl ShelfCounts {
    /// The whole library.
    pub const fn all(&self) -> u64 {
        self.reading + self.finished + self.saved
    }
}

/// A book of the library, and how far the reader is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptBook {
    /// The book, and when it was added.
    pub entry: LibraryEntry,
    /// The section where the reader is, from 0; `None`: was never there.
    pub position: Option<u32>,
    /// Whether the summary was ever completed.
    pub completed: bool,
}

impl KeptBook {
    /// Its place in the list.
    pub const fn key(&self) -> DateCursor<BookId> {
        self.entry.key()
    }
}

/// What a reader thinks of a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rating {
    stars: u8,
    feedback: String,
}

impl Rating {
    /// Reads a rating: one to five stars, and at most [`FEEDBACK_MAX_CHARS`] characters (`reading-progress.rating-rules`).
    ///
    /// Blanks around the feedback are dropped, and NUL, which no text can keep.
    pub fn new(stars: Option<i64>, feedback: &str) -> Result<Self, ProgressError> {
        let stars = stars.and_then(|stars| u8::try_from(stars).ok()).filter(|stars| (1..=5).contains(stars));
        let stars = stars.ok_or(ProgressError::RatingRequired)?;
        let feedback = feedback.replace('\0', "").trim().to_owned();
        if feedback.chars().count() > FEEDBACK_MAX_CHARS {
            return Err(ProgressError::FeedbackTooLong);
        }
        Ok(Self { stars, feedback })
    }

    /// One to five.
    pub const fn stars(&self) -> u8 {
        self.stars
    }

    /// The reader's words; empty when there are none.
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

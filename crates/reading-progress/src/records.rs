//! Everything that reading keeps of one reader, as the reader's own archive tells it (`identity.data-archive`).

use kernel::{BookId, CategoryId, Day, Timestamp};

use crate::{LibraryEntry, OpeningRight, Place, Rating};

/// What is kept of one reader, of unpublished books too. Lists are newest first, where nothing else is said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// The chosen categories, by id.
    pub recommends: Vec<CategoryId>,
    /// The full texts that were opened.
    pub opened: Vec<OpenedBook>,
    /// Where the reader was in each book.
    pub history: Vec<ReadBook>,
    /// The days on which summaries were completed, with their number, oldest first.
    pub days: Vec<(Day, u32)>,
    pub library: Vec<LibraryEntry>,
    pub ratings: Vec<RatedBook>,
    /// The requests for notices of books that are coming soon.
    pub notices: Vec<NoticeRequest>,
}

/// A full text that a reader has opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenedBook {
    pub book: BookId,
    /// By what right.
    pub by: OpeningRight,
    pub at: Timestamp,
}

/// Where a reader is in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadBook {
    pub book: BookId,
    /// The section, from 0.
    pub position: u32,
    /// The furthest section ever reached, from 0.
    pub furthest: u32,
    /// When the summary was completed for the first time.
    pub completed_at: Option<Timestamp>,
    /// Where the audio was, in milliseconds.
    pub audio: Option<u64>,
    /// When the reader was there last.
    pub at: Timestamp,
    /// When the reader hid the entry.
    pub hidden_at: Option<Timestamp>,
}

impl ReadBook {
    /// What is kept of a place.
    pub fn of(book: BookId, place: &Place) -> Self {
        Self {
            book,
            position: place.position(),
            furthest: place.furthest,
            completed_at: place.completed_at,
            audio: place.audio.map(|audio| audio.millis),
            at: place.seen_at,
            hidden_at: place.hidden_at,
        }
    }
}

/// A reader wants a mail when a book that is coming soon can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoticeRequest {
    pub book: BookId,
    /// When it was requested.
    pub at: Timestamp,
}

/// What a reader made of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedBook {
    pub book: BookId,
    /// Stars and words.
    pub rating: Rating,
    /// When it was rated first.
    pub created_at: Timestamp,
    /// When the rating was changed last.
    pub updated_at: Timestamp,
}

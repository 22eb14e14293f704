//! Everything that is stored about one reader, for the reader's data archive (`identity.data-archive`).

use kernel::{BookId, CategoryId, Day, Device, Timestamp};

use crate::{GoalSettings, LibraryEntry, OpeningRight, Place, Rating};

/// Everything that is stored about one reader, including unpublished books. Lists are newest first unless stated
/// otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// The chosen categories, by id.
    pub recommends: Vec<CategoryId>,
    /// The full texts that were opened.
    pub opened: Vec<OpenedBook>,
    /// The place in each book.
    pub history: Vec<ReadBook>,
    /// The days on which summaries were completed, each with the number of summaries, oldest first.
    pub days: Vec<(Day, u32)>,
    pub library: Vec<LibraryEntry>,
    pub ratings: Vec<RatedBook>,
    /// The requests for notices of books that are coming soon.
    pub notices: Vec<NoticeRequest>,
    pub goal: GoalSettings,
    /// The reading time, oldest day first, then by device.
    pub time: Vec<ReadTime>,
}

/// How long a reader read and listened on a device on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadTime {
    pub day: Day,
    pub device: Device,
    pub seconds: u32,
}

/// A full text that a reader has opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenedBook {
    pub book: BookId,
    /// The right by which it was opened.
    pub by: OpeningRight,
    pub at: Timestamp,
}

/// A reader's place in a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadBook {
    pub book: BookId,
    pub place: Place,
}

/// A reader's request for a mail when a book that is coming soon becomes readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoticeRequest {
    pub book: BookId,
    /// When it was requested.
    pub at: Timestamp,
}

/// A reader's rating of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedBook {
    pub book: BookId,
    pub rating: Rating,
    /// When the book was first rated.
    pub created_at: Timestamp,
    /// When the rating was changed last.
    pub updated_at: Timestamp,
    /// Whether it counts for the book: the reader had opened the book when they gave or imported it.
    pub counts: bool,
}

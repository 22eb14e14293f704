//! Where readers are in their books, what they have opened, and what they have made of them.
//!
//! # What it owns
//!
//! Which books were opened and by what right, history and completion, XP, levels, awards, streaks and skills, the
//! library, ratings, and the categories that a reader has chosen. What a reader may open is not decided here.
//! It knows of a book only what it is told: [`BookFacts`].
//!
//! # What always holds
//!
//! - Of two openings by one reader at the same moment, the second is decided with what the first has recorded.
//! - A summary gives its XP once for each reader.
//! - A book's count and sum of ratings are those of its ratings.
//! - Requests of several devices end in the same place, whatever their order and however late; no completion is lost.
//! - History is written only where the condition for it is met ([`HistoryCondition`]).
//!
//! # Words
//!
//! *Reader*: a signed-in person. *Opening*: being given a full text. *Opening right*: the right by which a text was opened.
//! *Allowance*: the free summaries of a reader without a plan. *Visit*: what one request says of where a reader was.
//! *Place*: what all visits together make of it.

mod achievement;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod error;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod place;
mod records;
mod service;
mod store;
mod streak;

pub use achievement::{
    AWARDS, Award, CALENDAR_DAYS, LevelXp, Progress, ProgressFacts, SKILL_TARGET, Skill, XP_PER_SUMMARY,
};
pub use error::ProgressError;
pub use model::{
    AllowanceUse, BookFacts, DueNotice, FEEDBACK_MAX_CHARS, HISTORY_PAGE, HistoryCondition, HistoryEntry, KeptBook,
    LIBRARY_PAGE, LibraryEntry, OpeningRight, Rating, ReaderState, SavedPosition, Shelf, ShelfCounts,
};
pub use place::{
    AudioPosition, Device, LAST_PARAGRAPH, LATEST_ARRIVAL, LONGEST_AUDIO, Place, ReadingPosition, SLOWEST_REQUEST,
    Visit, moment,
};
pub use records::{NoticeRequest, OpenedBook, RatedBook, ReadBook, Records};
pub use service::{ReadingProgress, Report};
pub use store::{ProgressCommands, ProgressQueries, ProgressStore};
pub use streak::{Streaks, streaks};

//! Who may read what, where readers are in their books, and what they have made of them.
//!
//! # What it owns
//!
//! Access and the allowance of free summaries, entitlements (who is paid until when), history and completion, XP,
//! levels, awards, streaks and skills, the library, ratings, and the categories that a reader has chosen.
//! It knows of a book only what it is told: [`BookFacts`].
//!
//! # What always holds
//!
//! - A reader never opens more summaries than the allowance has, also with two opens at the same moment.
//! - Opening the same summary again takes nothing.
//! - A summary gives its XP once for each reader.
//! - A book's count and sum of ratings are those of its ratings.
//! - Requests of several devices end in the same place, whatever their order and however late; no completion is lost.
//! - History is written only for books whose full text the reader may read.
//!
//! # Words
//!
//! *Reader*: a signed-in person. *Open*: being given a full text. *Grant*: the right by which a text was opened.
//! *Allowance*: the free summaries of a reader without a plan. *Standing*: a reader's plan and choices. *Visit*: what one
//! request says of where a reader was. *Place*: what all visits together make of it.

mod access;
mod achievement;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod entitlement;
mod error;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod place;
mod records;
mod service;
mod store;
mod streak;

pub use access::{
    Allowance, BookFacts, Decision, FREE_SUMMARIES, FRIEND_SUMMARIES, GrantedBy, MONTHLY_SUMMARIES, Membership, Spent,
    Viewer, decide,
};
pub use achievement::{AWARDS, Award, CALENDAR_DAYS, LevelXp, Progress, SKILL_TARGET, Skill, XP_PER_SUMMARY};
pub use entitlement::Entitlement;
pub use error::ProgressError;
pub use kernel::{Day, Month, TimeZone};
pub use model::{
    FEEDBACK_MAX_CHARS, HISTORY_PAGE, HistoryEntry, KeptBook, LIBRARY_PAGE, LibraryEntry, Rating, ReaderState,
    SavedPosition, Shelf, ShelfCounts, Standing,
};
pub use place::{AudioSpot, Device, LATEST_ARRIVAL, LONGEST_AUDIO, Place, SLOWEST_REQUEST, Spot, Visit, moment};
pub use records::{OpenedBook, RatedBook, ReadBook, Records};
pub use service::{Opening, ReadingProgress, Report};
pub use store::{PlanAndChoices, ProgressFacts, ProgressStore};
pub use streak::{Streaks, streaks};

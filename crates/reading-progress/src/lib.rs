//! What readers may do with books, where they are in them, and what they have made of them.
//!
//! # What it owns
//!
//! Which books were opened and by what right, history and completion, XP, levels, awards, streaks and skills, the
//! library, ratings, and the categories that a reader has chosen. It knows of a book only what it is told: [`BookFacts`].
//!
//! What a viewer may do with a book, and why not, is one pure function, [`rights()`], of viewer, book and time
//! (`reading-progress.full-text-rights`, `delivery.download-rights`). A refusal has its reason ([`DenialReason`]) and its text
//! ([`Refusal`]). The allowance of free summaries is part of it ([`Allowance`]). What a query has to filter by is a value too:
//! [`HistoryCondition`], [`FullTexts`]. A workflow fills [`Viewer`] from billing and from what is recorded here.
//!
//! # What always holds
//!
//! - A member never opens more summaries than the allowance has; opening the same one again takes nothing.
//! - What was opened with the allowance stays open; what a plan opened lapses with the plan.
//! - Of two openings by one reader at the same moment, the second is decided with what the first has recorded.
//! - A summary gives its XP once for each reader.
//! - A book's count and sum of ratings are those of its ratings.
//! - Requests of several devices end in the same place, whatever their order and however late; no completion is lost.
//! - History is written only where the condition for it is met ([`HistoryCondition`]).
//!
//! # Words
//!
//! *Reader*: a signed-in person. *Opening*: being given a full text. *Opening right*: the right by which a text was opened.
//! *Grant*: something that billing gives a member, such as a plan. *Allowance*: the free summaries of a reader without a plan. *Visit*: what one request says of where a reader was.
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
mod rights;
mod service;
mod store;
mod streak;

pub use achievement::{
    AWARDS, Award, CALENDAR_DAYS, LevelXp, Progress, ProgressFacts, SKILL_TARGET, Skill, XP_PER_SUMMARY,
};
pub use error::ProgressError;
pub use model::{
    DueNotice, FEEDBACK_MAX_CHARS, HISTORY_PAGE, HistoryEntry, KeptBook, LIBRARY_PAGE, LibraryEntry, Rating,
    ReaderState, SavedPosition, Shelf, ShelfCounts,
};
pub use place::{
    AudioPosition, Device, LAST_PARAGRAPH, LATEST_ARRIVAL, LONGEST_AUDIO, Place, ReadingPosition, SLOWEST_REQUEST,
    Visit, moment,
};
pub use records::{NoticeRequest, OpenedBook, RatedBook, ReadBook, Records};
pub use rights::{
    Action, Allowance, AllowanceUse, BookFacts, DenialReason, FREE_SUMMARIES, FRIEND_SUMMARIES, FullTexts, Grant,
    HistoryCondition, INFOGRAPHICS_OF_A_PLAN, InfographicsAddOn, InfographicsDownload, MONTHLY_SUMMARIES, Member,
    Opening, OpeningRight, Refusal, Rights, Viewer, free_summaries, has_plan, history_condition, infographics,
    may_use_e_reader, rights,
};
pub use service::{ReadingProgress, Report};
pub use store::{ProgressCommands, ProgressQueries, ProgressStore};
pub use streak::{Streaks, streaks};

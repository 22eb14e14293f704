//! What readers may do with books, how far they have read them, and what their reading has earned.
//!
//! # What it owns
//!
//! The books that were opened and the right by which each was opened, history and completions, XP, levels, awards,
//! streaks and skills, the daily goal and the reading time, the library, ratings, and the categories that a reader has chosen. Of a book it knows only
//! [`BookFacts`].
//!
//! What a viewer may do with a book, and why not, is decided by one pure function, [`rights()`], from viewer, book and
//! time (`reading-progress.full-text-rights`, `delivery.download-rights`). A refusal has a reason ([`DenialReason`])
//! and a text ([`Refusal`]). The allowance of free summaries is part of the decision ([`Allowance`]). Conditions that
//! queries apply are values too: [`HistoryCondition`], [`FullTexts`]. A workflow fills [`Viewer`] from billing and from
//! the records of this crate.
//!
//! # What always holds
//!
//! - A member never opens more summaries than the allowance has; opening the same one again takes nothing.
//! - What was opened with the allowance stays open; what a plan opened lapses with the plan.
//! - Concurrent openings by one reader are serialized: the second sees what the first has recorded.
//! - A summary gives its XP once for each reader.
//! - A book's rating count and sum always match those of its ratings that count.
//! - Reports from several devices give the same place, whatever their order and delay; no completion is lost.
//! - Reading time of several devices adds up to the same sum, whatever the order and number of their reports.
//! - History is written only when its condition is met ([`HistoryCondition`]).
//!
//! # Words
//!
//! *Reader*: a signed-in person. *Opening*: giving a reader the full text. *Opening right*: the right by which a text
//! was opened. *Grant*: something that billing gives a member, such as a plan. *Allowance*: the free summaries of a
//! reader without a plan. *Visit*: what one request reports about a reader's position. *Place*: the merged result of
//! all visits.

mod achievement;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod error;
mod goal;
mod goal_store;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod place;
mod records;
mod rights;
mod service;
mod store;
mod streak;
mod year;

pub use achievement::{
    AWARDS, Award, CALENDAR_DAYS, LevelXp, Progress, ProgressFacts, SKILL_TARGET, Skill, XP_PER_SUMMARY,
};
pub use error::ProgressError;
pub use goal::{
    DEVICES_A_DAY, DayOfReading, DaysOfReading, GOAL_DAYS, GOAL_MINUTES, GOAL_SUMMARIES, Goal, GoalSettings, GoalState,
    GoalUnit, REPORTED_DAYS,
};
pub use goal_store::{GoalCommands, GoalQueries};
pub use kernel::{Device, LATEST_ARRIVAL, SLOWEST_REQUEST, moment};
pub use model::{
    DueNotice, FEEDBACK_MAX_CHARS, HISTORY_PAGE, HistoryCounts, HistoryEntry, KeptBook, LIBRARY_PAGE, LibraryEntry,
    Rating, ReaderState, SavedPosition, Shelf, ShelfCounts,
};
pub use place::{AudioPosition, LAST_PARAGRAPH, LONGEST_AUDIO, Place, ReadingPosition, Visit};
pub use records::{NoticeRequest, OpenedBook, RatedBook, ReadBook, ReadTime, Records};
pub use rights::{
    Action, Allowance, AllowanceUse, BookFacts, DenialReason, FREE_SUMMARIES, FRIEND_SUMMARIES, FullTexts, Grant,
    HistoryCondition, INFOGRAPHICS_OF_A_PLAN, InfographicsAddOn, InfographicsDownload, MONTHLY_SUMMARIES, Member,
    Opening, OpeningRight, Refusal, Rights, Viewer, free_summaries, has_plan, history_condition, infographics,
    may_use_e_reader, rights,
};
pub use service::{PositionReport, ReadingProgress};
pub use store::{ProgressCommands, ProgressQueries, ProgressStore};
pub use streak::{Streaks, streaks};
pub use year::{FIRST_YEAR, MonthOfReading, YearOfReading};

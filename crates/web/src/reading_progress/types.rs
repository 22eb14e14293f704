//! Reading history and progress on the wire. (`reading-progress.progress-page`)

use std::collections::BTreeMap;
use workflows::{
    identity::archive::date_of,
    reading_progress::reading::{HistoryBook, ReaderProgress, SavedReport},
};

use kernel::{BookId, DateCursor, Limit, Timestamp};
use reading_progress::{SKILL_TARGET, Shelf, ShelfCounts};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    catalogue::types::{
        book::{BookCard, CategoryRef, Rating},
        place::Place,
    },
    http::{
        error::ApiError,
        wire::page::{after, limit},
    },
    identity::types::User,
};

/// Where a reader is in a book.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The book.
    pub book_id: i64,
    /// The section, from 0.
    pub position: u32,
    /// Whether the book was ever completed.
    pub completed: bool,
    /// When it was last read, in ms since the epoch.
    pub at: i64,
}

/// A book of the history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// The book.
    #[serde(flatten)]
    pub book: BookCard,
    /// The section, from 0.
    pub position: u32,
    /// Whether the book was ever completed.
    pub completed: bool,
    /// When it was last read, in ms since the epoch.
    pub at: i64,
    /// How many sections with text the book has.
    pub sections_total: u32,
}

/// A book of the library.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LibraryBook {
    /// The book.
    #[serde(flatten)]
    pub book: BookCard,
    /// Whether it was added to the library. One that was not is there because it was completed.
    pub saved: bool,
    /// The section where the reader is, from 0; null when it was never opened, or is hidden from history.
    pub position: Option<u32>,
    /// Whether the book was ever completed, and is not hidden from history.
    pub completed: bool,
    /// How many sections with text the book has.
    pub sections_total: u32,
}

/// The parts of a library.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShelfName {
    /// All of it.
    All,
    /// What was added, begun and never completed.
    Reading,
    /// What was completed, whether it was added or not.
    Finished,
    /// What was added, and neither begun nor completed.
    Saved,
}

impl From<ShelfName> for Shelf {
    fn from(name: ShelfName) -> Self {
        match name {
            ShelfName::All => Self::All,
            ShelfName::Reading => Self::Reading,
            ShelfName::Finished => Self::Finished,
            ShelfName::Saved => Self::Saved,
        }
    }
}

/// A page of a shelf of the library.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LibraryParams {
    /// Which part of the library; all of it when nothing is said.
    shelf: Option<ShelfName>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// How many, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl LibraryParams {
    /// Parses and validates the parameters; `default_limit` is the limit when the client sends none.
    pub fn read(&self, default_limit: usize) -> Result<(Shelf, Option<DateCursor<BookId>>, Limit), ApiError> {
        let wanted = self.shelf.map(Into::into).unwrap_or_default();
        Ok((wanted, after(self.after.as_deref())?, limit(self.limit, default_limit, Limit::MAX)?))
    }
}

/// How many books stand on each shelf of a library.
#[derive(Debug, Serialize, ToSchema)]
pub struct Shelves {
    /// The whole library.
    pub all: u64,
    /// Begun and never completed.
    pub reading: u64,
    /// Completed.
    pub finished: u64,
    /// Neither begun nor completed.
    pub saved: u64,
}

/// What a reader has achieved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// Whether a plan runs.
    pub is_paid: bool,
    /// Summaries completed, without those that are hidden from history or not published any more: as many as the library has
    /// under `finished`.
    pub num_completed: u32,
    /// Experience points, of every summary that was ever completed.
    pub xp: u32,
    /// Days in a row.
    pub streaks: Streaks,
    /// Completions by category name.
    pub skills_num_completed: BTreeMap<String, u32>,
    /// The same with the categories, most first.
    pub skills: Vec<Skill>,
    /// The awards, lowest first.
    pub awards: Vec<Award>,
    /// The number of award thresholds passed.
    pub level: u32,
    /// The XP between which this level lies.
    pub level_xp: LevelXp,
    /// The day that it is where the reader lives, as `2026-06-15`.
    #[schema(format = Date)]
    pub today: String,
    /// The days of the last 53 weeks on which summaries were completed, oldest first.
    pub days: Vec<ReadingDay>,
}

/// A day on which summaries were completed, by the reader's time zone.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadingDay {
    /// As `2026-06-15`.
    #[schema(format = Date)]
    pub day: String,
    /// How many different ones.
    pub completions: u32,
}

/// Days in a row with a completed summary.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Streaks {
    /// Up to today or yesterday.
    pub current_streak: u32,
    /// The longest ever.
    pub best_streak: u32,
}

/// Completions in one category.
#[derive(Debug, Serialize, ToSchema)]
pub struct Skill {
    /// The category.
    pub category: CategoryRef,
    /// Completions.
    pub count: u32,
    /// How many make the skill complete.
    pub target: u32,
    /// How many published books the category has: where these are fewer than the target, they are all that there is.
    pub available: u64,
}

/// An award and whether it was earned.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Award {
    /// Its name.
    pub name: String,
    /// The XP that earn it.
    pub xp: u32,
    /// Whether it was earned.
    pub achieved: bool,
    /// When, in ms since the epoch.
    pub achieved_at: Option<i64>,
}

/// The bounds of a level, in XP.
#[derive(Debug, Serialize, ToSchema)]
pub struct LevelXp {
    /// Where it begins.
    pub from: u32,
    /// Where the next one begins; null on the last level.
    pub to: Option<u32>,
}

/// What saving a position has brought about.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntryResult {
    /// Where the reader is.
    pub entry: Entry,
    /// The same, with the device that said so: another one's, when that was there later.
    pub place: Place,
    /// What the reader has earned, when this completed the summary for the first time; otherwise null.
    pub progress: Option<Progress>,
}

/// Where a reader is in a book.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlaceResult {
    /// Whether the book was ever completed.
    pub completed: bool,
    /// Where the reader is; null when the book was never opened.
    pub place: Option<Place>,
}

/// Whether a book is in the history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InHistory {
    /// It is.
    pub is_in_history: bool,
}

/// What starting a video has left in the history.
#[derive(Debug, Serialize, ToSchema)]
pub struct VideoStart {
    /// Where the reader is.
    pub entry: Entry,
}

/// How many entries a history has.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryCounts {
    /// All of them.
    pub all: u64,
    /// Completed.
    pub completed: u64,
}

/// A page of history.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryResult {
    /// The reader.
    pub user: User,
    /// Newest first.
    pub books: Vec<HistoryEntry>,
    /// How many entries there are on all pages.
    pub counts: HistoryCounts,
    /// The key of the next page; null on the last one.
    pub next: Option<String>,
}

/// A page of a shelf of the library.
#[derive(Debug, Serialize, ToSchema)]
pub struct LibraryResult {
    /// The reader.
    pub user: User,
    /// Newest first.
    pub books: Vec<LibraryBook>,
    /// How many books stand on each shelf.
    pub counts: Shelves,
    /// The key of the next page; null on the last one.
    pub next: Option<String>,
}

/// Whether a book is in the library.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InLibrary {
    /// It is.
    pub is_in_library: bool,
}

/// A reader's rating of a book.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingResult {
    /// The rating as it is now.
    pub rating: Rating,
}

/// What is left of a rating that was taken back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakenBackResult {
    /// Whether the reader has rated the book: not any more.
    pub has_ratings_from_user: bool,
}

impl From<&reading_progress::HistoryEntry> for Entry {
    fn from(entry: &reading_progress::HistoryEntry) -> Self {
        Self { book_id: entry.book.get(), position: entry.position, completed: entry.completed, at: entry.at.millis() }
    }
}

impl From<ShelfCounts> for Shelves {
    fn from(counts: ShelfCounts) -> Self {
        Self { all: counts.all(), reading: counts.reading, finished: counts.finished, saved: counts.saved }
    }
}

impl From<reading_progress::HistoryCounts> for HistoryCounts {
    fn from(counts: reading_progress::HistoryCounts) -> Self {
        Self { all: counts.all, completed: counts.completed }
    }
}

impl From<HistoryBook> for HistoryEntry {
    fn from(read: HistoryBook) -> Self {
        Self {
            book: (&read.card).into(),
            position: read.entry.position,
            completed: read.entry.completed,
            at: read.entry.at.millis(),
            sections_total: read.sections_total,
        }
    }
}

impl From<workflows::reading_progress::reading::LibraryBook> for LibraryBook {
    fn from(book: workflows::reading_progress::reading::LibraryBook) -> Self {
        Self {
            book: (&book.card).into(),
            saved: book.kept.is_saved,
            position: book.kept.position,
            completed: book.kept.completed,
            sections_total: book.sections_total,
        }
    }
}

impl From<SavedReport> for EntryResult {
    fn from(report: SavedReport) -> Self {
        Self {
            entry: (&report.saved.entry).into(),
            place: (&report.saved.place).into(),
            progress: report.progress.as_ref().map(Into::into),
        }
    }
}

impl From<Option<reading_progress::Place>> for PlaceResult {
    fn from(place: Option<reading_progress::Place>) -> Self {
        let completed = place.as_ref().is_some_and(|place| place.completed_at.is_some());
        Self { completed, place: place.as_ref().map(Into::into) }
    }
}

impl From<&ReaderProgress> for Progress {
    fn from(of_reader: &ReaderProgress) -> Self {
        let ReaderProgress { progress, skills, is_paid } = of_reader;
        let skills: Vec<Skill> = skills
            .iter()
            .map(|(category, count)| Skill {
                category: category.into(),
                count: *count,
                target: SKILL_TARGET,
                available: category.book_count,
            })
            .collect();
        let mut skills_num_completed: BTreeMap<String, u32> = BTreeMap::new();
        for skill in &skills {
            *skills_num_completed.entry(skill.category.name.clone()).or_default() += skill.count;
        }
        let level = progress.level_xp();
        let awards = progress.awards().map(|(award, at)| Award {
            name: award.name.to_owned(),
            xp: award.xp,
            achieved: at.is_some(),
            achieved_at: at.map(Timestamp::millis),
        });
        let days = progress.calendar.iter().map(|(day, count)| ReadingDay { day: date_of(*day), completions: *count });
        Self {
            is_paid: *is_paid,
            num_completed: progress.num_completed,
            xp: progress.xp,
            streaks: Streaks { current_streak: progress.streaks.current, best_streak: progress.streaks.best },
            skills_num_completed,
            skills,
            awards: awards.collect(),
            level: progress.level(),
            level_xp: LevelXp { from: level.from, to: level.to },
            today: date_of(progress.today),
            days: days.collect(),
        }
    }
}

impl From<&catalogue::Category> for CategoryRef {
    fn from(category: &catalogue::Category) -> Self {
        Self {
            id: category.id.get(),
            subid: category.draft.subid.as_str().to_owned(),
            name: category.draft.name.clone(),
            hue: category.draft.hue,
        }
    }
}

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

/// A reading position in a book.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The id of the book.
    pub book_id: i64,
    /// The index of the section, from 0.
    pub position: u32,
    /// Whether the book was ever completed.
    pub completed: bool,
    /// When the book was last read, in milliseconds since the Unix epoch.
    pub at: i64,
}

/// A book in the reading history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// The book.
    #[serde(flatten)]
    pub book: BookCard,
    /// The index of the section, from 0.
    pub position: u32,
    /// Whether the book was ever completed.
    pub completed: bool,
    /// When the book was last read, in milliseconds since the Unix epoch.
    pub at: i64,
    /// The number of sections with text.
    pub sections_total: u32,
}

/// A book in the library.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LibraryBook {
    /// The book.
    #[serde(flatten)]
    pub book: BookCard,
    /// Whether it was added to the library. A book that was not is listed because it was completed.
    pub saved: bool,
    /// The index of the section where the reader is, from 0; null if the book was never opened or is hidden from the history.
    pub position: Option<u32>,
    /// Whether the book was ever completed and is not hidden from the history.
    pub completed: bool,
    /// The number of sections with text.
    pub sections_total: u32,
}

/// The shelves of a library.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShelfName {
    /// The whole library.
    All,
    /// Added books that were begun and never completed.
    Reading,
    /// Completed books, whether added or not.
    Finished,
    /// Added books that were neither begun nor completed.
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

/// Query parameters of the library: shelf and cursor.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LibraryParams {
    /// Filters by shelf. Default: `all`.
    shelf: Option<ShelfName>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 20.
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

/// The number of books on each shelf of a library.
#[derive(Debug, Serialize, ToSchema)]
pub struct Shelves {
    /// The number of books in the whole library.
    pub all: u64,
    /// The number of added books that were begun and never completed.
    pub reading: u64,
    /// The number of completed books.
    pub finished: u64,
    /// The number of added books that were neither begun nor completed.
    pub saved: u64,
}

/// The achievements of a reader.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// Whether the reader has a running plan.
    pub is_paid: bool,
    /// The number of completed summaries that are published and not hidden from the history: the same as `finished` in the
    /// library.
    pub num_completed: u32,
    /// The experience points (XP) for all summaries ever completed.
    pub xp: u32,
    /// The reading streaks.
    pub streaks: Streaks,
    /// The number of completed summaries by category name.
    pub skills_num_completed: BTreeMap<String, u32>,
    /// The number of completed summaries by category, highest first.
    pub skills: Vec<Skill>,
    /// The awards, by ascending XP.
    pub awards: Vec<Award>,
    /// The level: the number of award thresholds reached.
    pub level: u32,
    /// The XP range of the level.
    pub level_xp: LevelXp,
    /// The current day in the reader's time zone, such as `2026-06-15`.
    #[schema(format = Date)]
    pub today: String,
    /// The days of the last 53 weeks on which summaries were completed, oldest first.
    pub days: Vec<ReadingDay>,
    /// The days of the last 53 weeks that were missed and for which a streak paused, oldest first: at most two of a month.
    pub paused_days: Vec<String>,
}

/// A day on which summaries were completed, in the reader's time zone.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadingDay {
    /// The day, such as `2026-06-15`.
    #[schema(format = Date)]
    pub day: String,
    /// The number of summaries completed on it.
    pub completions: u32,
}

/// Streaks: consecutive days with a completed summary.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Streaks {
    /// The length of the current streak, in days. Its last day is today or yesterday; 0 if there is none.
    pub current_streak: u32,
    /// The length of the longest streak ever, in days.
    pub best_streak: u32,
}

/// The completed summaries of one category.
#[derive(Debug, Serialize, ToSchema)]
pub struct Skill {
    /// The category.
    pub category: CategoryRef,
    /// The number of completed summaries.
    pub count: u32,
    /// The number of completed summaries that completes the skill.
    pub target: u32,
    /// The number of published books in the category, which may be lower than the target.
    pub available: u64,
}

/// An award and whether it was earned.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Award {
    /// The name of the award.
    pub name: String,
    /// The XP needed to earn it.
    pub xp: u32,
    /// Whether it was earned.
    pub achieved: bool,
    /// When it was earned, in milliseconds since the Unix epoch; null if not earned.
    pub achieved_at: Option<i64>,
}

/// The range of a level, in XP.
#[derive(Debug, Serialize, ToSchema)]
pub struct LevelXp {
    /// The XP at which the level begins.
    pub from: u32,
    /// The XP at which the next level begins; null on the last level.
    pub to: Option<u32>,
}

/// The result of saving a reading position.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntryResult {
    /// The saved position.
    pub entry: Entry,
    /// The position merged from all devices, with the device that reported it; another device's report may be newer.
    pub place: Place,
    /// The reader's achievements if this completed the summary for the first time; otherwise null.
    pub progress: Option<Progress>,
}

/// The reading position in a book.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlaceResult {
    /// Whether the book was ever completed.
    pub completed: bool,
    /// The position; null if the book was never opened.
    pub place: Option<Place>,
}

/// Whether a book is in the reading history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InHistory {
    /// Whether the book is in the history.
    pub is_in_history: bool,
}

/// The history entry after starting a video.
#[derive(Debug, Serialize, ToSchema)]
pub struct VideoStart {
    /// The reading position.
    pub entry: Entry,
}

/// The number of entries in a reading history.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryCounts {
    /// The number of all entries.
    pub all: u64,
    /// The number of entries with a completed book.
    pub completed: u64,
}

/// A page of the reading history.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryResult {
    /// The reader.
    pub user: User,
    /// The books, newest first.
    pub books: Vec<HistoryEntry>,
    /// The number of entries on all pages.
    pub counts: HistoryCounts,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
}

/// A page of a shelf of the library.
#[derive(Debug, Serialize, ToSchema)]
pub struct LibraryResult {
    /// The reader.
    pub user: User,
    /// The books, newest first.
    pub books: Vec<LibraryBook>,
    /// The number of books on each shelf.
    pub counts: Shelves,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
}

/// Whether a book is in the library.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InLibrary {
    /// Whether the book is in the library.
    pub is_in_library: bool,
}

/// A reader's rating of a book.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingResult {
    /// The current rating.
    pub rating: Rating,
}

/// The result of removing a rating.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakenBackResult {
    /// Whether the reader has rated the book: always false after the removal.
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
            paused_days: progress.paused.iter().map(|day| date_of(*day)).collect(),
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

//! Reading a book of the catalogue: positions, the library, ratings, history and what it earns.

use std::collections::{BTreeMap, HashMap};

use catalogue::{BookCard, BookRef, Catalogue};
use kernel::{BookId, CategoryId, DateCursor, Limit, Page, Timestamp, UserId};
use postgres::Pg;
use reading_progress::{BookFacts, ProgressError, Rating, ReadingProgress, Report, SKILL_TARGET, Shelf, ShelfCounts};

use super::{
    account::{Account, account},
    book_lists::READABLE,
};
use crate::{error::ApiError, routes::catalogue::types::book::AllowanceResult, wire::progress as wire};

/// What the rules of reading need to know of a published book.
pub fn facts(pg: &mut Pg<'_>, book: &BookRef) -> Result<BookFacts, ApiError> {
    let found = match book {
        BookRef::Id(id) => pg.book_facts(*id)?,
        BookRef::Subid(subid) => pg.book_facts_named(subid)?,
    };
    found.ok_or_else(|| ApiError::not_found("book"))
}

fn member(pg: &mut Pg<'_>, reader: UserId, now: Timestamp) -> Result<Account, ApiError> {
    account(pg, reader, now)?.ok_or_else(ApiError::unauthenticated)
}

/// Merges what a device reports into where the reader is (`decisions.md` 24); at the first completion, with what the
/// reader has earned. Without `completed` it is one statement, which may be made twice.
pub fn save_position(
    pg: &mut Pg<'_>,
    reader: UserId,
    book: &BookFacts,
    report: &Report,
    now: Timestamp,
) -> Result<wire::EntryResult, ApiError> {
    let saved = pg.save_report(reader, book, report, now)?;
    let progress = saved.progress.map(|progress| shown(pg, &progress)).transpose()?;
    Ok(wire::EntryResult { entry: (&saved.entry).into(), place: (&saved.place).into(), progress })
}

/// Where a reader is in a book.
pub fn place(pg: &mut Pg<'_>, reader: UserId, book: BookId) -> Result<wire::PlaceResult, ApiError> {
    let place = pg.place_of(reader, book)?;
    let completed = place.as_ref().is_some_and(|place| place.completed_at.is_some());
    Ok(wire::PlaceResult { completed, place: place.as_ref().map(Into::into) })
}

/// What a reader may still open without a plan, and what was opened so.
pub fn allowance(pg: &mut Pg<'_>, reader: UserId, now: Timestamp) -> Result<AllowanceResult, ApiError> {
    let allowance = pg.free_summaries_of(reader, now)?.map(Into::into);
    let opened = pg.books_opened_for_good(reader, Limit::clamped(READABLE))?;
    Ok(AllowanceResult { allowance, opened: opened.into_iter().map(BookId::get).collect() })
}

/// Hides a book from a reader's history until it is read again.
pub fn hide(pg: &mut Pg<'_>, reader: UserId, book: &BookRef, now: Timestamp) -> Result<(), ApiError> {
    let book = facts(pg, book)?;
    Ok(pg.hide_history(reader, book.id, now)?)
}

/// Shows a book that was hidden in a reader's history again. Answers whether it is there: it was read.
pub fn show(pg: &mut Pg<'_>, reader: UserId, book: &BookRef) -> Result<bool, ApiError> {
    let book = facts(pg, book)?;
    pg.show_history(reader, book.id)?;
    Ok(pg.place_of(reader, book.id)?.is_some())
}

/// Logs that a reader has started a book's video.
pub fn start_video(pg: &mut Pg<'_>, reader: UserId, book: &BookRef, now: Timestamp) -> Result<wire::Entry, ApiError> {
    let book = facts(pg, book)?;
    Ok((&pg.start_video(reader, &book, now)?).into())
}

/// Rates a book (`decisions.md` 57).
pub fn rate(pg: &mut Pg<'_>, reader: UserId, book: &BookRef, rating: &Rating, now: Timestamp) -> Result<(), ApiError> {
    let book = facts(pg, book)?;
    Ok(pg.rate_book(reader, book.id, rating, now)?)
}

/// Adds a book to a reader's library.
pub fn add_to_library(pg: &mut Pg<'_>, reader: UserId, book: &BookRef, now: Timestamp) -> Result<(), ApiError> {
    let book = facts(pg, book)?;
    Ok(pg.add_to_library(reader, book.id, now)?)
}

/// Removes a book from a reader's library.
pub fn remove_from_library(pg: &mut Pg<'_>, reader: UserId, book: &BookRef) -> Result<(), ApiError> {
    let book = facts(pg, book)?;
    Ok(pg.remove_from_library(reader, book.id)?)
}

/// Sets the categories that a reader has chosen, and gives the account as it is then.
pub fn set_recommends(pg: &mut Pg<'_>, reader: UserId, chosen: &[i64], now: Timestamp) -> Result<Account, ApiError> {
    let categories: Result<Vec<CategoryId>, _> = chosen.iter().map(|id| CategoryId::new(*id)).collect();
    pg.set_recommends(reader, &categories.map_err(|_| ProgressError::UnknownCategory)?)?;
    member(pg, reader, now)
}

/// A page of what a reader has or has read, and who the reader is.
#[derive(Debug)]
pub struct Listed<T> {
    /// The reader.
    pub account: Account,
    /// The books.
    pub page: Page<T, DateCursor<BookId>>,
}

/// Where a reader was, newest first (`decisions.md` 29).
pub fn history(
    pg: &mut Pg<'_>,
    reader: UserId,
    after: Option<DateCursor<BookId>>,
    limit: Limit,
    now: Timestamp,
) -> Result<Listed<wire::HistoryEntry>, ApiError> {
    let account = member(pg, reader, now)?;
    let page = pg.history_of(reader, after, limit)?;
    let books: Vec<BookId> = page.items.iter().map(|entry| entry.book).collect();
    let cards = cards(pg, &books)?;
    let sections = pg.section_counts(&books)?;
    let entries = page.items.iter().filter_map(|entry| {
        Some(wire::HistoryEntry {
            book: cards.get(&entry.book)?.into(),
            position: entry.position,
            completed: entry.completed,
            at: entry.at.millis(),
            sections_total: sections.get(&entry.book).copied().unwrap_or(0),
        })
    });
    Ok(Listed { account, page: Page { items: entries.collect(), next: page.next } })
}

/// A page of a shelf, and how many books stand on each.
#[derive(Debug)]
pub struct Kept {
    /// The page.
    pub listed: Listed<wire::LibraryBook>,
    /// The shelves.
    pub counts: ShelfCounts,
}

/// What a reader keeps, newest first.
pub fn library(
    pg: &mut Pg<'_>,
    reader: UserId,
    shelf: Shelf,
    after: Option<DateCursor<BookId>>,
    limit: Limit,
    now: Timestamp,
) -> Result<Kept, ApiError> {
    let account = member(pg, reader, now)?;
    let page = pg.library_of(reader, shelf, after, limit)?;
    let books: Vec<BookId> = page.items.iter().map(|kept| kept.entry.book).collect();
    let cards = cards(pg, &books)?;
    let sections = pg.section_counts(&books)?;
    let kept = page.items.iter().filter_map(|kept| {
        Some(wire::LibraryBook {
            book: cards.get(&kept.entry.book)?.into(),
            position: kept.position,
            completed: kept.completed,
            sections_total: sections.get(&kept.entry.book).copied().unwrap_or(0),
        })
    });
    let listed = Listed { account, page: Page { items: kept.collect(), next: page.next } };
    Ok(Kept { listed, counts: pg.shelf_counts(reader)? })
}

fn cards(pg: &mut Pg<'_>, books: &[BookId]) -> Result<HashMap<BookId, BookCard>, ApiError> {
    Ok(pg.book_cards(books)?.into_iter().map(|card| (card.id, card)).collect())
}

/// What a reader's reading has earned (`decisions.md` 25).
pub fn progress(pg: &mut Pg<'_>, reader: UserId, now: Timestamp) -> Result<wire::Progress, ApiError> {
    let progress = pg.progress_of(reader, now)?;
    shown(pg, &progress)
}

/// Progress with the categories' names.
fn shown(pg: &mut Pg<'_>, progress: &reading_progress::Progress) -> Result<wire::Progress, ApiError> {
    let categories: HashMap<CategoryId, catalogue::Category> =
        pg.categories()?.into_iter().map(|category| (category.id, category)).collect();
    let skills: Vec<wire::Skill> = progress
        .skills
        .iter()
        .filter_map(|skill| {
            let category = categories.get(&skill.category)?;
            Some(wire::Skill { category: category.into(), count: skill.count, target: SKILL_TARGET })
        })
        .collect();
    let mut by_name: BTreeMap<String, u32> = BTreeMap::new();
    for skill in &skills {
        *by_name.entry(skill.category.name.clone()).or_default() += skill.count;
    }
    Ok(wire::Progress::new(progress, skills, by_name))
}

//! Reading a catalogue book: positions, library, ratings, history and progress.

use std::collections::HashMap;

use billing::{BillingQueries, Entitlement};
use catalogue::{BookCard, BookRef, CatalogueLists, CatalogueQueries, Category};
use kernel::{BookId, CategoryId, DateCursor, Limit, Page, UserId};
use postgres::PositionSave;
use reading_progress::{
    Action, Allowance, BookFacts, DenialReason, HistoryCounts, HistoryEntry, KeptBook, OpeningRight, Place,
    PositionReport, Progress, ProgressCommands, ProgressError, ProgressQueries, Rating, ReadingProgress, Refusal,
    SavedPosition, Shelf, ShelfCounts, free_summaries, history_condition,
};

use crate::{
    account::{Account, account},
    catalogue::{book_lists::READABLE, view_book::view_book},
    error::ViewError,
    rights::{grants_of, rights_of_member},
    streak_days::review_days,
    tx::{Transactions, Tx},
};

/// The facts about a published book that reading needs.
pub fn book_facts<A>(tx: &mut Tx<'_, '_, A>, book: &BookRef) -> Result<BookFacts, ViewError> {
    let found = match book {
        BookRef::Id(id) => tx.pg.book_facts(*id)?,
        BookRef::Subid(subid) => tx.pg.book_facts_named(subid)?,
    };
    found.ok_or(ViewError::NotFound("book"))
}

fn member<A>(tx: &mut Tx<'_, '_, A>, reader: UserId) -> Result<Account, ViewError> {
    account(tx.pg, reader, tx.now())?.ok_or(ViewError::SignedOut)
}

/// A reader's progress, with the categories of the skills.
#[derive(Debug)]
pub struct ReaderProgress {
    /// Experience points, streaks and awards.
    pub progress: Progress,
    /// The categories in which the reader completed summaries, and how many; most first.
    pub skills: Vec<(Category, u32)>,
    /// Whether the reader has a plan now.
    pub is_paid: bool,
}

/// Reads a reader's progress (`reading-progress.experience-points`).
pub fn reader_progress<A>(tx: &mut Tx<'_, '_, A>, reader: UserId) -> Result<ReaderProgress, ViewError> {
    let other_days = review_days(tx, reader)?;
    let progress = tx.pg.progress_with(reader, &other_days, tx.now())?;
    with_categories(tx, reader, progress)
}

fn with_categories<A>(tx: &mut Tx<'_, '_, A>, reader: UserId, progress: Progress) -> Result<ReaderProgress, ViewError> {
    let now = tx.now();
    let mut categories: HashMap<CategoryId, Category> =
        tx.pg.categories()?.into_iter().map(|category| (category.id, category)).collect();
    let skills = progress.skills.iter().filter_map(|skill| Some((categories.remove(&skill.category)?, skill.count)));
    let is_paid = Entitlement::best(&tx.pg.entitlements_of(reader, now)?, now).is_some();
    Ok(ReaderProgress { skills: skills.collect(), progress, is_paid })
}

/// The result of saving a report.
#[derive(Debug)]
pub struct SavedReport {
    /// The merged reading position.
    pub saved: SavedPosition,
    /// The reader's progress, if this completed the book for the first time.
    pub progress: Option<ReaderProgress>,
}

/// Merges a device's report into the reading position (`reading-progress.position-merge`); at the first completion, also
/// returns the progress. `None`: nothing was written, because the reader may not write history for the book; [`history_refusal`]
/// says why.
pub async fn save_position(
    transactions: &Transactions,
    reader: UserId,
    book: &BookFacts,
    report: PositionReport,
) -> Result<Option<SavedReport>, ViewError> {
    if report.is_completion(book) {
        let book = *book;
        return transactions.write(move |tx| save_report(tx, reader, &book, &report)).await;
    }
    // At every turn of a page: with the saves of others.
    let condition = history_condition(book, report.at, transactions.now())?;
    let save = PositionSave { reader, book: book.id, visit: report.visit(book), condition };
    let place = transactions.save_position(save).await?;
    Ok(place.map(|place| SavedReport { saved: SavedPosition::of(book.id, place), progress: None }))
}

/// Does what [`save_position`] does in a transaction.
fn save_report(
    tx: &mut Tx<'_, '_>,
    reader: UserId,
    book: &BookFacts,
    report: &PositionReport,
) -> Result<Option<SavedReport>, ViewError> {
    let now = tx.now();
    let condition = history_condition(book, report.at, now)?;
    let other_days = if report.is_completion(book) { review_days(tx, reader)? } else { Vec::new() };
    let saved = tx.pg.save_report(reader, book, report, &condition, &other_days, now)?;
    let Some(mut saved) = saved else { return Ok(None) };
    let progress = saved.progress.take().map(|progress| with_categories(tx, reader, progress)).transpose()?;
    Ok(Some(SavedReport { saved, progress }))
}

/// The reason why a reader may not write history for a book.
pub fn history_refusal<A>(tx: &mut Tx<'_, '_, A>, reader: UserId, book: &BookFacts) -> Result<Refusal, ViewError> {
    let now = tx.now();
    let (state, entitlements) = (tx.pg.reader_state(reader, book.id)?, tx.pg.entitlements_of(reader, now)?);
    let rights = rights_of_member(&entitlements, &state, *book, now);
    // The reader may have got the right after the reported time (`reading-progress.position-rights`).
    let since = Refusal { action: Action::WriteHistory, reason: DenialReason::NotOpened };
    Ok(rights.check(Action::WriteHistory).err().unwrap_or(since))
}

/// Records that a reader has started a book's video: a history entry at the section where the reader was
/// (`catalogue.video-page`). Fails for readers who may not watch it.
pub fn start_video(tx: &mut Tx<'_, '_>, reader: UserId, book: &BookRef) -> Result<HistoryEntry, ViewError> {
    view_book(tx, Some(reader), book)?.check(Action::Watch)?;
    let book = book_facts(tx, book)?;
    match save_report(tx, reader, &book, &PositionReport::video_start(tx.now()))? {
        Some(report) => Ok(report.saved.entry),
        None => Err(history_refusal(tx, reader, &book)?.into()),
    }
}

/// A reader's position in a book; `None` if the reader has none.
pub fn place<A>(tx: &mut Tx<'_, '_, A>, reader: UserId, book: BookId) -> Result<Option<Place>, ViewError> {
    Ok(tx.pg.place_of(reader, book)?)
}

/// A reader's allowance of free summaries, and the books opened permanently.
#[derive(Debug)]
pub struct ReaderAllowance {
    /// `None` with a plan, which needs no allowance.
    pub allowance: Option<Allowance>,
    /// The books that stay open, latest first.
    pub opened: Vec<BookId>,
}

/// Reads the allowance of free summaries, and the books that stay open (`reading-progress.free-summaries`).
pub fn reader_allowance<A>(tx: &mut Tx<'_, '_, A>, reader: UserId) -> Result<ReaderAllowance, ViewError> {
    let now = tx.now();
    let used = tx.pg.allowance_use_of(reader)?;
    let grants = grants_of(&tx.pg.entitlements_of(reader, now)?);
    let opened = tx.pg.books_opened_by(reader, &OpeningRight::PERMANENT, Limit::clamped(READABLE))?;
    Ok(ReaderAllowance { allowance: free_summaries(&grants, &used, now), opened })
}

/// Hides a book from a reader's history until it is read again.
pub fn hide_history(tx: &mut Tx<'_, '_>, reader: UserId, book: &BookRef) -> Result<(), ViewError> {
    let book = book_facts(tx, book)?;
    Ok(tx.pg.hide_history(reader, book.id, tx.now())?)
}

/// Unhides a book in a reader's history. Returns whether the history has it.
pub fn show_history(tx: &mut Tx<'_, '_>, reader: UserId, book: &BookRef) -> Result<bool, ViewError> {
    let book = book_facts(tx, book)?;
    tx.pg.show_history(reader, book.id)?;
    Ok(tx.pg.place_of(reader, book.id)?.is_some())
}

/// Rates a book (`reading-progress.rating-rules`).
pub fn rate(tx: &mut Tx<'_, '_>, reader: UserId, book: &BookRef, rating: &Rating) -> Result<(), ViewError> {
    let book = book_facts(tx, book)?;
    Ok(tx.pg.rate_book(reader, book.id, rating, tx.now())?)
}

/// Deletes a reader's rating of a book, if there is one.
pub fn take_rating_back(tx: &mut Tx<'_, '_>, reader: UserId, book: &BookRef) -> Result<(), ViewError> {
    let book = book_facts(tx, book)?;
    Ok(tx.pg.take_rating_back(reader, book.id)?)
}

/// Adds a book to a reader's library; does nothing if it is there already (`api.repeated-changes`).
pub fn add_to_library(tx: &mut Tx<'_, '_>, reader: UserId, book: &BookRef) -> Result<(), ViewError> {
    let book = book_facts(tx, book)?;
    Ok(tx.pg.add_to_library(reader, book.id, tx.now())?)
}

/// Removes a book from a reader's library.
pub fn remove_from_library(tx: &mut Tx<'_, '_>, reader: UserId, book: &BookRef) -> Result<(), ViewError> {
    let book = book_facts(tx, book)?;
    Ok(tx.pg.remove_from_library(reader, book.id)?)
}

/// Sets the categories that a reader has chosen, and returns the updated account.
pub fn set_recommends(tx: &mut Tx<'_, '_>, reader: UserId, chosen: &[i64]) -> Result<Account, ViewError> {
    let categories: Result<Vec<CategoryId>, _> = chosen.iter().map(|id| CategoryId::new(*id)).collect();
    tx.pg.set_recommends(reader, &categories.map_err(|_| ProgressError::UnknownCategory)?)?;
    member(tx, reader)
}

/// A book in the history.
#[derive(Debug)]
pub struct HistoryBook {
    pub card: BookCard,
    /// The reader's position.
    pub entry: HistoryEntry,
    /// The number of sections with text.
    pub sections_total: u32,
}

/// A page of a reader's history.
#[derive(Debug)]
pub struct History {
    pub account: Account,
    /// Newest first.
    pub page: Page<HistoryBook, DateCursor<BookId>>,
    /// How many entries there are on all pages.
    pub counts: HistoryCounts,
}

/// Reads a page of a reader's history, newest first (`reading-progress.history-list`).
pub fn history<A>(
    tx: &mut Tx<'_, '_, A>,
    reader: UserId,
    after: Option<DateCursor<BookId>>,
    limit: Limit,
) -> Result<History, ViewError> {
    let account = member(tx, reader)?;
    let page = tx.pg.history_of(reader, after, limit)?;
    let books: Vec<BookId> = page.items.iter().map(|entry| entry.book).collect();
    let mut books = Books::read(tx, &books)?;
    let items = page.items.into_iter().filter_map(|entry| {
        let (card, sections_total) = books.take(entry.book)?;
        Some(HistoryBook { card, entry, sections_total })
    });
    let page = Page { items: items.collect(), next: page.next };
    Ok(History { account, page, counts: tx.pg.history_counts(reader)? })
}

/// A book in the library.
#[derive(Debug)]
pub struct LibraryBook {
    pub card: BookCard,
    /// When it was saved or completed, and how far the reader is.
    pub kept: KeptBook,
    /// The number of sections with text.
    pub sections_total: u32,
}

/// A page of one shelf of a reader's library.
#[derive(Debug)]
pub struct Library {
    pub account: Account,
    /// Newest first.
    pub page: Page<LibraryBook, DateCursor<BookId>>,
    /// How many books are on each shelf.
    pub counts: ShelfCounts,
}

/// Reads a page of a reader's library, newest first.
pub fn library<A>(
    tx: &mut Tx<'_, '_, A>,
    reader: UserId,
    shelf: Shelf,
    after: Option<DateCursor<BookId>>,
    limit: Limit,
) -> Result<Library, ViewError> {
    let account = member(tx, reader)?;
    let page = tx.pg.library_of(reader, shelf, after, limit)?;
    let books: Vec<BookId> = page.items.iter().map(|kept| kept.entry.book).collect();
    let mut books = Books::read(tx, &books)?;
    let items = page.items.into_iter().filter_map(|kept| {
        let (card, sections_total) = books.take(kept.entry.book)?;
        Some(LibraryBook { card, kept, sections_total })
    });
    let page = Page { items: items.collect(), next: page.next };
    Ok(Library { account, page, counts: tx.pg.shelf_counts(reader)? })
}

/// The cards and numbers of sections of several books.
struct Books {
    cards: HashMap<BookId, BookCard>,
    sections: HashMap<BookId, u32>,
}

impl Books {
    fn read<A>(tx: &mut Tx<'_, '_, A>, books: &[BookId]) -> Result<Self, ViewError> {
        Ok(Self { cards: tx.pg.book_cards_by_id(books)?, sections: tx.pg.section_counts(books)? })
    }

    fn take(&mut self, book: BookId) -> Option<(BookCard, u32)> {
        Some((self.cards.remove(&book)?, self.sections.get(&book).copied().unwrap_or(0)))
    }
}

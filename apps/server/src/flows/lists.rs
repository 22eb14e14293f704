//! Lists of books for a viewer: the catalogue, who asks, and what they have read.

use catalogue::{BookCard, BookCursor, Catalogue, FullTexts, SearchHit};
use kernel::{BookId, Limit, Page, Timestamp, UserId};
use postgres::Pg;
use reading_progress::{BookFacts, ReadingProgress, Viewer, decide};

use super::account::{Account, account};
use crate::{
    error::ApiError,
    wire::{
        book,
        list::{BooksQuery, BooksResult, FrontResult},
    },
};

/// How many books are recommended (`member.md §9`).
pub const RECOMMENDATIONS: usize = 10;
/// How many of a reader's last opened books count when it is asked which full texts are open to them.
pub(super) const READABLE: usize = 500;

/// A page of books.
#[derive(Debug)]
pub struct Listed {
    /// The books, those of a search with where they were found.
    pub books: Vec<book::BookCard>,
    /// The key of the next page.
    pub next: Option<String>,
    /// When the viewer's plan ends by which passages are shown.
    pub right_until: Option<Timestamp>,
}

/// Lists or searches.
pub fn list(pg: &mut Pg<'_>, viewer: Option<UserId>, query: &BooksQuery, now: Timestamp) -> Result<Listed, ApiError> {
    match query {
        BooksQuery::List(query) => {
            let page = pg.books(query)?;
            Ok(Listed {
                books: page.items.iter().map(book::BookCard::from).collect(),
                next: page.next.map(|key| key.to_string()),
                right_until: None,
            })
        }
        BooksQuery::Search(query) => {
            let (readable, right_until) = readable(pg, viewer, now)?;
            let page: Page<SearchHit, BookCursor> = pg.search(query, &readable)?;
            Ok(Listed {
                books: page.items.iter().map(found).collect(),
                next: page.next.map(|key| key.to_string()),
                right_until,
            })
        }
    }
}

/// The catalogue with the viewer's recommendations.
pub fn books(
    pg: &mut Pg<'_>,
    viewer: Option<UserId>,
    query: &BooksQuery,
    now: Timestamp,
) -> Result<BooksResult, ApiError> {
    let account = match viewer {
        Some(user) => Some(account(pg, user, now)?.ok_or_else(ApiError::unauthenticated)?),
        None => None,
    };
    let listed = list(pg, viewer, query, now)?;
    let total = match query {
        BooksQuery::List(query) => pg.books_total(query)?,
        BooksQuery::Search(_) => None,
    };
    let recommendations = recommended(pg, account.as_ref())?;
    Ok(BooksResult {
        user: account.as_ref().map(Into::into),
        books: listed.books,
        categories: pg.categories()?.iter().map(Into::into).collect(),
        recommendations: recommendations.iter().map(Into::into).collect(),
        next: listed.next,
        total,
    })
}

/// What the front page shows, to anybody.
pub fn front(pg: &mut Pg<'_>, now: Timestamp) -> Result<FrontResult, ApiError> {
    let front = pg.front()?;
    let hero = front.hero.as_ref().map(|book| {
        let facts: BookFacts = super::open_book::facts(book);
        let viewing = book::Viewing { decision: decide(Viewer::Visitor, &facts, now), state: None, is_paid: false };
        book::Book::for_viewer(book, &viewing)
    });
    Ok(FrontResult {
        hero,
        popular: front.popular.iter().map(Into::into).collect(),
        newest: front.newest.iter().map(Into::into).collect(),
        categories: front.categories.iter().map(Into::into).collect(),
        book_count: front.book_count,
    })
}

fn recommended(pg: &mut Pg<'_>, account: Option<&Account>) -> Result<Vec<BookCard>, ApiError> {
    let Some(account) = account else { return Ok(pg.popular_books(RECOMMENDATIONS)?) };
    let completed = pg.completed_books(account.user.id)?;
    Ok(pg.recommendations(&account.standing.recommends, &completed, RECOMMENDATIONS)?)
}

/// Which full texts a passage may come from: all for a paid member, until the plan ends, else free ones and those
/// opened for good.
pub(super) fn readable(
    pg: &mut Pg<'_>,
    viewer: Option<UserId>,
    now: Timestamp,
) -> Result<(FullTexts, Option<Timestamp>), ApiError> {
    let Some(reader) = viewer else { return Ok((FullTexts::FreeAnd(Vec::new()), None)) };
    if let Some(plan) = pg.entitlement_of(reader, now)? {
        return Ok((FullTexts::All, plan.ends_at));
    }
    let opened: Vec<BookId> = pg.books_opened_for_good(reader, Limit::clamped(READABLE))?;
    Ok((FullTexts::FreeAnd(opened), None))
}

/// A book of a search, with where it was found.
pub(super) fn found(hit: &SearchHit) -> book::BookCard {
    book::BookCard {
        found: Some(book::Match {
            section: hit
                .section
                .as_ref()
                .map(|section| book::Section { title: section.title.clone(), place: section.place }),
            passage: hit.passage.clone(),
        }),
        ..book::BookCard::from(&hit.card)
    }
}

//! Lists of books for a viewer: lists and searches of the catalogue, recommendations, and the front page
//! (`catalogue.list-pages`).

use std::sync::Arc;

use billing::{BillingQueries, Entitlement};
use catalogue::{
    BookCard, CatalogueLists, CatalogueQueries, Category, Front, ListQuery, RECOMMENDATIONS, SearchHit, SearchQuery,
};
use kernel::{BookId, Limit, StoreError, Timestamp, UserId};
use reading_progress::{FullTexts, OpeningRight, ProgressQueries, Rights, Viewer, rights};

use crate::{
    account::{Account, account},
    error::ViewError,
    rights::{facts_of, facts_of_card, grants_of},
    tx::Tx,
};

/// How many of a reader's last opened books count among the full texts that are open to them.
pub const READABLE: usize = 500;

/// Which books a viewer asks for.
#[derive(Clone, Debug)]
pub enum BooksQuery {
    /// A list in an order.
    List(ListQuery),
    /// The books that match a text, best first.
    Search(SearchQuery),
}

/// A page of books.
#[derive(Clone, Debug)]
pub struct BookList {
    pub books: ListedBooks,
    /// The key of the next page.
    pub next: Option<String>,
    /// When the viewer's plan ends by which passages are shown.
    pub right_until: Option<Timestamp>,
}

/// The books of a page.
#[derive(Clone, Debug)]
pub enum ListedBooks {
    /// Of a list in an order.
    Ordered(Vec<BookCard>),
    /// Of a search, with where each was found.
    Hits(Vec<SearchHit>),
}

/// Lists or searches.
pub fn list_books<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    query: &BooksQuery,
) -> Result<BookList, ViewError> {
    match query {
        BooksQuery::List(query) => {
            let page = tx.pg.books(query)?;
            let next = page.next.map(|key| key.to_string());
            Ok(BookList { books: ListedBooks::Ordered(page.items), next, right_until: None })
        }
        BooksQuery::Search(query) => {
            let (readable, right_until) = readable_texts(tx, viewer)?;
            let page = tx.pg.search(query, &|card| readable.shown(&facts_of_card(card)))?;
            let next = page.next.map(|key| key.to_string());
            Ok(BookList { books: ListedBooks::Hits(page.items), next, right_until })
        }
    }
}

/// What every page of the catalogue shows besides its books: a read model, the same for every viewer.
#[derive(Clone, Debug)]
pub struct CatalogueFrame {
    /// All categories, in their order.
    pub categories: Vec<Category>,
    /// What is recommended to visitors.
    pub popular: Vec<BookCard>,
    /// How many books are published.
    pub book_count: u64,
}

/// Reads what every page of the catalogue shows.
pub fn catalogue_frame<A>(tx: &mut Tx<'_, '_, A>) -> Result<CatalogueFrame, StoreError> {
    Ok(CatalogueFrame {
        categories: tx.pg.categories()?,
        popular: tx.pg.popular_books(RECOMMENDATIONS)?,
        book_count: tx.pg.book_count()?,
    })
}

/// The catalogue with what is recommended to a viewer.
#[derive(Clone, Debug)]
pub struct CataloguePage {
    /// The viewer; `None`: a visitor.
    pub account: Option<Account>,
    /// A page of books.
    pub list: BookList,
    /// What all such pages show.
    pub frame: Arc<CatalogueFrame>,
    /// Books for this member; `None`: those for visitors, which the frame has.
    pub recommendations: Option<Vec<BookCard>>,
    /// How many books there are in all, where that is known without counting.
    pub total: Option<u64>,
}

impl CataloguePage {
    /// What is recommended to the viewer.
    pub fn recommendations(&self) -> &[BookCard] {
        self.recommendations.as_ref().unwrap_or(&self.frame.popular)
    }
}

/// Reads a page of the catalogue for a viewer.
pub fn catalogue_page<A>(
    tx: &mut Tx<'_, '_, A>,
    frame: Arc<CatalogueFrame>,
    viewer: Option<UserId>,
    query: &BooksQuery,
) -> Result<CataloguePage, ViewError> {
    let account = match viewer {
        Some(user) => Some(account(tx.pg, user, tx.now())?.ok_or(ViewError::SignedOut)?),
        None => None,
    };
    let list = list_books(tx, viewer, query)?;
    let total = match query {
        BooksQuery::List(query) => query.total(&frame.categories, frame.book_count),
        BooksQuery::Search(_) => None,
    };
    let recommendations = account.as_ref().map(|account| recommended_books(tx, account)).transpose()?;
    Ok(CataloguePage { account, list, frame, recommendations, total })
}

/// The front page, and what a visitor may see of its free book.
#[derive(Clone, Debug)]
pub struct FrontPage {
    /// The front page.
    pub front: Front,
    /// What a visitor may do with `front.hero`.
    pub hero_rights: Option<Rights>,
}

/// Reads the front page, the same for every viewer.
pub fn front_page<A>(tx: &mut Tx<'_, '_, A>) -> Result<FrontPage, StoreError> {
    let (front, now) = (tx.pg.front()?, tx.now());
    let hero_rights = front.hero.as_ref().map(|book| rights(Viewer::Visitor, facts_of(book), now));
    Ok(FrontPage { front, hero_rights })
}

fn recommended_books<A>(tx: &mut Tx<'_, '_, A>, account: &Account) -> Result<Vec<BookCard>, StoreError> {
    let begun = tx.pg.begun_books(account.user.id)?;
    tx.pg.recommendations(&account.recommends, &begun, RECOMMENDATIONS)
}

/// The full texts from which a search may show a viewer passages: all for a paid member, until the plan ends; else free
/// ones and those opened permanently.
pub(super) fn readable_texts<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
) -> Result<(FullTexts, Option<Timestamp>), StoreError> {
    let now = tx.now();
    let Some(reader) = viewer else { return Ok((FullTexts::of_visitor(), None)) };
    let entitlements = tx.pg.entitlements_of(reader, now)?;
    let plan = Entitlement::best(&entitlements, now);
    let opened: Vec<BookId> = match plan {
        Some(_) => Vec::new(),
        None => tx.pg.books_opened_by(reader, &OpeningRight::PERMANENT, Limit::clamped(READABLE))?,
    };
    let readable = FullTexts::of_member(&grants_of(&entitlements), opened, now);
    Ok((readable, plan.and_then(|plan| plan.ends_at)))
}

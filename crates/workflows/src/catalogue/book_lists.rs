//! Lists of books for a viewer: lists and searches of the catalogue, recommendations, and the front page
//! (`catalogue.list-pages`).

use std::sync::Arc;

use billing::{BillingQueries, Entitlement};
use catalogue::{
    BookCard, CatalogueLists, CatalogueQueries, Category, Front, ListQuery, RECOMMENDATIONS, SearchHit, SearchQuery,
    has_result,
};
use kernel::{BookId, Limit, StoreError, Timestamp, UserId};
use reading_progress::{FullTexts, OpeningRight, ProgressQueries, Rights, Viewer, rights};

use crate::{
    account::{Account, account},
    error::ViewError,
    rights::{facts_of, facts_of_card, grants_of},
    tx::Tx,
};

/// How many of a reader's most recently opened books a search checks for full texts that the reader may see.
pub const READABLE: usize = 500;

/// The books that a viewer requests.
#[derive(Clone, Debug)]
pub enum BooksQuery {
    /// A list, sorted and filtered.
    List(ListQuery),
    /// The books that match a text, best match first.
    Search(SearchQuery),
}

impl BooksQuery {
    /// The words under which a search is counted if it has no result; `None` for a list (`catalogue.unanswered-searches`).
    pub fn counted_words(&self) -> Option<String> {
        match self {
            Self::Search(query) => query.counted_words(),
            Self::List(_) => None,
        }
    }
}

/// A page of books.
#[derive(Clone, Debug)]
pub struct BookList {
    pub books: ListedBooks,
    /// The cursor of the next page; `None` on the last one.
    pub next: Option<String>,
    /// A search to offer instead of this one (`catalogue.did-you-mean`).
    pub did_you_mean: Option<String>,
    /// When the plan ends that lets the viewer see the passages; `None` if no plan is needed, or it does not end.
    pub right_until: Option<Timestamp>,
}

impl BookList {
    /// Whether the books are the result of a search; true for lists.
    pub fn has_result(&self) -> bool {
        match &self.books {
            ListedBooks::Hits(hits) => has_result(hits),
            ListedBooks::Ordered(_) => true,
        }
    }
}

/// The books of a page of a list or a search.
#[derive(Clone, Debug)]
pub enum ListedBooks {
    /// Books of a list.
    Ordered(Vec<BookCard>),
    /// Matches of a search, with the places where the text was found.
    Hits(Vec<SearchHit>),
}

/// Lists or searches books.
pub fn list_books<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    query: &BooksQuery,
) -> Result<BookList, ViewError> {
    match query {
        BooksQuery::List(query) => {
            let page = tx.pg.books(query)?;
            let next = page.next.map(|key| key.to_string());
            Ok(BookList { books: ListedBooks::Ordered(page.items), next, did_you_mean: None, right_until: None })
        }
        BooksQuery::Search(query) => {
            let (readable, right_until) = readable_texts(tx, viewer)?;
            let page = tx.pg.search(query, &|card| readable.shown(&facts_of_card(card)))?;
            let next = page.next.map(|key| key.to_string());
            Ok(BookList { books: ListedBooks::Hits(page.items), next, did_you_mean: page.did_you_mean, right_until })
        }
    }
}

/// What every catalogue page shows besides its books: a read model, the same for every viewer.
#[derive(Clone, Debug)]
pub struct CatalogueFrame {
    /// All categories, in their order.
    pub categories: Vec<Category>,
    /// Recommendations for visitors.
    pub popular: Vec<BookCard>,
    /// The number of published books.
    pub book_count: u64,
}

/// Reads the catalogue frame.
pub fn catalogue_frame<A>(tx: &mut Tx<'_, '_, A>) -> Result<CatalogueFrame, StoreError> {
    Ok(CatalogueFrame {
        categories: tx.pg.categories()?,
        popular: tx.pg.popular_books(RECOMMENDATIONS)?,
        book_count: tx.pg.book_count()?,
    })
}

/// A page of the catalogue, with recommendations for its viewer.
#[derive(Clone, Debug)]
pub struct CataloguePage {
    /// `None`: a visitor.
    pub account: Option<Account>,
    pub list: BookList,
    /// What all catalogue pages share.
    pub frame: Arc<CatalogueFrame>,
    /// Recommendations for this member; `None` for visitors, whose recommendations are in the frame.
    pub recommendations: Option<Vec<BookCard>>,
    /// How many books the list has on all pages; `None` if that is not known without counting.
    pub total: Option<u64>,
}

impl CataloguePage {
    /// The recommendations for the viewer.
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

/// The front page, with a visitor's rights to its free book.
#[derive(Clone, Debug)]
pub struct FrontPage {
    pub front: Front,
    /// A visitor's rights to `front.hero`; `None` without a hero.
    pub hero_rights: Option<Rights>,
}

/// Reads the front page, the same for every viewer.
pub fn front_page<A>(tx: &mut Tx<'_, '_, A>) -> Result<FrontPage, StoreError> {
    let (front, now) = (tx.pg.front()?, tx.now());
    let hero_rights = front.hero.as_ref().map(|book| rights(Viewer::Visitor, facts_of(book), now));
    Ok(FrontPage { front, hero_rights })
}

/// The books that are recommended to a member.
pub(crate) fn recommended_books<A>(tx: &mut Tx<'_, '_, A>, account: &Account) -> Result<Vec<BookCard>, StoreError> {
    let (completed, begun): (Vec<_>, Vec<_>) =
        tx.pg.begun_books(account.user.id)?.into_iter().partition(|(_, completed)| *completed);
    let [begun, completed] =
        [begun, completed].map(|books| books.into_iter().map(|(book, _)| book).collect::<Vec<_>>());
    tx.pg.recommendations(&account.recommends, &begun, &completed, RECOMMENDATIONS)
}

/// The full texts that a search may show a viewer passages from, and until when: all texts for a paid member until the plan
/// ends; otherwise free books and permanently opened ones.
pub(crate) fn readable_texts<A>(
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

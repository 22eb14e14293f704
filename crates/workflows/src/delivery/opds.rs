//! The books of a member's OPDS catalog (`delivery.opds-catalog`).

use catalogue::{BookCard, BookCursor, CatalogueQueries, Category, CategoryKey, Filters, ListQuery, SearchQuery, Sort};
use kernel::{Access, BookId, DateCursor, InvalidCursor, Limit, Slug, StoreError, UserId};
use reading_progress::{FullTexts, Shelf};

use crate::{
    catalogue::book_lists::{BooksQuery, ListedBooks, list_books, readable_texts},
    error::ViewError,
    reading_progress::reading::library,
    rights::facts_of_card,
    tx::Tx,
};

/// How many books a page has, apart from those that follow so that it is not almost empty.
pub const OPDS_PAGE: usize = 50;
/// How many pages of the catalogue are read at most until a page of the catalog is full.
const MOST_READ: usize = 40;

/// A list of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpdsList {
    /// What the member has begun and not finished.
    Reading,
    /// The member's library.
    Library,
    /// All books, the newest first.
    New,
    /// The books of a category, the newest first.
    Category(Slug),
    /// What a search finds, the best match first.
    Search(String),
}

/// A page of the catalog.
#[derive(Clone, Debug)]
pub struct OpdsPage {
    /// Books that the member may read in full without taking from the allowance.
    pub books: Vec<BookCard>,
    /// The cursor of the next page; `None` on the last one.
    pub next: Option<String>,
}

/// Why a page of the catalog can't be shown.
#[derive(Debug, thiserror::Error)]
pub enum OpdsError {
    #[error(transparent)]
    View(#[from] ViewError),
    #[error(transparent)]
    Cursor(#[from] InvalidCursor),
}

impl From<StoreError> for OpdsError {
    fn from(error: StoreError) -> Self {
        Self::View(error.into())
    }
}

/// Reads a page of a list. Books that the member may not read are left out; so that they leave no empty pages, the list is read on
/// until the page has [`OPDS_PAGE`] books.
pub fn opds_page<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    list: &OpdsList,
    after: Option<&str>,
) -> Result<OpdsPage, OpdsError> {
    let (readable, _) = readable_texts(tx, Some(member))?;
    let mut page = OpdsPage { books: Vec::new(), next: after.map(str::to_owned) };
    for _ in 0..MOST_READ {
        let read = read_on(tx, member, list, page.next.as_deref())?;
        page.books.extend(read.books.into_iter().filter(|card| may_have(&readable, card)));
        page.next = read.next;
        if page.next.is_none() || page.books.len() >= OPDS_PAGE {
            break;
        }
    }
    Ok(page)
}

/// The categories of the catalog that have books, in their order.
pub fn opds_categories<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Category>, StoreError> {
    Ok(tx.pg.categories()?.into_iter().filter(|category| category.book_count > 0).collect())
}

fn may_have(readable: &FullTexts, card: &BookCard) -> bool {
    readable.shown(&facts_of_card(card)) == Some(Access::Full)
}

/// The next books of a list, with those that the member may not read.
fn read_on<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    list: &OpdsList,
    after: Option<&str>,
) -> Result<OpdsPage, OpdsError> {
    let limit = Limit::clamped(OPDS_PAGE);
    let shelf = match list {
        OpdsList::Reading => Shelf::Reading,
        OpdsList::Library => Shelf::All,
        OpdsList::New | OpdsList::Category(_) | OpdsList::Search(_) => {
            return read_catalogue(tx, member, list, after, limit);
        }
    };
    let after: Option<DateCursor<BookId>> = after.map(str::parse).transpose()?;
    let page = library(tx, member, shelf, after, limit)?.page;
    let next = page.next.map(|key| key.to_string());
    Ok(OpdsPage { books: page.items.into_iter().map(|book| book.card).collect(), next })
}

fn read_catalogue<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    list: &OpdsList,
    after: Option<&str>,
    limit: Limit,
) -> Result<OpdsPage, OpdsError> {
    let after: Option<BookCursor> = after.map(str::parse).transpose()?;
    let query = match list {
        OpdsList::Search(text) => {
            BooksQuery::Search(SearchQuery { text: text.clone(), filters: Filters::default(), after, limit })
        }
        OpdsList::Category(subid) => {
            let category = Some(CategoryKey::Subid(subid.clone()));
            BooksQuery::List(ListQuery {
                sort: Sort::New,
                filters: Filters { category, ..Filters::default() },
                after,
                limit,
            })
        }
        OpdsList::Reading | OpdsList::Library | OpdsList::New => {
            BooksQuery::List(ListQuery { sort: Sort::New, filters: Filters::default(), after, limit })
        }
    };
    let list = list_books(tx, Some(member), &query)?;
    let books = match list.books {
        ListedBooks::Ordered(books) => books,
        ListedBooks::Hits(hits) => hits.into_iter().map(|hit| hit.card).collect(),
    };
    Ok(OpdsPage { books, next: list.next })
}

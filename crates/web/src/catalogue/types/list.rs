//! Lists of books on the wire: parameters and results.

use std::collections::BTreeMap;
use workflows::catalogue::book_lists::{BookList, BooksQuery, CataloguePage, FrontPage, ListedBooks};

use catalogue::{CategoryKey, Filters, ListQuery, SearchQuery, Sort};
use kernel::{CollectionId, Limit, Slug};
use media::Media;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    catalogue::types::book::{Book, BookCard, Category},
    http::{
        error::ApiError,
        wire::page::{after, given, limit},
    },
    identity::types::User,
};

/// The maximum length of a search text, in characters.
const LONGEST_SEARCH: usize = 200;

/// Query parameters of a list of books: filters, order and cursor (`catalogue.list-filters`).
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BooksParams {
    /// A full-text search, best matches first. At most 200 characters.
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// The order; ignored for a search. `newest` is the same as `new`. Default for a collection: `chosen`.
    pub sort: Option<SortName>,
    /// The id or the `subid` of a category.
    pub category: Option<String>,
    /// The id of a collection.
    #[param(minimum = 1)]
    pub collection: Option<i64>,
    /// The author's slug.
    pub author: Option<String>,
    /// The tag's slug.
    pub tag: Option<String>,
    /// True: only books with audio.
    pub audio: Option<bool>,
    /// True: only books with a video.
    pub video: Option<bool>,
    /// The cursor: `result.next` of the previous page.
    pub after: Option<String>,
    /// The page size, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
}

/// The orders of a list.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SortName {
    /// Newest first.
    #[default]
    New,
    /// Newest first.
    Newest,
    /// By the number of opens in the last 14 days.
    Trending,
    /// A to Z.
    Ab,
    /// Books with audio, newest first.
    Audio,
    /// Books with a video, newest first.
    Video,
    /// The editors' order of a collection's chosen books; newest first if none are chosen.
    Chosen,
}

impl SortName {
    /// The name of the order in URLs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Newest => "newest",
            Self::Trending => "trending",
            Self::Ab => "ab",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Chosen => "chosen",
        }
    }
}

impl From<SortName> for Sort {
    fn from(name: SortName) -> Self {
        match name {
            SortName::New | SortName::Newest => Self::New,
            SortName::Trending => Self::Trending,
            SortName::Ab => Self::Title,
            SortName::Audio => Self::Audio,
            SortName::Video => Self::Video,
            SortName::Chosen => Self::Chosen,
        }
    }
}

impl BooksParams {
    /// The names of all parameters, for the keys of cached responses.
    pub const NAMES: &[&str] =
        &["q", "sort", "category", "collection", "author", "tag", "audio", "video", "after", "limit"];

    /// Parses and validates the parameters; `default_limit` is the limit when the client sends none.
    pub fn read(&self, default_limit: usize) -> Result<BooksQuery, ApiError> {
        let limit = limit(self.limit, default_limit, Limit::MAX)?;
        let slug = |field: &'static str, text: Option<&str>| {
            given(text)
                .map(|text| {
                    Slug::parse(text).map_err(|_| ApiError::invalid(field, format!("There is no such {field}.")))
                })
                .transpose()
        };
        let filters = Filters {
            category: given(self.category.as_deref())
                .map(|text| {
                    CategoryKey::parse(text).ok_or_else(|| ApiError::invalid("category", "There is no such category."))
                })
                .transpose()?,
            collection: self
                .collection
                .map(|id| {
                    CollectionId::new(id).map_err(|_| ApiError::invalid("collection", "There is no such collection."))
                })
                .transpose()?,
            author: slug("author", self.author.as_deref())?,
            tag: slug("tag", self.tag.as_deref())?,
            audio: self.audio.unwrap_or(false),
            video: self.video.unwrap_or(false),
            free: false,
        };
        let after = after(self.after.as_deref())?;
        match given(self.q.as_deref()) {
            Some(text) if text.chars().count() > LONGEST_SEARCH => {
                Err(ApiError::invalid("q", format!("Please search for at most {LONGEST_SEARCH} characters.")))
            }
            // Postgres can't store NUL, so no text contains one: search for a space instead.
            Some(text) => Ok(BooksQuery::Search(SearchQuery { text: text.replace('\0', " "), filters, after, limit })),
            None => {
                let usual = if filters.collection.is_some() { SortName::Chosen } else { SortName::New };
                let sort = self.sort.unwrap_or(usual).into();
                Ok(BooksQuery::List(ListQuery { sort, filters, after, limit }))
            }
        }
    }
}

/// A page of books, with the categories and this viewer's recommendations.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BooksResult {
    /// The signed-in member; null for a visitor.
    pub user: Option<User>,
    /// A page of books.
    pub books: Vec<BookCard>,
    /// All categories.
    pub categories: Vec<Category>,
    /// Ten recommended books.
    pub recommendations: Vec<BookCard>,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
    /// The total number of books; null where it is not known without counting.
    pub total: Option<u64>,
    /// A suggested search, if a word of this one is misspelled or nearly equals one in a title or an author's name; otherwise null.
    pub did_you_mean: Option<String>,
}

/// A page of books, keyed by `subid` (`catalogue.book-answer`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookListResult {
    /// The books by `subid`.
    pub books: BTreeMap<String, BookCard>,
    /// The `subid`s in order.
    pub order: Vec<String>,
    /// The cursor of the next page; null on the last page.
    pub next: Option<String>,
    /// A suggested search, if a word of this one is misspelled or nearly equals one in a title or an author's name; otherwise null.
    pub did_you_mean: Option<String>,
}

/// All categories.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CategoriesResult {
    /// The categories, in the editors' order.
    pub categories: Vec<Category>,
}

/// The books and categories of the front page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FrontResult {
    /// A free book; null if the catalogue has none.
    pub hero: Option<Book>,
    /// Popular books.
    pub popular: Vec<BookCard>,
    /// The newest books.
    pub newest: Vec<BookCard>,
    /// All categories.
    pub categories: Vec<Category>,
    /// The number of published books.
    pub book_count: u64,
}

/// The books of a list as cards.
pub fn cards(list: &BookList) -> Vec<BookCard> {
    match &list.books {
        ListedBooks::Ordered(cards) => cards.iter().map(BookCard::from).collect(),
        ListedBooks::Hits(hits) => hits.iter().map(BookCard::from).collect(),
    }
}

impl From<&CataloguePage> for BooksResult {
    fn from(page: &CataloguePage) -> Self {
        Self {
            user: page.account.as_ref().map(Into::into),
            books: cards(&page.list),
            categories: page.frame.categories.iter().map(Into::into).collect(),
            recommendations: page.recommendations().iter().map(Into::into).collect(),
            next: page.list.next.clone(),
            total: page.total,
            did_you_mean: page.list.did_you_mean.clone(),
        }
    }
}

impl From<&BookList> for BookListResult {
    fn from(list: &BookList) -> Self {
        let books = cards(list);
        Self {
            order: books.iter().map(|book| book.subid.clone()).collect(),
            books: books.into_iter().map(|book| (book.subid.clone(), book)).collect(),
            next: list.next.clone(),
            did_you_mean: list.did_you_mean.clone(),
        }
    }
}

impl From<&FrontPage> for FrontResult {
    fn from(page: &FrontPage) -> Self {
        let FrontPage { front, hero_rights } = page;
        let hero = front.hero.as_ref().zip(*hero_rights).map(|(book, rights)| Book::for_viewer(book, &rights, None));
        Self {
            hero,
            popular: front.popular.iter().map(Into::into).collect(),
            newest: front.newest.iter().map(Into::into).collect(),
            categories: front.categories.iter().map(Into::into).collect(),
            book_count: front.book_count,
        }
    }
}

impl From<&catalogue::Category> for Category {
    fn from(category: &catalogue::Category) -> Self {
        Self {
            id: category.id.get(),
            subid: category.draft.subid.as_str().to_owned(),
            name: category.draft.name.clone(),
            small_image: category.draft.small_image.as_deref().map(Media::url),
            hue: category.draft.hue,
            book_count: category.book_count,
        }
    }
}

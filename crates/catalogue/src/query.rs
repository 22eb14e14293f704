//! Queries for lists of books, and their pagination cursors (`catalogue.list-filters`).

use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use kernel::{Access, AuthorId, BookId, CollectionId, InvalidCursor, Limit, Slug, Timestamp};

use crate::{AuthorCard, BookCard, CatalogueError, Category, CategoryKey, Collection, Letter, Tag};

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Newest first.
    #[default]
    New,
    /// By the views of the last 14 days, with decay; books marked as popular win ties.
    Trending,
    /// From A to Z by title, without leading articles.
    Title,
    /// Only books with audio, newest first.
    Audio,
    /// Only books with video, newest first.
    Video,
    /// The editors' order in a collection whose books they chose; otherwise newest first.
    Chosen,
}

/// The default page size of a list of books (`catalogue.list-pages`).
pub const BOOKS_PAGE: usize = 20;
/// The number of books that are recommended to a reader (`catalogue.list-pages`).
pub const RECOMMENDATIONS: usize = 10;

/// The filters of a list; a book must match all of them. Only published books are ever listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    pub category: Option<CategoryKey>,
    /// Books chosen for this collection or, if it has no chosen books, books in one of its categories.
    pub collection: Option<CollectionId>,
    pub author: Option<Slug>,
    /// The slug of a tag.
    pub tag: Option<Slug>,
    pub audio: bool,
    pub video: bool,
    /// Only books that anyone may read.
    pub free: bool,
}

impl Filters {
    /// Whether a filter refers to something that may not exist.
    pub(crate) const fn name_something(&self) -> bool {
        self.category.is_some() || self.collection.is_some() || self.author.is_some() || self.tag.is_some()
    }
}

/// A query for one page of a list of books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery {
    pub sort: Sort,
    pub filters: Filters,
    /// The cursor of the last book of the previous page.
    pub after: Option<BookCursor>,
    pub limit: Limit,
}

impl ListQuery {
    /// Checks that the cursor belongs to a list in this order; otherwise [`CatalogueError::BadCursor`].
    pub(crate) fn check(&self) -> Result<(), CatalogueError> {
        let fits = match (&self.after, self.sort) {
            (None, _)
            | (Some(BookCursor::Date { .. }), Sort::New | Sort::Audio | Sort::Video | Sort::Chosen)
            | (Some(BookCursor::Placed { .. }), Sort::Chosen)
            | (Some(BookCursor::Title { .. }), Sort::Title)
            | (Some(BookCursor::Trending { .. }), Sort::Trending) => true,
            (Some(_), _) => false,
        };
        if fits { Ok(()) } else { Err(CatalogueError::BadCursor) }
    }

    /// The number of books in the whole list, if it is known without counting: all `books`, or those of one of the
    /// categories. `None` otherwise.
    pub fn total(&self, categories: &[Category], books: u64) -> Option<u64> {
        if matches!(self.sort, Sort::Audio | Sort::Video) {
            return None;
        }
        let Filters { category, collection: None, author: None, tag: None, audio: false, video: false, free: false } =
            &self.filters
        else {
            return None;
        };
        let Some(key) = category else { return Some(books) };
        let of_key = categories.iter().find(|category| key.names(category));
        Some(of_key.map_or(0, |category| category.book_count))
    }
}

/// A query for one page of search results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchQuery {
    /// What was typed.
    pub text: String,
    pub filters: Filters,
    /// The cursor of the last book of the previous page.
    pub after: Option<BookCursor>,
    pub limit: Limit,
}

/// How much of a book's text a search may quote; `None`: nothing. The caller decides it by the viewer's rights.
pub type PassageAccess<'a> = dyn Fn(&BookCard) -> Option<Access> + 'a;

/// A search result.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    pub card: BookCard,
    /// The section that matches; `None` when only title, author, category or tags match.
    pub section: Option<SectionTitle>,
    /// Plain text around the matches, each between [`MARK_START`] and [`MARK_END`]; only from text that the searcher
    /// may read.
    pub passage: Option<String>,
    /// Whether no book of the result is about the query (`catalogue.near-notice`); the same for all its books.
    pub is_near: bool,
}

/// A page of search results.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchPage {
    /// The books, best match first.
    pub items: Vec<SearchHit>,
    /// The cursor of the next page; `None` on the last one.
    pub next: Option<BookCursor>,
    /// A search to offer instead (`catalogue.did-you-mean`); only on the first page.
    pub did_you_mean: Option<String>,
}

/// A key idea that is about a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedIdea {
    pub book: BookId,
    /// The index of its section, from 0.
    pub section: usize,
    /// How well it matches; higher is better.
    pub rank: f64,
}

/// The heading and the index of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionTitle {
    /// The heading; empty for text before the first one.
    pub title: String,
    /// Its index, from 0.
    pub place: usize,
}

/// Marks the start of a match in a passage. It is a private-use character that is removed from the text itself.
pub const MARK_START: char = '\u{e000}';
/// Marks the end of a match in a passage.
pub const MARK_END: char = '\u{e001}';

/// A pagination cursor: the sort key of the last book of a page. Clients get it as opaque, URL-safe text.
#[derive(Clone, Debug, PartialEq)]
pub enum BookCursor {
    /// In a list by date.
    Date {
        /// The upload date.
        at: Timestamp,
        id: BookId,
    },
    /// In a list by title.
    Title {
        /// The title's sort key.
        key: String,
        id: BookId,
    },
    /// In a list by trend.
    Trending {
        trending: f64,
        /// Marked as popular by an editor.
        is_popular: bool,
        id: BookId,
    },
    /// In a collection, in the editors' order.
    Placed {
        /// The index in the editors' order, from 0.
        place: u32,
        id: BookId,
    },
    /// In search results.
    Ranked {
        /// How well the book matches, on the store's own scale.
        score: i64,
        /// Whether the search was widened to related words.
        near: bool,
        id: BookId,
    },
}

// A trend is never NaN: it is a sum of counts, and parsing rejects NaN.
impl Eq for BookCursor {}

/// The URL-safe text form.
impl fmt::Display for BookCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = match self {
            Self::Date { at, id } => format!("d {id} {}", at.millis()),
            Self::Title { key, id } => format!("t {id} {key}"),
            Self::Trending { trending, is_popular, id } => {
                format!("p {id} {:x} {}", trending.to_bits(), u8::from(*is_popular))
            }
            Self::Placed { place, id } => format!("c {id} {place}"),
            Self::Ranked { score, near, id } => format!("f {id} {score} {}", u8::from(*near)),
        };
        f.write_str(&URL_SAFE_NO_PAD.encode(plain))
    }
}

impl FromStr for BookCursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        Self::read(text).ok_or(InvalidCursor)
    }
}

impl BookCursor {
    fn read(text: &str) -> Option<Self> {
        let plain = decoded(text)?;
        let (kind, rest) = plain.split_once(' ')?;
        let (id, rest) = rest.split_once(' ')?;
        let id: BookId = id.parse().ok()?;
        match kind {
            "d" => Some(Self::Date { at: Timestamp::from_millis(rest.parse().ok()?), id }),
            "c" => Some(Self::Placed { place: rest.parse().ok()?, id }),
            "t" => Some(Self::Title { key: rest.to_owned(), id }),
            "p" => {
                let (bits, flag) = rest.split_once(' ')?;
                let trending = f64::from_bits(u64::from_str_radix(bits, 16).ok()?);
                trending.is_finite().then_some(Self::Trending { trending, is_popular: read_flag(flag)?, id })
            }
            "f" => {
                let (score, flag) = rest.split_once(' ')?;
                Some(Self::Ranked { score: score.parse().ok()?, near: read_flag(flag)?, id })
            }
            _ => None,
        }
    }
}

/// A query for one page of the author directory, from A to Z.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorsQuery {
    /// Only the authors under this letter.
    pub letter: Option<Letter>,
    /// The cursor of the last author of the previous page.
    pub after: Option<AuthorCursor>,
    pub limit: Limit,
}

/// The pagination cursor of the author directory: an author's sort key and id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuthorCursor {
    /// The sort key of the author's name.
    pub key: String,
    pub id: AuthorId,
}

impl AuthorCursor {
    fn read(text: &str) -> Option<Self> {
        let plain = decoded(text)?;
        let (id, key) = plain.strip_prefix("a ")?.split_once(' ')?;
        Some(Self { key: key.to_owned(), id: id.parse().ok()? })
    }
}

/// The URL-safe text form.
impl fmt::Display for AuthorCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(format!("a {} {}", self.id, self.key)))
    }
}

impl FromStr for AuthorCursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        Self::read(text).ok_or(InvalidCursor)
    }
}

/// Decodes the text of a cursor; `None` when it is malformed or contains NUL, which no store accepts.
fn decoded(text: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok().filter(|plain| !plain.contains('\0'))
}

/// A query for suggestions while a person types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuggestionsQuery {
    /// What was typed.
    pub text: String,
    /// How many books at most.
    pub limit: Limit,
}

/// Suggestions for an unfinished query; each list has the best match first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suggestions {
    /// Books, each with the section and the passage that match.
    pub books: Vec<SearchHit>,
    /// Whether more books match.
    pub more: bool,
    /// A search to offer instead (`catalogue.did-you-mean`).
    pub did_you_mean: Option<String>,
    pub authors: Vec<AuthorCard>,
    pub categories: Vec<Category>,
    pub collections: Vec<Collection>,
    pub tags: Vec<Tag>,
}

fn read_flag(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use kernel::{AuthorId, BookId, Limit, Timestamp};
    use proptest::prelude::*;

    use super::{AuthorCursor, BOOKS_PAGE, BookCursor, Filters, ListQuery, RECOMMENDATIONS, Sort};

    fn cursors() -> impl Strategy<Value = BookCursor> {
        let id = (1_i64..).prop_map(BookId::from_store);
        prop_oneof![
            (id.clone(), any::<i64>()).prop_map(|(id, at)| BookCursor::Date { at: Timestamp::from_millis(at), id }),
            (id.clone(), "[^\0]{0,40}").prop_map(|(id, key)| BookCursor::Title { key, id }),
            (id.clone(), 0.0_f64..1e9, any::<bool>()).prop_map(|(id, trending, is_popular)| BookCursor::Trending {
                trending,
                is_popular,
                id
            }),
            (id, any::<i64>(), any::<bool>()).prop_map(|(id, score, near)| BookCursor::Ranked { score, near, id }),
        ]
    }

    #[test]
    fn a_page_has_twenty_books_and_ten_are_recommended() {
        assert_eq!((BOOKS_PAGE, RECOMMENDATIONS), (20, 10));
    }

    proptest! {
        #[test]
        fn a_key_survives_the_way_through_an_address(cursor in cursors()) {
            let text = cursor.to_string();
            prop_assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
            prop_assert_eq!(text.parse::<BookCursor>().unwrap(), cursor);
        }

        #[test]
        fn any_other_text_is_refused_or_read_without_a_panic(text in ".{0,80}") {
            let _ = (text.parse::<BookCursor>(), text.parse::<AuthorCursor>());
        }

        #[test]
        fn keys_of_authors_survive_too(key in "[^\0]{0,40}", id in 1_i64..) {
            let author = AuthorCursor { key, id: AuthorId::from_store(id) };
            let text = author.to_string();
            prop_assert!(text.parse::<BookCursor>().is_err(), "one is not the other");
            prop_assert_eq!(text.parse::<AuthorCursor>().unwrap(), author);
        }
    }

    #[test]
    fn a_key_of_another_order_is_refused() {
        let after = Some(BookCursor::Date { at: Timestamp::from_millis(1), id: BookId::from_store(1) });
        let query =
            |sort| ListQuery { sort, filters: Filters::default(), after: after.clone(), limit: Limit::clamped(1) };
        assert!(query(Sort::New).check().is_ok());
        assert!(query(Sort::Title).check().is_err());
        assert!("".parse::<BookCursor>().is_err());
        assert!("ZCAwIDE".parse::<BookCursor>().is_err(), "an id is positive");
    }
}

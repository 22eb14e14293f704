//! What a list of books may be asked for, and the keys by which it is paged (`catalogue.list-filters`).

use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use kernel::{Access, AuthorId, BookId, CollectionId, InvalidCursor, Limit, Slug, Timestamp};

use crate::{AuthorCard, BookCard, CatalogueError, Category, CategoryKey, Collection, Letter, Tag};

/// In which order a list stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Newest first.
    #[default]
    New,
    /// By the opens of the last 14 days, decayed; the editors' mark breaks ties.
    Trending,
    /// From A to Z by title, articles aside.
    Title,
    /// Those with audio, newest first.
    Audio,
    /// Those with video, newest first.
    Video,
    /// As editors put them, where they chose the books of a collection; otherwise newest first.
    Chosen,
}

/// The books of a page of a list, unless another number is asked for (`catalogue.list-pages`).
pub const BOOKS_PAGE: usize = 20;
/// The books that are recommended to a reader (`catalogue.list-pages`).
pub const RECOMMENDATIONS: usize = 10;

/// Which books a list holds: those to which all of this applies. Only published books are ever listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    pub category: Option<CategoryKey>,
    /// Chosen for this collection; in one of its categories, when no book was chosen.
    pub collection: Option<CollectionId>,
    pub author: Option<Slug>,
    /// With the tag of this address.
    pub tag: Option<Slug>,
    pub audio: bool,
    pub video: bool,
}

impl Filters {
    /// Whether something is named that may not be there.
    pub(crate) const fn name_something(&self) -> bool {
        self.category.is_some() || self.collection.is_some() || self.author.is_some() || self.tag.is_some()
    }
}

/// A page of a list of books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery {
    /// In which order.
    pub sort: Sort,
    /// Which books.
    pub filters: Filters,
    /// The last book of the page before.
    pub after: Option<BookCursor>,
    /// How many at most.
    pub limit: Limit,
}

impl ListQuery {
    /// Whether the key belongs to a list in this order.
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

    /// How many books the list has as a whole, where that is known without counting them: all `books`, or those of one
    /// of the categories.
    pub fn total(&self, categories: &[Category], books: u64) -> Option<u64> {
        if matches!(self.sort, Sort::Audio | Sort::Video) {
            return None;
        }
        let Filters { category, collection: None, author: None, tag: None, audio: false, video: false } = &self.filters
        else {
            return None;
        };
        let Some(key) = category else { return Some(books) };
        let of_key = categories.iter().find(|category| match key {
            CategoryKey::Id(id) => category.id == *id,
            CategoryKey::Subid(subid) => category.draft.subid == *subid,
        });
        Some(of_key.map_or(0, |category| category.book_count))
    }
}

/// A page of what a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchQuery {
    /// What was typed.
    pub text: String,
    /// Which books.
    pub filters: Filters,
    /// The last book of the page before.
    pub after: Option<BookCursor>,
    /// How many at most.
    pub limit: Limit,
}

/// How much of a book's text a search may quote from; `None`: nothing. The caller knows what its viewer may read.
pub type PassageAccess<'a> = dyn Fn(&BookCard) -> Option<Access> + 'a;

/// A book that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    /// The book.
    pub card: BookCard,
    /// The section in which it was found, unless only title, author, category or tags speak of it.
    pub section: Option<SectionTitle>,
    /// Plain text around the words, each of them between [`MARK_START`] and [`MARK_END`]; only from text that the one
    /// who searches may read.
    pub passage: Option<String>,
    /// No summary is about what was typed itself; this one comes near it.
    pub is_near: bool,
}

/// The heading of a section, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionTitle {
    /// The heading; empty for text before the first one.
    pub title: String,
    /// Its place, from 0.
    pub place: usize,
}

/// Stands before a word that was searched for. A private-use character: no text has it.
pub const MARK_START: char = '\u{e000}';
/// Stands behind a word that was searched for.
pub const MARK_END: char = '\u{e001}';

/// The key of the last book of a page, by which the next one is found. Opaque outside: text that can stand in an
/// address.
#[derive(Clone, Debug, PartialEq)]
pub enum BookCursor {
    /// In a list by date.
    Date {
        /// The book's date.
        at: Timestamp,
        /// The book.
        id: BookId,
    },
    /// In a list by title.
    Title {
        /// The book's title as it is sorted.
        key: String,
        /// The book.
        id: BookId,
    },
    /// In a list by trend.
    Trending {
        /// The book's trend.
        trending: f64,
        /// The editors' mark.
        is_popular: bool,
        /// The book.
        id: BookId,
    },
    /// In the order of the editors.
    Placed {
        /// The book's place, from 0.
        place: u32,
        /// The book.
        id: BookId,
    },
    /// Among what a search found.
    Ranked {
        /// How well the book fits, in the store's own measure.
        score: i64,
        /// Whether books near to the words were looked for.
        near: bool,
        /// The book.
        id: BookId,
    },
}

// A trend is never NaN: it is a sum of what was counted, and `parse` lets none in.
impl Eq for BookCursor {}

/// The text for addresses.
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

/// A page of the directory of authors, from A to Z.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorsQuery {
    /// Those of one letter only.
    pub letter: Option<Letter>,
    /// The last author of the page before.
    pub after: Option<AuthorCursor>,
    /// How many at most.
    pub limit: Limit,
}

/// The key of an author in the directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuthorCursor {
    /// The author's name as it is sorted.
    pub key: String,
    /// The author.
    pub id: AuthorId,
}

impl AuthorCursor {
    fn read(text: &str) -> Option<Self> {
        let plain = decoded(text)?;
        let (id, key) = plain.strip_prefix("a ")?.split_once(' ')?;
        Some(Self { key: key.to_owned(), id: id.parse().ok()? })
    }
}

/// The text for addresses.
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

/// What a key says, without characters that no store takes.
fn decoded(text: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok().filter(|plain| !plain.contains('\0'))
}

/// What a person has typed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuggestionsQuery {
    /// What was typed.
    pub text: String,
    /// How many books at most.
    pub limit: Limit,
}

/// What a person may be about to look for; each list has the best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suggestions {
    /// Books, with the section and the passage in which they were found.
    pub books: Vec<SearchHit>,
    /// Whether more books fit.
    pub more: bool,
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

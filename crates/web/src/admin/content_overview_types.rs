//! The overview for editors on the wire. Times are in milliseconds since the Unix epoch.

use admin::{DROP_OFF_DAYS, DropOff};
use catalogue::{Lacking, ListedBook, SEARCH_DAYS, SearchCount};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use workflows::admin::content_overview::{ContentOverview, FirstBooks};

use crate::http::wire::page::ListCount;

/// A book in a list of the overview.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OverviewBook {
    /// Its id.
    id: i64,
    /// Its name in addresses.
    subid: String,
    /// The title.
    title: String,
    /// The author's name.
    author: String,
    /// When it was added.
    upload_date: i64,
    /// When it was saved last.
    updated_at: i64,
    /// When it can be read.
    #[schema(required)]
    publish_at: Option<i64>,
}

impl From<ListedBook> for OverviewBook {
    fn from(book: ListedBook) -> Self {
        Self {
            id: book.id.get(),
            subid: book.subid.to_string(),
            title: book.title,
            author: book.author,
            upload_date: book.upload_date.millis(),
            updated_at: book.updated_at.millis(),
            publish_at: book.publish_at.map(Timestamp::millis),
        }
    }
}

fn overview_books(books: Vec<ListedBook>) -> Vec<OverviewBook> {
    books.into_iter().map(Into::into).collect()
}

/// Drafts: the newest, and the oldest of the others.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct OverviewDrafts {
    /// How many there are.
    #[serde(flatten)]
    total: ListCount,
    /// The newest first.
    newest: Vec<OverviewBook>,
    /// The oldest first, without those among the newest.
    oldest: Vec<OverviewBook>,
}

/// The first books of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct OverviewBooks {
    /// How many books the list has.
    #[serde(flatten)]
    total: ListCount,
    /// The first of them.
    books: Vec<OverviewBook>,
}

impl From<FirstBooks> for OverviewBooks {
    fn from(first: FirstBooks) -> Self {
        Self { total: first.total.into(), books: overview_books(first.books) }
    }
}

/// Something that a book may lack.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum LackingName {
    Cover,
    Audio,
    /// Illustrated key ideas.
    KeyIdeas,
}

impl From<Lacking> for LackingName {
    fn from(what: Lacking) -> Self {
        match what {
            Lacking::Cover => Self::Cover,
            Lacking::Audio => Self::Audio,
            Lacking::KeyIdeas => Self::KeyIdeas,
        }
    }
}

/// Published books that lack something, the newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct IncompleteBooks {
    /// What they lack.
    lacking: LackingName,
    #[serde(flatten)]
    first: OverviewBooks,
}

/// A search without a result.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct UnansweredSearch {
    /// Its words, without case, accents and punctuation.
    words: String,
    /// How often it was made.
    count: u64,
}

impl From<SearchCount> for UnansweredSearch {
    fn from(search: SearchCount) -> Self {
        Self { words: search.words, count: search.count }
    }
}

/// The section of a book after which most readers went no further.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BookDropOff {
    /// The book's id.
    id: i64,
    /// The book's title.
    title: String,
    /// The section's place in the book, from 0.
    section: usize,
    /// The section's title.
    section_title: String,
    /// How many readers the book had.
    readers: u64,
    /// How many of them went no further than this section.
    stopped: u64,
}

impl From<DropOff> for BookDropOff {
    fn from(one: DropOff) -> Self {
        let (section, section_title) = (one.section, one.section_title);
        Self { id: one.id.get(), title: one.title, section, section_title, readers: one.readers, stopped: one.stopped }
    }
}

/// What editors find first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContentOverviewResult {
    /// Books that are neither published nor scheduled.
    drafts: OverviewDrafts,
    /// Books with a moment of publication, the next first.
    scheduled: OverviewBooks,
    /// What published books lack.
    incomplete: Vec<IncompleteBooks>,
    /// The most frequent searches without a result.
    searches: Vec<UnansweredSearch>,
    /// How many days the searches are counted over.
    search_days: i32,
    /// Where readers stop, the books that lose most readers first.
    drop_offs: Vec<BookDropOff>,
    /// How many days the readers are counted over.
    drop_off_days: i64,
}

impl From<ContentOverview> for ContentOverviewResult {
    fn from(overview: ContentOverview) -> Self {
        let FirstBooks { total, books } = overview.drafts;
        let incomplete = overview.lacking.into_iter();
        Self {
            drafts: OverviewDrafts {
                total: total.into(),
                newest: overview_books(books),
                oldest: overview_books(overview.oldest_drafts),
            },
            scheduled: overview.scheduled.into(),
            incomplete: incomplete
                .map(|(what, first)| IncompleteBooks { lacking: what.into(), first: first.into() })
                .collect(),
            searches: overview.searches.into_iter().map(Into::into).collect(),
            search_days: SEARCH_DAYS,
            drop_offs: overview.drop_offs.into_iter().map(Into::into).collect(),
            drop_off_days: DROP_OFF_DAYS,
        }
    }
}

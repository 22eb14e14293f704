//! The overview for editors on the wire. Times are in milliseconds since the Unix epoch.

use admin::{DROP_OFF_DAYS, DropOff};
use catalogue::{Lacking, ListedBook, SEARCH_DAYS, SearchCount};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use workflows::admin::content_overview::{ContentOverview, FirstBooks};

use crate::http::wire::page::ListCount;

/// A book, as shown in the overview.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OverviewBook {
    /// The id of the book.
    id: i64,
    /// The slug of the book.
    subid: String,
    /// The title.
    title: String,
    /// The author's name.
    author: String,
    /// When it was added to the catalogue, in milliseconds since the Unix epoch.
    upload_date: i64,
    /// When it was last saved, in milliseconds since the Unix epoch.
    updated_at: i64,
    /// When it becomes readable, in milliseconds since the Unix epoch; null if not scheduled.
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

/// The newest and the oldest drafts.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct OverviewDrafts {
    /// The number of drafts.
    #[serde(flatten)]
    total: ListCount,
    /// The newest drafts, newest first.
    newest: Vec<OverviewBook>,
    /// The oldest drafts that are not among the newest, oldest first.
    oldest: Vec<OverviewBook>,
}

/// The first books of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct OverviewBooks {
    /// The number of books in the whole list.
    #[serde(flatten)]
    total: ListCount,
    /// The first books of the list.
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

/// Published books that lack something, newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct IncompleteBooks {
    /// The missing part.
    lacking: LackingName,
    #[serde(flatten)]
    first: OverviewBooks,
}

/// A frequent search without results.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct UnansweredSearch {
    /// The search words, without case, accents and punctuation.
    words: String,
    /// The number of searches.
    count: u64,
}

impl From<SearchCount> for UnansweredSearch {
    fn from(search: SearchCount) -> Self {
        Self { words: search.words, count: search.count }
    }
}

/// The section of a book at which most readers stopped.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BookDropOff {
    /// The id of the book.
    id: i64,
    /// The title of the book.
    title: String,
    /// The index of the section, from 0.
    section: usize,
    /// The title of the section.
    section_title: String,
    /// The number of readers of the book.
    readers: u64,
    /// The number of readers who stopped at this section.
    stopped: u64,
}

impl From<DropOff> for BookDropOff {
    fn from(one: DropOff) -> Self {
        let (section, section_title) = (one.section, one.section_title);
        Self { id: one.id.get(), title: one.title, section, section_title, readers: one.readers, stopped: one.stopped }
    }
}

/// The overview for editors.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContentOverviewResult {
    /// Books that are neither published nor scheduled.
    drafts: OverviewDrafts,
    /// Scheduled books, next first.
    scheduled: OverviewBooks,
    /// Published books that lack something, by missing part.
    incomplete: Vec<IncompleteBooks>,
    /// The most frequent searches without results.
    searches: Vec<UnansweredSearch>,
    /// The number of days over which searches are counted.
    search_days: i32,
    /// The sections at which readers stop, of the books that lose most readers first.
    drop_offs: Vec<BookDropOff>,
    /// The number of days over which readers are counted.
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

//! What editors find first: what is not published yet, what published books lack, searches without a result, and where readers
//! stop (`admin.content-overview`).

use admin::{DropOff, StatsQueries, drop_offs};
use catalogue::{
    BookState, EditingQueries, Lacking, ListedBook, ListedFilter, ListedQuery, ListedSort, SearchCount, most_searched,
};
use kernel::{Limit, ListTotal, StoreError};

use crate::tx::Tx;

/// The most books of each list.
pub const OVERVIEW_BOOKS: usize = 5;
/// The most searches, and the most books that readers leave.
pub const OVERVIEW_ROWS: usize = 10;
/// How many searches are read: among them are beginnings of others, which are left out.
const SEARCHES_READ: usize = 200;

/// The first books of a list.
#[derive(Clone, Debug)]
pub struct FirstBooks {
    /// How many books the whole list has.
    pub total: ListTotal,
    /// At most [`OVERVIEW_BOOKS`].
    pub books: Vec<ListedBook>,
}

/// The overview for editors.
#[derive(Clone, Debug)]
pub struct ContentOverview {
    /// The newest drafts.
    pub drafts: FirstBooks,
    /// The oldest drafts, without those among the newest; the oldest first.
    pub oldest_drafts: Vec<ListedBook>,
    /// The scheduled books, the next first.
    pub scheduled: FirstBooks,
    /// What readable books lack, the newest books first.
    pub lacking: Vec<(Lacking, FirstBooks)>,
    /// The most frequent searches without a result.
    pub searches: Vec<SearchCount>,
    pub drop_offs: Vec<DropOff>,
}

fn first_books<A>(
    tx: &mut Tx<'_, '_, A>,
    filter: &ListedFilter,
    sort: ListedSort,
    descending: bool,
) -> Result<Vec<ListedBook>, StoreError> {
    let limit = Limit::clamped(OVERVIEW_BOOKS);
    let query = ListedQuery { filter: filter.clone(), sort, descending, after: None, limit };
    let mut books = tx.pg.listed_books(&query)?;
    books.truncate(OVERVIEW_BOOKS);
    Ok(books)
}

/// Reads the overview.
pub fn content_overview<A>(tx: &mut Tx<'_, '_, A>) -> Result<ContentOverview, StoreError> {
    let now = tx.now();
    let of_state = |state| ListedFilter { state: Some(state), ..ListedFilter::default() };

    let draft = of_state(BookState::Draft);
    let newest = first_books(tx, &draft, ListedSort::UploadDate, true)?;
    let mut oldest_drafts = first_books(tx, &draft, ListedSort::UploadDate, false)?;
    oldest_drafts.retain(|book| newest.iter().all(|other| other.id != book.id));
    let drafts = FirstBooks { total: tx.pg.count_listed_books(&draft)?, books: newest };

    let due = of_state(BookState::Scheduled);
    let books = first_books(tx, &due, ListedSort::PublishAt, false)?;
    let scheduled = FirstBooks { total: tx.pg.count_listed_books(&due)?, books };

    let lacking = [Lacking::Cover, Lacking::Audio, Lacking::KeyIdeas].map(|what| {
        let filter = ListedFilter { lacking: Some(what), ..of_state(BookState::Published) };
        let books = first_books(tx, &filter, ListedSort::UploadDate, true)?;
        Ok((what, FirstBooks { total: tx.pg.count_listed_books(&filter)?, books }))
    });
    Ok(ContentOverview {
        drafts,
        oldest_drafts,
        scheduled,
        lacking: lacking.into_iter().collect::<Result<_, StoreError>>()?,
        searches: most_searched(tx.pg.unanswered_searches(now, SEARCHES_READ)?, OVERVIEW_ROWS),
        drop_offs: drop_offs(&tx.pg.book_positions(now)?, OVERVIEW_ROWS),
    })
}

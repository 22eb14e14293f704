//! Opening a book: who asks, what it is, and what they may see of it (`decisions.md` 22, 23).

use catalogue::{Book, BookRef, Catalogue};
use kernel::{Timestamp, UserId};
use postgres::Pg;
use reading_progress::{BookFacts, ProgressError, ReadingProgress, Viewer, decide};

use super::account::{Account, account};
use crate::{error::ApiError, routes::catalogue::types::book::Viewing};

/// A book before its viewer.
#[derive(Debug)]
pub struct Looked {
    /// Who looks; `None`: a visitor.
    pub account: Option<Account>,
    /// The book.
    pub book: Book,
    /// What the viewer gets to see. When it wants something recorded, [`open`] comes next.
    pub viewing: Viewing,
}

/// What the rules of reading need to know of a book.
pub fn facts(book: &Book) -> BookFacts {
    BookFacts {
        id: book.card.id,
        free: book.card.free,
        coming_soon: book.card.coming_soon,
        sections: u32::try_from(book.sections.len()).unwrap_or(u32::MAX),
    }
}

/// Looks at a book without taking anything; `None` when there is no such published book.
pub fn look(
    pg: &mut Pg<'_>,
    viewer: Option<UserId>,
    book: &BookRef,
    now: Timestamp,
) -> Result<Option<Looked>, ApiError> {
    let Some(book) = pg.book(book)? else { return Ok(None) };
    let Some(reader) = viewer else {
        let viewing = Viewing { decision: decide(Viewer::Visitor, &facts(&book), now), state: None, is_paid: false };
        return Ok(Some(Looked { account: None, book, viewing }));
    };
    let account = account(pg, reader, now)?.ok_or_else(ApiError::unauthenticated)?;
    let state = pg.reader_state(reader, book.card.id, now)?;
    let viewing = Viewing {
        decision: state.decide(&facts(&book), now),
        is_paid: state.membership.is_paid(now),
        state: Some(state),
    };
    Ok(Some(Looked { account: Some(account), book, viewing }))
}

/// Opens the full text for a reader, taking from the allowance what it takes, under a lock: two opens at the same
/// moment can never take more than there is.
pub fn open(pg: &mut Pg<'_>, reader: UserId, book: &BookFacts, now: Timestamp) -> Result<Viewing, ProgressError> {
    let opening = pg.open_book(reader, book, now)?;
    let is_paid = opening.state.membership.is_paid(now);
    Ok(Viewing { decision: opening.decision, state: Some(opening.state), is_paid })
}

/// When a viewing stops being right by itself: the next moment at which a plan of the reader's begins or ends.
pub fn right_until(viewing: &Viewing, now: Timestamp) -> Option<Timestamp> {
    let state = viewing.state.as_ref()?;
    let edges = state.membership.entitlements.iter().flat_map(|plan| [Some(plan.starts_at), plan.ends_at]);
    edges.flatten().filter(|edge| *edge > now).min()
}

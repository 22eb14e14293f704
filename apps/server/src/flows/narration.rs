//! What is to be read aloud after a change: queued with the change.

use catalogue::{BookRef, Catalogue, Recordings};
use jobs::{Assignment, Jobs, Kind};
use kernel::{StoreError, Timestamp};
use postgres::Pg;

use crate::narration::Work;

/// Has a book read aloud if it has a text and no recording of it. To be called whenever a text may have changed.
pub fn queue(pg: &mut Pg<'_>, book: &BookRef, now: Timestamp) -> Result<(), StoreError> {
    let Some(book) = pg.book(book)? else { return Ok(()) };
    if pg.wants_narration(&book)? {
        add(pg, Work::Audio(book.card.id.get()), now)?;
    }
    Ok(())
}

fn add(pg: &mut Pg<'_>, work: Work, now: Timestamp) -> Result<(), StoreError> {
    let job = Assignment { kind: Kind::Narration, about: work.name(), recipient: None, payload: &work.payload() };
    pg.queue_job(job, now)?;
    Ok(())
}

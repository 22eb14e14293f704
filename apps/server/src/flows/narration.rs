//! What is to be read aloud after a change: queued with the change.

use catalogue::{BookRef, Catalogue, Recordings};
use editorial::Editorial;
use jobs::{Assignment, Jobs, Kind};
use kernel::{StoreError, Timestamp};
use postgres::Pg;

use crate::narration::Work;

/// Has a book read aloud if it has a text and no recording of it. To be called whenever a text may have changed.
pub fn queue(pg: &mut Pg<'_>, book: &BookRef, now: Timestamp) -> Result<(), StoreError> {
    let Some(book) = pg.book(book)? else { return Ok(()) };
    if pg.wants_narration(&book)? {
        add(pg, &Work::Audio(book.card.id.get()), now)?;
    }
    Ok(())
}

/// Has a film made of a book if it has key ideas to show and no film of them. To be called whenever either may have
/// changed.
pub fn queue_film(pg: &mut Pg<'_>, book: &BookRef, now: Timestamp) -> Result<(), StoreError> {
    let Some(book) = pg.book(book)? else { return Ok(()) };
    let ideas = pg.visuals(book.card.id)?;
    if pg.wants_film(&book, &ideas)? {
        add(pg, &Work::Video(book.card.id.get()), now)?;
    }
    Ok(())
}

/// Has the episodes spoken that nobody can hear yet.
pub fn queue_podcasts(pg: &mut Pg<'_>, now: Timestamp) -> Result<(), StoreError> {
    for slug in pg.unrecorded()? {
        add(pg, &Work::Podcast(slug.to_string()), now)?;
    }
    Ok(())
}

fn add(pg: &mut Pg<'_>, work: &Work, now: Timestamp) -> Result<(), StoreError> {
    let job = Assignment { kind: Kind::Narration, about: work.name(), recipient: None, payload: &work.payload() };
    pg.queue_job(job, now)?;
    Ok(())
}

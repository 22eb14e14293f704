//! Who may listen and watch (`decisions.md` 22): audio goes with the full text, video needs a paid member or a free book.

use catalogue::{Book, BookRef, Film, Recording, Recordings};
use kernel::{Timestamp, UserId};
use postgres::Pg;

use super::open_book::{self, Looked};
use crate::error::{ApiError, Code};

/// A book's audio for somebody who may listen; takes nothing from an allowance.
pub fn audio(
    pg: &mut Pg<'_>,
    viewer: Option<UserId>,
    book: &BookRef,
    now: Timestamp,
) -> Result<(Book, Recording), ApiError> {
    let looked = look(pg, viewer, book, now)?;
    if !looked.book.card.coming_soon && !may_listen(&looked) {
        return Err(refused(viewer, "Please upgrade to listen to this summary."));
    }
    let recording = pg.recording(&looked.book)?.filter(|_| !looked.book.card.coming_soon);
    recording.map(|recording| (looked.book, recording)).ok_or_else(|| ApiError::not_found("audio"))
}

/// A book for somebody who may watch its video, and what is known of that.
pub fn video(
    pg: &mut Pg<'_>,
    viewer: Option<UserId>,
    book: &BookRef,
    now: Timestamp,
) -> Result<(Book, Option<Film>), ApiError> {
    let looked = look(pg, viewer, book, now)?;
    if !may_watch(&looked) {
        return Err(refused(viewer, "Please upgrade to see the full video content for this summary."));
    }
    let film = pg.film(&looked.book)?;
    Ok((looked.book, film))
}

/// Whether the viewer may listen to the book: audio goes with the full text.
pub fn may_listen(looked: &Looked) -> bool {
    !looked.book.card.coming_soon && looked.viewing.decision.may_read_already()
}

/// Whether the viewer may watch the book's video.
pub fn may_watch(looked: &Looked) -> bool {
    looked.book.card.free || looked.viewing.is_paid
}

fn look(pg: &mut Pg<'_>, viewer: Option<UserId>, book: &BookRef, now: Timestamp) -> Result<Looked, ApiError> {
    open_book::look(pg, viewer, book, now)?.ok_or_else(|| ApiError::not_found("book"))
}

fn refused(viewer: Option<UserId>, text: &str) -> ApiError {
    if viewer.is_none() { ApiError::unauthenticated() } else { ApiError::new(Code::UpgradeRequired, text) }
}

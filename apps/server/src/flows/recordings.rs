//! Who may listen and watch (`decisions.md` 22): audio goes with the full text, video needs a paid member or a free book.

use catalogue::{Book, BookRef, Film, Recording, Recordings};
use kernel::{Access, StoreError, Timestamp, UserId};
use media::{PresignedUrl, UrlSigner};
use postgres::Pg;

use super::open_book::{self, Looked};
use crate::{
    error::{ApiError, Code},
    routes::catalogue::types::book,
};

/// A book's audio for somebody who may listen; takes nothing from an allowance.
pub fn audio(
    pg: &mut Pg<'_>,
    viewer: Option<UserId>,
    book: &BookRef,
    now: Timestamp,
) -> Result<(Book, Recording), ApiError> {
    let looked = look(pg, viewer, book, now)?;
    if !looked.book.card.coming_soon && !looked.viewing.decision.may_read_already() {
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
    Ok(filmed(pg, looked.book)?)
}

/// A book as everybody sees it: whether everybody may watch its video, and what is known of that. `None`: there is no
/// such book.
pub fn public_video(
    pg: &mut Pg<'_>,
    book: &BookRef,
    now: Timestamp,
) -> Result<Option<(Book, bool, Option<Film>)>, ApiError> {
    let Some(looked) = open_book::look(pg, None, book, now)? else { return Ok(None) };
    let open = may_watch(&looked);
    let (book, film) = filmed(pg, looked.book)?;
    Ok(Some((book, open, film)))
}

/// The book and what is known of its video. One that is coming soon has none yet, whoever asks.
fn filmed(pg: &mut Pg<'_>, mut book: Book) -> Result<(Book, Option<Film>), StoreError> {
    if book.card.coming_soon {
        book.card.video = None;
        return Ok((book, None));
    }
    let film = pg.film(&book)?;
    Ok((book, film))
}

/// Whether the viewer is one who may watch the book's video, and see its illustrated key ideas.
pub(super) fn may_watch(looked: &Looked) -> bool {
    looked.book.card.free || looked.viewing.is_paid
}

fn look(pg: &mut Pg<'_>, viewer: Option<UserId>, book: &BookRef, now: Timestamp) -> Result<Looked, ApiError> {
    open_book::look(pg, viewer, book, now)?.ok_or_else(|| ApiError::not_found("book"))
}

fn refused(viewer: Option<UserId>, text: &str) -> ApiError {
    if viewer.is_none() { ApiError::unauthenticated() } else { ApiError::new(Code::UpgradeRequired, text) }
}

/// The addresses of audio and video that a book carries for one viewer.
#[derive(Debug)]
pub struct Addresses {
    media: Option<PresignedUrl>,
    video: Option<PresignedUrl>,
}

impl Addresses {
    /// Those that the viewer may have, after the book was opened or shown as a preview.
    pub fn of(looked: &Looked, signer: &UrlSigner, reader: Option<UserId>, now: Timestamp) -> Self {
        let card = &looked.book.card;
        // What is coming soon can't be read, heard or watched yet.
        let listens = looked.viewing.decision.access == Access::Full && !card.coming_soon;
        let watches = may_watch(looked) && !card.coming_soon;
        let sign = |key: &str| signer.presign(key, reader.filter(|_| !card.free), now);
        Self {
            media: card.media.as_deref().filter(|_| listens).map(sign),
            video: card.video.as_deref().filter(|_| watches).map(sign),
        }
    }

    /// When one of them is good no longer; `None` when there is none.
    pub fn until(&self) -> Option<Timestamp> {
        [&self.media, &self.video].into_iter().flatten().map(|signed| signed.expires_at).min()
    }

    /// Puts them where the wire has them.
    pub fn put_into(self, book: &mut book::Book) {
        book.card.media_url = self.media.map(|signed| signed.url);
        book.video = self.video.map(|signed| signed.url);
    }
}

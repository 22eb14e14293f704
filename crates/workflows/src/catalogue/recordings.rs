//! Listening and watching (`catalogue.audio-rights`).

use catalogue::{Book, BookRef, Film, Recording, RecordingQueries};
use kernel::{StoreError, Timestamp, UserId};
use media::{PresignedUrl, UrlSigner};
use reading_progress::{Action, DenialReason};

use crate::{
    catalogue::view_book::{BookView, view_book},
    error::ViewError,
    tx::Tx,
};

/// A book's audio for a viewer who may listen. Takes nothing from an allowance.
pub fn audio<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    book: &BookRef,
) -> Result<(Book, Recording), ViewError> {
    let view = view_book(tx, viewer, book)?;
    view.check(Action::Listen)?;
    let recording = tx.pg.recording(&view.book)?.ok_or(ViewError::NotFound("audio"))?;
    Ok((view.book, recording))
}

/// The episode about a book, for a viewer who may listen; without its length and marks. Takes nothing from an
/// allowance.
pub fn podcast<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    book: &BookRef,
) -> Result<(Book, Recording), ViewError> {
    let view = view_book(tx, viewer, book)?;
    view.check(Action::Listen)?;
    let media = view.book.podcast.clone().ok_or(ViewError::NotFound("podcast"))?;
    Ok((view.book, Recording { media, duration_ms: None, chapters: Vec::new(), marks: Vec::new() }))
}

/// A book and what is known of its video.
#[derive(Debug)]
pub struct BookVideo {
    pub book: Book,
    /// What is known of its video; `None`: nothing, or the book is coming soon.
    pub film: Option<Film>,
    /// Whether the viewer may watch it, once it is there.
    pub allowed: bool,
}

/// A book's video for a viewer who may watch it.
pub fn video<A>(tx: &mut Tx<'_, '_, A>, viewer: Option<UserId>, book: &BookRef) -> Result<BookVideo, ViewError> {
    let view = view_book(tx, viewer, book)?;
    match view.rights.watch {
        Ok(()) | Err(DenialReason::NotWritten) => Ok(book_video(tx, view)?),
        Err(DenialReason::SignInRequired | DenialReason::UpgradeRequired | DenialReason::NotOpened) => {
            view.check(Action::Watch)?;
            Ok(book_video(tx, view)?)
        }
    }
}

/// A book's video as a visitor sees it.
pub fn public_video<A>(tx: &mut Tx<'_, '_, A>, book: &BookRef) -> Result<BookVideo, ViewError> {
    let view = view_book(tx, None, book)?;
    Ok(book_video(tx, view)?)
}

fn book_video<A>(tx: &mut Tx<'_, '_, A>, view: BookView) -> Result<BookVideo, StoreError> {
    let BookView { mut book, rights, .. } = view;
    if rights.watch == Err(DenialReason::NotWritten) {
        book.card.video = None;
        return Ok(BookVideo { book, film: None, allowed: true });
    }
    let film = tx.pg.film(&book)?;
    Ok(BookVideo { book, film, allowed: rights.watch.is_ok() })
}

/// The presigned URLs of audio, podcast and video that a book carries for one viewer.
#[derive(Debug)]
pub struct RecordingUrls {
    pub audio: Option<PresignedUrl>,
    /// That of the episode about it.
    pub podcast: Option<PresignedUrl>,
    pub video: Option<PresignedUrl>,
}

impl RecordingUrls {
    /// Those that the viewer may have: what is heard goes with the full text, after the book was opened.
    pub fn sign(view: &BookView, signer: &UrlSigner, reader: Option<UserId>, now: Timestamp) -> Self {
        let card = &view.book.card;
        let sign = |key: &str| signer.presign(key, reader.filter(|_| !card.free), now);
        let heard = |key: &Option<String>| key.as_deref().filter(|_| view.rights.read.is_ok()).map(sign);
        Self {
            audio: heard(&card.media),
            podcast: heard(&view.book.podcast),
            video: card.video.as_deref().filter(|_| view.rights.watch.is_ok()).map(sign),
        }
    }

    /// When the first of them ends; `None` when there is none.
    pub fn until(&self) -> Option<Timestamp> {
        [&self.audio, &self.podcast, &self.video].into_iter().flatten().map(|signed| signed.expires_at).min()
    }
}

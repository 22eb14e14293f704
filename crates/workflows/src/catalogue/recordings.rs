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

/// A book's audio for a viewer who may listen. Uses up no allowance.
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

/// The podcast episode about a book for a viewer who may listen, without length and marks. Uses up no allowance.
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

/// A book and its video.
#[derive(Debug)]
pub struct BookVideo {
    pub book: Book,
    /// `None` if there is no video, or the book is coming soon.
    pub film: Option<Film>,
    /// Whether the viewer may watch the video, once there is one.
    pub allowed: bool,
}

/// A book's video for a viewer who may watch it. Others are refused.
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

/// A book's video as a visitor sees it, who may not be allowed to watch it.
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

/// The presigned URLs of a book's audio, podcast and video for one viewer.
#[derive(Debug)]
pub struct RecordingUrls {
    pub audio: Option<PresignedUrl>,
    /// The podcast episode about the book.
    pub podcast: Option<PresignedUrl>,
    pub video: Option<PresignedUrl>,
}

impl RecordingUrls {
    /// Signs URLs for the files that the viewer may get. Audio and podcast need the same right as the full text.
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

    /// When the first URL expires; `None` if there is none.
    pub fn until(&self) -> Option<Timestamp> {
        [&self.audio, &self.podcast, &self.video].into_iter().flatten().map(|signed| signed.expires_at).min()
    }
}

//! The addresses of a book's audio and video within the book itself.

use kernel::{Access, Timestamp, UserId};

use super::signed;
use crate::{
    app::App,
    error::ApiError,
    flows::{open_book::Looked, recordings},
    wire::book,
};

/// The addresses that a book carries for one viewer.
pub(in crate::routes) struct Addresses {
    media: Option<String>,
    video: Option<String>,
    /// When one of them is good no longer.
    pub(in crate::routes) until: Option<Timestamp>,
}

impl Addresses {
    /// Those that the viewer may have, after the book was opened.
    pub(in crate::routes) async fn of(
        _app: &App,
        looked: &Looked,
        reader: Option<UserId>,
        now: Timestamp,
    ) -> Result<Self, ApiError> {
        let card = &looked.book.card;
        let listens = looked.viewing.decision.access == Access::Full && !card.coming_soon;
        let media = card.media.as_deref().filter(|_| listens);
        let video = card.video.as_deref().filter(|_| recordings::may_watch(looked));
        let sign = |key: &str| signed(key, reader.filter(|_| !card.free), now);
        let (media, video) = (media.map(sign), video.map(sign));
        let until = [&media, &video].into_iter().flatten().map(|signed| signed.until).min();
        Ok(Self { media: media.map(|signed| signed.address), video: video.map(|signed| signed.address), until })
    }

    /// Puts them where the wire has them.
    pub(in crate::routes) fn put_into(&self, book: &mut book::Book) {
        book.card.media_url.clone_from(&self.media);
        book.video.clone_from(&self.video);
    }
}

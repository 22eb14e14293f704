//! Taking a book's text away as a file (`decisions.md` 30): it takes from the allowance what opening the book takes.

use bytes::Bytes;
use catalogue::{Book, BookRef};
use kernel::{Access, UserId};
use reading_progress::ProgressError;

use super::open_book::{self, facts};
use crate::{
    app::App,
    documents::{self, Format},
    error::{ApiError, Code},
};

/// Said of a book that is announced, or has no text yet.
pub const NOT_WRITTEN: &str = "This summary is not written yet.";

/// A book's file for a reader who may have it. `takes`: whether something may be taken from the allowance for it;
/// without that, only whether there is something to be had is answered.
///
/// The file is made first, and nothing is taken for one that can't be made. Whether there is still something to be taken
/// is decided after that, under the reader's lock: files asked for at once never give more than the allowance has.
pub async fn file(
    app: &App,
    reader: UserId,
    book: BookRef,
    format: Format,
    takes: bool,
) -> Result<(Book, Bytes), ApiError> {
    let now = app.env.now();
    let looked = app.db.read(move |pg| open_book::look(pg, Some(reader), &book, now)).await?;
    let looked = looked.ok_or_else(|| ApiError::not_found("book"))?;
    if looked.book.card.coming_soon || looked.book.sections.is_empty() {
        return Err(ApiError::new(Code::NotFound, NOT_WRITTEN));
    }
    let decision = looked.viewing.decision;
    allowed(decision.access)?;
    let file = documents::file(app, &looked.book, format).await?;
    if decision.record.is_some() && takes {
        let (book, now) = (facts(&looked.book), app.env.now());
        let opened = app.db.write::<_, ProgressError, _>(move |pg| open_book::open(pg, reader, &book, now)).await?;
        allowed(opened.decision.access)?;
    }
    Ok((looked.book, file))
}

fn allowed(access: Access) -> Result<(), ApiError> {
    match access {
        Access::Full => Ok(()),
        Access::Preview => Err(ApiError::new(Code::UpgradeRequired, "Please upgrade to download this summary.")),
    }
}

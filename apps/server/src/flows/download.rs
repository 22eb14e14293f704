//! Taking a book's text away as a file (`decisions.md` 30): it takes from the allowance what opening the book takes.

use catalogue::{Book, BookRef};
use kernel::{Access, UserId};
use reading_progress::ProgressError;

use super::open_book::{self, facts};
use crate::{
    app::App,
    error::{ApiError, Code},
};

/// The book whose file a reader may have. `takes`: whether something may be taken from the allowance for it; without
/// that, only whether there is something to be had is answered.
pub async fn take(app: &App, reader: UserId, book: BookRef, takes: bool) -> Result<Book, ApiError> {
    let now = app.env.now();
    let looked = app.db.read(move |pg| open_book::look(pg, Some(reader), &book, now)).await?;
    let looked = looked.ok_or_else(|| ApiError::not_found("book"))?;
    if looked.book.card.coming_soon || looked.book.sections.is_empty() {
        return Err(ApiError::not_found("text"));
    }
    let mut decision = looked.viewing.decision;
    if decision.record.is_some() && takes {
        let book = facts(&looked.book);
        let opened = app.db.write::<_, ProgressError, _>(move |pg| open_book::open(pg, reader, &book, now)).await?;
        decision = opened.decision;
    }
    if decision.access != Access::Full {
        return Err(ApiError::new(Code::UpgradeRequired, "Please upgrade to download this summary."));
    }
    Ok(looked.book)
}

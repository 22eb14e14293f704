//! Taking a book's text away as a file (`decisions.md` 30): it takes from the allowance what opening the book takes.

use access::Action;
use bytes::Bytes;
use catalogue::{Book, BookRef};
use kernel::UserId;

use super::view_book::{open_book, view_book};
use crate::{
    app::App,
    documents::{self, Format},
    error::ApiError,
};

/// A book's file for a reader who may have it. `takes`: whether something may be taken from the allowance for it;
/// without that, the file is made and nothing is recorded.
///
/// The file is made first, so nothing is taken for one that can't be made. The rights are checked again under the
/// reader's lock: downloads at the same moment never give more than the allowance has.
pub async fn file(
    app: &App,
    reader: UserId,
    book: BookRef,
    format: Format,
    takes: bool,
) -> Result<(Book, Bytes), ApiError> {
    let view = app.read_tx(move |tx| view_book(tx, Some(reader), &book)).await?;
    view.check(Action::Download)?;
    let file = documents::file(app, &view.book, format).await?;
    if !(takes && view.wants_recording()) {
        return Ok((view.book, file));
    }
    let opened = app.write_tx(move |tx| open_book(tx, view)).await?;
    opened.check(Action::Download)?;
    Ok((opened.book, file))
}

//! Downloading a book's text as a file (`decisions.md` 30): it takes from the allowance what opening the book takes.

use access::Action;
use catalogue::{Book, BookRef};
use kernel::UserId;

use super::{
    error::ViewError,
    tx::Transactions,
    view_book::{open_book, view_book},
};

/// A book's file for a reader who may have it. `takes`: whether something may be taken from the allowance for it; without
/// that, the file is made and nothing is recorded. `make` makes the file.
///
/// The file is made first, so nothing is taken for one that can't be made. The rights are checked again under the
/// reader's lock: downloads at the same moment never give more than the allowance has.
pub async fn download_book<F, E: From<ViewError>>(
    transactions: &Transactions,
    reader: UserId,
    book: BookRef,
    takes: bool,
    make: impl AsyncFnOnce(&Book) -> Result<F, E>,
) -> Result<(Book, F), E> {
    let view = transactions.read(move |tx| view_book(tx, Some(reader), &book)).await?;
    view.check(Action::Download).map_err(ViewError::from)?;
    let file = make(&view.book).await?;
    if !(takes && view.wants_recording()) {
        return Ok((view.book, file));
    }
    let opened = transactions.write(move |tx| open_book(tx, view, true)).await?;
    opened.check(Action::Download).map_err(ViewError::from)?;
    Ok((opened.book, file))
}

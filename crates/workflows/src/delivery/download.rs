//! Downloading a book's text as a file (`reading-progress.opening-takes`): uses up the same allowance as opening the book.

use billing::BillingQueries;
use catalogue::{Book, BookRef};
use kernel::UserId;
use reading_progress::Action;

use crate::{
    catalogue::view_book::{BookView, open_book, view_book},
    error::ViewError,
    tx::{Transactions, Tx},
};

/// A book for a viewer who requests its file. A buyer of the book needs neither plan nor allowance; purchases are looked up only
/// for members without a plan.
pub fn view_file<A>(tx: &mut Tx<'_, '_, A>, viewer: Option<UserId>, book: &BookRef) -> Result<BookView, ViewError> {
    let view = view_book(tx, viewer, book)?;
    let Some(reader) = viewer.filter(|_| !view.rights.has_plan) else { return Ok(view) };
    let wanted = format!("book-{}", view.book.card.subid);
    let by_id = format!("book-{}", view.book.card.id);
    let items = tx.pg.member_plan(reader)?.items;
    if !items.iter().any(|item| item.plan_id == wanted || item.plan_id == by_id) {
        return Ok(view);
    }
    Ok(BookView { rights: view.rights.of_owner(), ..view })
}

/// A book's file for a reader who may have it. `make` makes the file. `takes`: whether the download may use up allowance;
/// otherwise the file is made and nothing is recorded.
///
/// The file is made first, so that one that can't be made uses up nothing. The rights are checked again with the reader locked:
/// concurrent downloads never use more than the allowance.
pub async fn download_book<F, E: From<ViewError>>(
    transactions: &Transactions,
    reader: UserId,
    book: BookRef,
    takes: bool,
    make: impl AsyncFnOnce(&Book) -> Result<F, E>,
) -> Result<(Book, F), E> {
    let view = transactions.read(move |tx| view_file(tx, Some(reader), &book)).await?;
    view.check(Action::Download).map_err(ViewError::from)?;
    let file = make(&view.book).await?;
    let is_recorded = view.rights.download.is_ok_and(|opening| opening.record.is_none());
    if !takes || is_recorded {
        return Ok((view.book, file));
    }
    let opened = transactions.write(move |tx| open_book(tx, view, true)).await?;
    opened.check(Action::Download).map_err(ViewError::from)?;
    Ok((opened.book, file))
}

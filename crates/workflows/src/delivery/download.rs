//! Downloading a book's text as a file (`reading-progress.opening-takes`): it takes from the allowance what opening the book takes.

use billing::BillingQueries;
use catalogue::{Book, BookRef};
use kernel::UserId;
use reading_progress::Action;

use crate::{
    catalogue::view_book::{BookView, open_book, view_book},
    error::ViewError,
    tx::{Transactions, Tx},
};

/// A book for a viewer who asks for its file: who has bought it needs neither plan nor allowance. What was bought is looked up
/// only where no plan runs.
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

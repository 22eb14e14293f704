//! Viewing and opening a book, with the viewer's rights to it (`reading-progress.full-text-rights`,
//! `reading-progress.opening-takes`).

use billing::BillingQueries;
use catalogue::{Book, BookRef, CatalogueQueries};
use kernel::UserId;
use reading_progress::{Action, ReaderState, ReadingProgress, Refusal, Rights, Viewer, rights};
use study::BookHighlights;

use crate::{
    account::Account,
    error::ViewError,
    rights::{facts_of, rights_of_member},
    tx::{Transactions, Tx},
};

/// A book as one viewer sees it.
#[derive(Debug)]
pub struct BookView {
    /// `None`: a visitor.
    pub account: Option<Account>,
    pub book: Book,
    /// The viewer's state for the book; `None` for a visitor.
    pub state: Option<ReaderState>,
    /// The viewer's highlights in the book; `None` without any.
    pub highlights: Option<BookHighlights>,
    /// What the viewer may do with the book. If reading must be recorded, call [`open_book`] next.
    pub rights: Rights,
}

impl BookView {
    /// Fails if the viewer may not do this with the book.
    pub fn check(&self, action: Action) -> Result<(), Refusal> {
        self.rights.check(action)
    }

    /// Whether opening the book must be recorded before its text is returned.
    pub fn wants_recording(&self) -> bool {
        self.rights.read.is_ok_and(|opening| opening.record.is_some())
    }
}

/// Reads a published book for a viewer. Uses up no allowance.
pub fn view_book<A>(tx: &mut Tx<'_, '_, A>, viewer: Option<UserId>, book: &BookRef) -> Result<BookView, ViewError> {
    let now = tx.now();
    let Some(reader) = viewer else {
        let book = tx.pg.book(book)?.ok_or(ViewError::NotFound("book"))?;
        let rights = rights(Viewer::Visitor, facts_of(&book), now);
        return Ok(BookView { account: None, book, state: None, highlights: None, rights });
    };
    let found = tx.pg.member_book(reader, book, now)?.ok_or(ViewError::SignedOut)?;
    let (book, state) = found.book.ok_or(ViewError::NotFound("book"))?;
    let account = Account::new(found.user, found.entitlements, found.recommends, now);
    let rights = rights_of_member(&account.entitlements, &state, facts_of(&book), now);
    Ok(BookView { account: Some(account), book, state: Some(state), highlights: found.highlights, rights })
}

/// Opens the full text for a member: records by what right, and uses up the allowance if that is the right. Without
/// `may_take`, a text that would use up the allowance stays closed. The member is locked, so concurrent calls can't use more
/// than the allowance. The returned view has the rights as decided under the lock, and the state before this call.
pub fn open_book(tx: &mut Tx<'_, '_>, view: BookView, may_take: bool) -> Result<BookView, ViewError> {
    let Some(account) = &view.account else { return Ok(view) };
    let (reader, book, now) = (account.user.id, facts_of(&view.book), tx.now());
    let (rights, state) = tx.pg.open_book(reader, view.book.card.id, now, |pg, state| {
        let rights = rights_of_member(&pg.entitlements_of(reader, now)?, state, book, now);
        let rights = if may_take { rights } else { rights.without_taking() };
        let record = rights.read.ok().and_then(|opening| opening.record);
        Ok((rights, record))
    })?;
    Ok(BookView { rights, state: Some(state), ..view })
}

/// Which text of a book is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRequest {
    /// The full text, even if opening it uses up allowance.
    Full,
    /// The full text if that uses up no allowance, otherwise the preview: for requests that a page makes without a click.
    FullUnlessTaking,
    /// The preview, for any viewer.
    Preview,
}

/// A book that was read for a viewer.
#[derive(Debug)]
pub struct ReadBook {
    /// The book as the viewer sees it, with the rights to the requested text.
    pub view: BookView,
    /// Whether the same request would return the same again. `false` after something was recorded, or refused for lack of
    /// allowance: these are decided again each time.
    pub is_final: bool,
}

/// Reads a book for a viewer, and records that it was opened if that must be recorded and `may_record` allows it.
pub async fn read_book(
    transactions: &Transactions,
    viewer: Option<UserId>,
    book: BookRef,
    text: TextRequest,
    may_record: bool,
) -> Result<ReadBook, ViewError> {
    let mut view = transactions.read(move |tx| view_book(tx, viewer, &book)).await?;
    view.rights = match text {
        TextRequest::Full => view.rights,
        TextRequest::FullUnlessTaking => view.rights.without_taking(),
        TextRequest::Preview => view.rights.of_preview(),
    };
    if view.wants_recording() && may_record {
        let view = transactions.write(move |tx| open_book(tx, view, text == TextRequest::Full)).await?;
        return Ok(ReadBook { view, is_final: false });
    }
    let is_final = viewer.is_none() || (view.rights.read.is_ok() && !view.wants_recording());
    Ok(ReadBook { view, is_final })
}

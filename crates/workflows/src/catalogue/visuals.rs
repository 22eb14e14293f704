//! Illustrated key ideas and infographics (`catalogue.visual-rights`, `catalogue.infographic-gallery`).

use catalogue::{Book, BookRef, CatalogueLists, CatalogueQueries, Visual, VisualBook};
use kernel::{BookId, Limit, Page, Timestamp, UserId};
use reading_progress::{Action, DenialReason};

use crate::{
    account::account,
    catalogue::{infographics::owns_infographic, view_book::view_book},
    error::ViewError,
    tx::Tx,
};

/// A book's key ideas as one viewer sees them.
#[derive(Debug)]
pub struct BookVisuals {
    pub book: Book,
    /// Whether the viewer may see key ideas, once there are some.
    pub allowed: bool,
    /// Empty for a viewer who may not see them.
    pub visuals: Vec<Visual>,
    /// When the viewer's rights may change.
    pub until: Option<Timestamp>,
}

/// A book's key ideas for a viewer.
pub fn book_visuals<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    book: &BookRef,
) -> Result<BookVisuals, ViewError> {
    let view = view_book(tx, viewer, book)?;
    let (allowed, visuals) = match view.rights.see_visuals {
        Ok(()) => (true, tx.pg.visuals(view.book.card.id)?),
        Err(DenialReason::NotWritten) => (true, Vec::new()),
        Err(DenialReason::SignInRequired | DenialReason::UpgradeRequired | DenialReason::NotOpened) => {
            (false, Vec::new())
        }
    };
    Ok(BookVisuals { allowed, visuals, until: view.rights.until, book: view.book })
}

/// A page of the books with key ideas.
#[derive(Debug)]
pub struct VisualBooks {
    pub page: Page<VisualBook, BookId>,
    /// The number of books on all pages.
    pub total: u64,
    /// Whether the viewer has a plan.
    pub is_paid: bool,
    /// When the viewer's plan ends; `None` without one, or for life.
    pub until: Option<Timestamp>,
}

/// A page of the books with key ideas, for a viewer.
pub fn list_visual_books<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    (after, limit): (Option<BookId>, Limit),
) -> Result<VisualBooks, ViewError> {
    let (page, total) = (tx.pg.visual_books(after, limit)?, tx.pg.visual_books_total()?);
    let Some(viewer) = viewer else { return Ok(VisualBooks { page, total, is_paid: false, until: None }) };
    let account = account(tx.pg, viewer, tx.now())?.ok_or(ViewError::SignedOut)?;
    let until = account.plan.as_ref().and_then(|plan| plan.ends_at);
    Ok(VisualBooks { page, total, is_paid: account.is_paid(), until })
}

/// The parts of an infographic's download.
#[derive(Debug)]
pub struct Infographic {
    pub book: Book,
    /// The poster's object store key: the uploaded infographic, or the drawn one.
    pub poster: String,
    /// The key ideas, in their order.
    pub ideas: Vec<Visual>,
}

/// A book's infographic, for a member who downloads it.
pub fn download_infographic<A>(
    tx: &mut Tx<'_, '_, A>,
    reader: UserId,
    book: &BookRef,
) -> Result<Infographic, ViewError> {
    let view = view_book(tx, Some(reader), book)?;
    let set = tx.pg.visual_set(view.book.card.id)?;
    let poster = set.and_then(|set| set.infographic).ok_or(ViewError::NotFound("infographic"))?;
    // Purchases are looked up only for members without a plan.
    let is_owner = view.rights.download_infographic == Err(DenialReason::UpgradeRequired)
        && owns_infographic(tx, reader, view.book.card.id)?;
    let rights = if is_owner { view.rights.of_infographic_owner() } else { view.rights };
    rights.check(Action::DownloadInfographic).map_err(ViewError::from)?;
    let ideas = tx.pg.visuals(view.book.card.id)?;
    Ok(Infographic { book: view.book, poster, ideas })
}

//! Who may see a book's illustrated key ideas and have its infographic (`decisions.md` 22, 28).

use catalogue::{Book, BookRef, Catalogue, Visual, VisualBook, VisualSet};
use kernel::{BookId, Limit, Page, Timestamp, UserId};
use postgres::Pg;

use super::{
    account::account,
    open_book::{self, right_until},
    recordings::may_watch,
};
use crate::error::{ApiError, Code};

/// A book's key ideas before their viewer.
#[derive(Debug)]
pub struct Seen {
    /// The book.
    pub book: Book,
    /// Whether the viewer may see them: a paid member, and everybody if the book is free.
    pub allowed: bool,
    /// Those that the viewer gets to see.
    pub visuals: Vec<Visual>,
    /// When the viewer's plan ends by which they are shown.
    pub right_until: Option<Timestamp>,
}

/// A book's key ideas for a viewer; none for who may not see them.
pub fn of_book(pg: &mut Pg<'_>, viewer: Option<UserId>, book: &BookRef, now: Timestamp) -> Result<Seen, ApiError> {
    let looked = open_book::look(pg, viewer, book, now)?.ok_or_else(|| ApiError::not_found("book"))?;
    let allowed = may_watch(&looked);
    // What is coming soon can't be seen yet.
    let shown = allowed && !looked.book.card.coming_soon;
    let visuals = if shown { pg.visuals(looked.book.card.id)? } else { Vec::new() };
    Ok(Seen { allowed, visuals, right_until: right_until(&looked.viewing, now), book: looked.book })
}

/// A page of the books with key ideas, and how many there are.
#[derive(Debug)]
pub struct Listed {
    /// The page.
    pub page: Page<VisualBook, BookId>,
    /// How many there are on all pages.
    pub total: u64,
    /// Whether the viewer is a paid member.
    pub is_paid: bool,
    /// When the viewer's plan ends.
    pub right_until: Option<Timestamp>,
}

/// The books with key ideas, for a viewer.
pub fn list(
    pg: &mut Pg<'_>,
    viewer: Option<UserId>,
    (after, limit): (Option<BookId>, Limit),
    now: Timestamp,
) -> Result<Listed, ApiError> {
    let (page, total) = (pg.visual_books(after, limit)?, pg.visual_books_total()?);
    let Some(viewer) = viewer else { return Ok(Listed { page, total, is_paid: false, right_until: None }) };
    let account = account(pg, viewer, now)?.ok_or_else(ApiError::unauthenticated)?;
    let right_until = account.standing.entitlement.as_ref().and_then(|plan| plan.ends_at);
    Ok(Listed { page, total, is_paid: account.is_paid(), right_until })
}

/// A book's infographic for a member who downloads it.
pub fn infographic(
    pg: &mut Pg<'_>,
    reader: UserId,
    book: &BookRef,
    now: Timestamp,
) -> Result<(Book, VisualSet), ApiError> {
    let book = pg.book(book)?.ok_or_else(|| ApiError::not_found("book"))?;
    let set = pg.visual_set(book.card.id)?.filter(|_| !book.card.coming_soon);
    let set = set.ok_or_else(|| ApiError::not_found("infographic"))?;
    let account = account(pg, reader, now)?.ok_or_else(ApiError::unauthenticated)?;
    if !account.is_paid() {
        return Err(ApiError::new(Code::UpgradeRequired, "Please upgrade to download infographics."));
    }
    Ok((book, set))
}

//! What the rules need to know: of the viewer, and of the book.

use kernel::{BookId, Timestamp};

use crate::{AllowanceUse, Grant, OpeningRight, has_plan};

/// What the rules need to know of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookFacts {
    /// The book.
    pub id: BookId,
    /// Anyone may read it.
    pub free: bool,
    /// It is announced and has no text yet.
    pub coming_soon: bool,
    /// How many sections with text it has. The empty one for the rating does not count.
    pub sections: u32,
}

/// A signed-in viewer.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// What billing has given the member, over or not.
    pub grants: &'a [Grant],
    /// The right by which the member has opened this book; `None`: never.
    pub opened: Option<OpeningRight>,
    /// What the member has taken of the allowance.
    pub allowance: &'a AllowanceUse,
}

/// Who asks for a book.
#[derive(Clone, Copy, Debug)]
pub enum Viewer<'a> {
    /// Is not signed in.
    Visitor,
    /// Is signed in.
    Member(Member<'a>),
}

impl Viewer<'_> {
    /// Whether a plan of the viewer's runs at that moment.
    pub fn has_plan(&self, now: Timestamp) -> bool {
        match self {
            Self::Visitor => false,
            Self::Member(member) => has_plan(member.grants, now),
        }
    }
}

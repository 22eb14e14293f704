//! The facts that the rules decide by: viewer and book.

use kernel::{BookId, Timestamp};

use crate::{AllowanceUse, Grant, OpeningRight, has_plan};

/// The facts about a book that the rules decide by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookFacts {
    pub id: BookId,
    /// Whether anyone may read it.
    pub free: bool,
    /// Whether it is only announced: its text can't be read yet.
    pub coming_soon: bool,
    /// The number of sections with text; the empty one for the rating does not count.
    pub sections: u32,
}

/// A signed-in viewer.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The member's grants from billing, including expired ones.
    pub grants: &'a [Grant],
    /// The right by which the member has opened this book; `None`: never.
    pub opened: Option<OpeningRight>,
    /// How much of the allowance the member has used.
    pub allowance: &'a AllowanceUse,
}

/// The person who asks for a book.
#[derive(Clone, Copy, Debug)]
pub enum Viewer<'a> {
    /// A person who is not signed in.
    Visitor,
    /// A person who is signed in.
    Member(Member<'a>),
}

impl Viewer<'_> {
    /// Whether the viewer has a plan that runs at that moment.
    pub fn has_plan(&self, now: Timestamp) -> bool {
        match self {
            Self::Visitor => false,
            Self::Member(member) => has_plan(member.grants, now),
        }
    }
}

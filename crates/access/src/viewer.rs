//! What the rules need to know: of the viewer, and of the book.

use kernel::{Period, Timestamp};

use crate::AllowanceUse;

/// What the rules need to know of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookFacts {
    /// Anyone may read it.
    pub free: bool,
    /// It is announced and has no text yet.
    pub coming_soon: bool,
    /// How many sections with text it has.
    pub sections: u32,
}

/// Something that billing gives a member. A purchase of another kind is another variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// A plan, which gives everything while it runs.
    Plan(Period),
}

impl Grant {
    /// When it runs.
    pub const fn period(self) -> Period {
        match self {
            Self::Plan(period) => period,
        }
    }
}

/// Whether a plan among the grants runs at that moment: then the member is paid.
pub fn has_plan(grants: &[Grant], now: Timestamp) -> bool {
    grants.iter().any(|grant| match grant {
        Grant::Plan(period) => period.contains(now),
    })
}

/// The right by which a full text was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpeningRight {
    /// The book was free.
    FreeBook,
    /// A plan ran: the right lapses with it.
    Plan,
    /// It was one of the first free summaries: it stays open.
    Allowance,
    /// It was the free summary of a month: it stays open.
    Monthly,
}

impl OpeningRight {
    /// Those that keep a book open for good.
    pub const PERMANENT: [Self; 2] = [Self::Allowance, Self::Monthly];

    /// Whether the book stays open for good, whatever becomes of book and plan.
    pub fn is_permanent(self) -> bool {
        Self::PERMANENT.contains(&self)
    }
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

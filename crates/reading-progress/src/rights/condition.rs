//! What queries filter by: the rules as values that storage can check without knowing them.

use kernel::{Access, BookId, Timestamp};

use crate::{Action, BookFacts, DenialReason, Grant, Member, OpeningRight, Refusal, has_plan};

/// Which readers may write history for a book. It is checked by the one statement that writes a position, so that a turn
/// of a page takes one round trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryCondition {
    /// Every reader may.
    pub every_reader: bool,
    /// Who has opened the book by one of these rights may.
    pub opened_by: &'static [OpeningRight],
    /// Who has a plan that runs at this moment may.
    pub plan_at: Timestamp,
    /// Who has opened the book by any right, and has a plan that ran at this moment, may: what was read with a plan can
    /// be reported after it.
    pub plan_at_if_opened: Timestamp,
}

/// The condition for writing history of a visit at `visited_at`. A book that is coming soon has none.
pub fn history_condition(book: &BookFacts, visited_at: Timestamp, now: Timestamp) -> Result<HistoryCondition, Refusal> {
    if book.coming_soon {
        return Err(Refusal { action: Action::WriteHistory, reason: DenialReason::NotWritten });
    }
    Ok(HistoryCondition {
        every_reader: book.free,
        opened_by: &OpeningRight::PERMANENT,
        plan_at: now,
        plan_at_if_opened: visited_at,
    })
}

impl HistoryCondition {
    /// Whether the member meets it, as a store must check it.
    pub fn is_met_by(&self, member: &Member<'_>) -> bool {
        self.every_reader
            || member.opened.is_some_and(|right| self.opened_by.contains(&right))
            || has_plan(member.grants, self.plan_at)
            || (member.opened.is_some() && has_plan(member.grants, self.plan_at_if_opened))
    }
}

/// The full texts that a viewer may read without taking anything from the allowance: a search may quote from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FullTexts {
    All,
    /// Those of free books, and of these, which the viewer has opened for good.
    FreeAnd(Vec<BookId>),
}

impl FullTexts {
    /// Those of a visitor.
    pub const fn of_visitor() -> Self {
        Self::FreeAnd(Vec::new())
    }

    /// Those of a member who has opened these books by a permanent right ([`OpeningRight::PERMANENT`]).
    pub fn of_member(grants: &[Grant], permanently_opened: Vec<BookId>, now: Timestamp) -> Self {
        if has_plan(grants, now) { Self::All } else { Self::FreeAnd(permanently_opened) }
    }

    /// How much of a book's text is shown; `None`: nothing, it is coming soon.
    pub fn shown(&self, book: &BookFacts) -> Option<Access> {
        let full = match self {
            Self::All => true,
            Self::FreeAnd(opened) => book.free || opened.contains(&book.id),
        };
        (!book.coming_soon).then_some(if full { Access::Full } else { Access::Preview })
    }
}

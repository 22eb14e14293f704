//! Conditions for queries: rules as values, which storage can apply without knowing the rules.

use kernel::{Access, BookId, Timestamp};

use crate::{Action, BookFacts, DenialReason, Grant, Member, OpeningRight, Refusal, has_plan};

/// Which readers may write history for a book; any one of the parts is enough. The statement that writes a position
/// checks it, so that turning a page takes one round trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryCondition {
    /// Whether every reader may.
    pub every_reader: bool,
    /// Readers who have opened the book by one of these rights may.
    pub opened_by: &'static [OpeningRight],
    /// Readers with a plan that runs at this moment may.
    pub plan_at: Timestamp,
    /// Readers who have opened the book by any right, and whose plan ran at this moment, may: reading during a plan can
    /// be reported after its end.
    pub plan_at_if_opened: Timestamp,
}

/// The condition for recording a visit at `visited_at`. Refused with [`DenialReason::NotWritten`] for a book that is
/// coming soon.
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
    /// Every reader meets it.
    pub(crate) const NONE: Self = Self {
        every_reader: true,
        opened_by: &[],
        plan_at: Timestamp::from_millis(0),
        plan_at_if_opened: Timestamp::from_millis(0),
    };

    /// Whether the member meets the condition; stores must check the same.
    pub fn is_met_by(&self, member: &Member<'_>) -> bool {
        self.every_reader
            || member.opened.is_some_and(|right| self.opened_by.contains(&right))
            || has_plan(member.grants, self.plan_at)
            || (member.opened.is_some() && has_plan(member.grants, self.plan_at_if_opened))
    }
}

/// The full texts that a viewer may read without using the allowance; search may quote from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FullTexts {
    All,
    /// The texts of free books, and of these books, which the viewer has opened forever.
    FreeAnd(Vec<BookId>),
}

impl FullTexts {
    /// The full texts for a visitor: free books only.
    pub const fn of_visitor() -> Self {
        Self::FreeAnd(Vec::new())
    }

    /// The full texts for a member who has opened these books by a permanent right ([`OpeningRight::PERMANENT`]).
    pub fn of_member(grants: &[Grant], permanently_opened: Vec<BookId>, now: Timestamp) -> Self {
        if has_plan(grants, now) { Self::All } else { Self::FreeAnd(permanently_opened) }
    }

    /// How much of a book's text may be shown; `None`: nothing, because it is coming soon.
    pub fn shown(&self, book: &BookFacts) -> Option<Access> {
        let full = match self {
            Self::All => true,
            Self::FreeAnd(opened) => book.free || opened.contains(&book.id),
        };
        (!book.coming_soon).then_some(if full { Access::Full } else { Access::Preview })
    }
}

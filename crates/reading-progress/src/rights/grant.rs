//! What a member has that gives rights: grants of billing, and openings by a right that is recorded.

use kernel::{Period, Timestamp};

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

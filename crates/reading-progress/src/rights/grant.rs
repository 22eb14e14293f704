//! What gives a member rights: grants from billing, and the right by which a book was opened.

use kernel::{Period, Timestamp};

/// Something that billing gives a member. Another kind of purchase would be another variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// A plan; it gives every right while it runs.
    Plan(Period),
}

impl Grant {
    /// The period in which it is valid.
    pub const fn period(self) -> Period {
        match self {
            Self::Plan(period) => period,
        }
    }
}

/// Whether one of the grants is a plan that runs at that moment.
pub fn has_plan(grants: &[Grant], now: Timestamp) -> bool {
    grants.iter().any(|grant| match grant {
        Grant::Plan(period) => period.contains(now),
    })
}

/// The right by which a full text was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpeningRight {
    FreeBook,
    /// A plan; the right ends with it.
    Plan,
    /// One of the first free summaries; the book stays open.
    Allowance,
    /// The free summary of a month; the book stays open.
    Monthly,
}

impl OpeningRight {
    /// The rights that keep a book open forever.
    pub const PERMANENT: [Self; 2] = [Self::Allowance, Self::Monthly];

    /// Whether the book stays open forever, whatever happens to the book and the plan.
    pub fn is_permanent(self) -> bool {
        Self::PERMANENT.contains(&self)
    }
}

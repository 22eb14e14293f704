//! The free allowance: the summaries that a member without a plan may open (`reading-progress.free-summaries`).

use kernel::{TimeZone, Timestamp};

use crate::{Grant, OpeningRight, has_plan};

/// The summaries that every member may open without a plan (`reading-progress.free-summaries`).
pub const FREE_SUMMARIES: u32 = 3;
/// The additional summaries for inviting friends, once the first invitation was sent
/// (`reading-progress.free-summaries`); one in total, however many friends.
pub const FRIEND_SUMMARIES: u32 = 1;
/// The free summaries in each calendar month after the first ones are used up (`reading-progress.monthly-summary`).
pub const MONTHLY_SUMMARIES: u32 = 1;

/// How much of the allowance a member has used, and what its size depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct AllowanceUse {
    /// Whether an invitation to a friend was sent.
    pub invited_friend: bool,
    /// The time zone of the member's calendar months.
    pub time_zone: TimeZone,
    /// The number of first summaries that were opened.
    pub summaries: u32,
    /// When the last of the first summaries was opened.
    pub last_summary_at: Option<Timestamp>,
    /// When the last monthly summary was opened.
    pub last_monthly_at: Option<Timestamp>,
}

/// The free summaries of a member without a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// How many are left.
    pub left: u32,
    /// The size of the allowance: all first summaries or, once those are used up, the month's.
    pub total: u32,
}

impl AllowanceUse {
    /// The allowance at a moment, and the right by which the next summary would be opened.
    pub(crate) fn allowance(&self, now: Timestamp) -> (Allowance, OpeningRight) {
        let total = FREE_SUMMARIES + if self.invited_friend { FRIEND_SUMMARIES } else { 0 };
        let left = total.saturating_sub(self.summaries);
        if left > 0 {
            return (Allowance { left, total }, OpeningRight::Allowance);
        }
        // The month's summary is available when nothing was opened in this month: neither the last of the first
        // summaries, because the monthly ones begin in the month after it, nor this month's. This also holds when the
        // member's time zone has changed.
        let last = self.last_summary_at.max(self.last_monthly_at);
        let month = |at| self.time_zone.month_of(at);
        if last.is_some_and(|last| month(now) > month(last)) {
            (Allowance { left: MONTHLY_SUMMARIES, total: MONTHLY_SUMMARIES }, OpeningRight::Monthly)
        } else if self.last_monthly_at > self.last_summary_at {
            (Allowance { left: 0, total: MONTHLY_SUMMARIES }, OpeningRight::Monthly)
        } else {
            (Allowance { left: 0, total }, OpeningRight::Allowance)
        }
    }
}

/// A member's free summaries at a moment; `None` with a running plan, which needs none.
pub fn free_summaries(grants: &[Grant], used: &AllowanceUse, now: Timestamp) -> Option<Allowance> {
    if has_plan(grants, now) { None } else { Some(used.allowance(now).0) }
}

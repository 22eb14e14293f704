//! The free allowance: the summaries that a member without a plan may open (`reading-progress.free-summaries`).

use kernel::{TimeZone, Timestamp};

use crate::{Grant, OpeningRight, has_plan};

/// The summaries that every member may open without a plan (`reading-progress.free-summaries`).
pub const FREE_SUMMARIES: u32 = 3;
/// The summaries more once an invited friend has been sent an invitation (`reading-progress.free-summaries`): one in total.
pub const FRIEND_SUMMARIES: u32 = 1;
/// The summaries of a calendar month, once those are used up (`reading-progress.monthly-summary`).
pub const MONTHLY_SUMMARIES: u32 = 1;

/// What a member has taken of the allowance so far, and what its size depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct AllowanceUse {
    /// A friend has been sent an invitation.
    pub invited_friend: bool,
    /// The zone of the member's calendar.
    pub time_zone: TimeZone,
    /// How many of the first summaries were opened.
    pub summaries: u32,
    /// When the last of the first summaries was opened.
    pub last_summary_at: Option<Timestamp>,
    /// When the last summary of a month was opened.
    pub last_monthly_at: Option<Timestamp>,
}

/// The free summaries of a member without a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// How many are left.
    pub left: u32,
    /// Out of how many: the first ones together, or one in the months after those.
    pub total: u32,
}

impl AllowanceUse {
    /// What is left at that moment, and the right by which the next summary would be opened.
    pub(crate) fn allowance(&self, now: Timestamp) -> (Allowance, OpeningRight) {
        let total = FREE_SUMMARIES + if self.invited_friend { FRIEND_SUMMARIES } else { 0 };
        let left = total.saturating_sub(self.summaries);
        if left > 0 {
            return (Allowance { left, total }, OpeningRight::Allowance);
        }
        // A month's summary is there when nothing was taken in this month: neither the last of the first ones, since
        // the months count from the next one, nor this month's. (Also right when the member's zone has changed.)
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

/// A member's free summaries at that moment; `None` with a plan, which needs none.
pub fn free_summaries(grants: &[Grant], used: &AllowanceUse, now: Timestamp) -> Option<Allowance> {
    if has_plan(grants, now) { None } else { Some(used.allowance(now).0) }
}

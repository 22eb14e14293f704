//! The e-mail that offers a pause to paying members who have stopped reading.

use kernel::Timestamp;

use crate::PlanStanding;

/// The number of months without opening a summary after which a pause is offered.
pub const QUIET_MONTHS: u32 = 2;

/// Whether to offer a pause now: the plan can be paused, and both its start and the last opened summary are at least
/// [`QUIET_MONTHS`] old. Offered once per quiet period: not again until the member has opened a summary since `offered`.
pub fn is_pause_due(
    standing: &PlanStanding,
    last_opened: Option<Timestamp>,
    offered: Option<Timestamp>,
    now: Timestamp,
) -> bool {
    let Some(subscription) = standing.subscription.as_ref().filter(|_| standing.can_pause()) else { return false };
    let quiet_since = last_opened.map_or(subscription.started_at, |opened| opened.max(subscription.started_at));
    quiet_since.plus_months(QUIET_MONTHS) <= now && offered.is_none_or(|at| at < quiet_since)
}

#[cfg(test)]
mod tests {
    use kernel::{Money, Period};

    use super::*;
    use crate::{MemberPlan, Movement, MovementKind, PurchaseKey, RenewalTerms};

    const START: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    fn standing(more: &[MovementKind], now: Timestamp) -> PlanStanding {
        let purchase = PurchaseKey::new("sub");
        let charge = Movement {
            plan_id: "yearly".to_owned(),
            amount: Money::from_cents(5_999),
            period: Some(Period { starts_at: START, ends_at: Some(START.plus_months(12)) }),
            renewal: Some(RenewalTerms { price: Money::from_cents(5_999), months: 12 }),
            ..Movement::new(MovementKind::Charged, "charged", &purchase, START)
        };
        let later = more.iter().map(|kind| Movement::new(*kind, kind.as_str(), &purchase, START.plus(1)));
        let all: Vec<Movement> = std::iter::once(charge).chain(later).collect();
        PlanStanding::of(&MemberPlan::of(&all), now)
    }

    #[test]
    fn a_pause_is_offered_once_after_two_months_without_a_summary() {
        assert_eq!(QUIET_MONTHS, 2);
        let end = START.plus_months(2);
        let due = |opened, offered, now| is_pause_due(&standing(&[], now), opened, offered, now);
        assert!(!due(None, None, end.plus(-1)));
        assert!(due(None, None, end));
        assert!(!due(None, Some(end), end.plus(1)), "once");
        let opened = START.plus(5_000);
        assert!(!due(Some(opened), None, end));
        assert!(due(Some(opened), None, end.plus(5_000)));
        // Summaries opened before the plan began don't count.
        assert!(!due(Some(START.plus_months(-9)), None, end.plus(-1)));
        // The member reads again, then stops again.
        let again = end.plus(9_000);
        assert!(!due(Some(again), Some(end), again.plus_months(2).plus(-1)));
        assert!(due(Some(again), Some(end), again.plus_months(2)));
    }

    #[test]
    fn it_is_not_offered_where_nothing_renews() {
        let now = START.plus_months(3);
        assert!(!is_pause_due(&standing(&[MovementKind::Canceled], now), None, None, now));
        assert!(!is_pause_due(&PlanStanding::of(&MemberPlan::default(), now), None, None, now));
    }
}

//! The billing timeline of a member: past charges and changes, and what is due, each with its reason.

use std::collections::HashSet;

use kernel::{DAY, Money, Timestamp};

use crate::{MemberPlan, Movement, MovementKind, PlanStanding, PlanState, ledger::named};

/// The number of days after a charge during which a refund can be requested.
pub const REFUND_DAYS: i64 = 14;

named! {
    /// The kind of a timeline entry. The order of the variants breaks ties between entries at the same time.
    TimelineKind, UnknownTimelineKind, "line of the timeline":
    Trial = "trial",
    Charge = "charge",
    PlanGiven = "plan_given",
    PlanWithdrawn = "plan_withdrawn",
    CodeRedeemed = "code_redeemed",
    CodeRevoked = "code_revoked",
    ChargeFailed = "charge_failed",
    /// Renewal was turned off.
    Canceled = "canceled",
    /// Renewal was turned on again.
    Resumed = "resumed",
    Paused = "paused",
    PauseEnded = "pause_ended",
    Ended = "ended",
    Refund = "refund",
    /// The bank took money back in a dispute.
    Dispute = "dispute",
    /// The dispute was decided in our favor, and the money came back.
    DisputeWon = "dispute_won",
    /// The dispute was decided for the payer, who keeps the money.
    DisputeLost = "dispute_lost",
    /// A future charge.
    ChargeDue = "charge_due",
    /// A future start of a plan.
    PlanStarts = "plan_starts",
    /// A future end of a plan.
    PlanEnds = "plan_ends",
}

/// A line of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineEntry {
    /// The key of the movement; a fixed name for a future entry.
    pub id: String,
    pub at: Timestamp,
    pub kind: TimelineKind,
    pub title: String,
    /// The reason, shown to the member.
    pub why: String,
    /// The amount, never negative. `kind` determines the direction.
    pub amount: Money,
    pub plan_name: String,
    /// Until when a refund can be requested; `None` if nothing is left to refund or the time is over.
    pub refundable_until: Option<Timestamp>,
    pub is_future: bool,
}

/// A member's timeline, newest first, so future entries come before past ones. `movements` are in the order in which they were
/// recorded, which also orders those of one moment.
pub fn timeline(movements: &[Movement], plan: &MemberPlan, now: Timestamp) -> Vec<TimelineEntry> {
    let mut entries: Vec<TimelineEntry> = movements.iter().filter_map(|one| past(one, movements, now)).collect();
    entries.extend(future(plan, now));
    let mut ids = HashSet::new();
    entries.retain(|one| ids.insert(one.id.clone()));
    entries.sort_by_key(|one| (one.is_future, one.at, one.kind));
    entries.reverse();
    entries
}

/// Until when a refund of this charge can be requested; `None` as in [`TimelineEntry::refundable_until`].
pub fn refundable_until(charge: &Movement, movements: &[Movement], now: Timestamp) -> Option<Timestamp> {
    let until = charge.at.plus(REFUND_DAYS * DAY);
    let is_left = charge.amount.cents() > 0 && charge.net_of(movements).cents() > 0;
    (charge.kind == MovementKind::Charged && is_left && now < until).then_some(until)
}

fn past(one: &Movement, all: &[Movement], now: Timestamp) -> Option<TimelineEntry> {
    let name = &one.plan_name;
    let months = one.months.unwrap_or(0);
    let (kind, title, why) = match one.kind {
        MovementKind::TrialStarted => {
            let why = if before(one, all).is_some() {
                "You switched to this plan. Your trial continues, and you were not charged."
            } else {
                "Your free trial began. You will first be charged when it ends."
            };
            (TimelineKind::Trial, format!("{name}: free trial"), why.to_owned())
        }
        MovementKind::Charged => (TimelineKind::Charge, name.clone(), why_charged(one, all).to_owned()),
        MovementKind::PlanGiven => (TimelineKind::PlanGiven, name.clone(), "We gave you this plan.".to_owned()),
        MovementKind::PlanWithdrawn => {
            (TimelineKind::PlanWithdrawn, format!("{name} ended"), "We ended the plan we gave you.".to_owned())
        }
        MovementKind::CodeRedeemed if one.months.is_none() => {
            (TimelineKind::CodeRedeemed, name.clone(), "You redeemed a lifetime code.".to_owned())
        }
        MovementKind::CodeRedeemed => {
            let why = format!(
                "You redeemed a code for {}. It starts when the period you have paid for ends.",
                in_months(months)
            );
            (TimelineKind::CodeRedeemed, name.clone(), why)
        }
        MovementKind::CodeRevoked => {
            let why = "The payment for the code was refunded.".to_owned();
            (TimelineKind::CodeRevoked, format!("{name}: code revoked"), why)
        }
        MovementKind::ChargeFailed => {
            let why = "The charge did not go through. You can keep reading for seven days.".to_owned();
            (TimelineKind::ChargeFailed, format!("{name}: charge failed"), why)
        }
        MovementKind::Canceled => {
            let why = "You cancelled. You will not be charged again.".to_owned();
            (TimelineKind::Canceled, format!("{name} cancelled"), why)
        }
        MovementKind::Resumed => {
            (TimelineKind::Resumed, format!("{name} continues"), "You turned renewal back on.".to_owned())
        }
        MovementKind::Paused => {
            let why = format!("You paused the plan for {} after its current period.", in_months(months));
            (TimelineKind::Paused, format!("{name} paused"), why)
        }
        MovementKind::PauseEnded => {
            (TimelineKind::PauseEnded, format!("{name} continues"), "You ended the pause.".to_owned())
        }
        MovementKind::Ended => {
            (TimelineKind::Ended, "Plan ended".to_owned(), "The subscription has ended. Nothing renews.".to_owned())
        }
        MovementKind::Refunded => {
            (TimelineKind::Refund, format!("{name}: refund"), "We refunded this to you.".to_owned())
        }
        MovementKind::Disputed => {
            let why = "Your bank reversed this charge for you.".to_owned();
            (TimelineKind::Dispute, format!("{name}: dispute"), why)
        }
        MovementKind::DisputeWon => {
            let why = "Your bank found the charge valid.".to_owned();
            (TimelineKind::DisputeWon, format!("{name}: dispute closed"), why)
        }
        MovementKind::DisputeLost => {
            let why = "Your bank decided in your favor.".to_owned();
            (TimelineKind::DisputeLost, format!("{name}: dispute closed"), why)
        }
        MovementKind::RewardAccrued | MovementKind::RewardReversed | MovementKind::RewardPaid => return None,
    };
    Some(TimelineEntry {
        id: one.key.clone(),
        at: one.at,
        kind,
        title,
        why,
        amount: one.amount,
        plan_name: name.clone(),
        refundable_until: refundable_until(one, all, now),
        is_future: false,
    })
}

/// The previous trial or charge of the same purchase. `all` are in the order in which they were recorded.
fn before<'a>(one: &Movement, all: &'a [Movement]) -> Option<&'a Movement> {
    let earlier = all.iter().take_while(|other| other.key != one.key).filter(|other| other.purchase == one.purchase);
    earlier.filter(|other| matches!(other.kind, MovementKind::Charged | MovementKind::TrialStarted)).last()
}

fn why_charged(one: &Movement, all: &[Movement]) -> &'static str {
    match before(one, all) {
        _ if one.renewal.is_none() => "You bought this. It does not renew.",
        None => "You subscribed. This is the first period.",
        Some(before) if before.plan_id != one.plan_id => "You switched to this plan.",
        Some(before) if before.kind == MovementKind::TrialStarted => "Your trial ended, and your plan began.",
        Some(_) => "Your plan renewed.",
    }
}

fn future(plan: &MemberPlan, now: Timestamp) -> Vec<TimelineEntry> {
    let standing = PlanStanding::of(plan, now);
    let entry = |id: String, at, kind, title, why: &str, plan_name: &str| TimelineEntry {
        id,
        at,
        kind,
        title,
        why: why.to_owned(),
        amount: Money::from_cents(0),
        plan_name: plan_name.to_owned(),
        refundable_until: None,
        is_future: true,
    };
    let mut entries = Vec::new();
    if let (Some((at, amount)), Some(subscription)) = (standing.next_charge, &standing.subscription) {
        let why = match standing.state {
            PlanState::Trial => "Your trial ends, and your plan begins. You can cancel any time before then.",
            PlanState::Paused => "Your pause ends, and your plan continues. You can cancel any time before then.",
            PlanState::PastDue => "This charge failed. Please update your card to keep your plan.",
            _ => "Your plan renews. You can cancel any time before then.",
        };
        let name = &subscription.plan_name;
        let title = format!("{name}: next charge");
        let due = entry("due".to_owned(), at, TimelineKind::ChargeDue, title, why, name);
        entries.push(TimelineEntry { amount, ..due });
    }
    let is_grace = |starts_at, ends_at| {
        plan.subscriptions
            .iter()
            .filter_map(crate::Subscription::grace)
            .any(|grace| grace.starts_at == starts_at && grace.ends_at == ends_at)
    };
    for one in plan.entitlements.iter().filter(|one| one.starts_at > now && !is_grace(one.starts_at, one.ends_at)) {
        let id = format!("starts:{}", one.starts_at.millis());
        let why = "A code you redeemed starts when the period you have paid for ends.";
        let (title, name) = (format!("{} begins", one.plan_name), one.plan_name.as_str());
        entries.push(entry(id, one.starts_at, TimelineKind::PlanStarts, title, why, name));
    }
    let rights = || plan.entitlements.iter().filter(|one| one.ends_at.is_none_or(|end| end > now));
    let last = rights().max_by_key(|one| one.ends_at);
    if standing.next_charge.is_none()
        && rights().all(|one| one.ends_at.is_some())
        && let Some((one, at)) = last.and_then(|one| Some((one, one.ends_at?)))
    {
        let title = format!("{} ends", one.plan_name);
        let why = "Nothing renews. You can read everything until then.";
        entries.push(entry("ends".to_owned(), at, TimelineKind::PlanEnds, title, why, &one.plan_name));
    }
    entries
}

fn in_months(months: u32) -> String {
    match months {
        1 => "a month".to_owned(),
        12 => "a year".to_owned(),
        _ => format!("{months} months"),
    }
}

#[cfg(test)]
mod tests {
    use kernel::Period;

    use super::*;
    use crate::{PurchaseKey, RenewalTerms};

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);
    const TERMS: RenewalTerms = RenewalTerms { price: Money::from_cents(999), months: 1 };

    fn movement(kind: MovementKind, key: &str, at: Timestamp) -> Movement {
        let (plan_id, plan_name) = ("monthly".to_owned(), "Monthly".to_owned());
        Movement { plan_id, plan_name, ..Movement::new(kind, key, &PurchaseKey::new("purchase"), at) }
    }

    fn charge(key: &str, at: Timestamp) -> Movement {
        Movement {
            amount: Money::from_cents(999),
            period: Some(Period { starts_at: at, ends_at: Some(at.plus_months(1)) }),
            renewal: Some(TERMS),
            ..movement(MovementKind::Charged, key, at)
        }
    }

    fn of(movements: &[Movement], now: Timestamp) -> Vec<TimelineEntry> {
        timeline(movements, &MemberPlan::of(movements), now)
    }

    fn said(entries: &[TimelineEntry]) -> Vec<(TimelineKind, i64, bool)> {
        entries.iter().map(|one| (one.kind, one.amount.cents(), one.is_future)).collect()
    }

    #[test]
    fn nothing_happened_says_nothing() {
        assert_eq!(of(&[], NOW), []);
        assert_eq!(PlanStanding::of(&MemberPlan::of(&[]), NOW).state, PlanState::Free);
    }

    #[test]
    fn a_trial_names_its_first_charge_and_each_charge_its_reason() {
        let trial = Movement {
            period: Some(Period { starts_at: NOW, ends_at: Some(NOW.plus(3 * DAY)) }),
            renewal: Some(TERMS),
            next_charge: Some(Money::from_cents(500)),
            ..movement(MovementKind::TrialStarted, "trial", NOW)
        };
        let during = of(std::slice::from_ref(&trial), NOW);
        assert_eq!(said(&during), [(TimelineKind::ChargeDue, 500, true), (TimelineKind::Trial, 0, false)]);
        assert_eq!(during[0].at, NOW.plus(3 * DAY));
        let first = charge("first", NOW.plus(3 * DAY));
        let second = charge("second", first.period.unwrap().ends_at.unwrap());
        let after = of(&[trial, first, second.clone()], second.at);
        let why: Vec<&str> = after.iter().skip(1).map(|one| one.why.as_str()).collect();
        assert_eq!(
            why,
            [
                "Your plan renewed.",
                "Your trial ended, and your plan began.",
                "Your free trial began. You will first be charged when it ends.",
            ]
        );
        assert_eq!(after[0].amount.cents(), 999);
    }

    #[test]
    fn a_cancelled_plan_has_an_end_and_no_charge_to_come() {
        let movements = [charge("a", NOW), movement(MovementKind::Canceled, "b", NOW.plus(DAY))];
        let entries = of(&movements, NOW.plus(2 * DAY));
        assert_eq!(
            said(&entries),
            [(TimelineKind::PlanEnds, 0, true), (TimelineKind::Canceled, 0, false), (TimelineKind::Charge, 999, false)]
        );
        assert_eq!(entries[0].at, NOW.plus_months(1));
        assert_eq!(said(&of(&movements, NOW.plus_months(2)))[0], (TimelineKind::Canceled, 0, false));
    }

    #[test]
    fn a_pause_and_a_redeemed_year_put_the_next_charge_off_and_say_so() {
        let paused = Movement { months: Some(2), ..movement(MovementKind::Paused, "b", NOW.plus(DAY)) };
        let entries = of(&[charge("a", NOW), paused], NOW.plus(2 * DAY));
        assert_eq!((entries[0].kind, entries[0].at), (TimelineKind::ChargeDue, NOW.plus_months(3)));
        assert!(entries[0].why.starts_with("Your pause ends"));
        let purchase = PurchaseKey::new("code:x");
        let redeemed = Movement {
            plan_name: "Yearly".to_owned(),
            months: Some(12),
            ..Movement::new(MovementKind::CodeRedeemed, "code", &purchase, NOW.plus(DAY))
        };
        let entries = of(&[charge("a", NOW), redeemed], NOW.plus(2 * DAY));
        let future: Vec<_> = entries.iter().filter(|one| one.is_future).map(|one| (one.kind, one.at)).collect();
        assert_eq!(
            future,
            [
                (TimelineKind::ChargeDue, NOW.plus_months(1).plus_months(12)),
                (TimelineKind::PlanStarts, NOW.plus_months(1))
            ]
        );
        assert!(
            entries
                .iter()
                .any(|one| one.why
                    == "You redeemed a code for a year. It starts when the period you have paid for ends.")
        );
    }

    #[test]
    fn what_begins_or_ends_at_this_moment_does_not_lie_ahead() {
        let until = NOW.plus_months(1);
        let canceled = [charge("a", NOW), movement(MovementKind::Canceled, "b", NOW.plus(DAY))];
        assert_eq!(said(&of(&canceled, until.plus(-1)))[0], (TimelineKind::PlanEnds, 0, true));
        assert_eq!(said(&of(&canceled, until))[0], (TimelineKind::Canceled, 0, false));
        let code = Movement {
            plan_name: "Yearly".to_owned(),
            months: Some(12),
            ..Movement::new(MovementKind::CodeRedeemed, "code", &PurchaseKey::new("code:x"), NOW.plus(2 * DAY))
        };
        let all = [canceled[0].clone(), canceled[1].clone(), code];
        let ahead = |now| {
            let entries = of(&all, now);
            entries.into_iter().filter(|one| one.is_future).map(|one| (one.kind, one.at, one.title)).collect::<Vec<_>>()
        };
        let begins = (TimelineKind::PlanStarts, until, "Yearly begins".to_owned());
        let ends = (TimelineKind::PlanEnds, until.plus_months(12), "Yearly ends".to_owned());
        assert_eq!(ahead(until.plus(-1)), [ends.clone(), begins]);
        assert_eq!(ahead(until), [ends]);
    }

    #[test]
    fn grace_that_lies_ahead_is_no_plan_that_begins_but_a_plan_beside_it_is() {
        let until = NOW.plus_months(1);
        let failed = movement(MovementKind::ChargeFailed, "b", until.plus(-DAY));
        let grace = of(&[charge("a", NOW), failed.clone()], until.plus(-DAY));
        assert!(grace.iter().all(|one| one.kind != TimelineKind::PlanStarts), "{grace:?}");
        // It begins at the same time as the grace period, and ends at another.
        let given = Movement {
            plan_name: "Given".to_owned(),
            period: Some(Period { starts_at: until, ends_at: Some(until.plus(3 * DAY)) }),
            ..Movement::new(MovementKind::PlanGiven, "given", &PurchaseKey::new("given"), NOW)
        };
        let beside = of(&[charge("a", NOW), failed, given], until.plus(-DAY));
        let starts: Vec<_> =
            beside.iter().filter(|one| one.kind == TimelineKind::PlanStarts).map(|one| (&*one.title, one.at)).collect();
        assert_eq!(starts, [("Given begins", until)]);
    }

    #[test]
    fn a_refund_can_be_asked_for_within_fourteen_days_while_something_is_left() {
        let charged = charge("a", NOW);
        let until = NOW.plus(14 * DAY);
        let only = std::slice::from_ref(&charged);
        assert_eq!(refundable_until(&charged, only, until.plus(-1)), Some(until));
        assert_eq!(refundable_until(&charged, only, until), None);
        let refund = |cents| Movement {
            amount: Money::from_cents(cents),
            reference: Some("a".to_owned()),
            ..movement(MovementKind::Refunded, "r", NOW)
        };
        assert_eq!(refundable_until(&charged, &[charged.clone(), refund(998)], NOW), Some(until));
        assert_eq!(refundable_until(&charged, &[charged.clone(), refund(999)], NOW), None);
        let free = Movement { amount: Money::from_cents(0), ..charge("free", NOW) };
        assert_eq!(refundable_until(&free, &[], NOW), None);
        assert_eq!(refundable_until(&refund(5), &[], NOW), None);
        assert_eq!(REFUND_DAYS, 14);
    }

    #[test]
    fn rewards_are_no_part_of_it_and_a_movement_is_listed_once() {
        let reward =
            Movement { amount: Money::from_cents(100), ..movement(MovementKind::RewardAccrued, "reward", NOW) };
        let entries = of(&[charge("a", NOW), charge("a", NOW), reward], NOW);
        assert_eq!(said(&entries), [(TimelineKind::ChargeDue, 999, true), (TimelineKind::Charge, 999, false)]);
    }

    #[test]
    fn what_can_be_done_with_a_plan_follows_from_its_state() {
        let standing = |movements: &[Movement], at| PlanStanding::of(&MemberPlan::of(movements), at);
        let may = |one: &PlanStanding| (one.can_cancel(), one.can_resume(), one.can_pause(), one.can_switch());
        let active = standing(&[charge("a", NOW)], NOW);
        assert_eq!((active.state, may(&active)), (PlanState::Active, (true, false, true, true)));
        assert!(active.can_change_method());
        let canceled = [charge("a", NOW), movement(MovementKind::Canceled, "b", NOW)];
        let one = standing(&canceled, NOW);
        assert_eq!((one.state, may(&one)), (PlanState::Canceled, (false, true, false, false)));
        assert_eq!(one.next_charge, None);
        let one = standing(&canceled, NOW.plus_months(1));
        assert_eq!((one.state, may(&one)), (PlanState::Ended, (false, false, false, false)));
        let paused = [charge("a", NOW), Movement { months: Some(1), ..movement(MovementKind::Paused, "b", NOW) }];
        let one = standing(&paused, NOW);
        assert_eq!((one.state, may(&one)), (PlanState::Paused, (true, true, false, false)));
        assert_eq!(one.paused_until, Some(NOW.plus_months(2)));
        let failed_at = NOW.plus_months(1);
        let failed = [charge("a", NOW), movement(MovementKind::ChargeFailed, "b", failed_at)];
        let one = standing(&failed, failed_at);
        assert_eq!((one.state, may(&one)), (PlanState::PastDue, (true, false, false, false)));
        assert_eq!(one.grace_ends_at, Some(failed_at.plus(GRACE_MS)));
        let life = Movement {
            period: Some(Period { starts_at: NOW, ends_at: None }),
            ..movement(MovementKind::PlanGiven, "g", NOW)
        };
        let one = standing(&[life], NOW);
        assert_eq!((one.state, may(&one)), (PlanState::Lifetime, (false, false, false, false)));
        let given = Movement {
            period: Some(Period { starts_at: NOW, ends_at: Some(NOW.plus(DAY)) }),
            ..movement(MovementKind::PlanGiven, "g", NOW)
        };
        assert_eq!(standing(std::slice::from_ref(&given), NOW).state, PlanState::Code);
        assert_eq!(standing(std::slice::from_ref(&given), NOW.plus(-1)).state, PlanState::Free);
        assert_eq!(standing(&[given], NOW.plus(DAY)).state, PlanState::Ended);
    }

    const GRACE_MS: i64 = 7 * DAY;
}

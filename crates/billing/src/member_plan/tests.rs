//! Rules of subscriptions and entitlements, by example.

use kernel::{DAY, HOUR, Money, Period, Timestamp};

use super::*;

/// 2028-01-31T12:00:00Z: the next month has 29 days.
const START: Timestamp = Timestamp::from_millis(1_832_932_800_000);
const TRIAL: i64 = 3 * DAY;

fn key(purchase: &str) -> PurchaseKey {
    PurchaseKey::new(purchase)
}

fn bare(kind: MovementKind, purchase: &str, at: Timestamp) -> Movement {
    Movement::new(kind, format!("{purchase}:{}:{}", kind.as_str(), at.millis()), &key(purchase), at)
}

fn months_of(plan: &str) -> u32 {
    if plan == "monthly" { 1 } else { 12 }
}

fn of_plan(kind: MovementKind, purchase: &str, plan: &str, start: Timestamp, end: Timestamp) -> Movement {
    Movement {
        plan_id: plan.to_owned(),
        plan_name: plan.to_uppercase(),
        period: Some(Period { starts_at: start, ends_at: Some(end) }),
        renewal: Some(RenewalTerms { price: Money::from_cents(999), months: months_of(plan) }),
        ..bare(kind, purchase, start)
    }
}

fn trial(plan: &str) -> Movement {
    let movement = of_plan(MovementKind::TrialStarted, "sub", plan, START, START.plus(TRIAL));
    Movement { next_charge: Some(Money::from_cents(500)), ..movement }
}

fn charge(purchase: &str, plan: &str, start: Timestamp) -> Movement {
    let end = start.plus_months(months_of(plan));
    Movement { amount: Money::from_cents(999), ..of_plan(MovementKind::Charged, purchase, plan, start, end) }
}

fn lifetime(at: Timestamp) -> Movement {
    Movement {
        plan_id: "lifetime".to_owned(),
        plan_name: "Lifetime".to_owned(),
        amount: Money::from_cents(14_900),
        period: Some(Period { starts_at: at, ends_at: None }),
        ..bare(MovementKind::Charged, "life", at)
    }
}

fn year(purchase: &str, at: Timestamp) -> Movement {
    Movement { plan_id: "gift".to_owned(), months: Some(12), ..bare(MovementKind::CodeRedeemed, purchase, at) }
}

fn undo(kind: MovementKind, charge: &Movement, at: Timestamp, cents: i64) -> Movement {
    Movement {
        reference: Some(charge.key.clone()),
        amount: Money::from_cents(cents),
        ..bare(kind, charge.purchase.as_str(), at)
    }
}

fn plan(movements: &[Movement]) -> MemberPlan {
    for movement in movements {
        movement.check().unwrap();
    }
    MemberPlan::of(movements)
}

fn only(plan: &MemberPlan) -> &Subscription {
    let [one] = plan.subscriptions.as_slice() else { panic!("{:?}", plan.subscriptions) };
    one
}

/// The end of the entitlement that is valid at `now`.
fn end_at(plan: &MemberPlan, now: Timestamp) -> Option<Timestamp> {
    Entitlement::best(&plan.entitlements, now).and_then(|one| one.ends_at)
}

#[test]
fn a_trial_ends_with_the_first_charge_that_was_announced() {
    let in_trial = plan(&[trial("monthly")]);
    let one = only(&in_trial);
    assert_eq!(one.state_at(START), SubscriptionState::Trial);
    assert_eq!(one.next_charge_at(START), Some((START.plus(TRIAL), Money::from_cents(500))));
    assert_eq!(end_at(&in_trial, START.plus(TRIAL - 1)), Some(START.plus(TRIAL)), "endPaidDate is the trial's end");

    let charged = plan(&[trial("monthly"), charge("sub", "monthly", START.plus(TRIAL))]);
    let (one, end) = (only(&charged), START.plus(TRIAL).plus_months(1));
    assert_eq!(one.state_at(START.plus(TRIAL)), SubscriptionState::Active);
    assert_eq!((one.started_at, one.paid_until), (START, end));
    assert_eq!(one.next_charge_at(START.plus(TRIAL)), Some((end, Money::from_cents(999))));
    let best = Entitlement::best(&charged.entitlements, START.plus(TRIAL)).unwrap();
    assert_eq!((best.starts_at, best.ends_at), (START, Some(end)), "paidDate is the start of the trial");
}

#[test]
fn a_trial_that_is_canceled_stays_until_its_end() {
    let cancel = bare(MovementKind::Canceled, "sub", START.plus(DAY));
    let canceled = plan(&[trial("monthly"), cancel]);
    let one = only(&canceled);
    assert_eq!(one.state_at(START.plus(DAY)), SubscriptionState::Canceled);
    assert_eq!(one.next_charge_at(START.plus(DAY)), None);
    assert!(canceled.is_paid_at(START.plus(TRIAL - 1)));
    assert!(!canceled.is_paid_at(START.plus(TRIAL)));
    assert_eq!(one.state_at(START.plus(TRIAL)), SubscriptionState::Ended);
}

#[test]
fn a_first_charge_that_fails_ends_the_trial_and_a_repair_brings_the_plan_back() {
    let failed = bare(MovementKind::ChargeFailed, "sub", START.plus(TRIAL + HOUR));
    let late = plan(&[trial("monthly"), failed.clone()]);
    assert!(late.is_paid_at(START.plus(TRIAL + HOUR - 1)), "until the provider says that it failed");
    assert!(!late.is_paid_at(START.plus(TRIAL + HOUR)));
    assert_eq!(only(&late).state_at(START.plus(TRIAL + HOUR)), SubscriptionState::PastDue);
    let at_its_end = bare(MovementKind::ChargeFailed, "sub", START.plus(TRIAL));
    assert_eq!(only(&plan(&[trial("monthly"), at_its_end])).grace(), None, "no period without a moment in it");
    let repair = START.plus(TRIAL + 2 * DAY);
    let repaired = plan(&[trial("monthly"), failed, charge("sub", "monthly", repair)]);
    assert_eq!(only(&repaired).state_at(repair), SubscriptionState::Active);
    assert!(!repaired.is_paid_at(repair.plus(-1)) && repaired.is_paid_at(repair));
}

#[test]
fn a_failed_renewal_leaves_seven_days_of_grace() {
    let paid = charge("sub", "monthly", START);
    let end = START.plus_months(1);
    assert_eq!(end, START.plus(29 * DAY), "31 January and a month is 29 February");
    let failed = bare(MovementKind::ChargeFailed, "sub", end.plus(HOUR));
    let past_due = plan(&[paid.clone(), failed.clone()]);
    let one = only(&past_due);
    for (now, state, is_paid) in [
        (end.plus(-1), SubscriptionState::Active, true),
        (end, SubscriptionState::PastDue, true),
        (end.plus(7 * DAY - 1), SubscriptionState::PastDue, true),
        (end.plus(7 * DAY), SubscriptionState::Ended, false),
    ] {
        assert_eq!((one.state_at(now), past_due.is_paid_at(now)), (state, is_paid), "{}", now.since(end));
    }
    assert_eq!(end_at(&past_due, end.plus(-1)), Some(end), "endPaidDate is the end of the period");
    assert_eq!(one.next_charge_at(end), Some((end, Money::from_cents(999))), "it is due");
    assert_eq!((one.over_at(), GRACE), (end.plus(GRACE), 7 * DAY));

    let renewed = Movement { at: end.plus(8 * DAY), ..charge("sub", "monthly", end) };
    let revived = plan(&[paid.clone(), failed.clone(), renewed]);
    assert_eq!(only(&revived).state_at(end.plus(8 * DAY)), SubscriptionState::Active, "what is charged counts");
    let given_up = plan(&[paid, failed, bare(MovementKind::Canceled, "sub", end.plus(DAY))]);
    assert!(!given_up.is_paid_at(end.plus(DAY)));
    assert_eq!(only(&given_up).state_at(end.plus(DAY)), SubscriptionState::Ended);
}

#[test]
fn what_is_heard_of_a_subscription_after_its_end_changes_nothing() {
    let (paid, over) = (charge("sub", "monthly", START), START.plus(2 * DAY));
    let paused = Movement { months: Some(2), ..bare(MovementKind::Paused, "sub", START.plus(DAY)) };
    let canceled = bare(MovementKind::Canceled, "sub", START.plus(DAY));
    let ended = bare(MovementKind::Ended, "sub", over);
    for (before, late) in [
        (&paused, MovementKind::ChargeFailed),
        (&paused, MovementKind::Canceled),
        (&paused, MovementKind::PauseEnded),
        (&canceled, MovementKind::Resumed),
        (&canceled, MovementKind::Paused),
    ] {
        let history = [paid.clone(), before.clone(), ended.clone()];
        let months = (late == MovementKind::Paused).then_some(1);
        let late = Movement { months, ..bare(late, "sub", over.plus(HOUR)) };
        let heard = plan(&[&history[..], std::slice::from_ref(&late)].concat());
        assert_eq!(only(&heard), only(&plan(&history)), "{:?}", late.kind);
    }
}

#[test]
fn cancel_keeps_the_period_and_resume_takes_it_back() {
    let paid = charge("sub", "yearly", START);
    let cancel = bare(MovementKind::Canceled, "sub", START.plus(DAY));
    let canceled = plan(&[paid.clone(), cancel.clone()]);
    let end = START.plus_months(12);
    assert!(canceled.is_paid_at(end.plus(-1)) && !canceled.is_paid_at(end));
    assert_eq!(canceled.running(end.plus(-1)).map(Subscription::over_at), Some(end));
    assert_eq!(canceled.running(end), None);

    let resume = bare(MovementKind::Resumed, "sub", START.plus(2 * DAY));
    let resumed = plan(&[paid.clone(), cancel.clone(), resume]);
    assert_eq!(only(&resumed).next_charge_at(end.plus(-1)), Some((end, Money::from_cents(999))));
    let too_late = bare(MovementKind::Resumed, "sub", end);
    assert_eq!(only(&plan(&[paid, cancel, too_late])).state_at(end), SubscriptionState::Ended);
}

#[test]
fn a_pause_follows_the_paid_period_and_charges_nothing() {
    let paid = charge("sub", "monthly", START);
    let pause = |months| Movement { months: Some(months), ..bare(MovementKind::Paused, "sub", START.plus(DAY)) };
    let end = START.plus_months(1);
    for months in 1..=3 {
        let paused = plan(&[paid.clone(), pause(months)]);
        let (one, due) = (only(&paused), end.plus_months(months));
        assert_eq!(one.state_at(START.plus(DAY)), SubscriptionState::Paused);
        assert_eq!(one.next_charge_at(START.plus(DAY)), Some((due, Money::from_cents(999))));
        assert!(paused.is_paid_at(end.plus(-1)) && !paused.is_paid_at(end) && !paused.is_paid_at(due.plus(-1)));
        assert!(paused.is_paid_at(due), "the charge is on its way");
        assert_eq!((one.state_at(due), one.runs_at(due.plus(GRACE))), (SubscriptionState::Active, false));
        let renewed = plan(&[paid.clone(), pause(months), charge("sub", "monthly", due)]);
        assert_eq!(only(&renewed).state_at(due), SubscriptionState::Active);
        assert_eq!(only(&renewed).due_at, due.plus_months(1), "the pause is over");
    }
    let ended = plan(&[paid.clone(), pause(3), bare(MovementKind::PauseEnded, "sub", START.plus(2 * DAY))]);
    assert_eq!(only(&ended).next_charge_at(START.plus(2 * DAY)), Some((end, Money::from_cents(999))));
    let failed = bare(MovementKind::ChargeFailed, "sub", START.plus(HOUR));
    assert_eq!(only(&plan(&[paid.clone(), failed, pause(1)])).due_at, end, "what is owed can't be paused");
    let cancel = bare(MovementKind::Canceled, "sub", START.plus(HOUR));
    assert_eq!(only(&plan(&[paid, cancel, pause(1)])).state_at(START.plus(DAY)), SubscriptionState::Canceled);
}

#[test]
fn a_switch_in_the_trial_goes_on_with_the_other_plan() {
    let at = START.plus(DAY);
    let switch = of_plan(MovementKind::TrialStarted, "sub", "yearly", at, START.plus(TRIAL));
    let switched = plan(&[trial("monthly"), switch.clone()]);
    let one = only(&switched);
    assert_eq!((one.plan_id.as_str(), one.state_at(at)), ("yearly", SubscriptionState::Trial));
    assert_eq!(one.next_charge_at(at), Some((START.plus(TRIAL), Money::from_cents(999))));
    let periods: Vec<_> = switched.entitlements.iter().map(|one| (one.plan_id.as_str(), one.ends_at)).collect();
    assert_eq!(periods[..2], [("monthly", Some(at)), ("yearly", Some(START.plus(TRIAL)))]);
    let paid = plan(&[trial("monthly"), switch, charge("sub", "yearly", START.plus(TRIAL))]);
    assert_eq!(only(&paid).paid_until, START.plus(TRIAL).plus_months(12));
    assert_eq!(end_at(&paid, START.plus(TRIAL)), Some(START.plus(TRIAL).plus_months(12)));
}

#[test]
fn a_switch_takes_the_place_of_the_old_plan_at_once() {
    let at = START.plus(10 * DAY);
    let switch = Movement { next_charge: Some(Money::from_cents(5_000)), ..charge("sub", "yearly", at) };
    let switched = plan(&[charge("sub", "monthly", START), switch.clone()]);
    let one = only(&switched);
    assert_eq!((one.plan_id.as_str(), one.paid_until), ("yearly", at.plus_months(12)));
    assert_eq!(one.next_charge_at(at), Some((at.plus_months(12), Money::from_cents(5_000))));
    let ends: Vec<_> = switched.entitlements.iter().map(|one| (one.plan_id.as_str(), one.starts_at)).collect();
    assert_eq!(ends, [("monthly", START), ("yearly", at), ("yearly", at.plus_months(12))]);
    assert_eq!(switched.entitlements[0].ends_at, Some(at));
    // Switched to a shorter period, the rest of the old plan is dropped.
    let down = plan(&[charge("sub", "yearly", START), charge("sub", "monthly", at)]);
    assert_eq!(only(&down).paid_until, at.plus_months(1));
    assert!(down.is_paid_at(at.plus_months(1).plus(-1)));
    assert!(!down.is_paid_at(at.plus_months(1).plus(GRACE)));
    // A refunded switch restores the old plan, which ends with its period.
    let back = undo(MovementKind::Refunded, &switch, at.plus(DAY), 999);
    let refunded = plan(&[charge("sub", "monthly", START), switch, back]);
    assert!(refunded.is_paid_at(START.plus_months(1).plus(-1)) && !refunded.is_paid_at(START.plus_months(1)));
}

#[test]
fn a_whole_refund_ends_what_it_paid_for_and_a_part_does_not() {
    let paid = charge("sub", "yearly", START);
    let at = START.plus(5 * DAY);
    let part = undo(MovementKind::Refunded, &paid, at, 400);
    let partly = plan(&[paid.clone(), part.clone()]);
    assert!(partly.is_paid_at(at) && only(&partly).runs_at(at));
    let rest = undo(MovementKind::Refunded, &paid, at.plus(DAY), 599);
    let whole = plan(&[paid.clone(), part.clone(), rest]);
    assert!(whole.is_paid_at(at.plus(DAY - 1)) && !whole.is_paid_at(at.plus(DAY)));
    assert_eq!(only(&whole).state_at(at.plus(DAY)), SubscriptionState::Ended);
    let one_cent_less = undo(MovementKind::Refunded, &paid, at.plus(DAY), 598);
    assert!(plan(&[paid.clone(), part, one_cent_less]).is_paid_at(at.plus(DAY)));

    // Refunding an earlier period does not affect the current one.
    let second = charge("sub", "yearly", START.plus_months(12));
    let now = second.at.plus(DAY);
    let refund = undo(MovementKind::Refunded, &paid, now, 999);
    let kept = plan(&[paid, second, refund]);
    assert!(kept.is_paid_at(now) && only(&kept).runs_at(now));
}

/// A yearly plan for 59.99, switched after a month to a monthly plan paid from its credit.
fn switched_down() -> (Movement, Movement) {
    let yearly = Movement { amount: Money::from_cents(5_999), ..charge("sub", "yearly", START) };
    let monthly = Movement {
        amount: Money::from_cents(0),
        next_charge: Some(Money::from_cents(0)),
        ..charge("sub", "monthly", START.plus_months(1))
    };
    (yearly, monthly)
}

#[test]
fn a_whole_refund_takes_the_credit_of_a_switch_and_ends_what_it_paid_for() {
    let (yearly, monthly) = switched_down();
    let now = monthly.at.plus(DAY);
    let before = plan(&[yearly.clone(), monthly.clone()]);
    assert!(before.is_paid_at(now) && only(&before).runs_at(now));
    let part = undo(MovementKind::Refunded, &yearly, now.plus(-1), 1_000);
    assert!(plan(&[yearly.clone(), monthly.clone(), part.clone()]).is_paid_at(now), "a part ends nothing");
    for kind in [MovementKind::Refunded, MovementKind::Disputed] {
        let rest = undo(kind, &yearly, now, 4_999);
        let after = plan(&[yearly.clone(), monthly.clone(), part.clone(), rest]);
        assert!(!after.is_paid_at(now) && !only(&after).runs_at(now), "{kind:?}");
        assert_eq!(only(&after).next_charge_at(now), None);
    }
    // A renewal paid from the credit is undone too.
    let renewed = Movement {
        amount: Money::from_cents(0),
        next_charge: Some(Money::from_cents(500)),
        ..charge("sub", "monthly", START.plus_months(2))
    };
    let later = renewed.at.plus(DAY);
    let whole = undo(MovementKind::Refunded, &yearly, later, 5_999);
    let after = plan(&[yearly.clone(), monthly.clone(), renewed.clone(), whole]);
    assert!(!after.is_paid_at(later) && !only(&after).runs_at(later));
    // Once the credit is used up, a charge paid in full is independent of it.
    let half = Movement { amount: Money::from_cents(500), ..charge("sub", "monthly", START.plus_months(3)) };
    let paid = charge("sub", "monthly", START.plus_months(4));
    let last = paid.at.plus(DAY);
    let whole = undo(MovementKind::Refunded, &yearly, last, 5_999);
    let after = plan(&[yearly, monthly, renewed, half, paid, whole]);
    assert!(after.is_paid_at(last) && only(&after).runs_at(last));
}

#[test]
fn a_switch_that_took_money_does_not_live_on_the_plan_before() {
    let monthly = charge("sub", "monthly", START);
    let price = RenewalTerms { price: Money::from_cents(5_999), months: 12 };
    // Paid in full, and paid with credit from the old plan.
    for cents in [5_999, 5_032] {
        let amount = Money::from_cents(cents);
        let yearly = Movement { amount, renewal: Some(price), ..charge("sub", "yearly", START.plus(DAY)) };
        let now = yearly.at.plus(DAY);
        let refund = undo(MovementKind::Refunded, &monthly, now, 999);
        let after = plan(&[monthly.clone(), yearly, refund]);
        assert!(after.is_paid_at(now) && only(&after).runs_at(now), "{cents}");
    }
}

#[test]
fn a_dispute_ends_the_plan_until_it_is_won() {
    let paid = charge("sub", "yearly", START);
    let at = START.plus(5 * DAY);
    let dispute = undo(MovementKind::Disputed, &paid, at, 999);
    let disputed = plan(&[paid.clone(), dispute.clone()]);
    assert!(!disputed.is_paid_at(at) && !only(&disputed).runs_at(at));
    let won = undo(MovementKind::DisputeWon, &paid, at.plus(DAY), 999);
    let kept = plan(&[paid, dispute, won]);
    assert!(kept.is_paid_at(at.plus(DAY)) && only(&kept).runs_at(at.plus(DAY)));
}

#[test]
fn a_redeemed_year_follows_the_paid_period_and_defers_the_next_charge() {
    let paid = charge("sub", "monthly", START);
    let end = START.plus_months(1);
    let both = plan(&[paid.clone(), year("code", START.plus(DAY))]);
    assert_eq!(end_at(&both, START.plus(DAY)), Some(end));
    assert_eq!(end_at(&both, end), Some(end.plus_months(12)));
    let due = end.plus_months(12);
    assert_eq!(only(&both).next_charge_at(end), Some((due, Money::from_cents(999))));
    assert!(both.is_paid_at(due.plus(-1)) && both.is_paid_at(due.plus(GRACE - 1)) && !both.is_paid_at(due.plus(GRACE)));

    let two = plan(&[paid.clone(), year("code", START.plus(DAY)), year("other", START.plus(2 * DAY))]);
    assert_eq!(only(&two).due_at, end.plus_months(24), "one follows the other");
    // The provider charges anyway: none of the redeemed year is lost.
    let charged = plan(&[paid.clone(), year("code", START.plus(DAY)), charge("sub", "monthly", end)]);
    assert_eq!(only(&charged).due_at, end.plus_months(1).plus_months(12));
    // The code also follows a trial, which does not use it up.
    let tried = plan(&[trial("yearly"), year("code", START.plus(HOUR))]);
    assert_eq!(only(&tried).due_at, START.plus(TRIAL).plus_months(12));
    // Redeemed during the grace period: nothing is due any more.
    let failed = bare(MovementKind::ChargeFailed, "sub", end);
    let saved = plan(&[paid, failed, year("code", end.plus(DAY))]);
    assert_eq!(only(&saved).state_at(end.plus(DAY)), SubscriptionState::Active);
    assert_eq!(only(&saved).due_at, end.plus(DAY).plus_months(12));
}

#[test]
fn a_redeemed_year_waits_while_something_paid_runs() {
    let redeemed = year("code", START);
    let (from, to) = (START.plus(100 * DAY), START.plus(100 * DAY).plus_months(1));
    let bought = charge("sub", "monthly", from);
    let cancel = bare(MovementKind::Canceled, "sub", from.plus(DAY));
    let both = plan(&[redeemed.clone(), bought, cancel]);
    let end = START.plus_months(12).plus(to.since(from));
    assert!(both.is_paid_at(end.plus(-1)) && !both.is_paid_at(end), "its rest follows");
    let alone = plan(std::slice::from_ref(&redeemed));
    assert!(alone.is_paid_at(START.plus_months(12).plus(-1)) && !alone.is_paid_at(START.plus_months(12)));
    let revoked = plan(&[redeemed.clone(), undo(MovementKind::CodeRevoked, &redeemed, START.plus(DAY), 0)]);
    assert!(revoked.is_paid_at(START.plus(DAY - 1)) && !revoked.is_paid_at(START.plus(DAY)));
    assert!(revoked.subscriptions.is_empty() && !revoked.is_for_life());
}

#[test]
fn a_code_that_is_revoked_gives_its_place_to_the_next() {
    let (first, second) = (year("one", START), year("two", START.plus(DAY)));
    let revoked = undo(MovementKind::CodeRevoked, &first, START.plus(2 * DAY), 0);
    let left = plan(&[first, second, revoked]);
    let end = START.plus(2 * DAY).plus_months(12);
    assert!(left.is_paid_at(end.plus(-1)) && !left.is_paid_at(end));
}

#[test]
fn a_lifetime_ends_the_subscription_and_its_refund_brings_no_charge_back() {
    let paid = charge("sub", "yearly", START);
    let at = START.plus(5 * DAY);
    let life = lifetime(at);
    let both = plan(&[paid.clone(), life.clone()]);
    assert_eq!(only(&both).next_charge_at(at), None);
    assert!(!only(&both).is_closed(), "the provider is still to end it");
    assert!(both.is_for_life() && both.is_paid_at(at.plus(99_999 * DAY)));
    let code = Movement { months: None, ..year("market", at) };
    assert!(plan(&[paid.clone(), code.clone()]).is_for_life());
    let revoked = undo(MovementKind::CodeRevoked, &code, at.plus(DAY), 0);
    assert!(!plan(&[code, revoked]).is_paid_at(at.plus(DAY)));

    let refund = undo(MovementKind::Refunded, &life, at.plus(DAY), 14_900);
    let ended = bare(MovementKind::Ended, "sub", at);
    let back = plan(&[paid, life, refund, ended]);
    assert!(only(&back).is_closed());
    assert!(back.is_paid_at(START.plus_months(12).plus(-1)), "the paid year stays");
    assert!(!back.is_paid_at(START.plus_months(12)) && only(&back).next_charge_at(at.plus(DAY)).is_none());
}

#[test]
fn a_plan_that_an_admin_gave_can_be_withdrawn() {
    let given = Movement {
        plan_id: "yearly".to_owned(),
        period: Some(Period { starts_at: START, ends_at: Some(START.plus_months(12)) }),
        ..bare(MovementKind::PlanGiven, "given", START)
    };
    let has = plan(std::slice::from_ref(&given));
    assert!(has.is_paid_at(START) && !has.is_paid_at(START.plus_months(12)));
    let withdrawn = plan(&[given.clone(), undo(MovementKind::PlanWithdrawn, &given, START.plus(DAY), 0)]);
    assert!(withdrawn.is_paid_at(START.plus(DAY - 1)) && !withdrawn.is_paid_at(START.plus(DAY)));
}

#[test]
fn of_two_subscriptions_at_once_the_first_stays() {
    let (one, other) = (charge("a", "yearly", START.plus(1)), charge("b", "monthly", START));
    let both = plan(&[one, other]);
    let now = START.plus(DAY);
    assert_eq!(both.running(now).map(|one| one.purchase.as_str()), Some("b"));
    assert_eq!(both.besides_running(now).map(|one| one.purchase.as_str()).collect::<Vec<_>>(), ["a"]);
    assert_eq!(both.besides_running(START.plus_months(1).plus(GRACE)).count(), 0, "only one runs");
}

#[test]
fn what_is_bought_once_is_owned_until_it_is_refunded() {
    let book = Movement {
        plan_id: "book-atomic-habits".to_owned(),
        amount: Money::from_cents(1_598),
        infographics: 20,
        ..bare(MovementKind::Charged, "checkout", START)
    };
    let owned = plan(std::slice::from_ref(&book));
    let ids: Vec<_> = owned.items.iter().map(|one| (one.plan_id.as_str(), one.bought_at)).collect();
    assert_eq!(ids, [("book-atomic-habits", START), ("infographics-20", START)]);
    assert!(!owned.is_paid_at(START));
    let with_plan = plan(&[Movement { infographics: 50, ..charge("sub", "yearly", START) }]);
    assert_eq!(with_plan.items.iter().map(|one| one.plan_id.as_str()).collect::<Vec<_>>(), ["infographics-50"]);
    let refund = undo(MovementKind::Refunded, &book, START.plus(DAY), 1_598);
    assert_eq!(plan(&[book, refund]).items, []);
}

#[test]
fn a_charge_of_the_same_plan_that_ends_earlier_takes_nothing_away() {
    let short = Movement {
        period: Some(Period { starts_at: START.plus(DAY), ends_at: Some(START.plus_months(1)) }),
        ..charge("sub", "yearly", START.plus(DAY))
    };
    let both = plan(&[charge("sub", "yearly", START), short]);
    assert_eq!(only(&both).paid_until, START.plus_months(12));
    assert_eq!(end_at(&both, START.plus(DAY)), Some(START.plus_months(12)));
}

#[test]
fn of_several_failures_the_first_counts() {
    let failed = |hours| bare(MovementKind::ChargeFailed, "sub", START.plus(TRIAL + hours * HOUR));
    let late = plan(&[trial("monthly"), failed(1), failed(20)]);
    assert!(!late.is_paid_at(START.plus(TRIAL + HOUR)));
}

#[test]
fn a_code_that_is_redeemed_after_a_lapse_brings_no_subscription_back() {
    let at = START.plus(400 * DAY);
    let lapsed = plan(&[charge("sub", "monthly", START), year("code", at)]);
    assert_eq!(only(&lapsed).due_at, START.plus_months(1));
    assert_eq!(only(&lapsed).state_at(at), SubscriptionState::Ended);
    assert!(lapsed.is_paid_at(at) && !lapsed.is_paid_at(at.plus(-1)));
}

#[test]
fn the_rest_of_a_revoked_code_holds_no_place_after_a_paid_period() {
    let (first, second) = (year("one", START), year("two", START.plus(10 * DAY)));
    let revoked = undo(MovementKind::CodeRevoked, &first, START.plus(50 * DAY), 0);
    let bought = charge("sub", "monthly", START.plus(100 * DAY));
    let cancel = bare(MovementKind::Canceled, "sub", START.plus(101 * DAY));
    let left = plan(&[first, second, revoked, bought, cancel]);
    assert!(left.is_paid_at(START.plus(60 * DAY)), "the second code follows at once");
}

#[test]
fn a_code_follows_paid_months_that_touch_each_other_with_the_calendar_of_their_end() {
    // 31 January, 29 February, 29 March: a month from the second is two days shorter than one from the third.
    let first = charge("sub", "monthly", START);
    let second = charge("sub", "monthly", START.plus_months(1));
    let paid_until = START.plus_months(1).plus_months(1);
    let code = Movement { months: Some(1), ..year("code", START.plus(DAY)) };
    let all = plan(&[first, second, code]);
    let redeemed: Vec<_> = all.entitlements.iter().filter(|one| one.plan_id == "gift").collect();
    let covers: Vec<_> = redeemed.iter().map(|one| (one.starts_at, one.ends_at)).collect();
    assert_eq!(covers, [(paid_until, Some(paid_until.plus_months(1)))]);
    assert_ne!(
        paid_until.plus_months(1).since(paid_until),
        START.plus_months(1).plus_months(1).since(START.plus_months(1))
    );
}

#[test]
fn what_is_over_here_must_be_ended_at_the_provider_until_its_end_is_recorded() {
    let paid = charge("sub", "monthly", START);
    let lapsed_at = START.plus_months(1).plus(GRACE);
    let running = plan(std::slice::from_ref(&paid));
    assert!(!only(&running).must_be_ended(lapsed_at.plus(-1)) && only(&running).must_be_ended(lapsed_at));
    let refund = undo(MovementKind::Refunded, &paid, START.plus(DAY), 999);
    let refunded = plan(&[paid.clone(), refund.clone()]);
    assert!(only(&refunded).must_be_ended(START.plus(DAY)));
    let ended = bare(MovementKind::Ended, "sub", START.plus(2 * DAY));
    assert!(!only(&plan(&[paid, refund, ended])).must_be_ended(lapsed_at));
}

/// The plans paid for just before `moment`.
fn paying(movements: &[Movement], moment: Timestamp) -> Vec<String> {
    MemberPlan::paid_subscriptions(movements, moment).into_iter().map(|one| one.plan_id).collect()
}

#[test]
fn a_subscription_is_paid_for_while_its_latest_charge_covers_it() {
    let first = charge("sub", "monthly", START);
    let end = START.plus_months(1);
    let all = [trial("monthly"), first.clone(), charge("other", "yearly", START)];
    assert_eq!(paying(&[trial("monthly")], START.plus(DAY)), [""; 0], "a trial is not paid for");
    assert_eq!(paying(&all, START), [""; 0], "just before the charge");
    assert_eq!(paying(&all, START.plus(1)), ["yearly", "monthly"]);
    assert_eq!(paying(&all, end), ["yearly", "monthly"]);
    assert_eq!(paying(&all, end.plus(1)), ["yearly"], "the days of grace are not paid for");
    let late = charge("sub", "monthly", end.plus(2 * DAY));
    let renewed = [first.clone(), late.clone()];
    assert_eq!((paying(&renewed, late.at).len(), paying(&renewed, late.at.plus(1)).len()), (0, 1));
    // Paid from credit.
    let free = Movement { amount: Money::from_cents(0), ..first.clone() };
    assert_eq!(paying(&[free], end).len(), 1);
    let free_plan = Movement { renewal: Some(RenewalTerms { price: Money::from_cents(0), months: 1 }), ..first };
    assert_eq!(paying(&[free_plan], end).len(), 0, "a plan that costs nothing");
}

#[test]
fn a_subscription_is_not_paid_for_after_its_end_a_whole_refund_or_an_open_dispute() {
    let paid = charge("sub", "yearly", START);
    let at = START.plus(10 * DAY);
    let counts = |kind, cents, moment| paying(&[paid.clone(), undo(kind, &paid, at, cents)], moment).len();
    for (kind, cents, after) in
        [(MovementKind::Refunded, 999, 0), (MovementKind::Refunded, 998, 1), (MovementKind::Disputed, 999, 0)]
    {
        assert_eq!((counts(kind, cents, at), counts(kind, cents, at.plus(1))), (1, after), "{kind:?} {cents}");
    }
    let disputed = undo(MovementKind::Disputed, &paid, at, 999);
    let won = undo(MovementKind::DisputeWon, &paid, at.plus(DAY), 999);
    assert_eq!(paying(&[paid.clone(), disputed, won], at.plus(2 * DAY)).len(), 1);
    let canceled = [paid.clone(), bare(MovementKind::Canceled, "sub", at)];
    assert_eq!(paying(&canceled, START.plus_months(12)).len(), 1, "up to the end of what was paid");
    let ended = [paid.clone(), bare(MovementKind::Ended, "sub", at)];
    assert_eq!((paying(&ended, at).len(), paying(&ended, at.plus(1)).len()), (1, 0));
    assert_eq!(paying(&[paid, lifetime(at)], at.plus(1)), [""; 0], "a lifetime is no subscription");
}

#[test]
fn a_plan_that_was_switched_from_pays_for_nothing_more() {
    let switched_at = START.plus(DAY);
    let both = [charge("sub", "yearly", START), charge("sub", "monthly", switched_at)];
    assert_eq!(paying(&both, switched_at), ["yearly"]);
    assert_eq!(paying(&both, switched_at.plus_months(1)), ["monthly"]);
    assert_eq!(paying(&both, switched_at.plus_months(1).plus(1)), [""; 0]);
}

#[test]
fn the_next_charge_is_put_off_by_a_redeemed_code_while_the_plan_renews() {
    let (paid, now) = (charge("sub", "monthly", START), START.plus(DAY));
    let deferral = |more: &[Movement]| only(&plan(&[std::slice::from_ref(&paid), more].concat())).deferral_at(now);
    let code = year("code", START.plus(HOUR));
    assert_eq!(deferral(&[]), None);
    assert_eq!(deferral(std::slice::from_ref(&code)), Some(START.plus_months(1).plus_months(12)));
    let canceled = bare(MovementKind::Canceled, "sub", START.plus(2 * HOUR));
    assert_eq!(deferral(&[code.clone(), canceled]), None, "nothing is charged");
    let pause = |at| Movement { months: Some(1), ..bare(MovementKind::Paused, "sub", at) };
    assert_eq!(deferral(&[code, pause(START.plus(2 * HOUR))]), None, "the pause has its own end at the provider");
}

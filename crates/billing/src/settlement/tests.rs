//! What providers report, and the movements that record it.

use kernel::{DAY, FixedEnv, PayerId};
use proptest::prelude::*;

use super::*;
use crate::{
    CheckoutKey, CheckoutOrder, MemberPlan, Plan, RenewalTerms, STARTING_PLANS, TRIAL_DAYS,
    gateway::{Decline, NextAction, ProviderSubscription, Renewal, SubscriptionId, SubscriptionState},
    trial_end,
};

/// 2028-01-31T12:00:00Z: the next month has 29 days.
const START: Timestamp = Timestamp::from_millis(1_832_932_800_000);

fn plans() -> Vec<Plan> {
    STARTING_PLANS.iter().map(Plan::from).collect()
}

const fn cents(cents: i64) -> Money {
    Money::from_cents(cents)
}

/// A checkout of a plan, with 20 infographics.
fn checkout(plan_id: &str) -> Checkout {
    let plan = plans().into_iter().find(|plan| plan.id == plan_id).unwrap();
    let order = CheckoutOrder {
        payer: PayerId::from_store(1),
        provider: GatewayProvider::Stripe,
        plan_id: plan.id,
        plan_name: plan.name,
        quantity: 1,
        infographics: 20,
        coupon: None,
        first_charge: plan.price,
        trial_ends_at: None,
        renewal: plan.kind.renewal_months().map(|months| RenewalTerms { price: plan.price, months }),
        referral: None,
        sealed_details: None,
    };
    let env = FixedEnv::at(START);
    Checkout::start(CheckoutKey::generate(&env), [0; 32], order, &env)
}

fn payment(id: &str, amount: i64, at: Timestamp) -> Payment {
    Payment { id: PaymentId::new(id), amount: cents(amount), refunded: cents(0), at }
}

fn month(start: Timestamp) -> Period {
    Period { starts_at: start, ends_at: Some(start.plus_months(1)) }
}

/// A monthly subscription, paid at `START`.
fn active() -> ProviderSubscription {
    ProviderSubscription {
        id: SubscriptionId::new("sub_1"),
        checkout: None,
        plan_id: Some("monthly".to_owned()),
        price: cents(999),
        credit: cents(0),
        customer: None,
        method: None,
        state: SubscriptionState::Active,
        renewal: Renewal::On,
        period: Some(month(START)),
        next_charge_at: Some(START.plus_months(1)),
        trial_ends_at: None,
    }
}

fn trialing(end: Timestamp) -> ProviderSubscription {
    let period = Some(Period { starts_at: START, ends_at: Some(end) });
    ProviderSubscription { state: SubscriptionState::Trialing, period, trial_ends_at: Some(end), ..active() }
}

fn action() -> NextAction {
    NextAction::Authenticate { client_secret: String::new() }
}

/// The movements, each validated as the ledger does.
fn checked(movements: Vec<Movement>) -> Vec<Movement> {
    for one in &movements {
        one.check().unwrap();
    }
    movements
}

/// The charges for a subscription's payments, without the payments.
fn charges(subscription: &ProviderSubscription, payments: &[Payment], before: &[Movement]) -> Vec<Movement> {
    let found = subscription_charges(&checkout("monthly"), subscription, payments, &plans(), before);
    checked(found.into_iter().map(|(movement, _)| movement).collect())
}

#[test]
fn the_key_of_a_charge_names_its_payment() {
    for provider in GatewayProvider::ALL {
        let id = PaymentId::new("pi:1");
        assert_eq!(charged_payment(&charged_key(provider, &id)), Some((provider, id)));
    }
    let charged = charged_key(GatewayProvider::Stripe, &PaymentId::new("pi_1"));
    assert_eq!(charged, "stripe:pi_1:charged");
    assert_eq!(refunded_key(&charged, cents(250)), "stripe:pi_1:charged:refunded:250");
    for other in ["co_1:charged", "stripe:pi_1:refunded:5", "stripe:sub_1:trial", "bank:1:charged", ":charged", ""] {
        assert_eq!(charged_payment(other), None, "{other}");
    }
}

#[test]
fn a_checkout_follows_its_charge() {
    let decline = Decline { code: String::new(), message: String::new() };
    for (charge, state) in [
        (ChargeState::Succeeded(payment("pi_1", 999, START)), CheckoutState::Paid),
        (ChargeState::RequiresAction(action()), CheckoutState::NeedsAction),
        (ChargeState::RequiresConfirmation, CheckoutState::NeedsAction),
        (ChargeState::Processing, CheckoutState::Submitted),
        (ChargeState::Failed(decline), CheckoutState::Declined),
        (ChargeState::Canceled, CheckoutState::Declined),
    ] {
        assert_eq!(state_after_charge(&charge), state, "{charge:?}");
    }
}

#[test]
fn a_checkout_follows_its_subscription() {
    let in_state = |state| ProviderSubscription { state, ..active() };
    for (has_paid, was_paid) in [(false, false), (true, false), (false, true), (true, true)] {
        let next = |one: &ProviderSubscription| state_after_subscription(one, has_paid, was_paid);
        assert_eq!(next(&in_state(SubscriptionState::RequiresAction(action()))), CheckoutState::NeedsAction);
        for state in [SubscriptionState::Trialing, SubscriptionState::Active, SubscriptionState::PastDue] {
            assert_eq!(next(&in_state(state)), CheckoutState::Paid);
        }
        let ended = in_state(SubscriptionState::Ended);
        let expected = if has_paid || was_paid { CheckoutState::Paid } else { CheckoutState::Declined };
        assert_eq!(next(&ended), expected, "{has_paid} {was_paid}");
        let never_begun = ProviderSubscription { period: None, ..ended };
        assert_eq!(next(&never_begun), CheckoutState::Declined, "{has_paid} {was_paid}");
    }
}

#[test]
fn what_is_paid_once_covers_life_a_plans_months_or_nothing() {
    let paid = payment("pi_1", 14_900, START.plus(5));
    for (plan_id, period) in [
        ("lifetime", Some(Period { starts_at: paid.at, ends_at: None })),
        ("yearly", Some(Period { starts_at: paid.at, ends_at: Some(paid.at.plus_months(12)) })),
        ("gift", None),
        ("bulk", None),
        ("quiz", None),
    ] {
        let checkout = checkout(plan_id);
        let kind = PlanKind::of_plan(&plans(), plan_id);
        let [charge] = &checked(vec![single_charge(&checkout, kind, &paid)])[..] else { panic!() };
        assert_eq!((charge.kind, charge.period, charge.amount), (MovementKind::Charged, period, cents(14_900)));
        assert_eq!((charge.plan_id.as_str(), &charge.purchase), (plan_id, &checkout.purchase()));
        assert_eq!((charge.key.as_str(), charge.at, charge.infographics), ("stripe:pi_1:charged", paid.at, 20));
        let [free] = &checked(vec![free_charge(&checkout, kind, paid.at)])[..] else { panic!() };
        let key = format!("{}:charged", checkout.reference);
        assert_eq!(*free, Movement { key, amount: cents(0), ..charge.clone() });
    }
}

#[test]
fn codes_and_rewards_come_with_the_first_charge_and_a_purchase_begins_once() {
    let one = checkout("monthly");
    let purchase = one.purchase();
    let trial = trial_started(&one, &trialing(trial_end(START))).unwrap();
    let charge = single_charge(&one, PlanKind::Monthly, &payment("pi_1", 999, START));
    let other = Movement::new(MovementKind::Charged, "other", &PurchaseKey::new("other"), START);
    let judge = |before: &[Movement]| (is_first_charge(before, &purchase), begins_purchase(before, &purchase));
    assert_eq!(judge(&[]), (true, true));
    assert_eq!(judge(std::slice::from_ref(&other)), (true, true), "what belongs to another purchase does not count");
    assert_eq!(judge(&[other, trial.clone()]), (true, false));
    assert_eq!(judge(&[trial, charge]), (false, false));
}

#[test]
fn a_trial_is_recorded_from_its_end_and_names_a_first_charge_that_differs() {
    let (end, mut one) = (trial_end(START), checkout("monthly"));
    let trial = |one: &Checkout| trial_started(one, &trialing(end)).unwrap();
    let first = trial(&one);
    first.check().unwrap();
    assert_eq!((first.kind, first.key.as_str(), first.at), (MovementKind::TrialStarted, "stripe:sub_1:trial", START));
    assert_eq!(first.period, Some(Period { starts_at: START, ends_at: Some(end) }));
    assert_eq!((first.renewal, first.next_charge, first.infographics), (one.order.renewal, None, 0));
    one.order.first_charge = cents(2_098);
    assert_eq!(trial(&one), Movement { next_charge: Some(cents(2_098)), ..first });
    assert_eq!(trial_started(&one, &active()), None, "no trial");
    one.order.renewal = None;
    assert_eq!(trial_started(&one, &trialing(end)), None, "nothing renews");
}

#[test]
fn a_trial_goes_on_with_another_plan_once_for_each_switch() {
    let (one, end, now) = (checkout("monthly"), trial_end(START), START.plus(DAY));
    let yearly = ProviderSubscription { plan_id: Some("yearly".to_owned()), price: cents(5_999), ..trialing(end) };
    let switch = |subscription: &ProviderSubscription, movements: &[Movement], now| {
        trial_switched(&one, subscription, movements, &plans(), now)
    };
    assert_eq!(switch(&yearly, &[], now), None, "no trial is recorded");
    let first = trial_started(&one, &trialing(end)).unwrap();
    assert_eq!(switch(&trialing(end), std::slice::from_ref(&first), now), None, "the same plan");
    assert_eq!(switch(&yearly, std::slice::from_ref(&first), end), None, "the trial is over");
    let unknown = ProviderSubscription { plan_id: Some("weekly".to_owned()), ..yearly.clone() };
    assert_eq!(switch(&unknown, std::slice::from_ref(&first), now), None, "no such plan");
    let paid = ProviderSubscription { state: SubscriptionState::Active, ..yearly.clone() };
    assert_eq!(switch(&paid, std::slice::from_ref(&first), now), None, "a charge tells of it");

    let second = switch(&yearly, std::slice::from_ref(&first), now).unwrap();
    second.check().unwrap();
    assert_eq!((second.key.as_str(), second.plan_name.as_str()), ("stripe:sub_1:trial:1:yearly", "Yearly"));
    assert_eq!(second.period, Some(Period { starts_at: now, ends_at: Some(end) }));
    assert_eq!(second.renewal, Some(RenewalTerms { price: cents(5_999), months: 12 }));
    let history = [first, second];
    assert_eq!(switch(&yearly, &history, now.plus(1)), None, "it is recorded");
    let back = switch(&trialing(end), &history, now.plus(1)).unwrap();
    assert_eq!(back.key, "stripe:sub_1:trial:2:monthly");
    let plan = MemberPlan::of(&[history.to_vec(), vec![back]].concat());
    assert_eq!((plan.subscriptions[0].plan_id.as_str(), plan.subscriptions[0].paid_until), ("monthly", end));
}

#[test]
fn the_latest_payment_pays_for_the_period_that_the_provider_names() {
    let second = START.plus_months(1);
    // The second period was deferred by two days.
    let named = month(second.plus(2 * DAY));
    let running = ProviderSubscription { period: Some(named), ..active() };
    let payments = [payment("pi_2", 999, second.plus(2 * DAY)), payment("pi_1", 2_098, START)];
    let found = charges(&running, &payments, &[]);
    let seen: Vec<_> = found.iter().map(|one| (one.key.as_str(), one.amount, one.period, one.infographics)).collect();
    let expected = [
        ("stripe:pi_1:charged", cents(2_098), Some(month(START)), 20),
        ("stripe:pi_2:charged", cents(999), Some(named), 0),
    ];
    assert_eq!(seen, expected);
    let paired = subscription_charges(&checkout("monthly"), &running, &payments, &plans(), &[]);
    assert!(paired.iter().all(|(movement, paid)| movement.amount == paid.amount && movement.at == paid.at));
    // The provider still reports the trial: the payment at its end is for the months after it.
    let end = trial_end(START);
    let just_paid = ProviderSubscription { state: SubscriptionState::Active, ..trialing(end) };
    assert_eq!(charges(&just_paid, &[payment("pi_1", 999, end)], &[])[0].period, Some(month(end)));
    assert_eq!(charges(&running, &[], &[]), []);
}

#[test]
fn add_ons_belong_to_the_first_charge_of_the_ordered_plan() {
    let one = checkout("monthly");
    let later = [payment("pi_2", 999, START.plus_months(1))];
    let first = charges(&active(), &[payment("pi_1", 2_098, START)], &[]);
    assert_eq!(first[0].infographics, 20);
    assert_eq!(charges(&active(), &later, &first)[0].infographics, 0, "they were paid for");
    let trial = trial_started(&one, &trialing(trial_end(START))).unwrap();
    assert_eq!(charges(&active(), &later, std::slice::from_ref(&trial))[0].infographics, 20);
    let to_yearly = Movement { plan_id: "yearly".to_owned(), key: "switch".to_owned(), ..trial.clone() };
    assert_eq!(charges(&active(), &later, &[trial, to_yearly])[0].infographics, 0, "a switch has dropped them");
    let yearly = ProviderSubscription { plan_id: Some("yearly".to_owned()), ..active() };
    assert_eq!(charges(&yearly, &later, &[])[0].infographics, 0, "another plan runs");
}

#[test]
fn a_charge_has_the_plan_that_runs_at_the_provider() {
    let paid = [payment("pi_1", 5_999, START)];
    let with_plan =
        |id: Option<&str>| ProviderSubscription { plan_id: id.map(str::to_owned), period: None, ..active() };
    for (id, expected_id, name, months) in [
        (Some("yearly"), "yearly", "Yearly", 12),
        (None, "monthly", "Monthly", 1),
        (Some("yearly-2019"), "yearly-2019", "Yearly", 1),
        (Some("lifetime"), "lifetime", "Lifetime", 1),
    ] {
        let one = &charges(&with_plan(id), &paid, &[])[0];
        assert_eq!((one.plan_id.as_str(), one.plan_name.as_str()), (expected_id, name));
        assert_eq!(one.renewal, Some(RenewalTerms { price: cents(999), months }), "{id:?}");
        assert_eq!(one.period.and_then(|period| period.ends_at), Some(START.plus_months(months)), "{id:?}");
    }
    // The ordered plan was removed from the table: it keeps the name under which it was sold.
    let sold = subscription_charges(&checkout("monthly"), &active(), &paid, &[], &[]);
    assert_eq!(sold[0].0.plan_name, "Monthly");
}

#[test]
fn a_credit_lowers_the_charge_after_the_latest_one() {
    let payments = [payment("pi_1", 999, START), payment("pi_2", 999, START.plus_months(1))];
    for (credit, next) in [(0, None), (300, Some(699)), (999, Some(0)), (5_000, Some(0))] {
        let credited = ProviderSubscription { credit: cents(credit), ..active() };
        let seen: Vec<_> = charges(&credited, &payments, &[]).iter().map(|one| one.next_charge).collect();
        assert_eq!(seen, [None, next.map(cents)], "{credit}");
    }
}

#[test]
fn a_period_that_a_credit_pays_whole_is_a_charge_of_nothing() {
    let one = checkout("monthly");
    let credited = ProviderSubscription { credit: cents(1_500), ..active() };
    let period = |subscription: &ProviderSubscription, movements: &[Movement]| {
        credited_period(&one, subscription, &plans(), movements)
    };
    let free = period(&credited, &[]).unwrap();
    free.check().unwrap();
    assert_eq!((free.kind, free.amount, free.at), (MovementKind::Charged, cents(0), START));
    assert_eq!(free.key, format!("stripe:sub_1:monthly:{}", START.millis()));
    assert_eq!((free.period, free.next_charge), (Some(month(START)), Some(cents(0))));
    assert_eq!(period(&credited, std::slice::from_ref(&free)), None, "it is recorded");
    let paid = charges(&active(), &[payment("pi_1", 999, START)], &[]);
    assert_eq!(period(&active(), &paid), None, "money paid for it");
    let of_another = Movement { purchase: PurchaseKey::new("other"), ..paid[0].clone() };
    let of_plan_before = Movement { plan_id: "yearly".to_owned(), ..paid[0].clone() };
    let earlier = Movement { period: Some(month(START.plus(-5 * DAY))), ..paid[0].clone() };
    assert!(period(&active(), &[of_another, of_plan_before, earlier]).is_some());
    for state in [SubscriptionState::Trialing, SubscriptionState::PastDue, SubscriptionState::Ended] {
        assert_eq!(period(&ProviderSubscription { state, ..active() }, &[]), None);
    }
    assert_eq!(period(&ProviderSubscription { period: None, ..active() }, &[]), None);
}

#[test]
fn a_failed_renewal_is_recorded_when_it_was_due_and_an_end_at_the_end_of_what_was_paid() {
    let (one, due) = (checkout("monthly"), START.plus_months(1));
    let movement = |state, period, now| state_movement(&one, &ProviderSubscription { state, period, ..active() }, now);
    let paid = Some(month(START));
    let failed = movement(SubscriptionState::PastDue, paid, due.plus(DAY)).unwrap();
    assert_eq!((failed.kind, failed.at), (MovementKind::ChargeFailed, due));
    assert_eq!(failed.key, format!("stripe:sub_1:failed:{}", due.millis()));
    assert_eq!(movement(SubscriptionState::PastDue, paid, due.plus(3 * DAY)), Some(failed), "the same again");

    let ended = |period, now| movement(SubscriptionState::Ended, period, now).unwrap();
    let late = ended(paid, due.plus(DAY));
    assert_eq!((late.kind, late.at), (MovementKind::Ended, due));
    assert_eq!(late.key, format!("{}:ended", one.reference));
    assert_eq!(
        late.key,
        super::ended(&one.purchase(), due).key,
        "a subscription ends once, by the sweep or by the provider"
    );
    assert_eq!(ended(paid, START.plus(DAY)).at, START.plus(DAY), "before its end");
    assert_eq!(ended(None, START.plus(DAY)).at, START.plus(DAY));
    for state in [SubscriptionState::Active, SubscriptionState::Trialing, SubscriptionState::RequiresAction(action())] {
        assert_eq!(movement(state, paid, due), None);
    }
    checked(vec![late, super::ended(&one.purchase(), due)]);
}

fn charged() -> Movement {
    single_charge(&checkout("quiz"), PlanKind::Once, &payment("pi_1", 299, START))
}

fn refunded(cents_back: i64) -> Payment {
    Payment { refunded: cents(cents_back), ..payment("pi_1", 299, START) }
}

#[test]
fn a_refund_is_what_went_back_since_the_last_one() {
    let (charge, now) = (charged(), START.plus(DAY));
    let refund = |back: i64, movements: &[Movement]| refund(&charge, &refunded(back), movements, now);
    assert_eq!(refund(0, &[]), None);
    let first = refund(100, &[]).unwrap();
    assert_eq!((first.kind, first.amount, first.at), (MovementKind::Refunded, cents(100), now));
    assert_eq!((first.reference.as_deref(), &first.purchase), (Some(charge.key.as_str()), &charge.purchase));
    assert_eq!(refund(100, std::slice::from_ref(&first)), None, "it is recorded");
    let rest = refund(299, std::slice::from_ref(&first)).unwrap();
    assert_eq!(rest.amount, cents(199));
    assert_eq!(refund(100, &[first.clone(), rest.clone()]), None, "an answer that comes late");
    let of_another = Movement { reference: Some("stripe:pi_2:charged".to_owned()), ..first.clone() };
    let disputed = Movement { kind: MovementKind::Disputed, ..first.clone() };
    assert_eq!(refund(100, &[of_another, disputed]), Some(first.clone()));
    checked(vec![first, rest]);
}

#[test]
fn a_dispute_takes_what_was_not_refunded_and_gives_it_again_when_it_is_won() {
    use DisputeState::{Lost, Open, Won};
    use MovementKind::{DisputeLost, DisputeWon, Disputed};
    let (charge, now) = (charged(), START.plus(DAY));
    let kinds = |state, back| -> Vec<(MovementKind, i64)> {
        let found = checked(dispute(&charge, &refunded(back), state, now));
        assert!(found.iter().all(|one| one.reference.as_ref() == Some(&charge.key)));
        found.into_iter().map(|one| (one.kind, one.amount.cents())).collect()
    };
    assert_eq!(kinds(Open, 0), [(Disputed, 299)]);
    assert_eq!(kinds(Won, 99), [(Disputed, 200), (DisputeWon, 200)]);
    assert_eq!(kinds(Lost, 99), [(Disputed, 200), (DisputeLost, 0)]);
    for state in [Open, Won, Lost] {
        assert_eq!(kinds(state, 299), [], "nothing is left");
    }
    let opened = dispute(&charge, &refunded(0), Open, now);
    assert_eq!(dispute(&charge, &refunded(0), Lost, now)[0], opened[0], "the same again has the same key");
}

#[test]
fn only_a_refund_and_a_lost_dispute_take_back_for_good() {
    let for_good: Vec<_> = MovementKind::ALL.iter().copied().filter(|kind| takes_back_for_good(*kind)).collect();
    assert_eq!(for_good, [MovementKind::Refunded, MovementKind::DisputeLost]);
}

#[test]
fn a_refund_is_above_zero_and_at_most_what_is_left() {
    let sum = |back, asked: Option<i64>| {
        sum_to_refund(&refunded(back), asked.map(cents)).map(|sum| sum.map(Money::cents)).map_err(|_| ())
    };
    assert_eq!(sum(0, None), Ok(Some(299)));
    assert_eq!(sum(100, None), Ok(Some(199)));
    assert_eq!(sum(299, None), Ok(None), "all went back before");
    assert_eq!((sum(100, Some(1)), sum(100, Some(199))), (Ok(Some(1)), Ok(Some(199))));
    for (back, asked) in [(100, 200), (0, 0), (0, -1), (299, 1), (299, 0)] {
        assert_eq!(sum(back, Some(asked)), Err(()), "{asked} of what {back} went back of");
    }
}

#[test]
fn a_purchase_is_given_back_when_all_that_it_took_went_back() {
    let (charge, now) = (charged(), START.plus(DAY));
    let judge = |movements: &[Movement]| is_given_back(&charge.purchase, movements);
    let whole = refund(&charge, &refunded(299), &[], now).unwrap();
    let part = refund(&charge, &refunded(298), &[], now).unwrap();
    let free = Movement { key: "free".to_owned(), amount: cents(0), ..charge.clone() };
    let second = Movement { key: "stripe:pi_2:charged".to_owned(), ..charge.clone() };
    assert!(!judge(&[]) && !judge(std::slice::from_ref(&charge)) && !judge(&[charge.clone(), part]));
    assert!(!judge(std::slice::from_ref(&free)), "it took nothing");
    assert!(judge(&[charge.clone(), whole.clone()]) && judge(&[charge.clone(), free, whole.clone()]));
    assert!(!judge(&[charge.clone(), second, whole]), "of two charges one is kept");
    let disputed = dispute(&charge, &refunded(0), DisputeState::Open, now);
    assert!(judge(&[vec![charge.clone()], disputed].concat()));
    let won = dispute(&charge, &refunded(0), DisputeState::Won, now);
    assert!(!judge(&[vec![charge.clone()], won].concat()));
}

/// Records movements as the ledger does, each key once, and returns how many are new.
fn record(ledger: &mut Vec<Movement>, movements: impl IntoIterator<Item = Movement>) -> usize {
    let before = ledger.len();
    for one in movements {
        one.check().unwrap();
        if ledger.iter().all(|there| there.key != one.key) {
            ledger.push(one);
        }
    }
    ledger.len() - before
}

/// Records everything derived from a provider's subscription, as the workflow does.
fn settle(
    ledger: &mut Vec<Movement>,
    one: &Checkout,
    said: &ProviderSubscription,
    paid: &[Payment],
    now: Timestamp,
) -> usize {
    let plans = plans();
    let mut count = record(ledger, trial_started(one, said));
    let switched = trial_switched(one, said, ledger, &plans, now);
    count += record(ledger, switched);
    for (charge, payment) in subscription_charges(one, said, paid, &plans, ledger) {
        count += record(ledger, [charge.clone()]);
        let back = refund(&charge, payment, ledger, now);
        count += record(ledger, back);
    }
    let credited = credited_period(one, said, &plans, ledger);
    count += record(ledger, credited);
    count + record(ledger, state_movement(one, said, now))
}

proptest! {
    #[test]
    fn what_a_provider_says_twice_and_late_is_recorded_once(
        amounts in prop::collection::vec((0..6_000_i64, 0..=100_i64), 1..8),
        has_trial: bool,
        is_switched: bool,
        credit in 0..12_000_i64,
        state in 0..3_usize,
        heard in prop::collection::vec(0..8_usize, 0..6),
    ) {
        let one = checkout("monthly");
        let first = if has_trial { trial_end(START) } else { START };
        let paid: Vec<Payment> = amounts.iter().zip(0_u32..).map(|((amount, percent), n)| Payment {
            refunded: cents(amount * percent / 100),
            ..payment(&format!("pi_{n}"), *amount, first.plus_months(n))
        }).collect();
        let last = paid[paid.len() - 1].at;
        let said = ProviderSubscription {
            plan_id: Some(if is_switched { "yearly" } else { "monthly" }.to_owned()),
            credit: cents(credit),
            state: [SubscriptionState::Active, SubscriptionState::PastDue, SubscriptionState::Ended][state].clone(),
            period: Some(month(last)),
            trial_ends_at: has_trial.then_some(first),
            ..active()
        };
        let now = last.plus_months(1).plus(DAY);

        // The provider was polled at irregular times, with its payments and refunds up to then.
        let mut ledger = Vec::new();
        for n in heard.into_iter().map(|n| n % paid.len()) {
            let then = ProviderSubscription {
                period: Some(month(paid[n].at)),
                state: SubscriptionState::Active,
                ..said.clone()
            };
            settle(&mut ledger, &one, &then, &paid[..=n], paid[n].at);
        }
        settle(&mut ledger, &one, &said, &paid, now);
        prop_assert_eq!(settle(&mut ledger, &one, &said, &paid, now.plus(1)), 0, "the same again adds nothing");

        // The totals match what the provider took and refunded, to the cent.
        let sum = |kind| -> i64 { ledger.iter().filter(|one| one.kind == kind).map(|one| one.amount.cents()).sum() };
        prop_assert_eq!(sum(MovementKind::Charged), paid.iter().map(|one| one.amount.cents()).sum::<i64>());
        prop_assert_eq!(sum(MovementKind::Refunded), paid.iter().map(|one| one.refunded.cents()).sum::<i64>());
        for payment in &paid {
            let key = charged_key(one.order.provider, &payment.id);
            prop_assert_eq!(ledger.iter().filter(|movement| movement.key == key).count(), 1);
        }
        prop_assert!(ledger.iter().filter(|movement| movement.infographics > 0).count() <= usize::from(!is_switched));
        prop_assert!(ledger.iter().all(|movement| movement.purchase == one.purchase()));
        prop_assert_eq!(MemberPlan::of(&ledger).subscriptions.len(), 1);
    }

    #[test]
    fn refunds_add_up_to_what_went_back(steps in prop::collection::vec(0..=299_i64, 1..10)) {
        let (charge, mut ledger) = (charged(), vec![charged()]);
        for (back, n) in steps.iter().zip(1..) {
            let more = refund(&charge, &refunded(*back), &ledger, START.plus(n));
            record(&mut ledger, more);
        }
        let highest = steps.iter().max().copied().unwrap();
        prop_assert_eq!(charge.net_of(&ledger), cents(299 - highest));
    }

    #[test]
    fn a_trial_has_the_days_of_a_trial(minutes in 0..1_000_000_i64) {
        let start = START.plus(minutes * 60_000);
        let trial = trial_started(&checkout("yearly"), &trialing(trial_end(start))).unwrap();
        prop_assert_eq!(trial.at, start);
        prop_assert_eq!(trial.period.and_then(|one| one.ends_at).map(|end| end.since(start)), Some(i64::from(TRIAL_DAYS) * DAY));
    }
}

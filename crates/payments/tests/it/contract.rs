//! The behavior required of every gateway.

use std::collections::BTreeSet;

use billing::gateway::{
    CardFingerprint, ChargeState, CheckoutReference, GatewayError, Lookup, MethodChange, Payer, PaymentSource,
    ProviderEventKind, ProviderSubscription, RefundRequest, RefundState, Renewal, RenewalInterval, SubscriptionState,
    SwitchStart, WebhookError, WebhookRequest,
};
use kernel::{DAY, Env, HOUR, Money, SECOND, Timestamp};

use crate::rig::{
    Behaviour, Fault, Rig, START, advance_to, charge_request, charge_through, key, subscribe_request,
    subscribe_through, terms,
};

const MONTH: RenewalInterval = RenewalInterval::Month;
const YEAR: RenewalInterval = RenewalInterval::Year;
/// A month (2026-07-15T12:00:00Z), two months and a year after the tests begin.
const MONTH_LATER: Timestamp = START.plus(30 * DAY);
const TWO_MONTHS_LATER: Timestamp = START.plus(61 * DAY);
const YEAR_LATER: Timestamp = START.plus(365 * DAY);

fn cents(cents: i64) -> Money {
    Money::from_cents(cents)
}

fn payment(state: &ChargeState) -> &billing::gateway::Payment {
    match state {
        ChargeState::Succeeded(payment) => payment,
        other => panic!("the money was not taken: {other:?}"),
    }
}

async fn found(rig: &dyn Rig, subscription: &ProviderSubscription) -> ProviderSubscription {
    rig.gateway().find_subscription(Lookup::Id(&subscription.id)).await.unwrap().unwrap()
}

/// A monthly subscription without a trial, paid with a valid card.
async fn monthly(rig: &dyn Rig, name: &str) -> ProviderSubscription {
    let request = subscribe_request(rig, name, terms("monthly", 999, MONTH, 0, 999), Behaviour::Pays);
    subscribe_through(rig, name, &request, Behaviour::Pays).await.unwrap()
}

pub async fn a_key_charges_once_however_often_it_is_called(rig: &dyn Rig) {
    let request = charge_request(rig, "c1", 14_900, Behaviour::Pays);
    let first = charge_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
    let paid = payment(&first.state).clone();
    assert_eq!((paid.amount, paid.refunded, paid.at), (cents(14_900), cents(0), START));
    assert_eq!(first.checkout.as_ref().map(CheckoutReference::as_str), Some("c1"));
    for _ in 0..3 {
        let again = charge_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
        assert_eq!((&again.id, payment(&again.state)), (&first.id, &paid));
    }
    assert_eq!(rig.taken(), [14_900]);
    assert_eq!(rig.gateway().find_charge(Lookup::Id(&first.id)).await.unwrap(), Some(first.clone()));
    let by_checkout = rig.gateway().find_charge(Lookup::Checkout(&CheckoutReference::new("c1"))).await.unwrap();
    assert_eq!(by_checkout, rig.gateway().capabilities().finds_by_checkout.then_some(first.clone()));
    assert_eq!(rig.gateway().find_charge(Lookup::Checkout(&CheckoutReference::new("c2"))).await.unwrap(), None);
    assert_eq!(rig.gateway().find_payment(&paid.id).await.unwrap(), Some(paid));
    let another = charge_request(rig, "c2", 499, Behaviour::Pays);
    charge_through(rig, "k2", &another, Behaviour::Pays).await.unwrap();
    assert_eq!(rig.taken(), [14_900, 499]);
}

pub async fn a_key_is_good_for_one_request_only(rig: &dyn Rig) {
    let request = charge_request(rig, "c1", 14_900, Behaviour::Pays);
    charge_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
    let other = charge_request(rig, "c1", 499, Behaviour::Pays);
    assert_eq!(rig.gateway().charge(&key("k1"), &other).await.unwrap_err(), GatewayError::KeyReused);
    assert_eq!(rig.taken(), [14_900]);
}

pub async fn a_declined_charge_takes_nothing(rig: &dyn Rig) {
    let request = charge_request(rig, "c1", 14_900, Behaviour::Declined);
    for _ in 0..2 {
        let error = charge_through(rig, "k1", &request, Behaviour::Declined).await.unwrap_err();
        match &error {
            GatewayError::Declined(decline) => assert!(!decline.message.is_empty() && !decline.code.is_empty()),
            other => panic!("{other:?}"),
        }
        assert!(!error.may_have_acted());
    }
    assert_eq!(rig.taken(), [0_i64; 0]);
    let again = charge_request(rig, "c1", 14_900, Behaviour::Pays);
    charge_through(rig, "k2", &again, Behaviour::Pays).await.unwrap();
    assert_eq!(rig.taken(), [14_900]);
}

pub async fn a_charge_waits_for_the_payer(rig: &dyn Rig) {
    let behaviour = if rig.approves() { Behaviour::Pays } else { Behaviour::Authenticates };
    let request = charge_request(rig, "c1", 14_900, behaviour);
    let charge = rig.gateway().charge(&key("k1"), &request).await.unwrap();
    let ChargeState::RequiresAction(action) = &charge.state else { panic!("{:?}", charge.state) };
    assert_eq!(rig.gateway().charge(&key("k1"), &request).await.unwrap(), charge);
    assert_eq!(rig.taken(), [0_i64; 0]);
    rig.act(action, behaviour, true);
    let confirm = key("k1").step("confirm");
    let error = rig.gateway().confirm_charge(&confirm, &charge.id, cents(1)).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused(_)), "another amount: {error:?}");
    for _ in 0..3 {
        let paid = rig.gateway().confirm_charge(&confirm, &charge.id, request.amount).await.unwrap();
        assert_eq!(payment(&paid.state).amount, cents(14_900));
    }
    assert_eq!(rig.taken(), [14_900]);
}

pub async fn a_payer_who_does_not_authenticate_pays_nothing(rig: &dyn Rig) {
    let behaviour = if rig.approves() { Behaviour::Pays } else { Behaviour::Authenticates };
    let request = charge_request(rig, "c1", 14_900, behaviour);
    let charge = rig.gateway().charge(&key("k1"), &request).await.unwrap();
    let ChargeState::RequiresAction(action) = &charge.state else { panic!("{:?}", charge.state) };
    rig.act(action, behaviour, false);
    let confirmed = rig.gateway().confirm_charge(&key("k1").step("confirm"), &charge.id, request.amount).await;
    // With approval at the provider the payer may still approve; a failed card authentication is declined.
    match confirmed {
        Ok(charge) => assert!(rig.approves() && matches!(charge.state, ChargeState::RequiresAction(_))),
        Err(error) => assert!(matches!(error, GatewayError::Declined(_)), "{error:?}"),
    }
    assert_eq!(rig.taken(), [0_i64; 0]);
}

pub async fn a_trial_charges_at_its_end_and_then_each_month(rig: &dyn Rig) {
    let request = subscribe_request(rig, "c1", terms("monthly", 999, MONTH, 3, 1_598), Behaviour::Pays);
    let trial = subscribe_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
    assert_eq!((trial.state.clone(), trial.renewal), (SubscriptionState::Trialing, Renewal::On));
    let end = START.plus(3 * DAY);
    assert_eq!(trial.period.and_then(|period| period.ends_at), Some(end));
    assert_eq!((trial.next_charge_at, trial.trial_ends_at), (Some(end), Some(end)));
    assert_eq!((trial.plan_id.as_deref(), trial.price), (Some("monthly"), cents(999)));
    assert_eq!(trial.checkout.as_ref().map(CheckoutReference::as_str), Some("c1"));
    let again = subscribe_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
    assert_eq!(again.id, trial.id);
    advance_to(rig, end.plus(-SECOND));
    assert_eq!(rig.taken(), [0_i64; 0]);
    advance_to(rig, end);
    assert_eq!(rig.taken(), [1_598], "the first charge is the one that was agreed");
    let active = found(rig, &trial).await;
    let month = START.plus(33 * DAY);
    assert_eq!(
        (active.state, active.period.and_then(|period| period.ends_at)),
        (SubscriptionState::Active, Some(month))
    );
    assert_eq!(active.next_charge_at, Some(month));
    advance_to(rig, month);
    assert_eq!(rig.taken(), [1_598, 999]);
    let payments = rig.gateway().subscription_payments(&trial.id).await.unwrap();
    let seen: Vec<_> = payments.iter().map(|payment| (payment.amount.cents(), payment.at)).collect();
    assert_eq!(seen, [(999, month), (1_598, end)]);
}

pub async fn a_coupon_lowers_the_first_charge_without_a_trial(rig: &dyn Rig) {
    let request = subscribe_request(rig, "c1", terms("monthly", 999, MONTH, 0, 500), Behaviour::Pays);
    let active = subscribe_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
    assert_eq!(active.state, SubscriptionState::Active);
    assert_eq!(active.period.and_then(|period| period.ends_at), Some(MONTH_LATER));
    assert_eq!(rig.taken(), [500]);
    advance_to(rig, MONTH_LATER);
    assert_eq!(rig.taken(), [500, 999]);
    let dearer = subscribe_request(rig, "c2", terms("yearly", 5_999, YEAR, 0, 7_098), Behaviour::Pays);
    let yearly = subscribe_through(rig, "k2", &dearer, Behaviour::Pays).await.unwrap();
    assert_eq!(yearly.period.and_then(|period| period.ends_at), Some(YEAR_LATER.plus(30 * DAY)));
    assert_eq!(rig.taken(), [500, 999, 7_098]);
}

pub async fn a_declined_subscription_begins_no_trial(rig: &dyn Rig) {
    let request = subscribe_request(rig, "c1", terms("monthly", 999, MONTH, 3, 999), Behaviour::Declined);
    let error = subscribe_through(rig, "k1", &request, Behaviour::Declined).await.unwrap_err();
    assert!(matches!(error, GatewayError::Declined(_)), "{error:?}");
    let known = rig.gateway().find_subscription(Lookup::Checkout(&CheckoutReference::new("c1"))).await.unwrap();
    assert!(known.is_none_or(|subscription| subscription.state == SubscriptionState::Ended));
    rig.advance(40 * DAY);
    assert_eq!(rig.taken(), [0_i64; 0]);
}

pub async fn a_subscription_waits_for_the_payer(rig: &dyn Rig) {
    let behaviour = if rig.approves() { Behaviour::Pays } else { Behaviour::Authenticates };
    for (name, trial) in [("with", 3), ("without", 0)] {
        let before = rig.taken().len();
        let request = subscribe_request(rig, name, terms("monthly", 999, MONTH, trial, 999), behaviour);
        let waiting = rig.gateway().subscribe(&key(name), &request).await.unwrap();
        let SubscriptionState::RequiresAction(action) = &waiting.state else { panic!("{:?}", waiting.state) };
        assert_eq!(rig.taken().len(), before);
        rig.act(action, behaviour, true);
        for _ in 0..2 {
            let begun = rig.gateway().confirm_subscription(&key(name).step("confirm"), &waiting.id).await.unwrap();
            let wanted = if trial > 0 { SubscriptionState::Trialing } else { SubscriptionState::Active };
            assert_eq!(begun.state, wanted, "{name}");
        }
        assert_eq!(rig.taken().len(), before + usize::from(trial == 0));
    }
    // The stored card is charged without the payer.
    rig.advance(3 * DAY);
    assert_eq!(rig.taken(), [999, 999]);
}

pub async fn a_renewal_that_fails_is_repaired_with_another_card(rig: &dyn Rig) {
    let request = subscribe_request(rig, "c1", terms("monthly", 999, MONTH, 3, 999), Behaviour::FailsWhenCharged);
    let trial = subscribe_through(rig, "k1", &request, Behaviour::FailsWhenCharged).await.unwrap();
    rig.advance(3 * DAY);
    assert_eq!(rig.taken(), [0_i64; 0]);
    let overdue = found(rig, &trial).await;
    assert_eq!(overdue.state, SubscriptionState::PastDue);
    assert_eq!(overdue.period.and_then(|period| period.ends_at), Some(START.plus(3 * DAY)), "it was not paid");
    let error = rig.gateway().collect_overdue(&key("collect 1"), &trial.id).await.unwrap_err();
    assert!(matches!(error, GatewayError::Declined(_)), "{error:?}");
    rig.advance(HOUR);
    let source = rig.source(Behaviour::PaysWithAnother);
    let change = key("card");
    let back = "https://pith.example/account";
    match rig.gateway().change_payment_method(&change, &trial.id, &source, back).await.unwrap() {
        MethodChange::Changed(_) => {}
        MethodChange::RequiresAction { setup, action } => {
            rig.act(&action, Behaviour::PaysWithAnother, true);
            let changed = rig.gateway().confirm_payment_method(&change, &trial.id, &setup).await.unwrap();
            assert!(matches!(changed, MethodChange::Changed(_)), "{changed:?}");
        }
    }
    let paid = rig.gateway().collect_overdue(&key("collect 2"), &trial.id).await.unwrap();
    assert_eq!(paid.state, SubscriptionState::Active);
    assert_eq!(rig.taken(), [999]);
    rig.gateway().collect_overdue(&key("collect 2"), &trial.id).await.unwrap();
    rig.gateway().collect_overdue(&key("collect 3"), &trial.id).await.unwrap();
    assert_eq!(rig.taken(), [999], "nothing is owed any more");
}

/// Ends subscriptions that the provider does not end by itself, as the sweep does.
async fn sweep_ended(rig: &dyn Rig, subscription: &ProviderSubscription) {
    let now = rig.env().now();
    let known = found(rig, subscription).await;
    let over = known.period.and_then(|period| period.ends_at).is_some_and(|end| end <= now);
    if !rig.gateway().capabilities().ends_by_itself && known.renewal == Renewal::Stopped && over {
        rig.gateway().cancel_now(&key("sweep"), &subscription.id).await.unwrap();
    }
}

/// Resumes subscriptions that the provider does not resume by itself, as the sweep does.
async fn sweep_held(rig: &dyn Rig, subscription: &ProviderSubscription) {
    let now = rig.env().now();
    match found(rig, subscription).await.renewal {
        Renewal::PausedUntil(until) | Renewal::DeferredUntil(until)
            if !rig.gateway().capabilities().resumes_by_itself && until <= now =>
        {
            rig.gateway().resume_collection(&key("sweep"), &subscription.id).await.unwrap();
        }
        _ => {}
    }
}

pub async fn renewal_stops_at_the_end_of_the_period_and_can_be_resumed_before(rig: &dyn Rig) {
    let begun = monthly(rig, "c1").await;
    rig.advance(10 * DAY);
    for _ in 0..2 {
        let stopped = rig.gateway().cancel_at_period_end(&key("stop 1"), &begun.id).await.unwrap();
        assert_eq!((stopped.state, stopped.renewal), (SubscriptionState::Active, Renewal::Stopped));
        assert_eq!(stopped.period.and_then(|period| period.ends_at), Some(MONTH_LATER));
    }
    let resumed = rig.gateway().resume_renewal(&key("resume"), &begun.id).await.unwrap();
    assert_eq!((resumed.state, resumed.renewal), (SubscriptionState::Active, Renewal::On));
    advance_to(rig, MONTH_LATER);
    assert_eq!(rig.taken(), [999, 999]);
    rig.gateway().cancel_at_period_end(&key("stop 2"), &begun.id).await.unwrap();
    advance_to(rig, TWO_MONTHS_LATER);
    sweep_ended(rig, &begun).await;
    assert_eq!(found(rig, &begun).await.state, SubscriptionState::Ended);
    rig.advance(60 * DAY);
    assert_eq!(rig.taken(), [999, 999]);
    let error = rig.gateway().resume_renewal(&key("resume 2"), &begun.id).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused(_)), "{error:?}");
}

pub async fn a_trial_that_is_canceled_charges_nothing(rig: &dyn Rig) {
    let request = subscribe_request(rig, "c1", terms("yearly", 5_999, YEAR, 3, 5_999), Behaviour::Pays);
    let trial = subscribe_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
    let stopped = rig.gateway().cancel_at_period_end(&key("stop"), &trial.id).await.unwrap();
    assert_eq!(stopped.renewal, Renewal::Stopped);
    rig.advance(3 * DAY);
    sweep_ended(rig, &trial).await;
    rig.advance(30 * DAY);
    assert_eq!(rig.taken(), [0_i64; 0]);
    assert_eq!(found(rig, &trial).await.state, SubscriptionState::Ended);
}

pub async fn a_subscription_is_canceled_at_once_as_often_as_one_likes(rig: &dyn Rig) {
    let begun = monthly(rig, "c1").await;
    for name in ["one", "one", "two"] {
        let ended = rig.gateway().cancel_now(&key(name), &begun.id).await.unwrap();
        assert_eq!(ended.state, SubscriptionState::Ended);
    }
    rig.advance(60 * DAY);
    assert_eq!(rig.taken(), [999]);
}

pub async fn a_switch_charges_what_its_preview_said(rig: &dyn Rig) {
    let begun = monthly(rig, "c1").await;
    rig.advance(15 * DAY);
    let yearly = terms("yearly", 5_999, YEAR, 3, 5_999);
    let preview = rig.gateway().preview_switch(&begun.id, &yearly).await.unwrap();
    assert_eq!(preview.next_charge, cents(5_999));
    // The payer reads the preview for a minute.
    rig.advance(60 * SECOND);
    let switched = rig.gateway().switch_plan(&key("switch"), &begun.id, &yearly, &preview).await.unwrap();
    assert_eq!(switched.id, begun.id);
    match preview.starts {
        SwitchStart::Now => {
            // Half of 30 days of 9.99 is left.
            assert_eq!((preview.charged_now, preview.credit_left), (cents(5_999 - 500), cents(0)));
            assert_eq!((switched.plan_id.as_deref(), switched.price), (Some("yearly"), cents(5_999)));
            assert_eq!(rig.taken(), [999, 5_499]);
            let again = rig.gateway().switch_plan(&key("switch"), &begun.id, &yearly, &preview).await.unwrap();
            assert_eq!(again.period, switched.period);
            assert_eq!(rig.taken(), [999, 5_499]);
        }
        SwitchStart::NextPeriod => {
            assert_eq!((preview.charged_now, preview.next_charge_at), (cents(0), MONTH_LATER));
            let SubscriptionState::RequiresAction(action) = &switched.state else { panic!("{:?}", switched.state) };
            rig.act(action, Behaviour::Pays, true);
            advance_to(rig, MONTH_LATER);
            assert_eq!(rig.taken(), [999, 5_999]);
            assert_eq!(found(rig, &begun).await.plan_id.as_deref(), Some("yearly"));
        }
    }
}

pub async fn what_a_switch_leaves_over_is_a_credit(rig: &dyn Rig) {
    let request = subscribe_request(rig, "c1", terms("yearly", 5_999, YEAR, 0, 5_999), Behaviour::Pays);
    let begun = subscribe_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
    assert_eq!(begun.credit, cents(0));
    rig.advance(15 * DAY);
    let monthly = terms("monthly", 999, MONTH, 0, 999);
    let preview = rig.gateway().preview_switch(&begun.id, &monthly).await.unwrap();
    if preview.starts == SwitchStart::NextPeriod {
        return;
    }
    assert_eq!((preview.charged_now, preview.next_charge), (cents(0), cents(0)));
    let switched = rig.gateway().switch_plan(&key("switch"), &begun.id, &monthly, &preview).await.unwrap();
    assert_eq!((switched.credit, switched.price), (preview.credit_left, cents(999)));
    // Another key and preview for the same plan change nothing.
    let again = rig.gateway().switch_plan(&key("again"), &begun.id, &monthly, &preview).await.unwrap();
    assert_eq!((again.credit, again.period), (switched.credit, switched.period));
    assert_eq!(rig.taken(), [5_999]);
    for _ in 0..2 {
        rig.gateway().forfeit_credit(&key("forfeit"), &begun.id).await.unwrap();
        assert_eq!(found(rig, &begun).await.credit, cents(0));
    }
}

pub async fn a_switch_in_the_trial_charges_at_its_end(rig: &dyn Rig) {
    let request = subscribe_request(rig, "c1", terms("monthly", 999, MONTH, 3, 1_598), Behaviour::Pays);
    let trial = subscribe_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
    rig.advance(DAY);
    let yearly = terms("yearly", 5_999, YEAR, 0, 5_999);
    let preview = rig.gateway().preview_switch(&trial.id, &yearly).await.unwrap();
    assert_eq!((preview.charged_now, preview.next_charge), (cents(0), cents(5_999)));
    assert_eq!(preview.next_charge_at, START.plus(3 * DAY));
    if preview.starts == SwitchStart::NextPeriod {
        return;
    }
    let switched = rig.gateway().switch_plan(&key("switch"), &trial.id, &yearly, &preview).await.unwrap();
    assert_eq!(switched.state, SubscriptionState::Trialing);
    assert_eq!(rig.taken(), [0_i64; 0]);
    rig.advance(2 * DAY);
    assert_eq!(rig.taken(), [5_999]);
}

pub async fn a_pause_collects_nothing_and_a_new_period_begins_after_it(rig: &dyn Rig) {
    let begun = monthly(rig, "c1").await;
    rig.advance(DAY);
    let until = MONTH_LATER.plus(61 * DAY);
    for _ in 0..2 {
        let paused = rig.gateway().pause_collection(&key("pause"), &begun.id, until).await.unwrap();
        assert_eq!((paused.state, paused.renewal), (SubscriptionState::Active, Renewal::PausedUntil(until)));
        assert_eq!(paused.period.and_then(|period| period.ends_at), Some(MONTH_LATER), "what was paid stays");
        assert_eq!(paused.next_charge_at, Some(until));
    }
    advance_to(rig, until.plus(-SECOND));
    sweep_held(rig, &begun).await;
    assert_eq!(rig.taken(), [999]);
    advance_to(rig, until);
    sweep_held(rig, &begun).await;
    assert_eq!(rig.taken(), [999, 999]);
    let renewed = found(rig, &begun).await;
    assert_eq!((renewed.state, renewed.renewal), (SubscriptionState::Active, Renewal::On));
    assert_eq!(renewed.period.map(|period| period.starts_at), Some(until));
}

pub async fn a_pause_that_is_ended_early_collects_at_the_end_of_the_paid_period(rig: &dyn Rig) {
    let begun = monthly(rig, "c1").await;
    rig.gateway().pause_collection(&key("pause 1"), &begun.id, TWO_MONTHS_LATER).await.unwrap();
    rig.advance(DAY);
    let resumed = rig.gateway().resume_collection(&key("resume 1"), &begun.id).await.unwrap();
    assert_eq!((resumed.renewal, resumed.next_charge_at), (Renewal::On, Some(MONTH_LATER)));
    assert_eq!(rig.taken(), [999]);
    rig.gateway().pause_collection(&key("pause 2"), &begun.id, TWO_MONTHS_LATER).await.unwrap();
    advance_to(rig, MONTH_LATER.plus(DAY));
    let resumed = rig.gateway().resume_collection(&key("resume 2"), &begun.id).await.unwrap();
    assert_eq!(resumed.state, SubscriptionState::Active);
    assert_eq!(rig.taken(), [999, 999], "the paid period has passed: it is due at once");
}

pub async fn a_deferred_renewal_is_due_at_its_new_moment(rig: &dyn Rig) {
    let begun = monthly(rig, "c1").await;
    let until = MONTH_LATER.plus(365 * DAY);
    let deferred = rig.gateway().defer_renewal(&key("defer"), &begun.id, until).await.unwrap();
    assert_eq!((deferred.renewal, deferred.next_charge_at), (Renewal::DeferredUntil(until), Some(until)));
    let error = rig.gateway().defer_renewal(&key("back"), &begun.id, START.plus(DAY)).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused(_)), "{error:?}");
    advance_to(rig, until.plus(-SECOND));
    assert_eq!(rig.taken(), [999]);
    advance_to(rig, until);
    sweep_held(rig, &begun).await;
    assert_eq!(rig.taken(), [999, 999]);
}

pub async fn a_refund_gives_back_a_part_and_then_the_rest_and_no_more(rig: &dyn Rig) {
    let request = charge_request(rig, "c1", 14_900, Behaviour::Pays);
    let charge = charge_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
    let paid = payment(&charge.state).id.clone();
    let part = RefundRequest { payment: paid.clone(), amount: Some(cents(4_900)) };
    let first = rig.gateway().refund(&key("r1"), &part).await.unwrap();
    assert_eq!((first.amount, first.state, &first.payment), (cents(4_900), RefundState::Succeeded, &paid));
    assert_eq!(rig.gateway().refund(&key("r1"), &part).await.unwrap().id, first.id);
    assert_eq!(rig.taken(), [10_000]);
    let too_much = RefundRequest { payment: paid.clone(), amount: Some(cents(10_001)) };
    let error = rig.gateway().refund(&key("r2"), &too_much).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused(_)), "{error:?}");
    let rest = RefundRequest { payment: paid.clone(), amount: None };
    assert_eq!(rig.gateway().refund(&key("r3"), &rest).await.unwrap().amount, cents(10_000));
    assert_eq!(rig.taken(), [0]);
    let known = rig.gateway().find_payment(&paid).await.unwrap().unwrap();
    assert_eq!((known.amount, known.refunded), (cents(14_900), cents(14_900)));
    let error = rig.gateway().refund(&key("r4"), &rest).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused(_)), "{error:?}");
}

pub async fn a_renewal_can_be_refunded(rig: &dyn Rig) {
    let begun = monthly(rig, "c1").await;
    let payments = rig.gateway().subscription_payments(&begun.id).await.unwrap();
    let all = RefundRequest { payment: payments[0].id.clone(), amount: None };
    assert_eq!(rig.gateway().refund(&key("r1"), &all).await.unwrap().amount, cents(999));
    assert_eq!(rig.taken(), [0]);
    let payments = rig.gateway().subscription_payments(&begun.id).await.unwrap();
    assert_eq!(payments[0].refunded, cents(999));
}

pub async fn a_card_has_a_fingerprint_of_its_own_and_a_customer_keeps_it(rig: &dyn Rig) {
    let mut fingerprints: BTreeSet<Option<CardFingerprint>> = BTreeSet::new();
    for (name, behaviour) in [("a", Behaviour::Pays), ("b", Behaviour::PaysWithAnother), ("c", Behaviour::Pays)] {
        let request = charge_request(rig, name, 499, behaviour);
        let charge = charge_through(rig, name, &request, behaviour).await.unwrap();
        fingerprints.insert(charge.method.unwrap().fingerprint);
    }
    assert!(fingerprints.len() == 2 && !fingerprints.contains(&None), "{fingerprints:?}");
    let subscription = monthly(rig, "d").await;
    let method = found(rig, &subscription).await.method.unwrap();
    assert!(fingerprints.contains(&method.fingerprint));
    if rig.approves() {
        return;
    }
    let mut saved = charge_request(rig, "e", 299, Behaviour::Pays);
    saved.source = PaymentSource::Saved;
    saved.payer = Payer { email: None, customer: subscription.customer.clone() };
    let charge = rig.gateway().charge(&key("e"), &saved).await.unwrap();
    assert_eq!((payment(&charge.state).amount, charge.method), (cents(299), Some(method)));
    assert_eq!(charge.customer, subscription.customer);
}

pub async fn webhooks_are_verified_and_name_what_changed(rig: &dyn Rig) {
    let request = charge_request(rig, "c1", 14_900, Behaviour::Pays);
    let charge = charge_through(rig, "k1", &request, Behaviour::Pays).await.unwrap();
    let paid = payment(&charge.state).id.clone();
    rig.gateway().refund(&key("r1"), &RefundRequest { payment: paid.clone(), amount: None }).await.unwrap();
    let begun = monthly(rig, "c2").await;
    advance_to(rig, MONTH_LATER);
    let now = rig.env().now();
    let mut kinds = Vec::new();
    let mut ids = BTreeSet::new();
    let webhooks = rig.webhooks();
    for (headers, body) in &webhooks {
        let webhook = WebhookRequest { headers, body };
        let event = rig.gateway().verify_webhook(webhook, now).await.unwrap();
        assert_eq!(event.provider, rig.gateway().provider());
        assert_eq!(rig.gateway().verify_webhook(webhook, now).await.unwrap(), event, "as often as it comes");
        assert!(ids.insert(event.id.clone()), "two events have one id");
        kinds.push(event.kind);
    }
    for wanted in [
        ProviderEventKind::Charge(charge.id.clone()),
        ProviderEventKind::Refund(paid),
        ProviderEventKind::Subscription(begun.id.clone()),
    ] {
        assert!(kinds.contains(&wanted), "{wanted:?} is not among {kinds:?}");
    }

    let (headers, body) = &webhooks[0];
    let verify = async |headers: &[(String, String)], body: &[u8], now| {
        rig.gateway().verify_webhook(WebhookRequest { headers, body }, now).await
    };
    let mut altered = body.clone();
    let digit = altered.iter().position(u8::is_ascii_digit).unwrap();
    altered[digit] = if altered[digit] == b'1' { b'2' } else { b'1' };
    assert_eq!(verify(headers, &altered, now).await, Err(WebhookError::WrongSignature));
    assert_eq!(verify(&[], body, now).await, Err(WebhookError::Unsigned));
    for age in [rig.webhook_window() + SECOND, -301 * SECOND] {
        assert_eq!(verify(headers, body, now.plus(age)).await, Err(WebhookError::TooOld), "{age}");
    }
}

/// After any fault, the same key results in exactly one charge, or the lookup finds it.
pub async fn a_key_charges_once_after_every_fault(rig: &dyn Rig) {
    for (n, fault) in Fault::ALL.into_iter().enumerate() {
        let before = rig.taken().len();
        let name = format!("fault-{n}");
        let request = charge_request(rig, &name, 499, Behaviour::Pays);
        if !rig.inject(fault) {
            continue;
        }
        let error = rig.gateway().charge(&key(&name), &request).await.unwrap_err();
        rig.heal();
        assert!(error.is_transient(), "{fault:?}: {error:?}");
        match fault {
            Fault::RateLimited => assert!(matches!(error, GatewayError::RateLimited { .. }), "{error:?}"),
            Fault::Malformed => assert!(matches!(error, GatewayError::Malformed(_)), "{error:?}"),
            _ => assert!(error.may_have_acted(), "{fault:?}: {error:?}"),
        }
        match charge_through(rig, &name, &request, Behaviour::Pays).await {
            Ok(charge) => assert_eq!(payment(&charge.state).amount, cents(499), "{fault:?}"),
            Err(error) => {
                // The provider repeats its failure for the key, so the lookup reveals the outcome.
                assert!(fault == Fault::ErrorAfter && error.may_have_acted(), "{fault:?}: {error:?}");
                let checkout = CheckoutReference::new(&name);
                let charge = rig.gateway().find_charge(Lookup::Checkout(&checkout)).await.unwrap().unwrap();
                assert_eq!(payment(&charge.state).amount, cents(499));
            }
        }
        assert_eq!(rig.taken().len(), before + 1, "{fault:?}");
    }
}

pub async fn what_is_not_there_is_not_found(rig: &dyn Rig) {
    let gateway = rig.gateway();
    let (charge, payment, subscription) = (
        billing::gateway::ChargeId::new("pi_none"),
        billing::gateway::PaymentId::new("pi_none"),
        billing::gateway::SubscriptionId::new("sub_none"),
    );
    assert_eq!(gateway.find_charge(Lookup::Id(&charge)).await.unwrap(), None);
    assert_eq!(gateway.find_payment(&payment).await.unwrap(), None);
    assert_eq!(gateway.find_subscription(Lookup::Id(&subscription)).await.unwrap(), None);
    assert_eq!(gateway.find_subscription(Lookup::Checkout(&CheckoutReference::new("none"))).await.unwrap(), None);
    for error in [
        gateway.confirm_charge(&key("a"), &charge, cents(1)).await.unwrap_err(),
        gateway.cancel_at_period_end(&key("b"), &subscription).await.unwrap_err(),
        gateway.refund(&key("c"), &RefundRequest { payment, amount: None }).await.unwrap_err(),
    ] {
        assert!(matches!(error, GatewayError::Refused(_)), "{error:?}");
    }
}

/// Runs the contract on a rig, with one test per rule.
#[macro_export]
macro_rules! contract {
    ($rig:expr => $($rule:ident),+ $(,)?) => {$(
        #[tokio::test]
        async fn $rule() {
            $crate::contract::$rule(&$rig).await;
        }
    )+};
    ($rig:expr) => {
        $crate::contract!($rig =>
            a_key_charges_once_however_often_it_is_called,
            a_key_is_good_for_one_request_only,
            a_declined_charge_takes_nothing,
            a_charge_waits_for_the_payer,
            a_payer_who_does_not_authenticate_pays_nothing,
            a_trial_charges_at_its_end_and_then_each_month,
            a_coupon_lowers_the_first_charge_without_a_trial,
            a_declined_subscription_begins_no_trial,
            a_subscription_waits_for_the_payer,
            a_renewal_that_fails_is_repaired_with_another_card,
            renewal_stops_at_the_end_of_the_period_and_can_be_resumed_before,
            a_trial_that_is_canceled_charges_nothing,
            a_subscription_is_canceled_at_once_as_often_as_one_likes,
            a_switch_charges_what_its_preview_said,
            what_a_switch_leaves_over_is_a_credit,
            a_switch_in_the_trial_charges_at_its_end,
            a_pause_collects_nothing_and_a_new_period_begins_after_it,
            a_pause_that_is_ended_early_collects_at_the_end_of_the_paid_period,
            a_deferred_renewal_is_due_at_its_new_moment,
            a_refund_gives_back_a_part_and_then_the_rest_and_no_more,
            a_renewal_can_be_refunded,
            a_card_has_a_fingerprint_of_its_own_and_a_customer_keeps_it,
            webhooks_are_verified_and_name_what_changed,
            what_is_not_there_is_not_found,
        );
    };
}

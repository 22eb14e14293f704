//! Movements derived from a provider's subscription: trial, payments, failed renewal, end.

use kernel::{DAY, Money, Period, Timestamp};

use super::{charged_key, ended_key, of_checkout};
use crate::{
    Checkout, CheckoutState, Movement, MovementKind, Plan, RenewalTerms, TRIAL_DAYS,
    gateway::{Payment, ProviderSubscription, SubscriptionState},
    name_of_former_plan,
};

/// The checkout state that corresponds to a subscription's state. `has_paid`: the provider has taken money for it;
/// `was_paid`: the checkout was already `Paid`.
pub const fn state_after_subscription(
    subscription: &ProviderSubscription,
    has_paid: bool,
    was_paid: bool,
) -> CheckoutState {
    match subscription.state {
        SubscriptionState::RequiresAction(_) => CheckoutState::NeedsAction,
        SubscriptionState::Ended if subscription.period.is_none() => CheckoutState::Declined,
        // It ended before we learned of it, for example a refused or abandoned trial.
        SubscriptionState::Ended if !has_paid && !was_paid => CheckoutState::Declined,
        SubscriptionState::Trialing
        | SubscriptionState::Active
        | SubscriptionState::PastDue
        | SubscriptionState::Ended => CheckoutState::Paid,
    }
}

/// The start of a trial; `None` without one. `next_charge` is set if the first charge differs from the renewal price.
pub fn trial_started(checkout: &Checkout, subscription: &ProviderSubscription) -> Option<Movement> {
    let (end, renewal) = (subscription.trial_ends_at?, checkout.order.renewal?);
    let start = end.plus(-i64::from(TRIAL_DAYS) * DAY);
    let key = format!("{}:{}:trial", checkout.order.provider.as_str(), subscription.id);
    let first = checkout.order.first_charge;
    Some(Movement {
        period: Some(Period { starts_at: start, ends_at: Some(end) }),
        renewal: Some(renewal),
        next_charge: (first != renewal.price).then_some(first),
        ..of_checkout(checkout, MovementKind::TrialStarted, key, start)
    })
}

/// The rest of a trial after a switch to another plan, for which nothing is charged (`billing.plan-switch`); `None` if
/// the plan is unchanged or the trial is over. `movements` are the payer's, as they were recorded.
pub fn trial_switched(
    checkout: &Checkout,
    subscription: &ProviderSubscription,
    movements: &[Movement],
    plans: &[Plan],
    now: Timestamp,
) -> Option<Movement> {
    let plan_id = subscription.plan_id.as_ref().filter(|_| subscription.state == SubscriptionState::Trialing)?;
    let purchase = checkout.purchase();
    let trials = movements.iter().filter(|one| one.kind == MovementKind::TrialStarted && one.purchase == purchase);
    let latest = trials.clone().max_by_key(|one| one.at)?;
    if latest.plan_id == *plan_id {
        return None;
    }
    let end = subscription.trial_ends_at.filter(|end| *end > now)?;
    let plan = plans.iter().find(|plan| plan.id == *plan_id)?;
    let months = plan.kind.renewal_months()?;
    let (provider, count) = (checkout.order.provider.as_str(), trials.count());
    Some(Movement {
        plan_id: plan.id.clone(),
        plan_name: plan.name.clone(),
        period: Some(Period { starts_at: now, ends_at: Some(end) }),
        renewal: Some(RenewalTerms { price: subscription.price, months }),
        ..Movement::new(
            MovementKind::TrialStarted,
            format!("{provider}:{}:trial:{count}:{plan_id}", subscription.id),
            &purchase,
            now,
        )
    })
}

/// The plan of a subscription at the provider, which a switch may have changed since the order.
struct RunningPlan<'a> {
    id: &'a str,
    name: &'a str,
    months: u32,
}

impl<'a> RunningPlan<'a> {
    fn of(checkout: &'a Checkout, subscription: &'a ProviderSubscription, plans: &'a [Plan]) -> Self {
        let order = &checkout.order;
        let id = subscription.plan_id.as_deref().unwrap_or(&order.plan_id);
        let plan = plans.iter().find(|plan| plan.id == id);
        let ordered = order.renewal.map_or(1, |terms| terms.months);
        let name = match plan {
            Some(plan) => &plan.name,
            None if id == order.plan_id => &order.plan_name,
            None => name_of_former_plan(id),
        };
        Self { id, name, months: plan.and_then(|plan| plan.kind.renewal_months()).unwrap_or(ordered) }
    }

    fn charge(&self, checkout: &Checkout, price: Money, key: String, period: Period, at: Timestamp) -> Movement {
        Movement {
            plan_id: self.id.to_owned(),
            plan_name: self.name.to_owned(),
            period: Some(period),
            renewal: Some(RenewalTerms { price, months: self.months }),
            ..Movement::new(MovementKind::Charged, key, &checkout.purchase(), at)
        }
    }
}

fn period_end(subscription: &ProviderSubscription) -> Option<Timestamp> {
    subscription.period.and_then(|period| period.ends_at)
}

/// The next charge if a credit reduces it.
fn lowered_charge(subscription: &ProviderSubscription) -> Option<Money> {
    let rest = (subscription.price.cents() - subscription.credit.cents()).max(0);
    (rest != subscription.price.cents()).then_some(Money::from_cents(rest))
}

/// The charges for a subscription's payments, oldest first. The latest covers the period reported by the provider, the
/// others the plan's months. The add-on belongs to the first charge, unless the plan was switched during the trial.
/// `movements` are the owner's.
pub fn subscription_charges<'a>(
    checkout: &Checkout,
    subscription: &ProviderSubscription,
    payments: &'a [Payment],
    plans: &[Plan],
    movements: &[Movement],
) -> Vec<(Movement, &'a Payment)> {
    let plan = RunningPlan::of(checkout, subscription, plans);
    let (order, purchase) = (&checkout.order, checkout.purchase());
    let takes_add_ons = |one: &Movement| {
        let is_switch = one.kind == MovementKind::TrialStarted && one.plan_id != order.plan_id;
        one.purchase == purchase && (one.kind == MovementKind::Charged || is_switch)
    };
    let pays_add_ons = plan.id == order.plan_id && !movements.iter().any(takes_add_ons);
    let next_charge = lowered_charge(subscription);
    let named = subscription.period.filter(|_| subscription.trial_ends_at != period_end(subscription));
    let mut ordered: Vec<&Payment> = payments.iter().collect();
    ordered.sort_by_key(|payment| payment.at);
    let last = ordered.len().saturating_sub(1);
    let charge = |(n, payment): (usize, &'a Payment)| {
        let computed = Period { starts_at: payment.at, ends_at: Some(payment.at.plus_months(plan.months)) };
        let period = named.filter(|_| n == last).unwrap_or(computed);
        let key = charged_key(order.provider, &payment.id);
        let movement = Movement {
            amount: payment.amount,
            next_charge: next_charge.filter(|_| n == last),
            infographics: if pays_add_ons && n == 0 { order.infographics } else { 0 },
            ..plan.charge(checkout, subscription.price, key, period, payment.at)
        };
        (movement, payment)
    };
    ordered.into_iter().enumerate().map(charge).collect()
}

/// The zero charge for a period paid fully from credit; `None` if a charge covers the current period. `movements` are the
/// owner's, including its charges.
pub fn credited_period(
    checkout: &Checkout,
    subscription: &ProviderSubscription,
    plans: &[Plan],
    movements: &[Movement],
) -> Option<Movement> {
    let period = subscription.period.filter(|_| subscription.state == SubscriptionState::Active)?;
    let plan = RunningPlan::of(checkout, subscription, plans);
    let purchase = checkout.purchase();
    let covers = |one: &Movement| {
        one.purchase == purchase
            && one.plan_id == plan.id
            && one.kind == MovementKind::Charged
            && one.period.is_some_and(|paid| paid.ends_at >= period.ends_at)
    };
    if movements.iter().any(covers) {
        return None;
    }
    let (provider, start) = (checkout.order.provider.as_str(), period.starts_at);
    let key = format!("{provider}:{}:{}:{}", subscription.id, plan.id, start.millis());
    let charge = plan.charge(checkout, subscription.price, key, period, start);
    Some(Movement { next_charge: lowered_charge(subscription), ..charge })
}

/// The failed renewal, at the time it was due, or the end of a subscription; `None` for the other states.
pub fn state_movement(checkout: &Checkout, subscription: &ProviderSubscription, now: Timestamp) -> Option<Movement> {
    match subscription.state {
        SubscriptionState::PastDue => {
            let due = period_end(subscription).unwrap_or(now);
            let key = format!("{}:{}:failed:{}", checkout.order.provider.as_str(), subscription.id, due.millis());
            Some(of_checkout(checkout, MovementKind::ChargeFailed, key, due))
        }
        SubscriptionState::Ended => {
            let at = period_end(subscription).map_or(now, |end| end.min(now));
            Some(of_checkout(checkout, MovementKind::Ended, ended_key(&checkout.purchase()), at))
        }
        SubscriptionState::RequiresAction(_) | SubscriptionState::Trialing | SubscriptionState::Active => None,
    }
}

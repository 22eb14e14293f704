//! What a charge, a subscription, a refund or a dispute of a provider changes: the state of its checkout, and the movements that
//! record it.
//!
//! Every movement's key is made of the provider's ids, so what a provider says may be applied late, twice and in any order
//! (`billing.webhook-events`). The functions take facts and give movements; the caller records them.

mod subscription;

use kernel::{Money, Period, Timestamp};

pub use subscription::{
    credited_period, state_after_subscription, state_movement, subscription_charges, trial_started, trial_switched,
};

use crate::{
    Checkout, CheckoutState, Movement, MovementKind, PlanKind, PurchaseKey,
    gateway::{ChargeState, GatewayProvider, Payment, PaymentId},
};

/// The key of the movement of a payment. Whatever takes money records it under this key.
pub fn charged_key(provider: GatewayProvider, payment: &PaymentId) -> String {
    format!("{}:{payment}:charged", provider.as_str())
}

/// The payment whose movement has this key; `None` when it is another movement's, or of what cost nothing.
pub fn charged_payment(key: &str) -> Option<(GatewayProvider, PaymentId)> {
    let (provider, payment) = key.strip_suffix(":charged")?.split_once(':')?;
    Some((provider.parse().ok()?, PaymentId::new(payment)))
}

/// The key of the movement of a refund, after which so much of a charge has gone back.
pub fn refunded_key(charged: &str, refunded: Money) -> String {
    format!("{charged}:refunded:{}", refunded.cents())
}

/// The key of the movement that ends a purchase's subscription.
fn ended_key(purchase: &PurchaseKey) -> String {
    format!("{purchase}:ended")
}

/// The state of a checkout whose charge has come so far.
pub const fn state_after_charge(charge: &ChargeState) -> CheckoutState {
    match charge {
        ChargeState::Succeeded(_) => CheckoutState::Paid,
        ChargeState::RequiresAction(_) | ChargeState::RequiresConfirmation => CheckoutState::NeedsAction,
        ChargeState::Processing => CheckoutState::Submitted,
        ChargeState::Failed(_) | ChargeState::Canceled => CheckoutState::Declined,
    }
}

/// A movement of a checkout's plan.
fn of_checkout(checkout: &Checkout, kind: MovementKind, key: String, at: Timestamp) -> Movement {
    Movement {
        plan_id: checkout.order.plan_id.clone(),
        plan_name: checkout.order.plan_name.clone(),
        ..Movement::new(kind, key, &checkout.purchase(), at)
    }
}

/// The charge of what is paid once: a plan for life covers all time from the payment on, another plan its months, and what is no
/// plan covers nothing.
pub fn single_charge(checkout: &Checkout, kind: PlanKind, payment: &Payment) -> Movement {
    let key = charged_key(checkout.order.provider, &payment.id);
    Movement { amount: payment.amount, ..covering_charge(checkout, kind, key, payment.at) }
}

/// The charge of a checkout that costs nothing.
pub fn free_charge(checkout: &Checkout, kind: PlanKind, now: Timestamp) -> Movement {
    covering_charge(checkout, kind, format!("{}:charged", checkout.purchase()), now)
}

fn covering_charge(checkout: &Checkout, kind: PlanKind, key: String, at: Timestamp) -> Movement {
    let ends_at = kind.renewal_months().map(|months| at.plus_months(months));
    let covers = kind == PlanKind::Lifetime || ends_at.is_some();
    Movement {
        period: covers.then_some(Period { starts_at: at, ends_at }),
        infographics: checkout.order.infographics,
        ..of_checkout(checkout, MovementKind::Charged, key, at)
    }
}

/// Whether a charge is the first of its purchase, by the movements before it: it brings codes and rewards.
pub fn is_first_charge(before: &[Movement], purchase: &PurchaseKey) -> bool {
    !before.iter().any(|one| one.kind == MovementKind::Charged && one.purchase == *purchase)
}

/// Whether a purchase begins with what is recorded, by the movements before it. The first charge after a trial does not begin it.
pub fn begins_purchase(before: &[Movement], purchase: &PurchaseKey) -> bool {
    !before.iter().any(|one| one.purchase == *purchase)
}

/// What of a payment went back and is not recorded yet; `None`: nothing. `movements` are the payer's.
pub fn refund(charge: &Movement, payment: &Payment, movements: &[Movement], now: Timestamp) -> Option<Movement> {
    let recorded: i64 = movements
        .iter()
        .filter(|one| one.kind == MovementKind::Refunded && one.reference.as_ref() == Some(&charge.key))
        .map(|one| one.amount.cents())
        .sum();
    let more = payment.refunded.cents() - recorded;
    let key = refunded_key(&charge.key, payment.refunded);
    (more > 0).then(|| undoing(charge, MovementKind::Refunded, key, Money::from_cents(more), now))
}

/// The sum that goes back of a payment: the asked one, or all that is left of it. `Ok(None)`: all went back before and nothing is
/// asked for (`billing.refund-whole`).
///
/// # Errors
/// [`RefundSumError`] when the asked sum is not above zero, or more than is left.
pub fn sum_to_refund(payment: &Payment, asked: Option<Money>) -> Result<Option<Money>, RefundSumError> {
    let left = payment.amount.cents() - payment.refunded.cents();
    match asked {
        None => Ok((left > 0).then_some(Money::from_cents(left))),
        Some(sum) if (1..=left).contains(&sum.cents()) => Ok(Some(sum)),
        Some(_) => Err(RefundSumError),
    }
}

/// The sum to refund is not above zero, or more than is left of the payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sum is not above zero, or more than is left")]
pub struct RefundSumError;

/// How a dispute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeState {
    /// The payer's bank has taken the money back; it is not decided.
    Open,
    /// The bank has given it to us again.
    Won,
    /// The payer keeps it.
    Lost,
}

/// What a dispute takes from a charge, and how it was decided. A dispute is over what was not refunded: of a payment that went back
/// whole it changes nothing.
pub fn dispute(charge: &Movement, payment: &Payment, state: DisputeState, now: Timestamp) -> Vec<Movement> {
    let left = Money::from_cents(payment.amount.cents() - payment.refunded.cents());
    if left.cents() <= 0 {
        return Vec::new();
    }
    let one = |kind, name: &str, amount| undoing(charge, kind, format!("{}:{name}", charge.key), amount, now);
    let opened = one(MovementKind::Disputed, "disputed", left);
    match state {
        DisputeState::Open => vec![opened],
        DisputeState::Won => vec![opened, one(MovementKind::DisputeWon, "dispute_won", left)],
        // The money went when it was opened.
        DisputeState::Lost => vec![opened, one(MovementKind::DisputeLost, "dispute_lost", Money::from_cents(0))],
    }
}

/// Whether a movement takes something back for good. A dispute that is open may be won: until then nothing is taken that could not be
/// given again.
pub const fn takes_back_for_good(kind: MovementKind) -> bool {
    matches!(kind, MovementKind::Refunded | MovementKind::DisputeLost)
}

/// A movement that takes from a charge, or gives to it again.
fn undoing(charge: &Movement, kind: MovementKind, key: String, amount: Money, now: Timestamp) -> Movement {
    Movement {
        plan_id: charge.plan_id.clone(),
        plan_name: charge.plan_name.clone(),
        amount,
        reference: Some(charge.key.clone()),
        ..Movement::new(kind, key, &charge.purchase, now)
    }
}

/// The end of a purchase's subscription, which the provider was told.
pub fn ended(purchase: &PurchaseKey, now: Timestamp) -> Movement {
    Movement::new(MovementKind::Ended, ended_key(purchase), purchase, now)
}

/// Whether all that a purchase took went back. `false` for one that took nothing.
pub fn is_given_back(purchase: &PurchaseKey, movements: &[Movement]) -> bool {
    let mut charges = movements
        .iter()
        .filter(|one| one.kind == MovementKind::Charged && one.purchase == *purchase && one.amount.cents() > 0)
        .peekable();
    charges.peek().is_some() && charges.all(|one| one.net_of(movements).cents() <= 0)
}

#[cfg(test)]
mod tests;

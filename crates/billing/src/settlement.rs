//! Converts what a provider reports about a charge, subscription, refund or dispute into the checkout's state and ledger
//! movements.
//!
//! Movement keys are built from the provider's ids, so reports may be applied late, repeatedly and in any order
//! (`billing.webhook-events`). The functions are pure; the caller records the movements they return.

mod subscription;

use kernel::{Money, Period, Timestamp};

pub use subscription::{
    credited_period, state_after_subscription, state_movement, subscription_charges, trial_started, trial_switched,
};

use crate::{
    Checkout, CheckoutState, Movement, MovementKind, PlanKind, PurchaseKey,
    gateway::{ChargeState, GatewayProvider, Payment, PaymentId},
};

/// The movement key of a payment. Everything that takes money uses this key.
pub fn charged_key(provider: GatewayProvider, payment: &PaymentId) -> String {
    format!("{}:{payment}:charged", provider.as_str())
}

/// The payment of a movement key; `None` for keys of other movements and of free purchases.
pub fn charged_payment(key: &str) -> Option<(GatewayProvider, PaymentId)> {
    let (provider, payment) = key.strip_suffix(":charged")?.split_once(':')?;
    Some((provider.parse().ok()?, PaymentId::new(payment)))
}

/// The movement key of a refund. `refunded` is the total refunded of the charge so far.
pub fn refunded_key(charged: &str, refunded: Money) -> String {
    format!("{charged}:refunded:{}", refunded.cents())
}

/// The key of the movement that ends a purchase's subscription.
fn ended_key(purchase: &PurchaseKey) -> String {
    format!("{purchase}:ended")
}

/// The checkout state that corresponds to a charge's state.
pub const fn state_after_charge(charge: &ChargeState) -> CheckoutState {
    match charge {
        ChargeState::Succeeded(_) => CheckoutState::Paid,
        ChargeState::RequiresAction(_) | ChargeState::RequiresConfirmation => CheckoutState::NeedsAction,
        ChargeState::Processing => CheckoutState::Submitted,
        ChargeState::Failed(_) | ChargeState::Canceled => CheckoutState::Declined,
    }
}

/// A movement with the checkout's plan and purchase.
fn of_checkout(checkout: &Checkout, kind: MovementKind, key: String, at: Timestamp) -> Movement {
    Movement {
        plan_id: checkout.order.plan_id.clone(),
        plan_name: checkout.order.plan_name.clone(),
        ..Movement::new(kind, key, &checkout.purchase(), at)
    }
}

/// The charge of a one-time payment. A lifetime plan covers all time from the payment on, another plan its months, and an
/// item no period.
pub fn single_charge(checkout: &Checkout, kind: PlanKind, payment: &Payment) -> Movement {
    let key = charged_key(checkout.order.provider, &payment.id);
    Movement { amount: payment.amount, ..covering_charge(checkout, kind, key, payment.at) }
}

/// The zero charge of a checkout that costs nothing.
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

/// Whether a purchase has no charge among the movements before. The first charge issues codes and earns rewards.
pub fn is_first_charge(before: &[Movement], purchase: &PurchaseKey) -> bool {
    !before.iter().any(|one| one.kind == MovementKind::Charged && one.purchase == *purchase)
}

/// Whether a purchase has no movement among those before. The first charge after a trial does not begin the purchase.
pub fn begins_purchase(before: &[Movement], purchase: &PurchaseKey) -> bool {
    !before.iter().any(|one| one.purchase == *purchase)
}

/// The refund of a payment that is not recorded yet; `None` if there is none. `movements` are the payer's.
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

/// The amount to refund of a payment: the requested amount, or all that is left of it. `Ok(None)` if no amount was
/// requested and everything is already refunded (`billing.refund-whole`).
///
/// # Errors
/// [`RefundSumError`] if the requested amount is not above zero or exceeds what is left.
pub fn sum_to_refund(payment: &Payment, asked: Option<Money>) -> Result<Option<Money>, RefundSumError> {
    let left = payment.amount.cents() - payment.refunded.cents();
    match asked {
        None => Ok((left > 0).then_some(Money::from_cents(left))),
        Some(sum) if (1..=left).contains(&sum.cents()) => Ok(Some(sum)),
        Some(_) => Err(RefundSumError),
    }
}

/// The requested amount is not above zero or exceeds what is left of the payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sum is not above zero, or more than is left")]
pub struct RefundSumError;

/// The state of a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeState {
    /// The payer's bank has withheld the money; it is not decided.
    Open,
    /// Decided in our favor: the money came back.
    Won,
    /// Decided for the payer, who keeps the money.
    Lost,
}

/// The movements of a dispute. It covers what was not refunded before; a fully refunded payment yields no movements.
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
        // The money was already taken when the dispute was opened.
        DisputeState::Lost => vec![opened, one(MovementKind::DisputeLost, "dispute_lost", Money::from_cents(0))],
    }
}

/// Whether a movement takes something back permanently. An open dispute may still be won, so nothing irreversible follows
/// from it.
pub const fn takes_back_for_good(kind: MovementKind) -> bool {
    matches!(kind, MovementKind::Refunded | MovementKind::DisputeLost)
}

/// A movement that takes from a charge, or returns to it.
fn undoing(charge: &Movement, kind: MovementKind, key: String, amount: Money, now: Timestamp) -> Movement {
    Movement {
        plan_id: charge.plan_id.clone(),
        plan_name: charge.plan_name.clone(),
        amount,
        reference: Some(charge.key.clone()),
        ..Movement::new(kind, key, &charge.purchase, now)
    }
}

/// Records that the provider has ended a purchase's subscription.
pub fn ended(purchase: &PurchaseKey, now: Timestamp) -> Movement {
    Movement::new(MovementKind::Ended, ended_key(purchase), purchase, now)
}

/// Whether everything a purchase took was paid back; `false` if it took nothing.
pub fn is_given_back(purchase: &PurchaseKey, movements: &[Movement]) -> bool {
    let mut charges = movements
        .iter()
        .filter(|one| one.kind == MovementKind::Charged && one.purchase == *purchase && one.amount.cents() > 0)
        .peekable();
    charges.peek().is_some() && charges.all(|one| one.net_of(movements).cents() <= 0)
}

#[cfg(test)]
mod tests;

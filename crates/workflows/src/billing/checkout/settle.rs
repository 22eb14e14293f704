//! Applies a provider's data: charges, subscriptions, refunds, disputes. Each movement is recorded once, by the provider's ids.

use billing::{
    Billing, BillingCommands, BillingQueries, Checkout, CheckoutState, CouponUseError, Movement, MovementKind,
    PlanKind, PurchaseKey, Surplus, TrialIdentity,
    gateway::{
        Charge, ChargeState, CheckoutReference, CustomerId, GatewayProvider, Payment, PaymentMethod,
        ProviderSubscription,
    },
    settlement::{self, DisputeState},
    surplus,
};
use kernel::{PayerId, StoreError};

use crate::billing::checkout::{
    error::SettleError,
    fulfil::{self, Buyer, END_SURPLUS, STOP_RENEWAL},
    rewards,
};
use crate::tx::Tx;

/// Applies the state of a charge.
pub fn settle_charge(
    tx: &mut Tx<'_, '_>,
    reference: &CheckoutReference,
    charge: &Charge,
) -> Result<Checkout, SettleError> {
    let (next, now) = (settlement::state_after_charge(&charge.state), tx.now());
    let checkout = tx.pg.advance_checkout(reference, next, Some(charge.id.as_str()), now)?;
    let ChargeState::Succeeded(payment) = &charge.state else {
        give_back_what_is_counted(tx, &checkout)?;
        return Ok(checkout);
    };
    rewards::lock_parties(tx, checkout.order.payer, &checkout.purchase())?;
    note_payer(tx, &checkout, charge.customer.as_ref(), charge.method.as_ref())?;
    let kind = kind_of(tx, &checkout.order.plan_id)?;
    let movement = settlement::single_charge(&checkout, kind, payment);
    count_coupon(tx, &checkout)?;
    record_charge(tx, &checkout, &movement)?;
    record_refunds(tx, checkout.order.payer, &movement.key, payment)?;
    queue_surplus(tx, checkout.order.payer)?;
    Ok(checkout)
}

/// Counts the use of a checkout's coupon once its card is authenticated, if the coupon was valid when the checkout started.
/// Returns `false` if other purchases have used it up meanwhile; what was charged nevertheless is refunded.
fn count_coupon(tx: &mut Tx<'_, '_>, checkout: &Checkout) -> Result<bool, StoreError> {
    let Some(code) = &checkout.order.coupon else { return Ok(true) };
    if tx.pg.has_coupon_use(checkout)? {
        return Ok(true);
    }
    match tx.pg.use_coupon(code, (&checkout.purchase(), &checkout.order.plan_id), checkout.created_at) {
        Ok(_) => Ok(true),
        Err(CouponUseError::Coupon(_)) => {
            fulfil::queue_for_purchase(tx, END_SURPLUS, &checkout.purchase())?;
            Ok(false)
        }
        Err(CouponUseError::Store(error)) => Err(error),
    }
}

/// Releases the coupon use and the trial of a checkout whose payer has to authenticate: it may be left for ever, also by a
/// stranger who typed another person's address. Both are counted when it is paid.
fn give_back_what_is_counted(tx: &mut Tx<'_, '_>, checkout: &Checkout) -> Result<(), StoreError> {
    if checkout.state == CheckoutState::NeedsAction {
        tx.pg.release_coupon(&checkout.purchase())?;
        tx.pg.release_trial(&checkout.purchase())?;
    }
    Ok(())
}

/// Applies the state of a subscription with its payments. `payments` may be empty while nothing was charged.
pub fn settle_subscription(
    tx: &mut Tx<'_, '_>,
    reference: &CheckoutReference,
    subscription: &ProviderSubscription,
    payments: &[Payment],
) -> Result<Checkout, SettleError> {
    let (was_paid, now) = (is_recorded(tx, reference)?, tx.now());
    let next = settlement::state_after_subscription(subscription, !payments.is_empty(), was_paid);
    let checkout = tx.pg.advance_checkout(reference, next, Some(subscription.id.as_str()), now)?;
    if next != CheckoutState::Paid {
        give_back_what_is_counted(tx, &checkout)?;
        return Ok(checkout);
    }
    rewards::lock_parties(tx, checkout.order.payer, &checkout.purchase())?;
    note_payer(tx, &checkout, subscription.customer.as_ref(), subscription.method.as_ref())?;
    // Nothing was charged for a trial, so if its coupon is used up, it is ended as if it had never started.
    if !count_coupon(tx, &checkout)? && payments.is_empty() {
        return Err(SettleError::CouponUsed);
    }
    record_trial(tx, &checkout, subscription)?;
    record_switch_of_trial(tx, &checkout, subscription)?;
    record_payments(tx, &checkout, subscription, payments)?;
    record_state(tx, &checkout, subscription)?;
    queue_surplus(tx, checkout.order.payer)?;
    Ok(checkout)
}

/// Whether a checkout was paid before.
fn is_recorded(tx: &mut Tx<'_, '_>, reference: &CheckoutReference) -> Result<bool, StoreError> {
    Ok(tx.pg.find_checkout(reference)?.is_some_and(|checkout| checkout.state == CheckoutState::Paid))
}

/// Settles a checkout that costs nothing, without a provider.
pub(super) fn settle_free(tx: &mut Tx<'_, '_>, reference: &CheckoutReference) -> Result<Checkout, SettleError> {
    let now = tx.now();
    let checkout = tx.pg.advance_checkout(reference, CheckoutState::Paid, None, now)?;
    let kind = kind_of(tx, &checkout.order.plan_id)?;
    let movement = settlement::free_charge(&checkout, kind, now);
    record_charge(tx, &checkout, &movement)?;
    Ok(checkout)
}

/// Records the payer's customer id at the provider, and the card.
fn note_payer(
    tx: &mut Tx<'_, '_>,
    checkout: &Checkout,
    customer: Option<&CustomerId>,
    method: Option<&PaymentMethod>,
) -> Result<(), StoreError> {
    let payer = checkout.order.payer;
    if let Some(customer) = customer {
        tx.pg.save_provider_customer(payer, checkout.order.provider, customer)?;
    }
    if let Some(card) = method.and_then(|method| method.fingerprint.as_ref()) {
        tx.pg.note_card(payer, card)?;
    }
    Ok(())
}

fn kind_of(tx: &mut Tx<'_, '_>, plan_id: &str) -> Result<PlanKind, StoreError> {
    Ok(PlanKind::of_plan(&tx.pg.plans()?, plan_id))
}

/// Records a charge once, and what follows from it.
fn record_charge(tx: &mut Tx<'_, '_>, checkout: &Checkout, movement: &Movement) -> Result<(), SettleError> {
    let payer = checkout.order.payer;
    let before = tx.pg.movements_of_owner(payer)?;
    if !tx.pg.record_movement(payer, movement)? {
        return Ok(());
    }
    let kind = kind_of(tx, &checkout.order.plan_id)?;
    let buyer = Buyer::of(tx, payer)?;
    if settlement::is_first_charge(&before, &movement.purchase) {
        fulfil::issue_codes(tx, checkout, kind, &buyer)?;
        rewards::reward(tx, checkout, movement)?;
        // A purchase that started with a trial was counted then.
        if settlement::begins_purchase(&before, &movement.purchase) {
            fulfil::count(tx, kind, &buyer)?;
        }
    }
    fulfil::mail_receipt(tx, checkout, &buyer, movement)?;
    Ok(())
}

/// Records the start of a trial, and claims the card's only trial.
fn record_trial(
    tx: &mut Tx<'_, '_>,
    checkout: &Checkout,
    subscription: &ProviderSubscription,
) -> Result<(), SettleError> {
    let Some(movement) = settlement::trial_started(checkout, subscription) else { return Ok(()) };
    let payer = checkout.order.payer;
    if !tx.pg.record_movement(payer, &movement)? {
        return Ok(());
    }
    let buyer = Buyer::of(tx, payer)?;
    let card = subscription.method.as_ref().and_then(|method| method.fingerprint.clone());
    if let Some(email) = &buyer.email {
        // The trial was claimed without its card, or was released until the card was authenticated.
        let (purchase, now) = (checkout.purchase(), tx.now());
        tx.pg.release_trial(&purchase)?;
        if !tx.pg.claim_trial(&TrialIdentity::new(buyer.member, email, card), &purchase, now)? {
            return Err(SettleError::TrialUsed);
        }
    }
    if let Some(end) = subscription.trial_ends_at {
        fulfil::queue_trial_notice(tx, checkout, end)?;
    }
    let kind = kind_of(tx, &checkout.order.plan_id)?;
    fulfil::count(tx, kind, &buyer)?;
    fulfil::mail_receipt(tx, checkout, &buyer, &movement)?;
    Ok(())
}

/// Records that a trial continues with another plan, for which nothing was charged.
fn record_switch_of_trial(
    tx: &mut Tx<'_, '_>,
    checkout: &Checkout,
    subscription: &ProviderSubscription,
) -> Result<(), SettleError> {
    let (payer, now) = (checkout.order.payer, tx.now());
    let (movements, plans) = (tx.pg.movements_of_payer(payer)?, tx.pg.plans()?);
    if let Some(movement) = settlement::trial_switched(checkout, subscription, &movements, &plans, now) {
        tx.pg.record_movement(payer, &movement)?;
    }
    Ok(())
}

/// Closes a checkout whose card was used for a trial before, and claims the person's trial, so that the next price has none.
pub(super) fn decline_second_trial(
    tx: &mut Tx<'_, '_>,
    reference: &CheckoutReference,
) -> Result<Checkout, SettleError> {
    let now = tx.now();
    let checkout = tx.pg.advance_checkout(reference, CheckoutState::PriceChanged, None, now)?;
    let buyer = Buyer::of(tx, checkout.order.payer)?;
    if let Some(email) = &buyer.email {
        tx.pg.claim_trial(&TrialIdentity::new(buyer.member, email, None), &checkout.purchase(), now)?;
    }
    Ok(checkout)
}

/// Records those payments of a subscription that are not recorded yet, and the period that a credit has paid.
fn record_payments(
    tx: &mut Tx<'_, '_>,
    checkout: &Checkout,
    subscription: &ProviderSubscription,
    payments: &[Payment],
) -> Result<(), SettleError> {
    let payer = checkout.order.payer;
    let (plans, before) = (tx.pg.plans()?, tx.pg.movements_of_owner(payer)?);
    for (movement, payment) in settlement::subscription_charges(checkout, subscription, payments, &plans, &before) {
        record_charge(tx, checkout, &movement)?;
        record_refunds(tx, payer, &movement.key, payment)?;
    }
    let movements = tx.pg.movements_of_owner(payer)?;
    if let Some(movement) = settlement::credited_period(checkout, subscription, &plans, &movements) {
        tx.pg.record_movement(payer, &movement)?;
    }
    Ok(())
}

/// Records that a renewal failed, or that the subscription ended.
fn record_state(
    tx: &mut Tx<'_, '_>,
    checkout: &Checkout,
    subscription: &ProviderSubscription,
) -> Result<(), SettleError> {
    let (payer, now) = (checkout.order.payer, tx.now());
    let Some(movement) = settlement::state_movement(checkout, subscription, now) else { return Ok(()) };
    if tx.pg.record_movement(payer, &movement)? && movement.kind == MovementKind::ChargeFailed {
        let buyer = Buyer::of(tx, payer)?;
        fulfil::mail_failed_renewal(tx, checkout, &buyer, movement.at)?;
    }
    Ok(())
}

/// Queues refunds of a payer's surplus purchases: what the payer, or the member who owns the payer, has paid for twice
/// (`billing.owned-twice`).
pub(super) fn queue_surplus(tx: &mut Tx<'_, '_>, payer: PayerId) -> Result<(), StoreError> {
    for one in surplus_of(tx, payer)? {
        fulfil::queue_for_purchase(tx, END_SURPLUS, &one.purchase)?;
    }
    Ok(())
}

/// The surplus purchases of a payer, or of the member who owns the payer.
pub(crate) fn surplus_of<A>(tx: &mut Tx<'_, '_, A>, payer: PayerId) -> Result<Vec<Surplus>, StoreError> {
    let now = tx.now();
    let movements = tx.pg.movements_of_owner(payer)?;
    Ok(surplus(&movements, &tx.pg.plans()?, now))
}

/// Records what was refunded of a payment, and what follows: a full refund revokes the codes that the payment bought, and the
/// reward is reduced to what the rest earns.
pub fn record_refunds(
    tx: &mut Tx<'_, '_>,
    payer: PayerId,
    charged: &str,
    payment: &Payment,
) -> Result<(), SettleError> {
    if payment.refunded.cents() == 0 {
        return Ok(());
    }
    let Some((_, charge)) = tx.pg.find_movement(charged)? else { return Ok(()) };
    // The lock orders concurrent refunds: the second sees the first.
    rewards::lock_parties(tx, payer, &charge.purchase)?;
    let (movements, now) = (tx.pg.movements_of_payer(payer)?, tx.now());
    match settlement::refund(&charge, payment, &movements, now) {
        Some(refund) => record_undoing(tx, payer, &refund),
        None => Ok(()),
    }
}

/// Records that the payer's bank took money back, or how the dispute was decided. Returns `false` if the charge is unknown.
pub fn record_dispute(
    tx: &mut Tx<'_, '_>,
    provider: GatewayProvider,
    payment: &Payment,
    state: DisputeState,
) -> Result<bool, SettleError> {
    let charged = settlement::charged_key(provider, &payment.id);
    let Some((payer, charge)) = tx.pg.find_movement(&charged)? else { return Ok(false) };
    rewards::lock_parties(tx, payer, &charge.purchase)?;
    let now = tx.now();
    for movement in settlement::dispute(&charge, payment, state, now) {
        record_undoing(tx, payer, &movement)?;
    }
    Ok(true)
}

/// Queues the end of a subscription at the provider if a refund has ended it, so that its credit is gone and nothing more is
/// charged.
fn queue_stop_of_refunded(tx: &mut Tx<'_, '_>, payer: PayerId, purchase: &PurchaseKey) -> Result<(), StoreError> {
    let now = tx.now();
    let plan = tx.pg.payer_plan(payer)?;
    match plan.subscriptions.iter().find(|one| one.purchase == *purchase && one.must_be_ended(now)) {
        Some(_) => fulfil::queue_for_purchase(tx, STOP_RENEWAL, purchase),
        None => Ok(()),
    }
}

/// Records a refund or a dispute's movement, and what follows from it. The parties must be locked.
fn record_undoing(tx: &mut Tx<'_, '_>, payer: PayerId, movement: &Movement) -> Result<(), SettleError> {
    if !tx.pg.record_movement(payer, movement)? {
        return Ok(());
    }
    let now = tx.now();
    tx.pg.settle_codes(&movement.purchase, now)?;
    rewards::judge(tx, &movement.purchase, &movement.key)?;
    if settlement::takes_back_for_good(movement.kind) {
        queue_stop_of_refunded(tx, payer, &movement.purchase)?;
    }
    // A won dispute may give back what was bought again meanwhile.
    queue_surplus(tx, payer)?;
    Ok(())
}

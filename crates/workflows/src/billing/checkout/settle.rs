//! Applying what a provider says: of a charge, a subscription, a refund, a dispute. Each movement is recorded once by the
//! provider's ids.

use billing::{
    Billing, BillingCommands, BillingQueries, Checkout, CheckoutState, CouponUseError, Movement, MovementKind, Plan,
    PlanKind, PurchaseKey, RenewalTerms, Surplus, TRIAL_DAYS, TrialIdentity,
    gateway::{
        Charge, ChargeState, CheckoutReference, CustomerId, GatewayProvider, Payment, PaymentId, PaymentMethod,
        Subscription, SubscriptionState,
    },
    name_of_former_plan, surplus,
};
use kernel::{DAY, Money, PayerId, Period, StoreError, Timestamp};

use crate::billing::checkout::{
    error::SettleError,
    fulfil::{self, Buyer, END_SURPLUS, STOP_RENEWAL},
    rewards,
};
use crate::tx::Tx;

/// The key of the movement of a payment. Whatever takes money records it under this key.
pub fn charged_key(provider: GatewayProvider, payment: &PaymentId) -> String {
    format!("{}:{payment}:charged", provider.as_str())
}

/// The key of the movement of a refund, after which so much of a charge has gone back.
pub fn refunded_key(charged: &str, refunded: Money) -> String {
    format!("{charged}:refunded:{}", refunded.cents())
}

/// The payment whose movement has this key; `None` when it is another movement's, or of what cost nothing.
pub fn charged_payment(key: &str) -> Option<(GatewayProvider, PaymentId)> {
    let (provider, payment) = key.strip_suffix(":charged")?.split_once(':')?;
    Some((provider.parse().ok()?, PaymentId::new(payment)))
}

/// Applies how far a charge is.
pub fn settle_charge(
    tx: &mut Tx<'_, '_>,
    reference: &CheckoutReference,
    charge: &Charge,
) -> Result<Checkout, SettleError> {
    let next = match &charge.state {
        ChargeState::Succeeded(_) => CheckoutState::Paid,
        ChargeState::RequiresAction(_) | ChargeState::RequiresConfirmation => CheckoutState::NeedsAction,
        ChargeState::Processing => CheckoutState::Submitted,
        ChargeState::Failed(_) | ChargeState::Canceled => CheckoutState::Declined,
    };
    let now = tx.now();
    let checkout = tx.pg.advance_checkout(reference, next, Some(charge.id.as_str()), now)?;
    let ChargeState::Succeeded(payment) = &charge.state else {
        give_back_what_is_counted(tx, &checkout)?;
        return Ok(checkout);
    };
    rewards::lock_parties(tx, checkout.order.payer, &checkout.purchase())?;
    note_payer(tx, &checkout, charge.customer.as_ref(), charge.method.as_ref())?;
    let provider = checkout.order.provider;
    let movement = Movement {
        amount: payment.amount,
        ..first_charge(tx, &checkout, charged_key(provider, &payment.id), payment.at)?
    };
    count_coupon(tx, &checkout)?;
    record_charge(tx, &checkout, &movement)?;
    record_refunds(tx, checkout.order.payer, &movement.key, payment)?;
    queue_surplus(tx, checkout.order.payer)?;
    Ok(checkout)
}

/// Counts the use of a checkout's coupon, when its card is authenticated: one that was valid when the checkout began. `false`:
/// another purchase has had the last one meanwhile. What was charged all the same is given back.
fn count_coupon(tx: &mut Tx<'_, '_>, checkout: &Checkout) -> Result<bool, StoreError> {
    let Some(code) = &checkout.order.coupon else { return Ok(true) };
    if tx.pg.has_coupon_use(checkout)? {
        return Ok(true);
    }
    match tx.pg.use_coupon(code, &checkout.purchase(), checkout.created_at) {
        Ok(_) => Ok(true),
        Err(CouponUseError::Coupon(_)) => {
            fulfil::queue_for_purchase(tx, END_SURPLUS, &checkout.purchase())?;
            Ok(false)
        }
        Err(CouponUseError::Store(error)) => Err(error),
    }
}

/// A checkout whose payer has to authenticate holds neither a coupon's use nor a trial: it may be left for ever, and by a stranger
/// who typed another person's address. Both are counted when it goes through.
fn give_back_what_is_counted(tx: &mut Tx<'_, '_>, checkout: &Checkout) -> Result<(), StoreError> {
    if checkout.state == CheckoutState::NeedsAction {
        tx.pg.release_coupon(&checkout.purchase())?;
        tx.pg.release_trial(&checkout.purchase())?;
    }
    Ok(())
}

/// Applies how far a subscription is, with what it took. `payments` may be left out while nothing was charged.
pub fn settle_subscription(
    tx: &mut Tx<'_, '_>,
    reference: &CheckoutReference,
    subscription: &Subscription,
    payments: &[Payment],
) -> Result<Checkout, SettleError> {
    let next = match subscription.state {
        SubscriptionState::RequiresAction(_) => CheckoutState::NeedsAction,
        SubscriptionState::Ended if subscription.period.is_none() => CheckoutState::Declined,
        // It was ended before anything was heard of it: a trial that was refused, or given up.
        SubscriptionState::Ended if payments.is_empty() && !is_recorded(tx, reference)? => CheckoutState::Declined,
        SubscriptionState::Trialing
        | SubscriptionState::Active
        | SubscriptionState::PastDue
        | SubscriptionState::Ended => CheckoutState::Paid,
    };
    let now = tx.now();
    let checkout = tx.pg.advance_checkout(reference, next, Some(subscription.id.as_str()), now)?;
    if next != CheckoutState::Paid {
        give_back_what_is_counted(tx, &checkout)?;
        return Ok(checkout);
    }
    rewards::lock_parties(tx, checkout.order.payer, &checkout.purchase())?;
    note_payer(tx, &checkout, subscription.customer.as_ref(), subscription.method.as_ref())?;
    // Nothing was charged for a trial, so one whose coupon is used up is ended as if it had not begun.
    if !count_coupon(tx, &checkout)? && payments.is_empty() {
        return Err(SettleError::CouponUsed);
    }
    record_trial(tx, &checkout, subscription)?;
    record_trial_switch(tx, &checkout, subscription)?;
    record_payments(tx, &checkout, subscription, payments)?;
    record_state(tx, &checkout, subscription)?;
    queue_surplus(tx, checkout.order.payer)?;
    Ok(checkout)
}

/// Whether a checkout went through before.
fn is_recorded(tx: &mut Tx<'_, '_>, reference: &CheckoutReference) -> Result<bool, StoreError> {
    Ok(tx.pg.find_checkout(reference)?.is_some_and(|checkout| checkout.state == CheckoutState::Paid))
}

/// A checkout that costs nothing: it goes through at once, without a provider.
pub(super) fn settle_free(tx: &mut Tx<'_, '_>, reference: &CheckoutReference) -> Result<Checkout, SettleError> {
    let now = tx.now();
    let checkout = tx.pg.advance_checkout(reference, CheckoutState::Paid, None, now)?;
    let movement = first_charge(tx, &checkout, format!("{}:charged", checkout.purchase()), now)?;
    record_charge(tx, &checkout, &movement)?;
    Ok(checkout)
}

/// Notes who the payer is at the provider, and the card.
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

/// A movement of a checkout's plan.
fn of_checkout(checkout: &Checkout, kind: MovementKind, key: String, at: Timestamp) -> Movement {
    Movement {
        plan_id: checkout.order.plan_id.clone(),
        plan_name: checkout.order.plan_name.clone(),
        ..Movement::new(kind, key, &checkout.purchase(), at)
    }
}

/// The charge of what is bought once, or for nothing: what it covers, but not its amount.
fn first_charge(tx: &mut Tx<'_, '_>, checkout: &Checkout, key: String, at: Timestamp) -> Result<Movement, StoreError> {
    let kind = kind_of(tx, &checkout.order.plan_id)?;
    let ends_at = kind.renewal_months().map(|months| at.plus_months(months));
    let covers = kind == PlanKind::Lifetime || ends_at.is_some();
    Ok(Movement {
        period: covers.then_some(Period { starts_at: at, ends_at }),
        infographics: checkout.order.infographics,
        ..of_checkout(checkout, MovementKind::Charged, key, at)
    })
}

fn kind_of(tx: &mut Tx<'_, '_>, plan_id: &str) -> Result<PlanKind, StoreError> {
    Ok(PlanKind::of_plan(&tx.pg.plans()?, plan_id))
}

fn plan_of(tx: &mut Tx<'_, '_>, plan_id: &str) -> Result<Option<Plan>, StoreError> {
    Ok(tx.pg.plans()?.into_iter().find(|plan| plan.id == plan_id))
}

/// Records that money was taken, once, and what follows from it.
fn record_charge(tx: &mut Tx<'_, '_>, checkout: &Checkout, movement: &Movement) -> Result<(), SettleError> {
    let payer = checkout.order.payer;
    let before = movements_of(tx, payer)?;
    if !tx.pg.record_movement(payer, movement)? {
        return Ok(());
    }
    let is_first = !before.iter().any(|one| one.kind == MovementKind::Charged && one.purchase == movement.purchase);
    let kind = kind_of(tx, &checkout.order.plan_id)?;
    let buyer = Buyer::of(tx, payer)?;
    if is_first {
        fulfil::issue_codes(tx, checkout, kind, &buyer)?;
        rewards::reward(tx, checkout, movement)?;
        // A trial was counted when it began.
        if !before.iter().any(|one| one.purchase == movement.purchase) {
            fulfil::count(tx, kind, &buyer)?;
        }
    }
    fulfil::mail_receipt(tx, checkout, &buyer, movement)?;
    Ok(())
}

/// Everything that happened to the payer, or to the member whom it belongs to.
fn movements_of<A>(tx: &mut Tx<'_, '_, A>, payer: PayerId) -> Result<Vec<Movement>, StoreError> {
    match tx.pg.member_of_payer(payer)? {
        Some(member) => tx.pg.movements_of(member),
        None => tx.pg.movements_of_payer(payer),
    }
}

/// Records that a trial began, and takes the one trial of the card.
fn record_trial(tx: &mut Tx<'_, '_>, checkout: &Checkout, subscription: &Subscription) -> Result<(), SettleError> {
    let (Some(end), Some(renewal)) = (subscription.trial_ends_at, checkout.order.renewal) else { return Ok(()) };
    let (provider, payer) = (checkout.order.provider.as_str(), checkout.order.payer);
    let start = end.plus(-i64::from(TRIAL_DAYS) * DAY);
    let first = checkout.order.first_charge;
    let movement = Movement {
        period: Some(Period { starts_at: start, ends_at: Some(end) }),
        renewal: Some(renewal),
        next_charge: (first != renewal.price).then_some(first),
        ..of_checkout(checkout, MovementKind::TrialStarted, format!("{provider}:{}:trial", subscription.id), start)
    };
    if !tx.pg.record_movement(payer, &movement)? {
        return Ok(());
    }
    let buyer = Buyer::of(tx, payer)?;
    let card = subscription.method.as_ref().and_then(|method| method.fingerprint.clone());
    if let Some(email) = &buyer.email {
        // Before, the card was not known, or the trial was given back until it was authenticated.
        let (purchase, now) = (checkout.purchase(), tx.now());
        tx.pg.release_trial(&purchase)?;
        if !tx.pg.claim_trial(&TrialIdentity::new(buyer.member, email, card), &purchase, now)? {
            return Err(SettleError::TrialUsed);
        }
    }
    fulfil::queue_trial_notice(tx, checkout, end)?;
    let kind = kind_of(tx, &checkout.order.plan_id)?;
    fulfil::count(tx, kind, &buyer)?;
    fulfil::mail_receipt(tx, checkout, &buyer, &movement)?;
    Ok(())
}

/// Records that a trial goes on with another plan: nothing was charged for it.
fn record_trial_switch(
    tx: &mut Tx<'_, '_>,
    checkout: &Checkout,
    subscription: &Subscription,
) -> Result<(), SettleError> {
    let (SubscriptionState::Trialing, Some(plan_id)) = (&subscription.state, &subscription.plan_id) else {
        return Ok(());
    };
    let (payer, purchase, now) = (checkout.order.payer, checkout.purchase(), tx.now());
    let movements = tx.pg.movements_of_payer(payer)?;
    let trials = movements.iter().filter(|one| one.kind == MovementKind::TrialStarted && one.purchase == purchase);
    let (Some(latest), count) = (trials.clone().max_by_key(|one| (one.at, &one.key)), trials.count()) else {
        return Ok(());
    };
    let end = subscription.trial_ends_at.filter(|end| *end > now);
    let (Some(end), Some(plan)) = (end, plan_of(tx, plan_id)?) else { return Ok(()) };
    let (Some(months), true) = (plan.kind.renewal_months(), latest.plan_id != *plan_id) else { return Ok(()) };
    let key = format!("{}:{}:trial:{count}:{plan_id}", checkout.order.provider.as_str(), subscription.id);
    let movement = Movement {
        plan_id: plan.id,
        plan_name: plan.name,
        period: Some(Period { starts_at: now, ends_at: Some(end) }),
        renewal: Some(RenewalTerms { price: subscription.price, months }),
        ..Movement::new(MovementKind::TrialStarted, key, &purchase, now)
    };
    tx.pg.record_movement(payer, &movement)?;
    Ok(())
}

/// Closes a checkout whose card was used for a trial before: the person has had their trial, and the next price says so.
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

/// Records what a subscription took that is not recorded yet, the oldest first. The latest payment paid for the period
/// that the provider names.
fn record_payments(
    tx: &mut Tx<'_, '_>,
    checkout: &Checkout,
    subscription: &Subscription,
    payments: &[Payment],
) -> Result<(), SettleError> {
    let plan_id = subscription.plan_id.as_ref().unwrap_or(&checkout.order.plan_id);
    let plan = plan_of(tx, plan_id)?;
    let ordered = checkout.order.renewal.map_or(1, |terms| terms.months);
    let months = plan.as_ref().and_then(|plan| plan.kind.renewal_months()).unwrap_or(ordered);
    let name = match plan {
        Some(plan) => plan.name,
        None if *plan_id == checkout.order.plan_id => checkout.order.plan_name.clone(),
        None => name_of_former_plan(plan_id).to_owned(),
    };
    let mut ordered: Vec<&Payment> = payments.iter().collect();
    ordered.sort_by_key(|payment| payment.at);
    let purchase = checkout.purchase();
    // A switch of plan takes the add-ons out of the first charge.
    let mut pays_add_ons = *plan_id == checkout.order.plan_id
        && !movements_of(tx, checkout.order.payer)?.iter().any(|one| {
            let is_switch = one.kind == MovementKind::TrialStarted && one.plan_id != checkout.order.plan_id;
            one.purchase == purchase && (one.kind == MovementKind::Charged || is_switch)
        });
    let after_credit = Money::from_cents((subscription.price.cents() - subscription.credit.cents()).max(0));
    let next_charge = (after_credit != subscription.price).then_some(after_credit);
    for (n, payment) in ordered.iter().enumerate() {
        let computed = Period { starts_at: payment.at, ends_at: Some(payment.at.plus_months(months)) };
        let is_latest = n + 1 == ordered.len();
        let period =
            subscription.period.filter(|_| is_latest && subscription.trial_ends_at != period_end(subscription));
        let key = charged_key(checkout.order.provider, &payment.id);
        let movement = Movement {
            plan_id: plan_id.clone(),
            plan_name: name.clone(),
            amount: payment.amount,
            period: Some(period.unwrap_or(computed)),
            renewal: Some(RenewalTerms { price: subscription.price, months }),
            next_charge: next_charge.filter(|_| is_latest),
            infographics: if pays_add_ons { checkout.order.infographics } else { 0 },
            ..Movement::new(MovementKind::Charged, key, &checkout.purchase(), payment.at)
        };
        pays_add_ons = false;
        record_charge(tx, checkout, &movement)?;
        record_refunds(tx, checkout.order.payer, &movement.key, payment)?;
    }
    // A credit may pay for a whole period, so that nothing is taken for it.
    let (Some(period), SubscriptionState::Active) = (subscription.period, &subscription.state) else { return Ok(()) };
    let covers = |one: &Movement| {
        one.purchase == checkout.purchase()
            && one.plan_id == *plan_id
            && one.kind == MovementKind::Charged
            && one.period.is_some_and(|paid| paid.ends_at >= period.ends_at)
    };
    if movements_of(tx, checkout.order.payer)?.iter().any(covers) {
        return Ok(());
    }
    let key =
        format!("{}:{}:{plan_id}:{}", checkout.order.provider.as_str(), subscription.id, period.starts_at.millis());
    let movement = Movement {
        plan_id: plan_id.clone(),
        plan_name: name,
        period: Some(period),
        renewal: Some(RenewalTerms { price: subscription.price, months }),
        next_charge,
        ..Movement::new(MovementKind::Charged, key, &checkout.purchase(), period.starts_at)
    };
    tx.pg.record_movement(checkout.order.payer, &movement)?;
    Ok(())
}

fn period_end(subscription: &Subscription) -> Option<Timestamp> {
    subscription.period.and_then(|period| period.ends_at)
}

/// Records that a renewal failed, or that the subscription has ended.
fn record_state(tx: &mut Tx<'_, '_>, checkout: &Checkout, subscription: &Subscription) -> Result<(), SettleError> {
    let (provider, id, payer) = (checkout.order.provider.as_str(), &subscription.id, checkout.order.payer);
    let now = tx.now();
    match subscription.state {
        SubscriptionState::PastDue => {
            let due = period_end(subscription).unwrap_or(now);
            let key = format!("{provider}:{id}:failed:{}", due.millis());
            let movement = of_checkout(checkout, MovementKind::ChargeFailed, key, due);
            if tx.pg.record_movement(payer, &movement)? {
                let buyer = Buyer::of(tx, payer)?;
                fulfil::mail_failed_renewal(tx, checkout, &buyer, due)?;
            }
        }
        SubscriptionState::Ended => {
            let at = period_end(subscription).map_or(now, |end| end.min(now));
            tx.pg.record_movement(payer, &of_checkout(checkout, MovementKind::Ended, ended_key(checkout), at))?;
        }
        SubscriptionState::RequiresAction(_) | SubscriptionState::Trialing | SubscriptionState::Active => {}
    }
    Ok(())
}

/// The key of the movement that ends a checkout's subscription.
pub(super) fn ended_key(checkout: &Checkout) -> String {
    format!("{}:ended", checkout.purchase())
}

/// Queues what gives back what a payer, or the member whom it belongs to, has paid for besides what they have (`billing.owned-twice`).
pub(super) fn queue_surplus(tx: &mut Tx<'_, '_>, payer: PayerId) -> Result<(), StoreError> {
    for one in surplus_of(tx, payer)? {
        fulfil::queue_for_purchase(tx, END_SURPLUS, &one.purchase)?;
    }
    Ok(())
}

/// What is surplus of a payer, or of the member whom it belongs to.
pub(crate) fn surplus_of<A>(tx: &mut Tx<'_, '_, A>, payer: PayerId) -> Result<Vec<Surplus>, StoreError> {
    let now = tx.now();
    let movements = movements_of(tx, payer)?;
    Ok(surplus(&movements, &tx.pg.plans()?, now))
}

/// Records what of a payment went back since, and what follows: codes that it paid for are revoked when all went back, and the
/// reward is what the rest earns.
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
    // Of two that are recorded at the same moment the second sees the first.
    rewards::lock_parties(tx, payer, &charge.purchase)?;
    let given_back: i64 = tx
        .pg
        .movements_of_payer(payer)?
        .iter()
        .filter(|one| one.kind == MovementKind::Refunded && one.reference.as_deref() == Some(charged))
        .map(|one| one.amount.cents())
        .sum();
    let more = payment.refunded.cents() - given_back;
    if more <= 0 {
        return Ok(());
    }
    let key = refunded_key(charged, payment.refunded);
    undo(tx, payer, &charge, MovementKind::Refunded, key, Money::from_cents(more))
}

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

/// Records that the payer's bank took money back, and how that was decided.
pub fn record_dispute(
    tx: &mut Tx<'_, '_>,
    provider: GatewayProvider,
    payment: &Payment,
    state: DisputeState,
) -> Result<bool, SettleError> {
    let charged = charged_key(provider, &payment.id);
    let Some((payer, charge)) = tx.pg.find_movement(&charged)? else { return Ok(false) };
    let left = Money::from_cents(payment.amount.cents() - payment.refunded.cents());
    if left.cents() <= 0 {
        return Ok(true);
    }
    let disputed = format!("{charged}:disputed");
    undo(tx, payer, &charge, MovementKind::Disputed, disputed, left)?;
    let nothing = Money::from_cents(0);
    match state {
        DisputeState::Open => {}
        DisputeState::Won => {
            undo(tx, payer, &charge, MovementKind::DisputeWon, format!("{charged}:dispute_won"), left)?;
        }
        DisputeState::Lost => {
            undo(tx, payer, &charge, MovementKind::DisputeLost, format!("{charged}:dispute_lost"), nothing)?;
        }
    }
    Ok(true)
}

/// Queues the end at the provider of a subscription that is over since money went back: its credit goes with it, and nothing more
/// is taken.
fn queue_stop_of_refunded(tx: &mut Tx<'_, '_>, payer: PayerId, purchase: &PurchaseKey) -> Result<(), StoreError> {
    let now = tx.now();
    let plan = tx.pg.payer_plan(payer)?;
    let is_over = |one: &&billing::Subscription| one.purchase == *purchase && !one.runs_at(now) && !one.is_closed();
    match plan.subscriptions.iter().find(is_over) {
        Some(_) => fulfil::queue_for_purchase(tx, STOP_RENEWAL, purchase),
        None => Ok(()),
    }
}

/// Records a movement that takes from a charge, or gives to it again, and what follows from it.
fn undo(
    tx: &mut Tx<'_, '_>,
    payer: PayerId,
    charge: &Movement,
    kind: MovementKind,
    key: String,
    amount: Money,
) -> Result<(), SettleError> {
    rewards::lock_parties(tx, payer, &charge.purchase)?;
    let now = tx.now();
    let movement = Movement {
        plan_id: charge.plan_id.clone(),
        plan_name: charge.plan_name.clone(),
        amount,
        reference: Some(charge.key.clone()),
        ..Movement::new(kind, key, &charge.purchase, now)
    };
    if !tx.pg.record_movement(payer, &movement)? {
        return Ok(());
    }
    tx.pg.settle_codes(&charge.purchase, now)?;
    rewards::judge(tx, &charge.purchase, &movement.key)?;
    // A dispute that is open may be won: until then nothing is taken that could not be given again.
    if matches!(kind, MovementKind::Refunded | MovementKind::DisputeLost) {
        queue_stop_of_refunded(tx, payer, &charge.purchase)?;
    }
    // A dispute that is won may give back what was bought again meanwhile.
    queue_surplus(tx, payer)?;
    Ok(())
}

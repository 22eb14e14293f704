//! Checks that ledger, entitlements and payment providers agree, and lists what does not (`billing.ledger-check`).

use std::collections::HashSet;

use billing::{
    Account, BillingQueries, Movement, MovementKind, PurchaseKey, Surplus,
    gateway::{
        CheckoutReference, GatewayError, GatewayProvider, Lookup, Payment, ProviderSubscription, SubscriptionId,
        SubscriptionState,
    },
    settlement::{charged_key, charged_payment},
};
use kernel::{DAY, Limit, Money, PayerId, StoreError};

use crate::billing::{checkout::settle::surplus_of, payments::PaymentFlows};

/// How much the check covered, and what it found.
#[derive(Debug, Default)]
pub struct LedgerReport {
    pub payers: usize,
    /// Rows of the ledger.
    pub movements: usize,
    /// Payments that were compared with the provider's data.
    pub payments: usize,
    /// Empty if everything agrees.
    pub faults: Vec<LedgerFault>,
}

/// A disagreement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerFault {
    /// The entries of all accounts do not add up to zero.
    #[error("the accounts of the ledger add up to {0} instead of zero")]
    Unbalanced(Money),
    /// A member's stored entitlements differ from those that follow from the ledger.
    #[error("payer {0}: the stored entitlements do not match the ledger")]
    Entitlements(PayerId),
    /// The provider charged another amount.
    #[error("{key}: the ledger has {ledger}, the provider {provider}")]
    Amount {
        /// The key of the charge's movement.
        key: String,
        ledger: Money,
        provider: Money,
    },
    /// The provider refunded another amount.
    #[error("{key}: the ledger shows {ledger} refunded, the provider {provider}")]
    Refunded {
        /// The key of the charge's movement.
        key: String,
        ledger: Money,
        provider: Money,
    },
    /// The provider does not know a payment that is in the ledger.
    #[error("{0}: the provider does not know this payment")]
    UnknownToProvider(String),
    /// A payment at the provider is missing in the ledger.
    #[error("{key}: the provider charged {amount}, and the ledger does not show it")]
    UnknownToLedger {
        /// The key of the missing movement.
        key: String,
        amount: Money,
    },
    /// Two charges that were not refunded paid for the same thing, or a subscription was paid for beside another plan.
    #[error("payer {payer}: {plan_id} is paid for twice, the second time by purchase {purchase}")]
    OwnedTwice {
        payer: PayerId,
        plan_id: String,
        /// The surplus purchase, which must be refunded.
        purchase: PurchaseKey,
    },
    /// A subscription's credit at the provider exceeds what remains of the payments for it.
    #[error("{purchase}: the provider holds a credit of {credit}, and {paid} was paid")]
    Credit {
        purchase: PurchaseKey,
        /// What the provider would deduct from later charges.
        credit: Money,
        /// Charges minus refunds.
        paid: Money,
    },
    /// The sum that is kept of an account differs from its entries (`billing.account-sums`).
    #[error("{}: the kept sum differs from the entries", .0.as_str())]
    AccountSum(Account),
    /// A checkout has been pending for over a day.
    #[error("checkout {0}: unfinished for over a day")]
    Unfinished(CheckoutReference),
    /// The provider could not be asked.
    #[error("{key}: the provider could not be asked: {cause}")]
    NotCompared {
        /// The key of the movement, or the purchase.
        key: String,
        cause: String,
    },
}

/// A payer's rows, read before the providers are asked.
struct PayerRows {
    movements: Vec<Movement>,
    entitlements_agree: bool,
    /// The subscriptions that the payer started.
    subscriptions: Vec<(PurchaseKey, GatewayProvider, SubscriptionId)>,
    /// The payer's surplus purchases, by everything that the member owns.
    surplus: Vec<Surplus>,
}

/// Compares the ledger with itself, with the entitlements and with the providers. If the site is running, payments of the last
/// moments may be missing in the ledger: a second check tells.
pub async fn check_ledger(flows: &PaymentFlows) -> Result<LedgerReport, StoreError> {
    let mut report = LedgerReport::default();
    let (balances, wrong_sums, unfinished) = flows
        .transactions
        .read::<_, StoreError, _>(|tx| {
            let a_day_ago = tx.now().plus(-DAY);
            let unfinished = tx.pg.pending_checkouts(a_day_ago, Limit::clamped(Limit::MAX))?;
            Ok((tx.pg.account_balances()?, tx.pg.wrong_account_sums()?, unfinished))
        })
        .await?;
    let sum: i64 = balances.iter().map(|(_, balance)| balance.cents()).sum();
    if sum != 0 {
        report.faults.push(LedgerFault::Unbalanced(Money::from_cents(sum)));
    }
    report.faults.extend(wrong_sums.into_iter().map(LedgerFault::AccountSum));
    report.faults.extend(unfinished.into_iter().map(|checkout| LedgerFault::Unfinished(checkout.reference)));
    let mut after = None;
    loop {
        let payers = flows
            .transactions
            .read::<_, StoreError, _>(move |tx| tx.pg.payers_after(after, Limit::clamped(Limit::MAX)))
            .await?;
        let Some(last) = payers.last() else { return Ok(report) };
        after = Some(*last);
        for payer in payers {
            check_payer(flows, payer, &mut report).await?;
        }
    }
}

async fn check_payer(flows: &PaymentFlows, payer: PayerId, report: &mut LedgerReport) -> Result<(), StoreError> {
    let rows = flows
        .transactions
        .read::<_, StoreError, _>(move |tx| {
            let movements = tx.pg.movements_of_payer(payer)?;
            let mut subscriptions = Vec::new();
            for movement in &movements {
                let reference = CheckoutReference::new(movement.purchase.as_str());
                let Some(checkout) = tx.pg.find_checkout(&reference)? else { continue };
                let (Some(_), Some(id)) = (checkout.order.renewal, checkout.provider_id) else { continue };
                let subscription = (movement.purchase.clone(), checkout.order.provider, SubscriptionId::new(id));
                if !subscriptions.contains(&subscription) {
                    subscriptions.push(subscription);
                }
            }
            let is_theirs = |one: &Surplus| movements.iter().any(|movement| movement.purchase == one.purchase);
            let mut surplus = surplus_of(tx, payer)?;
            surplus.retain(|one| !one.charges.is_empty() && is_theirs(one));
            let entitlements_agree = tx.pg.entitlements_agree(payer)?;
            Ok(PayerRows { movements, entitlements_agree, subscriptions, surplus })
        })
        .await?;
    report.payers += 1;
    report.movements += rows.movements.len();
    if !rows.entitlements_agree {
        report.faults.push(LedgerFault::Entitlements(payer));
    }
    let owned_twice = |one: Surplus| LedgerFault::OwnedTwice { payer, plan_id: one.plan_id, purchase: one.purchase };
    report.faults.extend(rows.surplus.into_iter().map(owned_twice));
    for movement in rows.movements.iter().filter(|one| one.kind == MovementKind::Charged) {
        let Some((provider, payment)) = charged_payment(&movement.key) else { continue };
        report.payments += 1;
        let found = match flows.gateway(provider) {
            Some(gateway) => gateway.find_payment(&payment).await.map_err(|error| error.to_string()),
            None => Err("it is not set up".to_owned()),
        };
        report.faults.extend(compare(movement, &rows.movements, found));
    }
    let known: HashSet<&str> = rows.movements.iter().map(|one| one.key.as_str()).collect();
    for (purchase, provider, subscription) in &rows.subscriptions {
        // The payments have reported a provider that is not configured.
        let Some(gateway) = flows.gateway(*provider) else { continue };
        let not_compared =
            |error: GatewayError| LedgerFault::NotCompared { key: subscription.to_string(), cause: error.to_string() };
        match gateway.subscription_payments(subscription).await {
            Ok(payments) => report.faults.extend(missing(*provider, &payments, &known)),
            Err(error) => report.faults.push(not_compared(error)),
        }
        match gateway.find_subscription(Lookup::Id(subscription)).await {
            Ok(found) => report.faults.extend(found.and_then(|one| unpaid_credit(purchase, &one, &rows.movements))),
            Err(error) => report.faults.push(not_compared(error)),
        }
    }
    Ok(())
}

/// Compares a charge in the ledger with the provider's payment.
fn compare(charge: &Movement, all: &[Movement], found: Result<Option<Payment>, String>) -> Vec<LedgerFault> {
    let key = charge.key.clone();
    let payment = match found {
        Err(cause) => return vec![LedgerFault::NotCompared { key, cause }],
        Ok(None) => return vec![LedgerFault::UnknownToProvider(key)],
        Ok(Some(payment)) => payment,
    };
    let given_back = all
        .iter()
        .filter(|one| one.kind == MovementKind::Refunded && one.reference.as_ref() == Some(&key))
        .map(|one| one.amount.cents())
        .sum();
    let given_back = Money::from_cents(given_back);
    let mut faults = Vec::new();
    if payment.amount != charge.amount {
        faults.push(LedgerFault::Amount { key: key.clone(), ledger: charge.amount, provider: payment.amount });
    }
    if payment.refunded != given_back {
        faults.push(LedgerFault::Refunded { key, ledger: given_back, provider: payment.refunded });
    }
    faults
}

/// Reports a running subscription's credit that exceeds its payments: switches move paid money, they create none.
fn unpaid_credit(purchase: &PurchaseKey, found: &ProviderSubscription, all: &[Movement]) -> Option<LedgerFault> {
    let charges = all.iter().filter(|one| one.kind == MovementKind::Charged && one.purchase == *purchase);
    let paid = Money::from_cents(charges.map(|one| one.net_of(all).cents()).sum());
    let is_running = found.state != SubscriptionState::Ended;
    (is_running && found.credit > paid).then(|| LedgerFault::Credit {
        purchase: purchase.clone(),
        credit: found.credit,
        paid,
    })
}

/// Reports payments of a subscription that are missing in the ledger.
fn missing(provider: GatewayProvider, payments: &[Payment], known: &HashSet<&str>) -> Vec<LedgerFault> {
    let keys = payments.iter().map(|payment| (charged_key(provider, &payment.id), payment.amount));
    keys.filter(|(key, _)| !known.contains(key.as_str()))
        .map(|(key, amount)| LedgerFault::UnknownToLedger { key, amount })
        .collect()
}

#[cfg(test)]
mod tests {
    use billing::gateway::{PaymentId, Renewal};
    use kernel::Timestamp;

    use super::*;

    const AT: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    fn movement(kind: MovementKind, key: &str, cents: i64) -> Movement {
        let amount = Money::from_cents(cents);
        Movement { amount, ..Movement::new(kind, key, &PurchaseKey::new("purchase"), AT) }
    }

    fn payment(cents: i64, refunded: i64) -> Payment {
        let (amount, refunded) = (Money::from_cents(cents), Money::from_cents(refunded));
        Payment { id: PaymentId::new("pi_1"), amount, refunded, at: AT }
    }

    #[test]
    fn a_charge_agrees_with_its_payment_or_the_difference_is_named() {
        let key = "stripe:pi_1:charged";
        let charge = movement(MovementKind::Charged, key, 999);
        let refund = |cents| Movement {
            reference: Some(key.to_owned()),
            ..movement(MovementKind::Refunded, "stripe:re_1:refunded", cents)
        };
        let texts = |all: &[Movement], found| -> Vec<String> {
            compare(&charge, all, found).iter().map(ToString::to_string).collect()
        };
        let none: [&str; 0] = [];
        assert_eq!(texts(&[], Ok(Some(payment(999, 0)))), none);
        assert_eq!(texts(&[refund(400), refund(99)], Ok(Some(payment(999, 499)))), none);
        assert_eq!(
            texts(&[refund(400)], Ok(Some(payment(1_099, 0)))),
            [
                "stripe:pi_1:charged: the ledger has $9.99, the provider $10.99",
                "stripe:pi_1:charged: the ledger shows $4.00 refunded, the provider $0.00"
            ]
        );
        assert_eq!(texts(&[], Ok(None)), ["stripe:pi_1:charged: the provider does not know this payment"]);
        assert_eq!(
            texts(&[], Err("it is not set up".to_owned())),
            ["stripe:pi_1:charged: the provider could not be asked: it is not set up"]
        );
    }

    #[test]
    fn a_credit_beyond_what_was_paid_is_named() {
        let purchase = PurchaseKey::new("purchase");
        let charge = movement(MovementKind::Charged, "stripe:pi_1:charged", 5_999);
        let refund = |cents| Movement {
            reference: Some(charge.key.clone()),
            ..movement(MovementKind::Refunded, "stripe:re_1:refunded", cents)
        };
        let subscription = |state, cents| ProviderSubscription {
            id: SubscriptionId::new("sub_1"),
            checkout: None,
            plan_id: Some("monthly".to_owned()),
            price: Money::from_cents(999),
            credit: Money::from_cents(cents),
            customer: None,
            method: None,
            state,
            renewal: Renewal::On,
            period: None,
            next_charge_at: None,
            trial_ends_at: None,
        };
        let (active, ended) = (SubscriptionState::Active, SubscriptionState::Ended);
        for (state, credit, given_back, is_named) in [
            (active.clone(), 5_000, 0, false),
            (active.clone(), 5_000, 999, false),
            (active, 5_000, 1_000, true),
            (ended, 5_000, 5_999, false),
        ] {
            let mut all = vec![charge.clone()];
            all.extend((given_back > 0).then(|| refund(given_back)));
            let found = unpaid_credit(&purchase, &subscription(state, credit), &all);
            assert_eq!(found.is_some(), is_named, "{credit} {given_back}");
        }
    }

    #[test]
    fn a_renewal_that_the_ledger_lacks_is_named() {
        let known = HashSet::from(["stripe:pi_1:charged"]);
        let second = Payment { id: PaymentId::new("pi_2"), ..payment(999, 0) };
        let faults = missing(GatewayProvider::Stripe, &[second, payment(999, 0)], &known);
        let wanted =
            LedgerFault::UnknownToLedger { key: "stripe:pi_2:charged".to_owned(), amount: Money::from_cents(999) };
        assert_eq!(faults, [wanted]);
    }
}

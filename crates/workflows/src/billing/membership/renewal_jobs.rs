//! Jobs that change a subscription at its provider: a redeemed code postpones the next charge, and deleting an account ends the
//! subscription (`billing.leaving-ends-renewal`). Both are queued in the transaction that causes them.

use billing::{
    Billing, BillingQueries, MemberPlan, PurchaseKey,
    gateway::{GatewayError, IdempotencyKey, Lookup, SubscriptionState as ProviderState},
    settlement,
};
use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::{StoreError, UserId};

use crate::billing::membership::renewal::{RenewalError, Target, target_of};
use crate::{
    billing::{
        checkout::{STOP_RENEWAL, queue_for_purchase},
        payments::PaymentFlows,
    },
    tx::Tx,
};

/// The job that postpones a purchase's next charge. Its payload is the purchase.
const DEFER: JobKind = JobKind::long("defer_renewal").deduplicated();

/// Queues the postponement of a member's next charge, if a plan renews.
pub(super) fn queue_deferral(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), StoreError> {
    let now = tx.now();
    let plan = tx.pg.member_plan(member)?;
    match plan.running(now).filter(|one| one.renewal().is_some()) {
        Some(running) => queue_for_purchase(tx, DEFER, &running.purchase),
        None => Ok(()),
    }
}

/// Queues the end of all subscriptions of a member who deletes the account.
pub fn queue_stops(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), StoreError> {
    let now = tx.now();
    for one in tx.pg.member_plan(member)?.subscriptions {
        if one.runs_at(now) || one.must_be_ended(now) {
            queue_for_purchase(tx, STOP_RENEWAL, &one.purchase)?;
        }
    }
    Ok(())
}

impl PaymentFlows {
    async fn target_of_purchase(&self, purchase: &PurchaseKey) -> Result<Option<Target>, StoreError> {
        let purchase = purchase.clone();
        self.transactions
            .read(move |tx| {
                let Some(payer) = tx.pg.find_payer_of_purchase(&purchase)? else { return Ok(None) };
                let movements = tx.pg.movements_of_owner(payer)?;
                let subscriptions = MemberPlan::of(&movements).subscriptions;
                let Some(one) = subscriptions.into_iter().find(|one| one.purchase == purchase) else {
                    return Ok(None);
                };
                target_of(tx, one, &movements)
            })
            .await
    }

    async fn defer(&self, purchase: &PurchaseKey) -> Result<(), RenewalError> {
        let Some(target) = self.target_of_purchase(purchase).await? else { return Ok(()) };
        let Some(due_at) = target.subscription.deferral_at(self.env.now()) else { return Ok(()) };
        let gateway = self.gateway(target.provider).ok_or(GatewayError::Unsupported("provider"))?;
        let key = IdempotencyKey::new(format!("{purchase}:deferred:{}", due_at.millis()));
        gateway.defer_renewal(&key, &target.id, due_at).await?;
        Ok(())
    }

    async fn stop(&self, purchase: &PurchaseKey) -> Result<(), RenewalError> {
        let Some(target) = self.target_of_purchase(purchase).await? else { return Ok(()) };
        let gateway = self.gateway(target.provider).ok_or(GatewayError::Unsupported("provider"))?;
        let found = gateway.find_subscription(Lookup::Id(&target.id)).await?;
        let key = IdempotencyKey::new(format!("{purchase}:stopped"));
        if found.as_ref().is_some_and(|one| one.credit.cents() > 0) {
            gateway.forfeit_credit(&key.step("credit"), &target.id).await?;
        }
        if target.subscription.is_closed() {
            return Ok(());
        }
        if found.is_some_and(|one| one.state != ProviderState::Ended) {
            gateway.cancel_now(&key, &target.id).await?;
        }
        self.transactions
            .write(move |tx| {
                tx.pg.record_movement(target.payer, &settlement::ended(target.purchase(), tx.now()))?;
                Ok(())
            })
            .await
    }
}

macro_rules! renewal_job {
    ($(#[$doc:meta])* $name:ident, $kind:expr, $run:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(
            /// Runs the workflows of the job.
            pub PaymentFlows,
        );

        impl JobDefinition for $name {
            const KIND: JobKind = $kind;
            type Payload = PurchaseKey;

            fn decode(&self, payload: &[u8]) -> Result<PurchaseKey, PayloadError> {
                let text = std::str::from_utf8(payload).map_err(|error| PayloadError(error.to_string()))?;
                Ok(PurchaseKey::new(text))
            }
        }

        impl LongJob for $name {
            async fn run_long(&self, purchase: &PurchaseKey) -> Outcome {
                match self.0.$run(purchase).await {
                    Ok(()) => Outcome::Done,
                    Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
                }
            }
        }
    };
}

renewal_job! {
    /// The job that postpones the next charge at the provider, after a code was redeemed.
    DeferRenewal, DEFER, defer
}

renewal_job! {
    /// The job that ends the subscription of a deleted account, or of a refunded purchase; a credit from a switch is lost.
    StopRenewal, STOP_RENEWAL, stop
}

//! Scheduled jobs that reconcile checkouts and subscriptions with the providers, whatever was missed: responses, events, and
//! what a process had started when it died.

use admin::{RefundCommands, RefundGrounds, RefundReason};
use billing::{
    Billing, BillingQueries, Checkout, CheckoutError, CheckoutState, PurchaseKey, SWEEP_AFTER, SweepStep,
    charges_to_give_back,
    gateway::{
        CheckoutReference, GatewayError, IdempotencyKey, Lookup, PaymentGateway, RefundRequest, RefundState,
        SubscriptionId, SubscriptionState,
    },
    settlement,
};
use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::{Limit, MINUTE, SECOND, StoreError};

use crate::billing::checkout::{
    error::SettleError,
    fulfil::{END_SURPLUS, decode_purchase},
    purchase::{ApplyError, ProviderObject},
    settle::{record_refunds, surplus_of},
};
use crate::billing::payments::PaymentFlows;

impl PaymentFlows {
    /// Asks the providers about pending checkouts, and closes those that no provider knows (`billing.pending-sweep`).
    pub async fn sweep_checkouts(&self) -> Result<(), StoreError> {
        let now = self.env.now();
        let (since, limit) = (now.plus(-SWEEP_AFTER), Limit::clamped(Limit::MAX));
        for checkout in self.transactions.read(move |tx| tx.pg.pending_checkouts(since, limit)).await? {
            if !checkout.is_sweep_due(now) {
                continue;
            }
            let after = match self.reconcile(&checkout).await {
                Ok(after) => after,
                // Reconciling has closed it.
                Err(ApplyError::TrialUsed | ApplyError::CouponUsed) => continue,
                Err(ApplyError::Gateway(GatewayError::Declined(_))) => {
                    self.close_checkout(checkout.reference).await.map_err(StoreError::new)?;
                    continue;
                }
                Err(error) => {
                    tracing::warn!(checkout = %checkout.reference, %error, "a checkout could not be reconciled yet");
                    continue;
                }
            };
            let is_over = match checkout.sweep_step(after.as_ref(), now) {
                SweepStep::Wait => false,
                SweepStep::Close => true,
                SweepStep::EndAndClose => self.end_abandoned(after.as_ref().unwrap_or(&checkout)).await,
            };
            if is_over {
                let reference = checkout.reference.clone();
                self.close_checkout(reference).await.map_err(StoreError::new)?;
            }
        }
        Ok(())
    }

    /// Ends the subscription of a payer who did not come back, so that nothing is charged when its trial is over. Returns whether
    /// it is ended.
    async fn end_abandoned(&self, checkout: &Checkout) -> bool {
        let order = &checkout.order;
        let (Some(_), Some(id), Some(gateway)) = (order.renewal, &checkout.provider_id, self.gateway(order.provider))
        else {
            return true;
        };
        let key = IdempotencyKey::new(checkout.reference.as_str()).step("abandoned");
        match gateway.cancel_now(&key, &SubscriptionId::new(id)).await {
            Ok(_) => true,
            Err(error) => {
                tracing::warn!(checkout = %checkout.reference, %error, "an abandoned subscription could not be ended");
                // A subscription that the provider refuses to end was never approved. Only a transient error is worth a retry.
                !error.is_transient()
            }
        }
    }

    async fn close_checkout(&self, reference: CheckoutReference) -> Result<Checkout, CheckoutError> {
        self.transactions
            .write(move |tx| {
                let now = tx.now();
                tx.pg.advance_checkout(&reference, CheckoutState::Reconciled, None, now)
            })
            .await
    }

    /// Asks the providers about subscriptions whose charge is due, and ends those that are over.
    pub async fn sweep_subscriptions(&self) -> Result<(), StoreError> {
        let (now, limit) = (self.env.now(), Limit::clamped(Limit::MAX));
        let due = self.transactions.read(move |tx| tx.pg.subscriptions_due(now, limit)).await?;
        for one in due {
            self.look_at(&one.purchase, false).await?;
        }
        let over = self.transactions.read(move |tx| tx.pg.subscriptions_to_close(now, limit)).await?;
        for (_, purchase) in over {
            self.look_at(&purchase, true).await?;
        }
        Ok(())
    }

    /// Applies a subscription's state at its provider; ends it there if it is over.
    async fn look_at(&self, purchase: &PurchaseKey, is_over: bool) -> Result<(), StoreError> {
        let Some((checkout, id)) = self.subscription_of(purchase).await? else { return Ok(()) };
        let Some(gateway) = self.gateway(checkout.order.provider) else { return Ok(()) };
        if let Err(error) = self.bring_up(&**gateway, &checkout, &id, is_over).await {
            tracing::warn!(%purchase, %error, "a subscription could not be brought up to date yet");
        }
        Ok(())
    }

    async fn bring_up(
        &self,
        gateway: &dyn PaymentGateway,
        checkout: &Checkout,
        id: &SubscriptionId,
        is_over: bool,
    ) -> Result<(), ApplyError> {
        let Some(mut found) = gateway.find_subscription(Lookup::Id(id)).await? else {
            return Ok(());
        };
        let key = IdempotencyKey::new(checkout.reference.as_str());
        let now = self.env.now();
        if is_over && found.state != SubscriptionState::Ended {
            found = gateway.cancel_now(&key.step("over"), id).await?;
        } else if let Some(due) = found.resume_due(gateway.capabilities(), now) {
            found = gateway.resume_collection(&key.step(&format!("resume {}", due.millis())), id).await?;
        }
        self.apply(&checkout.reference, ProviderObject::Subscription(found)).await?;
        Ok(())
    }

    async fn subscription_of(&self, purchase: &PurchaseKey) -> Result<Option<(Checkout, SubscriptionId)>, StoreError> {
        let reference = CheckoutReference::new(purchase.as_str());
        let found = self.transactions.read(move |tx| tx.pg.find_checkout(&reference)).await?;
        Ok(found.and_then(|checkout| {
            let id = checkout.provider_id.as_deref().map(SubscriptionId::new)?;
            Some((checkout, id))
        }))
    }

    /// Refunds a purchase that its person owns twice, or whose coupon was used up by others, and ends its subscription. The
    /// refund comes first: after a crash in between, the sweep ends the subscription.
    pub async fn end_surplus(&self, purchase: &PurchaseKey) -> Result<(), ApplyError> {
        let (reference, name) = (CheckoutReference::new(purchase.as_str()), purchase.clone());
        let found = self
            .transactions
            .read::<_, StoreError, _>(move |tx| {
                let Some(checkout) = tx.pg.find_checkout(&reference)? else { return Ok(None) };
                let surplus = surplus_of(tx, checkout.order.payer)?;
                let has_coupon_use = tx.pg.has_coupon_use(&checkout)?;
                let movements = tx.pg.movements_of_payer(checkout.order.payer)?;
                let charges = charges_to_give_back(&name, &surplus, has_coupon_use, &movements);
                Ok(charges.map(|charges| (checkout, charges)))
            })
            .await?;
        let Some((checkout, charges)) = found else { return Ok(()) };
        let payer = checkout.order.payer;
        let gateway = self.gateway(checkout.order.provider).ok_or(GatewayError::Unsupported("provider"))?;
        let key = IdempotencyKey::new(checkout.reference.as_str());
        for charged in charges {
            let Some((_, id)) = settlement::charged_payment(&charged) else { continue };
            let Some(mut payment) = gateway.find_payment(&id).await? else { continue };
            if payment.refunded < payment.amount {
                let noted = settlement::refunded_key(&charged, payment.amount);
                self.transactions
                    .write::<_, StoreError, _>(move |tx| {
                        let (grounds, now) = (RefundGrounds { reason: RefundReason::Duplicate, note: None }, tx.now());
                        tx.pg.save_refund_grounds(&noted, &grounds, now)
                    })
                    .await?;
                let request = RefundRequest { payment: id.clone(), amount: None };
                let refund = gateway.refund(&key.step(&format!("surplus {id}")), &request).await?;
                if refund.state == RefundState::Failed {
                    // The subscription is not ended before the money is back: the job is retried, and an operator sees it.
                    return Err(GatewayError::Refused(format!("the refund of {id} failed")).into());
                }
                let Some(refunded) = gateway.find_payment(&id).await? else { continue };
                payment = refunded;
            }
            self.transactions.write(move |tx| record_refunds(tx, payer, &charged, &payment)).await?;
        }
        let (Some(_), Some(id)) = (checkout.order.renewal, checkout.provider_id.as_deref().map(SubscriptionId::new))
        else {
            return Ok(());
        };
        gateway.cancel_now(&key.step("surplus"), &id).await?;
        self.transactions
            .write(move |tx| {
                let movement = settlement::ended(&checkout.purchase(), tx.now());
                tx.pg.record_movement(payer, &movement)?;
                Ok::<_, SettleError>(())
            })
            .await?;
        Ok(())
    }
}

macro_rules! sweep {
    ($(#[$doc:meta])* $name:ident, $word:literal every $every:expr, $sweep:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(
            /// Runs the workflows of the job.
            pub PaymentFlows,
        );

        impl JobDefinition for $name {
            const KIND: JobKind = JobKind::long($word).every($every);
            type Payload = ();

            fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
                Ok(())
            }
        }

        impl LongJob for $name {
            async fn run_long(&self, (): &()) -> Outcome {
                outcome(self.0.$sweep().await)
            }
        }
    };
}

fn outcome<E: std::fmt::Display>(result: Result<(), E>) -> Outcome {
    match result {
        Ok(()) => Outcome::Done,
        Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
    }
}

sweep! {
    /// The job that reconciles pending checkouts with the providers.
    SweepCheckouts, "sweep_checkouts" every 20 * SECOND, sweep_checkouts
}

sweep! {
    /// The job that reconciles subscriptions whose charge is due, or that are over, with the providers.
    SweepSubscriptions, "sweep_subscriptions" every 5 * MINUTE, sweep_subscriptions
}

/// The job that refunds and ends what a person owns twice (`billing.owned-twice`).
#[derive(Clone, Debug)]
pub struct EndSurplus(
    /// Runs the workflows of the job.
    pub PaymentFlows,
);

impl JobDefinition for EndSurplus {
    const KIND: JobKind = END_SURPLUS;
    type Payload = PurchaseKey;

    fn decode(&self, payload: &[u8]) -> Result<PurchaseKey, PayloadError> {
        decode_purchase(payload)
    }
}

impl LongJob for EndSurplus {
    async fn run_long(&self, purchase: &PurchaseKey) -> Outcome {
        outcome(self.0.end_surplus(purchase).await)
    }
}

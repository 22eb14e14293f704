//! Providers' webhooks: each event is verified and stored once before anything else. A job applies events, in any order
//! (`billing.webhook-events`).

use std::net::IpAddr;

use billing::{
    BillingCommands, BillingQueries, Checkout,
    gateway::{
        ChargeId, CheckoutReference, GatewayError, GatewayProvider, Lookup, PaymentId, ProviderEvent,
        ProviderEventKind, SubscriptionId, WebhookError, WebhookRequest,
    },
    settlement::{DisputeState, charged_key},
};
use identity::{IdentityError, RateLimitBucket};
use jobs::{JobDefinition, JobKind, JobRequest, Jobs, LongJob, Outcome, PayloadError};
use kernel::{Limit, MINUTE, StoreError, network_of};

use crate::billing::checkout::{
    purchase::{ApplyError, ProviderObject},
    settle::{record_dispute, record_refunds},
};
use crate::tx::ReadTx;
use crate::{
    billing::payments::PaymentFlows,
    rate_limits::{self, release_of_network},
};

/// The job that applies stored events.
const APPLY_EVENTS: JobKind = JobKind::long("apply_provider_events").every(MINUTE);

/// Why a webhook is refused.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError {
    /// It does not come from the provider.
    #[error(transparent)]
    Webhook(#[from] WebhookError),
    /// The provider is not configured.
    #[error("the provider is not set up")]
    NoProvider,
    /// The network has sent too many webhooks that could not be verified.
    #[error(transparent)]
    RateLimited(#[from] IdentityError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl PaymentFlows {
    /// Verifies a webhook and stores its event once; a job applies it. Some providers verify webhooks themselves, which costs a
    /// request: these are rate-limited per network.
    pub async fn receive_webhook(
        &self,
        provider: GatewayProvider,
        webhook: WebhookRequest<'_>,
        address: Option<IpAddr>,
    ) -> Result<(), ReceiveError> {
        let gateway = self.gateway(provider).ok_or(ReceiveError::NoProvider)?;
        let now = self.env.now();
        let asks_provider = gateway.check_webhook(webhook, now)?;
        let limited = address.filter(|_| asks_provider);
        if let Some(address) = limited {
            rate_limits::count(&self.transactions, RateLimitBucket::Webhook, network_of(address)).await?;
        }
        let event = gateway.verify_webhook(webhook, now).await?;
        self.transactions
            .write(move |tx| {
                if let Some(address) = limited {
                    // The webhook is genuine, so it does not count against the limit.
                    release_of_network(tx, RateLimitBucket::Webhook, address)?;
                }
                if tx.pg.insert_provider_event(&event, now)? {
                    let work = JobRequest { kind: APPLY_EVENTS, about: "", recipient: None, payload: b"" };
                    tx.pg.queue_job(work, now)?;
                }
                Ok(())
            })
            .await
    }

    /// Applies stored events. An event that can't be applied yet waits for the next run.
    pub async fn apply_events(&self) -> Result<(), StoreError> {
        let limit = Limit::clamped(Limit::MAX);
        let mut applied: Vec<ProviderEvent> = Vec::new();
        for event in self.transactions.read(move |tx| tx.pg.pending_provider_events(limit)).await? {
            let now = self.env.now();
            // The provider's answer for an earlier event of this run is newer than this event.
            let is_known = applied.iter().any(|one| one.is_about_the_same(&event));
            match if is_known { Ok(true) } else { self.apply_event(&event).await } {
                Ok(true) if !is_known => applied.push(event.clone()),
                Ok(true) => {}
                Ok(false) if event.is_given_up(now) => {
                    tracing::warn!(event = %event.id, "a provider's event is about nothing that is known");
                }
                Ok(false) => continue,
                Err(error) => {
                    tracing::warn!(event = %event.id, %error, "a provider's event could not be applied yet");
                    continue;
                }
            }
            let (provider, id) = (event.provider, event.id);
            self.transactions.write(move |tx| tx.pg.mark_provider_event_applied(provider, &id, now)).await?;
        }
        Ok(())
    }

    /// Returns `false` if the object that the event is about is unknown.
    async fn apply_event(&self, event: &ProviderEvent) -> Result<bool, ApplyError> {
        match &event.kind {
            ProviderEventKind::Charge(id) => self.apply_charge(event, id).await,
            ProviderEventKind::Subscription(id) => self.apply_subscription(event, id).await,
            ProviderEventKind::Refund(payment) => self.apply_to_payment(event, payment, None).await,
            ProviderEventKind::DisputeOpened(payment) => {
                self.apply_to_payment(event, payment, Some(DisputeState::Open)).await
            }
            ProviderEventKind::DisputeClosed { payment, won } => {
                let state = if *won { DisputeState::Won } else { DisputeState::Lost };
                self.apply_to_payment(event, payment, Some(state)).await
            }
            ProviderEventKind::Customer(_) | ProviderEventKind::Other(_) => Ok(true),
        }
    }

    async fn apply_charge(&self, event: &ProviderEvent, id: &ChargeId) -> Result<bool, ApplyError> {
        // Charges of renewals have no checkout: the event of their subscription covers them.
        let Some(checkout) = self.checkout_of(event, id.as_str()).await? else { return Ok(true) };
        if checkout.order.renewal.is_some() {
            self.reconcile(&checkout).await?;
            return Ok(true);
        }
        let gateway = self.gateway(event.provider).ok_or(GatewayError::Unsupported("provider"))?;
        if let Some(charge) = gateway.find_charge(Lookup::Id(id)).await? {
            self.apply(&checkout.reference, ProviderObject::Charge(charge)).await?;
        }
        Ok(true)
    }

    async fn apply_subscription(&self, event: &ProviderEvent, id: &SubscriptionId) -> Result<bool, ApplyError> {
        let Some(checkout) = self.checkout_of(event, id.as_str()).await? else { return Ok(false) };
        let gateway = self.gateway(event.provider).ok_or(GatewayError::Unsupported("provider"))?;
        let Some(subscription) = gateway.find_subscription(Lookup::Id(id)).await? else { return Ok(false) };
        match self.apply(&checkout.reference, ProviderObject::Subscription(subscription)).await {
            // The checkout was closed and the subscription ended: nothing remains to be done.
            Ok(_) | Err(ApplyError::TrialUsed | ApplyError::CouponUsed) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Applies a refund, or a dispute and its state.
    async fn apply_to_payment(
        &self,
        event: &ProviderEvent,
        id: &PaymentId,
        dispute: Option<DisputeState>,
    ) -> Result<bool, ApplyError> {
        let provider = event.provider;
        let gateway = self.gateway(provider).ok_or(GatewayError::Unsupported("provider"))?;
        let key = charged_key(provider, id);
        let find = {
            let key = key.clone();
            move |tx: &mut ReadTx<'_, '_>| tx.pg.find_movement(&key)
        };
        let mut found = self.transactions.read(find.clone()).await?;
        if found.is_none() {
            // The event arrived before the charge that it is about.
            let Some(checkout) = self.checkout_of(event, id.as_str()).await? else { return Ok(false) };
            self.reconcile(&checkout).await?;
            found = self.transactions.read(find).await?;
        }
        let (Some((payer, _)), Some(payment)) = (found, gateway.find_payment(id).await?) else { return Ok(false) };
        self.transactions
            .write(move |tx| match dispute {
                None => record_refunds(tx, payer, &key, &payment).map(|()| true),
                Some(state) => record_dispute(tx, provider, &payment, state),
            })
            .await
            .map_err(ApplyError::Settle)
    }

    async fn checkout_of(&self, event: &ProviderEvent, id: &str) -> Result<Option<Checkout>, StoreError> {
        let (provider, id) = (event.provider, id.to_owned());
        let reference: Option<CheckoutReference> = event.checkout.clone();
        self.transactions
            .read(move |tx| {
                let named = match &reference {
                    Some(reference) => tx.pg.find_checkout(reference)?,
                    None => None,
                };
                match named {
                    Some(checkout) => Ok(Some(checkout)),
                    None => tx.pg.find_checkout_of_provider(provider, &id),
                }
            })
            .await
    }
}

/// The job that applies stored events.
#[derive(Clone, Debug)]
pub struct ApplyProviderEvents(
    /// Runs the workflows of the job.
    pub PaymentFlows,
);

impl JobDefinition for ApplyProviderEvents {
    const KIND: JobKind = APPLY_EVENTS;
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl LongJob for ApplyProviderEvents {
    async fn run_long(&self, (): &()) -> Outcome {
        match self.0.apply_events().await {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
        }
    }
}

//! The built-in payment provider, for running without API keys (`billing.sandbox-cards`).
//!
//! It simulates a provider: cards that pay, are declined or require authentication; subscriptions that renew by the given
//! clock; webhooks that are signed and verified like real ones. Ids are derived from idempotency keys, so that runs are
//! reproducible. The state is in memory, or in a file that outlives the process.

mod cards;
mod clock;
mod state;
mod storage;

use std::{future::ready, path::Path, sync::Arc};

use billing::gateway::{
    Capabilities, Charge, ChargeId, ChargeRequest, ChargeState, CheckoutReference, CustomerId, GatewayError,
    GatewayFuture, GatewayProvider, IdempotencyKey, Lookup, MethodChange, NextAction, PageSettings, Payer, Payment,
    PaymentGateway, PaymentId, PaymentMethod, PaymentSource, ProviderEvent, ProviderEventId, ProviderEventKind,
    ProviderPlanId, ProviderSubscription, Refund, RefundId, RefundRequest, RefundState, Renewal, RenewalInterval,
    SetupId, SubscribeRequest, SubscriptionId, SubscriptionState, SubscriptionTerms, SwitchPreview, SwitchStart,
    WebhookError, WebhookFuture, WebhookRequest,
};
use kernel::{Env, Money, Period, Secret, Timestamp};

pub(crate) use self::state::decline;
pub use self::{cards::token_of_number, clock::SandboxClock};
use self::{
    cards::{Behaviour, Card},
    state::{ChargeStep, Customer, Event, Hold, NewSubscription, Setup, SetupStep, State, SubscriptionStep, card_of},
    storage::Storage,
};
use crate::{key::digest, signature};

/// The name of the signature header of the sandbox's webhooks, in lower case.
pub const SIGNATURE_HEADER: &str = "sandbox-signature";

/// The simulated payment provider.
pub struct Sandbox {
    storage: Storage,
    env: Arc<dyn Env>,
    secret: Secret,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sandbox")
    }
}

/// A webhook, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedWebhook {
    /// Header names in lower case, and their values.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Sandbox {
    /// A sandbox whose state is lost with the process. `secret` signs its webhooks.
    pub fn in_memory(env: Arc<dyn Env>, secret: Secret) -> Self {
        Self { storage: Storage::Memory(Box::default()), env, secret }
    }

    /// A sandbox whose state is in a file, which several processes can share. `secret` signs its webhooks.
    pub fn in_file(path: &Path, env: Arc<dyn Env>, secret: Secret) -> Self {
        Self { storage: Storage::File(path.to_owned()), env, secret }
    }

    /// Completes or fails the payer's authentication. `client_secret` is from [`NextAction::Authenticate`].
    pub fn authenticate(&self, client_secret: &str, succeeds: bool) -> Result<(), GatewayError> {
        self.change(|state, now| {
            let id = client_secret.split_once("_secret_").map_or("", |(id, _)| id);
            if client_secret != secret_of(id) {
                return Err(GatewayError::Refused("nothing waits for this authentication".to_owned()));
            }
            state.authenticate(id, succeeds, now)
        })
    }

    /// Processes everything that is due: renewals, ends of trials and pauses. Every other call does this first.
    pub fn advance(&self) -> Result<(), GatewayError> {
        self.change(|_, _| Ok(()))
    }

    /// All payments, oldest first.
    pub fn payments(&self) -> Result<Vec<Payment>, GatewayError> {
        self.change(|state, _| {
            let mut all: Vec<_> = state.payments.iter().map(|(id, payment)| (payment.number, id)).collect();
            all.sort();
            Ok(all.into_iter().filter_map(|(_, id)| view_payment(state, id)).collect())
        })
    }

    /// Opens a dispute about a payment; refused if it was disputed before.
    pub fn open_dispute(&self, payment: &PaymentId) -> Result<(), GatewayError> {
        self.change(|state, now| state.open_dispute(payment.as_str(), now))
    }

    /// Decides an open dispute. `won`: in favor of the site.
    pub fn close_dispute(&self, payment: &PaymentId, won: bool) -> Result<(), GatewayError> {
        self.change(|state, now| state.close_dispute(payment.as_str(), won, now))
    }

    /// Declines renewals of the checkout's subscription until the payer provides another card.
    pub fn decline_renewals(&self, checkout: &CheckoutReference) -> Result<(), GatewayError> {
        self.change(|state, _| state.decline_renewals(checkout.as_str()))
    }

    /// Adds the customers, charges, subscriptions and payments of another sandbox, so that they go on here. Its queued webhooks and
    /// its idempotency keys are left out, as a provider keeps keys for a day: the caller has applied what happened there.
    pub fn adopt(&self, other: &Self) -> Result<(), GatewayError> {
        let adopted = other.change(|state, _| Ok(state.clone_objects()))?;
        self.change(|state, _| {
            state.add_objects(adopted);
            Ok(())
        })
    }

    /// Removes and returns all queued webhooks in order, signed with the current time.
    pub fn take_webhooks(&self) -> Result<Vec<SignedWebhook>, GatewayError> {
        self.change(|state, now| {
            std::iter::from_fn(|| state.take_event())
                .map(|event| {
                    let body =
                        serde_json::to_vec(&event).map_err(|error| GatewayError::Malformed(error.to_string()))?;
                    let signature = signature::sign_webhook(&self.secret, now, &body);
                    Ok(SignedWebhook { headers: vec![(SIGNATURE_HEADER.to_owned(), signature)], body })
                })
                .collect()
        })
    }

    fn change<T>(&self, run: impl FnOnce(&mut State, Timestamp) -> Result<T, GatewayError>) -> Result<T, GatewayError> {
        let now = self.env.now();
        let changed = self.storage.change(|state| {
            state.advance(now);
            run(state, now)
        });
        changed.unwrap_or_else(|error| Err(GatewayError::UnknownOutcome(format!("the sandbox's file: {error}"))))
    }

    fn call<'a, T: Send + 'a>(
        &'a self,
        run: impl FnOnce(&mut State, Timestamp) -> Result<T, GatewayError>,
    ) -> GatewayFuture<'a, T> {
        Box::pin(ready(self.change(run)))
    }

    /// Changes a running subscription once per key.
    fn change_subscription<'a>(
        &'a self,
        key: &IdempotencyKey,
        request: &[&str],
        id: &SubscriptionId,
        change: impl FnOnce(&mut State, &mut state::Subscription, Timestamp) -> Result<(), GatewayError>,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        self.call(|state, now| {
            let request = [request, &[id.as_str()]].concat();
            let id = state.once(key, &request, |state| {
                state.change_subscription(id.as_str(), now, |state, subscription| change(state, subscription, now))
            })?;
            view_subscription(state, &id)
        })
    }
}

fn secret_of(id: &str) -> String {
    format!("{id}_secret_{}", digest(&["client secret", id]))
}

fn authenticate(id: &str) -> NextAction {
    NextAction::Authenticate { client_secret: secret_of(id) }
}

fn no_such_payment() -> GatewayError {
    GatewayError::Refused("the sandbox has no such payment".to_owned())
}

fn money(cents: i64) -> Money {
    Money::from_cents(cents)
}

fn timestamp(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// The payer's customer id (created if missing), and the token of the payment method.
fn payer(
    state: &mut State,
    key: &IdempotencyKey,
    payer: &Payer,
    source: &PaymentSource,
) -> Result<(String, String), GatewayError> {
    let id = payer.customer.as_ref().map_or_else(
        || format!("cus_{}", digest(&["customer", key.as_str()])),
        |customer| customer.as_str().to_owned(),
    );
    let stored = state.customers.entry(id.clone()).or_insert(Customer { token: None });
    let token = match source {
        PaymentSource::Token(token) => token.expose().to_owned(),
        PaymentSource::Saved => stored
            .token
            .clone()
            .ok_or_else(|| GatewayError::Refused("the customer has no payment method".to_owned()))?,
        PaymentSource::Approval { .. } => return Err(GatewayError::Unsupported("approval")),
    };
    card_of(&token)?;
    Ok((id, token))
}

fn source_text(source: &PaymentSource) -> &str {
    match source {
        PaymentSource::Token(token) => token.expose(),
        PaymentSource::Saved => "saved",
        PaymentSource::Approval { .. } => "approval",
    }
}

fn method_of(token: &str) -> Option<PaymentMethod> {
    Card::of_token(token).as_ref().map(Card::method)
}

fn view_payment(state: &State, id: &str) -> Option<Payment> {
    let payment = state.payments.get(id)?;
    Some(Payment {
        id: PaymentId::new(id),
        amount: money(payment.cents),
        refunded: money(payment.refunded),
        at: timestamp(payment.at),
    })
}

fn view_charge(state: &State, id: &str) -> Option<Charge> {
    let charge = state.charges.get(id)?;
    let charge_state = match charge.step {
        ChargeStep::Authenticating => ChargeState::RequiresAction(authenticate(id)),
        ChargeStep::Succeeded => ChargeState::Succeeded(view_payment(state, id)?),
        ChargeStep::Failed => ChargeState::Failed(failure(&charge.token)),
    };
    Some(Charge {
        id: ChargeId::new(id),
        checkout: Some(CheckoutReference::new(charge.checkout.clone())),
        amount: money(charge.cents),
        customer: Some(CustomerId::new(charge.customer.clone())),
        method: method_of(&charge.token),
        state: charge_state,
    })
}

fn failure(token: &str) -> billing::gateway::Decline {
    decline(match Card::of_token(token).map(|card| card.behaviour) {
        Some(Behaviour::Authenticates) => "authentication_failed",
        Some(Behaviour::Declined(code)) => code,
        Some(Behaviour::Pays | Behaviour::FailsWhenCharged) | None => "card_declined",
    })
}

fn view_subscription(state: &State, id: &str) -> Result<ProviderSubscription, GatewayError> {
    find_subscription(state, id).ok_or_else(|| GatewayError::Refused("the sandbox has no such subscription".to_owned()))
}

fn find_subscription(state: &State, id: &str) -> Option<ProviderSubscription> {
    let stored = state.subscriptions.get(id)?;
    let next = stored.next_charge_at.map(timestamp);
    let renewal = match (stored.is_stopped, stored.hold, next) {
        (true, _, _) => Renewal::Stopped,
        (false, Some(Hold::Paused), Some(until)) => Renewal::PausedUntil(until),
        (false, Some(Hold::Deferred), Some(until)) => Renewal::DeferredUntil(until),
        (false, _, _) => Renewal::On,
    };
    Some(ProviderSubscription {
        id: SubscriptionId::new(id),
        checkout: Some(CheckoutReference::new(stored.checkout.clone())),
        plan_id: Some(stored.plan_id.clone()),
        price: money(stored.price),
        credit: money(stored.credit),
        customer: Some(CustomerId::new(stored.customer.clone())),
        method: method_of(&stored.token),
        state: match stored.step {
            SubscriptionStep::Authenticating => SubscriptionState::RequiresAction(authenticate(id)),
            SubscriptionStep::Trialing => SubscriptionState::Trialing,
            SubscriptionStep::Active => SubscriptionState::Active,
            SubscriptionStep::PastDue => SubscriptionState::PastDue,
            SubscriptionStep::Ended => SubscriptionState::Ended,
        },
        renewal,
        period: stored.period.map(|(start, end)| Period { starts_at: timestamp(start), ends_at: Some(timestamp(end)) }),
        next_charge_at: next,
        trial_ends_at: stored.trial_ends_at.map(timestamp),
    })
}

fn interval_text(interval: RenewalInterval) -> &'static str {
    match interval {
        RenewalInterval::Month => "month",
        RenewalInterval::Year => "year",
    }
}

fn terms_text(terms: &SubscriptionTerms) -> String {
    format!(
        "{} {} {} {} {}",
        terms.plan_id,
        terms.price.cents(),
        interval_text(terms.interval),
        terms.trial_days,
        terms.first_charge.cents()
    )
}

/// Turns a failed charge into [`GatewayError::Declined`].
fn declined(charge: Charge) -> Result<Charge, GatewayError> {
    match charge.state {
        ChargeState::Failed(decline) => Err(GatewayError::Declined(decline)),
        _ => Ok(charge),
    }
}

impl PaymentGateway for Sandbox {
    fn provider(&self) -> GatewayProvider {
        GatewayProvider::Sandbox
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { resumes_by_itself: true, ends_by_itself: true, finds_by_checkout: true }
    }

    fn page_settings(&self) -> PageSettings {
        PageSettings { provider: GatewayProvider::Sandbox, public_key: None }
    }

    fn provider_plan<'a>(&'a self, _: &'a SubscriptionTerms) -> GatewayFuture<'a, Option<ProviderPlanId>> {
        Box::pin(ready(Ok(None)))
    }

    fn charge<'a>(&'a self, key: &'a IdempotencyKey, request: &'a ChargeRequest) -> GatewayFuture<'a, Charge> {
        self.call(|state, now| {
            let amount = request.amount.cents();
            let sent = ["charge", request.checkout.as_str(), &amount.to_string(), source_text(&request.source)];
            let id = state.once(key, &sent, |state| {
                if amount <= 0 {
                    return Err(GatewayError::Refused("a charge is above zero".to_owned()));
                }
                let (customer, token) = payer(state, key, &request.payer, &request.source)?;
                let id = format!("pi_{}", digest(&["charge", key.as_str()]));
                let charge = state::Charge {
                    checkout: request.checkout.as_str().to_owned(),
                    cents: amount,
                    customer,
                    token,
                    step: ChargeStep::Authenticating,
                };
                state.charge(&id, charge, now)?;
                Ok(id)
            })?;
            view_charge(state, &id)
                .map_or_else(|| Err(GatewayError::Malformed("the charge is gone".to_owned())), declined)
        })
    }

    fn confirm_charge<'a>(
        &'a self,
        _: &'a IdempotencyKey,
        charge: &'a ChargeId,
        expected: Money,
    ) -> GatewayFuture<'a, Charge> {
        self.call(|state, _| match view_charge(state, charge.as_str()) {
            None => Err(GatewayError::Refused("the sandbox has no such charge".to_owned())),
            Some(found) if found.amount != expected => {
                Err(GatewayError::Refused("the charge is of another amount".to_owned()))
            }
            Some(found) => declined(found),
        })
    }

    fn find_charge<'a>(&'a self, lookup: Lookup<'a, ChargeId>) -> GatewayFuture<'a, Option<Charge>> {
        self.call(|state, _| {
            let id = match lookup {
                Lookup::Id(id) => Some(id.as_str()),
                // Of several attempts at one checkout the one that took the money counts.
                Lookup::Checkout(checkout) => state
                    .charges
                    .iter()
                    .filter(|(_, charge)| charge.checkout == checkout.as_str())
                    .max_by_key(|(_, charge)| match charge.step {
                        ChargeStep::Succeeded => 2,
                        ChargeStep::Authenticating => 1,
                        ChargeStep::Failed => 0,
                    })
                    .map(|(id, _)| id.as_str()),
            };
            Ok(id.and_then(|id| view_charge(state, id)))
        })
    }

    fn subscribe<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        request: &'a SubscribeRequest,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        self.call(|state, now| {
            let terms = terms_text(&request.terms);
            let sent = ["subscribe", request.checkout.as_str(), &terms, source_text(&request.source)];
            let id = state.once(key, &sent, |state| {
                let (customer, token) = payer(state, key, &request.payer, &request.source)?;
                let id = format!("sub_{}", digest(&["subscription", key.as_str()]));
                let new = NewSubscription {
                    checkout: request.checkout.as_str().to_owned(),
                    plan_id: request.terms.plan_id.clone(),
                    price: request.terms.price.cents(),
                    interval: request.terms.interval,
                    trial_days: request.terms.trial_days,
                    first_charge: request.terms.first_charge.cents().max(0),
                    customer,
                    token,
                };
                state.subscribe(&id, new, now)?;
                Ok(id)
            })?;
            view_subscription(state, &id)
        })
    }

    fn confirm_subscription<'a>(
        &'a self,
        _: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        self.call(|state, _| {
            let found = view_subscription(state, subscription.as_str())?;
            if found.state == SubscriptionState::Ended && found.period.is_none() {
                return Err(GatewayError::Declined(decline("authentication_failed")));
            }
            Ok(found)
        })
    }

    fn find_subscription<'a>(
        &'a self,
        lookup: Lookup<'a, SubscriptionId>,
    ) -> GatewayFuture<'a, Option<ProviderSubscription>> {
        self.call(|state, _| {
            let id = match lookup {
                Lookup::Id(id) => Some(id.as_str()),
                Lookup::Checkout(checkout) => state
                    .subscriptions
                    .iter()
                    .filter(|(_, subscription)| subscription.checkout == checkout.as_str())
                    .max_by_key(|(_, subscription)| subscription.is_running())
                    .map(|(id, _)| id.as_str()),
            };
            Ok(id.and_then(|id| find_subscription(state, id)))
        })
    }

    fn subscription_payments<'a>(&'a self, subscription: &'a SubscriptionId) -> GatewayFuture<'a, Vec<Payment>> {
        self.call(|state, _| {
            let mut found: Vec<Payment> = state
                .payments
                .iter()
                .filter(|(_, payment)| payment.subscription.as_deref() == Some(subscription.as_str()))
                .filter_map(|(id, _)| view_payment(state, id))
                .collect();
            found.sort_by_key(|payment| std::cmp::Reverse(payment.at));
            found.truncate(12);
            Ok(found)
        })
    }

    fn cancel_at_period_end<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        self.change_subscription(key, &["stop"], subscription, |_, subscription, now| {
            subscription.is_stopped = true;
            subscription.hold = None;
            // It ends with the paid period even if paused, and a failed renewal is not retried.
            let end = subscription.period.map(|(_, end)| end.max(now.millis()));
            subscription.next_charge_at = end;
            Ok(())
        })
    }

    fn resume_renewal<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        self.change_subscription(key, &["resume renewal"], subscription, |_, subscription, _| {
            subscription.is_stopped = false;
            Ok(())
        })
    }

    fn cancel_now<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        self.call(|state, now| {
            let id = state.once(key, &["cancel", subscription.as_str()], |state| {
                // Canceling a subscription that has ended or never began is no error.
                let Some(stored) = state.subscriptions.get_mut(subscription.as_str()) else {
                    return Err(GatewayError::Refused("the sandbox has no such subscription".to_owned()));
                };
                if stored.step != SubscriptionStep::Ended {
                    stored.step = SubscriptionStep::Ended;
                    stored.next_charge_at = None;
                    let checkout = stored.checkout.clone();
                    state.tell("subscription", subscription.as_str(), &checkout, now.millis());
                }
                Ok(subscription.as_str().to_owned())
            })?;
            view_subscription(state, &id)
        })
    }

    fn forfeit_credit<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ()> {
        self.call(|state, _| {
            state.once(key, &["forfeit", subscription.as_str()], |state| {
                let unknown = || GatewayError::Refused("the sandbox has no such subscription".to_owned());
                state.subscriptions.get_mut(subscription.as_str()).ok_or_else(unknown)?.credit = 0;
                Ok(subscription.as_str().to_owned())
            })?;
            Ok(())
        })
    }

    fn preview_switch<'a>(
        &'a self,
        subscription: &'a SubscriptionId,
        terms: &'a SubscriptionTerms,
    ) -> GatewayFuture<'a, SwitchPreview> {
        self.call(|state, now| {
            let stored = state
                .subscriptions
                .get(subscription.as_str())
                .filter(|stored| stored.is_running() && stored.hold.is_none())
                .ok_or_else(|| GatewayError::Refused("the subscription does not run".to_owned()))?;
            let trial_end = stored.next_charge_at.filter(|_| stored.step == SubscriptionStep::Trialing);
            let (charged_now, credit_left, next_charge_at) = if let Some(end) = trial_end {
                (0, 0, timestamp(end))
            } else {
                let credit = stored.credit + stored.unused_cents(now);
                let price = terms.price.cents();
                let next = now.plus_months(terms.interval.months());
                ((price - credit).max(0), (credit - price).max(0), next)
            };
            Ok(SwitchPreview {
                starts: SwitchStart::Now,
                charged_now: money(charged_now),
                credit_left: money(credit_left),
                next_charge: money((terms.price.cents() - credit_left).max(0)),
                next_charge_at,
                computed_at: now,
            })
        })
    }

    fn switch_plan<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        terms: &'a SubscriptionTerms,
        preview: &'a SwitchPreview,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        let id = subscription.as_str();
        self.change_subscription(key, &["switch", &terms_text(terms)], subscription, |state, stored, now| {
            let new = (terms.plan_id.as_str(), terms.price.cents(), terms.interval);
            state.switch(id, stored, new, preview.computed_at, now)
        })
    }

    fn pause_collection<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        until: Timestamp,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        let request = ["pause", &until.millis().to_string()];
        self.change_subscription(key, &request, subscription, |_, stored, now| hold(stored, Hold::Paused, until, now))
    }

    fn resume_collection<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        let resumed = self.change_subscription(key, &["resume"], subscription, |_, stored, now| {
            if stored.hold.take().is_some() {
                stored.next_charge_at = stored.period.map(|(_, end)| end.max(now.millis()));
            }
            Ok(())
        });
        // A charge that is due at once is collected before the response.
        Box::pin(async move {
            let resumed = resumed.await?;
            self.change(|state, _| view_subscription(state, resumed.id.as_str()))
        })
    }

    fn defer_renewal<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        until: Timestamp,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        let request = ["defer", &until.millis().to_string()];
        self.change_subscription(key, &request, subscription, |_, stored, now| hold(stored, Hold::Deferred, until, now))
    }

    fn collect_overdue<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        let id = subscription.as_str();
        self.change_subscription(key, &["collect"], subscription, |state, stored, now| {
            state.collect_overdue(id, stored, now)
        })
    }

    fn change_payment_method<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        source: &'a PaymentSource,
        _: &'a str,
    ) -> GatewayFuture<'a, MethodChange> {
        self.call(|state, now| {
            let sent = ["change card", subscription.as_str(), source_text(source)];
            let id = state.once(key, &sent, |state| {
                let customer = view_subscription(state, subscription.as_str())?.customer;
                let (_, token) = payer(state, key, &Payer { email: None, customer }, source)?;
                let id = format!("seti_{}", digest(&["setup", key.as_str()]));
                let step = match card_of(&token)?.behaviour {
                    Behaviour::Declined(code) => return Err(GatewayError::Declined(decline(code))),
                    Behaviour::Authenticates => SetupStep::Authenticating,
                    Behaviour::Pays | Behaviour::FailsWhenCharged => {
                        state.use_card(subscription.as_str(), &token, now);
                        SetupStep::Succeeded
                    }
                };
                state.setups.insert(id.clone(), Setup { subscription: subscription.as_str().to_owned(), token, step });
                Ok(id)
            })?;
            view_setup(state, &id)
        })
    }

    fn confirm_payment_method<'a>(
        &'a self,
        _: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        setup: &'a SetupId,
    ) -> GatewayFuture<'a, MethodChange> {
        self.call(|state, _| {
            let owner = state.setups.get(setup.as_str()).map(|stored| stored.subscription.as_str());
            if owner.is_some_and(|owner| owner != subscription.as_str()) {
                return Err(GatewayError::Refused("the setup is of another subscription".to_owned()));
            }
            view_setup(state, setup.as_str())
        })
    }

    fn refund<'a>(&'a self, key: &'a IdempotencyKey, request: &'a RefundRequest) -> GatewayFuture<'a, Refund> {
        self.call(|state, now| {
            let amount = request.amount.map_or_else(|| "all".to_owned(), |amount| amount.cents().to_string());
            let id = state.once(key, &["refund", request.payment.as_str(), &amount], |state| {
                let payment = state.payments.get_mut(request.payment.as_str()).ok_or_else(no_such_payment)?;
                let left = payment.cents - payment.refunded;
                let cents = request.amount.map_or(left, Money::cents);
                if cents <= 0 || cents > left {
                    return Err(GatewayError::Refused("a refund is above zero and at most what is left".to_owned()));
                }
                payment.refunded += cents;
                let checkout = payment.checkout.clone();
                let id = format!("re_{}", digest(&["refund", key.as_str()]));
                let payment = request.payment.as_str().to_owned();
                state.tell("refund", &payment, &checkout, now.millis());
                state.refunds.insert(id.clone(), state::Refund { payment, cents });
                Ok(id)
            })?;
            let refund = state.refunds.get(&id).ok_or_else(no_such_payment)?;
            Ok(Refund {
                id: RefundId::new(id),
                payment: PaymentId::new(refund.payment.clone()),
                amount: money(refund.cents),
                state: RefundState::Succeeded,
            })
        })
    }

    fn find_payment<'a>(&'a self, payment: &'a PaymentId) -> GatewayFuture<'a, Option<Payment>> {
        self.call(|state, _| Ok(view_payment(state, payment.as_str())))
    }

    fn verify_webhook<'a>(&'a self, webhook: WebhookRequest<'a>, now: Timestamp) -> WebhookFuture<'a> {
        let verified = signature::verify(&self.secret, webhook.header(SIGNATURE_HEADER), webhook.body, now);
        Box::pin(ready(verified.and_then(|()| read_event(webhook.body))))
    }
}

/// Postpones the next charge.
fn hold(
    subscription: &mut state::Subscription,
    hold: Hold,
    until: Timestamp,
    now: Timestamp,
) -> Result<(), GatewayError> {
    let end = subscription.period.map_or(now.millis(), |(_, end)| end);
    if until <= now || until.millis() < end {
        return Err(GatewayError::Refused("the next charge is put off to a later moment".to_owned()));
    }
    subscription.hold = Some(hold);
    subscription.next_charge_at = Some(until.millis());
    Ok(())
}

fn view_setup(state: &State, id: &str) -> Result<MethodChange, GatewayError> {
    let setup =
        state.setups.get(id).ok_or_else(|| GatewayError::Refused("the sandbox has no such setup".to_owned()))?;
    match setup.step {
        SetupStep::Authenticating => {
            Ok(MethodChange::RequiresAction { setup: SetupId::new(id), action: authenticate(id) })
        }
        SetupStep::Succeeded => Ok(MethodChange::Changed(card_of(&setup.token)?.method())),
        SetupStep::Failed => Err(GatewayError::Declined(decline("authentication_failed"))),
    }
}

fn read_event(body: &[u8]) -> Result<ProviderEvent, WebhookError> {
    let event: Event = serde_json::from_slice(body).map_err(|error| WebhookError::Unreadable(error.to_string()))?;
    let object = event.object;
    let kind = match event.kind.as_str() {
        "charge" => ProviderEventKind::Charge(ChargeId::new(object)),
        "subscription" => ProviderEventKind::Subscription(SubscriptionId::new(object)),
        "refund" => ProviderEventKind::Refund(PaymentId::new(object)),
        "dispute_opened" => ProviderEventKind::DisputeOpened(PaymentId::new(object)),
        "dispute_won" => ProviderEventKind::DisputeClosed { payment: PaymentId::new(object), won: true },
        "dispute_lost" => ProviderEventKind::DisputeClosed { payment: PaymentId::new(object), won: false },
        other => ProviderEventKind::Other(other.to_owned()),
    };
    Ok(ProviderEvent {
        id: ProviderEventId::new(event.id),
        provider: GatewayProvider::Sandbox,
        at: timestamp(event.created),
        kind,
        checkout: Some(CheckoutReference::new(event.checkout)),
    })
}

//! The contract's test rig for a provider: its gateway, a clock, payers, webhooks and faults.

use billing::gateway::{
    Charge, ChargeRequest, ChargeState, CheckoutReference, GatewayError, IdempotencyKey, NextAction, Payer,
    PaymentGateway, PaymentSource, ProviderSubscription, RenewalInterval, SubscribeRequest, SubscriptionState,
    SubscriptionTerms,
};
use kernel::{Email, FixedEnv, Money, SECOND, Timestamp};

/// 2026-06-15T12:00:00Z, the start of every test.
pub const START: Timestamp = Timestamp::from_millis(1_781_524_800_000);

/// The behavior of a payer's card or account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    Pays,
    /// Pays, with another card number or account.
    PaysWithAnother,
    Declined,
    Authenticates,
    /// Accepted when stored, declined when charged.
    FailsWhenCharged,
}

/// A fault between the server and the provider, which occurs once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No response; the provider did not act.
    SilentBefore,
    /// No response; the provider acted.
    SilentAfter,
    /// Status 500; the provider did not act.
    ErrorBefore,
    /// Status 500; the provider acted.
    ErrorAfter,
    /// Status 503; the provider did not act.
    Unavailable,
    /// Status 429.
    RateLimited,
    /// An unparsable response; the provider acted.
    Malformed,
    /// The connection breaks during the response; the provider acted.
    BrokenOff,
    /// The connection breaks before the provider acts.
    BrokenOffBefore,
}

impl Fault {
    pub const ALL: [Self; 9] = [
        Self::SilentBefore,
        Self::SilentAfter,
        Self::ErrorBefore,
        Self::ErrorAfter,
        Self::Unavailable,
        Self::RateLimited,
        Self::Malformed,
        Self::BrokenOff,
        Self::BrokenOffBefore,
    ];
}

/// A webhook as sent: headers and body.
pub type Webhook = (Vec<(String, String)>, Vec<u8>);

/// A gateway and its simulated provider.
pub trait Rig {
    fn gateway(&self) -> &dyn PaymentGateway;
    fn env(&self) -> &FixedEnv;
    /// A payment method with this behavior.
    fn source(&self, behaviour: Behaviour) -> PaymentSource;
    /// The payer completes or fails what the provider requires.
    fn act(&self, action: &NextAction, behaviour: Behaviour, succeeds: bool);
    /// Whether the payer must act at the provider before anything is charged.
    fn approves(&self) -> bool {
        false
    }
    /// Moves the clock forward and lets the provider process what is due.
    fn advance(&self, millis: i64);
    /// The webhooks sent since the last call.
    fn webhooks(&self) -> Vec<Webhook>;
    /// The maximum age of a webhook, in milliseconds.
    fn webhook_window(&self) -> i64 {
        300 * SECOND
    }
    /// What was taken less what was refunded, per payment, in cents.
    fn taken(&self) -> Vec<i64>;
    /// Makes the next call fail this way, including the gateway's own retries; `false` if the rig can't.
    fn inject(&self, _: Fault) -> bool {
        false
    }
    /// Ends all injected faults.
    fn heal(&self) {}
}

/// Moves clock and provider to this time.
pub fn advance_to(rig: &dyn Rig, at: Timestamp) {
    use kernel::Env;
    rig.advance(at.since(rig.env().now()));
}

pub fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey::new(text)
}

pub fn payer() -> Payer {
    Payer { email: Some(Email::parse("ada@example.com").unwrap()), customer: None }
}

pub fn charge_request(rig: &dyn Rig, checkout: &str, cents: i64, behaviour: Behaviour) -> ChargeRequest {
    ChargeRequest {
        checkout: CheckoutReference::new(checkout),
        amount: Money::from_cents(cents),
        description: "Lifetime".to_owned(),
        payer: payer(),
        source: rig.source(behaviour),
        return_url: "https://pith.example/payment/lifetime".to_owned(),
    }
}

pub fn terms(plan: &str, cents: i64, interval: RenewalInterval, trial_days: u32, first: i64) -> SubscriptionTerms {
    SubscriptionTerms {
        plan_id: plan.to_owned(),
        name: plan.to_uppercase(),
        price: Money::from_cents(cents),
        interval,
        trial_days,
        first_charge: Money::from_cents(first),
    }
}

pub fn subscribe_request(
    rig: &dyn Rig,
    checkout: &str,
    terms: SubscriptionTerms,
    behaviour: Behaviour,
) -> SubscribeRequest {
    SubscribeRequest {
        checkout: CheckoutReference::new(checkout),
        terms,
        payer: payer(),
        source: rig.source(behaviour),
        return_url: "https://pith.example/payment/monthly".to_owned(),
    }
}

/// Charges, with the payer's approval if the provider requires it.
pub async fn charge_through(
    rig: &dyn Rig,
    name: &str,
    request: &ChargeRequest,
    behaviour: Behaviour,
) -> Result<Charge, GatewayError> {
    let charge = rig.gateway().charge(&key(name), request).await?;
    match &charge.state {
        ChargeState::RequiresAction(action) if rig.approves() => {
            rig.act(action, behaviour, true);
            rig.gateway().confirm_charge(&key(name).step("confirm"), &charge.id, request.amount).await
        }
        _ => Ok(charge),
    }
}

/// Subscribes, with the payer's approval if the provider requires it.
pub async fn subscribe_through(
    rig: &dyn Rig,
    name: &str,
    request: &SubscribeRequest,
    behaviour: Behaviour,
) -> Result<ProviderSubscription, GatewayError> {
    let subscription = rig.gateway().subscribe(&key(name), request).await?;
    match &subscription.state {
        SubscriptionState::RequiresAction(action) if rig.approves() => {
            rig.act(action, behaviour, true);
            rig.gateway().confirm_subscription(&key(name).step("confirm"), &subscription.id).await
        }
        _ => Ok(subscription),
    }
}

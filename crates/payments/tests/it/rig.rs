//! What the contract needs of a provider besides its gateway: a clock, payers, webhooks, faults.

use billing::gateway::{
    Charge, ChargeRequest, ChargeState, CheckoutReference, GatewayError, IdempotencyKey, NextAction, Payer,
    PaymentGateway, PaymentSource, RenewalInterval, SubscribeRequest, Subscription, SubscriptionState,
    SubscriptionTerms,
};
use kernel::{Email, FixedEnv, Money, SECOND, Timestamp};

/// 2026-06-15T12:00:00Z: when the tests begin.
pub const START: Timestamp = Timestamp::from_millis(1_781_524_800_000);

/// How a payer's card or account behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    Pays,
    /// Pays too, with another number or account.
    PaysWithAnother,
    Declined,
    Authenticates,
    /// Is stored, and declined when it is charged.
    FailsWhenCharged,
}

/// Something that goes wrong once between the server and the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No answer; the provider did not act.
    SilentBefore,
    /// No answer; the provider acted.
    SilentAfter,
    /// 500; the provider did not act.
    ErrorBefore,
    /// 500; the provider acted.
    ErrorAfter,
    /// 503; the provider did not act.
    Unavailable,
    /// 429.
    RateLimited,
    /// An answer that can't be read; the provider acted.
    Malformed,
    /// The connection breaks off in the answer; the provider acted.
    BrokenOff,
    /// The connection breaks off before the provider acted.
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

/// A webhook as it is sent: headers and body.
pub type Webhook = (Vec<(String, String)>, Vec<u8>);

/// A gateway and its provider.
pub trait Rig {
    fn gateway(&self) -> &dyn PaymentGateway;
    fn env(&self) -> &FixedEnv;
    /// With what a payer pays who behaves so.
    fn source(&self, behaviour: Behaviour) -> PaymentSource;
    /// The payer does what the provider asks for, or fails to.
    fn act(&self, action: &NextAction, behaviour: Behaviour, succeeds: bool);
    /// Whether the payer acts at the provider before anything is charged.
    fn approves(&self) -> bool {
        false
    }
    /// Moves the clock and does at the provider what has become due.
    fn advance(&self, millis: i64);
    /// The webhooks that the provider has sent since the last call.
    fn webhooks(&self) -> Vec<Webhook>;
    /// How old a webhook may be, in milliseconds.
    fn webhook_window(&self) -> i64 {
        300 * SECOND
    }
    /// What the provider took less what it gave back, each payment in cents.
    fn taken(&self) -> Vec<i64>;
    /// The next call goes wrong so, and the repetitions that the gateway makes by itself. False: it can't.
    fn inject(&self, _: Fault) -> bool {
        false
    }
    /// Faults end.
    fn heal(&self) {}
}

/// Moves clock and provider to a moment.
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

/// Charges, with the payer's approval where the provider asks for it.
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

/// Subscribes, with the payer's approval where the provider asks for it.
pub async fn subscribe_through(
    rig: &dyn Rig,
    name: &str,
    request: &SubscribeRequest,
    behaviour: Behaviour,
) -> Result<Subscription, GatewayError> {
    let subscription = rig.gateway().subscribe(&key(name), request).await?;
    match &subscription.state {
        SubscriptionState::RequiresAction(action) if rig.approves() => {
            rig.act(action, behaviour, true);
            rig.gateway().confirm_subscription(&key(name).step("confirm"), &subscription.id).await
        }
        _ => Ok(subscription),
    }
}

//! Conversion of Stripe's objects into the types of the port.

use billing::gateway::{
    CardFingerprint, Charge, ChargeId, ChargeState, CheckoutReference, CustomerId, Decline, GatewayError, NextAction,
    Payment, PaymentId, PaymentMethod, ProviderSubscription, Renewal, RenewalInterval, SubscriptionId,
    SubscriptionState,
};
use kernel::{Money, Period, Timestamp};
use serde_json::Value;

use super::client::reference;
use crate::json::{needed, number, text};

/// A Stripe timestamp, which is in seconds.
fn moment(value: &Value, pointer: &str) -> Option<Timestamp> {
    number(value, pointer).map(|seconds| Timestamp::from_millis(seconds * 1000))
}

/// The time in seconds, as Stripe expects it.
pub(super) fn seconds(at: Timestamp) -> i64 {
    at.millis().div_euclid(1000)
}

fn checkout(value: &Value) -> Option<CheckoutReference> {
    text(value, "/metadata/checkout").map(CheckoutReference::new)
}

/// A card, from a payment method or from a charge's payment method details.
pub(super) fn payment_method(value: &Value) -> Option<PaymentMethod> {
    let kind = text(value, "/type")?;
    let card = value.get("card").filter(|card| card.is_object());
    Some(PaymentMethod {
        brand: card.and_then(|card| text(card, "/brand")).unwrap_or(kind).to_owned(),
        last4: card.and_then(|card| text(card, "/last4")).map(str::to_owned),
        expires: card.and_then(|card| {
            let month = u32::try_from(number(card, "/exp_month")?).ok()?;
            Some((month, u32::try_from(number(card, "/exp_year")?).ok()?))
        }),
        fingerprint: card.and_then(|card| text(card, "/fingerprint")).map(CardFingerprint::new),
    })
}

/// The payment of a successful payment intent. Requires `latest_charge` expanded.
pub(super) fn payment(intent: &Value) -> Result<Payment, GatewayError> {
    Ok(Payment {
        id: PaymentId::new(needed(text(intent, "/id"), "payment_intent.id")?),
        amount: Money::from_cents(needed(number(intent, "/amount_received"), "payment_intent.amount_received")?),
        refunded: Money::from_cents(number(intent, "/latest_charge/amount_refunded").unwrap_or_default()),
        at: needed(
            moment(intent, "/latest_charge/created").or_else(|| moment(intent, "/created")),
            "payment_intent.created",
        )?,
    })
}

/// The last error of an intent.
fn decline(intent: &Value, error: &str) -> Decline {
    let field = |name: &str| text(intent, &format!("/{error}/{name}"));
    Decline {
        code: field("decline_code").or_else(|| field("code")).unwrap_or("card_declined").to_owned(),
        message: field("message").unwrap_or("Your card was declined.").to_owned(),
    }
}

/// The authentication that an intent requires.
pub(super) fn authenticate(intent: &Value) -> Result<NextAction, GatewayError> {
    let client_secret = needed(text(intent, "/client_secret"), "client_secret")?.to_owned();
    Ok(NextAction::Authenticate { client_secret })
}

/// Converts a payment intent.
pub(super) fn charge(intent: &Value) -> Result<Charge, GatewayError> {
    let status = needed(text(intent, "/status"), "payment_intent.status")?;
    Ok(Charge {
        id: ChargeId::new(needed(text(intent, "/id"), "payment_intent.id")?),
        checkout: checkout(intent),
        amount: Money::from_cents(needed(number(intent, "/amount"), "payment_intent.amount")?),
        customer: reference(intent, "/customer").map(CustomerId::new),
        method: intent.pointer("/latest_charge/payment_method_details").and_then(payment_method),
        state: match status {
            "succeeded" => ChargeState::Succeeded(payment(intent)?),
            "requires_action" => ChargeState::RequiresAction(authenticate(intent)?),
            "requires_confirmation" => ChargeState::RequiresConfirmation,
            "requires_payment_method" => ChargeState::Failed(decline(intent, "last_payment_error")),
            "canceled" => ChargeState::Canceled,
            // `processing`, `requires_capture` and unknown states.
            _ => ChargeState::Processing,
        },
    })
}

/// The decline of a failed setup intent.
pub(super) fn setup_decline(intent: &Value) -> Decline {
    decline(intent, "last_setup_error")
}

/// A pause or deferral. At Stripe it is a trial until the next charge; our metadata stores the reason and the paid
/// period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hold {
    pub(super) is_pause: bool,
    pub(super) was_trial: bool,
    pub(super) paid: (i64, i64),
    pub(super) until: i64,
}

impl Hold {
    /// The metadata value.
    pub(super) fn to_text(self) -> String {
        let kind = if self.is_pause { "pause" } else { "defer" };
        let state = if self.was_trial { "trial" } else { "paid" };
        format!("{kind} {state} {} {} {}", self.paid.0, self.paid.1, self.until)
    }

    fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(' ').collect();
        let [kind, state, start, end, until] = parts[..] else { return None };
        Some(Self {
            is_pause: kind == "pause",
            was_trial: state == "trial",
            paid: (start.parse().ok()?, end.parse().ok()?),
            until: until.parse().ok()?,
        })
    }
}

fn period(start: i64, end: i64) -> Period {
    Period { starts_at: Timestamp::from_millis(start * 1000), ends_at: Some(Timestamp::from_millis(end * 1000)) }
}

/// Converts a subscription. Required expansions: `customer`, `default_payment_method`, `pending_setup_intent`,
/// `latest_invoice.confirmation_secret`.
pub(super) fn subscription(value: &Value) -> Result<ProviderSubscription, GatewayError> {
    let item = needed(value.pointer("/items/data/0"), "subscription.items")?;
    let start = needed(number(item, "/current_period_start"), "current_period_start")?;
    let end = needed(number(item, "/current_period_end"), "current_period_end")?;
    let status = needed(text(value, "/status"), "subscription.status")?;
    let trial_end = number(value, "/trial_end");
    let hold = text(value, "/metadata/hold")
        .and_then(Hold::parse)
        .filter(|hold| status == "trialing" && trial_end == Some(hold.until));
    let state = match status {
        "trialing" => match (hold, text(value, "/pending_setup_intent/status")) {
            (Some(hold), _) if hold.was_trial => SubscriptionState::Trialing,
            (Some(_), _) => SubscriptionState::Active,
            (None, None | Some("succeeded")) => SubscriptionState::Trialing,
            (None, Some(_)) => SubscriptionState::RequiresAction(authenticate(&value["pending_setup_intent"])?),
        },
        "active" => SubscriptionState::Active,
        "incomplete" => match value.pointer("/latest_invoice/confirmation_secret") {
            Some(secret) if secret.is_object() => SubscriptionState::RequiresAction(authenticate(secret)?),
            _ => SubscriptionState::RequiresAction(authenticate(&value["pending_setup_intent"])?),
        },
        "past_due" | "unpaid" | "paused" => SubscriptionState::PastDue,
        // `canceled`, `incomplete_expired` and unknown states: nothing will be charged.
        _ => SubscriptionState::Ended,
    };
    let is_yearly = text(item, "/price/recurring/interval") == Some("year");
    let interval = if is_yearly { RenewalInterval::Year } else { RenewalInterval::Month };
    let paid = match (hold, &state) {
        (Some(hold), _) => Some(period(hold.paid.0, hold.paid.1)),
        (None, SubscriptionState::RequiresAction(_)) => None,
        // The current period was not paid, so the paid one is the one before.
        (None, SubscriptionState::PastDue) => {
            let starts_at = match (number(value, "/trial_start"), trial_end) {
                (Some(trial_start), Some(trial_end)) if trial_end == start => {
                    Timestamp::from_millis(trial_start * 1000)
                }
                _ => Timestamp::from_millis(start * 1000).plus_months(-interval.months()),
            };
            Some(Period { starts_at, ends_at: Some(Timestamp::from_millis(start * 1000)) })
        }
        // It ended before the payer had authenticated, so it never ran.
        (None, SubscriptionState::Ended)
            if text(value, "/pending_setup_intent/status").is_some_and(|status| status != "succeeded") =>
        {
            None
        }
        (None, _) => (status != "incomplete_expired").then(|| period(start, end)),
    };
    let is_stopped = value["cancel_at_period_end"].as_bool() == Some(true) || number(value, "/cancel_at").is_some();
    let renewal = match hold {
        _ if is_stopped => Renewal::Stopped,
        // The hold was ended early: the next charge is due at the end of the paid period.
        Some(hold) if hold.until == hold.paid.1 => Renewal::On,
        Some(Hold { is_pause: true, until, .. }) => Renewal::PausedUntil(Timestamp::from_millis(until * 1000)),
        Some(Hold { until, .. }) => Renewal::DeferredUntil(Timestamp::from_millis(until * 1000)),
        None => Renewal::On,
    };
    let next_charge_at = match state {
        SubscriptionState::RequiresAction(_) | SubscriptionState::Ended => None,
        SubscriptionState::PastDue => moment(value, "/latest_invoice/next_payment_attempt"),
        _ => number(value, "/cancel_at").or(Some(end)).map(|at| Timestamp::from_millis(at * 1000)),
    };
    let checkout = checkout(value);
    Ok(ProviderSubscription {
        id: SubscriptionId::new(needed(text(value, "/id"), "subscription.id")?),
        checkout,
        plan_id: text(value, "/metadata/plan").map(str::to_owned),
        price: Money::from_cents(needed(number(item, "/price/unit_amount"), "price.unit_amount")?),
        // A negative balance is the customer's credit.
        credit: Money::from_cents(-number(value, "/customer/balance").unwrap_or_default().min(0)),
        customer: reference(value, "/customer").map(CustomerId::new),
        method: value.pointer("/default_payment_method").and_then(payment_method),
        state,
        renewal,
        period: paid,
        next_charge_at,
        trial_ends_at: trial_end.filter(|_| hold.is_none()).map(|at| Timestamp::from_millis(at * 1000)),
    })
}

pub(super) fn interval_text(interval: RenewalInterval) -> &'static str {
    match interval {
        RenewalInterval::Month => "month",
        RenewalInterval::Year => "year",
    }
}

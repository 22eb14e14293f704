//! Conversion of PayPal's objects into the types of the port.

use billing::gateway::{
    CardFingerprint, Charge, ChargeId, ChargeState, CheckoutReference, CustomerId, Decline, GatewayError, NextAction,
    Payment, PaymentId, PaymentMethod, ProviderSubscription, Renewal, RenewalInterval, SubscriptionId,
    SubscriptionState, SubscriptionTerms,
};
use kernel::{DAY, Money, Period, Timestamp};
use serde_json::{Value, json};

use crate::json::{needed, number, text};

/// An amount in PayPal's format.
pub(super) fn amount(sum: Money) -> Value {
    json!({ "currency_code": "USD", "value": sum.decimal() })
}

/// Parses an amount in dollars with up to two decimals; `None` for another currency or format.
pub(super) fn cents(value: &Value) -> Option<Money> {
    let text = text(value, "/value").filter(|_| text(value, "/currency_code") == Some("USD"))?;
    let (whole, part) = text.split_once('.').unwrap_or((text, "00"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || part.len() > 2 {
        return None;
    }
    let part: i64 = format!("{part:0<2}").parse().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(100)?.checked_add(part).map(Money::from_cents)
}

pub(super) fn moment(value: &Value, pointer: &str) -> Option<Timestamp> {
    let at: jiff::Timestamp = text(value, pointer)?.parse().ok()?;
    Some(Timestamp::from_millis(at.as_millisecond()))
}

fn link(value: &Value, names: &[&str]) -> Option<String> {
    let links = value["links"].as_array()?;
    let found = links.iter().find(|link| text(link, "/rel").is_some_and(|rel| names.contains(&rel)))?;
    text(found, "/href").map(str::to_owned)
}

/// The URL where the payer approves an order, a subscription or a revision.
pub(super) fn approval(value: &Value) -> Result<NextAction, GatewayError> {
    Ok(NextAction::Approve { url: needed(link(value, &["payer-action", "approve"]), "links.approve")? })
}

fn method(payer: Option<&str>) -> Option<PaymentMethod> {
    let fingerprint = Some(CardFingerprint::new(payer?));
    Some(PaymentMethod { brand: "paypal".to_owned(), last4: None, expires: None, fingerprint })
}

/// The state of a captured order. The status of the capture decides, not that of the order.
fn captured(order: &Value, capture: &Value) -> Result<ChargeState, GatewayError> {
    let state = match text(capture, "/status") {
        Some("COMPLETED" | "PARTIALLY_REFUNDED" | "REFUNDED") => {
            let refunds = order.pointer("/purchase_units/0/payments/refunds").and_then(Value::as_array);
            let refunded: i64 = refunds
                .into_iter()
                .flatten()
                .filter(|refund| text(refund, "/status") != Some("FAILED"))
                .filter_map(|refund| cents(&refund["amount"]))
                .map(Money::cents)
                .sum();
            ChargeState::Succeeded(Payment {
                id: PaymentId::new(needed(text(capture, "/id"), "capture.id")?),
                amount: needed(cents(&capture["amount"]), "capture.amount")?,
                refunded: Money::from_cents(refunded),
                at: needed(moment(capture, "/create_time"), "capture.create_time")?,
            })
        }
        Some(code @ ("DECLINED" | "FAILED")) => ChargeState::Failed(Decline {
            code: code.to_owned(),
            message: "PayPal declined the payment. Please choose another way to pay.".to_owned(),
        }),
        _ => ChargeState::Processing,
    };
    Ok(state)
}

/// Converts an order.
pub(super) fn charge(order: &Value) -> Result<Charge, GatewayError> {
    let unit = needed(order.pointer("/purchase_units/0"), "order.purchase_units")?;
    let payer = text(order, "/payment_source/paypal/account_id").or_else(|| text(order, "/payer/payer_id"));
    let state = match (unit.pointer("/payments/captures/0"), text(order, "/status")) {
        (Some(capture), _) => captured(order, capture)?,
        (None, Some("APPROVED")) => ChargeState::RequiresConfirmation,
        (None, Some("VOIDED")) => ChargeState::Canceled,
        (None, Some("CREATED" | "SAVED" | "PAYER_ACTION_REQUIRED")) => ChargeState::RequiresAction(approval(order)?),
        (None, _) => ChargeState::Processing,
    };
    Ok(Charge {
        id: ChargeId::new(needed(text(order, "/id"), "order.id")?),
        checkout: text(unit, "/custom_id").map(CheckoutReference::new),
        amount: needed(cents(&unit["amount"]), "order.amount")?,
        customer: payer.map(CustomerId::new),
        method: method(payer),
        state,
    })
}

/// The terms of a plan, encoded in its name at PayPal, so that a plan can be found by them and decoded from it.
pub(super) fn plan_name(terms: &SubscriptionTerms) -> String {
    let interval = if terms.interval == RenewalInterval::Year { "year" } else { "month" };
    let (price, first) = (terms.price.cents(), terms.first_charge.cents());
    format!("{} {price} {interval} {} {first}", terms.plan_id, terms.trial_days)
}

struct PlanTerms {
    plan_id: String,
    price: Money,
    interval: RenewalInterval,
    trial_days: i64,
}

fn parse_plan(name: &str) -> Option<PlanTerms> {
    let parts: Vec<&str> = name.split(' ').collect();
    let [plan_id, price, interval, trial_days, _] = parts[..] else { return None };
    Some(PlanTerms {
        plan_id: plan_id.to_owned(),
        price: Money::from_cents(price.parse().ok()?),
        interval: if interval == "year" { RenewalInterval::Year } else { RenewalInterval::Month },
        trial_days: trial_days.parse().ok()?,
    })
}

/// Why we suspended a subscription, and the paid period: encoded in the note that PayPal stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Suspension {
    pub(super) renewal: Renewal,
    pub(super) was_trial: bool,
    pub(super) paid: Period,
}

impl Suspension {
    /// The text of the note.
    pub(super) fn to_text(self) -> String {
        let (kind, until) = match self.renewal {
            Renewal::PausedUntil(until) => ("paused", until.millis()),
            Renewal::DeferredUntil(until) => ("deferred", until.millis()),
            Renewal::On | Renewal::Stopped => ("stopped", 0),
        };
        let state = if self.was_trial { "trial" } else { "paid" };
        let end = self.paid.ends_at.map_or(0, Timestamp::millis);
        format!("{kind} {state} {} {end} {until}", self.paid.starts_at.millis())
    }

    fn parse(note: &str) -> Option<Self> {
        let parts: Vec<&str> = note.split(' ').collect();
        let [kind, state, start, end, until] = parts[..] else { return None };
        let moment = |text: &str| text.parse().ok().map(Timestamp::from_millis);
        let until = moment(until)?;
        Some(Self {
            renewal: match kind {
                "paused" => Renewal::PausedUntil(until),
                "deferred" => Renewal::DeferredUntil(until),
                "stopped" => Renewal::Stopped,
                _ => return None,
            },
            was_trial: state == "trial",
            paid: Period { starts_at: moment(start)?, ends_at: Some(moment(end)?) },
        })
    }
}

/// Converts a subscription, read together with its plan.
pub(super) fn subscription(value: &Value) -> Result<ProviderSubscription, GatewayError> {
    let plan = text(value, "/plan/name").and_then(parse_plan);
    let interval = plan.as_ref().map_or(RenewalInterval::Month, |plan| plan.interval);
    let next = moment(value, "/billing_info/next_billing_time");
    let last = moment(value, "/billing_info/last_payment/time");
    let failures = number(value, "/billing_info/failed_payments_count").unwrap_or_default();
    let trial = match (&plan, moment(value, "/start_time")) {
        (Some(plan), Some(start)) if plan.trial_days > 0 => {
            Some(Period { starts_at: start, ends_at: Some(start.plus(plan.trial_days * DAY)) })
        }
        _ => None,
    };
    // The latest paid period or the trial, in calendar months.
    let by_calendar =
        last.map(|at| Period { starts_at: at, ends_at: Some(at.plus_months(interval.months())) }).or(trial);
    let is_trial = last.is_none() && trial.is_some();
    let running = if is_trial { SubscriptionState::Trialing } else { SubscriptionState::Active };
    let suspension = text(value, "/status_change_note").and_then(Suspension::parse);
    let (state, renewal, period, next_charge_at) = match (text(value, "/status"), suspension) {
        (Some("APPROVAL_PENDING"), _) => (SubscriptionState::RequiresAction(approval(value)?), Renewal::On, None, None),
        (Some("ACTIVE" | "APPROVED"), _) if failures > 0 => {
            (SubscriptionState::PastDue, Renewal::On, by_calendar, next)
        }
        (Some("ACTIVE" | "APPROVED"), _) => {
            let starts_at = by_calendar.map(|period| period.starts_at).or_else(|| moment(value, "/start_time"));
            let period = starts_at.map(|starts_at| Period { starts_at, ends_at: next });
            (running, Renewal::On, period, next)
        }
        (Some("SUSPENDED"), Some(suspension)) => {
            let state = if suspension.was_trial { SubscriptionState::Trialing } else { SubscriptionState::Active };
            let next = match suspension.renewal {
                Renewal::PausedUntil(until) | Renewal::DeferredUntil(until) => Some(until),
                Renewal::On | Renewal::Stopped => suspension.paid.ends_at,
            };
            (state, suspension.renewal, Some(suspension.paid), next)
        }
        // Suspended by the payer at PayPal or by PayPal: nothing more is collected.
        (Some("SUSPENDED"), None) => {
            let end = by_calendar.and_then(|period| period.ends_at);
            (running, Renewal::Stopped, by_calendar, end)
        }
        _ => (SubscriptionState::Ended, Renewal::Stopped, by_calendar, None),
    };
    let payer = text(value, "/subscriber/payer_id");
    Ok(ProviderSubscription {
        id: SubscriptionId::new(needed(text(value, "/id"), "subscription.id")?),
        checkout: text(value, "/custom_id").map(CheckoutReference::new),
        price: plan.as_ref().map_or(Money::from_cents(0), |plan| plan.price),
        credit: Money::from_cents(0),
        plan_id: plan.map(|plan| plan.plan_id),
        customer: payer.map(CustomerId::new),
        method: method(payer),
        state,
        renewal,
        period,
        next_charge_at,
        trial_ends_at: trial.and_then(|trial| trial.ends_at),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read_to_the_cent_and_in_dollars_only() {
        let read = |value: &str, currency: &str| {
            cents(&json!({ "currency_code": currency, "value": value })).map(Money::cents)
        };
        for (text, sum) in [("149.00", 14_900), ("0.05", 5), ("9.9", 990), ("12", 1_200), ("0.00", 0)] {
            assert_eq!(read(text, "USD"), Some(sum), "{text}");
        }
        for text in ["", "1.005", "-1.00", "1,00", "1.", ".5", "1e3", "99999999999999999999"] {
            assert_eq!(read(text, "USD"), None, "{text}");
        }
        assert_eq!(read("1.00", "EUR"), None);
        assert_eq!(amount(Money::from_cents(5)), json!({ "currency_code": "USD", "value": "0.05" }));
    }

    #[test]
    fn a_note_of_ours_says_why_and_what_was_paid() {
        let paid = Period { starts_at: Timestamp::from_millis(1), ends_at: Some(Timestamp::from_millis(2)) };
        for renewal in [
            Renewal::Stopped,
            Renewal::PausedUntil(Timestamp::from_millis(9)),
            Renewal::DeferredUntil(Timestamp::from_millis(9)),
        ] {
            let suspension = Suspension { renewal, was_trial: false, paid };
            assert!(suspension.to_text().len() <= 128);
            assert_eq!(Suspension::parse(&suspension.to_text()), Some(suspension));
        }
        assert_eq!(Suspension::parse("The payer asked for it"), None);
    }
}

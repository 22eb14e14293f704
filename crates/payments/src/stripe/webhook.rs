//! Stripe's events. Only the needed fields are read, so that unknown fields can't make us lose an event.

use billing::gateway::{
    ChargeId, CheckoutReference, CustomerId, GatewayProvider, PaymentId, ProviderEvent, ProviderEventId,
    ProviderEventKind, SubscriptionId, WebhookError,
};
use kernel::Timestamp;
use serde_json::Value;

use super::client::reference;
use crate::json::{number, text};

/// Parses a verified body.
pub(super) fn read_event(body: &[u8]) -> Result<ProviderEvent, WebhookError> {
    let event: Value = serde_json::from_slice(body).map_err(|error| WebhookError::Unreadable(error.to_string()))?;
    let missing = |name: &str| WebhookError::Unreadable(format!("{name} is missing"));
    let id = text(&event, "/id").ok_or_else(|| missing("id"))?;
    let name = text(&event, "/type").ok_or_else(|| missing("type"))?;
    let created = number(&event, "/created").ok_or_else(|| missing("created"))?;
    let object = event.pointer("/data/object").ok_or_else(|| missing("data.object"))?;
    Ok(ProviderEvent {
        id: ProviderEventId::new(id),
        provider: GatewayProvider::Stripe,
        at: Timestamp::from_millis(created.saturating_mul(1000)),
        kind: kind(name, object).unwrap_or_else(|| ProviderEventKind::Other(name.to_owned())),
        checkout: text(object, "/metadata/checkout").map(CheckoutReference::new),
    })
}

fn kind(name: &str, object: &Value) -> Option<ProviderEventKind> {
    let payment = || reference(object, "/payment_intent").map(PaymentId::new);
    let id = || text(object, "/id");
    Some(match name {
        "charge.dispute.created" => ProviderEventKind::DisputeOpened(payment()?),
        "charge.dispute.closed" => ProviderEventKind::DisputeClosed {
            payment: payment()?,
            won: matches!(text(object, "/status"), Some("won" | "warning_closed" | "prevented")),
        },
        "charge.refunded" => ProviderEventKind::Refund(payment()?),
        _ if name.starts_with("refund.") || name.starts_with("charge.refund.") => ProviderEventKind::Refund(payment()?),
        _ if name.starts_with("payment_intent.") => ProviderEventKind::Charge(ChargeId::new(id()?)),
        _ if name.starts_with("customer.subscription.") => ProviderEventKind::Subscription(SubscriptionId::new(id()?)),
        _ if name.starts_with("invoice.") => {
            let subscription = reference(object, "/parent/subscription_details/subscription")
                .or_else(|| reference(object, "/subscription"));
            ProviderEventKind::Subscription(SubscriptionId::new(subscription?))
        }
        "customer.updated" | "customer.deleted" => ProviderEventKind::Customer(CustomerId::new(id()?)),
        _ if name.starts_with("setup_intent.") || name.starts_with("payment_method.") => {
            ProviderEventKind::Customer(CustomerId::new(reference(object, "/customer")?))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kind_of(name: &str, object: &Value) -> ProviderEventKind {
        let body = json!({ "id": "evt_1", "type": name, "created": 1_781_524_800, "data": { "object": object } });
        read_event(body.to_string().as_bytes()).unwrap().kind
    }

    #[test]
    fn an_event_names_the_object_that_changed() {
        let subscription = ProviderEventKind::Subscription(SubscriptionId::new("sub_1"));
        let payment = PaymentId::new("pi_1");
        for (name, object, kind) in [
            ("payment_intent.succeeded", json!({"id": "pi_1"}), ProviderEventKind::Charge(ChargeId::new("pi_1"))),
            ("customer.subscription.deleted", json!({"id": "sub_1"}), subscription.clone()),
            (
                "invoice.paid",
                json!({"id": "in_1", "parent": {"subscription_details": {"subscription": "sub_1"}}}),
                subscription.clone(),
            ),
            ("invoice.payment_failed", json!({"id": "in_1", "subscription": {"id": "sub_1"}}), subscription),
            (
                "charge.refunded",
                json!({"id": "ch_1", "payment_intent": "pi_1"}),
                ProviderEventKind::Refund(payment.clone()),
            ),
            (
                "refund.failed",
                json!({"id": "re_1", "payment_intent": "pi_1"}),
                ProviderEventKind::Refund(payment.clone()),
            ),
            (
                "charge.dispute.created",
                json!({"id": "dp_1", "payment_intent": "pi_1", "status": "needs_response"}),
                ProviderEventKind::DisputeOpened(payment.clone()),
            ),
            (
                "charge.dispute.closed",
                json!({"id": "dp_1", "payment_intent": "pi_1", "status": "lost"}),
                ProviderEventKind::DisputeClosed { payment: payment.clone(), won: false },
            ),
            (
                "charge.dispute.closed",
                json!({"id": "dp_1", "payment_intent": "pi_1", "status": "won"}),
                ProviderEventKind::DisputeClosed { payment, won: true },
            ),
            (
                "setup_intent.succeeded",
                json!({"id": "seti_1", "customer": "cus_1"}),
                ProviderEventKind::Customer(CustomerId::new("cus_1")),
            ),
            ("invoice.paid", json!({"id": "in_1"}), ProviderEventKind::Other("invoice.paid".to_owned())),
            ("payout.paid", json!({"id": "po_1"}), ProviderEventKind::Other("payout.paid".to_owned())),
        ] {
            assert_eq!(kind_of(name, &object), kind, "{name}");
        }
    }

    #[test]
    fn a_body_that_is_no_event_is_refused() {
        for body in [
            "",
            "[]",
            "{}",
            r#"{"id":"evt_1","type":"a","created":"now","data":{"object":{}}}"#,
            r#"{"id":"evt_1","type":"a","created":1}"#,
        ] {
            assert!(matches!(read_event(body.as_bytes()), Err(WebhookError::Unreadable(_))), "{body}");
        }
    }
}

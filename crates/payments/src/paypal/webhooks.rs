//! PayPal's webhooks: checks that need no call to PayPal, and the conversion of events.

use std::time::Duration;

use billing::gateway::{
    ChargeId, CheckoutReference, CustomerId, GatewayProvider, PaymentId, ProviderEvent, ProviderEventId,
    ProviderEventKind, SubscriptionId, WEBHOOK_TOLERANCE, WebhookError, WebhookRequest,
};
use kernel::Timestamp;
use serde_json::{Value, json};
use url::{Host, Url};

use super::objects::moment;
use crate::json::text;

/// How long PayPal retries a webhook, with the time of the first attempt.
const RETRY_WINDOW: Duration = Duration::from_hours(72);
/// The maximum length of a signature header, in bytes.
const MAX_HEADER: usize = 1_024;
/// The domain of PayPal's certificates, including its subdomains.
const CERTIFICATE_HOST: &str = "paypal.com";

/// A webhook with valid form and age. Its signature is not verified, so anyone may have sent it.
pub(super) struct Plausible<'a> {
    /// The request fields for PayPal's verification, without the event.
    pub(super) fields: Value,
    /// The body of the event, unchanged.
    pub(super) raw: &'a str,
    pub(super) event: ProviderEvent,
}

/// Checks headers, age and body of a webhook. Only one that passes is worth a request to PayPal.
pub(super) fn judge(webhook: WebhookRequest<'_>, now: Timestamp) -> Result<Plausible<'_>, WebhookError> {
    let header = |name: &str| webhook.header(name).ok_or(WebhookError::Unsigned);
    let time = header("paypal-transmission-time")?;
    let [algorithm, certificate, id, signature] =
        ["paypal-auth-algo", "paypal-cert-url", "paypal-transmission-id", "paypal-transmission-sig"].map(header);
    let (algorithm, certificate, id, signature) = (algorithm?, certificate?, id?, signature?);
    let sent = moment(&json!({ "time": time }), "/time").ok_or(WebhookError::WrongSignature)?;
    let is_word = |text: &str, more: &str| {
        let is_part = |b: u8| b.is_ascii_alphanumeric() || more.as_bytes().contains(&b);
        !text.is_empty() && text.len() <= MAX_HEADER && text.bytes().all(is_part)
    };
    if !is_word(algorithm, "") || !is_word(id, "-") || !is_word(signature, "+/=") || !is_certificate(certificate) {
        return Err(WebhookError::WrongSignature);
    }
    let (age, window) = (now.since(sent), i64::try_from(RETRY_WINDOW.as_millis()).unwrap_or(i64::MAX));
    let ahead = i64::try_from(WEBHOOK_TOLERANCE.as_millis()).unwrap_or_default();
    if age > window || -age > ahead {
        return Err(WebhookError::TooOld);
    }
    let unreadable = |error: String| WebhookError::Unreadable(error);
    let raw = str::from_utf8(webhook.body).map_err(|error| unreadable(error.to_string()))?;
    let event: Value = serde_json::from_str(raw).map_err(|error| unreadable(error.to_string()))?;
    let fields = json!({
        "auth_algo": algorithm, "cert_url": certificate, "transmission_id": id, "transmission_sig": signature,
        "transmission_time": time,
    });
    Ok(Plausible { fields, raw, event: read_event(&event)? })
}

/// Whether a certificate URL belongs to PayPal.
fn is_certificate(url: &str) -> bool {
    let Some(url) = Some(url).filter(|url| url.len() <= MAX_HEADER).and_then(|url| Url::parse(url).ok()) else {
        return false;
    };
    let is_paypal = match url.host() {
        Some(Host::Domain(host)) => {
            host.strip_suffix(CERTIFICATE_HOST).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        }
        Some(Host::Ipv4(_) | Host::Ipv6(_)) | None => false,
    };
    is_paypal
        && url.scheme() == "https"
        && url.port().is_none()
        && url.username().is_empty()
        && url.password().is_none()
}

/// The id at the end of a link in an event's resource.
fn linked(resource: &Value, rel: &str) -> Option<String> {
    let links = resource["links"].as_array()?;
    let link = links.iter().find(|link| text(link, "/rel") == Some(rel))?;
    text(link, "/href")?.rsplit('/').next().map(str::to_owned)
}

fn read_event(event: &Value) -> Result<ProviderEvent, WebhookError> {
    let missing = |name: &str| WebhookError::Unreadable(format!("{name} is missing"));
    let name = text(event, "/event_type").ok_or_else(|| missing("event_type"))?;
    let resource = &event["resource"];
    let id = text(resource, "/id");
    let payment = || id.map(PaymentId::new);
    let disputed = || text(resource, "/disputed_transactions/0/seller_transaction_id").map(PaymentId::new);
    let kind = match name {
        "CHECKOUT.ORDER.APPROVED" | "CHECKOUT.ORDER.COMPLETED" | "CHECKOUT.PAYMENT-APPROVAL.REVERSED" => {
            id.map(|id| ProviderEventKind::Charge(ChargeId::new(id)))
        }
        "PAYMENT.CAPTURE.COMPLETED" | "PAYMENT.CAPTURE.DENIED" | "PAYMENT.CAPTURE.PENDING" => {
            let order = text(resource, "/supplementary_data/related_ids/order_id");
            order.map(|order| ProviderEventKind::Charge(ChargeId::new(order)))
        }
        // The resource is the refund, which links to its capture.
        "PAYMENT.CAPTURE.REFUNDED" => linked(resource, "up").map(|id| ProviderEventKind::Refund(PaymentId::new(id))),
        "PAYMENT.CAPTURE.REVERSED" => {
            linked(resource, "up").map(PaymentId::new).or_else(payment).map(ProviderEventKind::Refund)
        }
        "PAYMENT.SALE.REFUNDED" | "PAYMENT.SALE.REVERSED" => {
            text(resource, "/sale_id").map(PaymentId::new).or_else(payment).map(ProviderEventKind::Refund)
        }
        "PAYMENT.SALE.COMPLETED" | "PAYMENT.SALE.DENIED" | "PAYMENT.SALE.PENDING" => {
            let subscription = text(resource, "/billing_agreement_id");
            subscription.map(|id| ProviderEventKind::Subscription(SubscriptionId::new(id)))
        }
        "CUSTOMER.DISPUTE.CREATED" => disputed().map(ProviderEventKind::DisputeOpened),
        "CUSTOMER.DISPUTE.RESOLVED" => disputed().map(|payment| ProviderEventKind::DisputeClosed {
            payment,
            won: matches!(
                text(resource, "/dispute_outcome/outcome_code"),
                Some("RESOLVED_SELLER_FAVOUR" | "CANCELED_BY_BUYER" | "DENIED")
            ),
        }),
        "IDENTITY.AUTHORIZATION-CONSENT.REVOKED" => id.map(|id| ProviderEventKind::Customer(CustomerId::new(id))),
        _ if name.starts_with("BILLING.SUBSCRIPTION.") => {
            id.map(|id| ProviderEventKind::Subscription(SubscriptionId::new(id)))
        }
        _ => None,
    };
    let checkout = text(resource, "/custom_id").or_else(|| text(resource, "/purchase_units/0/custom_id"));
    Ok(ProviderEvent {
        id: ProviderEventId::new(text(event, "/id").ok_or_else(|| missing("id"))?),
        provider: GatewayProvider::PayPal,
        at: moment(event, "/create_time").ok_or_else(|| missing("create_time"))?,
        kind: kind.unwrap_or_else(|| ProviderEventKind::Other(name.to_owned())),
        checkout: checkout.map(CheckoutReference::new),
    })
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, SECOND};

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_781_524_800_000);
    const BODY: &str = r#"{"id":"WH-1","event_type":"X","create_time":"2026-06-15T12:00:00Z","resource":{}}"#;

    fn judged(changed: &str, value: &str, body: &str, now: Timestamp) -> Result<(), WebhookError> {
        let headers = [
            ("paypal-auth-algo", "SHA256withRSA"),
            ("paypal-cert-url", "https://api.paypal.com/v1/notifications/certs/CERT-360caa42"),
            ("paypal-transmission-id", "b2384410-f8d2-11e4-8bf3-77339302725b"),
            (
                "paypal-transmission-sig",
                "vSOIQFIZQHv8G2vpbOpD/4fSC4/MYhdHyv+AmgJyeJQq6q5avWyHIe/zL6qO5hle192HSqKbYveLoFXGJun2od2zXN3Q45VBXwdX3woXYGaNq532flAtiYin+tQ/0pNwRDsVIufCxa3a8HskaXy+YEfXNnwCSL287esD3HgOHmuAs0mYKQdbR4e8Evk8XOOQaZzGeV7GNXXz19gzzvyHbsbHmDz5VoRl9so5OoHqvnc5RtgjZfG8KA9lXh2MTPSbtdTLQb9ikKYnOGM+FasFMxk5stJisgmxaefpO9Q1qm3rCjaJ29aAOyDNr3Q7WkeN3w4bSXtFMwyRBOF28pJg9g==",
            ),
            ("paypal-transmission-time", "2026-06-15T12:00:00Z"),
        ];
        let headers: Vec<(String, String)> = headers
            .into_iter()
            .map(|(name, given)| (name.to_owned(), if name == changed { value } else { given }.to_owned()))
            .collect();
        judge(WebhookRequest { headers: &headers, body: body.as_bytes() }, now).map(|_| ())
    }

    #[test]
    fn a_webhook_of_paypals_form_is_worth_a_request() {
        assert_eq!(judged("", "", BODY, NOW), Ok(()));
        assert_eq!(judged("", "", BODY, NOW.plus(3 * DAY)), Ok(()), "as long as PayPal sends it again");
        for host in ["api.sandbox.paypal.com", "api-m.paypal.com", "paypal.com"] {
            assert_eq!(judged("paypal-cert-url", &format!("https://{host}/certs/A"), BODY, NOW), Ok(()), "{host}");
        }
    }

    #[test]
    fn a_webhook_of_another_age_form_or_certificate_is_worth_none() {
        for now in [NOW.plus(3 * DAY + SECOND), NOW.plus(-301 * SECOND)] {
            assert_eq!(judged("", "", BODY, now), Err(WebhookError::TooOld));
        }
        for (name, value) in [
            ("paypal-cert-url", "https://example.com/certs/A"),
            ("paypal-cert-url", "https://paypal.com.example.com/certs/A"),
            ("paypal-cert-url", "https://notpaypal.com/certs/A"),
            ("paypal-cert-url", "https://api.paypal.com@example.com/A"),
            ("paypal-cert-url", "https://api.paypal.com:8443/A"),
            ("paypal-cert-url", "http://api.paypal.com/A"),
            ("paypal-cert-url", "certs"),
            ("paypal-auth-algo", "SHA256 with RSA"),
            ("paypal-transmission-id", ""),
            ("paypal-transmission-sig", "not base64!"),
            ("paypal-transmission-time", "yesterday"),
        ] {
            assert_eq!(judged(name, value, BODY, NOW), Err(WebhookError::WrongSignature), "{name}: {value}");
        }
        for body in ["", "{}", "[]", r#"{"id":"WH-1","event_type":"X"}"#] {
            assert!(matches!(judged("", "", body, NOW), Err(WebhookError::Unreadable(_))), "{body}");
        }
        assert!(matches!(judge(WebhookRequest { headers: &[], body: b"{}" }, NOW), Err(WebhookError::Unsigned)));
    }
}

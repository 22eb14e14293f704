//! PayPal's webhooks, which PayPal verifies itself, and its plans: PayPal is asked no more often than is needed.

use crate::harness::{Reply, START, TestApp, reply};
use reqwest::Method;
use serde_json::json;
use testing::{PayPalDouble, paypal::PayPalPayer};

/// Sends a webhook as PayPal does, with other values of some headers.
async fn send(app: &TestApp, changed: &[(&str, &str)], body: &str) -> Reply {
    let headers = [
        ("paypal-auth-algo", "SHA256withRSA"),
        ("paypal-cert-url", "https://api.paypal.com/v1/notifications/certs/CERT"),
        ("paypal-transmission-sig", "c2lnbmF0dXJl"),
        ("paypal-transmission-id", "b2384410-f8d2-11e4-8bf3-77339302725b"),
        ("paypal-transmission-time", "2026-06-15T12:00:00Z"),
    ];
    let mut request = app.request(Method::POST, "/api/paypal/webhook").body(body.to_owned());
    for (name, value) in headers {
        let value = changed.iter().find(|(other, _)| *other == name).map_or(value, |(_, value)| value);
        request = request.header(name, value);
    }
    reply(request).await
}

const EVENT: &str = r#"{"id":"WH-1","event_type":"CHECKOUT.ORDER.APPROVED","create_time":"2026-06-15T12:00:00Z","resource":{"id":"1"}}"#;

#[actix_web::test]
async fn a_webhook_that_can_not_be_paypals_makes_no_request_and_writes_nothing() {
    let double = PayPalDouble::start(START.millis() / 1_000);
    let app = TestApp::start_with_paypal(&double, &[]).await;
    assert_eq!(reply(app.request(Method::POST, "/api/paypal/webhook").body(EVENT)).await.status, 400);
    for changed in [
        ("paypal-transmission-time", "2026-06-12T11:00:00Z"),
        ("paypal-transmission-time", "2026-06-15T12:06:00Z"),
        ("paypal-transmission-time", "now"),
        ("paypal-cert-url", "https://certs.example.com/paypal.com"),
        ("paypal-transmission-sig", "{}"),
    ] {
        assert_eq!(send(&app, &[changed], EVENT).await.status, 400, "{changed:?}");
    }
    for body in ["", "not json", "{}"] {
        assert_eq!(send(&app, &[], body).await.status, 400, "{body}");
    }
    assert_eq!(double.requests(), Vec::<String>::new());
    assert_eq!((app.count("provider_events"), app.count("rate_limits")), (0, 0));
}

#[actix_web::test]
async fn webhooks_that_paypal_does_not_verify_are_limited_by_ip_address_and_its_own_are_not() {
    let double = PayPalDouble::start(START.millis() / 1_000);
    let app = TestApp::start_with_paypal(&double, &[("RATE_LIMIT_WEBHOOK", "2/3600")]).await;
    let asked = || double.requests().iter().filter(|request| request.contains("verify-webhook")).count();
    // PayPal's own, as many as there are.
    for n in 0..5 {
        let body = json!({ "planId": "gift", "email": format!("buyer{n}@example.com") });
        let order = app.post("/api/paypal/order", body).await.result();
        double.approve(order["approveUrl"].as_str().expect("a page"), PayPalPayer::Pays);
    }
    let genuine = double.take_webhooks();
    assert!(genuine.len() > 2);
    for webhook in &genuine {
        let mut request = app.request(Method::POST, "/api/paypal/webhook").body(webhook.body.clone());
        for (name, value) in &webhook.headers {
            request = request.header(name, value);
        }
        assert_eq!(reply(request).await.status, 200);
    }
    let before = asked();
    for status in [400, 400, 429, 429] {
        assert_eq!(send(&app, &[], EVENT).await.status, status);
    }
    assert_eq!(asked() - before, 2, "those over the limit are not passed on");
    let refused = send(&app, &[], EVENT).await;
    refused.fails(429, "too_many_tries", "Too many attempts. Please try again in 30 minutes.");
    assert_eq!(refused.headers["retry-after"], "1800");
}

#[actix_web::test]
async fn many_prices_of_a_plan_ask_paypal_for_it_once() {
    let double = PayPalDouble::start(START.millis() / 1_000);
    let app = TestApp::start_with_paypal(&double, &[]).await;
    let asked = || double.requests().iter().filter(|request| request.contains("/v1/")).count();
    let price = async |plan: &str| app.post("/api/charge/price", json!({ "planId": plan })).await.result();
    let first = price("monthly").await;
    assert!(first["paypalPlan"].is_string());
    let once = asked();
    for _ in 0..10 {
        assert_eq!(price("monthly").await["paypalPlan"], first["paypalPlan"]);
    }
    assert_eq!(asked(), once);
    // What does not renew has no plan there.
    price("lifetime").await;
    assert_eq!(asked(), once);
}

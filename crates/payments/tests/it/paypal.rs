//! The contract for PayPal against its double, and the double checked against PayPal's OpenAPI documents.

use std::{sync::Arc, time::Duration};

use billing::gateway::{
    ChargeState, GatewayError, Lookup, NextAction, PaymentGateway, PaymentSource, ProviderEventKind, Renewal,
    RenewalInterval, SubscriptionState, WebhookError, WebhookRequest,
};
use kernel::{DAY, Env, FixedEnv, HOUR, SECOND, Secret};
use payments::{PayPal, PayPalConfig};
use serde_json::Value;
use testing::{PayPalDouble, paypal::PayPalPayer};

use crate::{
    rig::{
        Behaviour, Fault, Rig, START, Webhook, charge_request, charge_through, key, subscribe_request,
        subscribe_through, terms,
    },
    stripe::provider_fault,
};

struct PayPalRig {
    env: Arc<FixedEnv>,
    double: PayPalDouble,
    gateway: PayPal,
}

fn config(url: &str) -> PayPalConfig {
    PayPalConfig {
        api: url.parse().unwrap(),
        client_id: testing::paypal::CLIENT_ID.to_owned(),
        client_secret: Secret::new(testing::paypal::CLIENT_SECRET),
        webhook_id: testing::paypal::WEBHOOK_ID.to_owned(),
        timeout: Duration::from_millis(500),
    }
}

fn rig() -> PayPalRig {
    // The server installs it at startup; another test may have done so already.
    rustls::crypto::ring::default_provider().install_default().ok();
    let env = Arc::new(FixedEnv::at(START));
    let double = PayPalDouble::start(START.millis() / 1000);
    let gateway = PayPal::new(config(double.url()), env.clone()).unwrap();
    PayPalRig { env, double, gateway }
}

impl Rig for PayPalRig {
    fn gateway(&self) -> &dyn PaymentGateway {
        &self.gateway
    }

    fn env(&self) -> &FixedEnv {
        &self.env
    }

    fn source(&self, _: Behaviour) -> PaymentSource {
        PaymentSource::Approval {
            return_url: "https://pith.example/payment/back".to_owned(),
            cancel_url: "https://pith.example/payment/lifetime".to_owned(),
        }
    }

    fn act(&self, action: &NextAction, behaviour: Behaviour, succeeds: bool) {
        let NextAction::Approve { url } = action else { panic!("{action:?}") };
        let payer = match behaviour {
            Behaviour::Pays | Behaviour::Authenticates => PayPalPayer::Pays,
            Behaviour::PaysWithAnother => PayPalPayer::PaysToo,
            Behaviour::Declined | Behaviour::FailsWhenCharged => PayPalPayer::Declined,
        };
        if succeeds {
            self.double.approve(url, payer);
        }
    }

    fn approves(&self) -> bool {
        true
    }

    fn advance(&self, millis: i64) {
        self.env.advance(millis);
        self.double.advance_to(self.env.now().millis() / 1000);
    }

    fn webhooks(&self) -> Vec<Webhook> {
        self.double.take_webhooks().into_iter().map(|webhook| (webhook.headers, webhook.body)).collect()
    }

    fn webhook_window(&self) -> i64 {
        3 * DAY
    }

    fn taken(&self) -> Vec<i64> {
        self.double.taken()
    }

    fn inject(&self, fault: Fault) -> bool {
        self.double.fail(provider_fault(fault), "POST /v2/checkout/orders");
        true
    }

    fn heal(&self) {
        self.double.heal();
    }
}

// PayPal discovers a payer without funds only at the first charge, and lets them choose another payment method. These
// rules have their own tests below.
crate::contract!(rig() =>
    a_key_charges_once_however_often_it_is_called,
    a_key_is_good_for_one_request_only,
    a_declined_charge_takes_nothing,
    a_charge_waits_for_the_payer,
    a_payer_who_does_not_authenticate_pays_nothing,
    a_trial_charges_at_its_end_and_then_each_month,
    a_coupon_lowers_the_first_charge_without_a_trial,
    a_subscription_waits_for_the_payer,
    renewal_stops_at_the_end_of_the_period_and_can_be_resumed_before,
    a_trial_that_is_canceled_charges_nothing,
    a_subscription_is_canceled_at_once_as_often_as_one_likes,
    a_switch_charges_what_its_preview_said,
    a_switch_in_the_trial_charges_at_its_end,
    a_pause_collects_nothing_and_a_new_period_begins_after_it,
    a_pause_that_is_ended_early_collects_at_the_end_of_the_paid_period,
    a_deferred_renewal_is_due_at_its_new_moment,
    a_refund_gives_back_a_part_and_then_the_rest_and_no_more,
    a_renewal_can_be_refunded,
    a_card_has_a_fingerprint_of_its_own_and_a_customer_keeps_it,
    webhooks_are_verified_and_name_what_changed,
    a_key_charges_once_after_every_fault,
    what_is_not_there_is_not_found,
);

#[tokio::test]
async fn a_capture_takes_once_after_every_fault() {
    for (n, fault) in Fault::ALL.into_iter().enumerate() {
        let rig = rig();
        let name = format!("fault-{n}");
        let request = charge_request(&rig, &name, 499, Behaviour::Pays);
        let charge = rig.gateway.charge(&key(&name), &request).await.unwrap();
        let ChargeState::RequiresAction(action) = &charge.state else { panic!("{:?}", charge.state) };
        rig.act(action, Behaviour::Pays, true);
        rig.double.fail(provider_fault(fault), &format!("POST /v2/checkout/orders/{}/capture", charge.id));
        let confirm = key(&name).step("confirm");
        let error = rig.gateway.confirm_charge(&confirm, &charge.id, request.amount).await.unwrap_err();
        rig.double.heal();
        assert!(error.is_transient(), "{fault:?}: {error:?}");
        for _ in 0..2 {
            let paid = rig.gateway.confirm_charge(&confirm, &charge.id, request.amount).await.unwrap();
            assert!(matches!(paid.state, ChargeState::Succeeded(_)), "{fault:?}: {:?}", paid.state);
        }
        assert_eq!(rig.taken(), [499], "{fault:?}");
    }
}

#[tokio::test]
async fn a_renewal_that_fails_is_collected_once_the_payer_can_pay() {
    let rig = rig();
    let request = subscribe_request(
        &rig,
        "c1",
        terms("monthly", 999, RenewalInterval::Month, 3, 999),
        Behaviour::FailsWhenCharged,
    );
    let trial = subscribe_through(&rig, "k1", &request, Behaviour::FailsWhenCharged).await.unwrap();
    rig.advance(3 * DAY);
    let overdue = rig.gateway.find_subscription(Lookup::Id(&trial.id)).await.unwrap().unwrap();
    assert_eq!(overdue.state, SubscriptionState::PastDue);
    assert_eq!(overdue.period.and_then(|period| period.ends_at), Some(START.plus(3 * DAY)), "it was not paid");
    let error = rig.gateway.collect_overdue(&key("collect 1"), &trial.id).await.unwrap_err();
    assert!(matches!(error, GatewayError::Declined(_)), "{error:?}");
    rig.double.repair(trial.id.as_str());
    rig.advance(HOUR);
    for name in ["collect 2", "collect 2", "collect 3"] {
        let paid = rig.gateway.collect_overdue(&key(name), &trial.id).await.unwrap();
        assert_eq!(paid.state, SubscriptionState::Active);
    }
    assert_eq!(rig.taken(), [999]);
    let source = rig.source(Behaviour::Pays);
    let change = key("card");
    let changed = rig.gateway.change_payment_method(&change, &trial.id, &source, "https://pith.example/account").await;
    assert!(matches!(changed, Err(GatewayError::Unsupported(_))), "{changed:?}");
}

#[tokio::test]
async fn a_subscription_that_the_payer_suspends_ends_with_its_period() {
    let rig = rig();
    let request = subscribe_request(&rig, "c1", terms("monthly", 999, RenewalInterval::Month, 0, 999), Behaviour::Pays);
    let begun = subscribe_through(&rig, "k1", &request, Behaviour::Pays).await.unwrap();
    // Suspended on PayPal's own page, with a note that is not ours.
    rig.double.suspend(begun.id.as_str(), "The payer asked for it");
    let known = rig.gateway.find_subscription(Lookup::Id(&begun.id)).await.unwrap().unwrap();
    assert_eq!((known.renewal, known.period), (Renewal::Stopped, begun.period));
}

#[tokio::test]
async fn a_token_is_fetched_once_and_again_when_it_is_refused_or_old() {
    let rig = rig();
    let tokens = || rig.double.requests().iter().filter(|request| *request == "POST /v1/oauth2/token").count();
    for (name, count) in [("a", 1), ("b", 1)] {
        rig.gateway.charge(&key(name), &charge_request(&rig, name, 499, Behaviour::Pays)).await.unwrap();
        assert_eq!(tokens(), count);
    }
    rig.double.revoke_tokens();
    rig.gateway.charge(&key("c"), &charge_request(&rig, "c", 499, Behaviour::Pays)).await.unwrap();
    assert_eq!(tokens(), 2);
    rig.advance(9 * HOUR);
    rig.gateway.charge(&key("d"), &charge_request(&rig, "d", 499, Behaviour::Pays)).await.unwrap();
    assert_eq!(tokens(), 3);
}

#[tokio::test]
async fn wrong_credentials_move_no_money_and_stand_in_no_message() {
    let rig = rig();
    let wrong = PayPalConfig { client_secret: Secret::new("a wrong secret"), ..config(rig.double.url()) };
    let debug = format!("{wrong:?}");
    let gateway = PayPal::new(wrong, rig.env.clone()).unwrap();
    let error = gateway.charge(&key("a"), &charge_request(&rig, "a", 499, Behaviour::Pays)).await.unwrap_err();
    assert!(!error.may_have_acted(), "{error:?}");
    for text in [debug, format!("{gateway:?}"), error.to_string()] {
        assert!(!text.contains("a wrong secret"), "{text}");
    }
    let id = billing::gateway::ChargeId::new("../../v1/billing/plans");
    assert_eq!(rig.gateway.find_charge(Lookup::Id(&id)).await.unwrap(), None);
}

#[tokio::test]
async fn a_webhook_that_can_not_be_verified_now_is_not_refused_for_good() {
    let rig = rig();
    let request = charge_request(&rig, "c1", 499, Behaviour::Pays);
    let charge = charge_through(&rig, "k1", &request, Behaviour::Pays).await.unwrap();
    let (headers, body) = rig.webhooks().remove(0);
    let verify = || rig.gateway.verify_webhook(WebhookRequest { headers: &headers, body: &body }, START.plus(SECOND));
    rig.double.fail(provider_fault(Fault::Unavailable), "POST /v1/notifications");
    assert!(matches!(verify().await, Err(WebhookError::Unverified(_))));
    rig.double.heal();
    assert_eq!(verify().await.unwrap().kind, ProviderEventKind::Charge(charge.id));
}

/// Collects where a value violates its schema in an OpenAPI document.
fn misfits(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference}"));
        return misfits(document, target, value, at, found);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        misfits(document, part, value, at, found);
    }
    let fits = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64(),
        Some("boolean") => value.is_boolean(),
        _ => true,
    };
    if !fits {
        found.push(format!("{at} is no {}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
        found.push(format!("{at} is {value}"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            found.push(format!("{at}.{name} is missing"));
        }
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(field) = value.get(name) {
            misfits(document, schema, field, &format!("{at}.{name}"), found);
        }
    }
    if schema["items"].is_object() {
        for (n, item) in value.as_array().into_iter().flatten().enumerate() {
            misfits(document, &schema["items"], item, &format!("{at}[{n}]"), found);
        }
    }
}

#[tokio::test]
async fn the_doubles_objects_fit_paypals_own_documents() {
    let Ok(folder) = std::env::var("PROVIDER_SPECS") else {
        eprintln!("passed over: PROVIDER_SPECS does not name the folder of the providers' documents");
        return;
    };
    let rig = rig();
    let request = charge_request(&rig, "c1", 499, Behaviour::Pays);
    let charge = charge_through(&rig, "k1", &request, Behaviour::Pays).await.unwrap();
    let ChargeState::Succeeded(paid) = charge.state else { panic!("{:?}", charge.state) };
    let refund = billing::gateway::RefundRequest { payment: paid.id, amount: Some(kernel::Money::from_cents(99)) };
    rig.gateway.refund(&key("k2"), &refund).await.unwrap();
    for (name, trial) in [("c2", 3), ("c3", 0)] {
        let request =
            subscribe_request(&rig, name, terms("monthly", 999, RenewalInterval::Month, trial, 500), Behaviour::Pays);
        subscribe_through(&rig, name, &request, Behaviour::Pays).await.unwrap();
    }
    let mut found = Vec::new();
    for (kind, file, schema) in [
        ("order", "checkout_orders_v2", "order"),
        ("capture", "payments_payment_v2", "capture-2"),
        ("refund", "payments_payment_v2", "refund"),
        ("product", "catalogs_products_v1", "product"),
        ("plan", "billing_subscriptions_v1", "plan"),
        ("subscription", "billing_subscriptions_v1", "subscription"),
    ] {
        let document = std::fs::read(format!("{folder}/paypal/{file}.json")).unwrap();
        let document: Value = serde_json::from_slice(&document).unwrap();
        let schema = &document["components"]["schemas"][schema];
        assert!(schema.is_object(), "{file}: {kind}");
        let objects = rig.double.objects(kind);
        assert!(!objects.is_empty(), "{kind}");
        for object in objects {
            misfits(&document, schema, &object, kind, &mut found);
        }
    }
    let document = std::fs::read(format!("{folder}/paypal/notifications_webhooks_v1.json")).unwrap();
    let document: Value = serde_json::from_slice(&document).unwrap();
    for (_, body) in rig.webhooks() {
        let event: Value = serde_json::from_slice(&body).unwrap();
        misfits(&document, &document["components"]["schemas"]["event"], &event, "event", &mut found);
    }
    assert!(found.is_empty(), "{found:#?}");
}

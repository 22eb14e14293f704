//! The contract for Stripe against its double, and the double checked against Stripe's own examples.

use std::{sync::Arc, time::Duration};

use billing::gateway::{
    ChargeState, GatewayError, NextAction, PaymentGateway, PaymentSource, PaymentToken, ProviderEventKind,
    RenewalInterval, SubscriptionState, WebhookRequest,
};
use kernel::{DAY, Env, FixedEnv, Secret};
use payments::{Stripe, StripeConfig};
use serde_json::Value;
use testing::{ProviderFault, StripeDouble};

use crate::rig::{Behaviour, Fault, Rig, START, Webhook, charge_request, key, subscribe_request, terms};

struct StripeRig {
    env: Arc<FixedEnv>,
    double: StripeDouble,
    gateway: Stripe,
}

fn config(url: &str) -> StripeConfig {
    StripeConfig {
        api: url.parse().unwrap(),
        secret_key: Secret::new(testing::stripe::SECRET_KEY),
        publishable_key: "pk_test_double".to_owned(),
        webhook_secret: Secret::new(testing::stripe::WEBHOOK_SECRET),
        timeout: Duration::from_millis(500),
    }
}

fn rig() -> StripeRig {
    // The server installs it at startup; another test may have done so already.
    rustls::crypto::ring::default_provider().install_default().ok();
    let env = Arc::new(FixedEnv::at(START));
    let double = StripeDouble::start(START.millis() / 1000);
    let gateway = Stripe::new(config(double.url()), env.clone()).unwrap();
    StripeRig { env, double, gateway }
}

impl Rig for StripeRig {
    fn gateway(&self) -> &dyn PaymentGateway {
        &self.gateway
    }

    fn env(&self) -> &FixedEnv {
        &self.env
    }

    fn source(&self, behaviour: Behaviour) -> PaymentSource {
        // Covers all three kinds of token.
        let token = match behaviour {
            Behaviour::Pays => "pm_card_visa",
            Behaviour::PaysWithAnother => "ctoken_mastercard",
            Behaviour::Declined => "tok_chargeDeclined",
            Behaviour::Authenticates => "ctoken_authenticationRequired",
            Behaviour::FailsWhenCharged => "pm_card_chargeCustomerFail",
        };
        PaymentSource::Token(PaymentToken::new(token))
    }

    fn act(&self, action: &NextAction, _: Behaviour, succeeds: bool) {
        let NextAction::Authenticate { client_secret } = action else { panic!("{action:?}") };
        self.double.authenticate(client_secret, succeeds);
    }

    fn advance(&self, millis: i64) {
        self.env.advance(millis);
        self.double.advance_to(self.env.now().millis() / 1000);
    }

    fn webhooks(&self) -> Vec<Webhook> {
        let signed = |webhook: testing::stripe::StripeWebhook| {
            (vec![(payments::stripe::SIGNATURE_HEADER.to_owned(), webhook.signature)], webhook.body)
        };
        self.double.take_webhooks().into_iter().map(signed).collect()
    }

    fn taken(&self) -> Vec<i64> {
        self.double.taken()
    }

    fn inject(&self, fault: Fault) -> bool {
        self.double.fail(provider_fault(fault), "POST /v1/payment_intents");
        true
    }

    fn heal(&self) {
        self.double.heal();
    }
}

/// The double's fault that corresponds to one of the contract.
pub fn provider_fault(fault: Fault) -> ProviderFault {
    match fault {
        Fault::SilentBefore => ProviderFault::SilentBefore,
        Fault::SilentAfter => ProviderFault::SilentAfter,
        Fault::ErrorBefore => ProviderFault::ErrorBefore,
        Fault::ErrorAfter => ProviderFault::ErrorAfter,
        Fault::Unavailable => ProviderFault::Unavailable,
        Fault::RateLimited => ProviderFault::RateLimited,
        Fault::Malformed => ProviderFault::Malformed,
        Fault::BrokenOff => ProviderFault::BrokenOff,
        Fault::BrokenOffBefore => ProviderFault::BrokenOffBefore,
    }
}

crate::contract!(rig());
crate::contract!(rig() => a_key_charges_once_after_every_fault);

#[tokio::test]
async fn a_provider_that_is_not_there_was_sent_nothing() {
    rustls::crypto::ring::default_provider().install_default().ok();
    // Nothing listens on a port that was just released.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let env = Arc::new(FixedEnv::at(START));
    let gateway = Stripe::new(config(&format!("http://127.0.0.1:{port}/")), env).unwrap();
    let request = charge_request(&rig(), "c1", 499, Behaviour::Pays);
    let error = gateway.charge(&key("k1"), &request).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unreachable(_)) && !error.may_have_acted(), "{error:?}");
}

#[tokio::test]
async fn a_wrong_key_is_refused_and_stands_in_no_message() {
    let rig = rig();
    let wrong = StripeConfig { secret_key: Secret::new("sk_test_wrong"), ..config(rig.double.url()) };
    let debug = format!("{wrong:?}");
    let gateway = Stripe::new(wrong, rig.env.clone()).unwrap();
    let request = charge_request(&rig, "c1", 499, Behaviour::Pays);
    let error = gateway.charge(&key("k1"), &request).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused(_)), "{error:?}");
    for text in [debug, format!("{gateway:?}"), error.to_string()] {
        assert!(!text.contains("sk_test_wrong") && !text.contains(testing::stripe::WEBHOOK_SECRET), "{text}");
    }
}

#[tokio::test]
async fn an_id_can_not_lead_to_another_path() {
    let rig = rig();
    let id = billing::gateway::ChargeId::new("../customers");
    let before = rig.double.requests().len();
    assert_eq!(rig.gateway.find_charge(billing::gateway::Lookup::Id(&id)).await.unwrap(), None);
    let checkout = billing::gateway::CheckoutReference::new("x' OR status:'succeeded");
    assert_eq!(rig.gateway.find_charge(billing::gateway::Lookup::Checkout(&checkout)).await.unwrap(), None);
    assert_eq!(rig.double.requests().len(), before);
}

#[tokio::test]
async fn a_dispute_is_told_by_webhook() {
    let rig = rig();
    let charge = rig.gateway.charge(&key("k1"), &charge_request(&rig, "c1", 499, Behaviour::Pays)).await.unwrap();
    let ChargeState::Succeeded(paid) = charge.state else { panic!("{:?}", charge.state) };
    rig.webhooks();
    rig.double.open_dispute(paid.id.as_str());
    rig.double.close_dispute(paid.id.as_str(), false);
    let mut kinds = Vec::new();
    for (headers, body) in rig.webhooks() {
        let webhook = WebhookRequest { headers: &headers, body: &body };
        kinds.push(rig.gateway.verify_webhook(webhook, rig.env.now()).await.unwrap().kind);
    }
    let closed = ProviderEventKind::DisputeClosed { payment: paid.id.clone(), won: false };
    assert_eq!(kinds, [ProviderEventKind::DisputeOpened(paid.id), closed]);
}

#[tokio::test]
async fn a_subscription_begins_once_after_every_fault() {
    for (n, fault) in Fault::ALL.into_iter().enumerate() {
        let rig = rig();
        let name = format!("fault-{n}");
        let request =
            subscribe_request(&rig, &name, terms("monthly", 999, RenewalInterval::Month, 3, 999), Behaviour::Pays);
        rig.double.fail(provider_fault(fault), "POST /v1/subscriptions");
        let error = rig.gateway.subscribe(&key(&name), &request).await.unwrap_err();
        rig.double.heal();
        assert!(error.is_transient(), "{fault:?}: {error:?}");
        let again = rig.gateway.subscribe(&key(&name), &request).await;
        if fault == Fault::ErrorAfter {
            // Stripe repeats its 500 for the key. The subscription it created charges nothing, because it has no payment
            // method.
            assert!(again.unwrap_err().may_have_acted());
        } else {
            assert_eq!(again.unwrap().state, SubscriptionState::Trialing, "{fault:?}");
        }
        rig.advance(4 * DAY);
        assert_eq!(rig.taken(), if fault == Fault::ErrorAfter { vec![] } else { vec![999] }, "{fault:?}");
    }
}

/// A double that contains one object of each kind.
async fn used_double() -> StripeRig {
    let rig = rig();
    let charge = rig.gateway.charge(&key("k1"), &charge_request(&rig, "c1", 499, Behaviour::Pays)).await.unwrap();
    let ChargeState::Succeeded(paid) = charge.state else { panic!("{:?}", charge.state) };
    let refund = billing::gateway::RefundRequest { payment: paid.id, amount: None };
    rig.gateway.refund(&key("k2"), &refund).await.unwrap();
    let request = subscribe_request(&rig, "c2", terms("monthly", 999, RenewalInterval::Month, 0, 500), Behaviour::Pays);
    rig.gateway.subscribe(&key("k3"), &request).await.unwrap();
    let request =
        subscribe_request(&rig, "c3", terms("yearly", 5_999, RenewalInterval::Year, 3, 5_999), Behaviour::Pays);
    rig.gateway.subscribe(&key("k4"), &request).await.unwrap();
    rig
}

/// async-stripe parses responses strictly: the double's objects have all required fields.
#[tokio::test]
async fn the_doubles_objects_have_what_stripes_library_requires() {
    fn read<T: miniserde::Deserialize>(rig: &StripeRig, kind: &str) {
        let objects = rig.double.objects(kind);
        assert!(!objects.is_empty(), "{kind}");
        for object in objects {
            assert!(miniserde::json::from_str::<T>(&object.to_string()).is_ok(), "{kind}: {object:#}");
        }
    }
    let rig = used_double().await;
    read::<stripe_shared::Customer>(&rig, "customer");
    read::<stripe_shared::Product>(&rig, "product");
    read::<stripe_shared::Coupon>(&rig, "coupon");
    read::<stripe_shared::PaymentMethod>(&rig, "payment_method");
    read::<stripe_shared::PaymentIntent>(&rig, "payment_intent");
    read::<stripe_shared::SetupIntent>(&rig, "setup_intent");
    read::<stripe_shared::Charge>(&rig, "charge");
    read::<stripe_shared::Refund>(&rig, "refund");
    read::<stripe_shared::Subscription>(&rig, "subscription");
    read::<stripe_shared::Invoice>(&rig, "invoice");
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a switch",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Each field of the double's responses exists in Stripe's example of the object, with the same type.
#[tokio::test]
async fn the_doubles_objects_are_like_stripes_own_examples() {
    let Ok(folder) = std::env::var("PROVIDER_SPECS") else {
        eprintln!("passed over: PROVIDER_SPECS does not name the folder of the providers' examples");
        return;
    };
    let examples = std::fs::read(format!("{folder}/stripe/fixtures3.json")).unwrap();
    let examples: Value = serde_json::from_slice(&examples).unwrap();
    // Fields of a later API version than the examples.
    let newer = ["amount_overpaid", "billing_schedules", "billing_mode", "cancel_at_period_end", "default_price"];
    let rig = used_double().await;
    let kinds = [
        "customer",
        "product",
        "coupon",
        "payment_intent",
        "setup_intent",
        "charge",
        "refund",
        "subscription",
        "invoice",
    ];
    let mut differences = Vec::new();
    for kind in kinds {
        let example = &examples["resources"][kind];
        for object in rig.double.objects(kind) {
            for (name, value) in object.as_object().unwrap() {
                let given = kind_of(value);
                match example.get(name).map(kind_of) {
                    None if newer.contains(&name.as_str()) => {}
                    None => differences.push(format!("{kind}.{name} is no field of Stripe's")),
                    Some(wanted) if wanted != given && wanted != "null" && given != "null" => {
                        differences.push(format!("{kind}.{name} is {given} and not {wanted}"));
                    }
                    Some(_) => {}
                }
            }
        }
    }
    differences.sort();
    differences.dedup();
    assert!(differences.is_empty(), "{differences:#?}");
}

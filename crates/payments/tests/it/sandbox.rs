//! The contract for the sandbox, and tests of what only the sandbox does.

use std::sync::Arc;

use billing::gateway::{
    ChargeState, CheckoutReference, GatewayError, Lookup, NextAction, PaymentGateway, PaymentSource, PaymentToken,
    ProviderEventKind, WebhookRequest,
};
use kernel::{DAY, Env, FixedEnv, Secret};
use payments::Sandbox;

use crate::rig::{Behaviour, Rig, START, Webhook, charge_request, key, subscribe_request, terms};

struct SandboxRig {
    env: Arc<FixedEnv>,
    sandbox: Sandbox,
}

fn rig() -> SandboxRig {
    let env = Arc::new(FixedEnv::at(START));
    let sandbox = Sandbox::in_memory(env.clone(), Secret::new("a secret of the sandbox"));
    SandboxRig { env, sandbox }
}

impl Rig for SandboxRig {
    fn gateway(&self) -> &dyn PaymentGateway {
        &self.sandbox
    }

    fn env(&self) -> &FixedEnv {
        &self.env
    }

    fn source(&self, behaviour: Behaviour) -> PaymentSource {
        let token = match behaviour {
            Behaviour::Pays => "pm_card_visa",
            Behaviour::PaysWithAnother => "pm_card_mastercard",
            Behaviour::Declined => "pm_card_chargeDeclined",
            Behaviour::Authenticates => "pm_card_authenticationRequired",
            Behaviour::FailsWhenCharged => "pm_card_chargeCustomerFail",
        };
        PaymentSource::Token(PaymentToken::new(token))
    }

    fn act(&self, action: &NextAction, _: Behaviour, succeeds: bool) {
        let NextAction::Authenticate { client_secret } = action else { panic!("{action:?}") };
        self.sandbox.authenticate(client_secret, succeeds).unwrap();
    }

    fn advance(&self, millis: i64) {
        self.env.advance(millis);
        self.sandbox.advance().unwrap();
    }

    fn webhooks(&self) -> Vec<Webhook> {
        self.sandbox.take_webhooks().unwrap().into_iter().map(|webhook| (webhook.headers, webhook.body)).collect()
    }

    fn taken(&self) -> Vec<i64> {
        self.sandbox
            .payments()
            .unwrap()
            .iter()
            .map(|payment| payment.amount.cents() - payment.refunded.cents())
            .collect()
    }
}

crate::contract!(rig());

#[tokio::test]
async fn the_documented_cards_do_what_is_documented() {
    let rig = rig();
    let token =
        |number: &str| PaymentSource::Token(PaymentToken::new(payments::sandbox::token_of_number(number).unwrap()));
    let mut request = charge_request(&rig, "c", 499, Behaviour::Pays);
    request.source = token("4242 4242 4242 4242");
    assert!(matches!(rig.sandbox.charge(&key("1"), &request).await.unwrap().state, ChargeState::Succeeded(_)));
    request.source = token("4000 0000 0000 0002");
    match rig.sandbox.charge(&key("2"), &request).await.unwrap_err() {
        GatewayError::Declined(decline) => assert_eq!(decline.message, "Your card was declined."),
        other => panic!("{other:?}"),
    }
    request.source = token("4000 0027 6000 3184");
    let waiting = rig.sandbox.charge(&key("3"), &request).await.unwrap();
    assert!(matches!(waiting.state, ChargeState::RequiresAction(NextAction::Authenticate { .. })));
    request.source = PaymentSource::Token(PaymentToken::new("pm_1NotOfTheSandbox"));
    assert!(matches!(rig.sandbox.charge(&key("4"), &request).await, Err(GatewayError::Refused(_))));
}

#[tokio::test]
async fn an_authentication_needs_the_client_secret() {
    let rig = rig();
    let request = charge_request(&rig, "c", 499, Behaviour::Authenticates);
    let charge = rig.sandbox.charge(&key("1"), &request).await.unwrap();
    for guess in [charge.id.as_str().to_owned(), format!("{}_secret_0", charge.id), String::new()] {
        assert!(matches!(rig.sandbox.authenticate(&guess, true), Err(GatewayError::Refused(_))), "{guess}");
    }
    assert!(rig.sandbox.payments().unwrap().is_empty());
}

#[tokio::test]
async fn the_same_calls_have_the_same_ids_in_every_run() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let rig = rig();
        let charge = rig.sandbox.charge(&key("1"), &charge_request(&rig, "c", 499, Behaviour::Pays)).await.unwrap();
        let request = subscribe_request(
            &rig,
            "s",
            terms("monthly", 999, billing::gateway::RenewalInterval::Month, 0, 999),
            Behaviour::Pays,
        );
        let subscription = rig.sandbox.subscribe(&key("2"), &request).await.unwrap();
        let payments = rig.sandbox.subscription_payments(&subscription.id).await.unwrap();
        seen.push((charge, subscription, payments, rig.webhooks()));
    }
    assert_eq!(seen[0], seen[1]);
}

#[tokio::test]
async fn a_renewal_that_fails_is_tried_for_a_week_and_then_the_subscription_ends() {
    let rig = rig();
    let request = subscribe_request(
        &rig,
        "s",
        terms("monthly", 999, billing::gateway::RenewalInterval::Month, 3, 999),
        Behaviour::FailsWhenCharged,
    );
    let id = rig.sandbox.subscribe(&key("1"), &request).await.unwrap().id;
    for (days, state) in
        [(10, billing::gateway::SubscriptionState::PastDue), (1, billing::gateway::SubscriptionState::Ended)]
    {
        rig.advance(days * DAY);
        assert_eq!(rig.sandbox.find_subscription(Lookup::Id(&id)).await.unwrap().unwrap().state, state);
    }
}

#[tokio::test]
async fn a_dispute_is_told_by_webhook() {
    let rig = rig();
    let charge = rig.sandbox.charge(&key("1"), &charge_request(&rig, "c", 499, Behaviour::Pays)).await.unwrap();
    let ChargeState::Succeeded(paid) = charge.state else { panic!("{:?}", charge.state) };
    rig.webhooks();
    rig.sandbox.open_dispute(&paid.id).unwrap();
    rig.sandbox.close_dispute(&paid.id, false).unwrap();
    let mut kinds = Vec::new();
    for (headers, body) in rig.webhooks() {
        let webhook = WebhookRequest { headers: &headers, body: &body };
        let event = rig.sandbox.verify_webhook(webhook, rig.env.now()).await.unwrap();
        assert_eq!(event.checkout, Some(CheckoutReference::new("c")));
        kinds.push(event.kind);
    }
    let closed = ProviderEventKind::DisputeClosed { payment: paid.id.clone(), won: false };
    assert_eq!(kinds, [ProviderEventKind::DisputeOpened(paid.id), closed]);
}

#[tokio::test]
async fn a_payment_is_disputed_once_and_only_an_open_dispute_is_decided() {
    let rig = rig();
    let charge = rig.sandbox.charge(&key("1"), &charge_request(&rig, "c", 499, Behaviour::Pays)).await.unwrap();
    let ChargeState::Succeeded(paid) = charge.state else { panic!("{:?}", charge.state) };
    rig.webhooks();
    assert!(matches!(rig.sandbox.close_dispute(&paid.id, true), Err(GatewayError::Refused(_))));
    rig.sandbox.open_dispute(&paid.id).unwrap();
    assert!(matches!(rig.sandbox.open_dispute(&paid.id), Err(GatewayError::Refused(_))));
    rig.sandbox.close_dispute(&paid.id, true).unwrap();
    assert!(matches!(rig.sandbox.close_dispute(&paid.id, false), Err(GatewayError::Refused(_))));
    assert!(matches!(rig.sandbox.open_dispute(&paid.id), Err(GatewayError::Refused(_))));
    assert_eq!(rig.webhooks().len(), 2);
}

#[tokio::test]
async fn declined_renewals_fail_until_the_payer_gives_another_card() {
    let rig = rig();
    let terms = terms("monthly", 999, billing::gateway::RenewalInterval::Month, 3, 999);
    let request = subscribe_request(&rig, "s", terms, Behaviour::Pays);
    let id = rig.sandbox.subscribe(&key("1"), &request).await.unwrap().id;
    let unknown = CheckoutReference::new("unknown");
    assert!(matches!(rig.sandbox.decline_renewals(&unknown), Err(GatewayError::Refused(_))));
    rig.sandbox.decline_renewals(&CheckoutReference::new("s")).unwrap();
    rig.advance(4 * DAY);
    let state = async || rig.sandbox.find_subscription(Lookup::Id(&id)).await.unwrap().unwrap().state;
    assert_eq!((state().await, rig.taken()), (billing::gateway::SubscriptionState::PastDue, Vec::<i64>::new()));
    let other = rig.source(Behaviour::PaysWithAnother);
    rig.sandbox.change_payment_method(&key("2"), &id, &other, "https://pith.example/account").await.unwrap();
    rig.advance(DAY);
    assert_eq!((state().await, rig.taken()), (billing::gateway::SubscriptionState::Active, vec![999]));
}

#[tokio::test]
async fn a_sandbox_in_a_file_outlives_its_process_and_is_shared() {
    let folder = tempfile::tempdir().unwrap();
    let env: Arc<FixedEnv> = Arc::new(FixedEnv::at(START));
    let open = || Sandbox::in_file(&folder.path().join("sandbox.json"), env.clone(), Secret::new("s"));
    let (one, two) = (open(), open());
    let request = charge_request(&rig(), "c", 499, Behaviour::Pays);
    let charge = one.charge(&key("1"), &request).await.unwrap();
    assert_eq!(two.charge(&key("1"), &request).await.unwrap(), charge);
    drop((one, two));
    let later = open();
    assert_eq!(later.find_charge(Lookup::Checkout(&request.checkout)).await.unwrap(), Some(charge));
    assert_eq!(later.payments().unwrap().len(), 1);
    std::fs::write(folder.path().join("sandbox.json"), "{").unwrap();
    assert!(matches!(later.charge(&key("2"), &request).await, Err(GatewayError::UnknownOutcome(_))));
}

//! A member's plan: what is shown of it, leaving it and coming back, pausing it, asking for a refund.

use crate::harness::{PASSWORD, Person, START, TestApp};
use billing::{
    Billing, BillingCommands, BillingError, Checkout, CheckoutKey, CheckoutOrder, CheckoutState, Code, CodeKind,
    CodeTerms, Movement, MovementKind, RenewalTerms,
    gateway::{
        GatewayProvider, IdempotencyKey, Lookup, Payer, PaymentGateway, PaymentSource, PaymentToken,
        ProviderSubscription, Renewal, RenewalInterval, SubscribeRequest, SubscriptionId, SubscriptionState,
        SubscriptionTerms,
    },
};
use futures_util::future::join_all;
use kernel::{DAY, Email, Money, Period, StoreError, UserId};
use mail::Mail;
use serde_json::{Value, json};

/// The monthly plan, paid with a card at the sandbox a moment ago.
async fn subscribe(app: &TestApp, person: &Person) -> SubscriptionId {
    let env = &*app.env;
    let (member, price) = (UserId::from_store(person.id()), Money::from_cents(999));
    let renewal = RenewalTerms { price, months: 1 };
    let payer = app.app.db.write_now::<_, StoreError>(|pg| pg.payer_of_member(member, START)).unwrap();
    let order = CheckoutOrder {
        payer,
        provider: GatewayProvider::Sandbox,
        plan_id: "monthly".to_owned(),
        plan_name: "Monthly".to_owned(),
        quantity: 1,
        infographics: 0,
        coupon: None,
        first_charge: price,
        trial_ends_at: None,
        renewal: Some(renewal),
        referral: None,
        sealed_details: None,
    };
    let checkout = Checkout::start(CheckoutKey::generate(env), [0; 32], order, env);
    let request = SubscribeRequest {
        checkout: checkout.reference.clone(),
        terms: SubscriptionTerms {
            plan_id: "monthly".to_owned(),
            name: "Monthly".to_owned(),
            price,
            interval: RenewalInterval::Month,
            trial_days: 0,
            first_charge: price,
        },
        payer: Payer { email: Some(Email::parse("ada@example.com").unwrap()), customer: None },
        source: PaymentSource::Token(PaymentToken::new("pm_card_visa")),
        return_url: app.address.clone(),
    };
    let key = IdempotencyKey::new(checkout.reference.as_str());
    let made = sandbox(app).subscribe(&key, &request).await.expect("the sandbox takes the card");
    let paid = Movement {
        plan_id: "monthly".to_owned(),
        plan_name: "Monthly".to_owned(),
        amount: price,
        period: Some(Period { starts_at: START, ends_at: Some(START.plus_months(1)) }),
        renewal: Some(renewal),
        ..Movement::new(MovementKind::Charged, format!("sandbox:{}:charged", made.id), &checkout.purchase(), START)
    };
    let id = made.id.clone();
    app.app
        .db
        .write_now::<_, BillingError>(|pg| {
            let reference = checkout.reference.clone();
            assert!(pg.insert_checkout(&checkout)?);
            pg.advance_checkout(&reference, CheckoutState::Paid, Some(id.as_str()), START).map_err(StoreError::new)?;
            pg.record_movement(payer, &paid)?;
            Ok(())
        })
        .expect("the purchase is recorded");
    app.forget_mails();
    made.id
}

fn sandbox(app: &TestApp) -> &dyn PaymentGateway {
    &**app.app.gateways.sandbox().expect("the tests pay at the sandbox")
}

async fn at_provider(app: &TestApp, id: &SubscriptionId) -> ProviderSubscription {
    sandbox(app).find_subscription(Lookup::Id(id)).await.unwrap().expect("the provider has it")
}

async fn billing(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/user/billing").await.result()
}

fn kinds(billing: &Value) -> Vec<&str> {
    billing["timeline"].as_array().unwrap().iter().map(|line| line["kind"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn a_member_without_a_plan_is_free_and_a_visitor_logs_in() {
    let app = TestApp::start().await;
    assert_eq!(app.get("/api/user/billing").await.status, 401);
    let ada = app.sign_up("ada@example.com").await;
    let billing = billing(&app, &ada).await;
    assert_eq!((&billing["plan"]["state"], &billing["timeline"]), (&json!("free"), &json!([])));
    assert_eq!(billing["refundDays"], 14);
    app.post_as(&ada, "/charge/cancel", json!({})).await.fails(404, "not_found", "You have no plan that renews.");
}

#[actix_web::test]
async fn the_next_charge_and_the_card_stand_with_the_plan() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    subscribe(&app, &ada).await;
    let billing = billing(&app, &ada).await;
    let (plan, end) = (&billing["plan"], START.plus_months(1).millis());
    assert_eq!(
        (&plan["state"], &plan["planName"], &plan["endPaidDate"]),
        (&json!("active"), &json!("Monthly"), &json!(end))
    );
    assert_eq!(plan["nextCharge"], json!({ "at": end, "amount": 999 }));
    assert_eq!((&plan["method"]["last4"], &plan["provider"]), (&json!("4242"), &json!("sandbox")));
    assert_eq!(kinds(&billing), ["charge_due", "charge"]);
    assert_eq!(billing["timeline"][1]["refundableUntil"], START.plus(14 * DAY).millis());
}

#[actix_web::test]
async fn a_cancelled_plan_stays_until_its_end_and_is_turned_on_again_with_one_press() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = subscribe(&app, &ada).await;
    for path in ["/api/charge/cancel", "/charge/cancel"] {
        for reason in ["bored", "Too expensive", "too expensive, other", "No reason was given."] {
            let wrong = app.post_as(&ada, path, json!({ "reason": reason })).await;
            wrong.fails(422, "validation_failed", "Please choose one of the reasons.");
            assert_eq!(wrong.json()["field"], "reason");
        }
    }
    assert_eq!(app.count("messages WHERE kind = 'cancellation'"), 0);
    let presses =
        join_all((0..5).map(|_| app.post_as(&ada, "/charge/cancel", json!({ "reason": "too expensive" })))).await;
    for reply in presses {
        let plan = reply.result()["plan"].take();
        assert_eq!((&plan["state"], &plan["nextCharge"]), (&json!("canceled"), &Value::Null));
        assert_eq!(plan["endPaidDate"], START.plus_months(1).millis());
    }
    assert_eq!(at_provider(&app, &id).await.renewal, Renewal::Stopped);
    assert_eq!(app.count("messages WHERE kind = 'cancellation' AND body = 'too expensive'"), 1);
    let mails = app.mails_to("ada@example.com");
    let until = START.plus_months(1).millis();
    assert!(matches!(&mails[..], [Mail::PlanCanceled { until: said, .. }] if *said == until), "{mails:?}");
    assert_eq!(app.get_as(&ada, "/api/user/account").await.result()["user"]["isPaid"], true);
    assert_eq!(kinds(&billing(&app, &ada).await), ["plan_ends", "canceled", "charge"]);
    for _ in 0..2 {
        let plan = app.post_as(&ada, "/api/charge/resume", json!({})).await.result()["plan"].take();
        assert_eq!((&plan["state"], &plan["canCancel"]), (&json!("active"), &json!(true)));
    }
    assert_eq!(at_provider(&app, &id).await.renewal, Renewal::On);
    assert_eq!(app.post_as(&ada, "/api/charge/cancel", json!({ "reason": null })).await.status, 200);
    assert_eq!(at_provider(&app, &id).await.renewal, Renewal::Stopped, "a second cancellation is a step of its own");
}

#[actix_web::test]
async fn a_plan_is_paused_for_one_to_three_months_and_the_pause_can_be_ended() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = subscribe(&app, &ada).await;
    for months in [0, 4] {
        let refused = app.post_as(&ada, "/api/charge/pause", json!({ "months": months })).await;
        refused.fails(422, "validation_failed", "Please choose a pause of 1 to 3 months.");
    }
    let until = START.plus_months(1).plus_months(2);
    let plan = app.post_as(&ada, "/api/charge/pause", json!({ "months": 2 })).await.result()["plan"].take();
    assert_eq!((&plan["state"], &plan["pausedUntil"]), (&json!("paused"), &json!(until.millis())));
    assert_eq!(plan["nextCharge"]["at"], until.millis());
    assert_eq!(at_provider(&app, &id).await.renewal, Renewal::PausedUntil(until));
    assert_eq!(app.post_as(&ada, "/api/charge/pause", json!({ "months": 1 })).await.status, 409);
    let plan = app.post_as(&ada, "/api/charge/resume", json!({})).await.result()["plan"].take();
    assert_eq!((&plan["state"], &plan["pausedUntil"]), (&json!("active"), &Value::Null));
    assert_eq!(at_provider(&app, &id).await.renewal, Renewal::On);
}

#[actix_web::test]
async fn a_redeemed_year_follows_the_paid_period_and_puts_the_next_charge_off() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = subscribe(&app, &ada).await;
    let terms = CodeTerms {
        kind: CodeKind::Gift,
        plan_id: "yearly".to_owned(),
        plan_name: "Yearly".to_owned(),
        months: Some(12),
        purchase: None,
        buyer: None,
    };
    let codes = app.app.db.write_now::<_, StoreError>(|pg| pg.issue_codes(&terms, 1, &*app.env));
    let code: Code = codes.unwrap().remove(0);
    let redeemed = app.post_as(&ada, "/api/user/stacksocial", json!({ "code": code.to_string() })).await.result();
    let due = START.plus_months(1).plus_months(12);
    assert_eq!(redeemed["endPaidDate"], due.millis());
    app.work_off().await;
    assert_eq!(at_provider(&app, &id).await.renewal, Renewal::DeferredUntil(due));
    let billing = billing(&app, &ada).await;
    assert_eq!(billing["plan"]["nextCharge"], json!({ "at": due.millis(), "amount": 999 }));
    assert_eq!(kinds(&billing), ["charge_due", "plan_starts", "code_redeemed", "charge"]);
}

#[actix_web::test]
async fn a_refund_is_asked_for_within_fourteen_days_of_ones_own_charge() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    subscribe(&app, &ada).await;
    let receipt = billing(&app, &ada).await["timeline"][1]["id"].clone();
    let body = json!({ "receipt": receipt, "reason": "Bought by mistake." });
    let theirs = app.post_as(&bob, "/api/charge/refund-request", body.clone()).await;
    theirs.fails(404, "not_found", "There is no such receipt.");
    assert_eq!(app.post_as(&ada, "/api/charge/refund-request", body.clone()).await.result(), json!({}));
    assert_eq!(app.count("messages WHERE body LIKE '%Monthly, 9.99 USD%Bought by mistake.'"), 1);
    app.env.advance(14 * DAY);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    assert_eq!(app.post_as(&ada, "/api/charge/refund-request", body).await.status, 409);
}

#[actix_web::test]
async fn leaving_ends_the_subscription_at_the_provider() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = subscribe(&app, &ada).await;
    let answers = json!({ "why": "No time.", "how": "A friend." });
    assert_eq!(app.post_as(&ada, "/api/user/delete", answers).await.status, 200);
    app.work_off().await;
    assert_eq!(at_provider(&app, &id).await.state, SubscriptionState::Ended);
    assert_eq!(app.count("ledger_transactions WHERE kind = 'ended'"), 1);
    assert_eq!(app.count("jobs WHERE state <> 'done' AND kind = 'stop_renewal'"), 0);
}

#[actix_web::test]
async fn the_owner_of_a_books_file_downloads_it_without_plan_or_allowance_until_it_is_refunded() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let (book, other) = (app.add_book("owned", ""), app.add_book("other", ""));
    for n in 0..3 {
        let read = app.add_book(&format!("read-{n}"), "");
        for person in [&ada, &bob] {
            assert_eq!(app.get_as(person, &format!("/api/books/{read}")).await.status, 200);
        }
    }
    let member = UserId::from_store(ada.id());
    let purchase = billing::PurchaseKey::new("book");
    let bought = Movement {
        plan_id: "book-owned".to_owned(),
        plan_name: "Owned".to_owned(),
        amount: Money::from_cents(499),
        ..Movement::new(MovementKind::Charged, "book:charged", &purchase, START)
    };
    let refund = Movement {
        amount: Money::from_cents(499),
        reference: Some("book:charged".to_owned()),
        ..Movement::new(MovementKind::Refunded, "book:refunded", &purchase, START)
    };
    let record = |movement: &Movement| {
        let recorded = app.app.db.write_now::<_, BillingError>(|pg| {
            let payer = pg.payer_of_member(member, START)?;
            pg.record_movement(payer, movement)
        });
        assert!(recorded.expect("it is recorded"));
    };
    let download = async |person: &Person, book: i64| {
        app.get_as(person, &format!("/api/books/download-pdf/{book}")).await.status.as_u16()
    };
    assert_eq!(download(&ada, book).await, 403);
    record(&bought);
    assert_eq!((download(&ada, book).await, download(&ada, other).await, download(&bob, book).await), (200, 403, 403));
    assert_eq!(app.count(&format!("opened_books WHERE book_id = {book}")), 0, "it takes nothing and opens nothing");
    record(&refund);
    assert_eq!(download(&ada, book).await, 403);
}

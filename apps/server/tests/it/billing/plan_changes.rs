//! Another plan, and another card, for a plan that runs.

use crate::harness::{PASSWORD, Person, START, TestApp};
use futures_util::future::join_all;
use kernel::DAY;
use serde_json::{Value, json};

async fn buy(app: &TestApp, person: &Person, plan: &str, card: &str) {
    let body = json!({ "token": card });
    app.post_as(person, &format!("/api/charge/process/{plan}"), body).await.result();
}

async fn plan(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/user/billing").await.result()["plan"].take()
}

async fn preview(app: &TestApp, person: &Person, plan: &str) -> Value {
    app.post_as(person, "/api/charge/switch/preview", json!({ "planId": plan })).await.result()
}

/// What the sandbox took, each payment in cents, the smallest first.
fn taken(app: &TestApp) -> Vec<i64> {
    let payments = app.app.gateways.sandbox().expect("the sandbox").payments().expect("it answers");
    let mut cents: Vec<i64> = payments.iter().map(|payment| payment.amount.cents()).collect();
    cents.sort_unstable();
    cents
}

async fn work(app: &TestApp) {
    app.queue_scheduled().await;
    app.work_off().await;
    app.work_off().await;
}

/// A member whose monthly plan was charged after its trial, a moment ago.
async fn paying(app: &TestApp, email: &str, card: &str) -> Person {
    let person = app.sign_up(email).await;
    buy(app, &person, "monthly", card).await;
    app.env.advance(3 * DAY);
    work(app).await;
    app.log_in(email, PASSWORD).await
}

#[actix_web::test]
async fn a_switch_charges_once_what_was_shown_and_the_timeline_says_so() {
    let app = TestApp::start().await;
    let ada = paying(&app, "ada@example.com", "pm_card_visa").await;
    assert_eq!(plan(&app, &ada).await["switchTo"], json!(["yearly"]));
    let shown = preview(&app, &ada, "yearly").await;
    let (switch, now) = (&shown["switch"], START.plus(3 * DAY));
    assert_eq!((&switch["chargedNow"], &switch["creditLeft"]), (&json!(5_999 - 999), &json!(0)));
    let quote = app.post_as(&ada, "/api/charge/price", json!({ "planId": "yearly" })).await.result();
    for sum in [&quote["dueNow"], &quote["firstCharge"], &quote["switch"]["chargedNow"]] {
        assert_eq!(*sum, 5_999 - 999);
    }
    assert_eq!((&switch["fromPlanName"], &switch["startsAt"]), (&json!("Monthly"), &json!(now.millis())));
    let bob = app.sign_up("bob@example.com").await;
    let body = json!({ "planId": "yearly", "token": shown["token"] });
    app.post_as(&bob, "/api/charge/switch", body.clone()).await.fails(
        409,
        "price_changed",
        "The price has changed. Please check it before you pay.",
    );
    let wrong = json!({ "planId": "monthly", "token": shown["token"] });
    assert_eq!(app.post_as(&ada, "/api/charge/switch", wrong).await.json()["code"], "price_changed");
    let pressed = join_all((0..8).map(|_| app.post_as(&ada, "/api/charge/switch", body.clone()))).await;
    for reply in pressed {
        let result = reply.result();
        assert_eq!((&result["plan"]["planId"], &result["requiresAction"]), (&json!("yearly"), &json!(false)));
    }
    assert_eq!(taken(&app), [999, 5_000]);
    let billing = app.get_as(&ada, "/api/user/billing").await.result();
    let due = json!({ "at": now.plus_months(12).millis(), "amount": 5_999 });
    assert_eq!((&billing["plan"]["nextCharge"], &billing["plan"]["switchTo"]), (&due, &json!(["monthly"])));
    let charges: Vec<(&Value, &Value)> = billing["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|line| line["kind"] == "charge")
        .map(|line| (&line["amount"], &line["why"]))
        .collect();
    assert_eq!(charges[0], (&json!(5_000), &json!("You switched to this plan.")));
    assert_eq!(charges.len(), 2);
    assert!(app.operator_command("ledger-check").await.status.success());
    let again = app.post_as(&ada, "/api/charge/switch/preview", json!({ "planId": "yearly" })).await;
    again.fails(409, "already_subscribed", "You already have this plan.");
    let none = app.post_as(&ada, "/api/charge/switch/preview", json!({ "planId": "lifetime" })).await;
    none.fails(404, "unknown_plan", "Invalid plan id");
}

#[actix_web::test]
async fn what_is_left_of_a_dearer_plan_lowers_the_next_charges() {
    let app = TestApp::start().await;
    let ada = paying(&app, "ada@example.com", "pm_card_visa").await;
    for to in ["yearly", "monthly"] {
        let shown = preview(&app, &ada, to).await;
        let body = json!({ "planId": to, "token": shown["token"] });
        app.post_as(&ada, "/api/charge/switch", body).await.result();
        if to == "yearly" {
            app.env.advance(1_000);
        } else {
            // The year was not used: what is left of it pays for five months and a part of the sixth.
            assert_eq!(shown["switch"]["chargedNow"], 0);
            assert_eq!(shown["switch"]["creditLeft"], 5_999 - 999);
            assert_eq!(shown["switch"]["nextCharge"], 0);
        }
    }
    let now = START.plus(3 * DAY + 1_000);
    let due = json!({ "at": now.plus_months(1).millis(), "amount": 0 });
    let standing = plan(&app, &ada).await;
    assert_eq!((&standing["planId"], &standing["nextCharge"]), (&json!("monthly"), &due));
    // Five renewals by the credit, then the rest of the sixth.
    for month in 1..=6 {
        let wait = now.plus_months(month).millis() - kernel::Env::now(&*app.env).millis();
        app.env.advance(wait);
        work(&app).await;
    }
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    assert_eq!(taken(&app), [999 - (5_000 - 5 * 999), 999, 5_000]);
    assert_eq!(plan(&app, &ada).await["nextCharge"]["amount"], 999);
    assert!(app.operator_command("ledger-check").await.status.success());
}

#[actix_web::test]
async fn a_switch_in_the_trial_charges_nothing_and_the_trial_goes_on() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let body = json!({ "token": "pm_card_visa", "addInfographics": 50 });
    app.post_as(&ada, "/api/charge/process/monthly", body).await.result();
    app.env.advance(DAY);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let shown = preview(&app, &ada, "yearly").await;
    assert_eq!((&shown["switch"]["chargedNow"], &shown["switch"]["nextCharge"]), (&json!(0), &json!(5_999)));
    // The price says the same: one sum is due now, and it is the one that is charged.
    let quote = app.post_as(&ada, "/api/charge/price", json!({ "planId": "yearly" })).await.result();
    assert_eq!((&quote["dueNow"], &quote["switch"]["chargedNow"]), (&json!(0), &json!(0)));
    let first = (&json!(5_999), &json!(START.plus(3 * DAY).millis()));
    assert_eq!((&quote["firstCharge"], &quote["firstChargeAt"]), first);
    let body = json!({ "planId": "yearly", "token": shown["token"] });
    for _ in 0..2 {
        let standing = app.post_as(&ada, "/api/charge/switch", body.clone()).await.result()["plan"].take();
        assert_eq!((&standing["planId"], &standing["state"]), (&json!("yearly"), &json!("trial")));
        let due = json!({ "at": START.plus(3 * DAY).millis(), "amount": 5_999 });
        assert_eq!(standing["nextCharge"], due);
    }
    app.env.advance(2 * DAY);
    work(&app).await;
    assert_eq!(taken(&app), [5_999]);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    assert_eq!(plan(&app, &ada).await["state"], "active");
    // What was to come with the first charge was not paid.
    assert_eq!(app.count("ledger_transactions WHERE infographics > 0"), 0);
}

#[actix_web::test]
async fn a_plan_that_does_not_run_or_is_paused_is_not_switched() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let ask =
        async |person: &Person| app.post_as(person, "/api/charge/switch/preview", json!({ "planId": "yearly" })).await;
    ask(&ada).await.fails(404, "not_found", "You have no plan that renews.");
    let ada = paying(&app, "bob@example.com", "pm_card_visa").await;
    app.post_as(&ada, "/api/charge/pause", json!({ "months": 1 })).await.result();
    ask(&ada).await.fails(409, "already_there", "Your plan can't be changed that way right now.");
    assert_eq!(plan(&app, &ada).await["switchTo"], json!([]));
}

#[actix_web::test]
async fn another_card_is_stored_after_its_payer_authenticated_and_by_its_member_only() {
    let app = TestApp::start().await;
    let ada = paying(&app, "ada@example.com", "pm_card_visa").await;
    assert_eq!(plan(&app, &ada).await["canChangeMethod"], true);
    let change = async |card: &str| app.post_as(&ada, "/api/charge/method", json!({ "token": card })).await;
    change("pm_card_chargeDeclined").await.fails(402, "card_declined", "Your card was declined.");
    let changed = change("pm_card_mastercard").await.result();
    assert_eq!((&changed["plan"]["method"]["last4"], &changed["requiresAction"]), (&json!("4444"), &json!(false)));
    // The same card again, after another one.
    for (card, last4) in [("pm_card_visa", "4242"), ("pm_card_mastercard", "4444"), ("pm_card_visa", "4242")] {
        assert_eq!(change(card).await.result()["plan"]["method"]["last4"], last4);
    }
    let asked = change("pm_card_authenticationRequired").await.result();
    assert_eq!((&asked["requiresAction"], &asked["plan"]["method"]["last4"]), (&json!(true), &json!("4242")));
    let confirm = json!({ "checkout": asked["checkout"] });
    let bob = app.sign_up("bob@example.com").await;
    assert_eq!(app.post_as(&bob, "/api/charge/confirm", confirm.clone()).await.status, 404);
    let answer = json!({ "clientSecret": asked["clientSecret"], "succeeds": true });
    app.post("/api/charge/sandbox/authenticate", answer).await.result();
    assert_eq!(app.post_as(&ada, "/api/charge/confirm", confirm).await.result()["status"], "paid");
    assert_eq!(plan(&app, &ada).await["method"]["last4"], "3184");
    assert_eq!(taken(&app), [999]);
}

#[actix_web::test]
async fn another_card_repairs_a_renewal_that_failed() {
    let app = TestApp::start().await;
    let ada = paying(&app, "ada@example.com", "pm_card_chargeCustomerFail").await;
    app.env.advance(6 * 60_000);
    work(&app).await;
    let standing = plan(&app, &ada).await;
    assert_eq!((&standing["state"], &standing["canChangeMethod"]), (&json!("past_due"), &json!(true)));
    let change = async |card: &str| app.post_as(&ada, "/api/charge/method", json!({ "token": card })).await;
    change("pm_card_chargeCustomerFail").await.fails(402, "card_declined", "Your card was declined.");
    assert_eq!((plan(&app, &ada).await["state"].clone(), taken(&app)), (json!("past_due"), vec![]));
    let repaired = change("pm_card_visa").await.result()["plan"].take();
    assert_eq!((&repaired["state"], &repaired["graceEndsAt"]), (&json!("active"), &Value::Null));
    assert_eq!(taken(&app), [999]);
}

#[actix_web::test]
async fn two_months_without_a_summary_bring_one_mail_that_offers_a_pause() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "");
    let ada = paying(&app, "ada@example.com", "pm_card_visa").await;
    app.get_as(&ada, &format!("/api/books/{book}")).await.result();
    let begun = START.plus(3 * DAY);
    let offers = || app.count("jobs WHERE about = 'pause_offer'");
    let until = async |millis: i64| {
        app.env.advance(millis - kernel::Env::now(&*app.env).millis());
        work(&app).await;
    };
    until(begun.plus_months(1).plus(DAY).millis()).await;
    until(begun.plus_months(2).plus(-1).millis()).await;
    assert_eq!(offers(), 0);
    until(begun.plus_months(2).plus(DAY).millis()).await;
    assert_eq!(offers(), 1);
    until(begun.plus_months(2).plus(3 * DAY).millis()).await;
    assert_eq!(offers(), 1, "once");
    // Who reads again, and then does not, is written to again.
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let second = app.add_book("another-book", "");
    app.get_as(&ada, &format!("/api/books/{second}")).await.result();
    let later = format!("pause_offers WHERE offered_at > to_timestamp({})", begun.plus_months(3).millis() / 1_000);
    until(begun.plus_months(4).plus(2 * DAY).millis()).await;
    assert_eq!(app.count(&later), 0);
    until(begun.plus_months(4).plus(5 * DAY).millis()).await;
    // Jobs that were done long ago are gone.
    assert_eq!((app.count(&later), offers()), (1, 1));
}

//! What an admin of a demo has the sandbox do: disputes, renewals that fail, time that passes.

use crate::harness::{PASSWORD, Person, START, TestApp};
use kernel::HOUR;
use serde_json::{Value, json};

async fn demo() -> (TestApp, Person) {
    let app = TestApp::start_with(&[("PITH_PROFILE", "demo")]).await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    (app, admin)
}

async fn buy(app: &TestApp, person: &Person, plan: &str, token: &str) -> Value {
    app.post_as(person, &format!("/api/charge/process/{plan}"), json!({ "token": token })).await.result()
}

async fn billing(app: &TestApp, email: &str) -> Value {
    let person = app.log_in(email, PASSWORD).await;
    app.get_as(&person, "/api/user/billing").await.result()
}

async fn is_paid(app: &TestApp, email: &str) -> Value {
    let person = app.log_in(email, PASSWORD).await;
    app.get_as(&person, "/api/user/account").await.result()["user"]["isPaid"].take()
}

async fn work(app: &TestApp) {
    for _ in 0..3 {
        app.queue_scheduled().await;
        app.work_off().await;
    }
}

#[actix_web::test]
async fn an_admin_has_a_payment_disputed_and_the_dispute_won_or_lost() {
    let (app, admin) = demo().await;
    for (email, outcome, is_paid_after) in [("ada@example.com", "won", true), ("bob@example.com", "lost", false)] {
        let person = app.sign_up(email).await;
        buy(&app, &person, "lifetime", "pm_card_visa").await;
        let timeline = billing(&app, email).await["timeline"].take();
        let lines = timeline.as_array().expect("a timeline");
        let charge = lines.iter().find(|line| line["kind"] == "charge").expect("a charge")["id"].clone();
        let dispute = async |outcome| {
            app.post_as(&admin, "/api/sandbox/disputes", json!({ "charge": charge, "outcome": outcome })).await
        };
        dispute(outcome).await.fails(422, "validation_failed", "This payment has no open dispute.");
        dispute("opened").await.result();
        app.work_off().await;
        assert_eq!(is_paid(&app, email).await, false);
        dispute("opened").await.fails(422, "validation_failed", "This payment was disputed before.");
        dispute(outcome).await.result();
        app.work_off().await;
        assert_eq!(is_paid(&app, email).await, is_paid_after, "{outcome}");
    }
    let unknown = json!({ "charge": "sandbox:py_none", "outcome": "opened" });
    app.post_as(&admin, "/api/sandbox/disputes", unknown).await.fails(404, "not_found", "There is no such charge.");
}

#[actix_web::test]
async fn time_passes_for_trials_and_renewals_and_a_declined_card_is_past_due_until_the_plan_ends() {
    let (app, admin) = demo().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    buy(&app, &ada, "monthly", "pm_card_visa").await;
    let checkout = buy(&app, &bob, "monthly", "pm_card_mastercard").await["checkout"].take();
    app.post_as(&admin, "/api/sandbox/declines", json!({ "checkout": checkout })).await.result();
    let now = app.post_as(&admin, "/api/sandbox/time", json!({ "hours": 73 })).await.result()["now"].take();
    assert_eq!(now, START.plus(73 * HOUR).millis());
    work(&app).await;
    let state = async |email| billing(&app, email).await["plan"]["state"].take();
    assert_eq!((state("ada@example.com").await, state("bob@example.com").await), (json!("active"), json!("past_due")));
    let payments = app.app.gateways.sandbox().expect("the sandbox").payments().expect("it answers");
    let taken: Vec<i64> = payments.iter().map(|payment| payment.amount.cents()).collect();
    assert_eq!(taken, [999]);
    // Its token has expired, as all have.
    let admin = app.log_in("admin@example.com", PASSWORD).await;
    app.post_as(&admin, "/api/sandbox/time", json!({ "hours": 8 * 24 })).await.result();
    work(&app).await;
    assert_eq!(
        (is_paid(&app, "ada@example.com").await, is_paid(&app, "bob@example.com").await),
        (json!(true), json!(false))
    );
    // Another process of the site has the same time.
    let beside = app.start_beside_with(&[("PITH_PROFILE", "demo")]).await;
    assert_eq!(beside.app.env.now(), app.app.env.now());
}

#[actix_web::test]
async fn the_controls_are_an_admins_and_a_demos_alone() {
    let (app, admin) = demo().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(app.post_as(&ada, "/api/sandbox/time", json!({ "hours": 1 })).await.status, 403);
    for hours in [0, -1, 24 * 367 + 1] {
        let reply = app.post_as(&admin, "/api/sandbox/time", json!({ "hours": hours })).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!("hours")));
    }
    let unknown = app.post_as(&admin, "/api/sandbox/declines", json!({ "checkout": "none" })).await;
    unknown.fails(422, "validation_failed", "No subscription of this purchase is running.");
    let production = TestApp::start().await;
    let admin = production.sign_up_with_role("admin@example.com", "admin").await;
    let reply = production.post_as(&admin, "/api/sandbox/time", json!({ "hours": 1 })).await;
    reply.fails(404, "not_found", "There is no such page.");
    assert_eq!(production.app.env.now(), START);
}

//! Money that goes back, and what follows: plans, rewards and receipts. Subscriptions at Stripe, with authentication.

use crate::harness::{PASSWORD, Person, Reply, START, TestApp};
use billing::gateway::PaymentId;
use futures_util::future::join_all;
use kernel::DAY;
use reqwest::Method;
use serde_json::{Value, json};
use testing::StripeDouble;

async fn pay(app: &TestApp, person: Option<&Person>, plan: &str, body: Value) -> Reply {
    app.send(person, Method::POST, &format!("/api/charge/process/{plan}"), Some(body)).await
}

async fn buy(app: &TestApp, person: &Person, plan: &str, link: Option<&str>) -> Value {
    pay(app, Some(person), plan, json!({ "token": "pm_card_visa", "rId": link })).await.result()
}

async fn link_of(app: &TestApp, person: &Person) -> String {
    app.get_as(person, "/api/user/refers").await.result()["rId"].as_str().expect("a link").to_owned()
}

async fn earned(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/user/refers").await.result()["refers"][0]["money"].take()
}

async fn billing(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/user/billing").await.result()
}

/// The `id` of the latest charge in the timeline.
async fn latest_charge(app: &TestApp, person: &Person) -> String {
    let billing = billing(app, person).await;
    let lines = billing["timeline"].as_array().expect("a timeline");
    let charge = lines.iter().find(|line| line["kind"] == "charge").expect("a charge");
    charge["id"].as_str().expect("an id").to_owned()
}

async fn refund(app: &TestApp, admin: &Person, charge: &str, mut body: Value) -> Reply {
    body["reason"] = json!("requested_by_customer");
    app.post_as(admin, &format!("/api/admin/charges/{charge}/refund"), body).await
}

async fn work(app: &TestApp) {
    app.queue_scheduled().await;
    app.work_off().await;
    app.work_off().await;
}

#[actix_web::test]
async fn an_admin_gives_back_a_part_and_the_rest_and_the_reward_follows() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let link = link_of(&app, &ada).await;
    buy(&app, &bob, "lifetime", Some(&link)).await;
    assert_eq!(earned(&app, &ada).await, 3_725);
    let charge = latest_charge(&app, &bob).await;
    assert_eq!(refund(&app, &bob, &charge, json!({})).await.status, 403);
    refund(&app, &admin, "sandbox:py_none:charged", json!({})).await.fails(
        404,
        "not_found",
        "There is no such charge.",
    );
    let too_much = refund(&app, &admin, &charge, json!({ "amount": 14_901 })).await;
    assert_eq!((too_much.status.as_u16(), &too_much.json()["field"]), (422, &json!("amount")));
    let path = format!("/api/admin/charges/{charge}/refund");
    let press = async || {
        let request = app.request(Method::POST, &path).bearer_auth(&admin.token).header("idempotency-key", "k1");
        crate::harness::reply(request.json(&json!({ "amount": 4_900, "reason": "other" }))).await.result()
    };
    let part = json!({ "charged": 14_900, "refunded": 4_900, "pending": false });
    assert_eq!((press().await, press().await), (part.clone(), part));
    assert_eq!(earned(&app, &ada).await, 2_500);
    let account = app.get_as(&bob, "/api/user/account").await.result()["user"].take();
    assert_eq!(account["isPaid"], true, "a part ends nothing");
    let pressed = join_all((0..5).map(|_| refund(&app, &admin, &charge, json!({})))).await;
    for reply in pressed {
        assert_eq!(reply.result(), json!({ "charged": 14_900, "refunded": 14_900, "pending": false }));
    }
    assert_eq!(earned(&app, &ada).await, 0);
    let bob = app.log_in("bob@example.com", PASSWORD).await;
    assert_eq!(app.get_as(&bob, "/api/user/account").await.result()["user"]["isPaid"], false);
    assert_eq!(app.count("ledger_transactions WHERE kind = 'refunded'"), 2);
    assert!(app.count("audit_entries WHERE action = 'charge.refund'") >= 2, "who wants to give it back is recorded");
    let given = format!("audit_entries WHERE action = 'charge.refunded' AND actor_id = {}", admin.id());
    assert!(app.count(&given) >= 2, "and what came of it");
    assert!(app.operator_command("ledger-check").await.status.success());
}

#[actix_web::test]
async fn a_refund_has_a_reason_and_its_audit_lines_name_order_person_and_sum() {
    let app = TestApp::start().await;
    let bob = app.sign_up("bob@example.com").await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    buy(&app, &bob, "lifetime", None).await;
    let guest = json!({ "token": "pm_card_mastercard", "email": "guest@example.com" });
    pay(&app, None, "gift", guest).await.result();
    let orders = app.get_as(&admin, "/api/admin/orders").await.result()["orders"].take();
    let order =
        async |id: &Value| app.get_as(&admin, &format!("/api/admin/orders/{id}")).await.result()["order"].take();
    let (of_guest, of_bob) = (order(&orders[0]["id"]).await, order(&orders[1]["id"]).await);
    let path =
        |order: &Value| format!("/api/admin/charges/{}/refund", order["charges"][0]["id"].as_str().expect("an id"));
    for (body, field) in [
        (json!({}), "reason"),
        (json!({ "reason": "" }), "reason"),
        (json!({ "reason": "because" }), "reason"),
        (json!({ "reason": "other", "note": "x".repeat(201) }), "note"),
    ] {
        let refused = app.post_as(&admin, &path(&of_bob), body).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["field"]), (422, &json!(field)));
    }
    let given = json!({ "amount": 4_900, "reason": "duplicate", "note": " By phone. " });
    app.post_as(&admin, &path(&of_bob), given).await.result();
    app.post_as(&admin, &path(&of_guest), json!({ "reason": "fraudulent" })).await.result();

    let rows = app.get_as(&admin, "/api/admin/ledger?kind=refunded").await.result()["entries"].take();
    assert_eq!((&rows[0]["reason"], &rows[0]["note"]), (&json!("fraudulent"), &Value::Null));
    assert_eq!((&rows[0]["member"], &rows[0]["email"]), (&Value::Null, &json!("guest@example.com")));
    assert_eq!((&rows[1]["reason"], &rows[1]["note"]), (&json!("duplicate"), &json!("By phone.")));
    assert_eq!((&rows[1]["member"]["email"], &rows[1]["email"]), (&json!("bob@example.com"), &Value::Null));
    let found = app.get_as(&admin, "/api/admin/ledger?q=GUEST%40").await.result()["entries"].take();
    assert!(
        found.as_array().expect("rows").iter().all(|row| row["email"] == "guest@example.com") && found[0].is_object()
    );
    let states = [order(&orders[0]["id"]).await, order(&orders[1]["id"]).await].map(|one| one["state"].clone());
    assert_eq!(states, ["refunded", "partly_refunded"]);
    let part = app.get_as(&admin, "/api/admin/orders?state=partly_refunded").await.result()["orders"].take();
    assert_eq!((part.as_array().map(Vec::len), &part[0]["id"]), (Some(1), &orders[1]["id"]));
    assert_eq!(order(&orders[1]["id"]).await["history"][0]["why"], "Paid twice: By phone.");

    let log = app.get_as(&admin, "/api/admin/audit?action=charge").await;
    assert!(!log.text.contains("sandbox:"), "{}", log.text);
    let log = log.result()["entries"].take();
    let change = |field: &str, from: Value, to: &str| json!({ "field": field, "from": from, "to": to });
    let named = |index: usize| (log[index]["action"].clone(), log[index]["subject"].clone());
    let lifetime = change("order", Value::Null, &format!("#{} Lifetime", orders[1]["id"]));
    let (action, subject) = named(3);
    assert_eq!(
        (&action, &subject["kind"], &subject["id"]),
        (&json!("charge.refund"), &json!("user"), &json!(bob.id()))
    );
    let asked = [
        lifetime.clone(),
        change("amount", Value::Null, "$49.00"),
        change("reason", Value::Null, "Paid twice"),
        change("note", Value::Null, "By phone."),
    ];
    assert_eq!(log[3]["changes"], json!(asked));
    assert_eq!(log[2]["changes"], json!([lifetime, change("refunded", json!("$0.00"), "$49.00")]));
    let (action, subject) = named(0);
    let of_order = json!({ "kind": "charge", "id": orders[0]["id"], "name": "a guest" });
    assert_eq!((action, subject), (json!("charge.refunded"), of_order));
}

#[actix_web::test]
async fn a_dispute_takes_plan_and_reward_and_a_dispute_that_is_won_gives_them_back() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let link = link_of(&app, &ada).await;
    buy(&app, &bob, "lifetime", Some(&link)).await;
    let sandbox = app.app.gateways.sandbox().expect("the sandbox");
    let payment: PaymentId = sandbox.payments().expect("it answers")[0].id.clone();
    let is_paid = async || {
        let bob = app.log_in("bob@example.com", PASSWORD).await;
        app.get_as(&bob, "/api/user/account").await.result()["user"]["isPaid"].take()
    };
    sandbox.open_dispute(&payment).expect("it is opened");
    work(&app).await;
    assert_eq!((earned(&app, &ada).await, is_paid().await), (json!(0), json!(false)));
    sandbox.close_dispute(&payment, true).expect("it is closed");
    app.env.advance(60_000);
    work(&app).await;
    assert_eq!((earned(&app, &ada).await, is_paid().await), (json!(3_725), json!(true)));
}

#[actix_web::test]
async fn members_who_buy_through_each_others_links_at_once_wait_for_one_another() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let link = async |person: &Person| {
        let joined = app.post_as(person, "/api/affiliate", json!({})).await.result();
        joined["link"].as_str().expect("a link").rsplit('/').next().expect("an id").to_owned()
    };
    let (of_ada, of_bob) = (link(&ada).await, link(&bob).await);
    // Cards of their own: nobody earns from their own card.
    let gift = async |person: &Person, card: &str, link: &str, key: String| {
        loop {
            let request = app.request(Method::POST, "/api/charge/process/gift").bearer_auth(&person.token);
            let request = request.header("idempotency-key", &key).json(&json!({ "token": card, "rId": link }));
            let reply = crate::harness::reply(request).await;
            // On a busy machine some wait too long for a connection: they press again, as the page does.
            if reply.status != 503 {
                return reply;
            }
        }
    };
    let race = (0..12).map(|n| {
        let (of_ada, of_bob, ada, bob, gift) = (&of_ada, &of_bob, &ada, &bob, &gift);
        async move {
            tokio::join!(
                gift(ada, "pm_card_visa", of_bob, format!("ada-{n}")),
                gift(bob, "pm_card_mastercard", of_ada, format!("bob-{n}"))
            )
        }
    });
    for (first, second) in join_all(race).await {
        assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 200), "{} {}", first.text, second.text);
    }
    for person in [&ada, &bob] {
        let report = app.get_as(person, "/api/affiliate").await.result();
        assert_eq!((&report["purchases"], &report["commission"]["pending"]), (&json!(12), &json!(12 * 449)));
    }
}

#[actix_web::test]
async fn a_gift_that_its_payer_redeems_begins_after_the_period_that_runs() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    buy(&app, &ada, "monthly", None).await;
    buy(&app, &ada, "gift", None).await;
    let code = app.mails_to("ada@example.com").into_iter().find_map(|mail| match mail {
        mail::Mail::Gift { code, .. } => Some(code),
        _ => None,
    });
    let redeemed = app.post_as(&ada, "/api/user/stacksocial", json!({ "code": code })).await.result();
    let due = START.plus(3 * DAY).plus_months(12);
    assert_eq!(redeemed["endPaidDate"], due.millis());
    app.work_off().await;
    app.env.advance(4 * DAY);
    work(&app).await;
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let billing = billing(&app, &ada).await;
    assert_eq!(billing["plan"]["nextCharge"], json!({ "at": due.millis(), "amount": 999 }));
    assert_eq!(app.count("ledger_transactions WHERE kind = 'charged' AND plan_id = 'monthly'"), 0);
}

#[actix_web::test]
async fn a_receipt_is_read_by_its_payer_as_a_page_and_as_a_pdf_for_a_day() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let result = pay(&app, Some(&ada), "lifetime", json!({ "token": "pm_card_visa", "addInfographics": 20 })).await;
    let billing = billing(&app, &ada).await;
    let line = &billing["timeline"][0];
    let (page, pdf) = (line["receiptUrl"].as_str().unwrap(), line["receiptPdfUrl"].as_str().unwrap());
    let read = app.get(page).await;
    assert_eq!(read.status, 200, "{}", read.text);
    for said in
        ["Lifetime", "20 infographics", "$149.00", "$10.99", "$159.99", "Visa ending in 4242", "ada@example.com"]
    {
        assert!(read.text.contains(said), "{said}");
    }
    assert!(read.headers["cache-control"].to_str().unwrap().contains("no-store"));
    let file = app.get(pdf).await;
    assert_eq!((file.status.as_u16(), &file.headers["content-type"]), (200, &"application/pdf".parse().unwrap()));
    assert!(file.text.starts_with("%PDF"));
    assert_eq!(app.get(result.result()["receiptUrl"].as_str().unwrap()).await.status, 200);
    app.get("/api/charge/receipt/00ff").await.fails(404, "not_found", "There is no such receipt.");
    // What was charged to another member stands in no other timeline.
    let bob = app.sign_up("bob@example.com").await;
    assert_eq!(self::billing(&app, &bob).await["timeline"], json!([]));
    app.env.advance(DAY);
    app.get(page).await.fails(404, "not_found", "There is no such receipt.");
}

/// A server with Stripe's keys, and the double behind them.
async fn with_stripe() -> (TestApp, StripeDouble) {
    let double = StripeDouble::start(START.millis() / 1_000);
    let vars = [
        ("STRIPE_SECRET_KEY", testing::stripe::SECRET_KEY),
        ("STRIPE_PUBLISHABLE_KEY", "pk_test_double"),
        ("STRIPE_WEBHOOK_SECRET", testing::stripe::WEBHOOK_SECRET),
        ("STRIPE_API_URL", double.url()),
    ];
    (TestApp::start_with(&vars).await, double)
}

/// Both clocks go on, and what Stripe tells arrives.
async fn pass(app: &TestApp, double: &StripeDouble, millis: i64) {
    app.env.advance(millis);
    double.advance_to(kernel::Env::now(&*app.env).millis() / 1_000);
    for webhook in double.take_webhooks() {
        let request = app.request(Method::POST, "/api/stripe/webhook").header("stripe-signature", &webhook.signature);
        assert_eq!(crate::harness::reply(request.body(webhook.body)).await.status, 200);
    }
    work(app).await;
}

#[actix_web::test]
async fn a_subscription_at_stripe_is_authenticated_charged_renewed_switched_and_refunded() {
    let (app, double) = with_stripe().await;
    let ada = app.sign_up("ada@example.com").await;
    let mut admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let asked = pay(&app, Some(&ada), "monthly", json!({ "token": "pm_card_authenticationRequired" })).await.result();
    assert_eq!((&asked["status"], &asked["requiresAction"]), (&json!("requires_action"), &json!(true)));
    assert_eq!(app.get_as(&ada, "/api/user/account").await.result()["user"]["isPaid"], false);
    double.authenticate(asked["clientSecret"].as_str().expect("a secret"), true);
    let confirm = json!({ "checkout": asked["checkout"] });
    let confirmed = app.post_as(&ada, "/api/charge/confirm", confirm).await.result();
    assert_eq!((&confirmed["status"], &confirmed["amount"]), (&json!("paid"), &json!(0)));
    pass(&app, &double, 3 * DAY + 1_000).await;
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let standing = billing(&app, &ada).await["plan"].take();
    assert_eq!((&standing["state"], &standing["nextCharge"]["amount"]), (&json!("active"), &json!(999)));
    assert_eq!(double.taken(), [999]);

    // Another card, which wants its payer's authentication too.
    let change = json!({ "token": "pm_card_authenticationRequired" });
    let pending = app.post_as(&ada, "/api/charge/method", change).await.result();
    assert_eq!(pending["requiresAction"], true);
    double.authenticate(pending["clientSecret"].as_str().expect("a secret"), true);
    let confirm = json!({ "checkout": pending["checkout"] });
    app.post_as(&ada, "/api/charge/confirm", confirm).await.result();
    let visa = app.post_as(&ada, "/api/charge/method", json!({ "token": "pm_card_visa" })).await.result();
    assert_eq!(visa["plan"]["method"]["last4"], "4242");

    let shown = app.post_as(&ada, "/api/charge/switch/preview", json!({ "planId": "yearly" })).await.result();
    let body = json!({ "planId": "yearly", "token": shown["token"] });
    for _ in 0..2 {
        let switched = app.post_as(&ada, "/api/charge/switch", body.clone()).await.result();
        assert_eq!(switched["plan"]["planId"], "yearly");
    }
    let charged = shown["switch"]["chargedNow"].as_i64().expect("a sum");
    assert_eq!((double.taken(), charged > 0 && charged <= 5_999), (vec![999, charged], true));
    pass(&app, &double, 1_000).await;
    assert_eq!(app.count("ledger_transactions WHERE kind = 'charged'"), 2);

    app.refresh(&mut admin).await;
    let charge = latest_charge(&app, &ada).await;
    let back = refund(&app, &admin, &charge, json!({})).await.result();
    assert_eq!((&back["refunded"], double.taken()), (&json!(charged), vec![999, 0]));
    pass(&app, &double, 1_000).await;
    assert_eq!(app.count("ledger_transactions WHERE kind = 'refunded'"), 1);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let standing = billing(&app, &ada).await["plan"].take();
    assert_eq!(standing["nextCharge"], Value::Null, "what was refunded whole ends the subscription");
}

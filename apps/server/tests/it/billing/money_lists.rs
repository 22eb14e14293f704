//! Money in the back office: what was bought, given back, disputed, earned and set.

use crate::harness::{PASSWORD, Person, Reply, TestApp};
use futures_util::future::join_all;
use serde_json::{Value, json};

async fn buy(app: &TestApp, person: &Person, plan: &str, body: Value) {
    app.post_as(person, &format!("/api/charge/process/{plan}"), body).await.result();
}

async fn list(app: &TestApp, admin: &Person, path: &str, name: &str) -> Vec<Value> {
    app.get_as(admin, path).await.result()[name].as_array().expect("a list").clone()
}

#[actix_web::test]
async fn orders_and_the_ledger_show_what_happened_to_a_purchase() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    buy(&app, &ada, "gift", json!({ "token": "pm_card_visa" })).await;
    buy(&app, &bob, "bulk", json!({ "token": "pm_card_mastercard", "quantity": 120 })).await;

    let orders = list(&app, &admin, "/api/admin/orders", "orders").await;
    assert_eq!(orders.len(), 2);
    assert_eq!((&orders[0]["planId"], &orders[0]["member"]["email"]), (&json!("bulk"), &json!("bob@example.com")));
    assert_eq!((&orders[1]["state"], &orders[1]["amount"]), (&json!("paid"), &json!(4_499)));
    let path = format!("/api/admin/orders?limit=1&after={}", orders[0]["id"]);
    assert_eq!(list(&app, &admin, &path, "orders").await, orders[1..]);
    for (query, found) in [
        ("q=ADA%40", 1),
        ("q=nobody", 0),
        ("plan=gift", 1),
        ("provider=stripe", 0),
        ("state=refunded", 0),
        ("to=2000-01-01", 0),
    ] {
        assert_eq!(list(&app, &admin, &format!("/api/admin/orders?{query}"), "orders").await.len(), found, "{query}");
    }
    for wrong in ["state=lost", "from=yesterday", "after=x"] {
        assert_eq!(app.get_as(&admin, &format!("/api/admin/orders?{wrong}")).await.status, 422, "{wrong}");
    }

    let file = app.post_as(&admin, "/api/admin/orders/export?plan=gift", json!({})).await;
    let wanted =
        format!("Order,Date,Member,Plan,Quantity,Amount,Refunded,Status,By,Coupon\r\n{},2026-", orders[1]["id"]);
    assert!(file.text.starts_with(&wanted), "{}", file.text);
    assert!(file.text.ends_with(",ada@example.com,Gift,1,44.99,0.00,paid,sandbox,\r\n"), "{}", file.text);
    let ledger = app.post_as(&admin, "/api/admin/ledger/export?kind=charged&q=ada%40", json!({})).await;
    assert_eq!(ledger.text.lines().count(), 2, "{}", ledger.text);
    assert!(ledger.text.contains("provider_cash "), "{}", ledger.text);
    for list in ["payouts", "codes"] {
        assert_eq!(app.post_as(&admin, &format!("/api/admin/{list}/export"), json!({})).await.status, 200, "{list}");
    }

    let path = format!("/api/admin/orders/{}", orders[1]["id"]);
    let order = app.get_as(&admin, &path).await.result()["order"].take();
    let charge = &order["charges"][0];
    assert_eq!((&charge["amount"], &charge["refundable"]), (&json!(4_499), &json!(4_499)));
    let refund = format!("/api/admin/charges/{}/refund", charge["id"].as_str().expect("an id"));
    app.post_as(&admin, &refund, json!({ "amount": 1_000, "reason": "other" })).await.result();
    let order = app.get_as(&admin, &path).await.result()["order"].take();
    assert_eq!((&order["refunded"], &order["charges"][0]["refundable"]), (&json!(1_000), &json!(3_499)));
    app.post_as(&admin, &refund, json!({ "reason": "other" })).await.result();
    assert_eq!(app.get_as(&admin, &path).await.result()["order"]["state"], "refunded");

    let rows = list(&app, &admin, "/api/admin/ledger?kind=refunded", "entries").await;
    assert_eq!(rows.len(), 2);
    for row in list(&app, &admin, "/api/admin/ledger", "entries").await {
        let sum: i64 =
            row["entries"].as_array().expect("bookings").iter().map(|one| one["amount"].as_i64().unwrap()).sum();
        assert_eq!(sum, 0, "{row}");
    }
    let accounts = list(&app, &admin, "/api/admin/ledger/accounts", "accounts").await;
    assert_eq!(accounts.iter().map(|one| one["balance"].as_i64().unwrap()).sum::<i64>(), 0);
    let checked = app.post_as(&admin, "/api/admin/ledger/check", json!({})).await.result();
    assert_eq!(checked["wrong"], json!([]));

    let teams = list(&app, &admin, "/api/admin/teams", "teams").await;
    assert_eq!((teams.len(), &teams[0]["seats"], &teams[0]["used"]), (1, &json!(120), &json!(0)));
    let team = app.get_as(&admin, &format!("/api/admin/teams/{}", teams[0]["id"])).await.result();
    assert_eq!(team["team"]["list"].as_array().map(Vec::len), Some(120), "more than a page");

    let sandbox = app.app.gateways.sandbox().expect("the sandbox");
    let payments = sandbox.payments().expect("it answers");
    let seats = payments.iter().find(|one| one.refunded.cents() == 0).expect("the seats");
    sandbox.open_dispute(&seats.id).expect("it is opened");
    app.queue_scheduled().await;
    app.work_off().await;
    app.work_off().await;
    let disputes = list(&app, &admin, "/api/admin/disputes?state=open", "disputes").await;
    assert_eq!((disputes.len(), &disputes[0]["order"]), (1, &orders[0]["id"]));
    assert!(list(&app, &admin, "/api/admin/disputes?state=won", "disputes").await.is_empty());
    assert_eq!(list(&app, &admin, "/api/admin/orders?state=disputed", "orders").await.len(), 1);
    assert!(list(&app, &admin, "/api/admin/failed-renewals", "renewals").await.is_empty());
}

#[actix_web::test]
async fn guests_are_named_and_a_price_that_changed_is_no_failure() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let ada = app.sign_up("ada@example.com").await;
    buy(&app, &ada, "monthly", json!({ "token": "pm_card_visa" })).await;
    // The card has had its trial: nothing is charged, and the guest is shown the price without one.
    let guest = json!({ "token": "pm_card_visa", "email": "guest@example.com" });
    let pay = async |key: &str, body: &Value| {
        let request = app.request(reqwest::Method::POST, "/api/charge/process/monthly").header("idempotency-key", key);
        crate::harness::reply(request.json(body)).await
    };
    for _ in 0..2 {
        let refused = pay("k1", &guest).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (409, &json!("price_changed")));
    }
    let orders = list(&app, &admin, "/api/admin/orders", "orders").await;
    assert_eq!((&orders[0]["state"], &orders[0]["email"]), (&json!("price_changed"), &json!("guest@example.com")));
    assert!(list(&app, &admin, "/api/admin/orders?state=failed", "orders").await.is_empty());
    assert_eq!(list(&app, &admin, "/api/admin/orders?state=price_changed", "orders").await, orders[..1]);
    assert_eq!(pay("k2", &guest).await.result()["amount"], 999);

    let declined = json!({ "token": "pm_card_chargeDeclined", "email": "guest@example.com" });
    app.post("/api/charge/process/gift", declined).await.fails(402, "card_declined", "Your card was declined.");
    assert_eq!(list(&app, &admin, "/api/admin/orders?state=failed", "orders").await.len(), 1);
    let rows = list(&app, &admin, "/api/admin/ledger?kind=charged", "entries").await;
    assert_eq!((&rows[0]["member"], &rows[0]["email"]), (&Value::Null, &json!("guest@example.com")));
}

#[actix_web::test]
async fn a_coupon_takes_an_amount_off_every_charge_of_some_plans() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let ada = app.sign_up("ada@example.com").await;
    let post = async |body: Value| app.post_as(&admin, "/api/admin/coupons", body).await;
    for (body, field) in [
        (json!({ "code": "x" }), "percent"),
        (json!({ "code": "x", "percent": 10, "amount": 100 }), "percent"),
        (json!({ "code": "x", "amount": 0 }), "amount"),
        (json!({ "code": "x", "percent": 10, "plans": ["none"] }), "plans"),
        (json!({ "code": "x", "percent": 10, "campaign": "c".repeat(101) }), "campaign"),
    ] {
        let refused = post(body.clone()).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["field"]), (422, &json!(field)), "{body}");
    }
    let coupon =
        json!({ "code": "TEN", "amount": 1_000, "everyCharge": true, "plans": ["yearly"], "campaign": " Fall " });
    let saved = post(coupon).await.result()["coupon"].take();
    assert_eq!(
        (&saved["percent"], &saved["amount"], &saved["campaign"]),
        (&Value::Null, &json!(1_000), &json!("Fall"))
    );

    let quote = async |plan: &str| {
        let body = json!({ "planId": plan, "coupon": "TEN" });
        app.post_as(&ada, "/api/charge/coupon", body).await
    };
    quote("monthly").await.fails(422, "validation_failed", "This coupon is not for this plan.");
    let shown = quote("yearly").await.result();
    assert_eq!((&shown["percent_off"], &shown["discount"]), (&Value::Null, &json!(1_000)));
    assert_eq!((&shown["everyCharge"], &shown["firstCharge"]), (&json!(true), &json!(4_999)));
    assert_eq!(shown["renewal"], json!({ "price": 4_999, "months": 12 }));

    buy(&app, &ada, "yearly", json!({ "token": "pm_card_visa", "couponCode": "TEN", "dueNow": 0 })).await;
    let account = app.get_as(&ada, "/api/user/billing").await.result();
    assert_eq!(account["plan"]["nextCharge"]["amount"], 4_999, "{account}");
    // A switch costs what the other plan costs.
    let body = json!({ "planId": "monthly", "coupon": "TEN" });
    app.put_as(&admin, "/api/admin/coupons/TEN", json!({ "percent": 50 })).await.result();
    let switched = app.post_as(&ada, "/api/charge/coupon", body).await;
    switched.fails(422, "validation_failed", "A coupon can't be used to switch plans.");
}

#[actix_web::test]
async fn a_plan_is_added_sold_and_archived_and_its_subscribers_keep_it() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let ada = app.sign_up("ada@example.com").await;
    let add = async |body: Value| app.post_as(&admin, "/api/admin/plans", body).await;
    let student = json!({ "id": "student", "name": "Student", "kind": "monthly", "price": 499 });
    for (name, value, field) in [
        ("id", "Student!", "id"),
        ("id", "book-x", "id"),
        ("kind", "gift", "kind"),
        ("kind", "weekly", "kind"),
        ("name", " ", "name"),
    ] {
        let mut body = student.clone();
        body[name] = json!(value);
        let refused = add(body).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["field"]), (422, &json!(field)), "{value}");
    }
    assert_eq!(add(student.clone()).await.result()["plan"]["place"], 11);
    assert_eq!(add(student).await.json()["code"], "already_there");

    let on_sale = async || {
        let settings = app.get("/api/charge/settings").await.result();
        settings["plans"].as_array().unwrap().iter().any(|plan| plan["id"] == "student")
    };
    assert!(on_sale().await);
    assert!(app.get("/try").await.text.contains("/payment/student"));
    buy(&app, &ada, "student", json!({ "token": "pm_card_visa", "dueNow": 0 })).await;

    let form = |archived: bool| json!({ "name": "Student", "price": 599, "archived": archived });
    let change = async |id: &str, body: Value| app.put_as(&admin, &format!("/api/admin/plans/{id}"), body).await;
    for (id, field) in [("yearly", "archived"), ("gift", "kind")] {
        assert_eq!(change(id, form(true)).await.json()["field"], field, "{id}");
    }
    let archived = change("student", form(true)).await.result();
    assert_eq!((&archived["plan"]["archived"], &archived["plan"]["subscribers"]), (&json!(true), &json!(1)));
    assert!(!on_sale().await);
    assert!(!app.get("/try").await.text.contains("/payment/student"));
    let guest = json!({ "planId": "student", "email": "guest@example.com" });
    app.post("/api/charge/price", guest).await.fails(404, "unknown_plan", "Invalid plan id");
    let account = app.get_as(&ada, "/api/user/billing").await.result();
    assert_eq!(account["plan"]["nextCharge"]["amount"], 499, "{account}");
    change("student", form(false)).await.result();
    assert!(on_sale().await);
}

#[actix_web::test]
async fn coupons_codes_prices_and_payouts_are_set_and_count() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let ada = app.sign_up("ada@example.com").await;
    let post = async |path: &str, body: Value| app.post_as(&admin, path, body).await;

    post("/api/admin/coupons", json!({ "code": "spring", "percent": 50 })).await.result();
    assert_eq!(post("/api/admin/coupons", json!({ "code": "SPRING", "percent": 5 })).await.status, 409);
    assert_eq!(post("/api/admin/coupons", json!({ "code": "a", "percent": 0 })).await.status, 422);
    let price = async |person: &Person| {
        let body = json!({ "planId": "gift", "coupon": "SPRING" });
        app.post_as(person, "/api/charge/coupon", body).await.result()["dueNow"].clone()
    };
    assert_eq!(price(&ada).await, 2_250);
    let plan = json!({ "name": "Gift", "price": 1_000, "version": 1 });
    let changed = app.put_as(&admin, "/api/admin/plans/gift", plan.clone()).await.result();
    assert_eq!((&changed["plan"]["price"], &changed["plan"]["version"]), (&json!(1_000), &json!(2)));
    assert_eq!(app.put_as(&admin, "/api/admin/plans/gift", plan).await.json()["code"], "edit_conflict");
    assert_eq!(price(&ada).await, 500);
    buy(&app, &ada, "gift", json!({ "token": "pm_card_visa", "couponCode": "SPRING" })).await;
    assert_eq!(app.delete_as(&admin, "/api/admin/coupons/SPRING").await.json()["code"], "in_use");
    for (query, found) in [("spring", 1), ("SPRIN", 0)] {
        assert_eq!(list(&app, &admin, &format!("/api/admin/orders?q={query}"), "orders").await.len(), found, "{query}");
    }

    let made = post("/api/admin/codes", json!({ "planId": "yearly", "months": 12, "count": 3 })).await.result();
    let code = made["codes"][0].clone();
    app.post_as(&ada, "/api/user/stacksocial", json!({ "code": code["code"] })).await.result();
    let paid = async || app.log_in("ada@example.com", PASSWORD).await;
    assert!(app.get_as(&paid().await, "/api/user/account").await.result()["user"]["isPaid"].as_bool().unwrap());
    for (months, plan, said) in [
        (json!(12), "lifetime", "A lifetime plan has no months: it does not end."),
        (Value::Null, "yearly", "Please choose 1 to 1200 months."),
        (json!(0), "monthly", "Please choose 1 to 1200 months."),
        (json!(1_201), "yearly", "Please choose 1 to 1200 months."),
    ] {
        let one = json!({ "planId": plan, "months": months, "count": 1 });
        let several = json!({ "planId": plan, "months": months, "codes": ["ABCD-1234-ABCD-5678"], "dryRun": true });
        for (path, body) in [("/api/admin/codes", one), ("/api/admin/codes/import", several)] {
            let refused = post(path, body).await;
            refused.fails(422, "validation_failed", said);
            assert_eq!(refused.json()["field"], "months");
        }
    }
    let for_life = post("/api/admin/codes", json!({ "planId": "lifetime", "months": null, "count": 1 })).await.result();
    assert_eq!(
        (&for_life["codes"][0]["planName"], &for_life["codes"][0]["months"]),
        (&json!("Lifetime"), &Value::Null)
    );
    let lines = json!(["ABCD-1234-ABCD-5678", "no code!", "abcd1234abcd5678", code["code"]]);
    for dry_run in [true, false] {
        let body = json!({ "planId": "yearly", "months": 12, "codes": lines, "dryRun": dry_run });
        let report = post("/api/admin/codes/import", body).await.result();
        let results: Vec<&str> =
            report["lines"].as_array().unwrap().iter().map(|one| one["result"].as_str().unwrap()).collect();
        assert_eq!(
            (&report["imported"], results),
            (&json!(1), vec!["imported", "invalid", "already_there", "already_there"])
        );
    }
    let codes = list(&app, &admin, "/api/admin/codes?state=redeemed", "codes").await;
    assert_eq!((codes.len(), &codes[0]["redeemedBy"]["email"]), (1, &json!("ada@example.com")));
    post(&format!("/api/admin/codes/{}/revoke", codes[0]["id"]), json!({})).await.result();
    assert!(!app.get_as(&paid().await, "/api/user/account").await.result()["user"]["isPaid"].as_bool().unwrap());
    assert_eq!(list(&app, &admin, "/api/admin/codes?kind=marketplace", "codes").await.len(), 1);

    let earned = format!(
        "INSERT INTO referral_rewards (purchase, user_id, kind, amount_cents, earned_at) VALUES ('a', {}, 'friend', 750, '2020-01-01')",
        ada.id()
    );
    app.sql(&earned);
    let payouts = list(&app, &admin, "/api/admin/payouts?state=payable", "payouts").await;
    assert_eq!((&payouts[0]["payable"], &payouts[0]["email"]), (&json!(750), &json!("ada@example.com")));
    let path = format!("/api/admin/payouts/{}/paid", ada.id());
    assert_eq!(post(&path, json!({ "amount": 700, "paid": 0 })).await.status, 409);
    assert!(
        post(&path, json!({ "amount": 750 })).await.status.is_client_error(),
        "what was shown as paid belongs to it"
    );
    assert_eq!(app.count("referral_payouts"), 0);
    // Twenty presses of one button: one payout, and everybody is told that it is noted.
    let shown = json!({ "amount": 750, "paid": 0, "note": "By bank." });
    let pressed = join_all((0..20).map(|_| post(&path, shown.clone()))).await;
    for left in pressed.iter().map(Reply::result) {
        assert_eq!((&left["payout"]["payable"], &left["payout"]["paid"]), (&json!(0), &json!(750)));
        assert_eq!((left["history"].as_array().map(Vec::len), &left["history"][0]["amount"]), (Some(1), &json!(750)));
    }
    assert_eq!(app.count("ledger_transactions WHERE kind = 'reward_paid'"), 1);
    assert_eq!(app.count("audit_entries WHERE action = 'payout.pay'"), 1);
    // As much is earned once more. The answer was lost and the press is repeated: that was the payout before.
    app.sql(&earned.replace("'a'", "'b'"));
    assert_eq!(post(&path, shown).await.result()["payout"]["payable"], 750);
    assert_eq!(post(&path, json!({ "amount": 750, "paid": 750 })).await.result()["payout"]["paid"], 1_500);
    assert_eq!(app.count("referral_payouts"), 2);
    assert_eq!(app.count("ledger_transactions WHERE kind = 'reward_paid'"), 2);
}

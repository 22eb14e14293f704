//! Buying: the price that was shown, once, whatever is pressed, lost, repeated or told late.

use crate::harness::{Person, Reply, START, TestApp};
use billing::{BillingCommands, Coupon, CouponCode, Discount, Percent};
use futures_util::future::join_all;
use kernel::{DAY, Period, StoreError};
use mail::Mail;
use reqwest::Method;
use serde_json::{Value, json};
use testing::{PayPalDouble, ProviderFault, StripeDouble, paypal::PayPalPayer};

/// Pays as a guest or a member, with a page's key.
async fn pay(app: &TestApp, person: Option<&Person>, plan: &str, key: &str, body: &Value) -> Reply {
    let mut request = app.request(Method::POST, &format!("/api/charge/process/{plan}"));
    if let Some(person) = person {
        request = request.bearer_auth(&person.token);
    }
    crate::harness::reply(request.header("idempotency-key", key).json(body)).await
}

fn card(token: &str) -> Value {
    json!({ "token": token, "email": "buyer@example.com" })
}

/// What the sandbox took less what it gave back, each payment in cents.
fn taken(app: &TestApp) -> Vec<i64> {
    let payments = app.app.gateways.sandbox().expect("the sandbox").payments().expect("it answers");
    payments.iter().map(|payment| payment.amount.cents() - payment.refunded.cents()).collect()
}

fn add_coupon(app: &TestApp, code: &str, percent: u32) {
    let discount = Discount::Percent(Percent::new(percent).unwrap());
    let coupon = Coupon::new(CouponCode::parse(code).unwrap(), discount, Period { starts_at: START, ends_at: None });
    app.app.db.write_now::<_, StoreError>(|pg| pg.save_coupon(&coupon)).expect("the coupon is saved");
}

async fn account(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/user/account").await.result()["user"].take()
}

async fn work(app: &TestApp) {
    app.queue_scheduled().await;
    app.work_off().await;
    app.work_off().await;
}

fn receipts(app: &TestApp, to: &str) -> usize {
    app.mails_to(to).iter().filter(|mail| matches!(mail, Mail::Receipt { .. })).count()
}

#[actix_web::test]
async fn the_settings_name_every_plan_and_the_sandbox() {
    let app = TestApp::start().await;
    let settings = app.get("/api/charge/settings").await.result();
    assert_eq!((&settings["provider"], &settings["sandbox"]), (&json!("sandbox"), &json!(true)));
    assert_eq!(settings["paypalClientId"], Value::Null);
    let bulk = settings["plans"].as_array().unwrap().iter().find(|plan| plan["id"] == "bulk").unwrap();
    assert_eq!((&bulk["price"], &bulk["minQuantity"], &bulk["maxQuantity"]), (&json!(2_999), &json!(20), &json!(200)));
}

#[actix_web::test]
async fn what_was_shown_is_what_is_charged_with_coupon_and_add_ons() {
    let app = TestApp::start().await;
    add_coupon(&app, "SPRING", 40);
    let ada = app.sign_up("ada@example.com").await;
    let asked = json!({ "coupon": "spring", "planId": "lifetime", "addInfographics": 20 });
    let quote = app.post_as(&ada, "/api/charge/coupon", asked).await.result();
    // 149.00 + 10.99 less 40%, rounded half up.
    assert_eq!(
        (&quote["beforeDiscount"], &quote["percent_off"], &quote["dueNow"], &quote["discount"]),
        (&json!(15_999), &json!(40), &json!(9_599), &json!(6_400))
    );
    let body = json!({ "token": "pm_card_visa", "couponCode": "SPRING", "addInfographics": 20, "dueNow": 9_599, "price": 1, "quantity": 1 });
    let result = pay(&app, Some(&ada), "lifetime", "k1", &body).await.result();
    assert_eq!(
        (&result["status"], &result["amount"], &result["chargeId"]),
        (&json!("paid"), &json!(9_599), &Value::Null)
    );
    let infographics = result["infographicsUrl"].as_str().expect("they were paid for");
    assert!(infographics.starts_with("/api/infographics/download?link="), "{infographics}");
    assert_eq!(taken(&app), [9_599]);
    let user = account(&app, &ada).await;
    assert_eq!(
        (&user["planId"], &user["isPaid"], &user["endPaidDate"]),
        (&json!("lifetime"), &json!(true), &Value::Null)
    );
    assert_eq!(receipts(&app, "ada@example.com"), 1);
    // Nothing more can be bought of what is for life.
    let quote = app.post_as(&ada, "/api/charge/price", json!({ "planId": "yearly" })).await;
    quote.fails(409, "already_subscribed", "You already have this plan.");
}

#[actix_web::test]
async fn what_can_not_be_bought_is_said_before_anything_is_charged() {
    let app = TestApp::start().await;
    let price = async |body: Value| app.post("/api/charge/price", body).await;
    price(json!({ "planId": " " })).await.fails(404, "unknown_plan", "Invalid plan id");
    price(json!({ "planId": "book-none" })).await.fails(404, "unknown_plan", "Invalid plan id");
    let few = price(json!({ "planId": "bulk", "quantity": 19 })).await;
    few.fails(422, "validation_failed", "Please choose a quantity >= 20");
    assert_eq!(few.json()["field"], "quantity");
    let coupon = app.post("/api/charge/coupon", json!({ "planId": "gift", "coupon": "none" })).await;
    coupon.fails(422, "validation_failed", "This coupon does not exist.");
    let no_email = pay(&app, None, "yearly", "k1", &json!({ "token": "pm_card_visa" })).await;
    assert_eq!((no_email.status.as_u16(), &no_email.json()["field"]), (422, &json!("email")));
    let no_card = pay(&app, None, "yearly", "k2", &json!({ "email": "buyer@example.com" })).await;
    assert_eq!((no_card.status.as_u16(), &no_card.json()["field"]), (422, &json!("token")));
    let other = json!({ "token": "pm_card_visa", "email": "buyer@example.com", "dueNow": 1 });
    assert_eq!(pay(&app, None, "lifetime", "k3", &other).await.json()["code"], "price_changed");
    assert_eq!((taken(&app), app.count("checkouts")), (vec![], 0));
}

#[actix_web::test]
async fn an_id_that_no_plan_has_sells_nothing() {
    let double = PayPalDouble::start(START.millis() / 1_000);
    let with_paypal = TestApp::start_with_paypal(&double, &[]).await;
    let app = TestApp::start_with(&[("MONTHLY_PRICE_IDS", "price_of_old")]).await;
    app.add_book("walden", "");
    for id in ["nope", "price_1HxYz", "old-yearly", "book", "book-none"] {
        let sells_nothing = |reply: Reply| reply.fails(404, "unknown_plan", "Invalid plan id");
        sells_nothing(app.post("/api/charge/price", json!({ "planId": id })).await);
        sells_nothing(app.post("/api/charge/coupon", json!({ "planId": id, "coupon": "none" })).await);
        sells_nothing(pay(&app, None, id, &format!("k-{id}"), &card("pm_card_visa")).await);
        let order = json!({ "planId": id, "email": "buyer@example.com" });
        sells_nothing(with_paypal.post("/api/paypal/order", order).await);
        let page = app.get(&format!("/payment/{id}")).await;
        assert_eq!(
            (page.status.as_u16(), page.text.contains("<h1 class=\"page__title\">Invalid plan id</h1>")),
            (404, true),
            "{id}"
        );
    }
    for path in ["/payment", "/payment/", "/payment/%20"] {
        let page = app.get(path).await;
        assert!(page.status == 404 && page.text.contains("Invalid plan id") || page.status == 308, "{path}");
    }
    assert_eq!((taken(&app), app.count("checkouts")), (vec![], 0));
    for (id, plan) in [("gift", "gift"), ("quiz", "quiz"), ("book-walden", "book-walden"), ("price_of_old", "monthly")]
    {
        assert_eq!(app.post("/api/charge/price", json!({ "planId": id })).await.result()["planId"], plan);
        assert_eq!(app.get(&format!("/payment/{id}")).await.status, 200, "{id}");
    }
    // What became of a purchase is shown where its plan has gone.
    assert_eq!(app.get("/payment/book-none?checkout=co_1").await.status, 200);
}

#[actix_web::test]
async fn a_guest_pays_first_and_claims_once_at_the_sign_up() {
    let app = TestApp::start().await;
    let result = pay(&app, None, "yearly", "k1", &card("pm_card_visa")).await.result();
    assert_eq!((&result["status"], &result["amount"]), (&json!("paid"), &json!(0)));
    let trial_end = START.plus(3 * DAY).millis();
    assert_eq!(result["nextCharge"], json!({ "at": trial_end, "amount": 5_999 }));
    let charge_id = result["chargeId"].as_str().expect("a guest's").to_owned();
    let state = format!("/api/charge/checkout/{}", result["checkout"].as_str().unwrap());
    assert_eq!(app.get(&state).await.status, 404);
    assert_eq!(app.get(&format!("{state}?chargeId={charge_id}")).await.result()["status"], "paid");
    let Some(Mail::Receipt { sign_up: Some(link), is_trial: true, .. }) = app.mails_to("buyer@example.com").pop()
    else {
        panic!("a receipt with the link");
    };
    assert!(link.contains(&charge_id), "{link}");

    let register = async |email: &str, charge_id: &str| {
        let body = json!({ "username": email, "password": crate::harness::PASSWORD, "firstName": "Ada", "lastName": "R", "chargeId": charge_id });
        app.post("/api/user/register", body).await.result()["user"].take()
    };
    assert_eq!(register("eve@example.com", "guessed").await["isPaid"], false);
    let ada = register("ada@example.com", &charge_id).await;
    assert_eq!(
        (&ada["isPaid"], &ada["planId"], &ada["endPaidDate"]),
        (&json!(true), &json!("yearly"), &json!(trial_end))
    );
    assert_eq!(register("mallory@example.com", &charge_id).await["isPaid"], false);
    let eve = app.log_in("eve@example.com", crate::harness::PASSWORD).await;
    let claim = async |id: &str| app.post_as(&eve, "/api/user/mark-as-paid", json!({ "chargeId": id })).await;
    assert_eq!((claim(&charge_id).await.status.as_u16(), claim("guessed").await.status.as_u16()), (409, 404));
    assert_eq!(app.get_as(&eve, &state).await.status, 404);
}

#[actix_web::test]
async fn after_a_decline_another_card_pays_and_the_trial_is_still_there() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let body = json!({ "token": "pm_card_chargeDeclined" });
    let declined = pay(&app, Some(&ada), "monthly", "k1", &body).await;
    declined.fails(402, "card_declined", "Your card was declined.");
    pay(&app, Some(&ada), "monthly", "k1", &body).await.fails(402, "card_declined", "Your card was declined.");
    assert_eq!(account(&app, &ada).await["isPaid"], false);
    let result = pay(&app, Some(&ada), "monthly", "k2", &json!({ "token": "pm_card_visa" })).await.result();
    assert_eq!((&result["status"], &result["trialEndsAt"]), (&json!("paid"), &json!(START.plus(3 * DAY).millis())));
    assert_eq!((taken(&app), app.count("checkouts WHERE state = 'paid'")), (vec![], 1));
}

#[actix_web::test]
async fn a_card_that_asks_for_authentication_pays_after_it_and_not_without() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for (key, succeeds) in [("k1", false), ("k2", true)] {
        let body = json!({ "token": "pm_card_authenticationRequired" });
        let asked = pay(&app, Some(&ada), "lifetime", key, &body).await.result();
        assert_eq!((&asked["status"], &asked["requiresAction"]), (&json!("requires_action"), &json!(true)));
        let confirm = async || {
            let body = json!({ "checkout": asked["checkout"] });
            app.post_as(&ada, "/api/charge/confirm", body).await
        };
        assert_eq!(confirm().await.result()["status"], "requires_action");
        assert_eq!(app.post("/api/charge/confirm", json!({ "checkout": asked["checkout"] })).await.status, 404);
        let answer = json!({ "clientSecret": asked["clientSecret"], "succeeds": succeeds });
        app.post("/api/charge/sandbox/authenticate", answer).await.result();
        assert_eq!(confirm().await.status.as_u16(), if succeeds { 200 } else { 402 });
        assert_eq!(account(&app, &ada).await["isPaid"], succeeds);
    }
    assert_eq!(taken(&app), [14_900]);
}

#[actix_web::test]
async fn twenty_presses_of_one_key_charge_once_and_another_body_is_refused() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let body = json!({ "token": "pm_card_visa" });
    let pressed = join_all((0..20).map(|_| pay(&app, Some(&ada), "lifetime", "k1", &body))).await;
    for reply in &pressed {
        let result = reply.result();
        assert_eq!((&result["status"], &result["amount"]), (&json!("paid"), &json!(14_900)));
    }
    assert_eq!((taken(&app), app.count("entitlements"), app.count("checkouts")), (vec![14_900], 1, 1));
    assert_eq!(receipts(&app, "ada@example.com"), 1);
    let other = pay(&app, Some(&ada), "gift", "k1", &body).await;
    other.fails(422, "validation_failed", "This idempotency key was used for another purchase.");
    let guest = pay(&app, None, "lifetime", "k1", &card("pm_card_visa")).await;
    assert_eq!(guest.status, 422);
}

#[actix_web::test]
async fn a_card_has_one_trial_whoever_uses_it() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    pay(&app, Some(&ada), "monthly", "k1", &json!({ "token": "pm_card_visa" })).await.result();
    let bob = app.sign_up("bob@example.com").await;
    let again = pay(&app, Some(&bob), "monthly", "k2", &json!({ "token": "pm_card_visa" })).await;
    assert_eq!((again.status.as_u16(), &again.json()["code"]), (409, &json!("price_changed")));
    assert_eq!((taken(&app), account(&app, &bob).await["isPaid"].clone()), (vec![], json!(false)));
    let quote = app.post_as(&bob, "/api/charge/price", json!({ "planId": "monthly" })).await.result();
    assert_eq!((&quote["trialEndsAt"], &quote["dueNow"]), (&Value::Null, &json!(999)));
    let paid = pay(&app, Some(&bob), "monthly", "k3", &json!({ "token": "pm_card_visa", "dueNow": 999 })).await;
    assert_eq!(paid.result()["amount"], 999);
    assert_eq!(taken(&app), [999]);
    // A guest whose address has had one is told so.
    let asked = json!({ "planId": "monthly", "email": "a.d.a+x@example.com" });
    let other =
        app.post("/api/charge/price", json!({ "planId": "monthly", "email": "ada@example.com" })).await.result();
    assert_eq!(other["trialEndsAt"], Value::Null);
    assert_ne!(app.post("/api/charge/price", asked).await.result()["trialEndsAt"], Value::Null);
}

#[actix_web::test]
async fn a_purchase_of_nothing_needs_no_card_and_does_not_renew() {
    let app = TestApp::start().await;
    add_coupon(&app, "FREE", 100);
    let ada = app.sign_up("ada@example.com").await;
    let result = pay(&app, Some(&ada), "yearly", "k1", &json!({ "couponCode": "free" })).await.result();
    assert_eq!((&result["status"], &result["nextCharge"]), (&json!("paid"), &Value::Null));
    let user = account(&app, &ada).await;
    assert_eq!(user["endPaidDate"], json!(START.plus_months(12).millis()));
    assert_eq!(taken(&app), Vec::<i64>::new());
}

#[actix_web::test]
async fn a_gift_goes_to_its_recipient_or_the_buyer_and_seats_come_as_a_list() {
    let app = TestApp::start().await;
    let gift = json!({
        "token": "pm_card_visa", "email": "buyer@example.com", "senderName": "Ada", "recipientName": "Grace",
        "recipientEmail": "grace@example.com", "recipientMsg": "Enjoy.",
    });
    pay(&app, None, "gift", "k1", &gift).await.result();
    let Some(Mail::Gift { sender, code, message, .. }) = app.mails_to("grace@example.com").pop() else {
        panic!("a gift")
    };
    assert_eq!((sender.as_str(), message.as_str(), code.len()), ("Ada", "Enjoy.", 23));
    pay(&app, None, "gift", "k2", &card("pm_card_visa")).await.result();
    assert!(app.mails_to("buyer@example.com").iter().any(|mail| matches!(mail, Mail::Gift { .. })));
    let seats = json!({ "token": "pm_card_visa", "email": "team@example.com", "quantity": 20 });
    assert_eq!(pay(&app, None, "bulk", "k3", &seats).await.result()["amount"], 20 * 2_999);
    let codes = app.mails_to("team@example.com").into_iter().find_map(|mail| match mail {
        Mail::Codes { codes, .. } => Some(codes.len()),
        _ => None,
    });
    assert_eq!((codes, app.count("codes")), (Some(20), 22));
    let bad = json!({ "token": "pm_card_visa", "email": "buyer@example.com", "recipientEmail": "none" });
    assert_eq!(pay(&app, None, "gift", "k4", &bad).await.json()["field"], "recipientEmail");
}

#[actix_web::test]
async fn a_book_is_answered_as_its_pdf() {
    let app = TestApp::start().await;
    app.add_book("walden", "");
    let reply = pay(&app, None, "book-walden", "k1", &card("pm_card_visa")).await;
    assert_eq!((reply.status.as_u16(), &reply.headers["content-type"]), (200, &"application/pdf".parse().unwrap()));
    assert!(reply.text.starts_with("%PDF"));
    assert_eq!(taken(&app), [499]);
}

#[actix_web::test]
async fn a_trial_is_announced_charged_renewed_and_a_failed_renewal_is_told_once() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    pay(&app, Some(&ada), "monthly", "k1", &json!({ "token": "pm_card_visa" })).await.result();
    let bob = app.sign_up("bob@example.com").await;
    pay(&app, Some(&bob), "monthly", "k2", &json!({ "token": "pm_card_chargeCustomerFail" })).await.result();
    // The jobs stay when the mails were sent: to Ada and to Bob.
    let notices = || app.count("jobs WHERE about = 'trial_ending'");
    let failed = || app.count("jobs WHERE about = 'renewal_failed'");
    work(&app).await;
    app.env.advance(2 * DAY - 1);
    work(&app).await;
    assert_eq!(notices(), 0);
    app.env.advance(1);
    work(&app).await;
    assert_eq!(notices(), 2);
    app.env.advance(DAY + 1_000);
    work(&app).await;
    assert_eq!(taken(&app), [999]);
    let user = account(&app, &app.log_in("ada@example.com", crate::harness::PASSWORD).await).await;
    assert_eq!(user["endPaidDate"], json!(START.plus(3 * DAY).plus_months(1).millis()));
    app.env.advance(5 * 60_000);
    work(&app).await;
    assert_eq!((failed(), notices()), (1, 2));
    app.env.advance(5 * 60_000);
    work(&app).await;
    assert_eq!((failed(), notices()), (1, 2));
}

/// Works off everything but mails, so that they can be looked at.
async fn work_keeping_mails(app: &TestApp) {
    app.sql("UPDATE jobs SET kind = 'kept' WHERE kind = 'mail'");
    for _ in 0..3 {
        app.queue_scheduled().await;
        app.sql("UPDATE jobs SET kind = 'kept' WHERE kind = 'mail'");
        app.work_off().await;
    }
    app.sql("UPDATE jobs SET kind = 'mail' WHERE kind = 'kept'");
}

#[actix_web::test]
async fn a_second_subscription_that_is_claimed_is_ended_and_refunded() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    pay(&app, Some(&ada), "monthly", "k1", &json!({ "token": "pm_card_visa" })).await.result();
    // The address has had its trial, so the guest pays at once.
    let body = json!({ "token": "pm_card_mastercard", "email": "ada@example.com" });
    app.env.advance(1_000);
    let result = pay(&app, None, "yearly", "k2", &body).await.result();
    assert_eq!(result["amount"], 5_999);
    let claim = json!({ "chargeId": result["chargeId"] });
    app.post_as(&ada, "/api/user/mark-as-paid", claim).await.result();
    app.work_off().await;
    assert_eq!(taken(&app), [0]);
    let balances = app.count("ledger_transactions WHERE kind = 'refunded' AND amount_cents = 5999");
    assert_eq!((balances, app.count("ledger_transactions WHERE kind = 'ended'")), (1, 1));
    assert_eq!(account(&app, &ada).await["planId"], "monthly");
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
    let app = TestApp::start_with(&vars).await;
    (app, double)
}

async fn tell(app: &TestApp, signature: &str, body: &[u8]) -> u16 {
    let request = app.request(Method::POST, "/api/stripe/webhook").header("stripe-signature", signature);
    crate::harness::reply(request.body(body.to_owned())).await.status.as_u16()
}

#[actix_web::test]
async fn stripes_webhooks_five_times_in_reverse_have_one_effect_and_a_bad_signature_none() {
    let (app, double) = with_stripe().await;
    let ada = app.sign_up("ada@example.com").await;
    let result = pay(&app, Some(&ada), "lifetime", "k1", &json!({ "token": "pm_card_visa" })).await.result();
    assert_eq!((&result["status"], double.taken()), (&json!("paid"), vec![14_900]));
    let webhooks = double.take_webhooks();
    assert!(!webhooks.is_empty());
    for webhook in &webhooks {
        assert_eq!(tell(&app, "t=1,v1=00", &webhook.body).await, 400);
        assert_eq!(tell(&app, &webhook.signature, b"{}").await, 400);
    }
    assert_eq!(app.count("provider_events"), 0);
    for _ in 0..5 {
        for webhook in webhooks.iter().rev() {
            assert_eq!(tell(&app, &webhook.signature, &webhook.body).await, 200);
        }
    }
    work_keeping_mails(&app).await;
    assert_eq!(app.count("provider_events"), i64::try_from(webhooks.len()).unwrap());
    assert_eq!(app.count("provider_events WHERE applied_at IS NULL"), 0);
    assert_eq!(app.count("ledger_transactions WHERE kind = 'charged'"), 1);
    assert_eq!((app.count("entitlements"), receipts(&app, "ada@example.com")), (1, 1));
}

#[actix_web::test]
async fn the_price_of_a_switch_is_asked_for_once_however_often_it_is_shown() {
    let (app, double) = with_stripe().await;
    let ada = app.sign_up("ada@example.com").await;
    pay(&app, Some(&ada), "yearly", "k1", &json!({ "token": "pm_card_visa" })).await.result();
    let show = async || {
        let reply = app.post_as(&ada, "/api/charge/price", json!({ "planId": "monthly" })).await;
        reply.result()["switch"]["nextCharge"].clone()
    };
    let asked = || double.requests().len();
    let before = asked();
    let first = show().await;
    let once = asked() - before;
    assert!(once > 0, "Stripe computes it");
    let shown = join_all((0..20).map(|_| show())).await;
    assert_eq!((shown, asked()), (vec![first; 20], before + once));
    // At another price it is another sum: Stripe is asked again.
    app.sql("UPDATE plans SET price_cents = price_cents + 100 WHERE id = 'monthly'");
    show().await;
    assert_eq!(asked(), before + 2 * once);
}

#[actix_web::test]
async fn what_stripe_took_before_its_answer_was_lost_is_found_and_taken_once() {
    let (app, double) = with_stripe().await;
    let ada = app.sign_up("ada@example.com").await;
    double.fail(ProviderFault::ErrorAfter, "POST /v1/payment_intents");
    let body = json!({ "token": "pm_card_visa" });
    let lost = pay(&app, Some(&ada), "lifetime", "k1", &body).await;
    assert_eq!((lost.status.as_u16(), account(&app, &ada).await["isPaid"].clone()), (503, json!(false)));
    double.heal();
    for webhook in double.take_webhooks() {
        assert_eq!(tell(&app, &webhook.signature, &webhook.body).await, 200);
    }
    work_keeping_mails(&app).await;
    assert_eq!(account(&app, &ada).await["isPaid"], true);
    assert_eq!(pay(&app, Some(&ada), "lifetime", "k1", &body).await.result()["status"], "paid");
    assert_eq!((double.taken(), app.count("entitlements")), (vec![14_900], 1));
}

#[actix_web::test]
async fn a_checkout_whose_process_died_is_healed_by_the_sweep() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    pay(&app, Some(&ada), "gift", "k1", &json!({ "token": "pm_card_visa" })).await.result();
    // As if the process had died between the provider's answer and the commit.
    app.sql("ALTER TABLE ledger_entries DISABLE TRIGGER ALL");
    app.sql("ALTER TABLE ledger_transactions DISABLE TRIGGER ALL");
    app.sql("DELETE FROM ledger_entries");
    app.sql("DELETE FROM ledger_transactions");
    app.sql("DELETE FROM codes");
    app.sql("ALTER TABLE ledger_entries ENABLE TRIGGER ALL");
    app.sql("ALTER TABLE ledger_transactions ENABLE TRIGGER ALL");
    app.sql("UPDATE checkouts SET state = 'submitted', provider_id = NULL");
    app.env.advance(60_000);
    work_keeping_mails(&app).await;
    assert_eq!((app.count("checkouts WHERE state = 'paid'"), app.count("codes")), (1, 1));
    assert_eq!((app.count("ledger_transactions"), taken(&app)), (1, vec![4_499]));
    // Of what no provider knows, nothing stays open.
    app.sql("UPDATE checkouts SET state = 'submitted', reference = 'co_unknown', provider_id = NULL");
    app.env.advance(11 * 60_000);
    work_keeping_mails(&app).await;
    assert_eq!(app.count("checkouts WHERE state = 'reconciled'"), 1);
}

#[actix_web::test]
async fn paypal_takes_what_was_shown_once_the_payer_approved_and_only_once() {
    let double = PayPalDouble::start(START.millis() / 1_000);
    let app = TestApp::start_with_paypal(&double, &[]).await;
    let settings = app.get("/api/charge/settings").await.result();
    assert_eq!(
        (&settings["provider"], &settings["paypalClientId"]),
        (&Value::Null, &json!(testing::paypal::CLIENT_ID))
    );
    let body = json!({ "planId": "gift", "email": "buyer@example.com" });
    let order = app.post("/api/paypal/order", body).await.result();
    let capture = async || app.post("/api/paypal", json!({ "orderId": order["orderId"] })).await;
    assert_eq!(capture().await.result()["status"], "requires_action");
    assert_eq!(double.taken(), Vec::<i64>::new());
    let body = json!({ "planId": "gift", "email": "buyer@example.com" });
    let order = app.post("/api/paypal/order", body).await.result();
    double.approve(order["approveUrl"].as_str().unwrap(), PayPalPayer::Pays);
    for _ in 0..2 {
        let result = app.post("/api/paypal", json!({ "orderId": order["orderId"] })).await.result();
        assert_eq!((&result["status"], &result["amount"]), (&json!("paid"), &json!(4_499)));
    }
    assert_eq!((double.taken(), app.count("codes")), (vec![4_499], 1));
    // A subscription, whose approval a closed tab left to the sweep.
    let body = json!({ "planId": "monthly", "email": "other@example.com" });
    let order = app.post("/api/paypal/order", body).await.result();
    assert!(order["subscriptionId"].is_string());
    double.approve(order["approveUrl"].as_str().unwrap(), PayPalPayer::Pays);
    app.env.advance(60_000);
    work_keeping_mails(&app).await;
    assert_eq!(app.count("ledger_transactions WHERE kind = 'trial_started'"), 1);

    // A member's subscription at PayPal is not switched from here, and nothing offers it.
    let ada = app.sign_up("ada@example.com").await;
    let order = app.post_as(&ada, "/api/paypal/order", json!({ "planId": "monthly" })).await.result();
    double.approve(order["approveUrl"].as_str().unwrap(), PayPalPayer::PaysToo);
    app.post_as(&ada, "/api/paypal", json!({ "subscriptionId": order["subscriptionId"] })).await.result();
    let ada = app.log_in("ada@example.com", crate::harness::PASSWORD).await;
    let billing = app.get_as(&ada, "/api/user/billing").await.result();
    assert_eq!((&billing["plan"]["provider"], &billing["plan"]["switchTo"]), (&json!("paypal"), &json!([])));
    let body = json!({ "planId": "yearly" });
    for path in ["/api/charge/price", "/api/charge/switch/preview"] {
        let reply = app.post_as(&ada, path, body.clone()).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (409, &json!("switch_unavailable")), "{path}");
    }
}

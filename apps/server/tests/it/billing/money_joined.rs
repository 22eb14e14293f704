//! What is decided when money is taken is decided again: when payer and member join, when a checkout is confirmed, and when money
//! goes back.

use crate::harness::{PASSWORD, Person, Reply, START, TestApp};
use billing::{BillingCommands, Coupon, CouponCode, Discount, Percent, gateway::PaymentId};
use futures_util::future::join_all;
use kernel::{DAY, Period, StoreError};
use mail::Mail;
use reqwest::Method;
use serde_json::{Value, json};
use workflows::billing::ledger_check::check_ledger;

/// How many requests race.
const AT_ONCE: usize = 50;
/// A card that asks for authentication.
const AUTHENTICATES: &str = "pm_card_authenticationRequired";

/// Pays under a page's key; pressed again, as the page does, while the server is too busy to begin.
async fn pay(app: &TestApp, person: Option<&Person>, plan: &str, key: &str, body: &Value) -> Reply {
    loop {
        let mut request = app.request(Method::POST, &format!("/api/charge/process/{plan}"));
        if let Some(person) = person {
            request = request.bearer_auth(&person.token);
        }
        let reply = crate::harness::reply(request.header("idempotency-key", key).json(body)).await;
        if reply.status != 503 {
            return reply;
        }
    }
}

async fn work(app: &TestApp) {
    app.queue_scheduled().await;
    app.work_off().await;
    app.work_off().await;
}

/// What the sandbox keeps of each payment, in cents, the dearest first; nothing of what went back.
fn kept(app: &TestApp) -> Vec<i64> {
    let payments = app.app.gateways.sandbox().expect("the sandbox").payments().expect("it answers");
    let mut cents: Vec<i64> = payments.iter().map(|one| one.amount.cents() - one.refunded.cents()).collect();
    cents.retain(|cents| *cents > 0);
    cents.sort_unstable_by_key(|cents| -cents);
    cents
}

async fn assert_the_ledger_agrees(app: &TestApp) {
    let report = check_ledger(&app.app.payments).await.expect("the check runs");
    assert!(report.faults.is_empty(), "{:?}", report.faults);
}

async fn link_of(app: &TestApp, person: &Person) -> String {
    app.get_as(person, "/api/user/refers").await.result()["rId"].as_str().expect("a link").to_owned()
}

async fn affiliate_link_of(app: &TestApp, person: &Person) -> String {
    let joined = app.post_as(person, "/api/affiliate", json!({})).await.result();
    joined["link"].as_str().expect("a link").rsplit('/').next().expect("an id").to_owned()
}

async fn earned(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/user/refers").await.result()["refers"][0]["money"].take()
}

async fn pending_of_affiliate(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/affiliate").await.result()["commission"]["pending"].take()
}

async fn claim(app: &TestApp, person: &Person, charge_id: &Value) -> Reply {
    app.post_as(person, "/api/user/mark-as-paid", json!({ "chargeId": charge_id })).await
}

async fn account(app: &TestApp, email: &str) -> Value {
    let person = app.log_in(email, PASSWORD).await;
    app.get_as(&person, "/api/user/account").await.result()["user"].take()
}

async fn authenticate(app: &TestApp, asked: &Value) {
    let answer = json!({ "clientSecret": asked["clientSecret"], "succeeds": true });
    app.post("/api/charge/sandbox/authenticate", answer).await.result();
}

async fn confirm(app: &TestApp, person: Option<&Person>, asked: &Value) -> Reply {
    app.send(person, Method::POST, "/api/charge/confirm", Some(json!({ "checkout": asked["checkout"] }))).await
}

/// The payments of the sandbox, the latest last.
fn payments(app: &TestApp) -> Vec<PaymentId> {
    let payments = app.app.gateways.sandbox().expect("the sandbox").payments().expect("it answers");
    payments.into_iter().map(|payment| payment.id).collect()
}

fn add_coupon(app: &TestApp, code: &str, max_uses: u32) {
    let discount = Discount::Percent(Percent::new(40).unwrap());
    let valid = Period { starts_at: START, ends_at: None };
    let coupon = Coupon { max_uses: Some(max_uses), ..Coupon::new(CouponCode::parse(code).unwrap(), discount, valid) };
    app.app.db.write_now::<_, StoreError>(|pg| pg.save_coupon(&coupon)).expect("the coupon is saved");
}

#[actix_web::test]
async fn a_guests_purchase_through_ones_own_link_earns_nothing_once_it_is_claimed() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (friends, affiliates) = (link_of(&app, &ada).await, affiliate_link_of(&app, &ada).await);
    let mut claims = Vec::new();
    for (key, link) in [("k1", &friends), ("k2", &affiliates)] {
        let email = format!("{key}@elsewhere.example.com");
        let body = json!({ "token": "pm_card_mastercard", "email": email, "quantity": 200, "rId": link });
        claims.push(pay(&app, None, "bulk", key, &body).await.result()["chargeId"].take());
        app.env.advance(1);
    }
    let seats = 200 * 2_999;
    assert_eq!(earned(&app, &ada).await, seats / 4);
    assert_eq!(pending_of_affiliate(&app, &ada).await, seats / 10);
    for charge_id in &claims {
        let pressed = join_all((0..AT_ONCE / 2).map(|_| claim(&app, &ada, charge_id))).await;
        assert_eq!(pressed.iter().filter(|reply| reply.status == 200).count(), 1, "claimed once");
    }
    assert_eq!((earned(&app, &ada).await, pending_of_affiliate(&app, &ada).await), (json!(0), json!(0)));
    assert_eq!(app.count("ledger_transactions WHERE kind = 'reward_reversed'"), 2);
    // A part that goes back, and a dispute that is won, bring no reward again.
    let sandbox = app.app.gateways.sandbox().expect("the sandbox");
    let payment = payments(&app).remove(0);
    sandbox.open_dispute(&payment).expect("it is opened");
    work(&app).await;
    sandbox.close_dispute(&payment, true).expect("it is closed");
    app.env.advance(60_000);
    work(&app).await;
    assert_eq!(earned(&app, &ada).await, 0);
    assert_the_ledger_agrees(&app).await;
}

#[actix_web::test]
async fn a_friend_who_had_paid_before_brings_nothing_once_the_purchase_is_theirs() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let link = link_of(&app, &ada).await;
    pay(&app, Some(&bob), "quiz", "k1", &json!({ "token": "pm_card_amex" })).await.result();
    app.env.advance(1_000);
    let body = json!({ "token": "pm_card_mastercard", "email": "b@elsewhere.example.com", "rId": link });
    let bought = pay(&app, None, "lifetime", "k2", &body).await.result();
    assert_eq!(earned(&app, &ada).await, 3_725);
    claim(&app, &bob, &bought["chargeId"]).await.result();
    assert_eq!(earned(&app, &ada).await, 0, "the first payment of the person was another");
    assert_eq!(account(&app, "bob@example.com").await["planId"], "lifetime");
    assert_the_ledger_agrees(&app).await;
}

#[actix_web::test]
async fn a_reward_is_judged_again_before_it_is_paid_out() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let link = link_of(&app, &ada).await;
    for (key, card, email) in
        [("k1", "pm_card_mastercard", "one@example.com"), ("k2", "pm_card_discover", "two@example.com")]
    {
        let body = json!({ "token": card, "email": email, "rId": link });
        pay(&app, None, "lifetime", key, &body).await.result();
    }
    assert_eq!(earned(&app, &ada).await, 2 * 3_725);
    // The card of the first purchase turns out to be hers.
    pay(&app, Some(&ada), "quiz", "k3", &json!({ "token": "pm_card_mastercard" })).await.result();
    app.env.advance(31 * DAY);
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let path = format!("/api/admin/payouts/{}/paid", ada.id());
    let shown = app.post_as(&admin, &path, json!({ "amount": 2 * 3_725, "paid": 0 })).await;
    assert_eq!((shown.status.as_u16(), &shown.json()["code"]), (409, &json!("price_changed")), "{}", shown.text);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    assert_eq!(earned(&app, &ada).await, 3_725, "what was not earned is reversed, though nothing was paid out");
    app.post_as(&admin, &path, json!({ "amount": 3_725, "paid": 0 })).await.result();
    assert_the_ledger_agrees(&app).await;
}

#[actix_web::test]
async fn what_is_bought_once_is_paid_once_however_many_requests_race() {
    let app = TestApp::start().await;
    for (plan, price, email) in [("lifetime", 14_900, "ada@example.com"), ("quiz", 299, "bob@example.com")] {
        let person = app.sign_up(email).await;
        let before: i64 = kept(&app).iter().sum();
        let keys: Vec<String> = (0..AT_ONCE).map(|n| format!("{plan}-{n}")).collect();
        let body = json!({ "token": "pm_card_visa" });
        let replies = join_all(keys.iter().map(|key| pay(&app, Some(&person), plan, key, &body))).await;
        assert!(replies.iter().all(|reply| matches!(reply.status.as_u16(), 200 | 409)), "paid, or owned already");
        work(&app).await;
        assert_eq!(kept(&app).iter().sum::<i64>() - before, price, "{plan}");
    }
    assert_eq!(account(&app, "ada@example.com").await["planId"], "lifetime");
    assert_the_ledger_agrees(&app).await;
}

#[actix_web::test]
async fn of_plans_that_are_bought_at_once_one_subscription_and_one_plan_for_life_stay() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    // The trial was used: every plan is charged at once.
    let body = json!({ "token": "pm_card_visa", "email": "ada@example.com" });
    let trial = pay(&app, None, "yearly", "trial", &body).await.result();
    assert_eq!(trial["amount"], 0);
    let races = (0..AT_ONCE).map(|n| {
        let (app, ada) = (&app, &ada);
        let plan = ["lifetime", "yearly", "monthly"][n % 3];
        async move { pay(app, Some(ada), plan, &format!("k{n}"), &json!({ "token": "pm_card_visa" })).await }
    });
    let replies = join_all(races).await;
    assert!(replies.iter().all(|reply| matches!(reply.status.as_u16(), 200 | 409)));
    work(&app).await;
    app.env.advance(60_000);
    work(&app).await;
    let kept = kept(&app);
    assert_eq!(kept[0], 14_900, "{kept:?}");
    assert!(kept.len() <= 2, "a subscription may have been there before the plan for life: {kept:?}");
    assert_eq!(account(&app, "ada@example.com").await["planId"], "lifetime");
    assert_the_ledger_agrees(&app).await;
}

#[actix_web::test]
async fn a_checkout_that_waits_for_authentication_is_judged_again_when_it_is_confirmed() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let first = pay(&app, Some(&ada), "lifetime", "tab-1", &json!({ "token": AUTHENTICATES })).await.result();
    let given_up = pay(&app, Some(&ada), "lifetime", "tab-3", &json!({ "token": AUTHENTICATES })).await.result();
    app.env.advance(1_000);
    pay(&app, Some(&ada), "lifetime", "tab-2", &json!({ "token": "pm_card_visa" })).await.result();
    // Nothing was taken: the checkout is closed.
    let closed = confirm(&app, Some(&ada), &given_up).await;
    closed.fails(409, "already_subscribed", "You already have this plan.");
    // The bank's page took the money before the page came back.
    app.env.advance(1_000);
    authenticate(&app, &first).await;
    let returned = confirm(&app, Some(&ada), &first).await;
    returned.fails(409, "already_there", "You already have this. The charge will be refunded.");
    assert_eq!(kept(&app), [14_900, 14_900], "until the job has run");
    work(&app).await;
    assert_eq!(kept(&app), [14_900]);
    // Authenticated though it was closed: it is given back too.
    authenticate(&app, &given_up).await;
    app.env.advance(60_000);
    work(&app).await;
    work(&app).await;
    assert_eq!(kept(&app), [14_900]);
    let again = pay(&app, Some(&ada), "lifetime", "tab-1", &json!({ "token": AUTHENTICATES })).await;
    again.fails(409, "already_there", "You already have this. The charge will be refunded.");
    assert_eq!(account(&app, "ada@example.com").await["planId"], "lifetime");
    assert_the_ledger_agrees(&app).await;
}

#[actix_web::test]
async fn a_subscription_beside_a_plan_for_life_is_ended_and_given_back() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    pay(&app, Some(&ada), "lifetime", "k1", &json!({ "token": "pm_card_visa" })).await.result();
    app.env.advance(1_000);
    // A guest may buy for another person; it is theirs who claims it.
    let guest = |token: &str| json!({ "token": token, "email": "ada@example.com" });
    pay(&app, None, "monthly", "trial", &guest("pm_card_mastercard")).await.result();
    let yearly = pay(&app, None, "yearly", "k2", &guest("pm_card_mastercard")).await.result();
    let life = pay(&app, None, "lifetime", "k3", &guest("pm_card_mastercard")).await.result();
    assert_eq!(kept(&app), [14_900, 14_900, 5_999], "two people may have the same");
    work(&app).await;
    assert_eq!(kept(&app), [14_900, 14_900, 5_999]);
    for bought in [&yearly, &life] {
        claim(&app, &ada, &bought["chargeId"]).await.result();
    }
    work(&app).await;
    assert_eq!(kept(&app), [14_900]);
    assert_eq!(account(&app, "ada@example.com").await["planId"], "lifetime");
    assert_the_ledger_agrees(&app).await;
}

#[actix_web::test]
async fn ledger_check_names_what_is_owned_twice_and_a_credit_that_nothing_paid_for() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for key in ["k1", "k2"] {
        let body = json!({ "token": "pm_card_visa", "email": "guest@example.com" });
        let bought = pay(&app, None, "lifetime", key, &body).await.result();
        claim(&app, &ada, &bought["chargeId"]).await.result();
        app.env.advance(1);
    }
    let output = app.operator_command("ledger-check").await;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success() && said.contains("lifetime is paid for twice"), "{said}");
    work(&app).await;
    assert_the_ledger_agrees(&app).await;
}

#[actix_web::test]
async fn a_whole_refund_takes_the_credit_of_a_downgrade_and_ends_what_it_paid_for() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    pay(&app, Some(&ada), "yearly", "k1", &json!({ "token": "pm_card_visa" })).await.result();
    app.env.advance(3 * DAY);
    work(&app).await;
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let shown = app.post_as(&ada, "/api/charge/switch/preview", json!({ "planId": "monthly" })).await.result();
    let body = json!({ "planId": "monthly", "token": shown["token"] });
    app.post_as(&ada, "/api/charge/switch", body).await.result();
    app.env.advance(60_000);
    let charge = format!("sandbox:{}:charged", payments(&app)[0]);
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let back = app
        .post_as(&admin, &format!("/api/admin/charges/{charge}/refund"), json!({ "reason": "requested_by_customer" }))
        .await
        .result();
    assert_eq!(back["refunded"], 5_999);
    assert_eq!(account(&app, "ada@example.com").await["isPaid"], false);
    work(&app).await;
    // Six months later nothing runs, and nothing was given for nothing.
    for _ in 0..6 {
        app.env.advance(31 * DAY);
        work(&app).await;
        assert_eq!(account(&app, "ada@example.com").await["isPaid"], false);
    }
    assert_eq!(kept(&app), [0_i64; 0]);
    assert_eq!(app.count("ledger_transactions WHERE kind = 'ended'"), 1);
    assert_the_ledger_agrees(&app).await;
}

fn gift_codes(app: &TestApp, to: &str) -> Vec<String> {
    let codes = app.mails_to(to).into_iter().filter_map(|mail| match mail {
        Mail::Gift { code, .. } => Some(code),
        _ => None,
    });
    codes.collect()
}

#[actix_web::test]
async fn codes_of_a_disputed_purchase_wait_for_its_outcome() {
    let app = TestApp::start().await;
    app.sign_up("giver@example.com").await;
    app.sign_up("bob@example.com").await;
    let sandbox = app.app.gateways.sandbox().expect("the sandbox");
    let redeem =
        async |person: &Person, code: &str| app.post_as(person, "/api/user/stacksocial", json!({ "code": code })).await;
    let tell = async || {
        app.env.advance(60_000);
        work(&app).await;
    };
    for (key, is_won) in [("k1", true), ("k2", false)] {
        let giver = app.log_in("giver@example.com", PASSWORD).await;
        pay(&app, Some(&giver), "gift", key, &json!({ "token": "pm_card_visa" })).await.result();
        let code = gift_codes(&app, "giver@example.com").pop().expect("a code");
        let payment = payments(&app).pop().expect("it was paid");
        sandbox.open_dispute(&payment).expect("it is opened");
        tell().await;
        let bob = app.log_in("bob@example.com", PASSWORD).await;
        let refused = join_all((0..AT_ONCE).map(|_| redeem(&bob, &code))).await;
        for reply in refused {
            let text = "This code is on hold while the payment for it is being checked. Please try again later.";
            assert!(matches!(reply.status.as_u16(), 409 | 429 | 503), "{}", reply.text);
            assert!(reply.status != 409 || reply.text.contains(text), "{}", reply.text);
        }
        sandbox.close_dispute(&payment, is_won).expect("it is closed");
        app.env.advance(DAY);
        tell().await;
        let bob = app.log_in("bob@example.com", PASSWORD).await;
        let redeemed = redeem(&bob, &code).await;
        assert_eq!(redeemed.status.as_u16(), if is_won { 200 } else { 409 }, "{}", redeemed.text);
    }
    // Lost after it was redeemed: what the code gave ends.
    let giver = app.log_in("giver@example.com", PASSWORD).await;
    let cy = app.sign_up("cy@example.com").await;
    pay(&app, Some(&giver), "gift", "k3", &json!({ "token": "pm_card_visa" })).await.result();
    let code = gift_codes(&app, "giver@example.com").pop().expect("a code");
    redeem(&cy, &code).await.result();
    let payment = payments(&app).pop().expect("it was paid");
    sandbox.open_dispute(&payment).expect("it is opened");
    tell().await;
    assert_eq!(account(&app, "cy@example.com").await["isPaid"], true, "until it is decided");
    sandbox.close_dispute(&payment, false).expect("it is closed");
    tell().await;
    assert_eq!(account(&app, "cy@example.com").await["isPaid"], false);
    assert_the_ledger_agrees(&app).await;
}

#[actix_web::test]
async fn a_strangers_unfinished_checkouts_take_neither_a_trial_nor_a_coupons_last_use() {
    let app = TestApp::start().await;
    add_coupon(&app, "LAST", 1);
    let stranger = json!({ "token": AUTHENTICATES, "email": "ada@example.com", "couponCode": "LAST" });
    let keys: Vec<String> = (0..AT_ONCE).map(|n| format!("s{n}")).collect();
    let left = join_all(keys.iter().map(|key| pay(&app, None, "yearly", key, &stranger))).await;
    let left: Vec<&Reply> = left.iter().filter(|reply| reply.status == 200).collect();
    assert!(!left.is_empty() && left.iter().all(|reply| reply.json()["result"]["status"] == "requires_action"));
    let ada = app.sign_up("ada@example.com").await;
    let body = json!({ "planId": "yearly", "coupon": "LAST" });
    let price = app.post_as(&ada, "/api/charge/price", body).await.result();
    assert_eq!(price["dueNow"], 0, "the trial is hers: {price}");
    let body = json!({ "token": "pm_card_visa", "couponCode": "LAST", "dueNow": 0 });
    let bought = pay(&app, Some(&ada), "yearly", "k1", &body).await.result();
    assert_eq!((&bought["status"], &bought["amount"]), (&json!("paid"), &json!(0)));
    // Authenticated after all: the trial and the coupon were used, so nothing begins and nothing is charged.
    for one in &left {
        let asked = one.json()["result"].take();
        authenticate(&app, &asked).await;
        assert_eq!(confirm(&app, None, &asked).await.json()["code"], "price_changed");
    }
    // What the provider then tells of the subscriptions that were ended changes nothing.
    app.env.advance(60_000);
    work(&app).await;
    assert_eq!(kept(&app), [0_i64; 0]);
    assert_eq!(app.count("coupon_uses"), 1);
    assert_eq!(app.count("ledger_transactions WHERE kind = 'trial_started'"), 1);
    assert_the_ledger_agrees(&app).await;
}

#[actix_web::test]
async fn a_coupons_last_use_is_had_once_however_many_authenticate_at_once() {
    let app = TestApp::start().await;
    add_coupon(&app, "LAST", 1);
    let mut asked = Vec::new();
    for n in 0..AT_ONCE / 2 {
        let body = json!({ "token": AUTHENTICATES, "email": format!("b{n}@example.com"), "couponCode": "LAST" });
        asked.push(pay(&app, None, "lifetime", &format!("k{n}"), &body).await.result());
    }
    join_all(asked.iter().map(|one| authenticate(&app, one))).await;
    let replies = join_all(asked.iter().map(|one| confirm(&app, None, one))).await;
    assert!(replies.iter().all(|reply| matches!(reply.status.as_u16(), 200 | 409 | 503)), "one has it");
    app.env.advance(60_000);
    work(&app).await;
    work(&app).await;
    assert_eq!(kept(&app), [14_900 * 60 / 100]);
    assert_eq!(app.count("coupon_uses"), 1);
    assert_the_ledger_agrees(&app).await;
}

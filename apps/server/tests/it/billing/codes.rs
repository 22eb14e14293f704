//! Codes: redeeming them once, signing up with one, and the seats of a team.

use crate::harness::{PASSWORD, Person, START, TestApp};
use billing::{Billing, BillingCommands, Code, CodeKind, CodeTerms, PurchaseKey};
use futures_util::future::join_all;
use kernel::{PayerId, StoreError, UserId};
use mail::Mail;
use serde_json::{Value, json};

fn issue(app: &TestApp, kind: CodeKind, months: Option<u32>, buyer: Option<&Person>, count: u32) -> Vec<Code> {
    let buyer = buyer.map(|person| UserId::from_store(person.id()));
    let issued = app.app.db.write_now::<_, StoreError>(|pg| {
        let payer: Option<PayerId> = buyer.map(|buyer| pg.payer_of_member(buyer, START)).transpose()?;
        let terms = CodeTerms {
            kind,
            plan_id: "yearly".to_owned(),
            plan_name: "Yearly".to_owned(),
            months,
            purchase: payer.map(|payer| PurchaseKey::new(format!("bulk {payer}"))),
            buyer: payer,
        };
        pg.issue_codes(&terms, count, &*app.env)
    });
    issued.expect("codes are issued")
}

fn gift(app: &TestApp) -> Code {
    issue(app, CodeKind::Gift, Some(12), None, 1).remove(0)
}

async fn redeem(app: &TestApp, person: &Person, code: &str) -> crate::harness::Reply {
    app.post_as(person, "/api/user/stacksocial", json!({ "code": code })).await
}

#[actix_web::test]
async fn twenty_tabs_redeem_one_code_once() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let code = gift(&app).to_string();
    let replies = join_all((0..20).map(|_| redeem(&app, &ada, &code))).await;
    let (good, bad): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!((good.len(), bad.len()), (1, 19));
    for reply in bad {
        reply.fails(409, "already_there", "This code has already been used.");
    }
    let end = START.plus_months(12).millis();
    assert_eq!(good[0].result(), json!({ "planName": "Yearly", "endPaidDate": end }));
    assert_eq!(app.count("ledger_transactions WHERE kind = 'code_redeemed'"), 1);
    let user = app.get_as(&ada, "/api/user/account").await.result()["user"].take();
    assert_eq!(
        (&user["isPaid"], &user["planName"], &user["endPaidDate"]),
        (&json!(true), &json!("Yearly"), &json!(end))
    );
    let billing = app.get_as(&ada, "/api/user/billing").await.result();
    assert_eq!(billing["plan"]["state"], "code");
    let kinds: Vec<&Value> = billing["timeline"].as_array().unwrap().iter().map(|line| &line["kind"]).collect();
    assert_eq!(kinds, ["plan_ends", "code_redeemed"]);
}

#[actix_web::test]
async fn a_code_that_is_not_good_says_why() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for blank in ["", "  ", "-", "too short"] {
        redeem(&app, &ada, blank).await.fails(422, "validation_failed", "Please provide a valid redemption code.");
    }
    redeem(&app, &ada, "ABCDE-FGHJK-LMNPQ-RSTUV").await.fails(404, "not_found", "This code does not exist.");
    let life = issue(&app, CodeKind::Marketplace, None, None, 1).remove(0);
    let typed = format!(" {} ", life.to_string().to_lowercase());
    assert_eq!(redeem(&app, &ada, &typed).await.result(), json!({ "planName": "Yearly", "endPaidDate": null }));
    assert_eq!(app.get_as(&ada, "/api/user/billing").await.result()["plan"]["state"], "lifetime");
    let useless = redeem(&app, &ada, &gift(&app).to_string()).await;
    useless.fails(409, "already_there", "You already have a lifetime plan, so this code was not used.");
}

#[actix_web::test]
async fn guessing_codes_is_limited() {
    let app = TestApp::start_with(&[("RATE_LIMIT_REDEEM", "2/3600")]).await;
    let ada = app.sign_up("ada@example.com").await;
    for _ in 0..2 {
        assert_eq!(redeem(&app, &ada, "ABCDE-FGHJK-LMNPQ-RSTUV").await.status, 404);
    }
    assert_eq!(redeem(&app, &ada, &gift(&app).to_string()).await.status, 429);
}

fn form(email: &str, code: &str) -> Value {
    json!({ "username": email, "password": PASSWORD, "firstName": "Bob", "lastName": "B.", "code": code, "timezone": "UTC" })
}

#[actix_web::test]
async fn a_person_signs_up_with_a_code_and_without_a_good_one_no_account_is_made() {
    let app = TestApp::start().await;
    let path = "/api/user/subscription-code-register";
    let missing = "Please specify an email or code or password or first name or last name.";
    for field in ["username", "code", "password", "firstName", "lastName"] {
        let mut body = form("bob@example.com", "ABCDE-FGHJK-LMNPQ-RSTUV");
        body[field] = json!(" ");
        let reply = app.post(path, body).await;
        reply.fails(422, "validation_failed", missing);
        assert_eq!(reply.json()["field"], field);
    }
    let unknown = app.post(path, form("bob@example.com", "ABCDE-FGHJK-LMNPQ-RSTUV")).await;
    unknown.fails(404, "not_found", "This code does not exist.");
    let code = gift(&app).to_string();
    let signed_in = app.post(path, form("bob@example.com", &code)).await.result();
    assert_eq!((&signed_in["user"]["isPaid"], &signed_in["user"]["planName"]), (&json!(true), &json!("Yearly")));
    app.post(path, form("carol@example.com", &code)).await.fails(
        409,
        "already_there",
        "This code has already been used.",
    );
    assert_eq!(app.count("users WHERE email LIKE 'carol%'"), 0);
    let second = gift(&app).to_string();
    assert_eq!(app.post(path, form("bob@example.com", &second)).await.json()["code"], "email_taken");
    assert_eq!(app.count("codes WHERE redeemed_at IS NOT NULL"), 1, "the code of a refused sign-up stays unused");
}

#[actix_web::test]
async fn the_buyer_of_seats_sees_sends_and_follows_them() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    assert_eq!(app.get_as(&ada, "/api/teams/seats").await.result(), json!({ "seats": [], "used": 0, "total": 0 }));
    let codes = issue(&app, CodeKind::Bulk, Some(12), Some(&ada), 20);
    issue(&app, CodeKind::Gift, Some(12), None, 1);
    app.forget_mails();
    let send = async |person: &Person, code: &Code, email: &str| {
        let body = json!({ "code": code.to_string(), "email": email });
        app.post_as(person, "/api/teams/seats/send", body).await
    };
    send(&bob, &codes[0], "bob@example.com").await.fails(404, "not_found", "This code does not exist.");
    assert_eq!(send(&ada, &codes[0], "nonsense").await.json()["field"], "email");
    assert_eq!(send(&ada, &codes[0], "bob@example.com").await.result(), json!({}));
    let mails = app.mails_to("bob@example.com");
    let link = format!("{}/subscriptioncode/{}", app.address, codes[0]);
    assert!(
        matches!(&mails[..], [Mail::Seat { link: sent, code, .. }] if *sent == link && *code == codes[0].to_string())
    );
    for code in &codes[1..4] {
        let person = app.sign_up(&format!("{code}@example.com")).await;
        assert_eq!(redeem(&app, &person, &code.to_string()).await.status, 200);
    }
    send(&ada, &codes[1], "bob@example.com").await.fails(409, "already_there", "This code has already been used.");
    let seats = app.get_as(&ada, "/api/teams/seats").await.result();
    assert_eq!((&seats["used"], &seats["total"]), (&json!(3), &json!(20)));
    let first: Vec<(&Value, &Value)> =
        seats["seats"].as_array().unwrap()[..3].iter().map(|seat| (&seat["state"], &seat["sentTo"])).collect();
    let (sent, used) = (json!("sent"), json!("used"));
    assert_eq!(first, [(&sent, &json!("bob@example.com")), (&used, &Value::Null), (&used, &Value::Null)]);
    assert_eq!(app.get_as(&bob, "/api/teams/seats").await.result()["total"], 0, "another member's seats are theirs");
}

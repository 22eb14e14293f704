//! Gifts: to whom they go and when, what their giver sees, and what who redeems one reads.

use crate::harness::{Person, START, TestApp};
use kernel::{DAY, HOUR};
use mail::Mail;
use reqwest::Method;
use serde_json::{Value, json};

async fn buy(app: &TestApp, giver: Option<&Person>, more: Value) -> crate::harness::Reply {
    let mut body = json!({
        "token": "pm_card_visa", "email": "giver@example.com", "senderName": "Ada", "recipientName": "Grace",
        "recipientEmail": "grace@example.com", "recipientMsg": "Enjoy.", "timezone": "UTC",
    });
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    app.send(giver, Method::POST, "/api/charge/process/gift", Some(body)).await
}

fn gifts_mailed(app: &TestApp, to: &str) -> Vec<String> {
    let code = |mail| if let Mail::Gift { code, .. } = mail { Some(code) } else { None };
    app.mails_to(to).into_iter().filter_map(code).collect()
}

/// How many gifts were mailed to addresses with this initial. The jobs stay for a while when the mails were sent.
fn gift_jobs(app: &TestApp, initial: char) -> i64 {
    app.count(&format!("jobs WHERE about = 'gift' AND recipient LIKE '{initial}%'"))
}

async fn work(app: &TestApp) {
    for _ in 0..2 {
        app.queue_scheduled().await;
        app.work_off().await;
    }
}

#[actix_web::test]
async fn a_gift_for_a_later_day_is_mailed_on_that_morning_once() {
    let app = TestApp::start().await;
    let gift = buy(&app, None, json!({ "deliverOn": "2026-06-25" })).await.result()["gift"].take();
    let deliver_at = START.plus(10 * DAY - 3 * HOUR).millis();
    let sent = json!({ "recipientName": "Grace", "recipientEmail": "grace@example.com", "code": null, "deliverAt": deliver_at, "deliveredAt": null });
    assert_eq!(gift, sent);
    let receipt = app.mails_to("giver@example.com").into_iter().find_map(|mail| match mail {
        Mail::Receipt { gift, .. } => gift,
        _ => None,
    });
    let receipt = receipt.expect("the receipt says where the gift goes");
    assert_eq!(
        (receipt.recipient.as_str(), receipt.at, receipt.is_delivered),
        ("Grace (grace@example.com)", deliver_at, false)
    );
    work(&app).await;
    app.env.advance(10 * DAY - 3 * HOUR - 1);
    work(&app).await;
    assert_eq!((gift_jobs(&app, 'g'), app.count("gifts WHERE delivered_at IS NOT NULL")), (0, 0));
    app.env.advance(1);
    for _ in 0..2 {
        work(&app).await;
        app.env.advance(HOUR);
    }
    assert_eq!((gift_jobs(&app, 'g'), app.count("gifts WHERE delivered_at IS NOT NULL")), (1, 1));
}

#[actix_web::test]
async fn the_day_of_a_gift_is_checked_at_its_field() {
    let app = TestApp::start().await;
    for day in ["2026-06-14", "2027-06-17", "soon", "2026-02-30"] {
        let reply = buy(&app, None, json!({ "deliverOn": day })).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!("deliverOn")), "{day}");
    }
    let nobody = buy(&app, None, json!({ "deliverOn": "2026-06-25", "recipientEmail": "" })).await;
    assert_eq!((nobody.status.as_u16(), &nobody.json()["field"]), (422, &json!("recipientEmail")));
    let today = buy(&app, None, json!({ "deliverOn": "2026-06-15" })).await.result();
    assert_eq!(today["gift"]["deliveredAt"], START.millis());
    assert_eq!((app.count("checkouts"), gifts_mailed(&app, "grace@example.com").len()), (1, 1));
}

#[actix_web::test]
async fn a_gift_is_not_mailed_when_its_payment_went_back_and_waits_while_it_is_disputed() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let ada = app.sign_up("ada@example.com").await;
    for to in ["refunded@example.com", "disputed@example.com"] {
        buy(&app, Some(&ada), json!({ "deliverOn": "2026-06-25", "recipientEmail": to })).await.result();
        app.env.advance(1_000);
    }
    let sandbox = app.app.gateways.sandbox().expect("the sandbox");
    let payments = sandbox.payments().expect("it answers");
    let charge = format!("sandbox:{}:charged", payments[0].id);
    app.post_as(&admin, &format!("/api/admin/charges/{charge}/refund"), json!({ "reason": "requested_by_customer" }))
        .await
        .result();
    sandbox.open_dispute(&payments[1].id).expect("it is opened");
    work(&app).await;
    app.env.advance(11 * DAY);
    work(&app).await;
    app.env.advance(2 * DAY);
    work(&app).await;
    assert_eq!((gift_jobs(&app, 'r'), gift_jobs(&app, 'd')), (0, 0));
    sandbox.close_dispute(&payments[1].id, true).expect("it is won");
    // The event is applied, and the job looks again a day later.
    for _ in 0..3 {
        app.env.advance(2 * DAY);
        work(&app).await;
    }
    assert_eq!((gift_jobs(&app, 'r'), gift_jobs(&app, 'd')), (0, 1));
}

#[actix_web::test]
async fn who_holds_a_gift_reads_the_giver_and_the_words_until_it_is_redeemed() {
    let app = TestApp::start_with(&[("RATE_LIMIT_REDEEM", "6/3600")]).await;
    let (ada, grace) = (app.sign_up("ada@example.com").await, app.sign_up("grace@example.com").await);
    let gift =
        buy(&app, Some(&ada), json!({ "recipientEmail": "", "recipientName": "" })).await.result()["gift"].take();
    let code = gift["code"].as_str().expect("it went to the giver").to_owned();
    assert_eq!((&gift["recipientEmail"], &gift["deliveredAt"]), (&Value::Null, &json!(START.millis())));
    let find = async |code: &str| app.post("/api/gifts/find", json!({ "code": code })).await;
    let card = json!({ "senderName": "Ada", "recipientName": "", "message": "Enjoy.", "planName": "Yearly" });
    assert_eq!(find(&code.to_lowercase()).await.result(), card);
    let given = app.get_as(&ada, "/api/gifts").await.result()["gifts"].take();
    assert_eq!((&given[0]["gift"], &given[0]["redeemedAt"]), (&gift, &Value::Null));
    app.post_as(&grace, "/api/user/stacksocial", json!({ "code": code })).await.result();
    let given = app.get_as(&ada, "/api/gifts").await.result()["gifts"].take();
    assert_eq!((&given[0]["redeemedAt"], &given[0]["revoked"]), (&json!(START.millis()), &json!(false)));
    assert_eq!(app.get_as(&grace, "/api/gifts").await.result()["gifts"], json!([]));
    // A code that is used is as unknown here as one that never was, and looking counts as trying.
    for code in [code.as_str(), "ABCDE-FGHJK-LMNPQ-RSTUV", &code, &code, &code] {
        find(code).await.fails(404, "not_found", "There is no such gift.");
    }
    assert_eq!(find(&code).await.status, 429);
}

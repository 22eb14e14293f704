//! What is sent to a member: reminders of due cards, digests of highlights, push messages, and new highlights to a webhook.

use jobs::{LongJob, Outcome};
use kernel::{DAY, Env, HOUR, MINUTE, Timestamp};
use mail::{DigestHighlight, Mail};
use reqwest::Method;
use serde_json::{Value, json};
use web_push_native::{
    Auth, decrypt,
    p256::{SecretKey, elliptic_curve::sec1::ToEncodedPoint},
};

use workflows::study::notices::SendStudyNotices;

use crate::{
    harness::{PASSWORD, Person, START, TestApp, receiver::Receiver},
    study::{refusal, with},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

const SETTINGS: &str = "/api/study/settings";
const WEBHOOK: &str = "/api/study/webhook";
const PUSH: &str = "/api/study/push";

/// Members may have URLs of this machine.
const PRIVATE: &[(&str, &str)] = &[("PRIVATE_WEBHOOKS", "on")];

/// A member whose address is confirmed.
async fn confirmed(app: &TestApp) -> Person {
    let ada = app.sign_up("ada@example.com").await;
    app.confirm(&ada);
    ada
}

async fn set(app: &TestApp, person: &Person, settings: Value) {
    app.put_as(person, SETTINGS, settings).await.result();
}

/// A review card that is due since the test's start.
async fn add_card(app: &TestApp, person: &Person, id: i64) {
    let now = app.env.now().millis();
    let content = json!({ "value": { "question": "Why?", "answer": "So." }, "at": now });
    let card = json!({ "kind": "own", "content": content, "createdAt": now });
    app.put_as(person, &format!("/api/study/cards/{id}"), card).await.result();
}

/// A highlight of a book of `TestApp::add_book`.
fn highlight(app: &TestApp, note: &str) -> Value {
    let now = app.env.now().millis();
    let anchor = json!({
        "section": 1, "start": 4, "end": 19, "exact": "first paragraph", "prefix": "The ",
        "suffix": " of idea 1 in walden.",
    });
    json!({ "bookId": "walden", "anchor": anchor, "createdAt": now, "note": { "value": note, "at": now } })
}

async fn add_highlight(app: &TestApp, person: &Person, id: i64, note: &str) {
    app.put_as(person, &format!("/api/study/highlights/{id}"), highlight(app, note)).await.result();
}

async fn reader(app: &TestApp) -> Person {
    app.add_book("walden", "");
    let ada = app.sign_up_paid("ada@example.com").await;
    app.get_as(&ada, "/api/books/walden").await.result();
    app.confirm(&ada);
    ada
}

/// What the job of notices queues for Ada at a moment.
async fn mails_at(app: &TestApp, at: Timestamp) -> Vec<Mail> {
    app.forget_mails();
    app.env.set(at);
    let job = SendStudyNotices(app.app.transactions.clone());
    assert_eq!(job.run_long(&()).await, Outcome::Done);
    app.mails_to("ada@example.com")
}

/// Hours after the start of the test, which is on a Monday at noon.
fn after(hours: i64) -> Timestamp {
    START.plus(hours * HOUR)
}

fn cards(mails: &[Mail]) -> Vec<(usize, usize)> {
    let reminders = mails.iter().filter_map(|mail| match mail {
        Mail::ReviewReminder { cards, minutes, .. } => Some((*cards, *minutes)),
        _ => None,
    });
    reminders.collect()
}

fn digest(mails: &[Mail]) -> Vec<DigestHighlight> {
    let mut digests = mails.iter().filter_map(|mail| match mail {
        Mail::HighlightDigest { highlights, .. } => Some(highlights.clone()),
        _ => None,
    });
    let digest = digests.next().unwrap_or_default();
    assert_eq!(digests.next(), None, "one at a time");
    digest
}

#[actix_web::test]
async fn a_member_is_reminded_once_on_a_day_on_which_cards_are_due() {
    let app = TestApp::start().await;
    let ada = confirmed(&app).await;
    set(&app, &ada, json!({ "reminder": "mail", "noticeHour": 18 })).await;
    for id in 1..=5 {
        add_card(&app, &ada, id).await;
    }
    assert_eq!(cards(&mails_at(&app, after(6).plus(-MINUTE)).await), []);
    assert_eq!(cards(&mails_at(&app, after(6)).await), [(5, 2)]);
    let beside = app.start_beside().await;
    assert_eq!(cards(&mails_at(&beside, after(6).plus(MINUTE)).await), [], "another node sends no second one");
    // The next day, still nothing reviewed.
    assert_eq!(cards(&mails_at(&app, after(30)).await), [(5, 2)]);
}

/// The commitments that reminders ask about, with the days that have passed.
fn asked(mails: &[Mail]) -> Vec<(String, u32)> {
    let reminders = mails.iter().filter_map(|mail| match mail {
        Mail::ReviewReminder { asked, .. } => Some(asked.iter().map(|one| (one.text.clone(), one.days))),
        _ => None,
    });
    reminders.flatten().collect()
}

#[actix_web::test]
async fn a_reminder_asks_once_for_each_asking_of_a_commitment() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;
    set(&app, &ada, json!({ "reminder": "mail", "noticeHour": 18 })).await;
    let now = app.env.now().millis();
    for (id, text) in [(1, "Own less."), (2, "Walk.")] {
        let text = json!({ "value": text, "at": now });
        let report = json!({ "bookId": "walden", "text": text, "createdAt": now });
        app.put_as(&ada, &format!("/api/study/commitments/{id}"), report).await.result();
    }
    for day in [0, 1, 2] {
        assert_eq!(mails_at(&app, after(6 + 24 * day)).await, [], "day {day}");
    }
    let third = mails_at(&app, after(6 + 24 * 3)).await;
    assert_eq!(asked(&third), [("Own less.".to_owned(), 3), ("Walk.".to_owned(), 3)]);
    let Mail::ReviewReminder { cards: 0, link, .. } = &third[0] else { panic!("{third:?}") };
    assert!(link.ends_with("/home"), "{link}");
    // They are asked about on Home until they are answered, by mail not again.
    assert_eq!(mails_at(&app, after(6 + 24 * 4)).await, []);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let done = json!({ "createdAt": now, "outcome": { "value": "done", "at": app.env.now().millis() } });
    app.put_as(&ada, "/api/study/commitments/2", done).await.result();
    add_card(&app, &ada, 7).await;
    for day in 5..14 {
        let mails = mails_at(&app, after(6 + 24 * day)).await;
        assert_eq!((cards(&mails), asked(&mails)), (vec![(1, 1)], vec![]), "day {day}");
    }
    // With the card that is due.
    let mails = mails_at(&app, after(6 + 24 * 14)).await;
    assert_eq!((cards(&mails), asked(&mails)), (vec![(1, 1)], vec![("Own less.".to_owned(), 14)]));
    assert!(matches!(&mails[0], Mail::ReviewReminder { link, .. } if link.ends_with("/review")));
}

#[actix_web::test]
async fn who_does_not_want_to_be_asked_about_commitments_is_not_asked_by_mail_either() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;
    set(&app, &ada, json!({ "reminder": "mail", "noticeHour": 18, "asksCommitments": false })).await;
    let now = app.env.now().millis();
    let report = json!({ "bookId": "walden", "text": { "value": "Walk.", "at": now }, "createdAt": now });
    app.put_as(&ada, "/api/study/commitments/1", report).await.result();
    assert_eq!(mails_at(&app, after(6 + 24 * 3)).await, []);
}

#[actix_web::test]
async fn who_has_reviewed_today_or_has_nothing_due_is_not_reminded() {
    let app = TestApp::start().await;
    let ada = confirmed(&app).await;
    set(&app, &ada, json!({ "reminder": "mail", "noticeHour": 18 })).await;
    assert_eq!(cards(&mails_at(&app, after(6)).await), [], "there are no cards");
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    for id in 1..=2 {
        add_card(&app, &ada, id).await;
    }
    app.env.set(after(29));
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let answer = json!({ "id": 1, "cardId": 1, "rating": 3, "at": app.env.now().millis() });
    app.post_as(
        &ada,
        "/api/study/answers",
        json!({ "answers": [answer], "sent": app.env.now().millis(), "device": "phone" }),
    )
    .await
    .result();
    let today = app.get_as(&ada, "/api/study/today").await.result();
    assert_eq!(today, json!({ "due": [2], "minutes": 1, "done": 1, "later": 0 }));
    assert_eq!(cards(&mails_at(&app, after(30)).await), [], "one was reviewed today");
    assert_eq!(cards(&mails_at(&app, after(54)).await).len(), 1, "none on the day after");
}

#[actix_web::test]
async fn a_reminder_that_is_half_a_day_late_is_left_out_and_the_next_comes() {
    let app = TestApp::start().await;
    let ada = confirmed(&app).await;
    set(&app, &ada, json!({ "reminder": "mail", "noticeHour": 18 })).await;
    add_card(&app, &ada, 1).await;
    assert_eq!(cards(&mails_at(&app, after(6 + 13)).await), []);
    assert_eq!(cards(&mails_at(&app, after(30)).await), [(1, 1)]);
}

#[actix_web::test]
async fn the_hour_is_that_of_the_members_calendar_also_after_they_moved() {
    let app = TestApp::start().await;
    let ada = confirmed(&app).await;
    set(&app, &ada, json!({ "reminder": "mail", "noticeHour": 18 })).await;
    add_card(&app, &ada, 1).await;
    let profile = json!({ "firstName": "Ada", "lastName": "Reader", "timezone": "America/New_York" });
    app.put_as(&ada, "/api/user/account", profile).await.result();
    assert_eq!(cards(&mails_at(&app, after(6)).await), []);
    // 18:00 in New York, in summer.
    assert_eq!(cards(&mails_at(&app, after(10)).await), [(1, 1)]);
}

#[actix_web::test]
async fn nothing_is_mailed_to_an_address_that_nobody_has_proved_or_to_a_suspended_member() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;
    add_highlight(&app, &ada, 1, "").await;
    add_card(&app, &ada, 1).await;
    set(&app, &ada, json!({ "digest": "daily", "reminder": "mail", "noticeHour": 13 })).await;
    app.sql("UPDATE users SET email_confirmed_at = NULL");
    assert_eq!(mails_at(&app, after(1)).await, []);
    app.confirm(&ada);
    assert_eq!(mails_at(&app, after(25)).await.len(), 2);
    app.sql(&format!("UPDATE users SET suspended_at = now(), suspended_reason = 'Spam' WHERE id = {}", ada.id()));
    assert_eq!(mails_at(&app, after(49)).await, []);
}

#[actix_web::test]
async fn another_hour_or_another_name_neither_loses_nor_repeats_a_notice() {
    let app = TestApp::start().await;
    let ada = confirmed(&app).await;
    add_card(&app, &ada, 1).await;
    set(&app, &ada, json!({ "reminder": "mail", "noticeHour": 13 })).await;
    // It is due, and not sent yet.
    app.env.set(after(1).plus(MINUTE));
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let profile = json!({ "firstName": "Augusta", "lastName": "Reader", "timezone": "UTC" });
    app.put_as(&ada, "/api/user/account", profile).await.result();
    set(&app, &ada, json!({ "digest": "weekly" })).await;
    assert_eq!(cards(&mails_at(&app, after(1).plus(2 * MINUTE)).await).len(), 1);
    set(&app, &ada, json!({ "noticeHour": 14 })).await;
    assert_eq!(cards(&mails_at(&app, after(2)).await), [], "one a day");
    assert_eq!(cards(&mails_at(&app, after(26)).await).len(), 1);
}

#[actix_web::test]
async fn highlights_come_by_mail_each_in_its_turn() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;
    for id in 1..=7 {
        add_highlight(&app, &ada, id * 10, &format!("Note {id}")).await;
    }
    set(&app, &ada, json!({ "digest": "daily", "noticeHour": 13 })).await;
    let notes = |mails: &[Mail]| digest(mails).into_iter().map(|highlight| highlight.note).collect::<Vec<_>>();
    let first = mails_at(&app, after(1)).await;
    assert_eq!(notes(&first), ["Note 1", "Note 2", "Note 3", "Note 4", "Note 5"]);
    assert_eq!(
        digest(&first)[0],
        DigestHighlight {
            words: "first paragraph".to_owned(),
            note: "Note 1".to_owned(),
            title: "Title of walden".to_owned(),
            author: "Ada Author".to_owned(),
            link: Some(format!("{}/books/walden", app.app.config.public_url)),
        }
    );
    assert_eq!(notes(&mails_at(&app, after(25)).await), ["Note 6", "Note 7", "Note 1", "Note 2", "Note 3"]);
    // Once a week: on Monday. It goes on where the last one ended.
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    set(&app, &ada, json!({ "digest": "weekly" })).await;
    assert_eq!(notes(&mails_at(&app, after(49)).await), Vec::<String>::new());
    assert_eq!(notes(&mails_at(&app, after(7 * 24 + 1)).await).len(), 7);
}

#[actix_web::test]
async fn a_link_in_a_mail_ends_its_kind_of_mail_without_a_login() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;
    add_highlight(&app, &ada, 1, "").await;
    add_card(&app, &ada, 1).await;
    set(&app, &ada, json!({ "digest": "daily", "reminder": "mail", "noticeHour": 13 })).await;
    let mails = mails_at(&app, after(1)).await;
    let links: Vec<&str> = mails
        .iter()
        .map(|mail| match mail {
            Mail::HighlightDigest { unsubscribe, .. } | Mail::ReviewReminder { unsubscribe, .. } => {
                unsubscribe.as_str()
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(links.len(), 2);
    let reminder = links.iter().find(|link| link.ends_with("?mails=reminder")).expect("the link of the reminder");
    let path = reminder.strip_prefix(&app.address).expect("a link of the site");
    for _ in 0..2 {
        app.post(path, json!({})).await.result();
    }
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let settings = app.get_as(&ada, SETTINGS).await.result()["settings"].take();
    assert_eq!((settings["reminder"].as_str(), settings["digest"].as_str()), (Some("off"), Some("daily")));
    let mails = mails_at(&app, after(25)).await;
    assert_eq!((cards(&mails).len(), digest(&mails).len()), (0, 1));
    refusal(&app.post("/unsubscribe/00ff", json!({})).await, 404, "not_found");
}

#[actix_web::test]
async fn settings_of_notices_are_checked() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for (field, value, text) in [
        ("reminder", json!("fax"), "There is no such choice."),
        ("digest", json!("hourly"), "There is no such choice."),
        ("noticeHour", json!(24), "Choose an hour from 0 to 23."),
        ("noticeHour", json!(7.5), "Choose an hour from 0 to 23."),
    ] {
        let refused = app.put_as(&ada, SETTINGS, json!({ field: value })).await;
        refused.fails(422, "validation_failed", text);
        assert_eq!(refused.json()["field"], field);
    }
    assert_eq!(app.count("study_notices"), 0);
    set(&app, &ada, json!({ "reminder": "push", "digest": "weekly" })).await;
    assert_eq!(app.count("study_notices"), 2);
    set(&app, &ada, json!({ "reminder": "off", "digest": "off" })).await;
    assert_eq!(app.count("study_notices WHERE due_at IS NOT NULL"), 0);
}

/// A browser, as it subscribes at this push service.
struct Browser {
    secret: SecretKey,
    auth: [u8; 16],
    body: Value,
}

impl Browser {
    fn at(receiver: &Receiver, number: u8) -> Self {
        let (secret, auth) = (SecretKey::from_slice(&[number; 32]).expect("a key"), [number; 16]);
        let point = secret.public_key().to_encoded_point(false);
        let keys = json!({ "p256dh": URL_SAFE_NO_PAD.encode(point.as_bytes()), "auth": URL_SAFE_NO_PAD.encode(auth) });
        Self { secret, auth, body: json!({ "endpoint": receiver.url(&format!("/push/{number}")), "keys": keys }) }
    }

    fn read(&self, body: &[u8]) -> Value {
        let text = decrypt(body.to_vec(), &self.secret, &Auth::from(self.auth)).expect("it is for this browser");
        serde_json::from_slice(&text).expect("it is JSON")
    }
}

/// Lets the notices and what they queue be done.
async fn work_at(app: &TestApp, at: Timestamp) {
    app.env.set(at);
    app.queue_scheduled().await;
    for kind in ["study_notices", "push_message"] {
        app.work_off_kind(kind).await;
    }
}

#[actix_web::test]
async fn a_reminder_is_pushed_to_the_browsers_of_the_member_until_they_log_out() {
    let app = TestApp::start_with(PRIVATE).await;
    let receiver = Receiver::start(201);
    let ada = app.sign_up("ada@example.com").await;
    let phone = app.log_in("ada@example.com", PASSWORD).await;
    add_card(&app, &ada, 1).await;
    let known = app.get_as(&ada, PUSH).await.result();
    assert_eq!(URL_SAFE_NO_PAD.decode(known["key"].as_str().expect("a key")).expect("base64").len(), 65);
    assert_eq!((&known["isSubscribed"], &known["browsers"]), (&json!(false), &json!(0)));
    let browsers = [Browser::at(&receiver, 1), Browser::at(&receiver, 2)];
    app.put_as(&ada, PUSH, browsers[0].body.clone()).await.result();
    app.put_as(&phone, PUSH, browsers[1].body.clone()).await.result();
    let seen = app.get_as(&ada, PUSH).await.result();
    assert_eq!(seen, json!({ "key": known["key"], "isSubscribed": true, "browsers": 2 }));
    set(&app, &ada, json!({ "reminder": "push", "noticeHour": 13 })).await;

    work_at(&app, after(1)).await;
    let mut posted = receiver.posted();
    posted.sort_by(|one, other| one.path.cmp(&other.path));
    let message = json!({ "title": "One card is due", "body": "About a minute.", "path": "/review" });
    for (number, request) in (1..).zip(&posted) {
        assert_eq!(request.path, format!("/push/{number}"));
        assert_eq!(browsers[number - 1].read(&request.body), message);
        let signed = request.header("authorization");
        assert!(signed.starts_with("vapid t=") && signed.ends_with(known["key"].as_str().expect("a key")), "{signed}");
    }
    assert_eq!(posted.len(), 2);

    let [mut ada, mut phone] = [ada, phone];
    app.refresh(&mut ada).await;
    app.refresh(&mut phone).await;
    app.delete_as(&ada, PUSH).await.result();
    app.post_as(&phone, "/api/user/logout", json!({})).await.result();
    work_at(&app, after(25)).await;
    assert_eq!(receiver.posted().len(), 0, "no browser is left");
}

#[actix_web::test]
async fn a_browser_that_is_gone_is_forgotten_and_a_busy_push_service_is_asked_again() {
    let app = TestApp::start_with(PRIVATE).await;
    let receiver = Receiver::start(503);
    let ada = app.sign_up("ada@example.com").await;
    add_card(&app, &ada, 1).await;
    app.put_as(&ada, PUSH, Browser::at(&receiver, 1).body).await.result();
    set(&app, &ada, json!({ "reminder": "push", "noticeHour": 13 })).await;
    work_at(&app, after(1)).await;
    assert_eq!(receiver.posted().len(), 1);
    assert_eq!(app.count("push_subscriptions"), 1);
    receiver.answer(410);
    app.env.advance(MINUTE);
    app.work_off_kind("push_message").await;
    assert_eq!(receiver.posted().len(), 1);
    assert_eq!(app.count("push_subscriptions"), 0);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let wrong = json!({ "endpoint": "https://push.example/1", "keys": { "p256dh": "AAAA", "auth": "AAAA" } });
    let refused = app.put_as(&ada, PUSH, wrong).await;
    assert_eq!(refusal(&refused, 422, "validation_failed")["field"], "endpoint");
}

/// Ada with a webhook at the receiver, and its secret.
async fn with_webhook(app: &TestApp, receiver: &Receiver) -> (Person, String) {
    let ada = reader(app).await;
    let saved = app.put_as(&ada, WEBHOOK, json!({ "url": receiver.url("/hook") })).await.result();
    assert_eq!(saved["webhook"]["isOn"], true);
    let secret = saved["secret"].as_str().expect("a secret").to_owned();
    assert_eq!(app.get_as(&ada, WEBHOOK).await.result()["webhook"], saved["webhook"], "without the secret");
    (ada, secret)
}

/// Whether a request is signed with this secret, as a library of Standard Webhooks verifies it.
fn is_signed(request: &crate::harness::receiver::ReceivedRequest, secret: &str) -> bool {
    use hmac::Mac;

    let key = base64::engine::general_purpose::STANDARD.decode(secret.strip_prefix("whsec_").expect("a prefix"));
    let mut mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(&key.expect("base64")).expect("a key");
    let head = format!("{}.{}.", request.header("webhook-id"), request.header("webhook-timestamp"));
    mac.update(head.as_bytes());
    mac.update(&request.body);
    let signature = request.header("webhook-signature").strip_prefix("v1,").map(str::to_owned).expect("a version");
    let signature = base64::engine::general_purpose::STANDARD.decode(signature).expect("base64");
    mac.verify_slice(&signature).is_ok()
}

#[actix_web::test]
async fn a_new_highlight_is_posted_to_the_webhook_once_and_signed() {
    let app = TestApp::start_with(PRIVATE).await;
    let receiver = Receiver::start(204);
    let (ada, secret) = with_webhook(&app, &receiver).await;
    app.put_as(
        &ada,
        "/api/study/highlights/7",
        with(highlight(&app, "Mine."), "tags", json!([{ "tag": "Calm", "on": true, "at": 0 }])),
    )
    .await
    .result();
    app.work_off_kind("highlight_webhook").await;
    let posted = receiver.posted();
    assert_eq!(posted.len(), 1);
    assert!(is_signed(&posted[0], &secret));
    assert!(!is_signed(&posted[0], "whsec_AAAA"));
    assert_eq!((posted[0].path.as_str(), posted[0].header("webhook-id").ends_with("_7")), ("/hook", true));
    let event: Value = serde_json::from_slice(&posted[0].body).expect("JSON");
    assert_eq!(
        event,
        json!({
            "type": "highlight.created",
            "timestamp": "2026-06-15T12:00:00Z",
            "data": {
                "id": 7, "words": "first paragraph", "note": "Mine.", "tags": ["Calm"], "color": "honey",
                "title": "Title of walden", "author": "Ada Author",
                "url": format!("{}/books/walden", app.app.config.public_url), "createdAt": "2026-06-15T12:00:00Z",
            },
        })
    );
    let last = app.get_as(&ada, WEBHOOK).await.result()["webhook"]["last"].take();
    assert_eq!(last, json!({ "at": START.millis(), "status": 204, "error": "" }));
    // Neither a change nor a deletion is a new one, and one that was deleted before it was posted is not posted.
    add_highlight(&app, &ada, 7, "Changed.").await;
    let deleted = with(highlight(&app, ""), "deletedAt", json!(app.env.now().plus(1).millis()));
    add_highlight(&app, &ada, 8, "").await;
    app.put_as(&ada, "/api/study/highlights/8", deleted).await.result();
    app.work_off_kind("highlight_webhook").await;
    assert_eq!(receiver.posted().len(), 0);
}

#[actix_web::test]
async fn a_webhook_that_fails_for_a_day_is_switched_off_until_a_test_succeeds() {
    let app = TestApp::start_with(PRIVATE).await;
    let receiver = Receiver::start(500);
    let (ada, _) = with_webhook(&app, &receiver).await;
    add_highlight(&app, &ada, 7, "").await;
    let mut attempts = 0;
    for _ in 0..12 {
        app.work_off_kind("highlight_webhook").await;
        attempts += receiver.posted().len();
        app.env.advance(6 * HOUR);
    }
    assert_eq!(attempts, 10);
    let ada = app.log_in(&ada.email, PASSWORD).await;
    let webhook = app.get_as(&ada, WEBHOOK).await.result()["webhook"].take();
    assert_eq!((&webhook["isOn"], &webhook["last"]["error"]), (&json!(false), &json!("It answered with 500.")));
    add_highlight(&app, &ada, 9, "").await;
    app.work_off_kind("highlight_webhook").await;
    assert_eq!(receiver.posted().len(), 0, "it is off");

    let failed = app.post_as(&ada, &format!("{WEBHOOK}/test"), json!({})).await.result();
    assert_eq!((&failed["webhook"]["isOn"], &failed["webhook"]["last"]["status"]), (&json!(false), &json!(500)));
    receiver.answer(200);
    let tested = app.post_as(&ada, &format!("{WEBHOOK}/test"), json!({})).await.result();
    assert_eq!((&tested["webhook"]["isOn"], &tested["webhook"]["last"]["error"]), (&json!(true), &json!("")));
    let bodies =
        receiver.posted().into_iter().map(|posted| serde_json::from_slice::<Value>(&posted.body).expect("JSON"));
    assert!(bodies.map(|body| body["type"].clone()).all(|kind| kind == "test"));
    add_highlight(&app, &ada, 10, "").await;
    app.work_off_kind("highlight_webhook").await;
    assert_eq!(receiver.posted().len(), 1);
    // The receiver says that it is gone.
    receiver.answer(410);
    add_highlight(&app, &ada, 11, "").await;
    app.work_off_kind("highlight_webhook").await;
    assert_eq!(app.get_as(&ada, WEBHOOK).await.result()["webhook"]["isOn"], false);
}

#[actix_web::test]
async fn a_webhook_has_a_public_https_url_and_is_replaced_and_removed() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(app.get_as(&ada, WEBHOOK).await.result(), json!({ "webhook": null }));
    refusal(&app.post_as(&ada, &format!("{WEBHOOK}/test"), json!({})).await, 404, "not_found");
    for url in ["", "http://example.com/hook", "ftp://example.com", "https://ada:secret@example.com"] {
        let refused = app.put_as(&ada, WEBHOOK, json!({ "url": url })).await;
        refused.fails(422, "validation_failed", "Please enter a web address that begins with https://.");
    }
    let first = app.put_as(&ada, WEBHOOK, json!({ "url": "https://127.0.0.1:9/hook" })).await.result();
    // Nothing is posted to a private address.
    let tested = app.post_as(&ada, &format!("{WEBHOOK}/test"), json!({})).await.result();
    assert_eq!(tested["webhook"]["last"]["error"], "Its address is not on the public web.");
    let second = app.put_as(&ada, WEBHOOK, json!({ "url": "https://127.0.0.1:9/hook" })).await.result();
    assert_ne!(first["secret"], second["secret"]);
    assert_eq!(second["webhook"]["last"], Value::Null);
    for _ in 0..2 {
        app.delete_as(&ada, WEBHOOK).await.result();
    }
    assert_eq!(app.get_as(&ada, WEBHOOK).await.result(), json!({ "webhook": null }));
}

#[actix_web::test]
async fn a_highlight_is_drawn_as_a_picture_for_its_member_only() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;
    let bob = app.sign_up("bob@example.com").await;
    add_highlight(&app, &ada, 7, "A private note").await;
    let path = "/api/study/highlights/7/picture";
    let picture = app.request(Method::GET, path).bearer_auth(&ada.token).send().await.expect("it answers");
    assert_eq!(
        (picture.status().as_u16(), &picture.headers()["content-type"]),
        (200, &"image/png".parse().expect("a value"))
    );
    let bytes = picture.bytes().await.expect("a body");
    let size = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((&bytes[1..4], size(16), size(20)), (&b"PNG"[..], 1200, 1500));
    refusal(&app.get_as(&bob, path).await, 404, "not_found");
    refusal(&app.get_as(&ada, "/api/study/highlights/8/picture").await, 404, "not_found");
    refusal(&app.get_as(&ada, "/api/study/highlights/x/picture").await, 404, "not_found");
    let deleted = with(highlight(&app, ""), "deletedAt", json!(app.env.now().plus(DAY).millis()));
    app.env.advance(DAY);
    let ada = app.log_in(&ada.email, PASSWORD).await;
    app.put_as(&ada, "/api/study/highlights/7", deleted).await.result();
    refusal(&app.get_as(&ada, path).await, 404, "not_found");
}

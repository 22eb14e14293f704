//! The daily mail of the ten-day challenge: once a day at the member's hour, whatever happens to the worker, and ended with one press.

use kernel::{DAY, Env, HOUR, MINUTE, TimeZone, Timestamp};
use mail::{Outbox, OutboxMail};
use reqwest::{Method, header};
use serde_json::{Value, json};

use crate::harness::{PASSWORD, Person, TestApp};

const PATH: &str = "/api/user/ten-day-challenge/daily-mail";

/// A goal and so many books, of which the first two goals' days are made.
fn catalogue(app: &TestApp, count: usize) -> Vec<i64> {
    app.sql(
        "INSERT INTO goals (id, slug, title, short_title, mobile_title, description, place)
         OVERRIDING SYSTEM VALUE VALUES (1, 'calm', 'Stay calm', 'Calm', 'Calm', '', 0)",
    );
    (0..count).map(|n| app.add_book(&format!("book-{n}"), "")).collect()
}

async fn save_plan(app: &TestApp, member: &Person, books: &[i64]) {
    let plan = json!({ "goals": [1], "bookIds": books });
    app.post_as(member, "/api/user/ten-day-challenge-submit", plan).await.result();
}

/// Ada, in this time zone, with a plan of these books and a mail at seven.
async fn challenger(app: &TestApp, zone: &str, books: &[i64]) {
    let ada = app.sign_up("ada@example.com").await;
    app.sql(&format!("UPDATE users SET timezone = '{zone}' WHERE id = {}", ada.id()));
    save_plan(app, &ada, books).await;
    let settings = app.put_as(&ada, PATH, json!({ "hour": 7 })).await.result();
    assert_eq!(settings, json!({ "hasPlan": true, "hour": 7, "timezone": zone }));
    app.forget_mails();
}

/// Ada, whose session ended while the clock went on.
async fn logged_in(app: &TestApp) -> Person {
    app.log_in("ada@example.com", PASSWORD).await
}

/// The worker's round at a moment.
async fn work_at(app: &TestApp, at: Timestamp) {
    app.env.set(at);
    app.queue_scheduled().await;
    app.work_off().await;
}

/// The daily mails that went out, oldest first, as they arrived.
fn arrived(app: &TestApp) -> Vec<OutboxMail> {
    let mut mails = Outbox::in_home(app.home()).newest(1_000).expect("the outbox can be read");
    mails.retain(|mail| mail.read().subject.is_some_and(|subject| subject.starts_with("Day ")));
    mails.sort_by_key(|mail| mail.queued_at);
    mails
}

/// Their subjects.
fn sent(app: &TestApp) -> Vec<String> {
    let mails = arrived(app);
    assert!(mails.iter().all(|mail| mail.read().to == "ada@example.com"));
    mails.iter().filter_map(|mail| mail.read().subject).collect()
}

/// The path of the URL in the last mail's `List-Unsubscribe`.
fn unsubscribe_path(app: &TestApp) -> String {
    let mail = arrived(app).pop().expect("a mail was sent");
    let text = String::from_utf8(mail.bytes).expect("a mail is text");
    assert!(text.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"), "{text}");
    let url = text.split("\r\nList-Unsubscribe: <").nth(1).and_then(|rest| rest.split(">\r\n").next());
    url.and_then(|url| url.strip_prefix(&app.address)).expect("a link of the site").to_owned()
}

/// Ten days over the end of summer time, looked at every hour by two nodes in turn, of which one is restarted.
#[actix_web::test]
async fn each_day_of_the_plan_has_one_mail_at_the_members_hour() {
    let app = TestApp::start().await;
    let vienna = TimeZone::named("Europe/Vienna");
    let start = vienna.moment("2026-10-20".parse().expect("a day"), 12);
    app.env.advance(start.since(app.env.now()));
    let books = catalogue(&app, 10);
    challenger(&app, "Europe/Vienna", &books).await;
    let first = vienna.day_of(start);
    let mut beside = app.start_beside().await;
    let mut seen = 0;
    for round in 1..=12 * 24 {
        let at = start.plus(round * HOUR);
        let node = if round % 2 == 0 { &app } else { &beside };
        work_at(node, at).await;
        let sent = sent(&app);
        if sent.len() > seen {
            // The first day's hour was over when the plan was saved.
            seen += 1;
            assert_eq!(sent.len(), seen, "one at a time");
            assert_eq!(sent[seen - 1], format!("Day {}: Title of book-{seen}", seen + 1));
            assert_eq!(at, vienna.moment(first.plus(i32::try_from(seen).expect("small")), 7), "{sent:?}");
        }
        if round == 100 {
            beside = app.start_beside().await;
        }
    }
    assert_eq!(seen, 9, "after the tenth day nothing comes");
}

#[actix_web::test]
async fn two_workers_at_once_and_a_late_one_send_one_mail() {
    let app = TestApp::start().await;
    let books = catalogue(&app, 3);
    challenger(&app, "UTC", &books).await;
    let beside = app.start_beside().await;
    // Two days without a worker: the first mail is missed, the second is late.
    let today = TimeZone::UTC.day_of(app.env.now());
    app.env.advance(TimeZone::UTC.moment(today.plus(1), 21).since(app.env.now()));
    app.queue_scheduled().await;
    let _ = futures_util::future::join(app.work_off(), beside.work_off()).await;
    app.env.advance(2 * MINUTE);
    beside.queue_scheduled().await;
    beside.work_off().await;
    assert_eq!(sent(&app), ["Day 2: Title of book-1"]);
    // A book that is withdrawn has no mail; the plan goes on to its end.
    app.sql(&format!("UPDATE books SET published = false WHERE id = {}", books[2]));
    work_at(&app, TimeZone::UTC.moment(today.plus(2), 7)).await;
    assert_eq!(sent(&app).len(), 1);
    let settings = app.get_as(&logged_in(&app).await, PATH).await.result();
    assert_eq!(settings, json!({ "hasPlan": true, "hour": null, "timezone": "UTC" }), "none will come");
}

#[actix_web::test]
async fn a_member_asks_changes_the_hour_moves_and_stops() {
    let app = TestApp::start().await;
    let books = catalogue(&app, 10);
    let ada = app.sign_up("ada@example.com").await;
    let zone = app.get_as(&ada, PATH).await.result();
    assert_eq!((&zone["hasPlan"], &zone["hour"]), (&json!(false), &Value::Null));
    let refused = app.put_as(&ada, PATH, json!({ "hour": 7 })).await;
    refused.fails(404, "not_found", "Save a plan first, so that we can email you.");
    save_plan(&app, &ada, &books).await;
    for wrong in [json!({}), json!({ "hour": 24 }), json!({ "hour": -1 })] {
        let refused = app.put_as(&ada, PATH, wrong).await;
        refused.fails(422, "validation_failed", "Choose an hour from 0 to 23.");
        assert_eq!(refused.json()["field"], "hour");
    }
    app.put_as(&ada, PATH, json!({ "hour": 0 })).await.result();
    app.put_as(&ada, PATH, json!({ "hour": 9 })).await.result();
    let profile = json!({ "firstName": "Ada", "lastName": "Reader", "timezone": "Asia/Tokyo" });
    app.put_as(&ada, "/api/user/account", profile).await.result();
    app.forget_mails();
    let tokyo = TimeZone::named("Asia/Tokyo");
    let due = tokyo.moment(tokyo.day_of(app.env.now()).plus(1), 9);
    work_at(&app, due.plus(-MINUTE)).await;
    assert!(sent(&app).is_empty());
    work_at(&app, due).await;
    assert_eq!(sent(&app).len(), 1, "at the hour of the new zone");
    let ada = logged_in(&app).await;
    app.delete_as(&ada, PATH).await.result();
    assert_eq!(app.get_as(&ada, PATH).await.result()["hour"], Value::Null);
    work_at(&app, due.plus(DAY)).await;
    assert_eq!(sent(&app).len(), 1);
    // Another plan, another request.
    let ada = logged_in(&app).await;
    app.put_as(&ada, PATH, json!({ "hour": 9 })).await.result();
    save_plan(&app, &ada, &books[..3]).await;
    assert_eq!(app.get_as(&ada, PATH).await.result()["hour"], Value::Null);
    work_at(&app, due.plus(2 * DAY)).await;
    assert_eq!(sent(&app).len(), 1);
}

/// As mail programs post: no cookie, no token, a form, and maybe the page of a webmail around it.
#[actix_web::test]
async fn one_press_ends_the_mails_without_a_login_and_changes_nothing_else() {
    let app = TestApp::start().await;
    let books = catalogue(&app, 10);
    challenger(&app, "UTC", &books).await;
    let today = TimeZone::UTC.day_of(app.env.now());
    work_at(&app, TimeZone::UTC.moment(today.plus(1), 7)).await;
    let ada = logged_in(&app).await;
    let path = unsubscribe_path(&app);
    let before = app.get_as(&ada, "/api/goals").await.result();
    assert_eq!(app.get(&path).await.status, 200, "a page with a button");
    assert_eq!(app.get_as(&ada, PATH).await.result()["hour"], 7, "looking at it ends nothing");
    let press = async |path: &str| {
        let request = app.request(Method::POST, path).header(header::ORIGIN, "https://mail.example");
        let form = request.header("Sec-Fetch-Site", "cross-site").form(&[("List-Unsubscribe", "One-Click")]);
        form.send().await.expect("a response")
    };
    for _ in 0..2 {
        let response = press(&path).await;
        assert_eq!((response.status().as_u16(), response.headers().get(header::SET_COOKIE)), (200, None));
        assert_eq!(app.get_as(&ada, PATH).await.result()["hour"], Value::Null);
    }
    assert_eq!(app.get_as(&ada, "/api/goals").await.result(), before, "the plan stays");
    app.get_as(&ada, "/api/user/account").await.result();
    assert_eq!(press("/unsubscribe/00").await.status().as_u16(), 404);
    work_at(&app, TimeZone::UTC.moment(today.plus(2), 8)).await;
    assert_eq!(sent(&app).len(), 1);
    // Of a member who has left, nothing is left to end.
    let ada = logged_in(&app).await;
    let left = json!({ "why": "Time", "how": "Friends" });
    app.post_as(&ada, "/api/user/delete", left).await.result();
    assert_eq!(app.count("daily_mails"), 0);
    assert_eq!(press(&path).await.status().as_u16(), 200);
}

//! Messages to the operator: the contact form, suggestions and feedback, kept and passed on, and what is not let through.

use crate::harness::{self, TestApp};
use mail::Mail;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// A contact form that every rule allows.
fn contact() -> Value {
    json!({ "name": "Ada Lovelace", "email": "Ada@example.com", "body": "Hello.\r\n\r\nIs anybody there?" })
}

fn with(mut form: Value, field: &str, value: Value) -> Value {
    form[field] = value;
    form
}

/// The mails to support that wait to be sent: kind, name, address, text.
fn passed_on(app: &TestApp) -> Vec<[String; 4]> {
    let mails = app.mails().into_iter();
    mails
        .map(|(to, mail)| {
            assert_eq!(to, "support@example.com");
            match mail {
                Mail::Message { kind, name, email, body } => [kind, name, email, body],
                other => panic!("{other:?} is not for support"),
            }
        })
        .collect()
}

#[actix_web::test]
async fn what_is_written_is_kept_and_passed_on() {
    let app = TestApp::start().await;
    assert_eq!(app.post("/api/contact", contact()).await.result(), json!({}));
    let suggestion = json!({ "body": "Middlemarch", "kind": "suggest" });
    assert_eq!(app.post("/api/contact", suggestion).await.result(), json!({}));
    let feedback = json!({ "feedback": "Good.", "email": "ada@example.com" });
    assert_eq!(app.post("/api/feedback/send", feedback).await.result(), json!({}));
    assert_eq!(
        passed_on(&app),
        [
            ["contact", "Ada Lovelace", "Ada@example.com", "Hello.\n\nIs anybody there?"],
            ["suggest", "", "", "Middlemarch"],
            ["feedback", "", "ada@example.com", "Good."],
        ]
        .map(|mail| mail.map(str::to_owned))
    );
    assert_eq!(app.count("messages"), 3);
    assert_eq!(app.count("messages WHERE kind = 'contact' AND email_key = 'ada@example.com' AND done_at IS NULL"), 1);
}

#[actix_web::test]
async fn feedback_answers_at_each_of_its_addresses() {
    let app = TestApp::start().await;
    let addresses = ["/feedback/send", "/feedback/send/", "/api/feedback/send", "/api/feedback/send/"];
    for address in addresses {
        app.post(address, json!({ "feedback": "Good.", "email": "ada@example.com" })).await.result();
    }
    assert_eq!(app.count("messages"), 4);
    // The page of the form is another thing.
    assert_eq!(app.get("/feedback-form").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn each_missing_or_wrong_field_is_named() {
    let app = TestApp::start().await;
    let long = |count| json!("é".repeat(count));
    let incomplete = "Please complete the form.";
    for (form, field, text) in [
        (with(contact(), "body", json!(" \n\u{7}")), "body", incomplete),
        (with(contact(), "body", Value::Null), "body", incomplete),
        (with(contact(), "name", json!("")), "name", incomplete),
        (with(contact(), "email", json!(" ")), "email", incomplete),
        (json!({}), "body", incomplete),
        (json!({ "kind": "suggest", "name": "Ada", "email": "ada@example.com" }), "body", incomplete),
        (with(contact(), "email", json!("ada")), "email", "Please specify a valid email address."),
        (with(contact(), "name", long(101)), "name", "Please use at most 100 characters for a name."),
        (with(contact(), "body", long(5_001)), "body", "Please keep your message to 5000 characters."),
    ] {
        let reply = app.post("/api/contact", form).await;
        reply.fails(422, "validation_failed", text);
        assert_eq!(reply.json()["field"], field, "{}", reply.text);
    }
    let required = "Please input the required fields.";
    for (form, field, text) in [
        (json!({ "feedback": " ", "email": "ada@example.com" }), "feedback", required),
        (json!({ "feedback": "Good." }), "email", required),
        (json!({ "feedback": "Good.", "email": "ada" }), "email", "Please specify a valid email address."),
        (
            json!({ "feedback": long(5_001), "email": "a@b.example" }),
            "feedback",
            "Please keep your message to 5000 characters.",
        ),
    ] {
        let reply = app.post("/api/feedback/send", form).await;
        reply.fails(422, "validation_failed", text);
        assert_eq!(reply.json()["field"], field, "{}", reply.text);
    }
    // The longest that may be.
    app.post("/api/contact", with(with(contact(), "name", long(100)), "body", long(5_000))).await.result();
    let unreadable = app.post("/api/contact", with(contact(), "kind", json!("leaving"))).await;
    unreadable.fails(422, "validation_failed", "The field 'kind' can't be read.");
    assert_eq!(unreadable.json()["field"], "kind");
    assert_eq!((app.count("messages"), app.mails().len()), (1, 1));
}

#[actix_web::test]
async fn nothing_can_be_added_to_a_mails_head() {
    let app = TestApp::start().await;
    let form = with(contact(), "name", json!("Ada\r\nBcc: all@example.com\r\n\r\n<script>\u{202e}"));
    app.post("/api/contact", form).await.result();
    assert_eq!(passed_on(&app)[0][1], "Ada Bcc: all@example.com <script>");
    let form = with(contact(), "email", json!("ada@example.com\r\nBcc: all@example.com"));
    app.post("/api/contact", form).await.fails(422, "validation_failed", "Please specify a valid email address.");
}

#[actix_web::test]
async fn programs_are_answered_like_people_and_nobody_gets_what_they_write() {
    let app = TestApp::start().await;
    for (field, value) in [
        ("website", json!("https://spam.example")),
        ("openFor", json!(0)),
        ("openFor", json!(1_999)),
        ("openFor", json!(-60_000)),
        ("openFor", json!(-1e300)),
    ] {
        let trapped = app.post("/api/contact", with(contact(), field, value.clone())).await;
        assert_eq!(trapped.result(), json!({}), "{field} = {value}");
    }
    let feedback = json!({ "feedback": "Buy.", "email": "x@example.com", "website": "spam" });
    app.post("/api/feedback/send", feedback).await.result();
    assert_eq!((app.count("messages"), app.mails().len()), (0, 0));
    let metrics = app.get("/metrics").await.text;
    assert!(metrics.contains("pith_forms_trapped_total{form=\"contact\"} 5"), "{metrics}");
    assert!(metrics.contains("pith_forms_trapped_total{form=\"feedback\"} 1"), "{metrics}");

    // People: the field that they do not see is empty, and they took their time.
    let person = with(with(contact(), "website", json!("")), "openFor", json!(2_000));
    app.post("/api/contact", person).await.result();
    app.post("/api/contact", with(contact(), "openFor", json!(2_500.25))).await.result();
    assert_eq!(app.count("messages"), 2);
}

#[actix_web::test]
async fn one_network_writes_so_often_and_is_told_when_it_may_again() {
    let app = TestApp::start_with(&[("RATE_LIMIT_CONTACT", "5/3600")]).await;
    // A mistyped form is not counted; a trapped one is.
    assert_eq!(app.post("/api/contact", json!({})).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    for n in 0..5 {
        let form = if n == 0 { with(contact(), "website", json!("spam")) } else { contact() };
        app.post("/api/contact", form).await.result();
    }
    for (address, form) in
        [("/api/contact", contact()), ("/feedback/send", json!({ "feedback": "Good.", "email": "ada@example.com" }))]
    {
        let refused = app.post(address, form).await;
        refused.fails(429, "too_many_tries", "Too many attempts. Please try again in 12 minutes.");
        assert_eq!(refused.headers["retry-after"], "720");
    }
    assert_eq!((app.count("messages"), app.mails().len()), (4, 4));
    app.env.advance(720_000);
    app.post("/api/contact", contact()).await.result();
}

#[actix_web::test]
async fn a_message_that_can_not_be_passed_on_is_not_kept_either() {
    let app = TestApp::start().await;
    app.sql("ALTER TABLE jobs ADD CONSTRAINT none CHECK (kind = '')");
    assert_eq!(app.post("/api/contact", contact()).await.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(app.count("messages"), 0);
    // Nor was the try counted: nothing of it has happened.
    assert_eq!(app.count("rate_limits WHERE key LIKE 'contact %'"), 0);
}

#[actix_web::test]
async fn another_sites_page_can_not_write_with_a_members_browser() {
    let app = TestApp::start().await;
    let request = app.request(Method::POST, "/feedback/send").header("origin", "https://elsewhere.example");
    let reply = harness::reply(request.json(&json!({ "feedback": "Good.", "email": "ada@example.com" }))).await;
    assert_eq!((reply.status, app.count("messages")), (StatusCode::FORBIDDEN, 0));
}

#[actix_web::test]
async fn messages_and_events_are_deleted_after_the_configured_days() {
    let app = TestApp::start_with(&[("MESSAGES_KEPT_DAYS", "30"), ("EVENTS_KEPT_DAYS", "10")]).await;
    app.post("/api/contact", contact()).await.result();
    app.post("/api/events", json!({ "name": "start_for_free" })).await.result();
    for (days, messages, events) in [(9, 1, 1), (2, 1, 0), (20, 0, 0)] {
        app.env.advance(days * kernel::DAY);
        app.queue_scheduled().await;
        app.work_off().await;
        assert_eq!((app.count("messages"), app.count("events")), (messages, events), "after {days} more days");
    }
}

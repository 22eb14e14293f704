//! Books on e-readers: the address, what is mailed there, the log, and trying again.

use crate::harness::{Person, Reply, TestApp};
use diesel::RunQueryDsl;
use jobs::{Jobs, LEASE};
use kernel::StoreError;
use mail_parser::{MessageParser, MimeHeaders};
use serde_json::{Value, json};
use testing::{MailServer, Manner, Step};
use workflows::delivery::e_reader::DELIVER_BOOK;

async fn set(app: &TestApp, person: &Person, name: &str, domain: &str) -> Reply {
    let form = json!({ "kindle_email": name, "kindle_email_end": domain });
    app.post_as(person, "/kindle/set-kindle", form).await
}

/// A paid member with an e-reader.
async fn reader(app: &TestApp) -> Person {
    let ada = app.sign_up_paid("ada@example.com").await;
    set(app, &ada, "ada", "kindle.com").await.result();
    ada
}

async fn log(app: &TestApp, person: &Person) -> Vec<Value> {
    app.get_as(person, "/kindle/deliveries").await.result()["deliveries"].as_array().expect("a list").clone()
}

#[actix_web::test]
async fn the_address_is_kept_and_told_in_both_ways() {
    let app = TestApp::start_with(&[("MAIL_FROM", "Pith <books@pith.example>")]).await;
    let ada = app.sign_up_paid("ada@example.com").await;
    let told = app.get_as(&ada, "/kindle/has-kindle").await.json();
    assert_eq!((&told["status"], &told["kindleEmail"]), (&json!("ok"), &Value::Null));
    assert_eq!(told["result"]["sender"], "books@pith.example");
    let domains = json!(["kindle.com", "free.kindle.com", "kindle.cn", "kindle.ca", "kindle.it"]);
    assert_eq!(told["result"]["domains"], domains);
    assert_eq!(set(&app, &ada, " ada ", "free.kindle.com").await.result()["kindleEmail"], "ada@free.kindle.com");
    let told = app.get_as(&ada, "/api/kindle/has-kindle").await.json();
    assert_eq!(told["kindleEmail"], "ada@free.kindle.com");
    assert_eq!((&told["result"]["name"], &told["result"]["domain"]), (&json!("ada"), &json!("free.kindle.com")));
    for (name, domain, field, text) in [
        ("", "kindle.com", "kindle_email", "Please complete the form."),
        ("ada", "example.com", "kindle_email_end", "Please choose one of the domains."),
        ("a da", "kindle.com", "kindle_email", "Please specify a valid email address."),
        (
            "paul@gmail.com",
            "kindle.com",
            "kindle_email",
            "This is not a Kindle address. Your Kindle has its own address, which ends in @kindle.com.",
        ),
    ] {
        let refused = set(&app, &ada, name, domain).await;
        refused.fails(422, "validation_failed", text);
        assert_eq!(refused.json()["field"], field);
    }
    assert_eq!(app.get_as(&ada, "/kindle/has-kindle").await.json()["kindleEmail"], "ada@free.kindle.com");
}

#[actix_web::test]
async fn an_operator_may_name_other_domains() {
    let app = TestApp::start_with(&[("KINDLE_DOMAINS", "Reader.example, kindle.cn")]).await;
    let ada = app.sign_up_paid("ada@example.com").await;
    assert_eq!(set(&app, &ada, "ada", "reader.example").await.result()["kindleEmail"], "ada@reader.example");
    set(&app, &ada, "ada", "kindle.com").await.fails(422, "validation_failed", "Please choose one of the domains.");
}

#[actix_web::test]
async fn a_book_is_mailed_as_a_file_and_the_log_says_so() {
    let server = MailServer::start();
    let url = format!("smtp://{}?timeout=1", server.address());
    let app = TestApp::start_with(&[("SMTP_URL", &url), ("MAIL_FROM", "Pith <books@pith.example>")]).await;
    let (ada, bob) = (reader(&app).await, app.sign_up_paid("bob@example.com").await);
    app.add_book("a-book", "");
    let first = app.post_as(&ada, "/kindle/send/a-book", json!({})).await.result();
    // Pressed twice.
    assert_eq!(app.post_as(&ada, "/api/kindle/send/a-book", json!({})).await.result(), first);
    assert_eq!(log(&app, &ada).await[0]["state"], "queued");
    app.sql("DELETE FROM jobs WHERE kind <> 'e_reader'");
    assert_eq!(app.work_off().await, 1);
    let arrived = server.arrived();
    assert_eq!(arrived.len(), 1);
    assert_eq!(arrived[0].to, ["ada@kindle.com"]);
    let message = MessageParser::default().parse(arrived[0].text.as_bytes()).expect("a mail");
    let file = message.attachment(0).expect("a file");
    assert_eq!(file.attachment_name(), Some("a-book.epub"));
    assert!(file.contents().starts_with(b"PK\x03\x04"));
    assert_eq!(&file.contents()[30..58], b"mimetypeapplication/epub+zip");
    let told = log(&app, &ada).await;
    assert_eq!((told.len(), &told[0]["state"], &told[0]["why"]), (1, &json!("sent"), &Value::Null));
    assert_eq!(told[0]["book"]["title"], "Title of a-book");
    assert!(log(&app, &bob).await.is_empty());
}

#[actix_web::test]
async fn what_fails_says_why_and_can_be_tried_again_by_its_member() {
    let server = MailServer::start();
    let url = format!("smtp://{}?timeout=1", server.address());
    let app = TestApp::start_with(&[("SMTP_URL", &url)]).await;
    let (ada, bob) = (reader(&app).await, app.sign_up_paid("bob@example.com").await);
    set(&app, &bob, "bob", "kindle.com").await.result();
    app.add_book("a-book", "");
    app.sql("DELETE FROM jobs");
    let delivery = app.post_as(&ada, "/kindle/send/a-book", json!({})).await.result()["delivery"].clone();
    server.treat([Manner::Answer(Step::Recipient, "550 5.1.1 There is no such mailbox")]);
    app.work_off().await;
    let told = log(&app, &ada).await;
    assert_eq!((&told[0]["id"], &told[0]["state"]), (&delivery, &json!("failed")));
    assert!(told[0]["why"].as_str().is_some_and(|why| !why.is_empty()));
    let retry = format!("/kindle/deliveries/{delivery}/retry");
    app.post_as(&bob, &retry, json!({})).await.fails(404, "not_found", "There is no such delivery.");
    assert_eq!(app.post_as(&ada, &retry, json!({})).await.result()["delivery"], delivery);
    assert_eq!(log(&app, &ada).await[0]["state"], "queued");
    app.work_off().await;
    assert_eq!(log(&app, &ada).await[0]["state"], "sent");
    app.post_as(&ada, &retry, json!({})).await.fails(409, "already_there", "It was already sent, or is on its way.");
    assert_eq!(server.arrived().len(), 1);
}

/// The one queued delivery is set aside: two workers that had it were killed, and a third finds the second lease lapsed.
async fn kill_twice(app: &TestApp) {
    for _ in 0..2 {
        let now = app.app.env.now();
        let taken = app.app.db.write_now::<_, StoreError>(|pg| {
            pg.lapse_jobs(&[DELIVER_BOOK], 8, now)?;
            pg.take_jobs(&[DELIVER_BOOK], 8, now)
        });
        assert_eq!(taken.unwrap().len(), 1);
        app.env.advance(LEASE + 1);
    }
    assert_eq!(app.work_off().await, 0);
}

#[actix_web::test]
async fn delivery_whose_worker_was_killed_twice_can_be_retried() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;
    app.add_book("a-book", "");
    app.sql("DELETE FROM jobs");
    let delivery = app.post_as(&ada, "/kindle/send/a-book", json!({})).await.result()["delivery"].clone();
    kill_twice(&app).await;
    let told = log(&app, &ada).await;
    assert_eq!((&told[0]["state"], told[0]["why"].is_string()), (&json!("failed"), true));
    app.post_as(&ada, &format!("/kindle/deliveries/{delivery}/retry"), json!({})).await.result();
    assert_eq!(log(&app, &ada).await[0]["state"], "queued");
}

#[actix_web::test]
async fn delivery_that_was_set_aside_can_be_requested_again_without_reading_the_log() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;
    app.add_book("a-book", "");
    app.sql("DELETE FROM jobs");
    let waiting = "jobs WHERE kind = 'e_reader' AND state = 'queued'";
    let send = async || app.post_as(&ada, "/kindle/send/a-book", json!({})).await.result()["delivery"].clone();
    let first = send().await;
    kill_twice(&app).await;
    assert_eq!(app.count(waiting), 0);
    let second = send().await;
    assert_ne!(second, first);
    assert_eq!(app.count(waiting), 1);
    assert_eq!(send().await, second, "that one is on its way");
    kill_twice(&app).await;
    let retry = format!("/kindle/deliveries/{second}/retry");
    assert_eq!(app.post_as(&ada, &retry, json!({})).await.result()["delivery"], second);
    assert_eq!(app.count(waiting), 1);
    // Another one of the same book joins what is on its way; a lapsed lease is on its way no longer.
    kill_twice(&app).await;
    let retry = format!("/kindle/deliveries/{first}/retry");
    assert_eq!(app.post_as(&ada, &retry, json!({})).await.result()["delivery"], first);
    let told = log(&app, &ada).await;
    assert_eq!((told.len(), &told[0]["state"], &told[1]["state"]), (2, &json!("failed"), &json!("queued")));
}

#[actix_web::test]
async fn delivery_log_waits_for_no_lock_and_a_lapsed_lease_is_recorded_in_it() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;
    app.add_book("a-book", "");
    app.sql("DELETE FROM jobs");
    app.post_as(&ada, "/kindle/send/a-book", json!({})).await.result();
    let mut worker = app.connect();
    diesel::sql_query("BEGIN").execute(&mut worker).unwrap();
    // As a worker that ends an attempt holds both.
    diesel::sql_query("SELECT FROM jobs FOR UPDATE").execute(&mut worker).unwrap();
    diesel::sql_query("SELECT FROM deliveries FOR UPDATE").execute(&mut worker).unwrap();
    assert_eq!(log(&app, &ada).await[0]["state"], "queued");
    diesel::sql_query("ROLLBACK").execute(&mut worker).unwrap();
    kill_twice(&app).await;
    assert_eq!(app.count("deliveries WHERE state = 'failed'"), 1, "it is recorded when the lease lapses");
    assert_eq!(log(&app, &ada).await[0]["state"], "failed");
}

#[actix_web::test]
async fn only_paid_members_with_an_address_send() {
    let app = TestApp::start().await;
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);
    let book = app.add_book("a-book", "free = true");
    let upgrade = "Please upgrade to send summaries to your e-reader.";
    set(&app, &free, "ada", "kindle.com").await.fails(403, "upgrade_required", upgrade);
    set(&app, &free, "", "example.com").await.fails(403, "upgrade_required", upgrade);
    let send = format!("/kindle/send/{book}");
    app.post_as(&free, &send, json!({})).await.fails(403, "upgrade_required", upgrade);
    app.post(&send, json!({})).await.fails(401, "unauthenticated", "Please log in.");
    let refused = app.post_as(&paid, &send, json!({})).await;
    refused.fails(422, "validation_failed", "Please set your Kindle email first.");
    set(&app, &paid, "ada", "kindle.com").await.result();
    app.post_as(&paid, "/kindle/send/4711", json!({})).await.fails(404, "not_found", "There is no such book.");
    let soon = app.add_book("soon", "coming_soon = true");
    let not_written = app.post_as(&paid, &format!("/kindle/send/{soon}"), json!({})).await;
    not_written.fails(404, "not_found", "This summary has not been written yet.");
    app.post_as(&paid, &send, json!({})).await.result();
    assert_eq!(app.count("jobs WHERE kind = 'e_reader'"), 1);
    // Who leaves takes it along.
    let leaving = json!({ "why": "x", "how": "y" });
    app.post_as(&paid, "/api/user/delete", leaving).await.result();
    assert_eq!(app.count("jobs WHERE kind = 'e_reader'") + app.count("deliveries") + app.count("kindle_addresses"), 0);
}

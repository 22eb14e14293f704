//! The back office: its inbox, and who has the keys to it.

use crate::harness::{Person, START, TestApp, words::named_in};
use mail::Mail;
use serde_json::{Value, json};
use std::collections::BTreeSet;

async fn write(app: &TestApp, body: &str) {
    let form = json!({ "name": "Ada", "email": "ada@example.com", "body": body });
    app.post("/api/contact", form).await.result();
}

async fn suggest(app: &TestApp, body: &str) {
    app.post("/api/contact", json!({ "body": body, "kind": "suggest" })).await.result();
}

async fn inbox(app: &TestApp, admin: &Person, query: &str) -> Value {
    app.get_as(admin, &format!("/api/admin/messages{query}")).await.result()
}

fn bodies(page: &Value) -> Vec<&str> {
    page["messages"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|message| message["body"].as_str().expect("a text"))
        .collect()
}

#[actix_web::test]
async fn a_message_stays_in_the_inbox_until_it_is_handled() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let unread = async || app.get_as(&admin, "/api/admin/overview").await.result()["unread"].clone();
    assert_eq!(inbox(&app, &admin, "").await, json!({ "messages": [], "next": null }));
    assert_eq!(unread().await, 0);
    write(&app, "Hello.").await;
    app.env.advance(1_000);
    suggest(&app, "Emma").await;

    let page = inbox(&app, &admin, "").await;
    assert_eq!(bodies(&page), ["Emma", "Hello."]);
    let (suggestion, message) = (&page["messages"][0], &page["messages"][1]);
    assert_eq!(
        message,
        &json!({
            "id": message["id"], "kind": "contact", "name": "Ada", "email": "ada@example.com", "body": "Hello.",
            "createdAt": START.millis(), "doneAt": null, "firstLine": "Hello.", "answer": null,
        })
    );
    assert_eq!(
        (&suggestion["kind"], &suggestion["name"], &suggestion["email"]),
        (&json!("suggest"), &Value::Null, &Value::Null)
    );
    assert_eq!(unread().await, 2);

    let address = format!("/api/admin/messages/{}", message["id"]);
    let now = START.millis() + 1_000;
    let done = app.put_as(&admin, &address, json!({ "done": true })).await.result();
    assert_eq!((&done["message"]["doneAt"], &done["message"]["body"]), (&json!(now), &json!("Hello.")));
    app.env.advance(1_000);
    // Marking it again is nothing new.
    assert_eq!(app.put_as(&admin, &address, json!({ "done": true })).await.result(), done);
    assert_eq!(unread().await, 1);
    assert_eq!(bodies(&inbox(&app, &admin, "?done=false").await), ["Emma"]);
    assert_eq!(bodies(&inbox(&app, &admin, "?done=true").await), ["Hello."]);
    assert_eq!(bodies(&inbox(&app, &admin, "?kind=suggest").await), ["Emma"]);
    assert!(bodies(&inbox(&app, &admin, "?kind=suggest&done=true").await).is_empty());
    let back = app.put_as(&admin, &address, json!({ "done": false })).await.result();
    assert_eq!(back["message"]["doneAt"], Value::Null);
    assert_eq!(unread().await, 2);
}

#[actix_web::test]
async fn the_inbox_is_paged_by_key_and_loses_nothing_that_arrives_meanwhile() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    for n in 0..5 {
        write(&app, &format!("Message {n}.")).await;
    }
    let first = inbox(&app, &admin, "?limit=2").await;
    assert_eq!(bodies(&first), ["Message 4.", "Message 3."]);
    write(&app, "Late.").await;
    let second = inbox(&app, &admin, &format!("?limit=2&after={}", first["next"].as_str().expect("a key"))).await;
    assert_eq!(bodies(&second), ["Message 2.", "Message 1."]);
    let third = inbox(&app, &admin, &format!("?limit=2&after={}", second["next"].as_str().expect("a key"))).await;
    assert_eq!((bodies(&third), &third["next"]), (vec!["Message 0."], &Value::Null));

    for (query, field, text) in [
        ("?after=x", "after", "This list has no such next page."),
        ("?after=0", "after", "This list has no such next page."),
        ("?limit=0", "limit", "A page has 1 to 100 entries."),
        ("?limit=101", "limit", "A page has 1 to 100 entries."),
    ] {
        let reply = app.get_as(&admin, &format!("/api/admin/messages{query}")).await;
        reply.fails(422, "validation_failed", text);
        assert_eq!(reply.json()["field"], field);
    }
    let unreadable = app.get_as(&admin, "/api/admin/messages?kind=letter").await;
    assert_eq!((unreadable.status.as_u16(), &unreadable.json()["field"]), (422, &json!("kind")));
}

#[actix_web::test]
async fn an_unknown_message_is_not_there() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    for id in ["4711", "0", "-1", "x", "9223372036854775808"] {
        let reply = app.put_as(&admin, &format!("/api/admin/messages/{id}"), json!({ "done": true })).await;
        reply.fails(404, "not_found", "There is no such message.");
    }
}

#[actix_web::test]
async fn an_answer_is_mailed_to_the_writer_once_and_kept_with_who_and_when() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    write(&app, "Hello.").await;
    suggest(&app, "Emma").await;
    app.sql("DELETE FROM jobs");
    let page = inbox(&app, &admin, "").await;
    let address = format!("/api/admin/messages/{}", page["messages"][1]["id"]);
    let read = app.get_as(&admin, &address).await.result();
    assert_eq!((&read["message"], &read["answers"]), (&page["messages"][1], &json!([])));

    app.env.advance(1_000);
    let now = START.millis() + 1_000;
    let answered = app.post_as(&admin, &format!("{address}/answer"), json!({ "text": " Thank you.\n" })).await.result();
    assert_eq!(answered["message"]["doneAt"], now);
    assert_eq!(answered["answers"], json!([{ "text": "Thank you.", "by": "admin@example.com", "at": now }]));
    let listed = inbox(&app, &admin, "?done=true").await;
    assert_eq!(listed["messages"], json!([answered["message"]]));
    assert_eq!(answered["message"]["answer"], answered["answers"][0]);
    let (to, mail) = app.mails().pop().expect("a mail");
    let expected = Mail::Answer { name: "Ada".into(), text: "Thank you.".into(), message: "Hello.".into() };
    assert_eq!((to.as_str(), mail), ("ada@example.com", expected));
    // A form that is sent twice is one answer and one mail.
    let again = app.post_as(&admin, &format!("{address}/answer"), json!({ "text": "Thank you." })).await.result();
    assert_eq!((again, app.mails().len()), (answered.clone(), 1));
    assert_eq!(app.get_as(&admin, &address).await.result(), answered);
    assert_eq!(app.count("audit_entries WHERE action = 'message.answer'"), 1);

    let blank = app.post_as(&admin, &format!("{address}/answer"), json!({ "text": " \n" })).await;
    blank.fails(422, "validation_failed", "Please specify Reply.");
    assert_eq!(blank.json()["field"], "text");
    // Who gave no address gets no answer, and the message stays open.
    let nameless = format!("/api/admin/messages/{}", page["messages"][0]["id"]);
    let refused = app.post_as(&admin, &format!("{nameless}/answer"), json!({ "text": "Thank you." })).await;
    refused.fails(409, "already_there", "There is no address to reply to.");
    assert_eq!(app.get_as(&admin, &nameless).await.result()["message"]["doneAt"], Value::Null);
    for id in ["4711", "0", "x"] {
        let unknown = app.get_as(&admin, &format!("/api/admin/messages/{id}")).await;
        unknown.fails(404, "not_found", "There is no such message.");
    }
    assert_eq!(app.mails().len(), 1);
}

#[actix_web::test]
async fn the_inbox_is_searched_by_name_address_and_text() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    write(&app, "Where is my book?").await;
    suggest(&app, "100% Emma").await;
    assert_eq!(bodies(&inbox(&app, &admin, "?q=ADA%40example").await), ["Where is my book?"]);
    assert_eq!(bodies(&inbox(&app, &admin, "?q=emma").await), ["100% Emma"]);
    assert_eq!(bodies(&inbox(&app, &admin, "?q=0%25%20e").await), ["100% Emma"]);
    assert!(bodies(&inbox(&app, &admin, "?q=e%25a").await).is_empty());
}

#[actix_web::test]
async fn reasons_for_leaving_are_counted_within_days() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let leaving = "E'Why are you deleting your account?\\nNo time.\\n\\nHow did you find out about us?\\nA friend.'";
    for (kind, body, day) in [
        ("cancellation", "'too expensive'", "2026-03-01"),
        ("cancellation", "'too expensive'", "2026-03-02"),
        ("cancellation", "'other'", "2026-03-02"),
        ("cancellation", "'other'", "2026-03-03"),
        ("leaving", leaving, "2026-03-02"),
        ("contact", "'Hello.'", "2026-03-02"),
    ] {
        app.sql(&format!("INSERT INTO messages (kind, body, created_at) VALUES ('{kind}', {body}, '{day} 23:59Z')"));
    }
    // They are apart from what is to be answered, and shown by the reason instead of the form's question.
    assert_eq!(bodies(&inbox(&app, &admin, "?about=questions").await), ["Hello."]);
    let reasons = inbox(&app, &admin, "?about=leaving").await;
    let lines: Vec<&Value> =
        reasons["messages"].as_array().expect("a list").iter().map(|message| &message["firstLine"]).collect();
    assert_eq!(lines, ["No time.", "other", "other", "too expensive", "too expensive"]);
    assert_eq!(app.get_as(&admin, "/api/admin/overview").await.result()["unread"], 1);
    let counted = app.get_as(&admin, "/api/admin/messages/reasons?from=2026-03-01&to=2026-03-02").await.result();
    assert_eq!(
        counted,
        json!({
            "from": "2026-03-01", "to": "2026-03-02",
            "cancellations": [{ "reason": "too expensive", "count": 2 }, { "reason": "other", "count": 1 }],
            "deletions": [{ "reason": "No time.", "count": 1 }],
        })
    );
    let upside_down = app.get_as(&admin, "/api/admin/messages/reasons?from=2026-03-02&to=2026-03-01").await;
    assert_eq!((upside_down.status.as_u16(), &upside_down.json()["field"]), (422, &json!("from")));
}

#[actix_web::test]
async fn jobs_of_every_kind_are_listed_and_those_set_aside_are_tried_again() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    app.sql("DELETE FROM jobs");
    app.sql(
        "INSERT INTO jobs (kind, about, payload, state, attempts, last_error, created_at, due_at) VALUES
         ('removal', '', '\\x00', 'set_aside', 10, 'away', 'epoch', 'epoch'),
         ('stop_renewal', '', '\\x00', 'queued', 0, NULL, 'epoch', 'epoch')",
    );
    let list = async |query: &str| app.get_as(&admin, &format!("/api/admin/jobs{query}")).await.result();
    let all = list("").await;
    let kinds: Vec<_> = all["jobs"].as_array().unwrap().iter().map(|job| job["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["stop_renewal", "removal"]);
    assert!(all["kinds"].as_array().unwrap().contains(&json!("mail")));
    let aside = list("?state=set_aside").await["jobs"].clone();
    let id = aside[0]["id"].clone();
    assert_eq!(
        aside,
        json!([{
            "id": id, "kind": "removal", "about": "", "recipient": null, "state": "set_aside", "attempts": 10,
            "reason": "away", "createdAt": 0, "nextAt": null, "doneAt": null,
        }])
    );
    assert_eq!(list("?kind=stop_renewal&limit=1").await["jobs"][0]["kind"], "stop_renewal");
    assert_eq!(list("?kind=unknown").await["jobs"], json!([]));

    let retry = format!("/api/admin/jobs/{id}/retry");
    app.post_as(&admin, &retry, json!({})).await.result();
    let again = list("?kind=removal").await["jobs"][0].clone();
    assert_eq!((&again["state"], &again["attempts"]), (&json!("queued"), &json!(0)));
    assert!(again["nextAt"].is_i64());
    let refused = app.post_as(&admin, &retry, json!({})).await;
    refused.fails(409, "already_there", "Only a failed job can be tried again.");
    for id in ["4711", "x"] {
        let unknown = app.post_as(&admin, &format!("/api/admin/jobs/{id}/retry"), json!({})).await;
        unknown.fails(404, "not_found", "There is no such job.");
    }
}

#[actix_web::test]
async fn messages_are_never_cached() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let reply = app.get_as(&admin, "/api/admin/messages").await;
    assert_eq!(reply.headers["cache-control"], "no-store");
}

async fn mails(app: &TestApp, admin: &Person, query: &str) -> Value {
    app.get_as(admin, &format!("/api/admin/mails{query}")).await.result()["mails"].clone()
}

#[actix_web::test]
async fn what_was_mailed_is_told_without_what_it_says() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    app.sql("DELETE FROM jobs");
    for n in 0..4 {
        write(&app, &format!("Secret {n}.")).await;
    }
    app.sql(
        "UPDATE jobs j SET (state, attempts, uncertain, last_error, done_at, payload) =
            (SELECT v.state, v.attempts, v.uncertain, v.error, v.done, CASE WHEN v.done IS NULL THEN payload END FROM (VALUES
                (1, 'done', 1, 0, NULL, j.created_at), (2, 'done', 2, 1, NULL, j.created_at),
                (3, 'set_aside', 10, 0, 'The mail server is away.', NULL), (4, 'queued', 0, 0, NULL, NULL)
            ) AS v (place, state, attempts, uncertain, error, done)
            WHERE v.place = (SELECT count(*) FROM jobs o WHERE o.id <= j.id))",
    );
    let listed = mails(&app, &admin, "").await;
    let told: Vec<_> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|mail| {
            (mail["state"].as_str(), mail["deliveries"].as_str(), mail["attempts"].as_u64(), mail["lastError"].as_str())
        })
        .collect();
    assert_eq!(
        told,
        [
            (Some("queued"), Some("none"), Some(0), None),
            (Some("set_aside"), Some("none"), Some(10), Some("The mail server is away.")),
            (Some("sent"), Some("once_or_twice"), Some(2), None),
            (Some("sent"), Some("once"), Some(1), None),
        ]
    );
    assert_eq!((&listed[0]["kind"], &listed[0]["to"]), (&json!("message"), &json!("s…@example.com")));
    assert_eq!((&listed[0]["createdAt"], &listed[0]["sentAt"]), (&json!(START.millis()), &Value::Null));
    assert_eq!((&listed[0]["nextAt"], &listed[1]["nextAt"]), (&json!(START.millis()), &Value::Null));
    assert_eq!((&listed[2]["sentAt"], &listed[2]["nextAt"]), (&json!(START.millis()), &Value::Null));
    assert!(!listed.to_string().contains("Secret"));

    let states = |page: Value| page.as_array().map(Vec::len);
    assert_eq!(states(mails(&app, &admin, "?state=sent").await), Some(2));
    assert_eq!(states(mails(&app, &admin, "?state=sending").await), Some(0));
    let first = app.get_as(&admin, "/api/admin/mails?limit=3").await.result();
    let rest = mails(&app, &admin, &format!("?limit=3&after={}", first["next"].as_str().expect("a key"))).await;
    assert_eq!((states(first["mails"].clone()), states(rest)), (Some(3), Some(1)));

    let overview = app.get_as(&admin, "/api/admin/overview").await.result();
    assert_eq!(overview, json!({ "unread": 4, "mails": { "queued": 1, "setAside": 1 } }));
}

#[actix_web::test]
async fn a_mail_that_was_set_aside_is_tried_again_on_an_admins_word() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    app.sql("DELETE FROM jobs");
    write(&app, "Hello.").await;
    app.sql("UPDATE jobs SET state = 'set_aside', attempts = 10, last_error = 'The mail server is away.'");
    let id = mails(&app, &admin, "?state=set_aside").await[0]["id"].clone();
    let retry = format!("/api/admin/mails/{id}/retry");
    app.post_as(&admin, &retry, json!({})).await.result();
    let mail = mails(&app, &admin, "").await[0].clone();
    assert_eq!((&mail["id"], &mail["state"], &mail["attempts"]), (&id, &json!("queued"), &json!(0)));
    app.post_as(&admin, &retry, json!({})).await.fails(409, "already_there", "Only a failed email can be tried again.");
    for id in ["4711", "0", "x"] {
        let reply = app.post_as(&admin, &format!("/api/admin/mails/{id}/retry"), json!({})).await;
        reply.fails(404, "not_found", "There is no such email.");
    }
}

#[actix_web::test]
async fn the_back_office_has_words_for_every_kind_of_job() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let kinds = app.get_as(&admin, "/api/admin/jobs").await.result()["kinds"].clone();
    let kinds: BTreeSet<String> = serde_json::from_value(kinds).expect("a list of names");
    assert!(kinds.contains("mail") && kinds.contains("sandbox_webhooks"), "{kinds:?}");
    assert_eq!(named_in("JOBS"), kinds, "words.ts of the web app");
}

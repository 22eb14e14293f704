//! Commitments over HTTP: who may add one, what devices report in any order, and what other devices read of it.

use crate::harness::{PASSWORD, Person, Reply, START, TestApp};
use crate::study::{refusal, with};
use futures_util::future::join_all;
use kernel::Env;
use serde_json::{Value, json};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A commitment, as a device reports it at the test's time.
fn report(app: &TestApp, book: &str, text: &str) -> Value {
    let now = app.env.now().millis();
    json!({
        "bookId": book,
        "text": { "value": text, "at": now },
        "createdAt": now,
        "sent": now,
        "device": "phone",
    })
}

/// A report that knows nothing of a commitment but its creation.
fn bare(created_at: &Value) -> Value {
    json!({ "createdAt": created_at })
}

async fn save(app: &TestApp, person: &Person, id: u64, report: Value) -> Reply {
    app.put_as(person, &format!("/api/study/commitments/{id}"), report).await
}

async fn saved(app: &TestApp, person: &Person, id: u64, report: Value) -> Value {
    save(app, person, id, report).await.result()["commitment"].take()
}

/// All commitments, as the change feed has them.
async fn commitments(app: &TestApp, person: &Person) -> Vec<Value> {
    let mut page = app.get_as(person, "/api/study/changes").await.result();
    let Value::Array(commitments) = page["commitments"].take() else { panic!("no list") };
    commitments
}

#[actix_web::test]
async fn a_commitment_is_kept_answered_changed_done_deleted_and_brought_back() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let first = saved(&app, &ada, 7, report(&app, "walden", " Own\nless. ")).await;
    assert_eq!(
        first,
        json!({
            "id": 7, "bookId": book, "subid": "walden", "title": "Title of walden", "author": "Ada Author",
            "text": { "value": "Own less.", "at": now },
            "outcome": { "value": "open", "at": 0 },
            "answeredDay": null,
            "createdAt": now, "editedAt": now, "deletedAt": null,
            "version": 1,
        })
    );
    // Again, as after a lost answer.
    assert_eq!(saved(&app, &ada, 7, report(&app, "walden", "Own less.")).await, first);

    let created_at = first["createdAt"].clone();
    let answered = saved(&app, &ada, 7, with(bare(&created_at), "answeredDay", json!(3))).await;
    assert_eq!((&answered["answeredDay"], &answered["text"]), (&json!(3), &first["text"]));
    app.env.advance(1000);
    let changed = report(&app, "walden", "Own half.");
    let changed = saved(&app, &ada, 7, with(changed, "createdAt", created_at.clone())).await;
    assert_eq!((&changed["text"]["value"], &changed["outcome"]["value"]), (&json!("Own half."), &json!("open")));
    app.env.advance(1000);
    let outcome = |value: &str| json!({ "value": value, "at": app.env.now().millis() });
    let done = saved(&app, &ada, 7, with(bare(&created_at), "outcome", outcome("done"))).await;
    assert_eq!((&done["outcome"]["value"], &done["version"]), (&json!("done"), &json!(4)));
    app.env.advance(1000);
    let at = json!(app.env.now().millis());
    let deleted = saved(&app, &ada, 7, with(bare(&created_at), "deletedAt", at)).await;
    assert!(deleted["deletedAt"].as_i64() > deleted["editedAt"].as_i64());
    app.env.advance(1000);
    let back = saved(&app, &ada, 7, with(bare(&created_at), "outcome", outcome("open"))).await;
    assert!(back["deletedAt"].as_i64() < back["editedAt"].as_i64());
    assert_eq!((&back["outcome"]["value"], &back["answeredDay"]), (&json!("open"), &json!(3)));
    assert_eq!(commitments(&app, &ada).await, [back]);
}

#[actix_web::test]
async fn a_commitment_is_added_by_who_may_read_the_text_or_could_when_it_was_made() {
    let app = TestApp::start().await;
    for (book, columns) in [("walden", ""), ("other", ""), ("free", "free = true"), ("soon", "coming_soon = true")] {
        app.add_book(book, columns);
    }
    let one = |book: &str| report(&app, book, "Own less.");
    let visitor = app.send(None, reqwest::Method::PUT, "/api/study/commitments/1", Some(one("free"))).await;
    refusal(&visitor, 401, "unauthenticated");
    let ada = app.sign_up("ada@example.com").await;
    refusal(&save(&app, &ada, 1, one("walden")).await, 403, "not_opened");
    refusal(&save(&app, &ada, 1, one("soon")).await, 403, "forbidden");
    refusal(&save(&app, &ada, 1, one("unknown")).await, 404, "not_found");
    saved(&app, &ada, 1, one("free")).await;
    app.get_as(&ada, "/api/books/walden").await.result();
    saved(&app, &ada, 2, one("walden")).await;
    // As many as one likes, and several for a book.
    saved(&app, &ada, 3, one("walden")).await;

    // With a plan that ends.
    let bob = app.sign_up_paid("bob@example.com").await;
    app.get_as(&bob, "/api/books/other").await.result();
    app.env.advance(1000);
    let made = one("other");
    let known = saved(&app, &bob, 1, one("other")).await;
    app.env.advance(DAY);
    app.sql(&format!(
        "UPDATE entitlements SET ends_at = to_timestamp({}) WHERE user_id = {}",
        START.millis() / 1000 + 3600,
        bob.id()
    ));
    app.forget(&bob);
    let bob = app.log_in("bob@example.com", PASSWORD).await;
    let late = with(made, "sent", json!(app.env.now().millis()));
    assert_eq!(saved(&app, &bob, 2, late).await["createdAt"], known["createdAt"]);
    refusal(&save(&app, &bob, 3, one("other")).await, 403, "not_opened");
    // What is kept is changed whatever becomes of the plan.
    let changed = with(one("other"), "createdAt", known["createdAt"].clone());
    assert_eq!(saved(&app, &bob, 1, changed).await["version"], 3);
}

#[actix_web::test]
async fn what_is_wrong_with_a_commitment_is_said_at_its_field() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let of = |field: &str, value: Value| with(report(&app, "walden", "Own less."), field, value);
    let text = |text: &str| report(&app, "walden", text);
    for (report, field, error) in [
        (text(" \n"), "text", "Please write what you will do."),
        (of("text", Value::Null), "text", "Please write what you will do."),
        (text(&"é".repeat(501)), "text", "Please keep it to 500 characters."),
        (of("outcome", json!({ "value": "later", "at": now })), "outcome", "A commitment is open, done or dropped."),
        (of("answeredDay", json!(4)), "answeredDay", "A commitment is asked about on day 3 and on day 14."),
        (of("answeredDay", json!(3.5)), "answeredDay", "A commitment is asked about on day 3 and on day 14."),
        (of("bookId", Value::Null), "bookId", "Please specify a book."),
        (of("createdAt", json!(0.5)), "createdAt", "Please specify the time in milliseconds."),
        (of("deletedAt", json!(0.5)), "deletedAt", "Please specify the time in milliseconds."),
        (of("device", json!("a b")), "device", "A device name has up to 64 letters and digits."),
    ] {
        let refused = refusal(&save(&app, &ada, 7, report).await, 422, "validation_failed");
        assert_eq!((&refused["field"], &refused["error"]), (&json!(field), &json!(error)));
    }
    refusal(&save(&app, &ada, 0, text("Own less.")).await, 404, "not_found");
    refusal(&save(&app, &ada, 9_007_199_254_740_992, text("Own less.")).await, 404, "not_found");
    assert_eq!(app.count("commitments"), 0);
}

#[actix_web::test]
async fn reports_in_any_order_end_in_the_same_commitment() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let start = app.env.now().millis();
    app.env.advance(20_000);
    let at = |seconds: i64| start + seconds * 1000;
    let text = |value: &str, seconds: i64| json!({ "value": value, "at": at(seconds) });
    let first = json!({ "bookId": "walden", "text": text("Own less.", 1), "createdAt": at(1) });
    let reports = [
        first.clone(),
        with(first.clone(), "text", text("Own half.", 7)),
        with(first.clone(), "outcome", text("done", 5)),
        with(first.clone(), "outcome", text("dropped", 3)),
        with(first.clone(), "answeredDay", json!(14)),
        with(first, "answeredDay", json!(3)),
    ];
    let ends = [vec![0, 1, 2, 3, 4, 5], vec![5, 4, 3, 2, 1, 0, 0, 3], vec![2, 2, 4, 0, 5, 1, 3]];
    let mut states = Vec::new();
    for (id, order) in (1..).zip(ends) {
        for number in order {
            saved(&app, &ada, id, reports[number].clone()).await;
        }
        let all = commitments(&app, &ada).await;
        let mut state = all.into_iter().find(|one| one["id"] == id).expect("it is there");
        for own in ["id", "version"] {
            state[own] = Value::Null;
        }
        states.push(state);
    }
    assert!(states.iter().all(|state| *state == states[0]), "{states:?}");
    assert_eq!(
        (&states[0]["text"]["value"], &states[0]["outcome"]["value"], &states[0]["answeredDay"]),
        (&json!("Own half."), &json!("done"), &json!(14))
    );
}

#[actix_web::test]
async fn devices_that_report_at_once_lose_nothing_and_each_record_has_its_version() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let all = join_all((1..=8).map(|id| save(&app, &ada, id, report(&app, "walden", &format!("Number {id}."))))).await;
    assert!(all.iter().all(|reply| reply.status == 200));
    let highlight = json!({
        "bookId": "walden",
        "anchor": { "section": 0, "start": 0, "end": 3, "exact": "The", "prefix": "", "suffix": " first" },
        "createdAt": 0,
    });
    app.put_as(&ada, "/api/study/highlights/1", highlight).await.result();
    let own = json!({ "kind": "own", "content": { "value": { "question": "Why?", "answer": "So." }, "at": 1 }, "createdAt": 0 });
    app.put_as(&ada, "/api/study/cards/1", own).await.result();
    // In parts of any size every record comes once.
    for limit in [1, 3, 10, 100] {
        let (mut versions, mut from) = (Vec::new(), Some(0));
        while let Some(after) = from {
            let page = app.get_as(&ada, &format!("/api/study/changes?after={after}&limit={limit}")).await.result();
            let lists =
                ["highlights", "cards", "commitments"].map(|list| page[list].as_array().expect("a list").clone());
            let mut of_page: Vec<u64> =
                lists.into_iter().flatten().map(|one| one["version"].as_u64().expect("a version")).collect();
            assert!(of_page.len() <= limit);
            of_page.sort_unstable();
            versions.extend(of_page);
            from = page["next"].as_u64();
        }
        assert_eq!(versions, (1..=10).collect::<Vec<_>>(), "in parts of {limit}");
    }
}

#[actix_web::test]
async fn a_commitment_stays_when_its_book_is_deleted_and_belongs_to_its_member() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    let hers = saved(&app, &ada, 7, report(&app, "walden", "Own less.")).await;
    let his = saved(&app, &bob, 7, report(&app, "walden", "Walk.")).await;
    assert_eq!((commitments(&app, &ada).await, commitments(&app, &bob).await), (vec![hers.clone()], vec![his]));
    app.sql(&format!("DELETE FROM books WHERE id = {book}"));
    let kept = commitments(&app, &ada).await.remove(0);
    assert_eq!(
        (&kept["bookId"], &kept["subid"], &kept["title"], &kept["author"]),
        (&Value::Null, &Value::Null, &json!("Title of walden"), &json!("Ada Author"))
    );
    let now = app.env.now().millis();
    let done = with(bare(&hers["createdAt"]), "outcome", json!({ "value": "done", "at": now }));
    assert_eq!(saved(&app, &ada, 7, done).await["outcome"]["value"], "done");
}

#[actix_web::test]
async fn a_device_with_a_wrong_clock_reports_the_moments_of_the_server() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let ahead = now + 5 * DAY;
    let wrong = json!({
        "bookId": "walden",
        "text": { "value": "Own less.", "at": ahead },
        "createdAt": ahead,
        "sent": ahead,
    });
    let corrected = saved(&app, &ada, 7, wrong).await;
    assert_eq!((&corrected["createdAt"], &corrected["text"]["at"]), (&json!(now), &json!(now)));
}

#[actix_web::test]
async fn a_member_is_asked_for_commitments_until_they_switch_it_off() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let asks = async || app.get_as(&ada, "/api/study/settings").await.result()["settings"]["asksCommitments"].take();
    assert_eq!(asks().await, true);
    app.put_as(&ada, "/api/study/settings", json!({ "asksCommitments": false })).await.result();
    assert_eq!(asks().await, false);
    app.put_as(&ada, "/api/study/settings", json!({ "showsPopular": false })).await.result();
    assert_eq!(asks().await, false);
}

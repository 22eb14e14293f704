//! Highlights over HTTP: who may add one, what devices report in any order, and what a device reads of the others' changes.

use catalogue::Mark;

use crate::catalogue::recordings::narrate_with;
use crate::harness::{Person, Reply, START, TestApp};
use crate::study::{refusal, with};
use futures_util::future::join_all;
use kernel::Env;
use serde_json::{Value, json};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// The text of a section of `TestApp::add_book` is two lines.
const WORDS: &str = "first paragraph";

/// A highlight of the words in the second section of a book, as a device reports it at the test's time.
fn report(app: &TestApp, book: &str) -> Value {
    let now = app.env.now().millis();
    json!({
        "bookId": book,
        "anchor": {
            "section": 1, "start": 4, "end": 19, "exact": WORDS, "prefix": "The ", "suffix": format!(" of idea 1 in {book}.\nThe second o").chars().take(32).collect::<String>(),
        },
        "createdAt": now,
        "color": { "value": "sky", "at": now },
        "sent": now,
        "device": "phone",
    })
}

async fn save(app: &TestApp, person: &Person, id: u64, report: Value) -> Reply {
    app.put_as(person, &format!("/api/study/highlights/{id}"), report).await
}

async fn saved(app: &TestApp, person: &Person, id: u64, report: Value) -> Value {
    save(app, person, id, report).await.result()["highlight"].take()
}

/// All changes after a version, asked for in parts.
async fn changes(app: &TestApp, person: &Person, after: u64, limit: u64) -> Vec<Value> {
    let (mut all, mut from) = (Vec::new(), Some(after));
    while let Some(after) = from {
        let mut page = app.get_as(person, &format!("/api/study/changes?after={after}&limit={limit}")).await.result();
        let Value::Array(highlights) = page["highlights"].take() else { panic!("no list") };
        all.extend(highlights);
        from = page["next"].as_u64();
    }
    all
}

async fn open(app: &TestApp, person: &Person, book: &str) -> Value {
    app.get_as(person, &format!("/api/books/{book}")).await.result()["book"].take()
}

#[actix_web::test]
async fn a_highlight_is_kept_changed_deleted_and_brought_back() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "");
    let ada = app.sign_up_paid("ada@example.com").await;
    assert_eq!(open(&app, &ada, "walden").await["highlights"], Value::Null);

    let first = saved(&app, &ada, 7, report(&app, "walden")).await;
    assert_eq!(
        (&first["bookId"], &first["subid"], &first["title"], &first["author"], &first["part"], &first["version"]),
        (&json!(book), &json!("walden"), &json!("Title of walden"), &json!("Ada Author"), &json!("text"), &json!(1))
    );
    assert_eq!(first["place"], json!({ "state": "same", "section": 1, "start": 4, "end": 19, "text": null }));
    assert_eq!(
        (&first["color"]["value"], &first["note"]["value"], &first["tags"]),
        (&json!("sky"), &json!(""), &json!([]))
    );
    assert_eq!(open(&app, &ada, "walden").await["highlights"], json!({ "count": 1, "version": 1 }));
    // Again, as after a lost answer.
    assert_eq!(saved(&app, &ada, 7, report(&app, "walden")).await, first);

    app.env.advance(1000);
    let now = app.env.now().millis();
    let mut noted = report(&app, "walden");
    noted["color"] = Value::Null;
    noted["note"] = json!({ "value": "Idea one.", "at": now });
    noted["tags"] = json!([{ "tag": "#Habits", "on": true, "at": now }]);
    let second = saved(&app, &ada, 7, noted).await;
    assert_eq!(
        (&second["note"]["value"], &second["color"], &second["version"]),
        (&json!("Idea one."), &first["color"], &json!(2))
    );
    assert_eq!(second["tags"], json!([{ "tag": "Habits", "on": true, "at": now }]));
    assert_eq!(second["createdAt"], first["createdAt"]);

    app.env.advance(1000);
    let mut bare = report(&app, "walden");
    bare["color"] = Value::Null;
    bare["createdAt"] = first["createdAt"].clone();
    let deleted = saved(&app, &ada, 7, with(bare, "deletedAt", json!(app.env.now().millis()))).await;
    assert!(deleted["deletedAt"].as_i64() > deleted["editedAt"].as_i64());
    let counted = open(&app, &ada, "walden").await["highlights"].take();
    assert_eq!(counted, json!({ "count": 0, "version": deleted["version"] }));

    app.env.advance(1000);
    let back = saved(&app, &ada, 7, report(&app, "walden")).await;
    assert!(back["deletedAt"].as_i64() < back["editedAt"].as_i64());
    assert_eq!((&back["note"], &back["tags"]), (&second["note"], &second["tags"]));
    let after = changes(&app, &ada, 0, 100).await;
    assert_eq!(after, [back]);
}

#[actix_web::test]
async fn a_highlight_is_added_by_who_may_read_the_text_or_could_when_it_was_made() {
    let app = TestApp::start().await;
    for (book, columns) in [("walden", ""), ("other", ""), ("free", "free = true"), ("soon", "coming_soon = true")] {
        app.add_book(book, columns);
    }
    let visitor = app.send(None, reqwest::Method::PUT, "/api/study/highlights/1", Some(report(&app, "free"))).await;
    refusal(&visitor, 401, "unauthenticated");
    let ada = app.sign_up("ada@example.com").await;
    refusal(&save(&app, &ada, 1, report(&app, "walden")).await, 403, "not_opened");
    refusal(&save(&app, &ada, 1, report(&app, "soon")).await, 403, "forbidden");
    refusal(&save(&app, &ada, 1, report(&app, "unknown")).await, 404, "not_found");
    assert!(saved(&app, &ada, 1, report(&app, "free")).await["id"].is_number());
    open(&app, &ada, "walden").await;
    saved(&app, &ada, 2, report(&app, "walden")).await;

    // With a plan that ends.
    let bob = app.sign_up_paid("bob@example.com").await;
    open(&app, &bob, "other").await;
    app.env.advance(1000);
    let made = report(&app, "other");
    let known = saved(&app, &bob, 1, report(&app, "other")).await;
    app.env.advance(DAY);
    app.sql(&format!(
        "UPDATE entitlements SET ends_at = to_timestamp({}) WHERE user_id = {}",
        START.millis() / 1000 + 3600,
        bob.id()
    ));
    app.forget(&bob);
    let bob = app.log_in("bob@example.com", crate::harness::PASSWORD).await;
    let late = with(made, "sent", json!(app.env.now().millis()));
    let sent_late = saved(&app, &bob, 2, late).await;
    assert_eq!(sent_late["createdAt"], known["createdAt"]);
    refusal(&save(&app, &bob, 3, report(&app, "other")).await, 403, "not_opened");
    // What is kept is changed whatever becomes of the plan.
    let now = app.env.now().millis();
    let noted = with(report(&app, "other"), "note", json!({ "value": "Still mine.", "at": now }));
    assert_eq!(saved(&app, &bob, 1, noted).await["note"]["value"], "Still mine.");
}

#[actix_web::test]
async fn a_passage_of_an_own_summary_and_a_quote_are_highlighted() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "");
    app.sql(&format!(r#"UPDATE books SET quotes = '[{{"text": "A quote of it.", "chapter": ""}}]' WHERE id = {book}"#));
    let ada = app.sign_up_paid("ada@example.com").await;
    let anchor = |exact: &str| json!({ "section": 0, "start": 2, "end": 2 + exact.len(), "exact": exact, "prefix": "A ", "suffix": " of it." });
    let quote = with(with(report(&app, "walden"), "part", json!("quote")), "anchor", anchor("quote"));
    assert_eq!(saved(&app, &ada, 1, quote.clone()).await["place"]["state"], "same");
    assert_eq!(
        refusal(&save(&app, &ada, 2, with(quote, "part", json!("source"))).await, 422, "validation_failed")["field"],
        "anchor"
    );

    app.sql(&format!(
        r#"INSERT INTO member_summaries (id, user_id, title, source_kind, source_name, state, search_title, search_source, created_at,
            source_text, headings, ideas)
        OVERRIDING SYSTEM VALUE VALUES (5, {}, 'Mine', 'text', 'Text', 'done', '', '', now(), E'A  source\nof it.', '[]',
            '[{{"title": "T", "text": "A thought of it.", "supported": true, "passages": [], "quotations": []}}]')"#,
        ada.id()
    ));
    let mut of_summary = report(&app, "walden");
    of_summary["bookId"] = Value::Null;
    of_summary["summaryId"] = json!(5);
    let idea = with(of_summary.clone(), "anchor", anchor("thought"));
    let found = saved(&app, &ada, 3, idea).await;
    assert_eq!(
        (&found["summaryId"], &found["bookId"], &found["title"], &found["place"]["state"]),
        (&json!(5), &Value::Null, &json!("Mine"), &json!("same"))
    );
    let bob = app.sign_up_paid("bob@example.com").await;
    refusal(&save(&app, &bob, 3, of_summary.clone()).await, 404, "not_found");
    assert_eq!(
        refusal(&save(&app, &ada, 4, with(of_summary, "bookId", json!(book))).await, 422, "validation_failed")["field"],
        "summaryId"
    );
    app.delete_as(&ada, "/api/ai/summaries/5").await.result();
    let kept = changes(&app, &ada, 0, 100).await.pop().unwrap();
    assert_eq!(
        (&kept["summaryId"], &kept["title"], &kept["place"]["state"]),
        (&Value::Null, &json!("Mine"), &json!("gone"))
    );
}

#[actix_web::test]
async fn what_is_wrong_is_said_at_its_field() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let anchor = |field: &str, value: Value| {
        let mut report = report(&app, "walden");
        report["anchor"][field] = value;
        report
    };
    let at = |value: &str| json!({ "value": value, "at": now });
    let tags: Vec<Value> =
        (0..21).map(|number| json!({ "tag": format!("tag {number}"), "on": true, "at": now })).collect();
    let of = |field: &str, value: Value| with(report(&app, "walden"), field, value);
    for (report, field, text) in [
        (anchor("exact", json!(" ")), "anchor", "Please select some text."),
        (anchor("exact", json!("é".repeat(2_001))), "anchor", "Please select at most 2,000 characters."),
        (anchor("end", json!(4)), "anchor", "This passage is not in one section."),
        (anchor("start", json!(-1)), "anchor", "This passage is not in one section."),
        (anchor("prefix", json!("é".repeat(33))), "anchor", "This passage is not in one section."),
        (of("color", at("pink")), "color", "Please choose one of the four colors."),
        (of("note", at(&"é".repeat(5_001))), "note", "Please keep your note to 5,000 characters."),
        (of("tags", json!(tags)), "tags", "Please use at most 20 tags."),
        (
            of("tags", json!([{ "tag": "é".repeat(41), "on": true, "at": now }])),
            "tags",
            "A tag has up to 40 characters.",
        ),
        (of("part", json!("title")), "part", "There is no such part of a text."),
        (of("createdAt", json!(1.5)), "createdAt", "Please specify the time in milliseconds."),
        (of("device", json!("a b")), "device", "A device name has up to 64 letters and digits."),
        (of("bookId", Value::Null), "bookId", "Please specify a book."),
    ] {
        let refused = refusal(&save(&app, &ada, 1, report).await, 422, "validation_failed");
        assert_eq!((&refused["field"], &refused["error"]), (&json!(field), &json!(text)));
    }
    for id in [0, 9_007_199_254_740_992_u64] {
        refusal(&save(&app, &ada, id, report(&app, "walden")).await, 404, "not_found");
    }
    assert_eq!(app.count("highlights"), 0);
    saved(&app, &ada, 9_007_199_254_740_991, report(&app, "walden")).await;
}

#[actix_web::test]
async fn two_devices_that_were_offline_agree_whoever_comes_first() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let start = app.env.now().millis();
    let at = |minutes: i64| start - 60 * 60_000 + minutes * 60_000;
    let base = || {
        let mut report = report(&app, "walden");
        report["color"] = Value::Null;
        report["createdAt"] = json!(at(0));
        report
    };
    let phone = [
        with(base(), "color", json!({ "value": "leaf", "at": at(1) })),
        with(base(), "tags", json!([{ "tag": "work", "on": true, "at": at(2) }])),
        with(base(), "note", json!({ "value": "Phone.", "at": at(5) })),
    ];
    let laptop = [
        with(base(), "color", json!({ "value": "rose", "at": at(3) })),
        with(base(), "tags", json!([{ "tag": "Work", "on": false, "at": at(4) }])),
        with(base(), "note", json!({ "value": "Laptop.", "at": at(4) })),
        with(base(), "deletedAt", json!(at(2))),
    ];
    let mut ends = Vec::new();
    for (name, first, second) in [("ada", &phone[..], &laptop[..]), ("bob", &laptop[..], &phone[..])] {
        let person = app.sign_up(&format!("{name}@example.com")).await;
        for report in first.iter().chain(second).chain(first) {
            saved(&app, &person, 7, report.clone()).await;
        }
        let mut end = changes(&app, &person, 0, 1).await;
        assert_eq!(end.len(), 1);
        end[0]["version"] = Value::Null;
        ends.extend(end);
        assert_eq!(open(&app, &person, "walden").await["highlights"]["count"], 1);
    }
    assert_eq!(ends[0], ends[1]);
    assert_eq!(
        (&ends[0]["color"]["value"], &ends[0]["note"]["value"], &ends[0]["tags"][0]["on"]),
        (&json!("rose"), &json!("Phone."), &json!(false))
    );
}

#[actix_web::test]
async fn a_device_reads_every_change_once_in_parts_of_any_size() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    join_all((1..=25).map(|id| save(&app, &ada, id, report(&app, "walden")))).await.into_iter().for_each(|reply| {
        reply.result();
    });
    for limit in [1, 7, 25, 100] {
        let versions: Vec<u64> =
            changes(&app, &ada, 0, limit).await.iter().map(|one| one["version"].as_u64().unwrap()).collect();
        assert_eq!(versions, (1..=25).collect::<Vec<_>>(), "in parts of {limit}");
    }
    let up_to_date = app.get_as(&ada, "/api/study/changes?after=25").await.result();
    assert_eq!(
        up_to_date,
        json!({ "highlights": [], "cards": [], "commitments": [], "lists": [], "next": null, "version": 25 })
    );
    let bob = app.sign_up("bob@example.com").await;
    assert!(changes(&app, &bob, 0, 100).await.is_empty());
    for wrong in ["after=-1", "after=x", "limit=0", "limit=101"] {
        assert_eq!(app.get_as(&ada, &format!("/api/study/changes?{wrong}")).await.status.as_u16(), 422, "{wrong}");
    }
}

#[actix_web::test]
async fn a_device_with_a_wrong_clock_does_not_win_by_it() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    // Its clock is a day ahead.
    let ahead = |value: &str, before: i64| json!({ "value": value, "at": now + DAY - before });
    let mut first = with(report(&app, "walden"), "color", ahead("leaf", 60_000));
    first["createdAt"] = json!(now + DAY - 60_000);
    first["sent"] = json!(now + DAY);
    assert_eq!(saved(&app, &ada, 7, first).await["color"]["at"], json!(now - 60_000));
    let second = with(report(&app, "walden"), "color", json!({ "value": "rose", "at": now - 1000 }));
    assert_eq!(saved(&app, &ada, 7, second).await["color"]["value"], "rose");
}

#[actix_web::test]
async fn settings_are_changed_one_by_one() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let all = json!({
        "hasHighlights": true, "countsInPopular": true, "showsPopular": true, "dailyMax": 20, "countsForStreak": true,
        "reminder": "off", "digest": "off", "noticeHour": 8, "asksCommitments": true,
    });
    assert_eq!(app.get_as(&ada, "/api/study/settings").await.result()["settings"], all);
    app.put_as(&ada, "/api/study/settings", json!({ "showsPopular": false })).await.result();
    app.put_as(&ada, "/api/study/settings", json!({ "hasHighlights": false })).await.result();
    for wrong in [json!(4), json!(201), json!(7.5), json!(-20)] {
        let refused = app.put_as(&ada, "/api/study/settings", json!({ "dailyMax": wrong })).await;
        assert_eq!(refusal(&refused, 422, "validation_failed")["field"], "dailyMax");
        assert_eq!(refused.json()["error"], "Choose from 5 to 200 cards a day.");
    }
    let review = json!({ "dailyMax": 200, "countsForStreak": false });
    let changed = app.put_as(&ada, "/api/study/settings", review).await.result();
    let expected = json!({
        "hasHighlights": false, "countsInPopular": true, "showsPopular": false, "dailyMax": 200, "countsForStreak": false,
        "reminder": "off", "digest": "off", "noticeHour": 8, "asksCommitments": true,
    });
    assert_eq!(
        (&changed["settings"], app.get_as(&ada, "/api/study/settings").await.result()),
        (&expected, changed.clone())
    );
}

#[actix_web::test]
async fn the_sentence_that_was_just_heard_is_kept_and_the_same_report_again_changes_nothing() {
    let app = TestApp::start().await;
    let walden = app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let heard = |audio: i64| json!({ "bookId": "walden", "heard": { "audio": audio }, "createdAt": now, "color": { "value": "rose", "at": now } });
    let silent = save(&app, &ada, 7, heard(9_000)).await;
    let refused = refusal(&silent, 422, "validation_failed");
    assert_eq!(
        (&refused["field"], &refused["error"]),
        (&json!("heard"), &json!("This recording does not say when its sentences are spoken."))
    );

    // The second section: its heading, and two paragraphs of 38 and 25 characters.
    let mark = |paragraph, at_ms| Mark { section: 1, paragraph, at_ms };
    narrate_with(&app, walden, vec![mark(None, 4_000), mark(Some(0), 6_000), mark(Some(1), 9_000)]);
    let first = saved(&app, &ada, 7, heard(9_500)).await;
    assert_eq!(
        (&first["anchor"]["exact"], &first["color"]["value"]),
        (&json!("The first paragraph of idea 1 in walden."), &json!("rose"))
    );
    assert_eq!(first["place"]["state"], "same");
    let second = saved(&app, &ada, 8, heard(11_600)).await;
    assert_eq!(
        (&second["anchor"]["exact"], &second["anchor"]["start"]),
        (&json!("The second one says more."), &json!(41))
    );
    // The answer was lost, and the device sends it again, later in the recording's life.
    app.sql("DELETE FROM narrations");
    let again = saved(&app, &ada, 7, heard(9_500)).await;
    assert_eq!((&again["anchor"], &again["version"]), (&first["anchor"], &first["version"]));
    for wrong in [json!({ "audio": -1 }), json!({ "audio": 0.5 })] {
        assert_eq!(save(&app, &ada, 9, with(heard(1), "heard", wrong)).await.status.as_u16(), 422);
    }
    let both = with(heard(1), "anchor", report(&app, "walden")["anchor"].clone());
    assert_eq!(refusal(&save(&app, &ada, 9, both).await, 422, "validation_failed")["field"], "anchor");
}

#[actix_web::test]
async fn a_highlight_outlives_its_book_and_is_changed_and_deleted_as_before() {
    let app = TestApp::start().await;
    let walden = app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    saved(&app, &ada, 7, report(&app, "walden")).await;
    app.sql(&format!("DELETE FROM books WHERE id = {walden}"));
    // The device has no source to name any more.
    let orphan = |value: &str, at: i64| {
        let mut report = report(&app, "walden");
        report.as_object_mut().expect("an object").remove("bookId");
        with(report, "color", json!({ "value": value, "at": at }))
    };
    let now = app.env.now().millis();
    let changed = saved(&app, &ada, 7, orphan("rose", now + 1)).await;
    assert_eq!((&changed["bookId"], &changed["color"]["value"]), (&Value::Null, &json!("rose")));
    assert_eq!((&changed["title"], &changed["place"]["state"]), (&json!("Title of walden"), &json!("gone")));
    let deleted = saved(&app, &ada, 7, with(orphan("rose", now + 1), "deletedAt", json!(now + 2))).await;
    assert_eq!(deleted["deletedAt"], now, "no moment is later than the server's");
    let new = save(&app, &ada, 8, orphan("rose", now)).await;
    assert_eq!(refusal(&new, 422, "validation_failed")["field"], "bookId");
}

#[actix_web::test]
async fn the_words_of_a_deleted_highlight_are_removed_after_a_month() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let mut ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let noted = with(report(&app, "walden"), "note", json!({ "value": "Mine.", "at": now }));
    let tagged = with(noted, "tags", json!([{ "tag": "Habits", "on": true, "at": now }]));
    saved(&app, &ada, 7, with(tagged.clone(), "deletedAt", json!(now))).await;
    saved(&app, &ada, 8, tagged).await;
    for (days, words) in [(29, WORDS), (2, "")] {
        app.env.advance(days * DAY);
        app.queue_scheduled().await;
        app.work_off().await;
        app.refresh(&mut ada).await;
        let all = changes(&app, &ada, 0, 100).await;
        let deleted = all.iter().find(|one| one["id"] == 7).expect("it is there");
        assert_eq!(deleted["anchor"]["exact"], words, "after {days} days");
        let (note, tags) = (&deleted["note"]["value"], deleted["tags"].as_array().map(Vec::len));
        assert_eq!((note == "Mine.", tags == Some(1)), (!words.is_empty(), !words.is_empty()));
        let kept = all.iter().find(|one| one["id"] == 8).expect("it is there");
        assert_eq!((&kept["anchor"]["exact"], &kept["note"]["value"]), (&json!(WORDS), &json!("Mine.")));
    }
}

#[actix_web::test]
async fn words_that_were_edited_are_told_to_those_who_may_read_them() {
    let app = TestApp::start().await;
    app.add_book("walden", "");
    let ada = app.sign_up_paid("ada@example.com").await;
    app.get_as(&ada, "/api/books/walden").await.result();
    saved(&app, &ada, 7, report(&app, "walden")).await;
    app.sql(
        "UPDATE highlights SET place_section = 1, place_start = 4, place_end = 20, place_text = 'opening paragraph'",
    );
    let text = async || changes(&app, &ada, 0, 100).await[0]["place"].clone();
    assert_eq!(text().await["text"], "opening paragraph");
    app.sql("UPDATE entitlements SET ends_at = starts_at + interval '1 minute'");
    app.forget(&ada);
    let hidden = text().await;
    assert_eq!((&hidden["state"], &hidden["text"]), (&json!("changed"), &Value::Null));
}

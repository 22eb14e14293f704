//! Imports of archives (`identity.account-import`, `identity.kept-entries`): what comes back out of what went in, what is merged, kept,
//! refused and never given.

use std::io::{Cursor, Write};

use ::study::{id_of_highlight, id_of_idea};
use kernel::{BookId, DAY, Env, HOUR, HighlightId, MINUTE};
use serde_json::{Value, json};
use zip::{ZipWriter, write::SimpleFileOptions};

use super::archive::{self, Fetched};
use crate::harness::{PASSWORD, Person, Reply, TestApp, uploads};

/// What is said of a file that is no archive.
const NOT_AN_ARCHIVE: &str = "This is not an archive of a reading account.";
/// Text that is long enough for an own summary.
const TEXT: &str = "Walking is the oldest of all exercises. It asks for no tools and no hall.\n\n\
    Who walks for an hour each day sleeps better and thinks more clearly. The reason is simple: the body was made for it.\n\n\
    Begin with ten minutes after lunch. Add five minutes each week. After two months the hour is there by itself.\n\n\
    Leave the telephone at home. What you notice on the way is half of the good that it does.";

async fn import(app: &TestApp, person: &Person, bytes: &[u8]) -> Reply {
    uploads::send(app, person, "/api/user/import", uploads::body("archive.zip", bytes)).await
}

/// Waits for the import, and gives the overview.
async fn overview(app: &TestApp, person: &Person) -> Value {
    app.work_off_kind("import_account").await;
    app.get_as(person, "/api/user/import").await.result()
}

/// Imports an archive to its end, and gives the overview.
pub(super) async fn imported(app: &TestApp, person: &Person, bytes: &[u8]) -> Value {
    let reply = import(app, person, bytes).await;
    assert_eq!(reply.status.as_u16(), 202, "{}", reply.text);
    overview(app, person).await
}

/// The archive of a member, who logs in for it.
async fn fetch_as(app: &TestApp, person: &Person) -> Fetched {
    archive::fetch_as(app, &app.log_in(&person.email, PASSWORD).await).await
}

/// The figure of a kind: imported, kept, unreadable.
fn figure(overview: &Value, kind: &str) -> Option<[u64; 3]> {
    let figures = overview["lastImport"]["figures"].as_array().expect("figures");
    let figure = figures.iter().find(|figure| figure["kind"] == kind)?;
    Some(["imported", "kept", "unreadable"].map(|name| figure[name].as_u64().expect("a number")))
}

/// A zip of these files.
fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A small archive with these files.
pub(super) fn archive_of(files: &[(&str, Value)]) -> Vec<u8> {
    let texts: Vec<(&str, String)> = files.iter().map(|(name, value)| (*name, value.to_string())).collect();
    let mut all = vec![("history.json", "[]"), ("library.json", "[]")];
    all.retain(|(name, _)| texts.iter().all(|(given, _)| given != name));
    all.extend(texts.iter().map(|(name, text)| (*name, text.as_str())));
    zip_of(&all)
}

/// Everything that a member can keep, of two books, at two sites: `walden` is there, `emile` may be.
async fn rich_member(app: &TestApp) -> Person {
    let ada = app.sign_up_paid("ada@example.com").await;
    app.sql(&format!("UPDATE users SET timezone = 'Europe/Vienna' WHERE id = {}", ada.id()));
    app.forget(&ada);
    let (walden, emile) = (app.add_book("walden", ""), app.add_book("emile", ""));
    let soon = app.add_book("soon", "coming_soon = true");
    let category = app.add_category("philosophy", &[walden]);
    for book in [walden, emile] {
        app.get_as(&ada, &format!("/api/books/{book}")).await.result();
    }
    // Two devices, at different moments.
    for (book, section, completed, device) in
        [(walden, 5, true, "phone"), (emile, 2, false, "tablet"), (walden, 1, false, "tablet")]
    {
        app.env.advance(MINUTE);
        let body = json!({ "bookId": book, "position": section, "paragraph": 1, "completed": completed, "audioProgress": 9000, "device": device });
        app.put_as(&ada, "/api/user-book-history", body).await.result();
    }
    let now = app.env.now().millis();
    for (book, stars) in [(walden, 5), (emile, 2)] {
        let rating = json!({ "rating": stars, "feedback": "Clear." });
        app.put_as(&ada, &format!("/api/books/rating/{book}"), rating).await.result();
        app.post_as(&ada, "/api/library", json!({ "bookId": book })).await.result();
    }
    app.put_as(&ada, "/api/user/recommends", json!({ "recommends": [category] })).await.result();
    app.post_as(&ada, "/api/user/notices", json!({ "bookId": soon })).await.result();
    let goal = json!({ "goal": { "unit": "minutes", "amount": 20 }, "countsTime": true });
    app.put_as(&ada, "/api/user/goal", goal).await.result();
    let time = json!({ "device": "phone", "days": [{ "day": "2026-06-15", "seconds": 95 }] });
    app.put_as(&ada, "/api/user/reading-time", time).await.result();
    let summary = app.post_as(&ada, "/api/ai/text", json!({ "text": TEXT.repeat(3), "title": "Walking" })).await;
    assert_eq!(app.work_off_kind("summarise").await, 1);
    let summary = summary.result()["summary"]["id"].clone();

    for (id, source, section) in [
        (7, json!({ "bookId": "walden" }), 1),
        (8, json!({ "bookId": "emile" }), 2),
        (9, json!({ "summaryId": summary }), 0),
    ] {
        let mut highlight = json!({
            "anchor": { "section": section, "start": 4, "end": 19, "exact": "first paragraph", "prefix": "The ", "suffix": format!(" of idea {section} in ") },
            "createdAt": now, "color": { "value": "sky", "at": now }, "note": { "value": "So it is.", "at": now },
            "tags": [{ "tag": "Life", "on": true, "at": now }, { "tag": "old", "on": false, "at": now }],
        });
        highlight.as_object_mut().unwrap().extend(source.as_object().unwrap().clone());
        app.put_as(&ada, &format!("/api/study/highlights/{id}"), highlight).await.result();
    }
    let idea = |book: i64, subid: &str| {
        let id = id_of_idea(BookId::from_store(book), "Idea 1").get();
        let opening = format!("The first paragraph of idea 1 in {subid}.");
        let card = json!({ "kind": "idea", "bookId": subid, "section": 1, "ideaTitle": "Idea 1", "opening": opening, "createdAt": now });
        (id, card)
    };
    let hidden = json!({ "value": { "blanks": [{ "start": 0, "end": 5 }] }, "at": now });
    let cards = [
        idea(walden, "walden"),
        idea(emile, "emile"),
        (
            id_of_highlight(HighlightId::from_store(7)).get(),
            json!({ "kind": "highlight", "highlightId": 7, "content": hidden, "createdAt": now }),
        ),
        (
            31,
            json!({ "kind": "own", "bookId": "emile", "content": { "value": { "question": "Why?", "answer": "So." }, "at": now }, "createdAt": now }),
        ),
        (
            32,
            json!({ "kind": "own", "content": { "value": { "question": "Who?", "answer": "I." }, "at": now }, "paused": { "value": true, "at": now }, "createdAt": now }),
        ),
    ];
    for (id, card) in &cards {
        app.put_as(&ada, &format!("/api/study/cards/{id}"), card.clone()).await.result();
    }
    let answers: Vec<Value> =
        [(1, 0, 3), (2, 0, 4), (3, 1, 1), (4, 3, 2)].map(|(id, card, rating): (i64, usize, i64)| {
            json!({ "id": id, "cardId": cards[card].0, "rating": rating, "at": now - 4000 + id })
        }).to_vec();
    app.post_as(&ada, "/api/study/answers", json!({ "answers": answers, "sent": now, "device": "phone" }))
        .await
        .result();
    for (id, book) in [(41, "walden"), (42, "emile")] {
        let commitment = json!({ "bookId": book, "text": { "value": "Own less.", "at": now }, "outcome": { "value": "done", "at": now }, "answeredDay": 3, "createdAt": now });
        app.put_as(&ada, &format!("/api/study/commitments/{id}"), commitment).await.result();
    }
    let ideas = json!({ "ideas": [{ "bookId": walden, "idea": "Idea 2", "at": now }, { "bookId": emile, "idea": "Idea 3", "at": now }], "sent": now });
    app.post_as(&ada, "/api/study/completed-ideas", ideas).await.result();
    let list = json!({
        "name": { "value": "For work", "at": now }, "note": { "value": "Slowly.", "at": now },
        "books": [{ "bookId": emile, "rank": "a0", "at": now }, { "bookId": walden, "rank": "a1", "at": now }], "createdAt": now,
    });
    app.put_as(&ada, "/api/study/lists/51", list).await.result();
    app.put_as(&ada, "/api/study/settings", json!({ "dailyMax": 30, "digest": "weekly" })).await.result();
    ada
}

/// What two archives have alike: everything but the ids of books and summaries, which each site gives itself, and those that follow
/// from them.
fn content(archive: &Fetched) -> Value {
    fn without(value: &mut Value, name: &str) {
        match value {
            Value::Object(fields) => {
                fields.remove(name);
                fields.values_mut().for_each(|value| without(value, name));
            }
            Value::Array(values) => values.iter_mut().for_each(|value| without(value, name)),
            _ => {}
        }
    }
    let files = [
        "history",
        "library",
        "ratings",
        "notices",
        "progress",
        "choices",
        "highlights",
        "review-cards",
        "commitments",
        "completed-ideas",
        "lists",
        "summaries",
        "study-settings",
    ];
    let file = |name: &&str| {
        let mut json = archive.json(&format!("{name}.json"));
        for id in ["bookId", "summaryId", "categoryId"] {
            without(&mut json, id);
        }
        if let Value::Array(entries) = &mut json {
            for entry in &mut *entries {
                if *name == "summaries" || entry["kind"] == "idea" {
                    entry.as_object_mut().unwrap().remove("id");
                }
            }
            entries.sort_by_key(Value::to_string);
        }
        ((*name).to_owned(), json)
    };
    Value::Object(files.iter().map(file).collect())
}

#[actix_web::test]
async fn an_archive_that_is_imported_into_an_empty_site_comes_out_again() {
    let (app, other) = (TestApp::start().await, TestApp::start().await);
    let ada = rich_member(&app).await;
    let archive = fetch_as(&app, &ada).await;
    let before = content(&archive);
    for (name, entries) in [("highlights", 3), ("review-cards", 5), ("lists", 1), ("summaries", 1), ("history", 2)] {
        assert_eq!(before[name].as_array().unwrap().len(), entries, "{name}");
    }

    // Ids are others, and one book has another slug.
    other.add_book("another", "");
    for (book, more) in
        [("emile-or-education", "title = 'TITLE of emile'"), ("walden", ""), ("soon", "coming_soon = true")]
    {
        other.add_book(book, more);
    }
    other.add_category("other", &[]);
    other.add_category("philosophy", &[]);
    other.env.advance(2 * DAY);
    let bob = other.sign_up_paid("bob@example.com").await;
    other.sql(&format!("UPDATE users SET timezone = 'America/New_York' WHERE id = {}", bob.id()));
    other.forget(&bob);
    let overview = imported(&other, &bob, &archive.bytes).await;
    assert_eq!((&overview["lastImport"]["state"], &overview["kept"]), (&json!("done"), &json!([])), "{overview}");
    let expected = json!([
        { "kind": "places", "imported": 2, "kept": 0, "unreadable": 0 },
        { "kind": "library", "imported": 2, "kept": 0, "unreadable": 0 },
        { "kind": "ratings", "imported": 2, "kept": 0, "unreadable": 0 },
        { "kind": "notices", "imported": 1, "kept": 0, "unreadable": 0 },
        { "kind": "highlights", "imported": 3, "kept": 0, "unreadable": 0 },
        { "kind": "cards", "imported": 5, "kept": 0, "unreadable": 0 },
        { "kind": "commitments", "imported": 2, "kept": 0, "unreadable": 0 },
        { "kind": "ideas", "imported": 2, "kept": 0, "unreadable": 0 },
        { "kind": "lists", "imported": 1, "kept": 0, "unreadable": 0 },
        { "kind": "summaries", "imported": 1, "kept": 0, "unreadable": 0 },
        { "kind": "days", "imported": 1, "kept": 0, "unreadable": 0 },
        { "kind": "settings", "imported": 1, "kept": 0, "unreadable": 0 },
    ]);
    assert_eq!(overview["lastImport"]["figures"], expected);
    // Nobody has opened the books here.
    assert_eq!(other.count("book_stats WHERE ratings_count > 0"), 0);

    // The book with another slug has that of here, and its title here.
    let again = |archive: &Fetched| {
        let text = content(archive)
            .to_string()
            .replace("emile-or-education", "emile")
            .replace("TITLE of emile", "Title of emile");
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let first = fetch_as(&other, &bob).await;
    compare(&again(&first), &before);
    // Twice is once.
    let second_overview = imported(&other, &bob, &archive.bytes).await;
    assert_eq!(second_overview["lastImport"]["figures"], expected);
    assert_eq!(content(&fetch_as(&other, &bob).await), content(&first));
    assert_eq!(other.count("member_summaries"), 1);
    // And back where it came from: nothing changes there.
    let versions = app.rows::<Version>("SELECT version FROM study_members");
    imported(&app, &ada, &first.bytes).await;
    compare(&content(&fetch_as(&app, &ada).await), &before);
    assert_eq!(app.rows::<Version>("SELECT version FROM study_members"), versions);
    assert_eq!(app.count("member_summaries"), 1);
}

#[derive(Debug, PartialEq, Eq, diesel::QueryableByName)]
struct Version {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    version: i64,
}

/// Compares file by file, so that a difference can be read.
fn compare(found: &Value, expected: &Value) {
    for (name, expected) in expected.as_object().unwrap() {
        assert_eq!(found[name], *expected, "{name}");
    }
}

#[actix_web::test]
async fn what_finds_no_book_is_kept_until_the_book_is_here() {
    let (app, other) = (TestApp::start().await, TestApp::start().await);
    let ada = rich_member(&app).await;
    let archive = fetch_as(&app, &ada).await;
    other.add_book("walden", "");
    other.env.advance(2 * DAY);
    let bob = other.sign_up_paid("bob@example.com").await;
    let overview = imported(&other, &bob, &archive.bytes).await;
    let counts = ["places", "library", "highlights", "cards", "lists"].map(|kind| figure(&overview, kind).unwrap());
    assert_eq!(counts, [[1, 1, 0], [1, 1, 0], [3, 0, 0], [4, 1, 0], [1, 1, 0]]);
    let kept = |kinds: &[(&str, u64)]| {
        kinds.iter().map(|(kind, count)| json!({ "kind": kind, "count": count })).collect::<Value>()
    };
    let emile = kept(&[
        ("places", 1),
        ("library", 1),
        ("ratings", 1),
        ("highlights", 1),
        ("cards", 2),
        ("commitments", 1),
        ("ideas", 1),
        ("lists", 1),
    ]);
    assert_eq!(
        overview["kept"],
        json!([
            { "title": "Title of emile", "author": "Ada Author", "entries": emile },
            { "title": "Title of soon", "author": "Ada Author", "entries": kept(&[("notices", 1)]) },
        ])
    );
    // What has words of its own is there at once, without the book.
    let records = other.get_as(&bob, "/api/study/changes").await.result();
    let of =
        |list: &str, id: u64| records[list].as_array().unwrap().iter().find(|one| one["id"] == id).cloned().unwrap();
    let highlight = of("highlights", 8);
    assert_eq!(
        (&highlight["bookId"], &highlight["title"], &highlight["place"]["state"]),
        (&Value::Null, &json!("Title of emile"), &json!("gone"))
    );
    assert_eq!(
        (&of("cards", 31)["content"]["value"]["question"], &of("commitments", 42)["bookId"]),
        (&json!("Why?"), &Value::Null)
    );
    assert_eq!(records["cards"].as_array().unwrap().len(), 4, "the card of an idea needs its book");
    // What is kept is in the archive, and goes on from there to a third site.
    let moved = fetch_as(&other, &bob).await;
    assert_eq!(moved.json("kept-entries.json").as_array().unwrap().len(), 10);
    // Into the same account it changes nothing.
    let again = imported(&other, &bob, &moved.bytes).await;
    assert_eq!(again["kept"], overview["kept"]);
    assert_eq!(["highlights", "cards", "commitments"].map(|kind| figure(&again, kind).unwrap()[0]), [3, 4, 2]);
    assert_eq!(other.count("kept_import_entries"), 10);
    let third = TestApp::start().await;
    third.add_book("emile", "");
    third.env.advance(3 * DAY);
    let cat = third.sign_up("cat@example.com").await;
    let moved = imported(&third, &cat, &moved.bytes).await;
    let counts = ["places", "highlights", "cards", "lists"].map(|kind| figure(&moved, kind).unwrap());
    // Of walden, which is not there, nothing but what stands alone.
    assert_eq!(counts, [[1, 1, 0], [3, 0, 0], [4, 1, 0], [1, 1, 0]]);
    assert_eq!(
        moved["kept"].as_array().unwrap().iter().map(|book| book["title"].clone()).collect::<Value>(),
        json!(["Title of soon", "Title of walden"])
    );

    // Nothing is found while the book is not here.
    other.post_as(&bob, "/api/user/import/kept", json!({})).await.result();
    let not_found = self::overview(&other, &bob).await;
    let figures = not_found["lastImport"]["figures"].as_array().unwrap();
    assert!(
        figures.iter().all(|figure| figure["imported"] == 0) && figure(&not_found, "places") == Some([0, 1, 0]),
        "{not_found}"
    );
    assert_eq!(not_found["kept"], overview["kept"]);
    // The book comes, and is looked for.
    let emile = other.add_book("emile", "");
    other.add_book("soon", "coming_soon = true");
    let asked = other.post_as(&bob, "/api/user/import/kept", json!({})).await;
    assert_eq!((asked.status.as_u16(), &asked.result()["isRetry"]), (202, &json!(true)));
    let found = self::overview(&other, &bob).await;
    assert_eq!((&found["kept"], &found["lastImport"]["state"]), (&json!([]), &json!("done")));
    let counts = ["places", "highlights", "cards", "lists"].map(|kind| figure(&found, kind).unwrap());
    assert_eq!(counts, [[1, 0, 0], [1, 0, 0], [2, 0, 0], [1, 0, 0]]);
    let (after, before) = (content(&fetch_as(&other, &bob).await), content(&archive));
    assert_eq!((&after["review-cards"], &after["lists"]), (&before["review-cards"], &before["lists"]));
    let highlight = other.get_as(&bob, "/api/study/changes").await.result();
    let highlight = highlight["highlights"].as_array().unwrap().iter().find(|one| one["id"] == 8).cloned().unwrap();
    assert_eq!((&highlight["bookId"], &highlight["place"]["state"]), (&json!(emile), &json!("same")));
    // Removed is removed.
    imported(
        &other,
        &bob,
        &archive_of(&[(
            "library.json",
            json!([{ "title": "Nowhere", "author": "Nobody", "subid": null, "addedAt": "2026-01-01T00:00:00Z" }]),
        )]),
    )
    .await;
    assert_eq!(other.count("kept_import_entries"), 1);
    other.delete_as(&bob, "/api/user/import/kept").await.result();
    assert_eq!(self::overview(&other, &bob).await["kept"], json!([]));
}

#[actix_web::test]
async fn an_imported_place_opens_nothing_and_a_moment_to_come_wins_nothing() {
    let app = TestApp::start().await;
    let walden = app.add_book("walden", "");
    let ada = app.sign_up("ada@example.com").await;
    app.env.advance(HOUR / 2);
    let later = "2030-01-01T00:00:00Z";
    let book = json!({ "subid": "walden", "title": "Title of walden", "author": "Ada Author" });
    let with = |fields: Value| {
        let mut entry = book.clone();
        entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!([entry])
    };
    let place = with(
        json!({ "position": 99, "paragraph": 3, "readAt": later, "device": "old", "furthest": 99, "audio": 5, "heardAt": later, "completedAt": "2026-06-01T00:00:00Z", "at": later, "hiddenAt": null }),
    );
    let opened = with(json!({ "by": "plan", "at": "2026-06-01T00:00:00Z" }));
    let plans =
        json!([{ "planId": "lifetime", "planName": "Lifetime", "startsAt": "2026-06-01T00:00:00Z", "endsAt": null }]);
    let files = [("history.json", place), ("opened.json", opened), ("plans.json", plans)];
    let overview = imported(&app, &ada, &archive_of(&files)).await;
    assert_eq!(figure(&overview, "places"), Some([1, 0, 0]));
    assert_eq!((app.count("opened_books"), app.count("entitlements")), (0, 0));
    // The place counts, clamped to the sections that are here.
    let history = fetch_as(&app, &ada).await.json("history.json");
    assert_eq!((&history[0]["position"], &history[0]["completedAt"]), (&json!(5), &json!("2026-06-01T00:00:00Z")));
    assert_eq!(history[0]["at"], "1970-01-01T00:00:00Z", "what is far in the future loses");
    app.env.advance(HOUR / 4);
    app.get_as(&ada, "/api/books/walden").await.result();
    app.put_as(&ada, "/api/user-book-history", json!({ "bookId": walden, "position": 1 })).await.result();
    assert_eq!(fetch_as(&app, &ada).await.json("history.json")[0]["position"], 1);
}

#[actix_web::test]
async fn an_import_merges_with_what_is_here() {
    let app = TestApp::start().await;
    let ada = rich_member(&app).await;
    let archive = fetch_as(&app, &ada).await;
    app.env.advance(HOUR);
    let ada = app.log_in(&ada.email, PASSWORD).await;
    let now = app.env.now().millis();
    // Since then: another color, a deleted commitment, another goal, another rating, a book off the list.
    let created = archive.json("highlights.json")[0]["createdAt"].clone();
    assert!(created.is_string());
    let highlight = json!({ "anchor": { "section": 1, "start": 4, "end": 19, "exact": "first paragraph", "prefix": "The ", "suffix": "" }, "createdAt": now, "color": { "value": "rose", "at": now }, "sent": now });
    app.put_as(&ada, "/api/study/highlights/7", highlight).await.result();
    app.put_as(&ada, "/api/study/commitments/41", json!({ "createdAt": now, "deletedAt": now, "sent": now }))
        .await
        .result();
    app.put_as(&ada, "/api/user/goal", json!({ "goal": null, "countsTime": false })).await.result();
    let walden = archive.json("history.json")[0]["bookId"].clone();
    app.put_as(&ada, &format!("/api/books/rating/{walden}"), json!({ "rating": 1, "feedback": "" })).await.result();
    app.put_as(
        &ada,
        "/api/study/lists/51",
        json!({ "books": [{ "bookId": walden, "rank": null, "at": now }], "createdAt": now, "sent": now }),
    )
    .await
    .result();
    app.put_as(&ada, "/api/study/settings", json!({ "dailyMax": 50 })).await.result();
    let before = content(&fetch_as(&app, &ada).await);
    let overview = imported(&app, &ada, &archive.bytes).await;
    assert_eq!(overview["lastImport"]["state"], "done", "{overview}");
    compare(&content(&fetch_as(&app, &ada).await), &before);
}

#[actix_web::test]
async fn what_is_no_archive_is_refused_and_what_is_wrong_in_one_is_counted() {
    let app = TestApp::start().await;
    app.add_book("walden", "");
    let ada = app.sign_up("ada@example.com").await;
    let names: Vec<String> = (0..200).map(|number| format!("{number}.json")).collect();
    let mut many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "[]")).collect();
    many.extend([("history.json", "[]"), ("library.json", "[]")]);
    for (bytes, text) in [
        (Vec::new(), "Please select your archive."),
        (b"no zip".to_vec(), NOT_AN_ARCHIVE),
        (zip_of(&[("history.json", "[]")]), NOT_AN_ARCHIVE),
        (zip_of(&many), NOT_AN_ARCHIVE),
    ] {
        import(&app, &ada, &bytes).await.fails(422, "validation_failed", text);
    }
    import(&app, &ada, &vec![0; 50 * 1024 * 1024 + 1]).await.fails(
        413,
        "payload_too_large",
        "The archive is larger than 50 MB.",
    );
    assert_eq!(app.get_as(&ada, "/api/user/import").await.result(), json!({ "lastImport": null, "kept": [] }));

    // Damaged in its middle.
    let overview = imported(&app, &ada, &zip_of(&[("history.json", "[{\"title\":"), ("library.json", "[]")])).await;
    assert_eq!(
        (&overview["lastImport"]["state"], &overview["lastImport"]["error"]),
        (&json!("failed"), &json!("This archive is damaged. Please download it again."))
    );
    // Entries that make no sense are passed over, each by itself.
    let book = |more: Value| {
        let mut entry = json!({ "subid": "walden", "title": "Title of walden", "author": "Ada Author", "addedAt": "2026-06-01T00:00:00Z" });
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        entry
    };
    let library = json!([
        book(json!({})),
        book(json!({ "addedAt": "yesterday" })),
        book(json!({ "title": "A\u{0}B" })),
        book(json!({ "more": "1,".repeat(40_000) })),
        7,
        [[]],
        null
    ]);
    let list = json!({ "id": 1, "name": "", "nameAt": "2026-06-01T00:00:00Z", "note": "", "noteAt": null, "books": [], "createdAt": "2026-06-01T00:00:00Z", "editedAt": "2026-06-01T00:00:00Z" });
    let summary = json!({
        "id": 1, "title": "Mine", "source": { "kind": "link", "name": "Page", "url": "javascript:alert(1)" }, "state": "done", "engine": "built-in",
        "fellBack": false, "language": null, "headings": [], "sourceText": "A small house.", "at": "2026-06-01T00:00:00Z", "doneAt": null,
        "ideas": [{ "title": "House", "text": "A small house.", "supported": true, "passages": [{ "start": 0, "end": 14 }], "quotations": [] }],
    });
    let mut outside = summary.clone();
    outside["ideas"][0]["passages"][0]["end"] = json!(15);
    let files =
        [("library.json", library), ("lists.json", json!([list])), ("summaries.json", json!([summary, outside]))];
    let overview = imported(&app, &ada, &archive_of(&files)).await;
    let counts = ["library", "lists", "summaries"].map(|kind| figure(&overview, kind).unwrap());
    assert_eq!(counts, [[1, 0, 6], [0, 0, 1], [1, 0, 1]]);
    let mine = app.get_as(&ada, "/api/ai/summaries").await.result();
    assert_eq!(mine["summaries"][0]["source"]["url"], Value::Null, "{mine}");
}

#[actix_web::test]
async fn one_archive_is_imported_at_a_time() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let archive = archive_of(&[]);
    assert_eq!(import(&app, &ada, &archive).await.result()["state"], "queued");
    let text = "An archive is being imported already.";
    import(&app, &ada, &archive).await.fails(409, "already_there", text);
    app.post_as(&ada, "/api/user/import/kept", json!({})).await.fails(409, "already_there", text);
    let overview = overview(&app, &ada).await;
    assert_eq!((&overview["lastImport"]["state"], &overview["lastImport"]["figures"]), (&json!("done"), &json!([])));
    assert_eq!(app.count("account_imports WHERE archive IS NOT NULL"), 0);
    assert_eq!(import(&app, &ada, &archive).await.result()["isRetry"], false);
}

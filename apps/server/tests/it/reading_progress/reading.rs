//! Reading over HTTP: opening, positions, completion, ratings, the library, choices and the account.

use crate::harness::{self, Person, Reply, START, TestApp};
use futures_util::future::join_all;
use kernel::Env;
use reqwest::Method;
use serde_json::{Value, json};

const DAY: i64 = 24 * 60 * 60 * 1000;
const NO_BOOK: &str = "There is no such book.";
const NOT_OPENED: &str = "Please open this summary first.";
const UPGRADE: &str = "Please upgrade to read this summary in full.";

async fn open(app: &TestApp, person: &Person, book: &str) -> Value {
    app.get_as(person, &format!("/api/books/{book}")).await.result()["book"].take()
}

async fn save(app: &TestApp, person: &Person, body: Value) -> Reply {
    app.put_as(person, "/api/user-book-history/", body).await
}

fn subids(result: &Value) -> Vec<&str> {
    result["books"].as_array().expect("books").iter().map(|book| book["subid"].as_str().expect("a subid")).collect()
}

#[actix_web::test]
async fn three_summaries_then_the_last_then_the_limit() {
    let app = TestApp::start().await;
    for n in 1..=4 {
        app.add_book(&format!("book-{n}"), "");
    }
    let ada = app.sign_up("ada@example.com").await;
    for (n, left) in [(1, 2), (2, 1), (3, 0)] {
        let book = open(&app, &ada, &format!("book-{n}")).await;
        assert!(book["body"].is_string() && book["truncatedBody"].is_null());
        assert_eq!(book["allowance"], json!({ "left": left, "total": 3 }));
        assert_eq!((&book["lastFree"], &book["limitReached"]), (&json!(left == 0), &json!(false)));
    }
    let refused = open(&app, &ada, "book-4").await;
    assert!(refused["body"].is_null() && refused["truncatedBody"].is_string());
    assert_eq!((&refused["lastFree"], &refused["limitReached"]), (&json!(false), &json!(true)));
    let again = open(&app, &ada, "book-3").await;
    assert!(again["body"].is_string());
    assert_eq!((&again["lastFree"], &again["limitReached"]), (&json!(false), &json!(false)));
    assert_eq!(app.count("opened_books"), 3);

    // From the next month on there is one a month.
    app.env.advance(16 * DAY);
    let ada = app.log_in("ada@example.com", harness::PASSWORD).await;
    let monthly = open(&app, &ada, "book-4").await;
    assert!(monthly["body"].is_string());
    assert_eq!((&monthly["lastFree"], &monthly["allowance"]), (&json!(true), &json!({ "left": 0, "total": 1 })));
}

#[actix_web::test]
async fn a_head_request_takes_nothing() {
    let app = TestApp::start().await;
    app.add_book("book-1", "");
    let ada = app.sign_up("ada@example.com").await;
    let head = app.send(Some(&ada), Method::HEAD, "/api/books/book-1", None).await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
    assert_eq!(app.count("opened_books"), 0);
}

#[actix_web::test]
async fn a_preview_takes_nothing_whoever_asks_and_shows_a_full_text_only_where_that_takes_nothing() {
    let app = TestApp::start().await;
    for (subid, columns) in [("book-1", ""), ("free-book", "free = true")] {
        app.add_book(subid, columns);
    }
    let (ada, paid) = (app.sign_up("ada@example.com").await, app.sign_up_paid("paid@example.com").await);
    let view = async |person: Option<&Person>, path: &str| {
        app.send(person, Method::GET, &format!("/api/books/{path}"), None).await.result()["book"].take()
    };

    for person in [None, Some(&ada), Some(&paid)] {
        for book in ["book-1", "free-book"] {
            let book = view(person, &format!("{book}?preview=true")).await;
            assert!(book["body"].is_null() && book["truncatedBody"].is_string());
            assert_eq!((&book["showPremiumContent"], &book["limitReached"]), (&json!(false), &json!(false)));
        }
    }
    assert_eq!(app.count("opened_books"), 0);
    assert_eq!(view(Some(&ada), "book-1?preview=true").await["allowance"], json!({ "left": 3, "total": 3 }));

    let unless_open = async |person, book: &str| view(person, &format!("{book}?preview=true&unlessOpen=true")).await;
    let closed = unless_open(Some(&ada), "book-1").await;
    assert!(closed["body"].is_null() && closed["truncatedBody"].is_string());
    assert_eq!((&closed["allowance"], &closed["lastFree"]), (&json!({ "left": 3, "total": 3 }), &json!(false)));
    assert_eq!(app.count("opened_books"), 0);
    for (person, book) in [(Some(&ada), "free-book"), (Some(&paid), "book-1"), (None, "free-book")] {
        assert!(unless_open(person, book).await["body"].is_string(), "{book}");
    }
    assert!(unless_open(None, "book-1").await["body"].is_null());

    // Only the call without the parameter takes; from then on the page goes straight in.
    assert_eq!(open(&app, &ada, "book-1").await["allowance"], json!({ "left": 2, "total": 3 }));
    let again = unless_open(Some(&ada), "book-1").await;
    assert!(again["body"].is_string());
    assert_eq!(again["allowance"], json!({ "left": 2, "total": 3 }));
    assert!(view(Some(&ada), "book-1?preview=true").await["body"].is_null(), "a preview is one for everybody");

    // Nothing is left: the preview says so.
    for book in ["book-2", "book-3", "book-4"] {
        app.add_book(book, "");
        open(&app, &ada, book).await;
    }
    let refused = unless_open(Some(&ada), "book-4").await;
    assert_eq!((&refused["limitReached"], &refused["allowance"]), (&json!(true), &json!({ "left": 0, "total": 3 })));
}

#[actix_web::test]
async fn of_200_opens_at_once_exactly_one_is_full() {
    let app = TestApp::start().await;
    for n in 0..202 {
        app.add_book(&format!("book-{n}"), "");
    }
    let ada = app.sign_up("ada@example.com").await;
    for n in 200..202 {
        open(&app, &ada, &format!("book-{n}")).await;
    }
    let books = join_all((0..200).map(|n| {
        let (app, ada) = (&app, &ada);
        async move { open(app, ada, &format!("book-{n}")).await }
    }))
    .await;
    let full: Vec<&Value> = books.iter().filter(|book| book["body"].is_string()).collect();
    assert_eq!(full.len(), 1);
    assert_eq!(full[0]["lastFree"], true);
    assert_eq!(books.iter().filter(|book| book["limitReached"] == true && book["body"].is_null()).count(), 199);
    assert_eq!(app.count("opened_books"), 3);
}

#[actix_web::test]
async fn a_position_is_saved_and_found_again() {
    let app = TestApp::start().await;
    let id = app.add_book("book-1", "");
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(open(&app, &ada, "book-1").await["place"], Value::Null);
    let (mut now, mut furthest) = (START.millis(), 0);
    for (name, given, kept) in [
        (json!(id), json!(2), 2),
        (json!("book-1"), json!(4.0), 4),
        (json!(id.to_string()), json!(99), 5),
        (json!(id), json!(-7), 0),
        (json!(id), json!(1e30), 5),
    ] {
        app.env.advance(1000);
        now += 1000;
        furthest = furthest.max(kept);
        let saved = save(&app, &ada, json!({ "bookId": name, "position": given })).await.result();
        let entry = json!({ "bookId": id, "position": kept, "completed": false, "at": now });
        let place = json!({ "position": kept, "paragraph": null, "at": now, "device": null, "furthest": furthest, "audio": null });
        assert_eq!(saved, json!({ "entry": entry, "place": place, "progress": null }));
        let book = open(&app, &ada, "book-1").await;
        assert_eq!((&book["position"], &book["place"]), (&json!(kept), &place));
    }
    app.env.advance(1000);
    let early = save(&app, &ada, json!({ "bookId": id, "position": 3, "completed": true })).await.result();
    assert_eq!((&early["entry"]["completed"], &early["progress"]), (&json!(false), &Value::Null));
}

#[actix_web::test]
async fn what_may_not_be_read_has_no_history() {
    let app = TestApp::start().await;
    let id = app.add_book("book-1", "");
    let soon = app.add_book("soon", "coming_soon = true");
    app.add_book("hidden", "published = false");
    let ada = app.sign_up("ada@example.com").await;
    let at = |name: Value| json!({ "bookId": name, "position": 5, "completed": true });

    app.send(None, Method::PUT, "/api/user-book-history", Some(at(json!(id)))).await.fails(
        401,
        "unauthenticated",
        "Please log in.",
    );
    save(&app, &ada, at(json!(id))).await.fails(403, "not_opened", NOT_OPENED);
    save(&app, &ada, at(json!(soon))).await.fails(403, "forbidden", "This summary is coming soon.");
    for nothing in [json!("hidden"), json!(4711), json!(0), json!(-1), json!("no-such-book"), json!("../x")] {
        save(&app, &ada, at(nothing)).await.fails(404, "not_found", NO_BOOK);
    }
    app.post_as(&ada, "/api/user-book-history/hidden", json!({})).await.fails(404, "not_found", NO_BOOK);
    save(&app, &ada, json!({ "position": 1 })).await.fails(422, "validation_failed", "Please specify a book.");
    for position in [Value::Null, json!(1.5), json!(-0.1)] {
        let reply = save(&app, &ada, json!({ "bookId": id, "position": position })).await;
        reply.fails(422, "validation_failed", "Please specify the section.");
        assert_eq!(reply.json()["field"], "position");
    }
    let unreadable = save(&app, &ada, json!({ "bookId": {}, "position": 1 })).await;
    unreadable.fails(422, "validation_failed", "The field 'bookId' can't be read.");
    assert_eq!(unreadable.json()["field"], "bookId");
    for n in 2..=4 {
        app.add_book(&format!("book-{n}"), "");
        open(&app, &ada, &format!("book-{n}")).await;
    }
    save(&app, &ada, at(json!(id))).await.fails(403, "upgrade_required", UPGRADE);
    assert_eq!((app.count("history"), app.count("reading_days")), (0, 0));
}

#[actix_web::test]
async fn the_first_completion_earns_xp_once() {
    let app = TestApp::start().await;
    let books: Vec<i64> = (0..5).map(|n| app.add_book(&format!("book-{n}"), "")).collect();
    let category = app.add_category("mind", &books);
    let ada = app.sign_up_paid("ada@example.com").await;
    let complete = |book: i64| json!({ "bookId": book, "position": 5, "completed": true });

    let answers = join_all((0..50).map(|_| save(&app, &ada, complete(books[0])))).await;
    let progress: Vec<Value> = answers.iter().map(|reply| reply.result()["progress"].take()).collect();
    assert_eq!(progress.iter().filter(|progress| !progress.is_null()).count(), 1);
    assert!(answers.iter().all(|reply| reply.result()["entry"]["completed"] == true));

    for book in &books[1..] {
        let last = save(&app, &ada, complete(*book)).await.result();
        let xp = app.get_as(&ada, "/api/user-book-history/xp").await.result();
        assert_eq!(last["progress"], xp, "what the completion says is what there is");
    }
    let xp = app.get_as(&ada, "/api/user-book-history/xp").await.result();
    let category = json!({ "id": category, "subid": "mind", "name": "Name of mind", "hue": 45 });
    assert_eq!(
        xp,
        json!({
            "isPaid": true, "numCompleted": 5, "xp": 50,
            "streaks": { "currentStreak": 1, "bestStreak": 1 },
            "pausedDays": [],
            "skillsNumCompleted": { "Name of mind": 5 },
            "skills": [{ "category": category, "count": 5, "target": 10, "available": 5 }],
            "awards": [
                { "name": "Starter", "xp": 50, "achieved": true, "achievedAt": START.millis() },
                { "name": "Trailblazer", "xp": 100, "achieved": false, "achievedAt": null },
                { "name": "Champ", "xp": 500, "achieved": false, "achievedAt": null },
                { "name": "Genius", "xp": 1000, "achieved": false, "achievedAt": null },
                { "name": "Scholar", "xp": 5000, "achieved": false, "achievedAt": null },
            ],
            "level": 1, "levelXp": { "from": 50, "to": 100 },
            "today": "2026-06-15", "days": [{ "day": "2026-06-15", "completions": 5 }],
        })
    );
    assert_eq!(open(&app, &ada, "book-0").await["completed"], true);
}

/// What a device sent at a moment of its own, however late it arrives.
fn said(device: &str, position: i64, at: i64) -> Value {
    json!({ "bookId": "book-1", "position": position, "at": at, "sent": at, "device": device })
}

#[actix_web::test]
async fn two_devices_one_of_them_late_and_out_of_order_end_in_one_place() {
    let app = TestApp::start().await;
    app.add_book("book-1", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let start = START.millis();
    let late = [said("phone", 1, start + 1000), said("phone", 3, start + 3000), {
        let mut done = said("phone", 5, start + 2000);
        done["completed"] = json!(true);
        done
    }];
    app.env.advance(60_000);
    let laptop = save(&app, &ada, said("laptop", 2, start + 40_000)).await.result();
    assert_eq!((&laptop["place"]["device"], &laptop["entry"]["completed"]), (&json!("laptop"), &json!(false)));
    assert_eq!(open(&app, &ada, "book-1").await["place"]["position"], 2);
    for body in late.iter().rev() {
        let answer = save(&app, &ada, body.clone()).await.result();
        let (place, entry) = (&answer["place"], &answer["entry"]);
        assert_eq!((&place["position"], &place["device"]), (&json!(2), &json!("laptop")), "nobody is moved");
        assert_eq!((&place["furthest"], &entry["completed"], &entry["position"]), (&json!(5), &json!(true), &json!(2)));
        assert_eq!(open(&app, &ada, "book-1").await["place"], *place, "what is held in memory follows");
    }
    let xp = app.get_as(&ada, "/api/user-book-history/xp").await.result();
    assert_eq!((&xp["xp"], &xp["days"]), (&json!(10), &json!([{ "day": "2026-06-15", "completions": 1 }])));

    let seen = app.get_as(&ada, "/api/user-book-history/book-1").await.result();
    let place = json!({ "position": 2, "paragraph": null, "at": start + 40_000, "device": "laptop", "furthest": 5, "audio": null });
    assert_eq!(seen, json!({ "completed": true, "place": place }));
    assert_eq!(app.count("opened_books WHERE granted_by <> 'free'"), 0);
}

#[actix_web::test]
async fn a_wrong_clock_is_put_right_and_nonsense_is_refused() {
    let app = TestApp::start().await;
    let id = app.add_book("book-1", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let start = START.millis();
    // The phone's clock is a day ahead, and it was read on two minutes ago.
    let mut ahead = said("phone", 2, start + DAY - 120_000);
    ahead["sent"] = json!(start + DAY);
    assert_eq!(save(&app, &ada, ahead).await.result()["place"]["at"], start - 120_000);
    // Who only listens moves nobody.
    let heard = json!({ "bookId": id, "audio": 61_500.0, "device": "speaker" });
    let place = save(&app, &ada, heard).await.result()["place"].take();
    assert_eq!((&place["audio"], &place["position"], &place["device"]), (&json!(61_500), &json!(2), &json!("phone")));

    for (field, value) in [
        ("at", json!(0.5)),
        ("sent", json!(-0.1)),
        ("audio", json!(1.5)),
        ("device", json!("a b")),
        ("device", json!("")),
    ] {
        let mut body = said("phone", 1, start);
        body[field] = value;
        let reply = save(&app, &ada, body).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!(field)), "{}", reply.text);
    }
    save(&app, &ada, json!({ "bookId": id })).await.fails(422, "validation_failed", "Please specify the section.");
    app.get_as(&ada, "/api/user-book-history/no-such-book").await.fails(404, "not_found", NO_BOOK);
    let unread = app.add_book("book-2", "");
    let nothing = app.get_as(&ada, &format!("/api/user-book-history/{unread}")).await.result();
    assert_eq!(nothing, json!({ "completed": false, "place": null }));
}

#[actix_web::test]
async fn an_entry_of_history_is_hidden_until_it_is_read_again() {
    let app = TestApp::start().await;
    for n in 1..=2 {
        app.add_book(&format!("book-{n}"), "free = true");
    }
    let (ada, eve) = (app.sign_up("ada@example.com").await, app.sign_up("eve@example.com").await);
    for (person, book) in [(&ada, "book-1"), (&ada, "book-2"), (&eve, "book-1")] {
        save(&app, person, json!({ "bookId": book, "position": 5, "completed": true })).await.result();
    }
    app.env.advance(1000);
    for _ in 0..2 {
        let hidden = app.delete_as(&ada, "/api/user-book-history/book-1").await.result();
        assert_eq!(hidden, json!({ "isInHistory": false }));
    }
    assert_eq!(subids(&app.get_as(&ada, "/api/user-book-history").await.result()), ["book-2"]);
    assert_eq!(subids(&app.get_as(&eve, "/api/user-book-history").await.result()), ["book-1"]);
    let book = open(&app, &ada, "book-1").await;
    assert_eq!((&book["position"], &book["completed"]), (&json!(5), &json!(true)));
    app.env.advance(1000);
    save(&app, &ada, json!({ "bookId": "book-1", "position": 0 })).await.result();
    assert_eq!(subids(&app.get_as(&ada, "/api/user-book-history").await.result()), ["book-1", "book-2"]);
    app.delete_as(&ada, "/api/user-book-history/no-such-book").await.fails(404, "not_found", NO_BOOK);
    app.send(None, Method::DELETE, "/api/user-book-history/book-1", None).await.fails(
        401,
        "unauthenticated",
        "Please log in.",
    );
}

#[actix_web::test]
async fn a_hidden_entry_of_history_is_shown_again_where_it_stood() {
    let app = TestApp::start().await;
    let (ada, eve) = (app.sign_up("ada@example.com").await, app.sign_up("eve@example.com").await);
    for n in 1..=3 {
        app.add_book(&format!("book-{n}"), "free = true");
        save(&app, &ada, json!({ "bookId": format!("book-{n}"), "position": n })).await.result();
        app.env.advance(1000);
    }
    let (hide, show) = ("/api/user-book-history/book-2", "/api/user-book-history/book-2/show");
    let history = async || app.get_as(&ada, "/api/user-book-history").await.result();
    app.delete_as(&ada, hide).await.result();
    assert_eq!(subids(&history().await), ["book-3", "book-1"]);
    // Nobody shows another person's, and what was never read does not come.
    let nothing = app.post_as(&eve, show, json!({})).await.result();
    assert_eq!(nothing, json!({ "isInHistory": false }));
    assert_eq!(subids(&history().await), ["book-3", "book-1"]);
    for _ in 0..2 {
        let shown = app.post_as(&ada, show, json!({})).await.result();
        assert_eq!(shown, json!({ "isInHistory": true }));
        assert_eq!(subids(&history().await), ["book-3", "book-2", "book-1"]);
    }
    app.post_as(&ada, "/api/user-book-history/no-such-book/show", json!({})).await.fails(404, "not_found", NO_BOOK);
}

#[actix_web::test]
async fn the_library_has_shelves() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for n in 1..=4 {
        app.add_book(&format!("book-{n}"), "free = true");
        app.post_as(&ada, "/api/library", json!({ "bookId": format!("book-{n}") })).await.result();
        app.env.advance(1000);
    }
    save(&app, &ada, json!({ "bookId": "book-1", "position": 2 })).await.result();
    save(&app, &ada, json!({ "bookId": "book-2", "position": 5, "completed": true })).await.result();
    let shelf = async |query: &str| app.get_as(&ada, &format!("/api/library{query}")).await.result();
    for (query, books) in [
        ("", vec!["book-4", "book-3", "book-2", "book-1"]),
        ("?shelf=all", vec!["book-4", "book-3", "book-2", "book-1"]),
        ("?shelf=reading", vec!["book-1"]),
        ("?shelf=finished", vec!["book-2"]),
        ("?shelf=saved", vec!["book-4", "book-3"]),
    ] {
        let page = shelf(query).await;
        assert_eq!(subids(&page), books, "{query}");
        assert_eq!(page["counts"], json!({ "all": 4, "reading": 1, "finished": 1, "saved": 2 }));
    }
    let reading = shelf("?shelf=reading").await;
    let book = &reading["books"][0];
    assert_eq!((&book["position"], &book["completed"], &book["sectionsTotal"]), (&json!(2), &json!(false), &json!(6)));
    assert_eq!(shelf("?shelf=saved").await["books"][0]["position"], Value::Null);
    let first = shelf("?shelf=saved&limit=1").await;
    let next = first["next"].as_str().expect("there is more");
    let rest = shelf(&format!("?shelf=saved&limit=1&after={next}")).await;
    assert_eq!((subids(&rest), &rest["next"]), (vec!["book-3"], &Value::Null));
    assert_eq!(shelf("?shelf=finished").await["books"][0]["saved"], true);
    app.delete_as(&ada, "/api/library/book-2").await.result();
    let finished = shelf("?shelf=finished").await;
    assert_eq!((subids(&finished), &finished["books"][0]["saved"]), (vec!["book-2"], &json!(false)));
    let completed = async || {
        let history = app.get_as(&ada, "/api/user-book-history").await.result();
        let progress = app.get_as(&ada, "/api/user-book-history/xp").await.result();
        let library = shelf("").await;
        assert_eq!(progress["xp"], 10);
        [&history["counts"]["completed"], &progress["numCompleted"], &library["counts"]["finished"]].map(Clone::clone)
    };
    assert_eq!(completed().await, [json!(1), json!(1), json!(1)]);
    app.delete_as(&ada, "/api/user-book-history/book-2").await.result();
    assert_eq!(completed().await, [json!(0), json!(0), json!(0)]);
    assert_eq!(
        app.get_as(&ada, "/api/user-book-history").await.result()["counts"],
        json!({ "all": 1, "completed": 0 })
    );
    assert_eq!(app.get_as(&ada, "/api/library?shelf=attic").await.json()["field"], "shelf");
}

#[actix_web::test]
async fn history_is_newest_first_and_goes_on() {
    let app = TestApp::start().await;
    let ids: Vec<i64> = (0..12).map(|n| app.add_book(&format!("book-{n}"), "free = true")).collect();
    let ada = app.sign_up("ada@example.com").await;
    for id in &ids {
        app.env.advance(1000);
        save(&app, &ada, json!({ "bookId": id, "position": 1 })).await.result();
    }
    app.env.advance(1000);
    let started = app.post_as(&ada, "/api/user-book-history/book-0", json!({})).await.result();
    assert_eq!((&started["entry"]["position"], &started["entry"]["at"]), (&json!(1), &json!(START.millis() + 13_000)));

    let page = app.get_as(&ada, "/api/user-book-history").await.result();
    assert_eq!(page["user"]["email"], "ada@example.com");
    let first = subids(&page);
    assert_eq!((first.len(), first[0], first[1]), (10, "book-0", "book-11"));
    let entry = &page["books"][0];
    assert_eq!(
        (&entry["position"], &entry["completed"], &entry["sectionsTotal"]),
        (&json!(1), &json!(false), &json!(6))
    );
    assert_eq!((&entry["at"], &entry["title"]), (&json!(START.millis() + 13_000), &json!("Title of book-0")));
    let next = page["next"].as_str().expect("there is more");
    let rest = app.get_as(&ada, &format!("/api/user-book-history?after={next}&limit=5")).await.result();
    assert_eq!((subids(&rest), &rest["next"]), (vec!["book-2", "book-1"], &Value::Null));

    for (query, field) in [("limit=0", "limit"), ("limit=101", "limit"), ("after=x", "after"), ("after=1-0", "after")] {
        for list in ["user-book-history", "library"] {
            let reply = app.get_as(&ada, &format!("/api/{list}?{query}")).await;
            assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!(field)), "{query}");
        }
    }
    assert_eq!(app.get_as(&ada, "/api/user-book-history?limit=many").await.json()["field"], "limit");
    app.get("/api/user-book-history").await.fails(401, "unauthenticated", "Please log in.");
}

#[actix_web::test]
async fn the_library_takes_and_gives() {
    let app = TestApp::start().await;
    let one = app.add_book("book-1", "");
    app.add_book("book-2", "");
    app.add_book("hidden", "published = false");
    let (ada, eve) = (app.sign_up("ada@example.com").await, app.sign_up("eve@example.com").await);
    for _ in 0..2 {
        let added = app.post_as(&ada, "/api/library", json!({ "bookId": one })).await.result();
        assert_eq!(added, json!({ "isInLibrary": true }));
        app.env.advance(1000);
    }
    app.post_as(&ada, "/api/library", json!({ "bookId": "book-2" })).await.result();
    let page = app.get_as(&ada, "/api/library").await.result();
    assert_eq!((subids(&page), &page["next"]), (vec!["book-2", "book-1"], &Value::Null));
    assert_eq!(page["user"]["id"], ada.id());
    assert_eq!(open(&app, &ada, "book-1").await["isInLibrary"], true);

    let first = app.get_as(&ada, "/api/library?limit=1").await.result();
    let next = first["next"].as_str().expect("there is more");
    assert_eq!(subids(&app.get_as(&ada, &format!("/api/library?limit=1&after={next}")).await.result()), ["book-1"]);

    // Another person's library is another.
    assert_eq!(subids(&app.get_as(&eve, "/api/library").await.result()), Vec::<&str>::new());
    app.delete_as(&eve, &format!("/api/library/{one}")).await.result();
    assert_eq!(app.count("library"), 2);

    for address in
        [format!("/api/library/{one}"), "/api/library/book-1".to_owned(), "/library/delete/book-2".to_owned()]
    {
        assert_eq!(app.delete_as(&ada, &address).await.result(), json!({ "isInLibrary": false }));
    }
    assert_eq!(app.count("library"), 0);
    assert_eq!(open(&app, &ada, "book-1").await["isInLibrary"], false);

    for name in [json!("hidden"), json!(4711), json!("")] {
        app.post_as(&ada, "/api/library", json!({ "bookId": name })).await.fails(404, "not_found", NO_BOOK);
    }
    app.delete_as(&ada, "/api/library/hidden").await.fails(404, "not_found", NO_BOOK);
    app.post_as(&ada, "/api/library", json!({})).await.fails(422, "validation_failed", "Please specify a book.");
    app.post("/api/library", json!({ "bookId": one })).await.fails(401, "unauthenticated", "Please log in.");
    app.send(None, Method::DELETE, "/api/library/1", None).await.fails(401, "unauthenticated", "Please log in.");
    assert_eq!(app.count("library"), 0);
}

#[actix_web::test]
async fn a_rating_needs_stars_and_an_opened_book() {
    const NO_STARS: &str = "Please select a rating before submitting!";
    let app = TestApp::start().await;
    let id = app.add_book("book-1", "");
    let (ada, eve) = (app.sign_up("ada@example.com").await, app.sign_up("eve@example.com").await);
    let rate = |person, body| app.put_as(person, "/api/books/rating/book-1", body);

    rate(&ada, json!({ "rating": 5 })).await.fails(403, "not_opened", NOT_OPENED);
    for person in [&ada, &eve] {
        open(&app, person, "book-1").await;
    }
    for body in
        [json!({}), json!({ "rating": null }), json!({ "rating": 0 }), json!({ "rating": 6 }), json!({ "rating": 4.5 })]
    {
        let reply = rate(&ada, body).await;
        reply.fails(422, "validation_failed", NO_STARS);
        assert_eq!(reply.json()["field"], "rating");
    }
    let long = rate(&ada, json!({ "rating": 3, "feedback": "x".repeat(501) })).await;
    long.fails(422, "validation_failed", "Please keep your feedback to 500 characters.");
    assert_eq!(long.json()["field"], "feedback");
    let unreadable = rate(&ada, json!({ "rating": "five" })).await;
    unreadable.fails(422, "validation_failed", "The field 'rating' can't be read.");
    assert_eq!(unreadable.json()["field"], "rating");
    let nobody = app.send(None, Method::PUT, "/api/books/rating/book-1", Some(json!({ "rating": 5 }))).await;
    nobody.fails(401, "unauthenticated", "Please log in.");
    app.put_as(&ada, "/api/books/rating/4711", json!({ "rating": 5 })).await.fails(404, "not_found", NO_BOOK);
    assert_eq!((app.count("ratings"), app.count("book_stats WHERE ratings_count > 0")), (0, 0));

    // The address names the book, whatever the body says.
    let other = app.add_book("book-2", "");
    let body = json!({ "rating": 2, "feedback": " Too long. ", "subid": "book-2", "bookId": other });
    assert_eq!(rate(&ada, body).await.result(), json!({ "rating": { "rating": 2, "feedback": "Too long." } }));
    rate(&eve, json!({ "rating": 4, "feedback": "é".repeat(500) })).await.result();
    rate(&ada, json!({ "rating": 5 })).await.result();
    assert_eq!(app.count(&format!("ratings WHERE book_id = {id}")), 2);
    let book = open(&app, &ada, "book-1").await;
    assert_eq!(
        (&book["rating"], &book["ratingsCount"], &book["hasRatingsFromUser"]),
        (&json!(4.5), &json!(2), &json!(true))
    );
    assert_eq!(book["ownRating"], json!({ "rating": 5, "feedback": "" }));

    // Taken back, twice: the other reader's rating is what stays.
    for _ in 0..2 {
        let back = app.delete_as(&ada, "/api/books/rating/book-1").await.result();
        assert_eq!(back, json!({ "hasRatingsFromUser": false }));
    }
    let book = open(&app, &ada, "book-1").await;
    assert_eq!((&book["rating"], &book["ratingsCount"]), (&json!(4.0), &json!(1)));
    assert_eq!((&book["ownRating"], &book["hasRatingsFromUser"]), (&Value::Null, &json!(false)));
    app.delete_as(&ada, "/api/books/rating/4711").await.fails(404, "not_found", NO_BOOK);
}

#[actix_web::test]
async fn a_paragraph_is_found_again_on_another_device() {
    let app = TestApp::start().await;
    app.add_book("book-1", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    open(&app, &ada, "book-1").await;
    let at = app.env.now().millis();
    let body = json!({ "bookId": "book-1", "position": 1, "paragraph": 3, "at": at, "sent": at, "device": "phone" });
    assert_eq!(save(&app, &ada, body).await.result()["place"]["paragraph"], 3);
    let place = open(&app, &ada, "book-1").await["place"].take();
    assert_eq!((&place["position"], &place["paragraph"]), (&json!(1), &json!(3)));
    // The beginning of a section names none.
    save(&app, &ada, json!({ "bookId": "book-1", "position": 2 })).await.result();
    assert_eq!(open(&app, &ada, "book-1").await["place"]["paragraph"], Value::Null);
    save(&app, &ada, json!({ "bookId": "book-1", "position": 2, "paragraph": 1.5 })).await.fails(
        422,
        "validation_failed",
        "Please specify the paragraph.",
    );
}

#[actix_web::test]
async fn choices_are_kept_when_all_of_them_exist() {
    let app = TestApp::start().await;
    let (mind, money) = (app.add_category("mind", &[]), app.add_category("money", &[]));
    let ada = app.sign_up("ada@example.com").await;
    let choose = |body| app.put_as(&ada, "/api/user/recommends", body);
    let chosen = choose(json!({ "recommends": [money, mind, money] })).await.result();
    assert_eq!(chosen["user"]["recommends"], json!([mind, money]));
    for body in [json!({ "recommends": [] }), json!({}), json!({ "recommends": null })] {
        let reply = choose(body).await;
        reply.fails(422, "validation_failed", "Please pick a category.");
        assert_eq!(reply.json()["field"], "recommends");
    }
    for ids in [json!([mind, 4711]), json!([0]), json!([-1]), json!([1.5])] {
        let reply = choose(json!({ "recommends": ids })).await;
        reply.fails(404, "not_found", "One of these categories does not exist.");
        assert_eq!(reply.json()["field"], "recommends");
    }
    let unreadable = choose(json!({ "recommends": ["mind"] })).await;
    unreadable.fails(422, "validation_failed", "The field 'recommends[0]' can't be read.");
    assert_eq!(unreadable.json()["field"], "recommends");
    let body = json!({ "recommends": [mind] });
    app.send(None, Method::PUT, "/api/user/recommends", Some(body)).await.fails(
        401,
        "unauthenticated",
        "Please log in.",
    );
    let account = app.get_as(&ada, "/api/user/account").await.result();
    assert_eq!(account["user"]["recommends"], json!([mind, money]));
}

#[actix_web::test]
async fn the_account_tells_of_the_plan() {
    let app = TestApp::start().await;
    let (free, paid) = (app.sign_up("ada@example.com").await, app.sign_up_paid("eve@example.com").await);
    let user = app.get_as(&free, "/api/user/account").await.result()["user"].take();
    assert_eq!(
        user,
        json!({
            "id": free.id(), "email": "ada@example.com", "emailConfirmed": false, "hasPassword": true, "firstName": "Ada", "lastName": "Reader", "timezone": "UTC",
            "role": "member", "planId": null, "planName": null, "paidDate": null, "endPaidDate": null,
            "recommends": [], "friendEmail": null, "isPaid": false,
        })
    );
    let user = app.get_as(&paid, "/api/user/account").await.result()["user"].take();
    assert_eq!(
        (&user["planId"], &user["planName"], &user["isPaid"]),
        (&json!("yearly"), &json!("Yearly"), &json!(true))
    );
    assert_eq!(user["paidDate"], START.millis() - 60_000);
    assert_eq!(user["endPaidDate"], START.millis() + 365 * DAY);
    app.get("/api/user/account").await.fails(401, "unauthenticated", "Please log in.");

    app.env.advance(365 * DAY);
    let paid = app.log_in("eve@example.com", harness::PASSWORD).await;
    let user = app.get_as(&paid, "/api/user/account").await.result()["user"].take();
    assert_eq!((&user["planId"], &user["isPaid"]), (&Value::Null, &json!(false)));
}

#[actix_web::test]
async fn what_is_left_of_the_free_summaries_is_told_and_asking_takes_nothing() {
    let app = TestApp::start().await;
    let (ada, eve) = (app.sign_up("ada@example.com").await, app.sign_up_paid("eve@example.com").await);
    let left = async |person: &Person| app.get_as(person, "/api/user/allowance").await.result()["allowance"].take();
    for (book, told) in [json!({ "left": 3, "total": 3 }), json!({ "left": 2, "total": 3 })].into_iter().enumerate() {
        assert_eq!(left(&ada).await, told);
        app.add_book(&format!("book-{book}"), "");
        open(&app, &ada, &format!("book-{book}")).await;
    }
    assert_eq!(left(&ada).await, json!({ "left": 1, "total": 3 }));
    assert_eq!(left(&eve).await, Value::Null);
    // What stays open is told too, the latest first; a free book and what a plan opens take nothing and are not in it.
    app.add_book("a-gift", "free = true");
    open(&app, &ada, "a-gift").await;
    open(&app, &eve, "book-0").await;
    let id = async |subid: &str| app.get(&format!("/api/books/{subid}")).await.result()["book"]["id"].take();
    let opened = async |person: &Person| app.get_as(person, "/api/user/allowance").await.result()["opened"].take();
    assert_eq!(opened(&ada).await, json!([id("book-1").await, id("book-0").await]));
    assert_eq!(opened(&eve).await, json!([]));
    app.get("/api/user/allowance").await.fails(401, "unauthenticated", "Please log in.");
}

#[actix_web::test]
async fn a_plan_that_ends_takes_its_books_with_it() {
    let app = TestApp::start().await;
    let id = app.add_book("book-1", "");
    let eve = app.sign_up_paid("eve@example.com").await;
    assert!(open(&app, &eve, "book-1").await["body"].is_string());
    save(&app, &eve, json!({ "bookId": id, "position": 2 })).await.result();
    app.env.advance(365 * DAY);
    let eve = app.log_in("eve@example.com", harness::PASSWORD).await;
    save(&app, &eve, json!({ "bookId": id, "position": 3 })).await.fails(403, "not_opened", NOT_OPENED);
    let again = open(&app, &eve, "book-1").await;
    assert_eq!((&again["position"], &again["allowance"]), (&json!(2), &json!({ "left": 2, "total": 3 })));
    save(&app, &eve, json!({ "bookId": id, "position": 3 })).await.result();
}

/// How many mails were sent that say that a summary is here.
fn notices(app: &TestApp) -> i64 {
    app.count("jobs WHERE kind = 'mail' AND state = 'done' AND about = 'summary_published'")
}

#[actix_web::test]
async fn a_summary_that_comes_is_told_once_to_members_who_asked() {
    let app = TestApp::start().await;
    app.add_book("here", "");
    app.add_book("soon", "coming_soon = true");
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let ask = |book: &'static str| json!({ "bookId": book });
    let here = app.post_as(&ada, "/api/user/notices", ask("here")).await;
    here.fails(409, "already_there", "This summary is already available.");
    app.post_as(&ada, "/api/user/notices", ask("nowhere")).await.fails(404, "not_found", NO_BOOK);
    for person in [&ada, &bob, &ada] {
        let asked = app.post_as(person, "/api/user/notices", ask("soon")).await.result();
        assert_eq!(asked["isRequested"], true);
    }
    assert_eq!(app.get_as(&ada, "/api/user/notices").await.result()["books"].as_array().map(Vec::len), Some(1));
    let withdrawn = app.delete_as(&bob, "/api/user/notices/soon").await.result();
    assert_eq!(withdrawn["isRequested"], false);
    assert_eq!(app.get_as(&bob, "/api/user/notices").await.result()["books"], json!([]));

    let run = async || {
        app.env.advance(60_000);
        app.queue_scheduled().await;
        app.work_off().await;
    };
    run().await;
    assert_eq!(notices(&app), 0, "it is not here yet");
    app.sql("UPDATE books SET coming_soon = false WHERE subid = 'soon'");
    // However often the job runs, it is one mail.
    for _ in 0..3 {
        run().await;
    }
    assert_eq!(notices(&app), 1, "to Ada, who has not withdrawn it");
    let ada = app.log_in("ada@example.com", harness::PASSWORD).await;
    assert_eq!(app.get_as(&ada, "/api/user/notices").await.result()["books"], json!([]));
}

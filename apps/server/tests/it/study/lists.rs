//! Lists of books over HTTP: what devices report in any order, who sees a list, and what becomes of one that is taken down.

use crate::harness::{Person, Reply, TestApp};
use crate::study::{refusal, with};
use futures_util::future::join_all;
use kernel::Env;
use reqwest::StatusCode;
use serde_json::{Value, json};

const NOT_FOUND: StatusCode = StatusCode::NOT_FOUND;

/// A list of these books in this order, as a device reports it at the test's time.
pub(super) fn report(app: &TestApp, name: &str, books: &[i64]) -> Value {
    let now = app.env.now().millis();
    let books: Vec<Value> = (0..)
        .zip(books)
        .map(|(at, book): (u32, _)| json!({ "bookId": book, "rank": format!("a{at}"), "at": now }))
        .collect();
    json!({
        "name": { "value": name, "at": now },
        "books": books,
        "createdAt": now,
        "sent": now,
        "device": "phone",
    })
}

async fn save(app: &TestApp, person: &Person, id: u64, report: Value) -> Reply {
    app.put_as(person, &format!("/api/study/lists/{id}"), report).await
}

pub(super) async fn saved(app: &TestApp, person: &Person, id: u64, report: Value) -> Value {
    save(app, person, id, report).await.result()["list"].take()
}

pub(super) async fn shared(app: &TestApp, person: &Person, id: u64, change: Value) -> Value {
    app.put_as(person, &format!("/api/study/lists/{id}/sharing"), change).await.result()["list"].take()
}

/// All own lists, as the change feed has them.
async fn lists(app: &TestApp, person: &Person) -> Vec<Value> {
    let mut page = app.get_as(person, "/api/study/changes").await.result();
    let Value::Array(lists) = page["lists"].take() else { panic!("no list") };
    lists
}

fn book_ids(list: &Value) -> Vec<i64> {
    list["books"].as_array().expect("books").iter().map(|book| book["id"].as_i64().expect("an id")).collect()
}

#[actix_web::test]
async fn a_list_is_kept_changed_deleted_and_brought_back() {
    let app = TestApp::start().await;
    let (walden, emma) = (app.add_book("walden", ""), app.add_book("emma", "coming_soon = true"));
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let first =
        saved(&app, &ada, 7, with(report(&app, " For\nwork ", &[walden]), "note", json!({ "value": "", "at": 0 })))
            .await;
    assert_eq!(
        first,
        json!({
            "id": 7,
            "name": { "value": "For work", "at": now },
            "note": { "value": "", "at": 0 },
            "books": [{
                "bookId": walden, "subid": "walden", "title": "Title of walden", "author": "Ada Author",
                "image": null, "hue": 45, "rank": "a0", "at": now,
            }],
            "createdAt": now, "editedAt": now, "deletedAt": null,
            "sharing": "private", "slug": null, "teamListId": null, "isTakenDown": false,
            "version": 1,
        })
    );
    // Again, as after a lost answer.
    assert_eq!(saved(&app, &ada, 7, report(&app, "For work", &[walden])).await, first);
    assert_eq!(lists(&app, &ada).await, std::slice::from_ref(&first));

    app.env.advance(1000);
    let at = app.env.now().millis();
    // Another device knows of the list only what it has changed. A book that is not there is passed over.
    let more = json!({
        "createdAt": now,
        "books": [{ "bookId": emma, "rank": "Zz", "at": at }, { "bookId": 4711, "rank": "a5", "at": at }],
    });
    let second = saved(&app, &ada, 7, more.clone()).await;
    let ranks: Vec<&Value> = second["books"].as_array().unwrap().iter().map(|book| &book["rank"]).collect();
    assert_eq!((ranks, &second["version"]), (vec![&json!("a0"), &json!("Zz")], &json!(2)));
    assert_eq!(saved(&app, &ada, 7, more).await["version"], 2, "nothing is new");
    let off = json!({ "createdAt": now, "books": [{ "bookId": walden, "rank": null, "at": at }] });
    assert_eq!(saved(&app, &ada, 7, off).await["books"][0]["rank"], Value::Null);
    let deleted = saved(&app, &ada, 7, json!({ "createdAt": now, "deletedAt": at })).await;
    assert_eq!((&deleted["deletedAt"], &deleted["editedAt"]), (&json!(at), &json!(at)));
    app.env.advance(1000);
    let back = saved(&app, &ada, 7, report(&app, "Again", &[])).await;
    assert!(back["editedAt"].as_i64() > back["deletedAt"].as_i64());
}

#[actix_web::test]
async fn a_list_has_published_books_and_keeps_one_that_is_withdrawn() {
    let app = TestApp::start().await;
    let (walden, draft) = (app.add_book("walden", ""), app.add_book("draft", "published = false"));
    let ada = app.sign_up("ada@example.com").await;
    let list = saved(&app, &ada, 7, report(&app, "Work", &[walden, draft])).await;
    assert_eq!(list["books"].as_array().map(Vec::len), Some(1), "a draft's title is nobody's");
    let slug = shared(&app, &ada, 7, json!({ "sharing": "link" })).await["slug"].take();
    let slug = slug.as_str().unwrap();
    app.sql(&format!("UPDATE books SET published = false WHERE id = {walden}"));
    let kept = lists(&app, &ada).await.remove(0);
    assert_eq!((&kept["books"][0]["title"], &kept["books"][0]["subid"]), (&json!("Title of walden"), &Value::Null));
    let seen = app.get(&format!("/api/lists/{slug}")).await.result();
    assert_eq!(seen["list"]["books"], json!([]));
    // What is there is put elsewhere even so.
    app.env.advance(1000);
    let moved = json!({ "createdAt": 0, "books": [{ "bookId": walden, "rank": "b1", "at": app.env.now().millis() }] });
    assert_eq!(saved(&app, &ada, 7, moved).await["books"][0]["rank"], "b1");
}

#[actix_web::test]
async fn what_is_wrong_with_a_list_is_said_at_its_field() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "");
    let ada = app.sign_up("ada@example.com").await;
    let of = |field: &str, value: Value| with(report(&app, "Work", &[book]), field, value);
    let name = |name: &str| report(&app, name, &[]);
    let rank = |rank: &str| json!([{ "bookId": book, "rank": rank, "at": 1 }]);
    for (report, field, error) in [
        (name(" \n"), "name", "Please name the list."),
        (of("name", Value::Null), "name", "Please name the list."),
        (name(&"é".repeat(101)), "name", "Please keep the name to 100 characters."),
        (
            of("note", json!({ "value": "é".repeat(2_001), "at": 1 })),
            "note",
            "Please keep the note to 2,000 characters.",
        ),
        (of("books", rank("a b")), "books", "A rank has up to 200 digits and letters."),
        (of("books", rank("")), "books", "A rank has up to 200 digits and letters."),
        (of("books", json!([{ "bookId": 0, "rank": "a", "at": 1 }])), "books", "Please specify books by their ids."),
        (of("createdAt", json!(0.5)), "createdAt", "Please specify the time in milliseconds."),
        (of("deletedAt", json!(0.5)), "deletedAt", "Please specify the time in milliseconds."),
        (of("device", json!("a b")), "device", "A device name has up to 64 letters and digits."),
    ] {
        let refused = refusal(&save(&app, &ada, 7, report).await, 422, "validation_failed");
        assert_eq!((&refused["field"], &refused["error"]), (&json!(field), &json!(error)));
    }
    refusal(&save(&app, &ada, 0, name("Work")).await, 404, "not_found");
    refusal(&save(&app, &ada, 9_007_199_254_740_992, name("Work")).await, 404, "not_found");
    assert_eq!(app.count("lists"), 0);

    app.sql(
        "INSERT INTO books (id, subid, title, title_key, author_id, body, shown, upload_date, updated_at)
         OVERRIDING SYSTEM VALUE SELECT 10000 + n, 'book-' || n, title, title_key, author_id, body, shown, upload_date, updated_at
         FROM books, generate_series(1, 201) n",
    );
    app.sql("INSERT INTO book_stats (book_id) SELECT id FROM books WHERE id > 10000");
    let many: Vec<i64> = (10_001..=10_201).collect();
    let mut full = report(&app, "Work", &many);
    let refused = refusal(&save(&app, &ada, 7, full.clone()).await, 422, "validation_failed");
    assert_eq!(refused["error"], "A list has up to 200 books.");
    full["books"][0]["rank"] = Value::Null;
    assert_eq!(saved(&app, &ada, 7, full.clone()).await["books"].as_array().map(Vec::len), Some(201));
    // Another device's report brings no more, and whatever it says of other parts, the list keeps what it has.
    let at = app.env.now().millis() + 1;
    let one_more = json!({ "createdAt": 0, "books": [{ "bookId": many[0], "rank": "b", "at": at }] });
    let refused = refusal(&save(&app, &ada, 7, one_more).await, 422, "validation_failed");
    assert_eq!(refused["error"], "A list has up to 200 books.");
    app.sql(&format!(
        "INSERT INTO lists (user_id, id, name, name_at, note, note_at, created_at, edited_at, sharing, version)
         SELECT {}, 1000 + n, 'A', now(), '', now(), now(), now(), 'private', 1000 + n FROM generate_series(1, 199) n",
        ada.id()
    ));
    let refused = refusal(&save(&app, &ada, 8, name("One more")).await, 422, "validation_failed");
    assert_eq!(refused["error"], "You have 200 lists. Please delete one first.");
    // One that was deleted does not count, and does not come back either when another took its place.
    saved(&app, &ada, 7, json!({ "createdAt": 0, "deletedAt": at })).await;
    saved(&app, &ada, 8, name("One more")).await;
    app.env.advance(1000);
    let refused = refusal(&save(&app, &ada, 7, name("Back")).await, 422, "validation_failed");
    assert_eq!(refused["error"], "You have 200 lists. Please delete one first.");
}

#[actix_web::test]
async fn two_devices_that_were_offline_end_with_the_same_list_in_any_order() {
    let app = TestApp::start().await;
    let books = ["walden", "emma", "utopia"].map(|subid| app.add_book(subid, ""));
    let ada = app.sign_up("ada@example.com").await;
    let start = app.env.now().millis();
    app.env.advance(20_000);
    let at = |seconds: i64| start + seconds * 1000;
    let text = |value: &str, seconds: i64| json!({ "value": value, "at": at(seconds) });
    let book = |number: usize, rank: Option<&str>, seconds: i64| json!({ "bookId": books[number], "rank": rank, "at": at(seconds) });
    let first = json!({ "name": text("Work", 1), "books": [book(0, Some("a0"), 1), book(1, Some("a1"), 1)], "createdAt": at(1) });
    let reports = [
        first.clone(),
        // One device moves a book and adds another, while the other device takes the moved one off and renames the list.
        with(first.clone(), "books", json!([book(0, Some("a2"), 5), book(2, Some("a1V"), 6)])),
        with(first.clone(), "books", json!([book(0, None, 7)])),
        with(first.clone(), "name", text("Money", 8)),
        with(first, "note", text("For May.", 4)),
    ];
    let ends = [vec![0, 1, 2, 3, 4], vec![4, 3, 2, 1, 0, 0, 2], vec![2, 2, 4, 0, 1, 3, 1]];
    let mut states = Vec::new();
    for (id, order) in (1..).zip(ends) {
        for number in order {
            saved(&app, &ada, id, reports[number].clone()).await;
        }
        let all = lists(&app, &ada).await;
        let mut state = all.into_iter().find(|one| one["id"] == id).expect("it is there");
        for own in ["id", "version"] {
            state[own] = Value::Null;
        }
        states.push(state);
    }
    assert!(states.iter().all(|state| *state == states[0]), "{states:?}");
    let ranks: Vec<Option<&str>> =
        states[0]["books"].as_array().unwrap().iter().map(|book| book["rank"].as_str()).collect();
    assert_eq!((ranks, &states[0]["name"]["value"]), (vec![None, Some("a1"), Some("a1V")], &json!("Money")));
}

#[actix_web::test]
async fn devices_that_report_at_once_lose_no_book() {
    let app = TestApp::start().await;
    let books: Vec<i64> = (0..8).map(|number| app.add_book(&format!("book-{number}x"), "")).collect();
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let all = join_all(books.iter().map(|book| {
        let rank = json!([{ "bookId": book, "rank": "a0", "at": now }]);
        save(&app, &ada, 7, with(report(&app, "Work", &[]), "books", rank))
    }));
    assert!(all.await.iter().all(|reply| reply.status == 200));
    let list = lists(&app, &ada).await.remove(0);
    assert_eq!((list["books"].as_array().map(Vec::len), &list["version"]), (Some(8), &json!(8)));
}

#[actix_web::test]
async fn a_list_is_shared_by_link_then_public_then_private() {
    let app = TestApp::start().await;
    let books = ["walden", "emma", "utopia"].map(|subid| app.add_book(subid, ""));
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    saved(
        &app,
        &ada,
        7,
        with(report(&app, "For work", &books), "note", json!({ "value": "Read <these>.\nAll.", "at": 1 })),
    )
    .await;
    let by_link = shared(&app, &ada, 7, json!({ "sharing": "link" })).await;
    let link = by_link["slug"].as_str().expect("a slug").to_owned();
    assert_eq!((link.len(), &by_link["sharing"]), (22, &json!("link")));
    let seen = app.get(&format!("/api/lists/{link}")).await.result()["list"].take();
    assert_eq!((&seen["name"], &seen["note"]), (&json!("For work"), &json!("Read <these>.\nAll.")));
    assert_eq!((book_ids(&seen), &seen["isPublic"], &seen["ownId"]), (books.to_vec(), &json!(false), &Value::Null));
    let own = app.get_as(&ada, &format!("/api/lists/{link}")).await.result();
    assert_eq!(own["list"]["ownId"], 7);
    let text = |reply: Reply| reply.text;
    let page = text(app.get(&format!("/list/{link}")).await);
    assert!(page.contains("Read &lt;these&gt;.\nAll.") || page.contains("Read &#60;these&#62;.\nAll."), "{page}");
    assert!(page.contains("noindex") && page.contains("Title of emma"));

    let public = shared(&app, &ada, 7, json!({ "sharing": "public" })).await;
    assert_eq!((&public["slug"], &public["version"]), (&json!("for-work"), &json!(3)));
    assert_eq!(app.get(&format!("/api/lists/{link}")).await.status, 404);
    let page = text(app.get("/list/for-work").await);
    assert!(!page.contains("noindex"), "{page}");
    assert!(text(app.get("/sitemaps/lists.xml").await).contains("/list/for-work"));
    // The address stays with another name; a second list of the name has another.
    app.env.advance(1000);
    saved(&app, &ada, 7, report(&app, "Money", &[])).await;
    assert_eq!(app.get("/api/lists/for-work").await.result()["list"]["name"], "Money");
    saved(&app, &bob, 7, report(&app, "For work!", &books[..2])).await;
    assert_eq!(shared(&app, &bob, 7, json!({ "sharing": "public" })).await["slug"], "for-work-2");
    assert!(text(app.get("/list/for-work-2").await).contains("noindex"), "two books are few");

    let private = shared(&app, &ada, 7, json!({ "sharing": "private" })).await;
    assert_eq!((&private["sharing"], &private["slug"]), (&json!("private"), &Value::Null));
    assert_eq!(
        (app.get("/api/lists/for-work").await.status, app.get("/list/for-work").await.status),
        (NOT_FOUND, NOT_FOUND)
    );
    for wrong in ["/api/lists/a%20b", &format!("/api/lists/{}", "a".repeat(121)), "/api/lists/none"] {
        assert_eq!(app.get(wrong).await.status, 404, "{wrong}");
    }
    let bad = app.put_as(&ada, "/api/study/lists/7/sharing", json!({ "sharing": "all" })).await;
    assert_eq!(bad.status, 422);
    refusal(&app.put_as(&bob, "/api/study/lists/8/sharing", json!({ "sharing": "link" })).await, 404, "not_found");
}

#[actix_web::test]
async fn a_member_follows_lists_of_others_until_they_are_private() {
    let app = TestApp::start().await;
    let books = ["walden", "emma"].map(|subid| app.add_book(subid, "free = true"));
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    saved(&app, &ada, 7, report(&app, "Work", &books)).await;
    shared(&app, &ada, 7, json!({ "sharing": "public" })).await;
    let own = app.put_as(&ada, "/api/lists/work/follow", json!({})).await;
    assert_eq!(refusal(&own, 422, "validation_failed")["error"], "This list is yours.");
    for _ in 0..2 {
        assert_eq!(app.put_as(&bob, "/api/lists/work/follow", json!({})).await.result(), json!({ "isFollowed": true }));
    }
    app.get_as(&bob, "/api/books/emma").await.result();
    let done = json!({ "bookId": books[1], "position": 5, "completed": true });
    app.put_as(&bob, "/api/user-book-history", done).await.result();
    let seen = app.get_as(&bob, "/api/lists/work").await.result()["list"].take();
    assert_eq!((&seen["isFollowed"], &seen["completed"]), (&json!(true), &json!([books[1]])));
    let of_bob = app.get_as(&bob, "/api/study/lists").await.result();
    assert_eq!(
        (&of_bob["followed"][0]["slug"], &of_bob["followed"][0]["count"], &of_bob["followed"][0]["books"][1]["id"]),
        (&json!("work"), &json!(2), &json!(books[1]))
    );
    assert_eq!(
        (&of_bob["followers"], &of_bob["team"], &of_bob["seats"], &of_bob["finished"]),
        (&json!([]), &json!([]), &json!(0), &json!([]))
    );
    let of_ada = app.get_as(&ada, "/api/study/lists").await.result();
    assert_eq!((&of_ada["followers"], &of_ada["followed"]), (&json!([{ "id": 7, "members": 1 }]), &json!([])));

    let left = app.delete_as(&bob, "/api/lists/work/follow").await.result();
    assert_eq!(left, json!({ "isFollowed": false }));
    app.put_as(&bob, "/api/lists/work/follow", json!({})).await.result();
    shared(&app, &ada, 7, json!({ "sharing": "private" })).await;
    shared(&app, &ada, 7, json!({ "sharing": "public" })).await;
    assert_eq!(app.get_as(&bob, "/api/study/lists").await.result()["followed"], json!([]));
    app.sql(&format!(
        "INSERT INTO lists (user_id, id, name, name_at, note, note_at, created_at, edited_at, sharing, slug, version)
         SELECT {}, 1000 + n, 'A', now(), '', now(), now(), now(), 'link', 'A' || n, 1000 + n FROM generate_series(1, 200) n",
        ada.id()
    ));
    app.sql(&format!("INSERT INTO list_followers SELECT {}, user_id, id, now() FROM lists WHERE id > 1000", bob.id()));
    let refused = refusal(&app.put_as(&bob, "/api/lists/work/follow", json!({})).await, 422, "validation_failed");
    assert_eq!(refused["error"], "You follow 200 lists. Please leave one first.");
}

/// A list may become private while others begin to follow it: those who come late follow nothing.
#[actix_web::test]
async fn who_follows_a_list_while_it_becomes_private_follows_nothing_or_is_ended() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let mut others = Vec::new();
    for number in 0..6 {
        others.push(app.sign_up(&format!("other{number}@example.com")).await);
    }
    saved(&app, &ada, 7, report(&app, "Work", &[])).await;
    shared(&app, &ada, 7, json!({ "sharing": "public" })).await;
    let follow = join_all(others.iter().map(|other| app.put_as(other, "/api/lists/work/follow", json!({}))));
    let (followed, private) = futures_util::join!(follow, shared(&app, &ada, 7, json!({ "sharing": "private" })));
    assert_eq!(private["sharing"], "private");
    assert!(followed.iter().all(|reply| reply.status == 200 || reply.status == 404));
    assert_eq!(app.count("list_followers"), 0);
}

#[actix_web::test]
async fn an_admin_takes_a_public_list_down_and_allows_it_again() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    saved(&app, &ada, 7, report(&app, "Buy now", &[])).await;
    saved(&app, &ada, 8, report(&app, "For me", &[])).await;
    shared(&app, &ada, 7, json!({ "sharing": "public" })).await;
    app.put_as(&bob, "/api/lists/buy-now/follow", json!({})).await.result();
    let listed = app.get_as(&admin, "/api/admin/lists?q=buy").await.result();
    let key = format!("{}-7", ada.id());
    assert_eq!((&listed["count"], &listed["next"], &listed["lists"][0]["key"]), (&json!(1), &Value::Null, &json!(key)));
    assert_eq!(
        (&listed["lists"][0]["owner"], &listed["lists"][0]["followers"], &listed["lists"][0]["slug"]),
        (&json!({ "id": ada.id(), "email": "ada@example.com" }), &json!(1), &json!("buy-now"))
    );
    let path = format!("/api/admin/lists/{key}");
    let down = app.put_as(&admin, &path, json!({ "isTakenDown": true })).await.result();
    assert_eq!((&down["list"]["isTakenDown"], &down["list"]["sharing"]), (&json!(true), &json!("private")));
    assert_eq!(app.get("/api/lists/buy-now").await.status, 404);
    let own = lists(&app, &ada).await;
    assert!(own.iter().any(|list| list["id"] == 7 && list["isTakenDown"] == true && list["version"] == 4));
    let refused = refusal(
        &app.put_as(&ada, "/api/study/lists/7/sharing", json!({ "sharing": "public" })).await,
        403,
        "forbidden",
    );
    assert_eq!(refused["error"], "This list was taken down. Please contact us.");
    let by_link = app.put_as(&ada, "/api/study/lists/7/sharing", json!({ "sharing": "link" })).await;
    refusal(&by_link, 403, "forbidden");
    app.put_as(&admin, &path, json!({ "isTakenDown": false })).await.result();
    assert_eq!(shared(&app, &ada, 7, json!({ "sharing": "public" })).await["slug"], "buy-now");
    // One by link is found by its URL.
    let link = shared(&app, &ada, 8, json!({ "sharing": "link" })).await["slug"].take();
    let url = format!("/api/admin/lists?q=https%3A%2F%2Fpith.example%2Flist%2F{}", link.as_str().unwrap());
    assert_eq!(app.get_as(&admin, &url).await.result()["lists"][0]["name"], "For me");
    shared(&app, &ada, 8, json!({ "sharing": "private" })).await;
    // A private list is not the operator's to look at, nor to change.
    assert_eq!(app.get_as(&admin, "/api/admin/lists?q=for%20me").await.result()["lists"], json!([]));
    let private = format!("/api/admin/lists/{}-8", ada.id());
    refusal(&app.put_as(&admin, &private, json!({ "isTakenDown": true })).await, 404, "not_found");
    for wrong in ["4711", "0-7", "a-b"] {
        let path = format!("/api/admin/lists/{wrong}");
        refusal(&app.put_as(&admin, &path, json!({ "isTakenDown": true })).await, 404, "not_found");
    }
    refusal(&app.get_as(&admin, "/api/admin/lists?after=x").await, 422, "validation_failed");
    refusal(&app.get_as(&ada, "/api/admin/lists").await, 403, "forbidden");
}

/// Each of two members holds the lock of their own records only.
#[actix_web::test]
async fn members_who_publish_lists_of_one_name_at_once_get_a_slug_each() {
    let app = TestApp::start().await;
    let mut members = Vec::new();
    for number in 0..6 {
        let member = app.sign_up(&format!("member{number}@example.com")).await;
        saved(&app, &member, 7, report(&app, "Habits", &[])).await;
        members.push(member);
    }
    let published =
        join_all(members.iter().map(|member| shared(&app, member, 7, json!({ "sharing": "public" })))).await;
    let mut slugs: Vec<&str> = published.iter().map(|list| list["slug"].as_str().expect("a slug")).collect();
    slugs.sort_unstable();
    assert_eq!(slugs, ["habits", "habits-2", "habits-3", "habits-4", "habits-5", "habits-6"]);
}

#[actix_web::test]
async fn the_lists_of_a_suspended_account_are_shown_to_nobody_until_it_is_restored() {
    let app = TestApp::start().await;
    let books = ["walden", "emma", "utopia"].map(|subid| app.add_book(subid, ""));
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    saved(&app, &ada, 7, report(&app, "Work", &books)).await;
    shared(&app, &ada, 7, json!({ "sharing": "public" })).await;
    app.put_as(&bob, "/api/lists/work/follow", json!({})).await.result();
    app.sql(&format!("UPDATE users SET suspended_at = now(), suspended_reason = 'Spam' WHERE id = {}", ada.id()));
    assert_eq!((app.get("/api/lists/work").await.status, app.get("/list/work").await.status), (NOT_FOUND, NOT_FOUND));
    assert_eq!(app.get("/sitemaps/lists.xml").await.status, NOT_FOUND);
    assert_eq!(app.get_as(&bob, "/api/study/lists").await.result()["followed"], json!([]));
    // Its slug stays taken.
    saved(&app, &bob, 7, report(&app, "Work", &[])).await;
    assert_eq!(shared(&app, &bob, 7, json!({ "sharing": "public" })).await["slug"], "work-2");
    app.sql("UPDATE users SET suspended_at = NULL, suspended_reason = NULL");
    assert_eq!(app.get("/api/lists/work").await.status, 200);
    assert_eq!(app.get_as(&bob, "/api/study/lists").await.result()["followed"][0]["slug"], "work");
}

//! The overview for editors: books that are not published or lack something, searches without a result, where readers stop
//! (`admin.content-overview`).

use crate::harness::{Person, START, TestApp};
use kernel::DAY;
use serde_json::{Value, json};
use server::upkeep::Upkeep;

async fn overview(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/admin/content-overview").await.result()
}

fn titles(books: &Value) -> Vec<&str> {
    books.as_array().expect("books").iter().map(|book| book["title"].as_str().expect("a title")).collect()
}

#[actix_web::test]
async fn an_empty_site_has_an_empty_overview() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let nothing = json!({ "count": 0, "countCapped": false, "books": [] });
    let lacks = |what: &str| json!({ "lacking": what, "count": 0, "countCapped": false, "books": [] });
    let wanted = json!({
        "drafts": { "count": 0, "countCapped": false, "newest": [], "oldest": [] },
        "scheduled": nothing,
        "incomplete": [lacks("cover"), lacks("audio"), lacks("key_ideas")],
        "searches": [],
        "searchDays": 30,
        "dropOffs": [],
        "dropOffDays": 90,
    });
    assert_eq!(overview(&app, &editor).await, wanted);
}

#[actix_web::test]
async fn drafts_scheduled_and_incomplete_books_are_first_in_their_lists() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let category = app.add_category("on-foot", &[]);
    for n in 0..7 {
        let book = json!({ "title": format!("Draft {n}"), "author": "Ada", "categories": [category] });
        app.post_as(&editor, "/api/admin/books", book).await.result();
        app.sql(&format!(
            "UPDATE books SET upload_date = to_timestamp({}) WHERE title = 'Draft {n}'",
            START.plus(n * DAY).millis() / 1_000
        ));
    }
    for (title, days) in [("Later", 9), ("Sooner", 2)] {
        let at = START.plus(days * DAY).millis();
        let book = json!({ "title": title, "author": "Ada", "categories": [category], "publishAt": at });
        app.post_as(&editor, "/api/admin/books", book).await.result();
    }
    app.add_book("whole", "");
    app.sql(
        "UPDATE books SET image = 'covers/whole.svg', media = 'audio/whole.mp3', visuals = 1 WHERE subid = 'whole'",
    );
    app.add_book("silent", "");
    app.sql("UPDATE books SET image = 'covers/silent.svg', media = NULL, visuals = 0 WHERE subid = 'silent'");

    let found = overview(&app, &editor).await;
    assert_eq!(found["drafts"]["count"], 7);
    assert_eq!(titles(&found["drafts"]["newest"]), ["Draft 6", "Draft 5", "Draft 4", "Draft 3", "Draft 2"]);
    assert_eq!(titles(&found["drafts"]["oldest"]), ["Draft 0", "Draft 1"], "without those among the newest");
    assert_eq!(
        (&found["scheduled"]["count"], titles(&found["scheduled"]["books"])),
        (&json!(2), vec!["Sooner", "Later"])
    );
    assert_eq!(found["scheduled"]["books"][0]["publishAt"], START.plus(2 * DAY).millis());
    let counts: Vec<_> =
        found["incomplete"].as_array().expect("lists").iter().map(|one| (&one["lacking"], &one["count"])).collect();
    assert_eq!(counts, [(&json!("cover"), &json!(0)), (&json!("audio"), &json!(1)), (&json!("key_ideas"), &json!(1))]);
    let silent = &found["incomplete"][1]["books"][0]["id"];

    // The list to which the overview links has the same books.
    let list = app.get_as(&editor, "/api/admin/books?state=published&lacking=audio").await.result();
    assert_eq!((&list["count"], &list["books"][0]["id"]), (&json!(1), silent));
    let refused = app.get_as(&editor, "/api/admin/books?lacking=taste").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["field"]), (422, &json!("lacking")));
}

#[actix_web::test]
async fn searches_without_a_result_are_counted_without_who_made_them() {
    let app = TestApp::start().await;
    app.add_book("walden", "");
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let member = app.sign_up("ada@example.com").await;
    // The second answer to a visitor comes out of the cache, and counts too.
    for _ in 0..2 {
        app.get("/api/books?q=Zeppelin%20Knitting").await.result();
        app.get("/api/books?q=grace@example.com").await.result();
        app.get("/api/books?q=walden").await.result();
        app.get("/api/books?q=zeppelin&audio=true").await.result();
    }
    app.get_as(&member, "/api/books?q=zeppelin%20knitting!").await.result();
    app.get("/api/books?q=onlyonce").await.result();
    Upkeep::of(&app.app).flush_counts().await.expect("counts are written");
    let searches = json!([{ "words": "zeppelin knitting", "count": 3 }]);
    assert_eq!(overview(&app, &editor).await["searches"], searches);
    assert_eq!(app.count("unanswered_searches"), 2);

    // A job forgets them.
    app.sql("UPDATE unanswered_searches SET day = day - 91");
    app.queue_scheduled().await;
    app.work_off().await;
    assert_eq!(app.count("unanswered_searches"), 0);
}

#[actix_web::test]
async fn the_section_after_which_most_readers_stop_is_shown_by_counts_only() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let (book, quiet) = (app.add_book("walden", ""), app.add_book("quiet", ""));
    app.sql(
        "INSERT INTO users (email, email_key, first_name, last_name, timezone, created_at)
         SELECT 'r' || n || '@example.com', 'r' || n || '@example.com', 'Grace', 'Reader', 'UTC', now()
         FROM generate_series(1, 30) n",
    );
    let now = START.millis() / 1_000;
    // Of 20 readers 12 stopped at the second section, 5 at the first, and 3 completed the book.
    let read = |book: i64, readers: &str, position: i32, completed: bool, days: i32, listened: bool| {
        let at = format!("to_timestamp({now} - {days} * 86400)");
        let (done, place) = (if completed { &at } else { "NULL" }, if listened { "NULL" } else { &at });
        app.sql(&format!(
            "INSERT INTO history (user_id, book_id, position, furthest, completed_at, updated_at, place_at)
             SELECT id, {book}, 0, {position}, {done}, {at}, {place} FROM users
             WHERE email ~ '^r' AND substr(split_part(email, '@', 1), 2)::integer BETWEEN {readers}"
        ));
    };
    read(book, "1 AND 12", 1, false, 20, false);
    read(book, "13 AND 17", 0, false, 20, false);
    read(book, "18 AND 20", 2, true, 20, false);
    // These may still go on, read long ago, or only listened.
    read(book, "21 AND 24", 0, false, 2, false);
    read(book, "25 AND 27", 0, false, 100, false);
    read(book, "28 AND 30", 0, false, 20, true);
    // Too few readers.
    read(quiet, "1 AND 9", 0, false, 20, false);

    let found = overview(&app, &editor).await["dropOffs"].clone();
    let rows = found.as_array().expect("rows");
    assert_eq!(rows.len(), 1, "{found}");
    let counted = json!([rows[0]["id"], rows[0]["section"], rows[0]["readers"], rows[0]["stopped"]]);
    assert_eq!(counted, json!([book, 1, 20, 12]));
    assert!(rows[0]["sectionTitle"].as_str().is_some_and(|title| !title.is_empty()), "{found}");
    let mut names: Vec<&String> = rows[0].as_object().expect("a row").keys().collect();
    names.sort();
    assert_eq!(names, ["id", "readers", "section", "sectionTitle", "stopped", "title"], "counts, and nobody's name");
}

//! Editing books: by id and version, with revisions, publication at a moment, and an entry of the audit log for each change.

use crate::harness::{Person, START, TestApp};
use serde_json::{Value, json};

const BODY: &str = "<h3>One</h3><p>The first idea of it.</p><h3>Two</h3><p>The second one.</p>";

async fn editor(app: &TestApp) -> Person {
    app.sign_up_with_role("editor@example.com", "editor").await
}

/// A category, and what a new book needs.
fn new_book(app: &TestApp) -> Value {
    let category = app.add_category("nature", &[]);
    json!({ "title": "Walden", "author": "Henry David Thoreau", "authorDesc": "He lived in the woods.", "categories": [category] })
}

async fn add(app: &TestApp, editor: &Person, book: &Value) -> Value {
    app.post_as(editor, "/api/admin/books", book.clone()).await.result()["book"].clone()
}

fn address(book: &Value) -> String {
    format!("/api/admin/books/{}", book["id"])
}

#[actix_web::test]
async fn a_book_goes_from_nothing_to_published_and_is_found_by_a_visitor() {
    let app = TestApp::start().await;
    let editor = editor(&app).await;
    let book = add(&app, &editor, &new_book(&app)).await;
    assert_eq!((&book["subid"], &book["published"], &book["version"]), (&json!("walden"), &json!(false), &json!(1)));
    assert_eq!(app.get("/api/books/walden").await.status, 404);
    let empty = app.put_as(&editor, &address(&book), json!({ "published": true })).await;
    empty.fails(422, "validation_failed", "A published book needs a text, unless it is coming soon.");
    assert_eq!(empty.json()["field"], "body");

    let hostile = format!("{BODY}<script>alert(1)</script><p onclick=\"alert(1)\">Third.</p>");
    let edit = json!({ "version": 1, "body": hostile, "description": "Simplify.", "tags": ["woods"], "free": true, "published": true });
    let saved = app.put_as(&editor, &address(&book), edit).await.result()["book"].clone();
    assert_eq!((&saved["version"], &saved["updatedBy"]), (&json!(2), &json!("Ada Reader")));
    let body = saved["body"].as_str().expect("a text");
    assert!(body.contains("The first idea of it.") && !body.contains("script") && !body.contains("onclick"), "{body}");
    let read = app.get("/api/books/walden").await.result();
    assert_eq!((&read["book"]["title"], &read["book"]["author"]), (&json!("Walden"), &json!("Henry David Thoreau")));
    assert_eq!(read["book"]["sections"].as_array().map(Vec::len), Some(2));
    let found = app.get("/api/books?q=second").await.result();
    assert_eq!(found["books"][0]["subid"], "walden");

    // A new name in addresses: the old one is gone, the book is the same.
    app.put_as(&editor, &address(&book), json!({ "subid": "life-in-the-woods", "tags": null })).await.result();
    assert_eq!(app.get("/api/books/walden").await.status, 404);
    let renamed = app.get("/api/books/life-in-the-woods").await.result();
    assert_eq!((&renamed["book"]["id"], &renamed["book"]["tags"]), (&book["id"], &json!([])));
}

#[actix_web::test]
async fn required_fields_are_named_in_the_order_of_the_form() {
    let app = TestApp::start().await;
    let editor = editor(&app).await;
    let whole = new_book(&app);
    for (field, label) in [("title", "Title"), ("author", "Author"), ("categories", "Categories")] {
        for missing in [Value::Null, json!(if field == "categories" { json!([]) } else { json!("  ") })] {
            let mut book = whole.clone();
            book[field] = missing;
            let reply = app.post_as(&editor, "/api/admin/books", book).await;
            reply.fails(422, "validation_failed", &format!("Please specify {label}."));
            assert_eq!(reply.json()["field"], field);
        }
    }
    let book = add(&app, &editor, &whole).await;
    let image = app.put_as(&editor, &address(&book), json!({ "image": "" })).await;
    image.fails(422, "validation_failed", "Please specify Image.");
    let unknown = app.put_as(&editor, &address(&book), json!({ "categories": [4711] })).await;
    unknown.fails(404, "not_found", "There is no such category.");
    app.put_as(&editor, "/api/admin/books/4711", json!({})).await.fails(404, "not_found", "There is no such book.");
    // A second book of that title has an address of its own; one that is taken is refused.
    let second = add(&app, &editor, &whole).await;
    assert_eq!(second["subid"], "walden-2");
    let taken = app.put_as(&editor, &address(&second), json!({ "subid": "walden" })).await;
    assert_eq!(
        (taken.status.as_u16(), &taken.json()["code"], &taken.json()["field"]),
        (409, &json!("already_there"), &json!("subid"))
    );
}

#[actix_web::test]
async fn the_second_of_two_editors_is_told_and_nothing_is_overwritten() {
    let app = TestApp::start().await;
    let (one, two) = (editor(&app).await, app.sign_up_with_role("other@example.com", "editor").await);
    let book = add(&app, &one, &new_book(&app)).await;
    let edit = |title: &str, version: i64| json!({ "title": title, "version": version });
    app.put_as(&one, &address(&book), edit("Walden, or", 1)).await.result();
    let late = app.put_as(&two, &address(&book), edit("Waldens", 1)).await;
    late.fails(409, "edit_conflict", "Another version was saved in the meantime. Nothing was changed.");
    let there = app.get_as(&two, &address(&book)).await.result()["book"].clone();
    assert_eq!((&there["title"], &there["version"]), (&json!("Walden, or"), &json!(2)));
    app.put_as(&two, &address(&book), edit("Waldens", 2)).await.result();
    // What says what is there already is no new version; without a version, what is there is changed.
    let same = app.put_as(&two, &address(&book), json!({ "title": "Waldens" })).await.result();
    assert_eq!(same["book"]["version"], 3);

    let (first, second) = futures_util::future::join(
        app.put_as(&one, &address(&book), edit("A", 3)),
        app.put_as(&two, &address(&book), edit("B", 3)),
    )
    .await;
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

#[actix_web::test]
async fn revisions_tell_who_changed_what_and_are_restored() {
    let app = TestApp::start().await;
    let editor = editor(&app).await;
    let book = add(&app, &editor, &new_book(&app)).await;
    app.put_as(&editor, &address(&book), json!({ "body": BODY, "description": "Simplify." })).await.result();
    app.put_as(&editor, &address(&book), json!({ "body": "<h3>One</h3><p>Spoilt.</p>" })).await.result();
    let list = app.get_as(&editor, &format!("{}/revisions", address(&book))).await.result()["revisions"].clone();
    let told: Vec<_> =
        list.as_array().expect("a list").iter().map(|one| (one["version"].clone(), one["changed"].clone())).collect();
    assert_eq!(told, [(json!(3), json!(["body"])), (json!(2), json!(["description", "body"])), (json!(1), json!([]))]);
    assert_eq!((&list[0]["by"], &list[0]["at"]), (&json!("Ada Reader"), &json!(START.millis())));
    let of_second = format!("{}/revisions/{}", address(&book), list[1]["id"]);
    let second = app.get_as(&editor, &of_second).await.result();
    assert!(second["revision"]["book"]["body"].as_str().is_some_and(|body| body.contains("The second one.")));
    let stale = app.post_as(&editor, &format!("{of_second}/restore"), json!({ "version": 2 })).await;
    assert_eq!(stale.status, 409);
    let restored = app.post_as(&editor, &format!("{of_second}/restore"), json!({ "version": 3 })).await.result();
    assert_eq!(restored["book"]["version"], 4);
    assert_eq!(restored["book"]["body"], second["revision"]["book"]["body"]);
    app.get_as(&editor, &format!("{}/revisions/4711", address(&book))).await.fails(
        404,
        "not_found",
        "There is no such revision.",
    );

    // A book of the seed has no revision until it is edited; what it said then can be restored.
    let seeded = app.add_book("seeded", "");
    let of_seeded = format!("/api/admin/books/{seeded}");
    app.put_as(&editor, &of_seeded, json!({ "title": "Another" })).await.result();
    let list = app.get_as(&editor, &format!("{of_seeded}/revisions")).await.result()["revisions"].clone();
    assert_eq!(
        (list.as_array().map(Vec::len), &list[1]["title"], &list[1]["by"]),
        (Some(2), &json!("Title of seeded"), &Value::Null)
    );

    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let log = app.get_as(&admin, &format!("/api/admin/audit?subject=book&subjectId={}", book["id"])).await.result();
    let actions: Vec<_> =
        log["entries"].as_array().expect("a list").iter().map(|entry| entry["action"].clone()).collect();
    assert_eq!(actions, ["book.update", "book.update", "book.update", "book.create"]);
    assert_eq!(log["entries"][1]["changes"][0]["field"], "body");
}

#[actix_web::test]
async fn a_book_is_published_at_its_moment() {
    let app = TestApp::start().await;
    let mut editor = editor(&app).await;
    let mut book = new_book(&app);
    (book["body"], book["publishAt"]) = (json!(BODY), json!(START.millis() + 3_600_000));
    let book = add(&app, &editor, &book).await;
    assert_eq!(book["publishAt"], START.millis() + 3_600_000);
    let listed = app.get_as(&editor, "/api/admin/books?state=scheduled").await.result();
    assert_eq!(listed["count"], 1);
    app.queue_scheduled().await;
    app.work_off().await;
    assert_eq!(app.get("/api/books/walden").await.status, 404);
    app.env.advance(3_600_000);
    app.refresh(&mut editor).await;
    app.queue_scheduled().await;
    app.work_off().await;
    app.get("/api/books/walden").await.result();
    let there = app.get_as(&editor, &address(&book)).await.result()["book"].clone();
    assert_eq!((&there["published"], &there["publishAt"]), (&json!(true), &Value::Null));
    assert_eq!(app.count("audit_entries WHERE actor_kind = 'system' AND action = 'book.update'"), 1);
}

#[actix_web::test]
async fn books_are_listed_sorted_filtered_and_paged_with_drafts() {
    let app = TestApp::start().await;
    let editor = editor(&app).await;
    let draft = add(&app, &editor, &new_book(&app)).await;
    for subid in ["b-book", "a-book", "c-book"] {
        app.add_book(subid, "");
    }
    let titles = async |query: &str| {
        let page = app.get_as(&editor, &format!("/api/admin/books{query}")).await.result();
        let books = page["books"].as_array().expect("a list").clone();
        (
            books.iter().map(|book| book["subid"].as_str().expect("a text").to_owned()).collect::<Vec<_>>(),
            page["next"].clone(),
        )
    };
    assert_eq!(titles("?sort=title").await.0, ["a-book", "b-book", "c-book", "walden"]);
    assert_eq!(titles("?sort=title&order=desc").await.0, ["walden", "c-book", "b-book", "a-book"]);
    let (first, next) = titles("?sort=id&limit=3").await;
    assert_eq!(first, ["walden", "b-book", "a-book"]);
    let (rest, end) = titles(&format!("?sort=id&limit=3&after={}", next.as_str().expect("a key"))).await;
    assert_eq!((rest, end), (vec!["c-book".to_owned()], Value::Null));
    assert_eq!(titles("?state=draft").await.0, ["walden"]);
    assert_eq!(titles("?q=THOREAU").await.0, ["walden"]);
    assert_eq!(titles(&format!("?category={}", draft["categories"][0])).await.0, ["walden"]);
    for query in ["?state=x", "?sort=x", "?order=x", "?category=0", "?limit=0", "?after=x"] {
        assert_eq!(app.get_as(&editor, &format!("/api/admin/books{query}")).await.status, 422, "{query}");
    }
}

#[actix_web::test]
async fn a_long_text_passes_and_one_beyond_the_limit_is_refused() {
    let app = TestApp::start().await;
    let editor = editor(&app).await;
    let book = add(&app, &editor, &new_book(&app)).await;
    let text = |kilobytes: usize| {
        format!("<h3>One</h3>{}", "<p>Words of about thirty letters.</p>".repeat(kilobytes * 1024 / 36))
    };
    let saved = app.put_as(&editor, &address(&book), json!({ "body": text(300) })).await.result();
    assert!(saved["book"]["body"].as_str().is_some_and(|body| body.len() > 250 * 1024));
    let large = app.put_as(&editor, &address(&book), json!({ "body": text(2_200) })).await;
    assert_eq!((large.status.as_u16(), &large.json()["code"]), (413, &json!("payload_too_large")));
}

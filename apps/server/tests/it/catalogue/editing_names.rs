//! Authors and tags for editors: listed, added, changed, merged, deleted; and the deletion of everything else.

use crate::harness::{Person, TestApp};
use serde_json::{Value, json};

/// A book of an author with tags; gives its id.
async fn add_book(app: &TestApp, editor: &Person, title: &str, author: &str, tags: &[&str], category: i64) -> i64 {
    let body = "<h3>One</h3><p>Some plain words.</p>";
    let new = json!({ "title": title, "author": author, "categories": [category], "tags": tags, "body": body, "published": true });
    app.post_as(editor, "/api/admin/books", new).await.result()["book"]["id"].as_i64().expect("an id")
}

fn ids(list: &Value) -> Vec<i64> {
    list.as_array().expect("a list").iter().map(|one| one["id"].as_i64().expect("an id")).collect()
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|one| one["name"].as_str().expect("a name")).collect()
}

/// The titles of the books that a public list has, from A to Z.
async fn titles(app: &TestApp, query: &str) -> Vec<String> {
    let list = app.get(&format!("/api/books/list?{query}")).await.result();
    let order = list["order"].as_array().expect("an order").clone();
    let title =
        |subid: &Value| list["books"][subid.as_str().expect("a subid")]["title"].as_str().expect("a title").to_owned();
    let mut titles: Vec<String> = order.iter().map(title).collect();
    titles.sort();
    titles
}

#[actix_web::test]
async fn authors_are_listed_added_renamed_and_merged() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let nature = app.add_category("nature", &[]);
    let walden = add_book(&app, &editor, "Walden", "Henry David Thoreau", &[], nature).await;
    add_book(&app, &editor, "Cape Cod", "H. D. Thoreau", &[], nature).await;
    let new = json!({ "name": " Jane  Austen ", "sortName": "", "description": "She wrote." });
    let added = app.post_as(&editor, "/api/admin/authors", new.clone()).await.result()["author"].clone();
    assert_eq!(
        (&added["name"], &added["sortName"], &added["slug"]),
        (&json!("Jane Austen"), &Value::Null, &json!("jane-austen"))
    );
    let taken = app.post_as(&editor, "/api/admin/authors", new).await;
    taken.fails(409, "already_there", "There is already one with this name. Merge the two instead.");
    let blank = app.post_as(&editor, "/api/admin/authors", json!({ "name": " " })).await;
    blank.fails(422, "validation_failed", "Please specify Name.");

    let list = app.get_as(&editor, "/api/admin/authors?limit=2").await.result();
    assert_eq!((names(&list["authors"]), &list["count"]), (vec!["Jane Austen", "H. D. Thoreau"], &json!(3)));
    let next = list["next"].as_str().expect("another page");
    let rest = app.get_as(&editor, &format!("/api/admin/authors?limit=100&after={next}")).await.result();
    assert_eq!((names(&rest["authors"]), &rest["next"]), (vec!["Henry David Thoreau"], &Value::Null));
    let unused = app.get_as(&editor, "/api/admin/authors?unused=true&q=AUST").await.result();
    assert_eq!(names(&unused["authors"]), ["Jane Austen"]);

    let henry = rest["authors"][0].clone();
    assert_eq!((&henry["bookCount"], &henry["readableCount"]), (&json!(1), &json!(1)));
    let address = format!("/api/admin/authors/{}", henry["id"]);
    let before = app.get_as(&editor, &format!("/api/admin/books/{walden}")).await.result()["book"]["version"].clone();
    let renamed = json!({ "name": "Henry Thoreau", "version": 1 });
    let changed = app.put_as(&editor, &address, renamed.clone()).await.result()["author"].clone();
    assert_eq!(
        (&changed["name"], &changed["version"], &changed["slug"]),
        (&json!("Henry Thoreau"), &json!(2), &henry["slug"])
    );
    app.put_as(&editor, &address, renamed).await.fails(
        409,
        "edit_conflict",
        "Another version was saved in the meantime. Nothing was changed.",
    );
    // The new name reaches the book, and an editor who has read the old one is told.
    let book = app.get_as(&editor, &format!("/api/admin/books/{walden}")).await.result()["book"].clone();
    assert_eq!(book["author"], "Henry Thoreau");
    let stale = json!({ "author": "Henry David Thoreau", "version": before });
    assert_eq!(app.put_as(&editor, &format!("/api/admin/books/{walden}"), stale).await.status, 409);
    assert_eq!(titles(&app, "q=henry").await, ["Walden"]);

    let other = app.get_as(&editor, "/api/admin/authors?q=h.%20d.").await.result()["authors"][0].clone();
    let merge = format!("/api/admin/authors/{}/merge", other["id"]);
    let itself = app.post_as(&editor, &merge, json!({ "into": other["id"] })).await;
    assert_eq!((itself.status.as_u16(), &itself.json()["field"]), (422, &json!("into")));
    assert_eq!(app.post_as(&editor, &merge, json!({ "into": henry["id"], "version": 7 })).await.status, 409);
    let kept =
        app.post_as(&editor, &merge, json!({ "into": henry["id"], "version": 1 })).await.result()["author"].clone();
    assert_eq!((&kept["id"], &kept["bookCount"], &kept["version"]), (&henry["id"], &json!(2), &json!(3)));
    let slug = kept["slug"].as_str().expect("a slug");
    assert_eq!(titles(&app, &format!("author={slug}")).await, ["Cape Cod", "Walden"]);
    assert_eq!(app.get("/api/books/list?author=h-d-thoreau").await.status, 404);
    // Search follows: the name that is gone finds nothing, the other both.
    assert_eq!(titles(&app, "q=henry%20thoreau").await, ["Cape Cod", "Walden"]);
    let entry = format!("audit_entries WHERE action = 'author.merge' AND subject_id = {}", other["id"]);
    assert_eq!(app.count(&entry), 1);

    app.delete_as(&editor, &address).await.fails(
        409,
        "in_use",
        "There are books by this author. Merge the author with another one instead.",
    );
    app.delete_as(&editor, &format!("/api/admin/authors/{}", added["id"])).await.result();
    assert_eq!(app.get_as(&editor, "/api/admin/authors").await.result()["count"], 1);
}

#[actix_web::test]
async fn tags_are_renamed_merged_and_deleted_with_their_books() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let nature = app.add_category("nature", &[]);
    let one = add_book(&app, &editor, "One", "Ada", &["stoicks", "calm"], nature).await;
    add_book(&app, &editor, "Two", "Ada", &["stoics"], nature).await;
    let list = app.get_as(&editor, "/api/admin/tags").await.result();
    assert_eq!((names(&list["tags"]), &list["count"]), (vec!["calm", "stoicks", "stoics"], &json!(3)));
    let [calm, stoicks, stoics] = ids(&list["tags"])[..] else { panic!("three tags") };

    let taken = app.put_as(&editor, &format!("/api/admin/tags/{calm}"), json!({ "name": "Stoics" })).await;
    taken.fails(409, "already_there", "There is already one with this name. Merge the two instead.");
    let renamed =
        app.put_as(&editor, &format!("/api/admin/tags/{calm}"), json!({ "name": "Inner Calm", "version": 1 })).await;
    let renamed = renamed.result()["tag"].clone();
    assert_eq!(
        (&renamed["name"], &renamed["slug"], &renamed["version"]),
        (&json!("inner calm"), &json!("inner-calm"), &json!(2))
    );
    assert_eq!(titles(&app, "tag=inner-calm").await, ["One"]);
    assert_eq!(app.get("/api/books/list?tag=calm").await.status, 404);
    let book = app.get_as(&editor, &format!("/api/admin/books/{one}")).await.result()["book"].clone();
    assert_eq!((&book["tags"], &book["version"]), (&json!(["inner calm", "stoicks"]), &json!(2)));

    let merged = app.post_as(&editor, &format!("/api/admin/tags/{stoicks}/merge"), json!({ "into": stoics })).await;
    assert_eq!(merged.result()["tag"]["bookCount"], 2);
    assert_eq!(titles(&app, "tag=stoics").await, ["One", "Two"]);
    assert_eq!(app.get_as(&editor, &format!("/api/admin/tags/{stoicks}")).await.status, 404);

    app.delete_as(&editor, &format!("/api/admin/tags/{stoics}")).await.result();
    assert_eq!(app.get("/api/books/list?tag=stoics").await.status, 404);
    let book = app.get_as(&editor, &format!("/api/admin/books/{one}")).await.result()["book"].clone();
    assert_eq!(book["tags"], json!(["inner calm"]));
    assert_eq!(app.count("audit_entries WHERE action IN ('tag.update', 'tag.merge', 'tag.delete')"), 3);
}

#[actix_web::test]
async fn rows_are_deleted_with_what_names_them() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let (nature, rest) = (app.add_category("nature", &[]), app.add_category("rest", &[]));
    let goal = app.post_as(&editor, "/api/admin/goals", json!({ "title": "Calm", "shortTitle": "C" })).await;
    let goal = goal.result()["goal"]["id"].clone();
    let book = add_book(&app, &editor, "One", "Ada", &[], nature).await;
    let address = format!("/api/admin/books/{book}");
    app.put_as(&editor, &address, json!({ "goals": [goal] })).await.result();
    let last = app.delete_as(&editor, &format!("/api/admin/categories/{nature}")).await;
    last.fails(409, "in_use", "Some books are in no other category. Move them first.");
    app.put_as(&editor, &address, json!({ "categories": [rest, nature] })).await.result();
    app.delete_as(&editor, &format!("/api/admin/categories/{nature}")).await.result();
    app.delete_as(&editor, &format!("/api/admin/goals/{goal}")).await.result();
    let written = app.get_as(&editor, &address).await.result()["book"].clone();
    assert_eq!((&written["categories"], &written["goals"]), (&json!([rest]), &json!([])));
    assert_eq!(app.get("/api/goals").await.result()["goals"], json!([]));

    let post = json!({ "title": "A post", "description": "B", "categories": ["C"], "text": "<p>D</p>" });
    let post = app.post_as(&editor, "/api/admin/blog", post).await.result()["post"]["id"].clone();
    let podcast = json!({ "title": "An episode", "author": "B", "authorDesc": "C", "description": "D" });
    let podcast = app.post_as(&editor, "/api/admin/podcasts", podcast).await.result()["podcast"]["id"].clone();
    let insight = json!({ "insight": "A thought", "bookId": written["subid"] });
    let insight = app.post_as(&editor, "/api/admin/insight", insight).await.result()["insight"]["id"].clone();
    let shelf = app.post_as(&editor, "/api/admin/collections/add", json!({ "title": "Shelf" })).await;
    let shelf = shelf.json()["collection"]["id"].clone();
    assert_eq!(app.get("/api/blog/a-post").await.status, 200);
    for address in [
        format!("/api/admin/blog/{post}"),
        format!("/api/admin/podcasts/{podcast}"),
        format!("/api/admin/collections/detail/{shelf}"),
    ] {
        app.delete_as(&editor, &address).await.result();
        assert_eq!(app.delete_as(&editor, &address).await.status, 404, "{address}");
    }
    assert_eq!(app.get("/api/blog/a-post").await.status, 404);
    assert_eq!(app.get("/api/podcasts/an-episode").await.status, 404);

    // A book that a member has stays.
    let member = app.sign_up("ada@example.com").await;
    app.sql(&format!("INSERT INTO library (user_id, book_id, added_at) VALUES ({}, {book}, now())", member.id()));
    let text = "Members have opened, saved or bought this book, so it has to stay for them. Unpublish it instead.";
    app.delete_as(&editor, &address).await.fails(409, "in_use", text);
    app.sql("DELETE FROM library");
    app.delete_as(&editor, &address).await.result();
    assert_eq!(app.get_as(&editor, &address).await.status, 404);
    assert_eq!(titles(&app, "limit=9").await, Vec::<String>::new());
    // The thought stays, without its book.
    let address = format!("/api/admin/insight/{insight}");
    assert_eq!(app.get_as(&editor, &address).await.result()["insight"]["bookId"], Value::Null);
    app.delete_as(&editor, &address).await.result();
    assert_eq!(app.count("audit_entries WHERE action LIKE '%.delete'"), 7);
    assert_eq!(app.count("row_versions WHERE kind IN ('category', 'goal', 'book')"), 0);
    assert_eq!(app.count("row_revisions"), 0);
}

#[actix_web::test]
async fn goals_and_categories_are_put_in_an_order() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let mut goals = Vec::new();
    for title in ["One", "Two", "Three"] {
        let added = app.post_as(&editor, "/api/admin/goals", json!({ "title": title, "shortTitle": title })).await;
        goals.push(added.result()["goal"]["id"].as_i64().expect("an id"));
    }
    let [one, two, three] = goals[..] else { panic!("three goals") };
    let order = json!({ "ids": [three, one, two] });
    let list = app.put_as(&editor, "/api/admin/goals/order", order.clone()).await.result()["goals"].clone();
    assert_eq!(ids(&list), [three, one, two]);
    assert_eq!(ids(&app.get("/api/goals").await.result()["goals"]), [three, one, two]);
    // A form that is open meanwhile can be saved.
    let based = json!({ "title": "Uno", "version": 1 });
    assert_eq!(app.put_as(&editor, &format!("/api/admin/goals/{one}"), based).await.status, 200);
    app.put_as(&editor, "/api/admin/goals/order", order).await.result();
    assert_eq!(app.count("audit_entries WHERE action = 'goal.order'"), 1, "the same order is no change");
    for stale in [json!([one, two]), json!([one, two, 4711]), json!([one, one, two])] {
        let reply = app.put_as(&editor, "/api/admin/goals/order", json!({ "ids": stale })).await;
        reply.fails(409, "edit_conflict", "Another editor added or deleted one in the meantime. Nothing was changed.");
    }
    let (a, b) = (app.add_category("a", &[]), app.add_category("b", &[]));
    let list = app.put_as(&editor, "/api/admin/categories/order", json!({ "ids": [b, a] })).await.result();
    assert_eq!(ids(&list["categories"]), [b, a]);
    assert_eq!(ids(&app.get("/api/categories").await.result()["categories"]), [b, a]);
}

#[actix_web::test]
async fn a_collection_has_chosen_books_in_their_order() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let nature = app.add_category("nature", &[]);
    let one = add_book(&app, &editor, "One", "Ada", &[], nature).await;
    let two = add_book(&app, &editor, "Two", "Ada", &[], nature).await;
    let three = add_book(&app, &editor, "Three", "Ada", &[], nature).await;
    let new = json!({ "title": "Shelf", "categories": [nature], "books": [three, one] });
    let added = app.post_as(&editor, "/api/admin/collections/add", new).await.json()["collection"].clone();
    assert_eq!(added["books"][0], json!({ "id": three, "title": "Three", "author": "Ada" }));
    let shown = |list: Value| -> Vec<Value> { list["order"].as_array().expect("an order").clone() };
    let query = format!("/api/books/list?collection={}", added["id"]);
    assert_eq!(shown(app.get(&query).await.result()), ["three", "one"]);
    assert_eq!(shown(app.get(&format!("{query}&sort=ab")).await.result()), ["one", "three"]);
    let public = app.get(&format!("/api/collections/{}", added["id"])).await.result();
    assert_eq!(public["collection"]["isChosen"], true);

    let address = format!("/api/admin/collections/detail/{}", added["id"]);
    let changed = app.put_as(&editor, &address, json!({ "books": [one, two, three], "version": 1 })).await.json();
    assert_eq!(ids(&changed["collection"]["books"]), [one, two, three]);
    let first = app.get(&format!("{query}&limit=2")).await.result();
    assert_eq!(shown(first.clone()), ["one", "two"]);
    let next = first["next"].as_str().expect("another page");
    assert_eq!(shown(app.get(&format!("{query}&limit=2&after={next}")).await.result()), ["three"]);
    let page = app.get(&format!("/collections/{}", added["id"])).await.text;
    assert!(page.contains("in our editors’ order") && page.contains("Editors’ order"), "{page}");
    let list = app.get_as(&editor, "/api/admin/collections/list").await.json();
    assert_eq!(ids(&list["results"][0]["books"]), [one, two, three]);

    let twice = app.put_as(&editor, &address, json!({ "books": [one, one] })).await;
    assert_eq!((twice.status.as_u16(), &twice.json()["field"]), (422, &json!("books")));
    let unknown = app.put_as(&editor, &address, json!({ "books": [4711] })).await;
    unknown.fails(404, "not_found", "There is no such book.");
    // Without chosen books it holds those of its categories again.
    app.put_as(&editor, &address, json!({ "books": [] })).await;
    assert_eq!(shown(app.get(&query).await.result()).len(), 3);
    assert_eq!(app.count("audit_entries WHERE action = 'collection.update'"), 2);
}

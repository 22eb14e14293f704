//! Editing goals, categories, collections, posts, episodes and insights: required fields, versions, and the audit log.

use crate::harness::{Person, TestApp};
use serde_json::{Value, json};

/// Adds a row, changes it, and changes it again with the version that was read first.
async fn round_trip(app: &TestApp, editor: &Person, base: &str, field: &str, new: Value, change: Value) -> Value {
    let added = app.post_as(editor, base, new).await.result()[field].clone();
    assert_eq!((&added["version"], &added["updatedBy"]), (&json!(1), &Value::Null), "{base}");
    let address = format!("{base}/{}", added["id"]);
    assert_eq!(app.get_as(editor, &address).await.result()[field], added);
    let mut based = change.clone();
    based["version"] = json!(1);
    let changed = app.put_as(editor, &address, based.clone()).await.result()[field].clone();
    assert_eq!((&changed["version"], &changed["updatedBy"]), (&json!(2), &json!("Ada Reader")), "{base}");
    let late = app.put_as(editor, &address, based).await;
    late.fails(409, "edit_conflict", "Another version was saved in the meantime. Nothing was changed.");
    // What says what is there already is no new version.
    let same = app.put_as(editor, &address, change).await.result()[field].clone();
    assert_eq!(same["version"], 2, "{base}");
    let unknown = app.get_as(editor, &format!("{base}/4711")).await;
    assert_eq!((unknown.status.as_u16(), &unknown.json()["code"]), (404, &json!("not_found")), "{base}");
    changed
}

async fn refused(app: &TestApp, editor: &Person, base: &str, new: &Value, fields: &[(&str, &str)]) {
    for (field, label) in fields {
        let mut blank = new.clone();
        blank[*field] = if blank[*field].is_array() { json!([]) } else { json!(" ") };
        let reply = app.post_as(editor, base, blank).await;
        reply.fails(422, "validation_failed", &format!("Please specify {label}."));
        assert_eq!(reply.json()["field"], *field, "{base}");
    }
}

#[actix_web::test]
async fn goals_and_categories_are_added_changed_and_shown() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let goal = json!({ "title": "Stay calm", "shortTitle": "Calm", "desc": "In every storm." });
    refused(&app, &editor, "/api/admin/goals", &goal, &[("title", "Title"), ("shortTitle", "Short title")]).await;
    let change = json!({ "title": "Keep calm", "mobileTitle": "Keep calm" });
    let changed = round_trip(&app, &editor, "/api/admin/goals", "goal", goal, change).await;
    assert_eq!(
        (&changed["title"], &changed["slug"], &changed["desc"]),
        (&json!("Keep calm"), &json!("stay-calm"), &json!("In every storm."))
    );
    assert_eq!(app.get("/api/goals").await.result()["goals"][0]["title"], "Keep calm");
    let address = format!("/api/admin/goals/{}", changed["id"]);
    let blank = app.put_as(&editor, &address, json!({ "mobileTitle": "" })).await;
    blank.fails(422, "validation_failed", "Please specify Mobile title.");
    assert_eq!(app.get_as(&editor, "/api/admin/goals").await.result()["goals"], json!([changed]));

    let category = json!({ "name": "Philosophy", "hue": 45 });
    refused(&app, &editor, "/api/admin/categories", &category, &[("name", "Name")]).await;
    let changed = round_trip(
        &app,
        &editor,
        "/api/admin/categories",
        "category",
        category.clone(),
        json!({ "name": "Thinking", "hue": 90 }),
    )
    .await;
    assert_eq!((&changed["subid"], &changed["hue"]), (&json!("philosophy"), &json!(90)));
    assert_eq!(app.get("/api/categories").await.result()["categories"][0]["name"], "Thinking");
    let taken = app.post_as(&editor, "/api/admin/categories", category).await;
    assert_eq!((taken.status.as_u16(), &taken.json()["code"]), (409, &json!("already_there")));
    let hue = app.put_as(&editor, &format!("/api/admin/categories/{}", changed["id"]), json!({ "hue": 400 })).await;
    assert_eq!((hue.status.as_u16(), &hue.json()["field"]), (422, &json!("hue")));
}

#[actix_web::test]
async fn posts_episodes_and_insights_are_added_changed_and_shown() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let post = json!({ "title": "A post", "description": "About it.", "categories": ["Ideas"], "text": "<p>It.</p><script>x()</script>" });
    let fields = [("title", "Title"), ("description", "Description"), ("categories", "Categories"), ("text", "Text")];
    refused(&app, &editor, "/api/admin/blog", &post, &fields).await;
    let changed = round_trip(&app, &editor, "/api/admin/blog", "post", post, json!({ "title": "Another" })).await;
    assert_eq!((&changed["slug"], &changed["text"]), (&json!("a-post"), &json!("<p>It.</p>")));
    assert_eq!(app.get("/api/blog/a-post").await.result()["post"]["title"], "Another");
    // The documented call names the post in its body.
    let named = json!({ "id": changed["id"], "description": "Said anew." });
    assert_eq!(app.put_as(&editor, "/api/admin/blog", named).await.result()["post"]["version"], 3);
    assert_eq!(app.put_as(&editor, "/api/admin/blog", json!({ "title": "x" })).await.status, 404);
    assert_eq!(app.get_as(&editor, "/api/admin/blog").await.result()["posts"].as_array().map(Vec::len), Some(1));

    let podcast = json!({ "title": "An episode", "author": "Ada", "authorDesc": "She speaks.", "description": "About it.", "script": "<p>Hello.</p>" });
    let fields = [
        ("title", "Title"),
        ("author", "Author"),
        ("authorDesc", "Author description"),
        ("description", "Description"),
    ];
    refused(&app, &editor, "/api/admin/podcasts", &podcast, &fields).await;
    let changed = round_trip(
        &app,
        &editor,
        "/api/admin/podcasts",
        "podcast",
        podcast,
        json!({ "author": "Grace", "authorDesc": "" }),
    )
    .await;
    assert_eq!(
        (&changed["slug"], &changed["author"], &changed["authorDesc"]),
        (&json!("an-episode"), &json!("Grace"), &json!(""))
    );
    assert_eq!(app.get("/api/podcasts/an-episode").await.result()["podcast"]["author"], "Grace");

    assert_eq!(changed["mins"], 1);
    let path = format!("/api/admin/podcasts/{}", changed["id"]);
    for mins in [json!(-1), json!("a few"), json!(1.5), json!([3])] {
        let reply = app.put_as(&editor, &path, json!({ "mins": mins })).await;
        reply.fails(422, "validation_failed", "Please make sure Mins is greater or equal to 0.");
        assert_eq!(reply.json()["field"], "mins");
    }
    for (mins, shown) in [(json!(12), 12), (json!("9"), 9), (json!(9), 9), (json!(""), 1)] {
        let reply = app.put_as(&editor, &path, json!({ "mins": mins })).await.result();
        assert_eq!(reply["podcast"]["mins"], shown, "{mins}");
    }

    let book = app.add_book("walden", "");
    let insight =
        json!({ "insight": "I went to the woods because I wished to live deliberately.", "bookId": "walden" });
    refused(&app, &editor, "/api/admin/insight", &insight, &[("insight", "Quote"), ("bookId", "Book")]).await;
    let changed =
        round_trip(&app, &editor, "/api/admin/insight", "insight", insight, json!({ "title": "The woods" })).await;
    assert_eq!((&changed["bookId"], &changed["title"]), (&json!("walden"), &json!("The woods")));
    let list = app.get_as(&editor, "/api/admin/insight").await.result();
    assert_eq!(list, json!([{ "id": changed["id"], "title": "The woods", "createDate": changed["createDate"] }]));
    let named = json!({ "id": changed["id"], "quoted": false });
    assert_eq!(app.put_as(&editor, "/api/admin/insight", named).await.result()["insight"]["quoted"], false);
    let missing = app.post_as(&editor, "/api/admin/insight", json!({ "insight": "x", "bookId": "nothing" })).await;
    missing.fails(404, "not_found", "There is no such book.");
    assert_eq!(missing.json()["field"], "bookId");
    for name in [json!(book), json!(book.to_string()), json!("walden")] {
        let named = json!({ "id": changed["id"], "bookId": name });
        let reply = app.put_as(&editor, "/api/admin/insight", named).await.result();
        assert_eq!(reply["insight"]["bookId"], "walden", "{name}");
    }
    let blank = app.put_as(&editor, "/api/admin/insight", json!({ "id": changed["id"], "bookId": " " })).await;
    blank.fails(422, "validation_failed", "Please specify Book.");
    let actions =
        ["post.create", "post.update", "podcast.create", "podcast.update", "insight.create", "insight.update"];
    for action in actions {
        assert!(app.count(&format!("audit_entries WHERE action = '{action}'")) > 0, "{action}");
    }
}

#[actix_web::test]
async fn collections_are_answered_at_their_documented_addresses_and_shapes() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let (one, two) = (app.add_category("one", &[]), app.add_category("two", &[]));
    let new = json!({ "title": "Zest", "subtitle": "For life", "categories": format!("{one}, {two}") });
    let added = app.post_as(&editor, "/admin/collections/add", new).await.json();
    assert_eq!((&added["status"], &added["collection"]["categories"]), (&json!("ok"), &json!(format!("{one},{two}"))));
    app.post_as(&editor, "/api/admin/collections/add", json!({ "title": "Awe", "categories": [two] })).await;
    let list = app.get_as(&editor, "/admin/collections/list").await.json();
    let titles: Vec<_> = list["results"].as_array().expect("a list").iter().map(|one| one["title"].clone()).collect();
    assert_eq!(titles, ["Awe", "Zest"]);
    let address = format!("/admin/collections/detail/{}", added["collection"]["id"]);
    let changed = app.post_as(&editor, &address, json!({ "title": "Zeal", "version": 1 })).await.json();
    assert_eq!((&changed["collection"]["title"], &changed["collection"]["version"]), (&json!("Zeal"), &json!(2)));
    assert_eq!(app.get_as(&editor, &format!("/api{address}")).await.json(), changed);
    let late = app.put_as(&editor, &address, json!({ "title": "Zoo", "version": 1 })).await;
    assert_eq!((late.status.as_u16(), &late.json()["code"]), (409, &json!("edit_conflict")));
    let blank = app.post_as(&editor, "/admin/collections/add", json!({ "title": "" })).await;
    blank.fails(422, "validation_failed", "Please specify Title.");
    let member = app.sign_up("ada@example.com").await;
    assert_eq!(app.get_as(&member, "/admin/collections/list").await.status, 403);
}

//! Drafts of pages, and the revisions of posts, episodes and pages (`editorial.page-drafts`, `editorial.kept-revisions`).

use crate::harness::{Person, START, TestApp};
use kernel::HOUR;
use serde_json::{Value, json};

const ABOUT: &str = "/api/admin/pages/about";

async fn public(app: &TestApp) -> String {
    app.get("/api/pages/about").await.text
}

async fn save(app: &TestApp, editor: &Person, form: Value) -> Value {
    app.put_as(editor, ABOUT, form).await.result()["page"].clone()
}

#[actix_web::test]
async fn a_draft_of_a_page_stands_beside_what_the_public_reads_until_it_is_published() {
    let app = TestApp::start().await;
    let mut editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let first = json!({ "title": "About", "description": "Us.", "text": "<p>As it was.</p>" });
    assert_eq!(save(&app, &editor, first).await["published"], true);
    let form = json!({ "version": 2, "text": "<p>As it will be.</p><script>x()</script>", "published": false });
    let draft = save(&app, &editor, form.clone()).await;
    assert_eq!((&draft["published"], &draft["version"]), (&json!(false), &json!(3)));
    assert_eq!((&draft["text"], &draft["title"]), (&json!("<p>As it will be.</p>"), &json!("About")));
    assert_eq!(app.get_as(&editor, ABOUT).await.result()["page"], draft);
    assert_eq!(app.get_as(&editor, "/api/admin/pages").await.result()["pages"][0]["published"], false);
    for path in ["/api/pages/about", "/about"] {
        let text = app.get(path).await.text;
        assert!(text.contains("As it was.") && !text.contains("As it will be."), "{path}");
    }
    let late = app.put_as(&editor, ABOUT, form).await;
    late.fails(409, "edit_conflict", "Another version was saved in the meantime. Nothing was changed.");
    let blank = app.put_as(&editor, ABOUT, json!({ "text": "<script>x()</script>" })).await;
    blank.fails(422, "validation_failed", "Please specify the text.");

    // Discarded, and written once more for a moment.
    let there = app.delete_as(&editor, &format!("{ABOUT}/draft")).await.result()["page"].clone();
    assert_eq!((&there["text"], &there["published"]), (&json!("<p>As it was.</p>"), &json!(true)));
    let at = START.millis() + HOUR;
    let soon =
        save(&app, &editor, json!({ "text": "<p>As it will be.</p>", "published": false, "publishAt": at })).await;
    assert_eq!(soon["publishAt"], at);
    app.queue_scheduled().await;
    app.work_off().await;
    assert!(public(&app).await.contains("As it was."));
    app.env.advance(HOUR);
    app.refresh(&mut editor).await;
    app.queue_scheduled().await;
    app.work_off().await;
    assert!(public(&app).await.contains("As it will be."));
    let now = app.get_as(&editor, ABOUT).await.result()["page"].clone();
    assert_eq!((&now["published"], &now["publishAt"]), (&json!(true), &Value::Null));
    assert_eq!(app.count("audit_entries WHERE actor_kind = 'system' AND action = 'page.update'"), 1);
    assert_eq!(app.count("site_content WHERE name = 'draft.about' AND value <> 'null'"), 0);
}

#[actix_web::test]
async fn texts_of_a_product_page_are_drafted_and_published() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let address = "/api/admin/pages/try";
    let texts = json!([{ "name": "block.0.title", "text": "All of it" }]);
    let draft = app.put_as(&editor, address, json!({ "texts": texts, "published": false })).await.result();
    assert!(draft.to_string().contains("All of it"));
    assert!(!app.get("/try").await.text.contains("All of it"));
    let published = app.put_as(&editor, address, json!({ "published": true })).await.result();
    assert_eq!((&published["page"]["published"], &published["page"]["version"]), (&json!(true), &json!(3)));
    assert!(app.get("/try").await.text.contains("All of it"));
}

#[actix_web::test]
async fn each_version_of_a_post_an_episode_and_a_page_is_kept_and_restored() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let post = json!({ "title": "A", "description": "B", "categories": ["One", "Two"], "text": "<p>First.</p>" });
    let episode =
        json!({ "title": "A", "author": "B", "authorDesc": "C", "description": "D", "script": "<p>First.</p>" });
    let post = app.post_as(&editor, "/api/admin/blog", post).await.result()["post"].clone();
    let episode = app.post_as(&editor, "/api/admin/podcasts", episode).await.result()["podcast"].clone();
    let page = json!({ "title": "About", "description": "Us.", "text": "<p>First.</p>" });
    app.put_as(&editor, ABOUT, page).await.result();
    for (kind, id, one, text) in [
        ("blog", post["id"].to_string(), "post", "text"),
        ("podcasts", episode["id"].to_string(), "podcast", "script"),
        ("pages", "about".to_owned(), "page", "text"),
    ] {
        let address = format!("/api/admin/{kind}/{id}");
        let before = app.get_as(&editor, &address).await.result()[one].clone();
        let mut change = json!({ "title": "Another" });
        change[text] = json!("<p>Second.</p>");
        let changed = app.put_as(&editor, &address, change).await.result()[one].clone();
        let revisions = format!("/api/admin/revisions/{kind}/{id}");
        let list = app.get_as(&editor, &revisions).await.result()["revisions"].clone();
        assert_eq!(list[0]["by"], "Ada Reader", "{kind}");
        assert_eq!(list[0]["version"], changed["version"], "{kind}");
        let mut fields = vec![json!(text), json!("title")];
        fields.sort_by_key(ToString::to_string);
        assert_eq!(list[0]["changed"], json!(fields), "{kind}");
        let first = format!("{revisions}/{}", list[1]["id"]);
        let whole = app.get_as(&editor, &first).await.result()["revision"].clone();
        assert_eq!(whole["fields"][text], "<p>First.</p>", "{kind}");
        let stale = app.post_as(&editor, &format!("{first}/restore"), json!({ "version": before["version"] })).await;
        stale.fails(409, "edit_conflict", "Another version was saved in the meantime. Nothing was changed.");
        let based = json!({ "version": changed["version"] });
        app.post_as(&editor, &format!("{first}/restore"), based).await.result();
        let mut restored = app.get_as(&editor, &address).await.result()[one].clone();
        let mut wanted = before.clone();
        for field in ["version", "updatedAt", "updatedBy"] {
            (restored[field], wanted[field]) = (Value::Null, Value::Null);
        }
        assert_eq!(restored, wanted, "{kind}");
        let after = app.get_as(&editor, &revisions).await.result()["revisions"].clone();
        assert_eq!(after.as_array().map(Vec::len), list.as_array().map(|list| list.len() + 1), "{kind}");
    }
    let there = app.get_as(&editor, "/api/admin/revisions/weather/1").await;
    there.fails(404, "not_found", "There is no such text.");
    // They go with the post.
    app.delete_as(&editor, &format!("/api/admin/blog/{}", post["id"])).await.result();
    assert_eq!(app.count("row_revisions WHERE kind = 'post'"), 0);
}

//! Publication of posts and episodes: drafts, moments, and who sees what (`editorial.publication-moment`).

use crate::harness::{Person, START, TestApp};
use kernel::HOUR;
use serde_json::{Value, json};

/// What the public can find a post or an episode in, besides its own page and call.
const LISTS: [&str; 9] = [
    "/api/blog",
    "/api/blog/known-post",
    "/blog",
    "/blog/feed.xml",
    "/api/podcasts",
    "/api/podcasts/known-episode",
    "/podcasts",
    "/podcasts/feed.xml",
    "/sitemaps/blog.xml",
];

fn post(title: &str) -> Value {
    json!({ "title": title, "description": "About it.", "categories": ["Ideas"], "text": "<p>It.</p>" })
}

fn episode(title: &str) -> Value {
    json!({ "title": title, "author": "Ada", "authorDesc": "She speaks.", "description": "About it.", "script": "<p>Hi.</p>" })
}

async fn add(app: &TestApp, editor: &Person, base: &str, row: Value) -> Value {
    let result = app.post_as(editor, base, row).await.result();
    result["post"].as_object().map_or_else(|| result["podcast"].clone(), |_| result["post"].clone())
}

/// The public roads on which this slug is named.
async fn seen_in(app: &TestApp, slug: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    for path in LISTS {
        let reply = app.get(path).await;
        assert_eq!(reply.status, 200, "{path}");
        if reply.text.contains(slug) {
            found.push(path);
        }
    }
    found
}

async fn run_jobs(app: &TestApp) {
    app.queue_scheduled().await;
    app.work_off().await;
}

#[actix_web::test]
async fn drafts_and_scheduled_posts_are_seen_by_editors_only_until_their_moment() {
    let app = TestApp::start().await;
    let mut editor = app.sign_up_with_role("editor@example.com", "editor").await;
    add(&app, &editor, "/api/admin/blog", post("Known post")).await;
    add(&app, &editor, "/api/admin/podcasts", episode("Known episode")).await;
    let at = START.millis() + HOUR;
    for (base, of, mut row) in [
        ("/api/admin/blog", "/blog", post("Quiet later")),
        ("/api/admin/podcasts", "/podcasts", episode("Quiet later")),
    ] {
        (row["published"], row["publishAt"]) = (json!(false), json!(at));
        let soon = add(&app, &editor, base, row.clone()).await;
        assert_eq!((&soon["published"], &soon["publishAt"], &soon["version"]), (&json!(false), &json!(at), &json!(1)));
        (row["title"], row["publishAt"]) = (json!("Quiet never"), Value::Null);
        let draft = add(&app, &editor, base, row).await;
        assert_eq!((&draft["published"], &draft["publishAt"]), (&json!(false), &Value::Null));
        run_jobs(&app).await;
        for slug in ["quiet-later", "quiet-never"] {
            assert_eq!(seen_in(&app, slug).await, Vec::<&str>::new(), "{of}");
            for path in [format!("/api{of}/{slug}"), format!("{of}/{slug}")] {
                assert_eq!(app.get(&path).await.status, 404, "{path}");
            }
        }
        // Editors see both, in the list and by id.
        let list = app.get_as(&editor, base).await;
        assert!(list.text.contains("quiet-later") && list.text.contains("quiet-never"));
        assert_eq!(app.get_as(&editor, &format!("{base}/{}", soon["id"])).await.status, 200);
    }

    app.env.advance(HOUR);
    app.refresh(&mut editor).await;
    run_jobs(&app).await;
    let everywhere = ["/api/blog", "/api/blog/known-post", "/blog", "/blog/feed.xml"];
    let seen = seen_in(&app, "blog/quiet-later").await;
    assert!(
        seen.contains(&"/blog") && seen.contains(&"/blog/feed.xml") && seen.contains(&"/sitemaps/blog.xml"),
        "{seen:?}"
    );
    let seen = seen_in(&app, "quiet-later").await;
    assert!(everywhere.iter().all(|path| seen.contains(path)), "{seen:?}");
    assert!(seen.contains(&"/api/podcasts") && seen.contains(&"/podcasts"), "{seen:?}");
    assert_eq!(app.get("/api/blog/quiet-later").await.result()["post"]["createDate"], at, "dated as it was announced");
    assert_eq!(app.get("/podcasts/quiet-later").await.status, 200);
    assert_eq!(seen_in(&app, "quiet-never").await, Vec::<&str>::new());
    for action in ["post.update", "podcast.update"] {
        assert_eq!(app.count(&format!("audit_entries WHERE actor_kind = 'system' AND action = '{action}'")), 1);
    }
}

#[actix_web::test]
async fn a_draft_is_published_at_once_and_a_published_post_is_withdrawn() {
    let app = TestApp::start().await;
    let mut editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let mut row = post("A thought");
    row["published"] = json!(false);
    let id = add(&app, &editor, "/api/admin/blog", row).await["id"].clone();
    let address = format!("/api/admin/blog/{id}");
    assert_eq!(app.get("/blog/a-thought").await.status, 404);
    app.env.advance(HOUR);
    app.refresh(&mut editor).await;
    let published = app.put_as(&editor, &address, json!({ "published": true, "version": 1 })).await.result();
    assert_eq!(
        (&published["post"]["version"], &published["post"]["createDate"]),
        (&json!(2), &json!(START.millis() + HOUR))
    );
    assert_eq!(app.get("/blog/a-thought").await.status, 200);
    // A second editor who has read the draft is refused (`catalogue.edit-versions`).
    let late = app.put_as(&editor, &address, json!({ "published": false, "version": 1 })).await;
    late.fails(409, "edit_conflict", "Another version was saved in the meantime. Nothing was changed.");
    app.put_as(&editor, &address, json!({ "published": false, "version": 2 })).await.result();
    assert_eq!(app.get("/blog/a-thought").await.status, 404);
    // A moment that is past is now.
    let again = app.put_as(&editor, &address, json!({ "publishAt": START.millis() })).await.result();
    assert_eq!((&again["post"]["published"], &again["post"]["publishAt"]), (&json!(true), &Value::Null));
    assert_eq!(app.get("/api/blog/a-thought").await.status, 200);
}

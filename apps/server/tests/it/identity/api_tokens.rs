//! API tokens over HTTP: what a program may do with one, and when it ends.

use kernel::{DAY, Env};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::{PASSWORD, Person, Reply, TestApp};

const TOKENS: &str = "/api/user/tokens";

async fn create(app: &TestApp, person: &Person, scopes: &[&str]) -> Value {
    app.post_as(person, TOKENS, json!({ "name": "My reader", "scopes": scopes })).await.result()
}

/// A call of a program.
async fn call(app: &TestApp, token: &Value, method: Method, path: &str, body: Option<Value>) -> Reply {
    let program = Person {
        client: reqwest::Client::new(),
        token: token["text"].as_str().expect("a text").to_owned(),
        user: Value::Null,
        email: String::new(),
    };
    app.send(Some(&program), method, path, body).await
}

async fn today(app: &TestApp, token: &Value) -> StatusCode {
    call(app, token, Method::GET, "/api/study/today", None).await.status
}

fn card(app: &TestApp) -> Value {
    let now = app.env.now().millis();
    let content = json!({ "value": { "question": "Why?", "answer": "So." }, "at": now });
    json!({ "kind": "own", "content": content, "createdAt": now })
}

#[actix_web::test]
async fn a_token_does_what_its_scopes_allow_and_nothing_else() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let [reading, writing] = [create(&app, &ada, &["study:read"]).await, create(&app, &ada, &["study:write"]).await];
    let both = create(&app, &ada, &["study:write", "study:read"]).await;
    assert_eq!(both["token"]["scopes"], json!(["study:read", "study:write"]));
    let save = |token| call(&app, token, Method::PUT, "/api/study/cards/7", Some(card(&app)));
    assert_eq!(save(&writing).await.status, 200);
    assert_eq!(save(&reading).await.status, 403);
    assert_eq!(save(&both).await.status, 200);
    assert_eq!((today(&app, &reading).await, today(&app, &writing).await), (StatusCode::OK, StatusCode::FORBIDDEN));
    let seen = call(&app, &reading, Method::GET, "/api/study/changes?after=0&limit=10", None).await.result();
    assert_eq!(seen["cards"][0]["id"], 7);
    let export = call(&app, &reading, Method::GET, "/api/study/export?format=csv", None).await;
    assert_eq!(export.status, 200);
    for (method, path) in [
        (Method::GET, "/api/user/account"),
        (Method::GET, "/api/user/session"),
        (Method::GET, TOKENS),
        (Method::POST, TOKENS),
        (Method::GET, "/api/study/settings"),
        (Method::GET, "/api/study/webhook"),
        (Method::GET, "/api/user/archive"),
        (Method::GET, "/api/books/walden"),
    ] {
        assert_eq!(call(&app, &both, method.clone(), path, None).await.status, 401, "{method} {path}");
    }
}

#[actix_web::test]
async fn a_token_is_shown_once_listed_without_its_text_and_deleted() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let created = create(&app, &ada, &["study:read"]).await;
    assert!(created["text"].as_str().expect("a text").starts_with("pat_"));
    assert_eq!(created["token"]["lastUsedOn"], Value::Null);
    assert_eq!(today(&app, &created).await, 200);
    let listed = app.get_as(&ada, TOKENS).await;
    assert!(!listed.text.contains("pat_"));
    let tokens = listed.result()["tokens"].take();
    assert_eq!((&tokens[0]["name"], &tokens[0]["lastUsedOn"]), (&json!("My reader"), &json!("2026-06-15")));
    assert_eq!(app.get_as(&bob, TOKENS).await.result()["tokens"], json!([]));
    let path = format!("{TOKENS}/{}", created["token"]["id"]);
    assert_eq!(app.delete_as(&bob, &path).await.status, 404);
    app.delete_as(&ada, &path).await.result();
    assert_eq!(app.delete_as(&ada, &path).await.status, 404);
    assert_eq!(today(&app, &created).await, 401);
}

#[actix_web::test]
async fn a_token_needs_a_fresh_proof_a_name_and_known_scopes() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for (body, field) in [
        (json!({ "name": " ", "scopes": ["study:read"] }), "name"),
        (json!({ "name": "x".repeat(61), "scopes": ["study:read"] }), "name"),
        (json!({ "name": "x", "scopes": [] }), "scopes"),
        (json!({ "name": "x", "scopes": ["admin"] }), "scopes"),
    ] {
        let refused = app.post_as(&ada, TOKENS, body).await.json();
        assert_eq!((&refused["code"], &refused["field"]), (&json!("validation_failed"), &json!(field)));
    }
    app.env.advance(11 * 60_000);
    let body = json!({ "name": "x", "scopes": ["study:read"] });
    let refused = app.post_as(&ada, TOKENS, body.clone()).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("fresh_login_required")));
    app.post_as(&ada, "/api/user/proof", json!({ "currentPassword": PASSWORD })).await.result();
    app.post_as(&ada, TOKENS, body).await.result();
}

#[actix_web::test]
async fn a_new_password_a_suspension_and_a_deleted_account_end_all_tokens() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let ada = app.sign_up("ada@example.com").await;
    let token = create(&app, &ada, &["study:read"]).await;
    let passwords = json!({ "currentPassword": PASSWORD, "password1": "another good password", "password2": "another good password" });
    app.put_as(&ada, "/api/user/password", passwords).await.result();
    assert_eq!(today(&app, &token).await, 401);
    let bob = app.sign_up("bob@example.com").await;
    let token = create(&app, &bob, &["study:read"]).await;
    let path = format!("/api/admin/user/{}/suspend", bob.id());
    app.post_as(&admin, &path, json!({ "reason": "Spam" })).await.result();
    assert_eq!(today(&app, &token).await, 401);
    let eve = app.sign_up("eve@example.com").await;
    let token = create(&app, &eve, &["study:read"]).await;
    app.sql(&format!("DELETE FROM users WHERE id = {}", eve.id()));
    assert_eq!(today(&app, &token).await, 401);
}

#[actix_web::test]
async fn calls_with_tokens_are_limited_for_each_member() {
    let app = TestApp::start_with(&[("RATE_LIMIT_API_TOKEN", "2/3600")]).await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let hers = create(&app, &ada, &["study:read"]).await;
    let other = create(&app, &ada, &["study:read"]).await;
    let his = create(&app, &bob, &["study:read"]).await;
    assert_eq!((today(&app, &hers).await, today(&app, &other).await), (StatusCode::OK, StatusCode::OK));
    assert_eq!((today(&app, &hers).await, today(&app, &his).await), (StatusCode::TOO_MANY_REQUESTS, StatusCode::OK));
    // A call that the scope does not allow counts too.
    let writing = create(&app, &bob, &["study:write"]).await;
    assert_eq!(today(&app, &writing).await, StatusCode::FORBIDDEN);
    assert_eq!(today(&app, &writing).await, StatusCode::TOO_MANY_REQUESTS);
    app.env.advance(DAY);
    assert_eq!(today(&app, &hers).await, 200);
}

/// A call of the document that says that it takes no API token never succeeds with one, and one that does needs its scope.
#[actix_web::test]
async fn the_document_says_which_calls_take_a_token() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let [reading, writing] = [create(&app, &ada, &["study:read"]).await, create(&app, &ada, &["study:write"]).await];
    let both = create(&app, &ada, &["study:read", "study:write"]).await;
    let document = app.get("/api/openapi.json").await.json();
    let paths = document["paths"].as_object().expect("paths");
    let mut with_token = 0;
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().expect("operations") {
            let Ok(method) = Method::from_bytes(method.to_uppercase().as_bytes()) else { continue };
            let schemes = operation["security"].as_array().cloned().unwrap_or_default();
            let takes = |scheme: &str| schemes.iter().any(|one| one.get(scheme).is_some());
            if !takes("token") || path.contains("logout") {
                continue;
            }
            let address = path.replace("{id}", "1").replace(['{', '}'], "");
            let body = (method != Method::GET).then(|| json!({}));
            if takes("apiToken") {
                with_token += 1;
                let wrong = if method == Method::GET { &writing } else { &reading };
                let status = call(&app, wrong, method.clone(), &address, body).await.status.as_u16();
                // A missing parameter or an empty body may be refused first.
                assert!([403, 422].contains(&status), "{method} {path} answers {status}");
            } else if !schemes.iter().any(|one| one.as_object().is_some_and(serde_json::Map::is_empty)) {
                let status = call(&app, &both, method.clone(), &address, body).await.status;
                assert!(status.is_client_error(), "{method} {path} answers {status}");
            }
        }
    }
    assert!(with_token >= 10, "{with_token}");
}

//! Positions that KOReader synchronizes.

use crate::{
    delivery::opds::token,
    harness::{PASSWORD, Person, TestApp},
};
use ::delivery::DocumentId;
use identity::sync_key;
use kernel::{Env, MINUTE};
use reqwest::{Method, Response};
use serde_json::{Value, json};

const PROGRESS: &str = "/koreader/syncs/progress";
/// A document that is not from here.
const FOREIGN: &str = "0b229176d4e8db7f6d2b5a4952368d7a";

/// A call as KOReader makes it.
async fn call(app: &TestApp, key: &str, method: Method, path: &str, body: Option<Value>) -> Response {
    let request = app
        .request(method, path)
        .header("accept", "application/vnd.koreader.v1+json")
        .header("x-auth-user", "ada@example.com")
        .header("x-auth-key", key);
    let request = if let Some(body) = body { request.json(&body) } else { request };
    request.send().await.expect("an answer")
}

async fn json_of(answer: Response) -> Value {
    assert_eq!(answer.status().as_u16(), 200);
    answer.json().await.expect("JSON")
}

fn report(document: &str, progress: &str, percentage: f64) -> Value {
    json!({ "document": document, "progress": progress, "percentage": percentage, "device": "PocketBook", "device_id": "AB12" })
}

async fn save(app: &TestApp, key: &str, report: Value) {
    json_of(call(app, key, Method::PUT, PROGRESS, Some(report)).await).await;
}

async fn read(app: &TestApp, key: &str, document: &str) -> Value {
    json_of(call(app, key, Method::GET, &format!("{PROGRESS}/{document}"), None).await).await
}

async fn place(app: &TestApp, person: &Person, book: &str) -> Value {
    app.get_as(person, &format!("/api/user-book-history/{book}")).await.result()
}

/// The EPUB of a book, as the catalog hands it out; returns the name that KOReader gives it.
async fn document(app: &TestApp, token: &str, book: &str) -> String {
    let answer = app.request(Method::GET, &format!("/opds/books/{book}.epub")).bearer_auth(token);
    let answer = answer.send().await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 200);
    DocumentId::of_file(&answer.bytes().await.expect("a file")).as_str().to_owned()
}

#[actix_web::test]
async fn a_program_logs_in_with_a_token_for_positions() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (places, catalog) = (token(&app, &ada, "places:write").await, token(&app, &ada, "catalog:read").await);
    let auth = async |key: &str| call(&app, key, Method::GET, "/koreader/users/auth", None).await;
    assert_eq!(json_of(auth(&sync_key(&places)).await).await, json!({ "authorized": "OK" }));
    for wrong in ["", &places, &sync_key(&catalog), &sync_key("pat_unknown"), &ada.token] {
        let refused = auth(wrong).await;
        assert_eq!(refused.status().as_u16(), 401, "{wrong}");
        assert_eq!(refused.json::<Value>().await.expect("JSON")["code"], 2001);
    }
    for (method, path) in [(Method::PUT, PROGRESS.to_owned()), (Method::GET, format!("{PROGRESS}/{FOREIGN}"))] {
        let body = Some(report(FOREIGN, "1", 0.1));
        assert_eq!(call(&app, "no key", method, &path, body).await.status().as_u16(), 401);
    }
    let register = json!({ "username": "ada", "password": "x" });
    let refused = call(&app, "", Method::POST, "/koreader/users/create", Some(register)).await;
    assert_eq!(refused.status().as_u16(), 402);
    assert!(refused.json::<Value>().await.expect("JSON")["message"].as_str().unwrap().contains("/api-tokens"));
    assert_eq!(json_of(call(&app, "", Method::GET, "/koreader/healthcheck", None).await).await["state"], "OK");
    // A token that was deleted ends the key too.
    app.sql("DELETE FROM api_tokens");
    assert_eq!(auth(&sync_key(&places)).await.status().as_u16(), 401);
}

#[actix_web::test]
async fn positions_in_any_document_are_kept_for_each_member() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let hers = sync_key(&token(&app, &ada, "places:write").await);
    let his = sync_key(&token(&app, &bob, "places:write").await);
    assert_eq!(read(&app, &hers, FOREIGN).await, json!({}));
    save(&app, &hers, report(FOREIGN, "/body/DocFragment[3]/body/p[2]", 0.25)).await;
    // Of a document with fixed pages.
    save(
        &app,
        &hers,
        json!({ "document": FOREIGN, "progress": 12, "percentage": 0.5, "device": "Kobo", "device_id": "C" }),
    )
    .await;
    let synced = read(&app, &hers, FOREIGN).await;
    assert_eq!(
        synced,
        json!({
            "document": FOREIGN, "progress": "12", "percentage": 0.5, "device": "Kobo", "device_id": "C",
            "timestamp": app.env.now().millis() / 1_000,
        })
    );
    assert_eq!(read(&app, &his, FOREIGN).await, json!({}));
    for wrong in [
        report("my-book.epub", "1", 0.5),
        report(FOREIGN, "1", 1.5),
        report(FOREIGN, &"x".repeat(501), 0.5),
        json!({ "document": FOREIGN }),
    ] {
        let refused = call(&app, &hers, Method::PUT, PROGRESS, Some(wrong.clone())).await;
        assert!(refused.status().is_client_error(), "{wrong}");
    }
    assert_eq!(app.count("synced_places"), 1);
}

#[actix_web::test]
async fn a_position_in_a_file_of_a_book_is_one_in_the_book_and_the_later_one_counts() {
    let app = TestApp::start().await;
    app.add_book("walden", "");
    let ada = app.sign_up_paid("ada@example.com").await;
    let catalog = token(&app, &ada, "catalog:read").await;
    let key = sync_key(&token(&app, &ada, "places:write").await);
    let document = document(&app, &catalog, "walden").await;
    // Cover, title and contents may come before the first section: what the site says of a section is where it begins.
    app.put_as(&ada, "/api/user-book-history", json!({ "bookId": "walden", "position": 0 })).await.result();
    let synced = read(&app, &key, &document).await;
    assert_eq!((&synced["device"], &synced["percentage"]), (&json!("Pith"), &json!(0.0)));
    let first = synced["progress"].as_str().expect("a position").to_owned();
    let number = |progress: &str| -> u32 {
        let digits = progress.strip_prefix("/body/DocFragment[").and_then(|rest| rest.split_once(']'));
        digits.expect("a page").0.parse().expect("a number")
    };
    let at = |section: u32| format!("/body/DocFragment[{}]/body/p[1]/text().0", number(&first) + section);

    app.env.advance(MINUTE);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    save(&app, &key, report(&document, &at(2), 0.4)).await;
    let now = place(&app, &ada, "walden").await;
    assert_eq!((&now["place"]["position"], &now["completed"]), (&json!(2), &json!(false)));
    assert_eq!(now["place"]["device"], "koreader-AB12");
    assert_eq!(read(&app, &key, &document).await["progress"], at(2));
    // After reading on in the browser the e-reader gets that position.
    app.env.advance(MINUTE);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    app.put_as(&ada, "/api/user-book-history", json!({ "bookId": "walden", "position": 3 })).await.result();
    let synced = read(&app, &key, &document).await;
    assert_eq!((number(synced["progress"].as_str().unwrap()), &synced["device"]), (number(&first) + 3, &json!("Pith")));
    // Behind the last section it is completed, which no later position undoes.
    app.env.advance(MINUTE);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    save(&app, &key, report(&document, &at(6), 0.99)).await;
    assert_eq!(place(&app, &ada, "walden").await["completed"], true);
    app.env.advance(MINUTE);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    save(&app, &key, report(&document, &at(0), 0.1)).await;
    let now = place(&app, &ada, "walden").await;
    assert_eq!((&now["place"]["position"], &now["completed"]), (&json!(0), &json!(true)));
    // What the site can't read is kept as it is.
    save(&app, &key, report(&document, "#anchor", 0.2)).await;
    assert_eq!(read(&app, &key, &document).await["progress"], "#anchor");
    assert_eq!(place(&app, &ada, "walden").await["place"]["position"], 0);
}

#[actix_web::test]
async fn who_may_not_read_a_book_has_no_position_in_it_by_a_file_of_others() {
    let app = TestApp::start().await;
    app.add_book("walden", "");
    let (paid, ada) = (app.sign_up_paid("paid@example.com").await, app.sign_up("ada@example.com").await);
    let document = document(&app, &token(&app, &paid, "catalog:read").await, "walden").await;
    let key = sync_key(&token(&app, &ada, "places:write").await);
    save(&app, &key, report(&document, "/body/DocFragment[5]/body", 0.4)).await;
    assert_eq!(read(&app, &key, &document).await["progress"], "/body/DocFragment[5]/body");
    assert_eq!(place(&app, &ada, "walden").await["place"], json!(null));
    assert_eq!(app.count("history"), 0);
}

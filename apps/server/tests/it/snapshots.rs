//! The shapes of the main answers, whole. A change here is a change of the contract.

use crate::harness::TestApp;
use insta::assert_json_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

/// What differs from run to run is not part of the shape.
fn steady(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                *field = match name.as_str() {
                    "token" => json!("[token]"),
                    "uploadDate" => json!("[time]"),
                    "id" | "bookId" => json!("[id]"),
                    _ => steady(field.take()),
                };
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = steady(item.take())),
        _ => {}
    }
    value
}

#[actix_web::test]
async fn a_book_for_each_of_its_viewers() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "");
    let address = format!("/api/books/{book}");
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);
    assert_json_snapshot!("book_visitor", steady(app.get(&address).await.json()));
    assert_json_snapshot!("book_free", steady(app.get_as(&free, &address).await.json()));
    assert_json_snapshot!("book_paid", steady(app.get_as(&paid, &address).await.json()));
    for n in 0..2 {
        let other = app.add_book(&format!("other-{n}"), "");
        app.get_as(&free, &format!("/api/books/{other}")).await.result();
    }
    let fourth = app.add_book("fourth", "");
    assert_json_snapshot!(
        "book_limit_reached",
        steady(app.get_as(&free, &format!("/api/books/{fourth}")).await.json())
    );
}

#[actix_web::test]
async fn a_member_and_what_a_member_has() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "free = true");
    let reader = app.sign_up("ada@example.com").await;
    assert_json_snapshot!("session", steady(app.get_as(&reader, "/api/user/session").await.json()));
    let complete = json!({ "bookId": book, "position": 5, "completed": true });
    assert_json_snapshot!("completion", steady(app.put_as(&reader, "/api/user-book-history", complete).await.json()));
    app.post_as(&reader, "/api/library", json!({ "bookId": "a-book" })).await.result();
    assert_json_snapshot!("history", steady(app.get_as(&reader, "/api/user-book-history").await.json()));
    assert_json_snapshot!("list", steady(app.get("/api/books/list").await.json()));
}

#[actix_web::test]
async fn failures() {
    let app = TestApp::start().await;
    assert_json_snapshot!("not_logged_in", app.get("/api/library").await.json());
    let incomplete = json!({ "username": "ada@example.com", "password": "" });
    assert_json_snapshot!("field", app.send(None, Method::POST, "/api/user/login", Some(incomplete)).await.json());
}

//! Two processes on one database: what one changes, the other does not go on serving from its memory.

use std::time::{Duration, Instant};

use crate::harness::{Person, TestApp};
use reqwest::StatusCode;
use serde_json::{Value, json};

/// After this time a change does not reach the other node.
const DEADLINE: Duration = Duration::from_mins(2);

/// Asks until the answer is as wanted.
async fn eventually(app: &TestApp, person: &Person, address: &str, wanted: impl Fn(StatusCode, &Value) -> bool) {
    let started = Instant::now();
    loop {
        let reply = app.get_as(person, address).await;
        if wanted(reply.status, &reply.json()) {
            return;
        }
        assert!(started.elapsed() < DEADLINE, "{address} still answers {}: {}", reply.status, reply.text);
        tokio::task::yield_now().await;
    }
}

#[actix_web::test]
async fn a_session_that_ends_on_one_node_ends_on_the_other() {
    let one = TestApp::start().await;
    let other = one.start_beside().await;
    let reader = one.sign_up("ada@example.com").await;
    // The other node remembers the token from now on.
    other.get_as(&reader, "/api/user/account").await.result();
    one.post_as(&reader, "/api/user/logout", json!({})).await.result();
    assert_eq!(
        one.get_as(&reader, "/api/user/account").await.status,
        StatusCode::UNAUTHORIZED,
        "at once where it ended"
    );
    eventually(&other, &reader, "/api/user/account", |status, _| status == StatusCode::UNAUTHORIZED).await;
}

#[actix_web::test]
async fn a_place_saved_on_one_node_is_where_the_other_begins() {
    let one = TestApp::start().await;
    let other = one.start_beside().await;
    let book = one.add_book("a-book", "free = true");
    let reader = one.sign_up("ada@example.com").await;
    let address = format!("/api/books/{book}");
    // Twice, so that the answer is in both memories.
    for _ in 0..2 {
        one.get_as(&reader, &address).await.result();
        other.get_as(&reader, &address).await.result();
    }
    one.put_as(&reader, "/api/user-book-history", json!({ "bookId": book, "position": 3 })).await.result();
    assert_eq!(one.get_as(&reader, &address).await.result()["book"]["position"], 3, "at once where it was saved");
    eventually(&other, &reader, &address, |_, body| body["result"]["book"]["position"] == 3).await;
}

#[actix_web::test]
async fn both_nodes_sign_with_keys_that_the_other_knows() {
    let one = TestApp::start().await;
    let other = one.start_beside().await;
    let (ada, grace) = (one.sign_up("ada@example.com").await, other.sign_up("grace@example.com").await);
    other.get_as(&ada, "/api/user/account").await.result();
    one.get_as(&grace, "/api/user/account").await.result();
    assert_eq!(one.count("root_keys"), 1);
}

#[actix_web::test]
async fn scheduled_jobs_are_queued_by_one_of_two_nodes_at_each_due_moment() {
    let one = TestApp::start().await;
    let other = one.start_beside().await;
    for _ in 0..2 {
        let (first, second) = tokio::join!(one.queue_scheduled(), other.queue_scheduled());
        let all = one.count("job_schedules");
        assert!(all > 0);
        assert_eq!(i64::try_from(first + second), Ok(all));
        assert_eq!(one.count("jobs"), all);
        let (first, second) = tokio::join!(one.work_off(), other.work_off());
        assert_eq!(i64::try_from(first + second), Ok(all));
        assert_eq!(one.count("jobs"), 0, "they leave no rows");
        // The longest schedule is a day.
        one.env.advance(kernel::DAY);
    }
}

//! The database goes away and comes back.

use std::time::{Duration, Instant};

use crate::harness::TestApp;
use reqwest::StatusCode;
use server::upkeep::Upkeep;

/// After this time it hangs.
const DEADLINE: Duration = Duration::from_mins(2);
/// How many times longer a crowd may wait for its refusals than one caller does. If each waited in turn, it would be about
/// 14 times: 200 calls on 14 threads.
const CROWD_FACTOR: u32 = 8;

async fn until_ready_is(app: &TestApp, wanted: StatusCode) {
    let started = Instant::now();
    while app.get("/readyz").await.status != wanted {
        assert!(started.elapsed() < DEADLINE, "/readyz does not become {wanted}");
        tokio::task::yield_now().await;
    }
}

#[actix_web::test]
async fn without_the_database_what_is_in_memory_is_served_and_the_rest_is_told_to_come_back() {
    let app = TestApp::start().await;
    app.add_book("a-book", "");
    let reader = app.sign_up_paid("paid@example.com").await;
    let public = ["/", "/books/a-book", "/login", "/api/books", "/api/books/a-book"];
    until_ready_is(&app, StatusCode::OK).await;
    for address in public {
        assert_eq!(app.get(address).await.status, StatusCode::OK, "{address}");
    }
    // The first open is recorded, the second one remembered.
    for _ in 0..2 {
        app.get_as(&reader, "/api/books/a-book").await.result();
    }

    app.cut_database();
    until_ready_is(&app, StatusCode::SERVICE_UNAVAILABLE).await;
    // Longer than an answer is otherwise fresh.
    app.env.advance(60_000);
    for address in public {
        assert_eq!(app.get(address).await.status, StatusCode::OK, "{address} was in memory");
    }
    assert_eq!(app.get_as(&reader, "/api/books/a-book").await.result()["book"]["showPremiumContent"], true);

    // One caller waits for a connection. More callers at once than there are threads do not wait for each other's waits.
    let begin = Instant::now();
    assert_eq!(app.get("/api/books?limit=1&sort=video").await.status, StatusCode::SERVICE_UNAVAILABLE);
    let alone = begin.elapsed().max(Duration::from_secs(1));
    let begin = Instant::now();
    let new = ["ab", "trending"].into_iter().flat_map(|sort| (1..=100).map(move |limit| (sort, limit)));
    let new = new.map(|(sort, limit)| app.get_owned(format!("/api/books?limit={limit}&sort={sort}")));
    for refused in futures_util::future::join_all(new).await {
        assert_eq!(
            (refused.status, &refused.headers["retry-after"]),
            (StatusCode::SERVICE_UNAVAILABLE, &"2".parse().unwrap())
        );
    }
    assert!(begin.elapsed() < CROWD_FACTOR * alone, "refused after {:?}, alone after {alone:?}", begin.elapsed());

    // A person who asked for a page gets a page.
    for address in ["/signup", "/books?sort=ab", "/books/another-book"] {
        let page = app.get(address).await;
        assert_eq!(
            (page.status, &page.headers["retry-after"]),
            (StatusCode::SERVICE_UNAVAILABLE, &"2".parse().unwrap())
        );
        assert!(page.headers["content-type"].to_str().expect("text").starts_with("text/html"), "{address}");
        assert!(page.text.contains("The service is busy. Please try again in a moment."), "{address}");
    }

    assert!(Upkeep::of(&app.app).flush_counts().await.is_err());

    app.restore_database();
    until_ready_is(&app, StatusCode::OK).await;
    Upkeep::of(&app.app).flush_counts().await.expect("the database is back");
    assert_eq!(app.count("book_stats WHERE read_count > 0"), 1, "an open waits for the database");
    app.get("/api/books?limit=3").await.result();
}

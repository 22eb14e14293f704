//! A book's text as a file: who may have it, what it takes, and what is in it.

use crate::harness::{Person, Reply, TestApp};
use reqwest::{Method, StatusCode};

const CALLS: [(&str, &str, &[u8]); 2] =
    [("download-pdf", "application/pdf", b"%PDF-1.7"), ("download-epub", "application/epub+zip", b"PK\x03\x04")];

async fn download(app: &TestApp, person: &Person, call: &str, book: impl std::fmt::Display) -> (StatusCode, Vec<u8>) {
    let request = app.request(Method::GET, &format!("/api/books/{call}/{book}")).bearer_auth(&person.token);
    let reply = request.send().await.expect("an answer");
    (reply.status(), reply.bytes().await.expect("a body").to_vec())
}

async fn refused(app: &TestApp, person: Option<&Person>, book: impl std::fmt::Display) -> Reply {
    app.send(person, Method::GET, &format!("/api/books/download-pdf/{book}"), None).await
}

async fn left(app: &TestApp, person: &Person, book: i64) -> i64 {
    app.get_as(person, &format!("/api/books/{book}")).await.result()["book"]["allowance"]["left"].as_i64().unwrap_or(-1)
}

#[actix_web::test]
async fn a_paid_member_gets_both_files_under_a_good_name() {
    let app = TestApp::start().await;
    let paid = app.sign_up_paid("paid@example.com").await;
    app.add_book("a-book", "");
    for (call, kind, beginning) in CALLS {
        let request = app.request(Method::GET, &format!("/api/books/{call}/a-book")).bearer_auth(&paid.token);
        let reply = request.send().await.expect("an answer");
        let header = |name: &str| reply.headers()[name].to_str().expect("a plain header").to_owned();
        assert_eq!((reply.status(), header("content-type").as_str()), (StatusCode::OK, kind));
        let ending = call.rsplit('-').next().expect("an ending");
        let named = format!("attachment; filename=\"Title of a-book.{ending}\"");
        assert!(header("content-disposition").starts_with(&named), "{}", header("content-disposition"));
        assert_eq!(header("cache-control"), "private, no-store");
        let bytes = reply.bytes().await.expect("a body");
        assert!(bytes.starts_with(beginning) && bytes.len() > 3_000, "{call}: {} bytes", bytes.len());
        // It is kept, and comes again as it was.
        assert_eq!(download(&app, &paid, call, "a-book").await, (StatusCode::OK, bytes.to_vec()));
    }
    let kept: Vec<_> = std::fs::read_dir(app.home().join("media/documents")).expect("a folder").collect();
    assert_eq!(kept.len(), 2);
}

#[actix_web::test]
async fn another_text_is_another_file() {
    let app = TestApp::start().await;
    let paid = app.sign_up_paid("paid@example.com").await;
    let book = app.add_book("a-book", "");
    let (_, before) = download(&app, &paid, "download-epub", book).await;
    app.sql("UPDATE books SET body = '<h3>Other</h3><p>Another text altogether.</p>'");
    let (_, after) = download(&app, &paid, "download-epub", book).await;
    assert_ne!(before, after);
}

#[actix_web::test]
async fn a_file_takes_from_the_allowance_what_opening_takes_and_once() {
    let app = TestApp::start().await;
    let free = app.sign_up("free@example.com").await;
    let books: Vec<i64> = (0..4).map(|n| app.add_book(&format!("book-{n}"), "")).collect();
    // Asking for the headers takes nothing.
    let head = app.send(Some(&free), Method::HEAD, &format!("/api/books/download-epub/{}", books[0]), None).await;
    assert_eq!(head.status, StatusCode::OK);
    assert_eq!(app.count("opened_books"), 0);
    for book in &books[..3] {
        for _ in 0..2 {
            assert_eq!(download(&app, &free, "download-epub", book).await.0, StatusCode::OK);
        }
    }
    assert_eq!(app.count("opened_books"), 3);
    refused(&app, Some(&free), books[3]).await.fails(
        403,
        "upgrade_required",
        "Please upgrade to download this summary.",
    );
    // What was opened stays to be downloaded, and to be read.
    assert_eq!(download(&app, &free, "download-epub", books[0]).await.0, StatusCode::OK);
    assert!(left(&app, &free, books[1]).await <= 0);
}

#[actix_web::test]
async fn what_a_file_takes_is_told_before_and_takes_nothing() {
    let app = TestApp::start().await;
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);
    let books: Vec<i64> = (0..4).map(|n| app.add_book(&format!("book-{n}"), "")).collect();
    let told = async |person: Option<&Person>, book: &str| {
        let reply = app.send(person, Method::GET, &format!("/api/books/{book}/file"), None).await;
        let result = reply.result();
        let said = |name: &str| result[name].as_bool().expect("yes or no");
        (said("canDownload"), said("takesOne"), result["book"]["title"].as_str().expect("a title").to_owned())
    };
    let title = |n: u8| format!("Title of book-{n}");
    assert_eq!(told(None, "book-0").await, (false, false, title(0)));
    assert_eq!(told(Some(&paid), "book-0").await, (true, false, title(0)));
    assert_eq!(told(Some(&free), "book-0").await, (true, true, title(0)));
    assert_eq!(app.count("opened_books"), 0);
    for book in &books[..3] {
        app.get_as(&free, &format!("/api/books/{book}")).await.result();
    }
    assert_eq!(told(Some(&free), "book-0").await, (true, false, title(0)));
    assert_eq!(told(Some(&free), &books[3].to_string()).await, (false, false, title(3)));
    let given = app.add_book("given", "free = true").to_string();
    assert_eq!(told(Some(&free), &given).await, (true, false, "Title of given".to_owned()));
    assert!(told(None, &given).await.0);
    let soon = app.add_book("soon", "free = true, coming_soon = true").to_string();
    assert_eq!(told(Some(&paid), &soon).await, (false, false, "Title of soon".to_owned()));
    app.get_as(&paid, "/api/books/nowhere/file").await.fails(404, "not_found", "There is no such book.");
    app.sql("UPDATE books SET published = false");
    app.app.responses.invalidate_catalogue();
    app.get("/api/books/book-0/file").await.fails(404, "not_found", "There is no such book.");
}

#[actix_web::test]
async fn who_is_not_signed_in_and_what_is_not_there_get_nothing() {
    let app = TestApp::start().await;
    let paid = app.sign_up_paid("paid@example.com").await;
    let book = app.add_book("a-book", "free = true");
    refused(&app, None, book).await.fails(401, "unauthenticated", "Please log in.");
    refused(&app, Some(&paid), 4711).await.fails(404, "not_found", "There is no such book.");
    app.sql("UPDATE books SET coming_soon = true");
    app.app.responses.invalidate_catalogue();
    refused(&app, Some(&paid), book).await.fails(404, "not_found", "This summary has not been written yet.");
    app.sql("UPDATE books SET coming_soon = false, published = false");
    app.app.responses.invalidate_catalogue();
    refused(&app, Some(&paid), book).await.fails(404, "not_found", "There is no such book.");
}

#[actix_web::test]
async fn nothing_is_taken_for_a_file_that_can_not_be_made() {
    let app = TestApp::start().await;
    let free = app.sign_up("free@example.com").await;
    let book = app.add_book("a-book", "");
    app.sql("UPDATE books SET body = ''");
    for (call, ..) in CALLS {
        assert_eq!(download(&app, &free, call, book).await.0, StatusCode::INTERNAL_SERVER_ERROR);
    }
    assert_eq!(app.count("opened_books"), 0);
    app.sql("UPDATE books SET body = '<h3>α</h3><p>≈ → 孫 Ж self‑made 한</p>'");
    assert_eq!(download(&app, &free, "download-pdf", book).await.0, StatusCode::OK);
    assert_eq!(app.count("opened_books"), 1);
}

#[actix_web::test]
async fn files_asked_for_at_once_give_no_more_than_the_allowance_has() {
    let app = TestApp::start().await;
    let free = app.sign_up("free@example.com").await;
    let books: Vec<i64> = (0..6).map(|n| app.add_book(&format!("book-{n}"), "")).collect();
    let all = books.iter().map(|book| download(&app, &free, "download-epub", book));
    let answers = futures_util::future::join_all(all).await;
    let given = answers.iter().filter(|(status, _)| *status == StatusCode::OK).count();
    assert_eq!((given, app.count("opened_books")), (3, 3));
}

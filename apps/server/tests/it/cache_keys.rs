//! Which requests share a cached response, and how long a target may be.

use crate::harness::TestApp;

/// How many requests a client sends that differ in what no call reads.
const MANY: usize = 200;

#[actix_web::test]
async fn unknown_parameters_and_their_order_make_no_further_cached_responses() {
    let app = TestApp::start().await;
    app.add_book("a-book", "free = true");
    let filler = "x".repeat(4_000);
    for (plain, variant) in [
        ("/api/books?limit=5", "/api/books?FILLER&limit=5"),
        ("/api/books?limit=5&sort=ab", "/api/books?sort=%61b&FILLER&limit=5"),
        ("/api/categories", "/api/categories?FILLER"),
        ("/books", "/books?FILLER"),
        ("/categories", "/categories?FILLER"),
        ("/booklist/a", "/booklist/a?FILLER"),
        ("/api/authors/ada-author", "/api/authors/ada%2Dauthor?FILLER"),
    ] {
        let expected = app.get(plain).await;
        let (entries, weight) = app.app.responses.size();
        for number in 0..MANY / 10 {
            let reply = app.get(&variant.replace("FILLER", &format!("n={number}&fill={filler}"))).await;
            assert_eq!((reply.status, &reply.text), (expected.status, &expected.text), "{variant}");
        }
        assert_eq!(app.app.responses.size(), (entries, weight), "{variant}");
    }
}

#[actix_web::test]
async fn a_page_of_a_list_links_to_the_next_one_without_parameters_that_it_does_not_read() {
    let app = TestApp::start().await;
    for number in 0..25 {
        app.add_book(&format!("book-{number}"), "free = true");
    }
    let page = app.get("/books?sort=ab&utm_source=somewhere").await;
    assert!(page.text.contains("/books?sort=ab&#38;after="), "{}", page.text);
    assert!(!page.text.contains("utm_source"), "{}", page.text);
}

#[actix_web::test]
async fn a_target_of_more_than_eight_kilobytes_gets_414() {
    let app = TestApp::start().await;
    for path in ["/api/books", "/books", "/api/user/login"] {
        let longest = format!("{path}?q={}", "x".repeat(8 * 1024 - path.len() - 3));
        assert_ne!(app.get(&longest).await.status, 414, "{path}");
        let refused = app.get(&format!("{longest}x")).await;
        refused.fails(414, "uri_too_long", "The address is longer than 8 kB.");
        assert!(refused.headers.contains_key("content-security-policy"));
    }
}

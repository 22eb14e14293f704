//! The catalog for e-reader programs.

use std::collections::BTreeSet;

use crate::harness::{Person, TestApp};
use kernel::DAY;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

/// A token of a member, by its text.
pub(super) async fn token(app: &TestApp, person: &Person, scope: &str) -> String {
    let token = json!({ "name": "My e-reader", "scopes": [scope] });
    let created = app.post_as(person, "/api/user/tokens", token).await.result();
    created["text"].as_str().expect("a text").to_owned()
}

async fn sent(request: RequestBuilder) -> Response {
    request.send().await.expect("an answer")
}

/// What a program gets that signs in by HTTP Basic.
async fn get(app: &TestApp, token: &str, path: &str) -> Response {
    sent(app.request(Method::GET, path).basic_auth("anything@example.com", Some(token))).await
}

async fn feed(app: &TestApp, token: &str, path: &str) -> String {
    let answer = get(app, token, path).await;
    assert_eq!(answer.status().as_u16(), 200, "{path}");
    assert_eq!(answer.headers()["cache-control"], "private, no-store");
    answer.text().await.expect("a text")
}

async fn json_feed(app: &TestApp, token: &str, path: &str) -> Value {
    serde_json::from_str(&feed(app, token, path).await).expect("JSON")
}

fn titles(feed: &Value) -> Vec<&str> {
    let books = feed["publications"].as_array().expect("publications").iter();
    books.map(|book| book["metadata"]["title"].as_str().expect("a title")).collect()
}

/// The URL of the first link with this relation.
fn link<'a>(links: &'a Value, rel: &str) -> Option<&'a str> {
    links.as_array()?.iter().find(|link| link["rel"] == rel)?["href"].as_str()
}

#[actix_web::test]
async fn a_program_signs_in_with_a_token_of_the_catalog_only() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (catalog, study) = (token(&app, &ada, "catalog:read").await, token(&app, &ada, "study:read").await);
    for path in ["/opds", "/opds/2", "/opds/new", "/opds/2/categories", "/opds/books/walden.epub"] {
        for request in [
            app.request(Method::GET, path),
            app.request(Method::GET, path).basic_auth("ada@example.com", Some("pat_unknown")),
            app.request(Method::GET, path).basic_auth("ada@example.com", None::<&str>),
            app.request(Method::GET, path).header("Authorization", "Basic !!!"),
            // A session is no token.
            app.request(Method::GET, path).bearer_auth(&ada.token),
        ] {
            let refused = sent(request).await;
            assert_eq!(refused.status().as_u16(), 401, "{path}");
            assert!(refused.headers()["www-authenticate"].to_str().unwrap().starts_with("Basic realm="));
            assert!(refused.headers()["link"].to_str().unwrap().contains("auth/document"));
        }
        assert_eq!(get(&app, &study, path).await.status().as_u16(), 403, "{path}");
    }
    let answer = get(&app, &catalog, "/opds").await;
    assert_eq!(answer.headers()["content-type"], "application/atom+xml;profile=opds-catalog;kind=navigation");
    assert_eq!(sent(app.request(Method::GET, "/opds").bearer_auth(&catalog)).await.status().as_u16(), 200);
    let document: Value = sent(app.request(Method::GET, "/opds/authentication.json")).await.json().await.expect("JSON");
    assert_eq!(document["authentication"][0]["type"], "http://opds-spec.org/auth/basic");
    let search = sent(app.request(Method::GET, "/opds/opensearch.xml")).await;
    assert_eq!(search.headers()["content-type"], "application/opensearchdescription+xml");
    assert!(search.text().await.unwrap().contains("/opds/search?q={searchTerms}"));
    // The token works with nothing else.
    assert_eq!(sent(app.request(Method::GET, "/api/user/account").bearer_auth(&catalog)).await.status().as_u16(), 401);
}

#[actix_web::test]
async fn the_catalog_has_what_the_member_may_read_and_takes_nothing() {
    let app = TestApp::start().await;
    let (walden, opened) = (app.add_book("walden", ""), app.add_book("opened", ""));
    app.add_book("free-book", "free = true");
    app.add_book("soon", "coming_soon = true");
    app.add_category("philosophy", &[walden, opened]);
    let (ada, paid) = (app.sign_up("ada@example.com").await, app.sign_up_paid("paid@example.com").await);
    app.get_as(&ada, "/api/books/opened").await.result();
    let [hers, his] = [token(&app, &ada, "catalog:read").await, token(&app, &paid, "catalog:read").await];

    let all = |feed: &Value| titles(feed).into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    let named = |names: &[&str]| names.iter().map(|name| format!("Title of {name}")).collect::<BTreeSet<_>>();
    assert_eq!(all(&json_feed(&app, &hers, "/opds/2/new").await), named(&["free-book", "opened"]));
    assert_eq!(all(&json_feed(&app, &his, "/opds/2/new").await), named(&["free-book", "opened", "walden"]));
    assert_eq!(all(&json_feed(&app, &hers, "/opds/2/categories/philosophy").await), named(&["opened"]));
    assert_eq!(all(&json_feed(&app, &his, "/opds/2/search?q=walden").await), named(&["walden"]));
    assert_eq!(all(&json_feed(&app, &hers, "/opds/2/search?q=walden").await), named(&[]));
    assert_eq!(all(&json_feed(&app, &hers, "/opds/2/library").await), named(&[]));
    app.post_as(&ada, "/api/library", json!({ "bookId": walden })).await.result();
    app.post_as(&ada, "/api/library", json!({ "bookId": opened })).await.result();
    app.put_as(&ada, "/api/user-book-history", json!({ "bookId": opened, "position": 1 })).await.result();
    assert_eq!(all(&json_feed(&app, &hers, "/opds/2/library").await), named(&["opened"]));
    assert_eq!(all(&json_feed(&app, &hers, "/opds/2/reading").await), named(&["opened"]));
    let categories = json_feed(&app, &hers, "/opds/2/categories").await;
    let lists = categories["navigation"].as_array().expect("lists");
    let philosophy = lists.iter().find(|list| list["title"] == "Name of philosophy").expect("the category");
    assert!(philosophy["href"].as_str().unwrap().ends_with("/opds/2/categories/philosophy"));
    for missing in [
        "/opds/2/none",
        "/opds/categories/none",
        "/opds/2/categories/none",
        "/opds/books/walden.txt",
        "/opds/books/none.epub",
    ] {
        assert_eq!(get(&app, &his, missing).await.status().as_u16(), 404, "{missing}");
    }
    assert_eq!(get(&app, &his, "/opds/new?after=nonsense").await.status().as_u16(), 422);

    // A book can be had by the link that the feed gives, and no other.
    let feed = json_feed(&app, &hers, "/opds/2/library").await;
    let file = link(&feed["publications"][0]["links"], "http://opds-spec.org/acquisition").expect("a link");
    let path = file.strip_prefix(&app.app.config.public_url).expect("a link to this site");
    assert_eq!(path, "/opds/books/opened.epub");
    let answer = get(&app, &hers, path).await;
    assert_eq!(
        (answer.status().as_u16(), answer.headers()["content-type"].to_str().unwrap()),
        (200, "application/epub+zip")
    );
    assert_eq!(&answer.bytes().await.unwrap()[..2], b"PK");
    assert_eq!(app.count("opened_books"), 1, "nothing was taken");
}

#[actix_web::test]
async fn pages_of_the_catalog_lead_to_the_next_and_none_is_empty() {
    let app = TestApp::start().await;
    for number in 0..120 {
        app.add_book(&format!("book-{number}"), if number % 2 == 0 { "free = true" } else { "" });
        app.env.advance(DAY / 1_000);
    }
    let ada = app.sign_up("ada@example.com").await;
    let token = token(&app, &ada, "catalog:read").await;
    let mut path = "/opds/2/new".to_owned();
    let mut seen = Vec::new();
    loop {
        let feed = json_feed(&app, &token, &path).await;
        assert!(!titles(&feed).is_empty(), "{path}");
        seen.extend(titles(&feed).into_iter().map(str::to_owned));
        let Some(next) = link(&feed["links"], "next") else { break };
        path = next.strip_prefix(&app.app.config.public_url).expect("this site").to_owned();
    }
    assert_eq!((seen.len(), seen.iter().collect::<BTreeSet<_>>().len()), (60, 60));
    // The same in Atom.
    let atom = feed(&app, &token, "/opds/new").await;
    assert!(atom.contains("rel=\"next\"") && atom.contains("/opds/new?after="), "{atom}");
    assert!(atom.contains("<entry>") && atom.contains("rel=\"http://opds-spec.org/acquisition\""));
}

//! What holds for every address: headers, methods, sizes, other sites, pages that are not there.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use crate::harness::{PASSWORD, TestApp, reply};
use reqwest::{Method, StatusCode};
use serde_json::json;

#[actix_web::test]
async fn every_answer_carries_the_security_headers() {
    let app = TestApp::start().await;
    for address in ["/", "/books", "/nowhere", "/api/books", "/api/nowhere", "/healthz"] {
        let reply = app.get(address).await;
        let header = |name: &str| reply.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let csp = header("content-security-policy");
        assert!(csp.contains("script-src 'self'") && !csp.contains("unsafe"), "{address}: {csp}");
        assert!(csp.contains("frame-ancestors 'none'"), "{address}: {csp}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{address}");
        assert_eq!(header("x-frame-options"), "DENY", "{address}");
        assert_eq!(header("referrer-policy"), "strict-origin-when-cross-origin", "{address}");
        assert_eq!(header("strict-transport-security"), "", "{address}: not over http");
    }
}

#[actix_web::test]
async fn a_site_on_https_says_so_and_keeps_its_cookies_to_itself() {
    let app = TestApp::start_with(&[("PUBLIC_URL", "https://pith.example")]).await;
    let reply = app
        .post(
            "/api/user/register",
            json!({ "username": "ada@example.com", "password": PASSWORD, "firstName": "Ada", "lastName": "L" }),
        )
        .await;
    assert!(reply.headers["strict-transport-security"].to_str().expect("text").starts_with("max-age=31536000"));
    let cookie = reply.headers["set-cookie"].to_str().expect("text");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/api/user", "Secure", "Max-Age=2592000"] {
        assert!(cookie.contains(part), "{part}: {cookie}");
    }
}

#[actix_web::test]
async fn no_inline_script_or_style_stands_in_a_page() {
    let app = TestApp::start().await;
    app.add_book("a-book", "free = true");
    for address in ["/", "/books", "/books/a-book", "/book-detail/a-book", "/login", "/nowhere"] {
        let page = app.get(address).await.text;
        for (at, _) in page.match_indices("<script") {
            let tag = &page[at..at + page[at..].find('>').expect("a tag ends")];
            assert!(tag.contains("src=") || tag.contains("json"), "{address}: {tag}");
        }
        assert!(!page.contains(" style=") && !page.contains("<style") && !page.contains(" onclick="), "{address}");
    }
}

#[actix_web::test]
async fn a_public_page_says_in_a_line_what_needs_scripts() {
    let app = TestApp::start().await;
    app.add_book("a-book", "free = true");
    for address in ["/", "/books", "/books/a-book"] {
        let page = app.get(address).await.text;
        assert!(page.contains(r#"<noscript><p class="noscript">You need JavaScript to log in"#), "{address}");
    }
    assert!(!app.get("/home").await.text.contains(r#"class="noscript""#), "a member's page says it in its own words");
}

#[actix_web::test]
async fn what_is_not_there_is_a_404_in_the_language_of_its_address() {
    let app = TestApp::start().await;
    app.get("/api/nowhere").await.fails(404, "not_found", "There is no such call.");
    app.get("/api/books/no-such-book").await.fails(404, "not_found", "There is no such book.");
    for address in ["/nowhere", "/books/no-such-book", "/books/999999", "/book-detail/x", "/choose-categories/other"] {
        let page = app.get(address).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{address}");
        assert!(page.text.contains("Page not found") && page.text.contains("noindex"), "{address}");
    }
    let hidden = app.add_book("hidden", "published = false");
    assert_eq!(app.get(&format!("/books/{hidden}")).await.status, StatusCode::NOT_FOUND);
    app.get(&format!("/api/books/{hidden}")).await.fails(404, "not_found", "There is no such book.");
    for address in [
        "/media/covers/nothing.svg",
        "/media/..%2fsecret",
        "/media/covers/..%2f..%2fsecret.svg",
        "/media/audio/x.html",
        "/assets/none.js",
    ] {
        assert_eq!(app.get(address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
}

#[actix_web::test]
async fn a_known_address_says_when_it_does_not_take_a_method() {
    let app = TestApp::start().await;
    let reply = app.send(None, Method::PATCH, "/api/books", None).await;
    reply.fails(405, "method_not_allowed", "This URL does not support that method.");
    assert_eq!(reply.headers["allow"], "GET, HEAD");
    assert_eq!(app.send(None, Method::POST, "/nowhere", None).await.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[actix_web::test]
async fn head_answers_like_get_and_takes_nothing() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "");
    let reader = app.sign_up("free@example.com").await;
    let address = format!("/api/books/{book}");
    let head = app.send(Some(&reader), Method::HEAD, &address, None).await;
    assert_eq!((head.status, head.text.as_str()), (StatusCode::OK, ""));
    assert_eq!(app.count("opened_books"), 0);
    assert_eq!(app.send(None, Method::HEAD, "/books", None).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn a_slash_too_many_and_the_literal_addresses_lead_to_the_same_call() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "free = true");
    let reader = app.sign_up("free@example.com").await;
    let body = json!({ "bookId": book, "position": 2 });
    app.put_as(&reader, "/api/user-book-history/", body.clone()).await.result();
    app.put_as(&reader, "/api/user-book-history", body).await.result();
    app.post_as(&reader, "/api/library/", json!({ "bookId": book })).await.result();
    app.delete_as(&reader, &format!("/library/delete/{book}")).await.result();
    assert_eq!(app.count("library"), 0);
    let page = app.get("/books/").await;
    assert_eq!(
        (page.status, page.headers["location"].to_str().expect("text")),
        (StatusCode::PERMANENT_REDIRECT, "/books")
    );
    let page = app.get("//evil.example/").await;
    assert!(!page.headers.contains_key("location"), "no way off this origin");
    // What browsers read as two slashes; only a raw client can ask for it.
    let answer = raw(&app, b"GET /\\evil.example/ HTTP/1.1\r\nhost: pith\r\nconnection: close\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 4") && !answer.to_lowercase().contains("location:"), "{answer}");
}

/// Sends bytes as they stand, and gives what comes back until the server closes.
fn raw(app: &TestApp, request: &[u8]) -> String {
    use std::io::{Read, Write};
    let mut connection = TcpStream::connect(app.address.trim_start_matches("http://")).expect("the server listens");
    connection.write_all(request).expect("the server reads");
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).expect("the server answers");
    String::from_utf8_lossy(&answer).into_owned()
}

#[actix_web::test]
async fn another_sites_page_can_not_act_for_a_member() {
    let app = TestApp::start().await;
    let reader = app.sign_up("ada@example.com").await;
    let logout = || reader.client.post(format!("{}/api/user/logout", app.address)).bearer_auth(&reader.token);
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let refused = reply(logout().header(name, value)).await;
        refused.fails(403, "cross_site", "This request came from another site's page.");
        assert_eq!(refused.headers["x-content-type-options"], "nosniff", "a refusal is an answer like any other");
    }
    app.get_as(&reader, "/api/user/account").await.result();
    let own = app.address.clone();
    assert_eq!(reply(logout().header("origin", own)).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn bodies_are_json_of_a_bounded_size() {
    let app = TestApp::start().await;
    let send = |body: Vec<u8>, kind: &'static str| {
        reply(app.request(Method::POST, "/api/user/login").header("content-type", kind).body(body))
    };
    send(b"username=ada".to_vec(), "application/x-www-form-urlencoded").await.fails(
        415,
        "unsupported_media_type",
        "The body must be JSON (content type application/json).",
    );
    assert_eq!(send(b"{\"username\":".to_vec(), "application/json").await.status, StatusCode::BAD_REQUEST);
    let large = format!("{{\"username\":\"{}\"}}", "a".repeat(64 * 1024)).into_bytes();
    send(large, "application/json; charset=utf-8").await.fails(
        413,
        "payload_too_large",
        "The body is larger than 64 kB.",
    );
}

#[actix_web::test]
async fn pictures_run_nothing_and_are_kept_for_ever() {
    let app = TestApp::start().await;
    let key = app
        .app
        .media
        .put("covers/a-book.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec())
        .await
        .expect("stored");
    let picture = app.get(&format!("/media/{key}")).await;
    assert_eq!(picture.status, StatusCode::OK);
    assert_eq!(picture.headers["content-type"], "image/svg+xml");
    assert_eq!(picture.headers["cache-control"], "public, max-age=31536000, immutable");
    for encoding in ["br", "gzip"] {
        let address = format!("/media/{key}");
        let small = reply(app.request(Method::GET, &address).header("accept-encoding", encoding)).await;
        assert_eq!(
            (small.status, &small.headers["content-encoding"]),
            (StatusCode::OK, &encoding.parse().expect("a header"))
        );
    }
    assert_eq!(app.get(&format!("/media/{key}.gz")).await.status, StatusCode::NOT_FOUND, "no address of its own");
    assert!(picture.headers["content-security-policy"].to_str().expect("text").starts_with("default-src 'none'"));
    assert_eq!(
        app.app
            .media
            .put("covers/a-book.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec())
            .await
            .expect("stored"),
        key
    );
}

#[actix_web::test]
async fn a_picture_that_no_file_can_be_is_not_there() {
    let app = TestApp::start().await;
    let key = app.app.media.put("covers/a-book.svg", b"<svg/>".to_vec()).await.expect("stored");
    for address in [format!("/media/{key}/x.svg"), format!("/media/covers/{}.svg", "a".repeat(300))] {
        assert_eq!(app.get(&address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
}

#[actix_web::test]
async fn public_answers_are_compressed_and_not_sent_twice() {
    let app = TestApp::start().await;
    for n in 0..12 {
        app.add_book(&format!("book-{n}"), "");
    }
    for address in ["/books", "/api/books"] {
        let plain = app.get(address).await;
        let tag = plain.headers["etag"].to_str().expect("text").to_owned();
        let again = reply(app.request(Method::GET, address).header("if-none-match", &tag)).await;
        assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""), "{address}");
        for encoding in ["br", "gzip"] {
            let reply = reply(app.request(Method::GET, address).header("accept-encoding", encoding)).await;
            assert_eq!(reply.headers["content-encoding"], encoding, "{address}");
        }
        assert!(!plain.headers.contains_key("content-encoding"));
    }
    // What carries a token never is.
    let reader = app.sign_up("ada@example.com").await;
    let request =
        app.request(Method::GET, "/api/user/session").bearer_auth(&reader.token).header("accept-encoding", "gzip, br");
    assert!(!reply(request).await.headers.contains_key("content-encoding"));
}

#[actix_web::test]
async fn the_operators_addresses_answer() {
    let app = TestApp::start().await;
    app.get("/healthz").await.result();
    app.get("/readyz").await.result();
    let metrics = app.get("/metrics").await;
    assert!(
        metrics.text.contains("pith_http_requests_total{method=\"GET\",route=\"/readyz\",status=\"200\"} 1"),
        "{}",
        metrics.text
    );
    // What a proxy passes on comes from a stranger.
    let passed_on = app.request(Method::GET, "/metrics").header("x-forwarded-for", "127.0.0.1");
    assert_eq!(reply(passed_on).await.status, StatusCode::NOT_FOUND);
    // Strangers make up methods without end; counters must not keep a name for each.
    let invented = Method::from_bytes(b"SPAM").expect("letters");
    app.send(None, invented, "/nowhere", None).await;
    app.send(None, Method::POST, "/nowhere", None).await;
    let counters = app.get("/metrics").await.text;
    assert!(counters.contains("method=\"other\"") && counters.contains("method=\"POST\""), "{counters}");
    assert!(!counters.contains("SPAM"), "{counters}");
}

#[actix_web::test]
async fn slow_heads_are_closed() {
    let app = TestApp::start().await;
    let mut connection = TcpStream::connect(app.address.trim_start_matches("http://")).expect("the server listens");
    connection.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ").expect("sent");
    connection.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
    let mut answer = Vec::new();
    // The server ends the connection; a timeout of ours would be an error.
    connection.read_to_end(&mut answer).expect("closed by the server within its deadline");
}

/// A page whose text is the app's: a shape for those who wait for it, a word for those who run no scripts.
#[actix_web::test]
async fn a_page_of_the_app_has_a_shape_and_a_word_for_who_runs_no_scripts() {
    let app = TestApp::start().await;
    for (path, title) in [("/library", "Your Library"), ("/login", "Login")] {
        let text = app.get(path).await.text;
        let main = text.split("<main").nth(1).and_then(|rest| rest.split("</main>").next()).expect("a main part");
        assert!(main.contains(" data-waiting>") && main.contains(&format!(">{title}</h1>")), "{main}");
        assert!(
            main.contains("<noscript><p class=\"page__lead\">This page needs JavaScript.</p></noscript>"),
            "{main}"
        );
        assert!(text.contains(&format!("<meta name=\"description\" content=\"{title}\">")), "{text}");
    }
    assert!(!app.get("/books").await.text.contains("data-waiting"), "its text is the server's");
}

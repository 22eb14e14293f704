//! What a CDN may keep, as OPERATING says it ('Behind a CDN').

use std::collections::BTreeMap;

use reqwest::{Method, StatusCode};

use crate::harness::TestApp;

/// The rows of the table: a pattern of addresses, and the header of their responses.
fn documented() -> BTreeMap<String, String> {
    let guide = include_str!("../../../../docs/OPERATING.md");
    let section = guide.split_once("## Behind a CDN").expect("a section").1;
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.map(|row| row.split('|').map(|cell| cell.trim().replace('`', "")).collect::<Vec<_>>());
    cells.map(|cells| (cells[0].clone(), cells[1].clone())).collect()
}

#[actix_web::test]
async fn every_kind_of_response_says_what_a_cdn_may_do_with_it() {
    let app = TestApp::start().await;
    app.add_book("walden", "");
    let member = app.sign_up("ada@example.com").await;
    let picture = app.app.media.put("covers/walden.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()).await;
    let picture = format!("/media/{}", picture.expect("stored"));
    let mut signed = app.app.media.put("audio/first.mp3", vec![0; 100]).await.expect("stored");
    signed = app.app.signer().await.expect("keys").presign(&signed, None, app.app.env.now()).url;
    let page = app.get("/books").await.text;
    let chunk = page.split("\"/assets/").nth(1).and_then(|rest| rest.split('"').next()).expect("a chunk");
    let chunk = format!("/assets/{chunk}");
    let mut left = documented();
    assert!(left.len() > 8, "{left:?}");
    for (pattern, addresses, as_member) in [
        ("/assets/*", vec![chunk.as_str()], false),
        ("/media/* (covers, pictures, episodes)", vec![picture.as_str()], false),
        ("/media/*?… (recordings, films, documents)", vec![signed.as_str()], false),
        ("/cards/*", vec!["/cards/site.png", "/cards/books/walden.png"], false),
        (
            "/icons/*, /favicon.svg, /app.webmanifest",
            vec!["/icons/app-192.png", "/favicon.svg", "/app.webmanifest"],
            false,
        ),
        ("/robots.txt", vec!["/robots.txt"], false),
        ("/sw.js", vec!["/sw.js"], false),
        ("pages, /sitemap.xml", vec!["/", "/books", "/books/walden", "/login", "/home", "/sitemap.xml"], false),
        ("/api/* to visitors, of the catalogue", vec!["/api/books", "/api/categories", "/api/front"], false),
        ("/api/* to members, of the catalogue", vec!["/api/books", "/api/books/walden"], true),
        ("/api/*, everything else", vec!["/api/user/session", "/api/user/sessions"], true),
    ] {
        let header = left.remove(pattern).unwrap_or_else(|| panic!("{pattern} is not in the table"));
        for address in addresses {
            let mut request = app.request(Method::GET, address);
            if as_member {
                request = request.bearer_auth(&member.token);
            }
            let reply = request.send().await.expect("it answers");
            assert_eq!(reply.status(), StatusCode::OK, "{address}");
            let said = reply.headers()["cache-control"].to_str().expect("text");
            let matches = header
                .split_once('…')
                .map_or(said == header, |(start, end)| said.starts_with(start) && said.ends_with(end));
            assert!(matches, "{address}: {said} instead of {header}");
            // What anybody may keep is nobody's, and what has to be asked for again costs one question.
            let is_shared = !said.contains("private") && !said.contains("no-store");
            assert!(!is_shared || !reply.headers().contains_key("set-cookie"), "{address} sets a cookie");
            // The service worker is asked for whole: once a day by each browser.
            if said == "no-cache" && address != "/sw.js" {
                assert!(reply.headers().contains_key("etag"), "{address} has no ETag");
            }
            if address.starts_with("/api/") && is_shared {
                assert!(reply.headers()["vary"].to_str().expect("text").contains("Authorization"), "{address}");
            }
        }
    }
    assert!(left.is_empty(), "no test for {left:?}");
}

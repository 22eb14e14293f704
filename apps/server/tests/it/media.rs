//! Files: whole and in parts, to whoever may have them, for as long as they may.

use actix_web::web::Bytes;
use futures_util::stream;
use kernel::UserId;
use reqwest::{Method, StatusCode, header};
use server::media::{LIVES_AT_LEAST, Media, SLOT};

use crate::support::{Reply, START, TestApp, reply};

/// A hundred bytes, each of which says where it stands.
fn hundred() -> Vec<u8> {
    (0..100_u8).map(|n| n % 64 + 32).collect()
}

async fn with_headers(app: &TestApp, method: Method, address: &str, headers: &[(&str, &str)]) -> Reply {
    reply(headers.iter().fold(app.request(method, address), |request, (name, value)| request.header(*name, *value)))
        .await
}

fn text(reply: &Reply, name: &str) -> String {
    reply.headers.get(name).map_or("", |value| value.to_str().expect("text")).to_owned()
}

#[actix_web::test]
async fn a_part_of_a_file_is_exactly_the_part_that_was_asked_for() {
    let app = TestApp::start().await;
    let file = hundred();
    let key = app.app.media.put("podcasts/first.mp3", file.clone()).await.expect("stored");
    let address = Media::address(&key);
    let whole = app.get(&address).await;
    assert_eq!((whole.status, text(&whole, "content-type").as_str()), (StatusCode::OK, "audio/mpeg"));
    assert_eq!((text(&whole, "accept-ranges").as_str(), text(&whole, "content-length").as_str()), ("bytes", "100"));
    let tag = text(&whole, "etag");
    assert!(tag.starts_with('"'), "a strong tag: {tag}");
    for (range, first, last) in [
        ("0-0", 0, 0),
        ("0-", 0, 99),
        ("10-19", 10, 19),
        ("99-", 99, 99),
        ("90-500", 90, 99),
        ("-1", 99, 99),
        ("-500", 0, 99),
    ] {
        let part = with_headers(&app, Method::GET, &address, &[("range", &format!("bytes={range}"))]).await;
        assert_eq!((part.status, part.text.as_bytes()), (StatusCode::PARTIAL_CONTENT, &file[first..=last]), "{range}");
        assert_eq!(text(&part, "content-range"), format!("bytes {first}-{last}/100"));
        assert_eq!(text(&part, "content-length"), (last - first + 1).to_string());
        assert_eq!(text(&part, "etag"), tag);
    }
    for range in ["100-", "100-100", "-0", "99999999999999999999-"] {
        let none = with_headers(&app, Method::GET, &address, &[("range", &format!("bytes={range}"))]).await;
        assert_eq!((none.status, none.text.as_str()), (StatusCode::RANGE_NOT_SATISFIABLE, ""), "{range}");
        assert_eq!(text(&none, "content-range"), "bytes */100");
    }
    for range in ["bytes=0-1,5-6", "bytes=2-1", "lines=1-2", "bytes=x"] {
        let all = with_headers(&app, Method::GET, &address, &[("range", range)]).await;
        assert_eq!((all.status, all.text.len()), (StatusCode::OK, 100), "{range}");
    }
    let same = with_headers(&app, Method::GET, &address, &[("range", "bytes=1-2"), ("if-range", &tag)]).await;
    assert_eq!(same.status, StatusCode::PARTIAL_CONTENT);
    for other in ["\"another\"", &format!("W/{tag}"), "Sat, 21 Nov 2026 09:00:00 GMT"] {
        let changed = with_headers(&app, Method::GET, &address, &[("range", "bytes=1-2"), ("if-range", other)]).await;
        assert_eq!((changed.status, changed.text.len()), (StatusCode::OK, 100), "{other}");
    }
    let known = with_headers(&app, Method::GET, &address, &[("if-none-match", &tag)]).await;
    assert_eq!((known.status, known.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
    let head = with_headers(&app, Method::HEAD, &address, &[("range", "bytes=1-2")]).await;
    assert_eq!((head.status, head.text.as_str(), text(&head, "content-length").as_str()), (StatusCode::OK, "", "100"));
}

#[actix_web::test]
async fn an_empty_file_has_no_parts() {
    let app = TestApp::start().await;
    let key = app.app.media.put("podcasts/empty.mp3", Vec::new()).await.expect("stored");
    for headers in [&[][..], &[("range", "bytes=0-")][..], &[("range", "bytes=-5")][..]] {
        let all = with_headers(&app, Method::GET, &Media::address(&key), headers).await;
        assert_eq!((all.status, text(&all, "content-length").as_str()), (StatusCode::OK, "0"), "{headers:?}");
    }
}

#[actix_web::test]
async fn a_file_that_is_not_for_everybody_has_an_address_for_some_hours() {
    let app = TestApp::start().await;
    let key = app.app.media.put("audio/walden.mp3", hundred()).await.expect("stored");
    let reader = UserId::from_store(7);
    let Ok(signed) = Media::signed(&app.app, &key, Some(reader), START).await else { panic!("signed") };
    assert!(signed.until.since(START) > LIVES_AT_LEAST && signed.until.since(START) <= LIVES_AT_LEAST + SLOT);
    let file = app.get(&signed.address).await;
    assert_eq!((file.status, file.text.len()), (StatusCode::OK, 100));
    assert_eq!(text(&file, "cache-control"), format!("private, max-age={}", signed.until.since(START) / 1000));
    let part = with_headers(&app, Method::GET, &signed.address, &[("range", "bytes=5-9")]).await;
    assert_eq!((part.status, part.text.as_bytes()), (StatusCode::PARTIAL_CONTENT, &hundred()[5..10]));
    let Ok(again) = Media::signed(&app.app, &key, Some(reader), START.plus(1)).await else { panic!("signed") };
    assert_eq!(again, signed, "the same for hours");

    let other = app.app.media.put("audio/republic.mp3", b"another".to_vec()).await.expect("stored");
    let query = signed.address.split_once('?').expect("a query").1;
    for address in [
        Media::address(&key),
        format!("{}?", Media::address(&key)),
        signed.address.replace("for=7", "for=0"),
        signed.address.replace(&signed.until.millis().to_string(), &signed.until.plus(SLOT).millis().to_string()),
        signed.address[..signed.address.len() - 1].to_owned(),
        format!("{}?{query}", Media::address(&other)),
        format!("{}?{query}", Media::address("audio/nothing-1a2b.mp3")),
    ] {
        app.get(&address).await.fails(403, "forbidden", "This address is not good any more.");
    }
    app.env.advance(signed.until.since(START));
    app.get(&signed.address).await.fails(403, "forbidden", "This address is not good any more.");
    let Ok(new) = Media::signed(&app.app, &key, None, signed.until).await else { panic!("signed") };
    assert!(new.address.contains("?for=0&until="));
    assert_eq!(app.get(&new.address).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn two_nodes_take_each_others_addresses() {
    let (app, key) = (TestApp::start().await, "audio/walden.mp3");
    let key = app.app.media.put(key, hundred()).await.expect("stored");
    let other = app.start_beside().await;
    let Ok(signed) = Media::signed(&app.app, &key, None, START).await else { panic!("signed") };
    assert_eq!(other.get(&signed.address).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn an_address_is_good_while_the_database_is_gone() {
    let app = TestApp::start().await;
    let key = app.app.media.put("audio/walden.mp3", hundred()).await.expect("stored");
    let Ok(signed) = Media::signed(&app.app, &key, None, START).await else { panic!("signed") };
    app.cut_database();
    app.env.advance(60_000);
    assert_eq!(app.get(&signed.address).await.status, StatusCode::OK);
    app.restore_database();
}

#[actix_web::test]
async fn a_stream_is_there_whole_or_not_at_all() {
    let app = TestApp::start().await;
    let parts = |broken: bool| {
        let last = if broken { Err(std::io::Error::other("the line broke")) } else { Ok(Bytes::from_static(b"three")) };
        stream::iter([Ok(Bytes::from_static(b"one ")), Ok(Bytes::from_static(b"two ")), last])
    };
    assert!(app.app.media.put_stream("audio/walden.mp3", parts(true)).await.is_err());
    let files = |folder: &str| std::fs::read_dir(app.home().join(folder)).map_or(0, Iterator::count);
    assert_eq!((files("media/audio"), files("incoming")), (0, 0), "nothing is left");
    let key = app.app.media.put_stream("audio/walden.mp3", parts(false)).await.expect("stored");
    assert_eq!(key, app.app.media.put("audio/walden.mp3", b"one two three".to_vec()).await.expect("stored"));
    assert_eq!(app.app.media.bytes(&key).await.expect("read").as_deref(), Some(&b"one two three"[..]));
    assert_eq!((files("media/audio"), files("incoming")), (1, 0));
    app.app.media.delete(&key).await.expect("removed");
    app.app.media.delete(&key).await.expect("removed again");
    assert!(!app.app.media.exists(&key).await.expect("read"));
    assert!(app.app.media.put_stream("secret/walden.mp3", parts(false)).await.is_err(), "no such folder");
}

#[actix_web::test]
async fn a_file_can_be_saved_under_a_name() {
    let app = TestApp::start().await;
    let key = app.app.media.put("covers/walden.png", hundred()).await.expect("stored");
    let shown = app.get(&Media::address(&key)).await;
    assert!(shown.headers.get(header::CONTENT_DISPOSITION).is_none());
    let saved = app.get(&format!("{}?download=Walden", Media::address(&key))).await;
    assert_eq!(text(&saved, "content-disposition"), "attachment; filename=\"Walden.png\"; filename*=UTF-8''Walden.png");
}

//! Files: whole and in parts, for those who have the right, for as long as they have it.

use actix_web::web::Bytes;
use futures_util::stream;
use kernel::{Timestamp, UserId};
use media::{
    Format, LIVES_AT_LEAST, Media, MediaError, PICTURE_WIDTHS, PictureError, PresignedUrl, SLOT, place_of,
    rendition_key,
};
use reqwest::{Method, StatusCode, header};

use testing::object_server::{self, ObjectServer};

use crate::harness::{Reply, START, TestApp, reply};
use server::upkeep::Upkeep;

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
    let address = Media::url(&key);
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
        let all = with_headers(&app, Method::GET, &Media::url(&key), headers).await;
        assert_eq!((all.status, text(&all, "content-length").as_str()), (StatusCode::OK, "0"), "{headers:?}");
    }
}

async fn presign(app: &TestApp, key: &str, reader: Option<UserId>, now: Timestamp) -> PresignedUrl {
    let Ok(signer) = app.app.signer().await else { panic!("a key") };
    signer.presign(key, reader, now)
}

#[actix_web::test]
async fn a_file_that_is_not_public_is_served_under_its_presigned_url_until_it_expires() {
    let app = TestApp::start().await;
    let key = app.app.media.put("audio/walden.mp3", hundred()).await.expect("stored");
    let reader = UserId::from_store(7);
    let signed = presign(&app, &key, Some(reader), START).await;
    assert!(signed.expires_at.since(START) > LIVES_AT_LEAST && signed.expires_at.since(START) <= LIVES_AT_LEAST + SLOT);
    let file = app.get(&signed.url).await;
    assert_eq!((file.status, file.text.len()), (StatusCode::OK, 100));
    assert_eq!(text(&file, "cache-control"), format!("private, max-age={}", signed.expires_at.since(START) / 1000));
    let part = with_headers(&app, Method::GET, &signed.url, &[("range", "bytes=5-9")]).await;
    assert_eq!((part.status, part.text.as_bytes()), (StatusCode::PARTIAL_CONTENT, &hundred()[5..10]));
    let again = presign(&app, &key, Some(reader), START.plus(1)).await;
    assert_eq!(again, signed, "the same for hours");

    let other = app.app.media.put("audio/republic.mp3", b"another".to_vec()).await.expect("stored");
    let query = signed.url.split_once('?').expect("a query").1;
    for address in [
        Media::url(&key),
        format!("{}?", Media::url(&key)),
        signed.url.replace("for=7", "for=0"),
        signed.url.replace(&signed.expires_at.millis().to_string(), &signed.expires_at.plus(SLOT).millis().to_string()),
        signed.url[..signed.url.len() - 1].to_owned(),
        format!("{}?{query}", Media::url(&other)),
        format!("{}?{query}", Media::url("audio/nothing-1a2b.mp3")),
    ] {
        app.get(&address).await.fails(403, "forbidden", "This link is no longer valid.");
    }
    app.env.advance(signed.expires_at.since(START));
    app.get(&signed.url).await.fails(403, "forbidden", "This link is no longer valid.");
    let new = presign(&app, &key, None, signed.expires_at).await;
    assert!(new.url.contains("?for=0&until="));
    assert_eq!(app.get(&new.url).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn two_nodes_verify_each_others_presigned_urls() {
    let (app, key) = (TestApp::start().await, "audio/walden.mp3");
    let key = app.app.media.put(key, hundred()).await.expect("stored");
    let other = app.start_beside().await;
    let signed = presign(&app, &key, None, START).await;
    assert_eq!(other.get(&signed.url).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn an_address_is_good_while_the_database_is_gone() {
    let app = TestApp::start().await;
    let key = app.app.media.put("audio/walden.mp3", hundred()).await.expect("stored");
    let signed = presign(&app, &key, None, START).await;
    app.cut_database();
    app.env.advance(60_000);
    assert_eq!(app.get(&signed.url).await.status, StatusCode::OK);
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
    let shown = app.get(&Media::url(&key)).await;
    assert!(shown.headers.get(header::CONTENT_DISPOSITION).is_none());
    let saved = app.get(&format!("{}?download=Walden", Media::url(&key))).await;
    assert_eq!(text(&saved, "content-disposition"), "attachment; filename=\"Walden.png\"; filename*=UTF-8''Walden.png");
}

const DRAWING: &[u8] = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 900" width="600" height="900"><rect width="600" height="900" fill="#cc5500"/></svg>"##;

/// Fetches a picture's bytes and tells how wide and high it is.
async fn picture(app: &TestApp, address: &str) -> (StatusCode, String, (u32, u32)) {
    let response = app.request(Method::GET, address).send().await.expect("the server answers");
    let (status, kind) = (response.status(), response.headers()["content-type"].to_str().expect("text").to_owned());
    let bytes = response.bytes().await.expect("a body");
    let size = image::load_from_memory(&bytes).map_or((0, 0), |picture| (picture.width(), picture.height()));
    (status, kind, size)
}

#[actix_web::test]
async fn the_pixels_of_a_drawing_need_the_rights_of_the_drawing() {
    let app = TestApp::start().await;
    let key = app.app.media.put("covers/walden.svg", DRAWING.to_vec()).await.expect("stored");
    for (width, height) in [(192, 288), (320, 480), (512, 768), (640, 960), (1024, 1536), (1280, 1920)] {
        let address = Media::url(&rendition_key(&key, width, Format::Png));
        assert_eq!(picture(&app, &address).await, (StatusCode::OK, "image/png".to_owned(), (width, height)));
    }
    let webp = Media::url(&rendition_key(&key, 320, Format::Webp));
    assert_eq!(picture(&app, &webp).await, (StatusCode::OK, "image/webp".to_owned(), (320, 480)));
    let small = Media::url(&rendition_key(&key, 192, Format::Png));
    let (first, again) = (app.request(Method::GET, &small), app.request(Method::GET, &small));
    let (first, again) = (first.send().await.expect("sent"), again.send().await.expect("sent"));
    assert_eq!(first.headers()["etag"], again.headers()["etag"]);
    for other in [
        rendition_key(&key, 333, Format::Png),
        rendition_key(&key, 512, Format::Jpg),
        rendition_key("covers/nothing-1a2b.svg", 512, Format::Png),
    ] {
        assert_eq!(app.get(&Media::url(&other)).await.status, StatusCode::NOT_FOUND, "{other}");
    }
    let broken = app.app.media.put("covers/broken.svg", b"<svg".to_vec()).await.expect("stored");
    let rendition = Media::url(&rendition_key(&broken, 512, Format::Png));
    assert_eq!(app.get(&rendition).await.status, StatusCode::NOT_FOUND);

    let hidden = app.app.media.put("visuals/walden.svg", DRAWING.to_vec()).await.expect("stored");
    let rendition = rendition_key(&hidden, 512, Format::Png);
    assert_eq!(app.get(&Media::url(&rendition)).await.status, StatusCode::FORBIDDEN);
    assert!(!app.app.media.exists(&rendition).await.expect("read"), "nothing is drawn for strangers");
    let of_drawing = presign(&app, &hidden, None, START).await;
    let query = of_drawing.url.split_once('?').expect("a query").1;
    assert_eq!(app.get(&format!("{}?{query}", Media::url(&rendition))).await.status, StatusCode::FORBIDDEN);
    let signed = presign(&app, &rendition, None, START).await;
    assert_eq!(picture(&app, &signed.url).await.2, (512, 768));
    assert_eq!(app.app.media.raster(&hidden, 512, Format::Png).await.expect("drawn"), Some(rendition));
    assert_eq!(app.app.media.raster("covers/none-1a.svg", 512, Format::Png).await.expect("read"), None);
    assert!(app.app.media.raster(&hidden, 500, Format::Png).await.is_err(), "no such width");
}

#[actix_web::test]
async fn an_uploaded_picture_is_stored_in_the_sizes_of_pages() {
    let app = TestApp::start().await;
    let mut file = std::io::Cursor::new(Vec::new());
    let photo = image::RgbImage::from_fn(900, 1350, |x, y| image::Rgb([x.to_le_bytes()[0], y.to_le_bytes()[0], 90]));
    photo.write_to(&mut file, image::ImageFormat::Png).expect("written");
    let file = file.into_inner();
    let key = app.app.media.put_picture("covers/walden", file.clone()).await.expect("stored");
    assert!(key.starts_with("covers/walden-") && place_of(&key).is_some_and(|(_, kind)| kind.ending == "jpg"), "{key}");
    assert_eq!(app.app.media.put_picture("covers/walden", file).await.expect("stored"), key);
    assert_eq!(picture(&app, &Media::url(&key)).await, (StatusCode::OK, "image/jpeg".to_owned(), (900, 1350)));
    for width in PICTURE_WIDTHS {
        for (format, kind) in [(Format::Webp, "image/webp"), (Format::Jpg, "image/jpeg")] {
            let (status, found, size) = picture(&app, &Media::url(&rendition_key(&key, width, format))).await;
            assert_eq!((status, found.as_str(), size.0), (StatusCode::OK, kind, width.min(900)));
        }
    }
    assert_eq!(picture(&app, &Media::artwork_url(&key)).await.2, (640, 960));
    let refused = app.app.media.put_picture("covers/walden", DRAWING.to_vec()).await;
    assert!(matches!(refused, Err(MediaError::Picture(PictureError::NotAPicture))));
    app.app.media.delete(&key).await.expect("removed");
    for width in PICTURE_WIDTHS {
        assert!(!app.app.media.exists(&rendition_key(&key, width, Format::Webp)).await.expect("read"));
    }
}

#[actix_web::test]
async fn a_page_that_is_shared_has_a_card() {
    let app = TestApp::start().await;
    app.add_book("walden", "");
    let page = app.get("/books/walden").await.text;
    let card = format!("{}/cards/books/walden.png", app.address);
    assert!(page.contains(&format!("<meta property=\"og:image\" content=\"{card}\">")));
    assert!(page.contains("<meta name=\"twitter:card\" content=\"summary_large_image\">"));
    assert!(app.get("/books").await.text.contains(&format!("content=\"{}/cards/site.png\"", app.address)));
    for address in ["/cards/books/walden.png", "/cards/site.png"] {
        assert_eq!(picture(&app, address).await, (StatusCode::OK, "image/png".to_owned(), (1200, 630)), "{address}");
        let reply = app.request(Method::HEAD, address).send().await.expect("sent");
        assert_eq!(reply.headers()["cache-control"], "public, max-age=86400");
        assert_eq!(reply.headers()["cross-origin-resource-policy"], "cross-origin");
    }
    let tag = |reply: reqwest::Response| reply.headers()["etag"].clone();
    let before = tag(app.request(Method::HEAD, "/cards/books/walden.png").send().await.expect("sent"));
    let key = app.app.media.put("covers/walden.svg", DRAWING.to_vec()).await.expect("stored");
    app.sql(&format!("UPDATE books SET image = '{key}' WHERE subid = 'walden'"));
    let after = tag(app.request(Method::HEAD, "/cards/books/walden.png").send().await.expect("sent"));
    assert_ne!(before, after, "another cover, another card");
    app.add_book("hidden", "published = false");
    for address in ["/cards/books/hidden.png", "/cards/books/none.png", "/cards/books/.png", "/cards/other.png"] {
        assert_eq!(app.get(address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
}

/// A server whose files lie in a bucket.
async fn with_bucket(objects: &ObjectServer) -> TestApp {
    TestApp::start_with(&[
        ("MEDIA_URL", "s3://pith/files"),
        ("S3_ENDPOINT", &objects.endpoint),
        ("S3_ACCESS_KEY_ID", object_server::ACCESS_KEY_ID),
        ("S3_SECRET_ACCESS_KEY", object_server::SECRET_ACCESS_KEY),
    ])
    .await
}

#[actix_web::test]
async fn a_bucket_does_what_a_folder_does() {
    let root = tempfile::tempdir().expect("a folder");
    let objects = ObjectServer::start(root.path(), &["pith"]);
    let app = with_bucket(&objects).await;
    let media = &app.app.media;
    let key = media.put("podcasts/first.mp3", hundred()).await.expect("stored");
    assert_eq!(objects.objects("pith"), [format!("files/{key}")], "under the prefix, whole");
    assert!(!app.home().join("media").exists(), "no folder beside it");
    let address = Media::url(&key);
    let whole = app.get(&address).await;
    assert_eq!((whole.status, whole.text.as_bytes()), (StatusCode::OK, &hundred()[..]));
    for (range, first, last) in [("0-0", 0, 0), ("0-", 0, 99), ("10-19", 10, 19), ("-1", 99, 99), ("90-500", 90, 99)] {
        let part = with_headers(&app, Method::GET, &address, &[("range", &format!("bytes={range}"))]).await;
        assert_eq!((part.status, part.text.as_bytes()), (StatusCode::PARTIAL_CONTENT, &hundred()[first..=last]));
        assert_eq!(text(&part, "content-range"), format!("bytes {first}-{last}/100"));
    }
    let none = with_headers(&app, Method::GET, &address, &[("range", "bytes=100-")]).await;
    assert_eq!(none.status, StatusCode::RANGE_NOT_SATISFIABLE);
    assert_eq!(app.get("/media/podcasts/none-1a2b.mp3").await.status, StatusCode::NOT_FOUND);

    let drawing = media.put("covers/walden.svg", DRAWING.to_vec()).await.expect("stored");
    let small = with_headers(&app, Method::GET, &Media::url(&drawing), &[("accept-encoding", "gzip")]).await;
    assert_eq!(text(&small, "content-encoding"), "gzip");
    let rendition = Media::url(&rendition_key(&drawing, 192, Format::Png));
    assert_eq!(picture(&app, &rendition).await, (StatusCode::OK, "image/png".to_owned(), (192, 288)));

    // More than two parts, none of which is like another.
    let block = |n: u8| {
        Ok::<_, std::io::Error>(Bytes::from((0..=255).map(|i| n.wrapping_add(i)).collect::<Vec<u8>>().repeat(4096)))
    };
    let large = media.put_stream("audio/walden.mp3", stream::iter((0..18).map(block))).await.expect("stored");
    assert_eq!(media.size(&large).await.expect("read"), Some(18 << 20));
    let signed = presign(&app, &large, None, START).await;
    let across = 8 * 1024 * 1024 - 2;
    let range = format!("bytes={across}-{}", across + 3);
    let part = app.request(Method::GET, &signed.url).header("range", range).send().await.expect("sent");
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.bytes().await.expect("a part").as_ref(), [5, 6, 8, 9]);
    assert_eq!(
        media.put_file("audio/walden.mp3", &root.path().join("pith/files").join(&large)).await.expect("again"),
        large
    );
    let left = std::fs::read_dir(app.home().join("incoming")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing is left on the way");

    for key in [&key, &drawing, &large] {
        media.delete(key).await.expect("removed");
    }
    assert!(objects.objects("pith").is_empty(), "with all their forms");
}

#[actix_web::test]
async fn a_bucket_that_is_away_or_refuses_is_said_to_be_busy() {
    let root = tempfile::tempdir().expect("a folder");
    let objects = ObjectServer::start(root.path(), &["pith"]);
    let app = TestApp::start_with(&[
        ("MEDIA_URL", "s3://pith"),
        ("S3_ENDPOINT", &objects.endpoint),
        ("S3_ACCESS_KEY_ID", object_server::ACCESS_KEY_ID),
        ("S3_SECRET_ACCESS_KEY", "another secret"),
    ])
    .await;
    assert!(app.app.media.put("covers/walden.svg", DRAWING.to_vec()).await.is_err());
    assert_eq!(app.get("/media/covers/walden-1a2b.svg").await.status, StatusCode::SERVICE_UNAVAILABLE);
}

/// Leaves half a file behind, as a process does that is killed long ago, and has it swept away by what runs meanwhile.
async fn is_swept_away_by(app: &TestApp, upkeep: impl Future<Output = ()>) {
    let folder = app.home().join("incoming");
    std::fs::create_dir_all(&folder).expect("a folder");
    let left = std::fs::File::create(folder.join("dead")).expect("a file");
    left.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("an old file");
    drop(left);
    let gone = async {
        while folder.join("dead").exists() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        () = upkeep => panic!("upkeep has ended"),
        gone = tokio::time::timeout(std::time::Duration::from_secs(30), gone) => gone.expect("it is swept away"),
    }
}

#[actix_web::test]
async fn what_is_left_behind_of_files_is_swept_away_by_servers_and_by_workers() {
    let app = TestApp::start().await;
    is_swept_away_by(&app, Upkeep::of(&app.app).run()).await;
    is_swept_away_by(&app, Upkeep::of(&app.app).sweep_files()).await;
}

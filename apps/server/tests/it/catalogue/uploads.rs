//! Uploads of a book's files: what a file is, its content says; what is refused or breaks off leaves nothing.

use crate::harness::{
    self, TestApp,
    uploads::{BOUNDARY, body, picture, send, upload},
};
use reqwest::Method;
use serde_json::{Value, json};

fn files(app: &TestApp) -> usize {
    fn count(folder: &std::path::Path) -> usize {
        let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
        entries.flatten().map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
    }
    count(&app.home().join("media")) + count(&app.home().join("incoming"))
}

#[actix_web::test]
async fn every_file_of_a_book_is_uploaded_and_its_content_decides_what_it_is() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let book = app.add_book("walden", "");
    let photo = upload(&app, &editor, &format!("/api/admin/books/photo/{book}"), &picture()).await;
    let cover = photo["image"].as_str().expect("a cover").to_owned();
    assert!(cover.starts_with("/media/covers/walden-") && cover.rsplit('.').next() == Some("jpg"), "{cover}");
    assert_eq!(app.get(&cover).await.status, 200);
    assert_eq!(app.get("/api/books/walden").await.result()["book"]["image"], cover);

    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/><image href='//example.com'/></svg>";
    let vector = upload(&app, &editor, &format!("/api/admin/books/vector/{book}"), svg).await;
    let drawing = app.get(vector["vector"].as_str().expect("a drawing")).await;
    assert_eq!(drawing.text, "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"></path></svg>");
    assert!(drawing.headers["content-security-policy"].to_str().is_ok_and(|policy| policy.contains("sandbox")));

    // Readers have the drawing on the book's page, and the page shows it as a picture: in an image no script runs.
    assert_eq!(app.get("/api/books/walden").await.result()["book"]["vector"], vector["vector"]);
    let document = app.get("/books/walden").await.text;
    let shown = format!("<img class=\"book-about__drawing\" src=\"{}\"", vector["vector"].as_str().expect("a drawing"));
    assert!(document.contains(&shown), "{document}");

    let poster = upload(&app, &editor, &format!("/api/admin/books/infographic/{book}"), &picture()).await;
    let mp3 = [b"ID3\x04\0\0\0\0\0\0".as_slice(), &vec![7; 300_000]].concat();
    let mp4 = [b"\0\0\0\x20ftypisom".as_slice(), &vec![9; 300_000]].concat();
    let audio = upload(&app, &editor, &format!("/api/admin/books/media/{book}"), &mp3).await;
    let podcast = upload(&app, &editor, "/api/admin/books/podcast/walden", &mp3).await;
    let video = upload(&app, &editor, &format!("/api/admin/books/video/{book}"), &mp4).await;
    for (url, bytes) in [
        (&poster["infographicUrl"], None),
        (&audio["mediaUrl"], Some(mp3.len())),
        (&podcast["podcastUrl"], Some(mp3.len())),
        (&video["video"], Some(mp4.len())),
    ] {
        let file = app.request(Method::GET, url.as_str().expect("an address")).send().await.expect("an answer");
        assert_eq!(file.status(), 200, "{url}");
        let length = file.bytes().await.expect("a file").len();
        assert!(bytes.is_none_or(|bytes| bytes == length), "{url}");
    }
    // An upload is no new version of what is written, and is recorded.
    assert_eq!(video["version"], 1);
    assert_eq!(app.count("audit_entries WHERE action = 'book.upload'"), 6);
    assert_eq!(app.get("/api/books/walden").await.result()["book"]["hasMedia"], true);
}

#[actix_web::test]
async fn a_drawing_with_a_script_is_cleaned_and_shown_before_it_is_stored() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let book = app.add_book("walden", "");
    let before = files(&app);
    let drawing = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(1)</script>\
        <a href='https://example.com'><path d='M0 0h9v9z'/></a></svg>";
    let cleaned = send(&app, &editor, "/api/admin/drawings/clean", body("x.svg", drawing)).await.result();
    let left = "<svg xmlns=\"http://www.w3.org/2000/svg\"><g><path d=\"M0 0h9v9z\"></path></g></svg>";
    assert_eq!(cleaned, json!({ "svg": left, "removed": ["href", "onload", "script"] }));
    assert_eq!((files(&app), app.count("audit_entries")), (before, 0));
    let stored = upload(&app, &editor, &format!("/api/admin/books/vector/{book}"), drawing).await;
    assert_eq!(app.get(stored["vector"].as_str().expect("a drawing")).await.text, left);
    let photo = send(&app, &editor, "/api/admin/drawings/clean", body("x.png", &picture())).await;
    photo.fails(422, "validation_failed", "This drawing can't be read. Please save it as a plain SVG and try again.");
    let member = app.sign_up("ada@example.com").await;
    let refused = send(&app, &member, "/api/admin/drawings/clean", body("x.svg", drawing)).await;
    assert_eq!(refused.status.as_u16(), 403);
}

#[actix_web::test]
async fn what_is_no_such_file_is_refused_and_leaves_nothing() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let book = app.add_book("walden", "");
    let before = files(&app);
    let script = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".as_slice();
    let document_type = b"<!DOCTYPE svg><svg xmlns='http://www.w3.org/2000/svg'/>".as_slice();
    for (kind, bytes) in [
        ("photo", b"<html><script>alert(1)</script></html>".as_slice()),
        ("photo", script),
        ("photo", b"%PDF-1.7"),
        ("vector", document_type),
        ("infographic", b"GIF89a\x01\0\x01\0"),
        ("media", b"MZ\x90\0"),
        ("media", b"\x1a\x45\xdf\xa3"),
        ("podcast", b""),
        ("video", b"\0\0\0\x20ftypqt  "),
        ("video", b"ID3\x04"),
    ] {
        let reply = send(&app, &editor, &format!("/api/admin/books/{kind}/{book}"), body("good.png", bytes)).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!("file")), "{kind}: {}", reply.text);
    }
    let none =
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"fileName\"\r\n\r\nx\r\n--{BOUNDARY}--\r\n");
    let missing = send(&app, &editor, &format!("/api/admin/books/photo/{book}"), none.into_bytes()).await;
    missing.fails(422, "validation_failed", "Please specify File.");
    let unknown = send(&app, &editor, "/api/admin/books/photo/4711", body("x.png", &picture())).await;
    unknown.fails(404, "not_found", "There is no such book.");
    // A body that ends in the middle of its file.
    let mut cut = body("x.mp3", &[b"ID3\x04".as_slice(), &vec![7; 100_000]].concat());
    cut.truncate(50_000);
    let broken = send(&app, &editor, &format!("/api/admin/books/media/{book}"), cut).await;
    assert_eq!((broken.status.as_u16(), &broken.json()["code"]), (400, &json!("bad_request")));
    let large =
        send(&app, &editor, &format!("/api/admin/books/photo/{book}"), body("x.png", &vec![0; 21 * 1024 * 1024])).await;
    assert_eq!((large.status.as_u16(), &large.json()["code"]), (413, &json!("payload_too_large")));
    assert_eq!(files(&app), before);
    assert_eq!(app.count("audit_entries"), 0);
}

/// A WAV of silence: one channel, 8 bits, 8,000 samples a second.
fn wav(seconds: u32) -> Vec<u8> {
    let size = seconds * 8_000;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + size).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend(8_000_u32.to_le_bytes().repeat(2));
    bytes.extend(b"\x01\0\x08\0data");
    bytes.extend(size.to_le_bytes());
    bytes.resize(44 + size as usize, 128);
    bytes
}

#[actix_web::test]
async fn goals_episodes_and_posts_have_their_files_where_members_see_them() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let add = async |path: &str, body: Value| app.post_as(&editor, path, body).await.result();
    let goal =
        add("/api/admin/goals", json!({ "title": "Stay calm", "shortTitle": "Calm" })).await["goal"]["id"].clone();
    let episode = json!({ "title": "A candle", "author": "Ada", "authorDesc": "She", "description": "It" });
    let podcast = add("/api/admin/podcasts", episode).await["podcast"]["id"].clone();
    let text = json!({ "title": "A post", "description": "B", "categories": ["C"], "text": "<p>D</p>" });
    let post = add("/api/admin/blog", text).await["post"]["id"].clone();
    // What was read before an upload is read again after it.
    assert_eq!(app.get("/api/goals").await.result()["goals"][0]["photo"], Value::Null);
    assert_eq!(app.get("/api/onboarding").await.result()["goals"][0]["photov2"], Value::Null);

    let file = |name: &str| body(name, &picture());
    let one = send(&app, &editor, &format!("/api/admin/goals/photo/{goal}"), file("a.png")).await.result();
    let photo = one["goal"]["photo"].as_str().expect("a photo").to_owned();
    assert!(photo.starts_with("/media/goals/stay-calm-") && photo.rsplit('.').next() == Some("jpg"), "{photo}");
    for alias in ["feature-photo", "featured-photo"] {
        let two = send(&app, &editor, &format!("/api/admin/goals/{alias}/{goal}"), file("a.png")).await.result();
        assert_eq!((&two["goal"]["photo"], &two["goal"]["version"]), (&json!(photo), &json!(1)), "no new version");
        let large = two["goal"]["photov2"].as_str().expect("a feature photo").to_owned();
        let listed = app.get("/api/goals").await.result()["goals"][0].clone();
        assert_eq!((&listed["photo"], &listed["photov2"]), (&json!(photo), &json!(large)), "{alias}");
        assert_eq!(app.get("/api/onboarding").await.result()["goals"][0]["photov2"], large);
        for url in [&large, &large.replace(".jpg", ".320.webp"), &large.replace(".jpg", ".1280.webp")] {
            assert_eq!(app.get(url).await.status, 200, "{url}");
        }
    }

    let media = format!("/api/admin/podcasts/media/{podcast}");
    let heard = send(&app, &editor, &media, body("a.wav", &wav(100))).await.result()["podcast"].clone();
    let url = heard["mediaUrl"].as_str().expect("a recording").to_owned();
    assert!(url.starts_with("/media/podcasts/a-candle-") && url.rsplit('.').next() == Some("wav"), "{url}");
    assert_eq!(heard["mins"], 2, "100 seconds");
    let path = format!("/api/admin/podcasts/{podcast}");
    let changed = app.put_as(&editor, &path, json!({ "script": "<p>Other words.</p>" })).await.result();
    assert_eq!(changed["podcast"]["mediaUrl"], url, "what a person recorded counts whatever the script says");
    let shown = send(&app, &editor, &format!("/api/admin/podcasts/photo/{podcast}"), file("a.png")).await.result();
    let image = shown["podcast"]["image"].clone();
    let public = app.get("/api/podcasts/a-candle").await.result();
    assert_eq!((&public["podcast"]["image"], &public["podcast"]["mediaUrl"]), (&image, &json!(url)));
    let shown = send(&app, &editor, &format!("/api/admin/blog/photo/{post}"), file("a.png")).await.result();
    let photo = shown["post"]["photo"].as_str().expect("a photo").to_owned();
    assert_eq!(app.get("/api/blog/a-post").await.result()["post"]["photo"], photo);
    let page = app.get("/blog").await.text;
    assert!(page.contains(&photo.replace(".jpg", ".320.webp 320w")), "the page offers the small one: {page}");
    for (action, count) in [("goal.upload", 2), ("podcast.upload", 2), ("post.upload", 1)] {
        assert_eq!(
            app.count(&format!("audit_entries WHERE action = '{action}' AND changes <> '[]'")),
            count,
            "{action}"
        );
    }

    let before = files(&app);
    let html = b"<html><script>alert(1)</script></html>".as_slice();
    for (path, bytes) in [
        (format!("/api/admin/goals/photo/{goal}"), html),
        (format!("/api/admin/goals/feature-photo/{goal}"), b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        (format!("/api/admin/podcasts/photo/{podcast}"), html),
        (format!("/api/admin/blog/photo/{post}"), html),
        (media.clone(), html),
        // It begins as an MP3 does, and holds nothing that can be heard.
        (media, b"ID3\x04\0\0\0\0\0\0"),
    ] {
        let reply = send(&app, &editor, &path, body("good.png", bytes)).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!("file")), "{path}: {}", reply.text);
    }
    for path in ["goals/photo", "podcasts/media", "podcasts/photo", "blog/photo"] {
        let unknown = send(&app, &editor, &format!("/api/admin/{path}/4711"), file("a.png")).await;
        assert_eq!(unknown.status.as_u16(), 404, "{path}");
    }
    assert_eq!(files(&app), before);
}

#[actix_web::test]
async fn editors_write_key_ideas_and_readers_see_those_with_a_picture() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let book = app.add_book("walden", "free = true");
    let list = "/api/admin/visuals";
    let seen = async || app.get("/api/visuals/book/walden").await.result()["visuals"].clone();
    let none = app.post_as(&editor, list, json!({ "title": "One", "body": "Two" })).await;
    none.fails(422, "validation_failed", "Please specify Book ID.");
    let blank = app.post_as(&editor, list, json!({ "bookId": book, "title": " ", "body": "Two" })).await;
    blank.fails(422, "validation_failed", "Please specify Title.");
    let add = async |title: &str, named: Value| {
        let form = json!({ "bookId": named, "title": title, "body": format!("About {title}.") });
        app.post_as(&editor, list, form).await.result()["visual"]["id"].clone()
    };
    let (one, two) = (add("One", json!(book)).await, add("Two", json!("walden")).await);
    assert_eq!((seen().await, app.get("/api/visuals").await.result()["total"].clone()), (json!([]), json!(0)));

    for id in [&one, &two] {
        let photo = format!("/api/admin/visuals/photo/{id}");
        let shown = send(&app, &editor, &photo, body("a.png", &picture())).await.result()["visual"].clone();
        assert_eq!((&shown["version"], &shown["bookTitle"]), (&json!(1), &json!("Title of walden")));
        assert_eq!(app.get(shown["image"].as_str().expect("an address")).await.status, 200);
    }
    let titles = async || -> Vec<String> {
        let visuals = seen().await;
        visuals.as_array().expect("a list").iter().map(|one| one["title"].as_str().expect("a title").into()).collect()
    };
    assert_eq!(titles().await, ["One", "Two"]);
    let listed = app.get("/api/visuals").await.result();
    assert_eq!((&listed["total"], &listed["visuals"][0]["count"]), (&json!(1), &json!(2)));
    assert_eq!(app.get(listed["visuals"][0]["image"].as_str().expect("a picture")).await.status, 200);
    assert_eq!(app.get("/api/infographics").await.result()["infographics"], json!([]), "nobody has drawn one");
    app.get_as(&editor, "/api/infographics/walden/download").await.fails(
        404,
        "not_found",
        "There is no such infographic.",
    );

    let order = "/api/admin/visuals/order";
    let turned = app.put_as(&editor, order, json!({ "bookId": book, "visuals": [two, one] })).await.result();
    assert_eq!(turned["visuals"][0]["title"], "Two");
    assert_eq!(titles().await, ["Two", "One"]);
    let part = app.put_as(&editor, order, json!({ "bookId": book, "visuals": [two] })).await;
    part.fails(409, "edit_conflict", "Another editor added or deleted one in the meantime. Nothing was changed.");
    let gone = app.put_as(&editor, order, json!({ "bookId": book, "visuals": [one, 4711] })).await;
    assert_eq!((gone.status.as_u16(), &gone.json()["code"]), (409, &json!("edit_conflict")));

    let path = format!("{list}/{one}");
    let changed =
        app.put_as(&editor, &path, json!({ "version": 1, "title": "First", "body": "Other." })).await.result();
    assert_eq!((&changed["visual"]["title"], &changed["visual"]["version"]), (&json!("First"), &json!(2)));
    assert_eq!(app.put_as(&editor, &path, json!({ "version": 1, "title": "Late" })).await.status, 409);
    let long = app.put_as(&editor, &path, json!({ "body": "word ".repeat(91) })).await;
    assert_eq!((long.status.as_u16(), &long.json()["field"]), (422, &json!("body")));
    app.put_as(&editor, &path, json!({ "image": "" })).await.result();
    assert_eq!(titles().await, ["Two"]);

    let delete = async |id: &Value| {
        let request = app.request(Method::DELETE, &format!("{list}/{id}")).bearer_auth(&editor.token);
        harness::reply(request).await.status.as_u16()
    };
    assert_eq!((delete(&two).await, delete(&two).await), (200, 404));
    assert_eq!((seen().await, app.get("/api/visuals").await.result()["total"].clone()), (json!([]), json!(0)));
    assert_eq!(app.get_as(&editor, list).await.result()["visuals"].as_array().map(Vec::len), Some(1));
}

#[actix_web::test]
async fn a_replaced_file_is_removed_once_nobody_needs_it() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let book = app.add_book("walden", "");
    let one = |shade: u8| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let picture = image::RgbImage::from_pixel(4, 4, image::Rgb([shade; 3]));
        picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture is written");
        bytes.into_inner()
    };
    let goal = json!({ "title": "Stay calm", "shortTitle": "Calm" });
    app.post_as(&editor, "/api/admin/goals", goal).await.result();
    let photo = |path: &str| format!("/api/admin/{path}");
    for (path, field) in [
        (photo(&format!("books/photo/{book}")), "/book/image"),
        (photo(&format!("books/infographic/{book}")), "/book/infographicUrl"),
        (photo("goals/photo/1"), "/goal/photo"),
    ] {
        let upload = async |shade: u8| {
            let result = send(&app, &editor, &path, body("a.png", &one(shade))).await.result();
            let url = result.pointer(field).and_then(Value::as_str).expect("an address").to_owned();
            app.home().join(url.split('?').next().expect("a path").trim_start_matches('/'))
        };
        let removals = || app.count("jobs WHERE kind = 'removal' AND state = 'queued'");
        let (first, waiting) = (upload(10).await, removals());
        let second = upload(20).await;
        assert!(first.exists() && second.exists() && removals() > waiting, "{path}: it is removed later");
        // The first one is used again before it is removed.
        assert_eq!((upload(10).await, first.exists()), (first.clone(), true), "{path}");
        app.sql("UPDATE jobs SET due_at = '2020-01-01' WHERE kind = 'removal' AND state = 'queued'");
        app.work_off().await;
        assert!(first.exists() && !second.exists(), "{path}");
        let form = first.with_extension("320.webp");
        assert!(form.exists() && !second.with_extension("320.webp").exists(), "{path}: in all sizes");
    }
}

/// The files of the object store that rows name, by their folders.
fn stored(app: &TestApp, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(app.home().join("media").join(folder)).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Runs the removals that wait, whenever they are due.
pub(super) async fn remove_files(app: &TestApp) {
    app.sql("UPDATE jobs SET due_at = '2020-01-01' WHERE kind = 'removal' AND state = 'queued'");
    app.work_off().await;
}

#[actix_web::test]
async fn files_of_deleted_rows_are_removed_once_no_page_can_show_them() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let before = files(&app);
    let book = app.add_book("walden", "");
    let mp3 = [b"ID3\x04\0\0\0\0\0\0".as_slice(), &[7; 1000]].concat();
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>".as_slice();
    for (kind, bytes) in [
        ("photo", picture()),
        ("vector", svg.to_vec()),
        ("infographic", picture()),
        ("podcast", mp3.clone()),
        ("media", mp3),
    ] {
        upload(&app, &editor, &format!("/api/admin/books/{kind}/{book}"), &bytes).await;
    }
    let add =
        async |path: &str, form: Value, row: &str| app.post_as(&editor, path, form).await.result()[row]["id"].clone();
    let idea = json!({ "bookId": book, "title": "One", "body": "An idea." });
    let one = add("/api/admin/visuals", idea.clone(), "visual").await;
    let two = add("/api/admin/visuals", idea, "visual").await;
    let goal = add("/api/admin/goals", json!({ "title": "Stay calm", "shortTitle": "Calm" }), "goal").await;
    let text = json!({ "title": "A post", "description": "About.", "categories": ["News"], "text": "<p>Hello.</p>" });
    let post = add("/api/admin/blog", text, "post").await;
    let episode = json!({ "title": "One", "author": "Ada", "authorDesc": "A speaker.", "description": "About." });
    let episode = add("/api/admin/podcasts", episode, "podcast").await;
    let uploads = [
        format!("/api/admin/visuals/photo/{one}"),
        format!("/api/admin/visuals/photo/{two}"),
        format!("/api/admin/goals/photo/{goal}"),
        format!("/api/admin/goals/feature-photo/{goal}"),
        format!("/api/admin/blog/photo/{post}"),
        format!("/api/admin/podcasts/photo/{episode}"),
    ];
    for path in uploads {
        send(&app, &editor, &path, body("a.png", &picture())).await.result();
    }
    let delete = async |path: String| {
        let request = app.request(Method::DELETE, &path).bearer_auth(&editor.token);
        harness::reply(request).await.result();
    };
    delete(format!("/api/admin/visuals/{one}")).await;
    remove_files(&app).await;
    assert!(!stored(&app, "thumbs").is_empty(), "the other idea still shows what was made of both");
    for path in [
        format!("/api/admin/goals/{goal}"),
        format!("/api/admin/blog/{post}"),
        format!("/api/admin/podcasts/{episode}"),
        format!("/api/admin/books/{book}"),
    ] {
        delete(path).await;
    }
    assert!(files(&app) > before, "they are removed later: a page that shows one may be open");
    remove_files(&app).await;
    for folder in ["covers", "thumbs", "audio", "visuals", "infographics", "goals", "blog", "podcasts"] {
        assert_eq!(stored(&app, folder), Vec::<String>::new(), "{folder}");
    }
    assert_eq!(files(&app), before);
}

#[actix_web::test]
async fn a_file_whose_row_was_never_saved_is_swept_and_one_that_a_row_names_stays() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let book = app.add_book("walden", "");
    upload(&app, &editor, &format!("/api/admin/books/photo/{book}"), &picture()).await;
    upload(&app, &editor, &format!("/api/admin/books/infographic/{book}"), &picture()).await;
    let named = files(&app);
    // What a process leaves that ends between the file and its row.
    let lost = app.app.media.put("covers/walden-lost.svg", b"<svg/>".to_vec()).await.expect("it is put");
    let made = app.app.media.put("documents/walden.pdf", b"%PDF-1.7".to_vec()).await.expect("it is put");
    let coming = app.app.media.put("covers/walden-coming.svg", b"<svg></svg>".to_vec()).await.expect("it is put");
    app.queue_scheduled().await;
    app.work_off().await;
    let removals = "jobs WHERE kind = 'removal' AND state = 'queued'";
    assert_eq!(app.count(removals), 2, "its removal waits");
    // A row that names it meanwhile keeps it.
    app.sql(&format!("UPDATE books SET vector = '{coming}' WHERE id = {book}"));
    remove_files(&app).await;
    for (key, is_there) in [(&lost, false), (&made, true), (&coming, true)] {
        assert_eq!(app.app.media.exists(key).await.expect("it is looked for"), is_there, "{key}");
    }
    assert!(files(&app) >= named + 2);
}

//! Pictures within texts (`catalogue.text-pictures`): uploaded by editors, shown to readers and in files, and kept as long as a
//! text, or an earlier version of it, shows them.

use std::io::Read;

use super::uploads::remove_files;
use crate::harness::{
    Person, TestApp,
    uploads::{body, picture, send},
};
use reqwest::Method;
use serde_json::{Value, json};

const DRAWING: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 10' onload='alert(1)'>\
    <script>alert(1)</script><path d='M0 0h9v9z'/></svg>";

/// Uploads a picture for a text; gives its address.
async fn stored(app: &TestApp, editor: &Person, bytes: &[u8]) -> String {
    let result = send(app, editor, "/api/admin/pictures", body("a.png", bytes)).await.result();
    result["url"].as_str().expect("an address").to_owned()
}

/// A picture of one shade, so that each is another file.
fn shade(shade: u8) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(40, 20, image::Rgb([shade; 3]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture is written");
    bytes.into_inner()
}

fn shown(url: &str) -> String {
    format!("<img src=\"{url}\" alt=\"A hut\" width=\"40\" height=\"20\" loading=\"lazy\">")
}

async fn add_post(app: &TestApp, editor: &Person, text: &str) -> Value {
    let post = json!({ "title": "A hut", "description": "About.", "categories": ["News"], "text": text });
    app.post_as(editor, "/api/admin/blog", post).await.result()["post"].take()
}

/// Looks for files that no row names, as once a day; their removals wait.
async fn look_for_unnamed(app: &TestApp) {
    app.sql("UPDATE job_schedules SET due_at = '2020-01-01' WHERE kind = 'sweep_files'");
    app.queue_scheduled().await;
    app.work_off().await;
}

/// Looks for files that no row names, and runs the removals that wait, whenever they are due.
async fn sweep(app: &TestApp) {
    look_for_unnamed(app).await;
    remove_files(app).await;
}

#[actix_web::test]
async fn an_editor_uploads_a_picture_or_a_drawing_and_anyone_sees_it_in_a_post() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let photo = send(&app, &editor, "/api/admin/pictures", body("a.png", &shade(1))).await.result();
    assert_eq!((&photo["width"], &photo["height"]), (&json!(40), &json!(20)));
    let drawing = send(&app, &editor, "/api/admin/pictures", body("a.svg", DRAWING)).await.result();
    assert_eq!((&drawing["width"], &drawing["height"]), (&json!(1280), &json!(320)), "{drawing}");
    assert!(!app.get(drawing["url"].as_str().expect("an address")).await.text.contains("script"));

    let url = photo["url"].as_str().expect("an address");
    let text = format!("<p>One.</p>{}<img src=\"https://elsewhere.example/a.png\" alt=\"No\">", shown(url));
    let post = add_post(&app, &editor, &text).await;
    assert_eq!(post["text"], format!("<p>One.</p>{}", shown(url)));
    let page = app.get(&format!("/blog/{}", post["slug"].as_str().expect("a slug"))).await;
    assert!(page.text.contains(&shown(url)), "{}", page.text);
    assert_eq!(app.get(url).await.status, 200, "without an account");

    let member = app.sign_up("ada@example.com").await;
    assert_eq!(send(&app, &member, "/api/admin/pictures", body("a.png", &picture())).await.status, 403);
    let refusal = "This is not a picture that we can read. Please use SVG, JPEG, PNG or WebP.";
    let pdf = send(&app, &editor, "/api/admin/pictures", body("a.png", b"%PDF-1.7")).await;
    pdf.fails(422, "validation_failed", refusal);
}

#[actix_web::test]
async fn a_picture_stays_while_a_text_or_an_earlier_version_of_it_shows_it() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let is_there = async |url: &str| app.get(url).await.status == 200;
    let (used, unused) = (stored(&app, &editor, &shade(1)).await, stored(&app, &editor, &shade(2)).await);
    let post = add_post(&app, &editor, &shown(&used)).await;
    sweep(&app).await;
    assert_eq!((is_there(&used).await, is_there(&unused).await), (true, false));

    // The post no longer shows it, but can be restored.
    let path = format!("/api/admin/blog/{}", post["id"]);
    let without = json!({ "title": "A hut", "description": "About.", "categories": ["News"], "text": "<p>None.</p>" });
    app.put_as(&editor, &path, without).await.result();
    sweep(&app).await;
    assert!(is_there(&used).await);
    app.delete_as(&editor, &path).await.result();

    // Its removal waits, and a book shows it again meanwhile; so does a page that is not published.
    let drafted = stored(&app, &editor, &shade(3)).await;
    look_for_unnamed(&app).await;
    assert_eq!(app.count("jobs WHERE kind = 'removal' AND state = 'queued'"), 2);
    let book = app.add_book("walden", "");
    let text = json!({ "body": format!("<p>One.</p>{}", shown(&used)) });
    app.put_as(&editor, &format!("/api/admin/books/{book}"), text).await.result();
    let draft = json!({ "title": "About", "description": "Us.", "text": shown(&drafted), "published": false });
    app.put_as(&editor, "/api/admin/pages/about", draft).await.result();
    assert_eq!(app.count("jobs WHERE kind = 'removal' AND state = 'queued'"), 0);
    sweep(&app).await;
    assert!(is_there(&used).await && is_there(&drafted).await);
}

#[actix_web::test]
async fn a_picture_of_a_book_is_in_its_files() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let (photo, drawing) = (stored(&app, &editor, &shade(1)).await, stored(&app, &editor, DRAWING).await);
    app.add_book("walden", "free = true");
    let gone = "/media/pictures/text-gone.jpg";
    let pictures = [photo.as_str(), &drawing, gone].map(shown).concat();
    app.sql(&format!("UPDATE books SET body = '<h3>One</h3><p>Text.</p>{pictures}'"));
    app.app.responses.invalidate_catalogue();
    let reader = app.sign_up_paid("paid@example.com").await;
    let file = async |call: &str| {
        let request = app.request(Method::GET, &format!("/api/books/{call}/walden")).bearer_auth(&reader.token);
        let reply = request.send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{call}");
        reply.bytes().await.expect("a file")
    };
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(file("download-epub").await)).expect("a ZIP");
    let names: Vec<String> = zip.file_names().filter(|name| name.contains("picture-")).map(str::to_owned).collect();
    let endings: Vec<_> = names.iter().filter_map(|name| Some(name.rsplit_once('.')?.1)).collect();
    assert!(endings.len() == 2 && endings.contains(&"jpg") && endings.contains(&"png"), "{names:?}");
    let mut page = String::new();
    zip.by_name("EPUB/idea-1.xhtml").expect("a page").read_to_string(&mut page).expect("text");
    assert_eq!(page.matches(" alt=\"A hut\"/>").count(), 2, "{page}");
    assert!(page.contains("<p><em>A hut</em></p>"), "a description in place of the missing picture: {page}");
    assert!(file("download-pdf").await.starts_with(b"%PDF-1.7"));
}

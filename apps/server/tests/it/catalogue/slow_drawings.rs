//! Drawings that take too long to draw: refused when they are uploaded, and where one is in the store already, its pictures alone
//! are not there.

use std::fmt::Write;

use crate::harness::{
    Person, Reply, TestApp, reply,
    uploads::{body, send},
};
use media::{Format, Media, rendition_key};
use reqwest::Method;

fn drawing(inner: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 600 900' width='600' height='900'>{inner}</svg>")
}

/// Groups of ten copies of the one before: 10^9 of them.
fn copies() -> String {
    let mut text = "<defs><g id='a0'><rect width='9' height='9'/></g>".to_owned();
    for level in 1..10 {
        let _ = write!(text, "<g id='a{level}'>{}</g>", format!("<use href='#a{}'/>", level - 1).repeat(10));
    }
    drawing(&format!("{text}</defs><use href='#a9'/>"))
}

/// 2,000 paths with dashes of this length.
fn dashes(length: &str) -> String {
    let mut line = String::new();
    for n in 0..100 {
        let _ = write!(line, "L{} {}", (n % 2) * 600, n * 9);
    }
    let path = format!("<path d='M0 0{line}' fill='none' stroke='red' stroke-dasharray='{length}'/>");
    drawing(&path.repeat(2_000))
}

async fn upload_drawing(app: &TestApp, editor: &Person, book: i64, svg: &str) -> Reply {
    send(app, editor, &format!("/api/admin/books/vector/{book}"), body("a.svg", svg.as_bytes())).await
}

fn picture_of(key: &str) -> String {
    Media::url(&rendition_key(key, 320, Format::Webp))
}

#[actix_web::test]
async fn a_drawing_that_takes_too_much_is_refused_and_a_plain_one_is_drawn_when_it_is_uploaded() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let book = app.add_book("walden", "");
    let text = "This drawing takes too much time or memory to draw. Please simplify it, or upload it as a PNG.";
    // The last has dashes that are just not too fine, so that only drawing it shows how much it is.
    for svg in [copies(), dashes("0.01"), dashes("0.5")] {
        let refused = upload_drawing(&app, &editor, book, &svg).await;
        refused.fails(422, "validation_failed", text);
        assert_eq!(refused.json()["field"], "file");
    }
    let plain = upload_drawing(&app, &editor, book, &drawing("<rect width='600' height='450' fill='red'/>")).await;
    let address = plain.result()["book"]["vector"].as_str().expect("a drawing").to_owned();
    let key = address.trim_start_matches("/media/").to_owned();
    assert!(app.app.media.exists(&rendition_key(&key, 1280, Format::Png)).await.expect("read"), "it is drawn already");
    let small = app.request(Method::GET, &picture_of(&key)).send().await.expect("sent").bytes().await.expect("a body");
    let small = image::load_from_memory(&small).expect("a picture").into_rgb8();
    assert_eq!((small.width(), small.height(), small.get_pixel(9, 9).0), (320, 480, [255, 0, 0]));
}

#[actix_web::test]
async fn a_slow_drawing_in_the_store_stops_no_other_pictures_and_is_not_tried_again() {
    let app = TestApp::start().await;
    let media = &app.app.media;
    let slow = media.put("covers/slow.svg", copies().into_bytes()).await.expect("stored");
    let plain = drawing("<rect width='600' height='900' fill='red'/>");
    let quick = media.put("covers/quick.svg", plain.into_bytes()).await.expect("stored");
    app.add_book("slow", &format!("image = '{slow}'"));
    app.add_book("quick", &format!("image = '{quick}'"));
    // More requests for pictures of the one than the server draws at a time.
    let many = rendition_key(&slow, 320, Format::Webp);
    let asked = (0..20).map(|_| app.get_owned(Media::url(&many)));
    let (slow_ones, cover, card) =
        futures_util::join!(futures_util::future::join_all(asked), app.get_owned(picture_of(&quick)), async {
            reply(app.request(Method::GET, "/cards/books/quick.png")).await.status
        });
    assert_eq!((cover.status.as_u16(), card.as_u16()), (200, 200));
    for reply in slow_ones {
        match reply.status.as_u16() {
            404 => {}
            503 => assert!(reply.headers.contains_key("retry-after")),
            status => panic!("{status}: {}", reply.text),
        }
    }
    // A request after it has failed gets 404; nothing is drawn.
    let told = async |path: &str| loop {
        let reply = app.get(path).await;
        if reply.status != 503 {
            return reply;
        }
    };
    assert_eq!(told(&Media::url(&rendition_key(&slow, 512, Format::Png))).await.status, 404);
    // Its card is the site's.
    let site = app.request(Method::GET, "/cards/site.png").send().await.expect("sent").bytes().await.expect("a body");
    assert_eq!(told("/cards/books/slow.png").await.status, 200);
    let card =
        app.request(Method::GET, "/cards/books/slow.png").send().await.expect("sent").bytes().await.expect("a body");
    assert_eq!(card, site);
}

#[actix_web::test]
async fn a_file_of_a_book_has_no_cover_that_can_not_be_drawn() {
    let app = TestApp::start().await;
    let reader = app.sign_up_paid("ada@example.com").await;
    let slow = app.app.media.put("covers/slow.svg", copies().into_bytes()).await.expect("stored");
    let book = app.add_book("slow", &format!("image = '{slow}'"));
    app.get_as(&reader, "/api/books/slow").await.result();
    for (kind, beginning) in [("pdf", "%PDF-1.7"), ("epub", "PK")] {
        let path = format!("/api/books/download-{kind}/{book}");
        let file = loop {
            let file = app.get_as(&reader, &path).await;
            if file.status != 503 {
                break file;
            }
        };
        assert_eq!(file.status, 200, "{kind}");
        assert!(file.text.starts_with(beginning), "{kind}");
    }
}

//! Listening and watching: who may, and what they are given.

use catalogue::{
    Book, BookExtras, BookRef, CatalogueQueries, EditingCommands, Film, Mark, Narration, Recordings, shown_hash,
    text_hash,
};
use kernel::{BookId, StoreError};
use serde_json::{Value, json};

use crate::harness::{Reply, START, TestApp};

const UPGRADE_TO_LISTEN: &str = "Please upgrade to listen to this summary.";
const UPGRADE_TO_WATCH: &str = "Please upgrade to see the full video content for this summary.";

fn read(app: &TestApp, book: i64) -> Book {
    let key = BookRef::Id(BookId::from_store(book));
    app.app.db.write_now::<_, StoreError>(|pg| pg.book(&key)).expect("it is read").expect("the book is there")
}

/// Gives a book audio, as the product makes it.
fn narrate(app: &TestApp, book: i64) {
    let mark = |section, paragraph, at_ms| Mark { section, paragraph, at_ms };
    let marks = vec![mark(0, None, 1_500), mark(0, Some(0), 2_000), mark(0, Some(1), 4_125), mark(1, None, 7_000)];
    narrate_with(app, book, marks);
}

/// Gives a book audio with these marks.
pub(crate) fn narrate_with(app: &TestApp, book: i64, marks: Vec<Mark>) {
    let there = read(app, book);
    let made = Narration {
        media: format!("audio/{}-1a2b.mp3", there.card.subid),
        duration_ms: 61_250,
        marks,
        text_hash: text_hash(&there.body),
        voice: "a narrator".to_owned(),
        made_at: START,
    };
    let saved = app
        .app
        .db
        .write_now::<_, StoreError>(|pg| pg.save_narration(there.card.id, &made, there.card.media.as_deref()));
    assert!(saved.expect("it is saved"));
}

/// Gives a book a video, as the product makes it.
fn film(app: &TestApp, book: i64) {
    let there = read(app, book);
    let subid = &there.card.subid;
    let made = Film {
        media: format!("video/{subid}-1a2b.mp4"),
        poster: format!("video/{subid}-3c.png"),
        captions: format!("video/{subid}-4d.vtt"),
        duration_ms: 75_000,
        shown_hash: shown_hash(&there, &[]),
        made_at: START,
    };
    let saved = app.app.db.write_now::<_, StoreError>(|pg| pg.save_film(there.card.id, &made, None));
    assert!(saved.expect("it is saved"));
}

fn path_of(address: &Value) -> &str {
    let address = address.as_str().expect("an address");
    address.split('?').next().unwrap_or(address)
}

fn listens(reply: &Reply) {
    assert_eq!(path_of(&reply.result()["url"]), "/media/audio/a-book-1a2b.mp3");
}

#[actix_web::test]
async fn audio_goes_with_the_full_text_and_takes_nothing_from_the_allowance() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "");
    narrate(&app, book);
    let audio = format!("/api/books/{book}/audio");
    app.get(&audio).await.fails(401, "unauthenticated", "Please log in.");
    assert_eq!(app.get(&audio).await.json()["notLoggedIn"], true);
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);
    app.get_as(&free, &audio).await.fails(403, "upgrade_required", UPGRADE_TO_LISTEN);
    listens(&app.get_as(&paid, &audio).await);
    assert_eq!(app.count("opened_books"), 0, "listening opens nothing");
    app.get_as(&free, &format!("/api/books/{book}")).await.result();
    listens(&app.get_as(&free, &audio).await);
    listens(&app.get_as(&free, "/api/books/a-book/audio").await);
    assert_eq!(app.count("opened_books"), 1);
}

/// Gives a book an episode about it.
fn discuss(app: &TestApp, book: i64) {
    let extras = BookExtras { podcast: Some("audio/a-book-podcast-1a2b.mp3".to_owned()), ..BookExtras::default() };
    let saved = app.app.db.write_now::<_, StoreError>(|pg| pg.update_book_extras(BookId::from_store(book), &extras));
    saved.expect("it is saved");
    app.app.responses.invalidate_catalogue();
    app.app.facts.invalidate_all();
}

fn hears_podcast(url: &Value) {
    assert_eq!(path_of(url), "/media/audio/a-book-podcast-1a2b.mp3");
}

#[actix_web::test]
async fn the_podcast_of_a_book_goes_with_its_full_text() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "");
    let (podcast, page) = (format!("/api/books/{book}/podcast"), format!("/api/books/{book}"));
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);
    app.get_as(&paid, &podcast).await.fails(404, "not_found", "There is no such podcast.");
    assert_eq!(app.get(&page).await.result()["book"]["hasPodcast"], false);
    discuss(&app, book);
    app.get(&podcast).await.fails(401, "unauthenticated", "Please log in.");
    app.get_as(&free, &podcast).await.fails(403, "upgrade_required", UPGRADE_TO_LISTEN);
    hears_podcast(&app.get_as(&paid, &podcast).await.result()["url"]);
    assert_eq!(app.count("opened_books"), 0, "listening opens nothing");
    // A page that shows the preview says that there is one, and no more.
    let visited = app.get(&page).await.result()["book"].take();
    assert_eq!((&visited["hasPodcast"], &visited["podcastUrl"]), (&json!(true), &json!(null)));
    hears_podcast(&app.get_as(&free, &page).await.result()["book"]["podcastUrl"]);
    let result = app.get_as(&free, &podcast).await.result();
    hears_podcast(&result["url"]);
    assert_eq!(
        (&result["type"], &result["seconds"], &result["chapters"]),
        (&json!("audio/mpeg"), &json!(null), &json!([]))
    );

    let open = app.add_book("open-book", "free = true");
    discuss(&app, open);
    hears_podcast(&app.get("/api/books/open-book/podcast").await.result()["url"]);
    let document = app.get("/books/open-book").await.text;
    assert!(document.contains("Play the podcast"), "{document}");
    app.sql(&format!("UPDATE books SET coming_soon = true WHERE id = {open}"));
    app.app.responses.invalidate_catalogue();
    app.app.facts.invalidate_all();
    let announced = app.get_as(&paid, "/api/books/open-book").await.result()["book"].take();
    assert_eq!((&announced["hasPodcast"], &announced["podcastUrl"]), (&json!(true), &json!(null)));
}

#[actix_web::test]
async fn a_free_book_is_for_everybody() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "free = true");
    narrate(&app, book);
    film(&app, book);
    let member = app.sign_up("free@example.com").await;
    for reply in [app.get("/api/books/a-book/audio").await, app.get_as(&member, "/api/books/a-book/audio").await] {
        listens(&reply);
    }
    for reply in [app.get("/api/books/a-book/video").await, app.get_as(&member, "/api/books/a-book/video").await] {
        assert_eq!(path_of(&reply.result()["url"]), "/media/video/a-book-1a2b.mp4");
    }
}

#[actix_web::test]
async fn audio_says_when_each_section_and_paragraph_begins() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "free = true");
    narrate(&app, book);
    let result = app.get("/api/books/a-book/audio").await.result();
    assert_eq!((&result["type"], &result["seconds"]), (&json!("audio/mpeg"), &json!(61.25)));
    assert!(result["until"].as_i64().is_some_and(|until| until > START.millis()));
    assert_eq!(
        result["chapters"],
        json!([{ "section": 0, "title": "Idea 0", "at": 0.0 }, { "section": 1, "title": "Idea 1", "at": 7.0 }])
    );
    assert_eq!(result["marks"][0], json!({ "section": 0, "paragraph": null, "at": 1.5 }));
    assert_eq!(result["marks"][2], json!({ "section": 0, "paragraph": 1, "at": 4.125 }));
    // The marks are those of a text; another text has none.
    app.sql(&format!("UPDATE books SET body = replace(body, 'says more', 'says less') WHERE id = {book}"));
    let result = app.get("/api/books/a-book/audio").await.result();
    assert_eq!((&result["marks"], &result["chapters"]), (&json!([]), &json!([])));
    // A person's own recording is played without any.
    app.sql(&format!("UPDATE books SET media = 'audio/own.mp3' WHERE id = {book}"));
    let result = app.get("/api/books/a-book/audio").await.result();
    assert_eq!((path_of(&result["url"]), &result["seconds"]), ("/media/audio/own.mp3", &json!(null)));
}

#[actix_web::test]
async fn what_is_not_there_can_not_be_played() {
    let app = TestApp::start().await;
    let paid = app.sign_up_paid("paid@example.com").await;
    let book = app.add_book("a-book", "free = true");
    app.get("/api/books/a-book/audio").await.fails(404, "not_found", "There is no such audio.");
    let result = app.get("/api/books/a-book/video").await.result();
    assert_eq!(result["book"]["title"], "Title of a-book");
    for field in ["url", "type", "poster", "captions", "seconds", "until"] {
        assert_eq!(result[field], json!(null), "{field}");
    }
    for address in
        ["/api/books/nothing/audio", "/api/books/nothing/video", "/api/books/4711/audio", "/api/books/-/video"]
    {
        app.get_as(&paid, address).await.fails(404, "not_found", "There is no such book.");
    }
    narrate(&app, book);
    app.sql(&format!("UPDATE books SET coming_soon = true WHERE id = {book}"));
    app.get("/api/books/a-book/audio").await.fails(404, "not_found", "There is no such audio.");
    app.sql(&format!("UPDATE books SET published = false WHERE id = {book}"));
    app.get("/api/books/a-book/audio").await.fails(404, "not_found", "There is no such book.");
}

#[actix_web::test]
async fn a_video_is_for_paid_members() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "");
    let video = format!("/api/books/{book}/video");
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);
    film(&app, book);
    app.get(&video).await.fails(401, "unauthenticated", "Please log in.");
    app.get_as(&free, &video).await.fails(403, "upgrade_required", UPGRADE_TO_WATCH);
    // Also for one who has opened the text within the allowance.
    app.get_as(&free, &format!("/api/books/{book}")).await.result();
    app.get_as(&free, &video).await.fails(403, "upgrade_required", UPGRADE_TO_WATCH);
    let result = app.get_as(&paid, &video).await.result();
    assert_eq!((&result["type"], &result["seconds"]), (&json!("video/mp4"), &json!(75.0)));
    assert_eq!(path_of(&result["url"]), "/media/video/a-book-1a2b.mp4");
    assert_eq!(path_of(&result["poster"]), "/media/video/a-book-3c.png");
    assert_eq!(path_of(&result["captions"]), "/media/video/a-book-4d.vtt");
    assert_eq!(result["book"]["subid"], "a-book");
    // The start of the video is refused with the same reason, also for a book that the member has opened.
    let start = format!("/api/user-book-history/{book}");
    app.post_as(&free, &start, json!({})).await.fails(403, "upgrade_required", UPGRADE_TO_WATCH);
    let unopened = app.add_book("unopened", "");
    app.post_as(&free, &format!("/api/user-book-history/{unopened}"), json!({})).await.fails(
        403,
        "upgrade_required",
        UPGRADE_TO_WATCH,
    );
    let history = app.get_as(&free, "/api/user-book-history").await.result();
    assert_eq!(history["books"], json!([]), "nothing was logged");
    assert_eq!(app.post_as(&paid, &start, json!({})).await.result()["entry"]["bookId"], json!(book));
    let open = app.add_book("open-book", "free = true");
    let start = format!("/api/user-book-history/{open}");
    assert_eq!(app.post_as(&free, &start, json!({})).await.result()["entry"]["bookId"], json!(open));

    // A person's own video has no poster and no captions of ours.
    app.sql(&format!("UPDATE books SET video = 'video/own.mp4' WHERE id = {book}"));
    let result = app.get_as(&paid, &video).await.result();
    assert_eq!((path_of(&result["url"]), &result["captions"]), ("/media/video/own.mp4", &json!(null)));
}

#[actix_web::test]
async fn a_book_carries_the_addresses_that_its_reader_may_have() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "");
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);
    let address = format!("/api/books/{book}");
    let carried = |reply: Reply| {
        let book = reply.result()["book"].take();
        [book["mediaUrl"].clone(), book["video"].clone(), book["hasMedia"].clone(), book["hasVideo"].clone()]
    };
    let nothing = [json!(null), json!(null), json!(false), json!(false)];
    for viewer in [None, Some(&paid)] {
        assert_eq!(carried(app.send(viewer, reqwest::Method::GET, &address, None).await), nothing);
    }
    // What is made is there at once, also where an answer was remembered.
    narrate(&app, book);
    film(&app, book);
    assert_eq!(carried(app.get(&address).await), [json!(null), json!(null), json!(true), json!(true)]);
    let [media, video, ..] = carried(app.get_as(&paid, &address).await);
    assert_eq!((path_of(&media), path_of(&video)), ("/media/audio/a-book-1a2b.mp3", "/media/video/a-book-1a2b.mp4"));
    let [media, video, ..] = carried(app.get_as(&free, &address).await);
    assert_eq!((path_of(&media), video), ("/media/audio/a-book-1a2b.mp3", json!(null)));
    let listed = app.get_as(&paid, "/api/books/list?sort=audio").await.result();
    assert_eq!(listed["books"]["a-book"]["hasMedia"], true);
    assert_eq!(listed["books"]["a-book"]["mediaUrl"], json!(null), "lists carry no addresses");
}

#[actix_web::test]
async fn a_signed_address_is_the_files_and_the_pages_too() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "free = true");
    let key = app.app.media.put("audio/a-book.wav", b"RIFF".to_vec()).await.expect("it is stored");
    app.sql(&format!("UPDATE books SET media = '{key}' WHERE id = {book}"));
    app.app.responses.invalidate_catalogue();
    let url = app.get("/api/books/a-book/audio").await.result()["url"].as_str().expect("an address").to_owned();
    let file = app.get(&url).await;
    assert_eq!((file.status.as_u16(), file.text.as_str()), (200, "RIFF"));
    assert_eq!(file.headers["content-type"], "audio/wav");
    let page = app.get("/books/a-book").await.text;
    assert!(page.contains(&url.replace('&', "\\u0026")) || page.contains(&url), "the page's first answer has it too");
    // A presigned URL is replaced before it expires, also in cached responses and pages.
    app.env.advance(kernel::DAY);
    let later = app.get("/api/books/a-book").await.result()["book"]["mediaUrl"].as_str().map(str::to_owned);
    assert_ne!(later.as_deref(), Some(url.as_str()));
    assert_eq!(app.get(&later.expect("an address")).await.text, "RIFF");
    assert_eq!(app.get(&url).await.status.as_u16(), 403);
}

#[actix_web::test]
async fn the_page_of_a_video_shows_it_to_everybody_who_may_watch_and_nobody_else() {
    let app = TestApp::start().await;
    let (open, closed) = (app.add_book("free-book", "free = true"), app.add_book("a-book", ""));
    let page = app.get("/video/free-book").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("No video available yet for this book."));
    film(&app, open);
    film(&app, closed);
    let page = app.get("/video/free-book").await.text;
    assert!(page.contains("<h1 class=\"page__title\">Title of free-book</h1>"), "{page}");
    assert!(page.contains("src=\"/media/video/free-book-1a2b.mp4?for=0&"), "{page}");
    assert!(page.contains("kind=\"captions\"") && page.contains("\"@type\":\"VideoObject\""), "{page}");
    let page = app.get("/video/a-book").await.text;
    assert!(page.contains(UPGRADE_TO_WATCH), "{page}");
    assert!(!page.contains("/media/video/"), "{page}");
    assert_eq!(app.get("/video/nothing").await.status, 404);
}

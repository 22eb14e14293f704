//! The drawn infographic of a book: drawn anew after a change, and behind an uploaded one until that is removed.

use artwork::{Ground, Motif};
use catalogue::{Catalogue, CatalogueError, CatalogueQueries, VisualDraft, VisualsDraft};
use kernel::{BookId, StoreError};
use serde_json::{Value, json};
use workflows::catalogue::drawings::{DrawnBook, DrawnIdea, write_drawing};

use crate::harness::{
    Person, START, TestApp,
    uploads::{picture, upload},
};

const QUEUED: &str = "jobs WHERE kind = 'infographic' AND state = 'queued'";

fn idea(title: &str, body: &str, motif: Motif, ground: Ground) -> DrawnIdea {
    DrawnIdea { title: title.to_owned(), body: body.to_owned(), motif, ground }
}

/// The book that the tests change.
fn drawn(ideas: Vec<DrawnIdea>) -> DrawnBook {
    DrawnBook {
        subid: kernel::Slug::parse("walden").expect("a slug"),
        title: "Title of walden".to_owned(),
        author: "Ada Author".to_owned(),
        hue: 120.0,
        ideas,
    }
}

/// Adds the book with its drawn key ideas, as the seed does; gives its number.
async fn illustrate(app: &TestApp, book: &DrawnBook) -> BookId {
    let id = BookId::from_store(app.add_book("walden", ""));
    app.sql("UPDATE categories SET hue = 120");
    let media = &app.app.media;
    let set = book.put_set(media, &app.app.config.site.name).await.expect("it is drawn");
    let mut ideas = Vec::new();
    for (scene, DrawnIdea { title, body, motif, ground }) in book.scenes().iter().zip(&book.ideas) {
        let image = media.put("visuals/walden-1.svg", artwork::scene(scene).into_bytes()).await.expect("it is stored");
        let (title, body, drawing) = (title.clone(), body.clone(), write_drawing(motif, *ground));
        ideas.push(VisualDraft { title, body, image: Some(image), drawing });
    }
    let draft = VisualsDraft {
        ideas,
        image: Some(set.image),
        infographic: Some(set.infographic),
        infographic_thumb: Some(set.infographic_thumb),
    };
    save(app, id, &draft);
    id
}

fn save(app: &TestApp, id: BookId, draft: &VisualsDraft) {
    let saved = app.app.db.write_now::<_, CatalogueError>(|pg| pg.save_visuals(id, draft, START));
    saved.expect("they are saved");
    app.app.responses.invalidate_catalogue();
}

/// What is stored of the book's key ideas.
fn stored(app: &TestApp, id: BookId) -> VisualsDraft {
    let read = app.app.db.write_now::<_, StoreError>(|pg| pg.visuals_draft(id));
    read.expect("it is read").expect("there are key ideas")
}

/// Runs the one job that is queued, and asserts that the book now has what is drawn of this.
async fn is_drawn_as(app: &TestApp, id: BookId, book: &DrawnBook, why: &str) {
    assert_eq!(app.count(QUEUED), 1, "{why}: queued once");
    app.work_off().await;
    assert_eq!(app.count(QUEUED), 0, "{why}");
    let set = book.put_set(&app.app.media, &app.app.config.site.name).await.expect("it is drawn");
    let there = stored(app, id);
    assert_eq!(there.infographic, Some(set.infographic), "{why}");
    assert_eq!((there.infographic_thumb, there.image), (Some(set.infographic_thumb), Some(set.image)), "{why}");
}

async fn ids(app: &TestApp, editor: &Person) -> Vec<i64> {
    let list = app.get_as(editor, "/api/admin/visuals").await.result();
    list["visuals"].as_array().expect("a list").iter().map(|one| one["id"].as_i64().expect("an id")).collect()
}

fn two_ideas() -> Vec<DrawnIdea> {
    vec![
        idea("One", "About one.", Motif::Stacks { heights: vec![1, 2, 4] }, Ground::Deep),
        idea("Two", "About two.", Motif::Keyhole, Ground::Flesh),
    ]
}

#[actix_web::test]
async fn what_is_drawn_of_all_key_ideas_follows_them_and_the_books_title_and_author() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let mut book = drawn(two_ideas());
    let id = illustrate(&app, &book).await;
    let first = stored(&app, id);
    let numbers = ids(&app, &editor).await;
    let (one, two) = (numbers[0], numbers[1]);

    // Two changes, one drawing.
    app.put_as(&editor, &format!("/api/admin/visuals/{one}"), json!({ "title": "First" })).await.result();
    app.put_as(&editor, &format!("/api/admin/visuals/{one}"), json!({ "body": "Another text." })).await.result();
    book.ideas[0].title = "First".to_owned();
    book.ideas[0].body = "Another text.".to_owned();
    is_drawn_as(&app, id, &book, "a text was changed").await;
    let gone = first.infographic.expect("one was drawn");
    let removals = "jobs WHERE kind = 'removal' AND state = 'queued'";
    assert_eq!(app.count(removals), 2, "the poster and its thumbnail; what lists show is the same");
    app.sql("UPDATE jobs SET due_at = '2020-01-01' WHERE kind = 'removal'");
    app.work_off().await;
    assert!(!app.app.media.exists(&gone).await.expect("it is looked for"), "{gone}");

    app.put_as(&editor, &format!("/api/admin/visuals/{one}"), json!({ "title": "First" })).await.result();
    assert_eq!(app.count(QUEUED), 0, "nothing was changed");

    app.put_as(&editor, "/api/admin/visuals/order", json!({ "bookId": id.get(), "visuals": [two, one] }))
        .await
        .result();
    book.ideas.swap(0, 1);
    is_drawn_as(&app, id, &book, "the order was changed").await;

    app.put_as(&editor, &format!("/api/admin/books/{id}"), json!({ "title": "Walden, or Life" })).await.result();
    "Walden, or Life".clone_into(&mut book.title);
    is_drawn_as(&app, id, &book, "the title was changed").await;

    let author = app.get_as(&editor, "/api/admin/authors").await.result()["authors"][0]["id"].clone();
    app.put_as(&editor, &format!("/api/admin/authors/{author}"), json!({ "name": "A. Author" })).await.result();
    "A. Author".clone_into(&mut book.author);
    is_drawn_as(&app, id, &book, "the author's name was changed").await;

    // An idea of an editor's own: readers see it, and the infographic shows it, once it has a picture.
    let own = json!({ "bookId": id.get(), "title": "Three", "body": "About three." });
    let three = app.post_as(&editor, "/api/admin/visuals", own).await.result()["visual"]["id"].clone();
    assert_eq!(app.count(QUEUED), 0);
    upload(&app, &editor, &format!("/api/admin/visuals/photo/{three}"), &picture()).await;
    book.ideas.push(idea("Three", "About three.", Motif::Wheel { segments: 8 }, Ground::Deep));
    is_drawn_as(&app, id, &book, "an idea came").await;

    app.delete_as(&editor, &format!("/api/admin/visuals/{two}")).await.result();
    book.ideas.remove(0);
    book.ideas[1].motif = Motif::Wheel { segments: 7 };
    book.ideas[1].ground = Ground::Paper;
    is_drawn_as(&app, id, &book, "an idea went").await;

    app.put_as(&editor, &format!("/api/admin/books/{id}"), json!({ "description": "Another." })).await.result();
    assert_eq!(app.count(QUEUED), 0, "nothing of it is drawn");
    let other = app.add_book("on-liberty", "");
    app.put_as(&editor, &format!("/api/admin/books/{other}"), json!({ "title": "Liberty" })).await.result();
    assert_eq!(app.count(QUEUED), 0, "it has no key ideas");
}

#[actix_web::test]
async fn an_uploaded_infographic_counts_until_it_is_removed() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let mut book = drawn(two_ideas());
    let id = illustrate(&app, &book).await;
    let shown = async || app.get("/api/infographics").await.result()["infographics"][0]["image"].take();
    let before = stored(&app, id);
    let thumb = |draft: &VisualsDraft| json!(format!("/media/{}", draft.infographic_thumb.as_deref().expect("drawn")));
    assert_eq!(shown().await, thumb(&before));

    let path = format!("/api/admin/books/infographic/{id}");
    upload(&app, &editor, &path, &picture()).await;
    let uploaded = shown().await;
    assert!(
        uploaded.as_str().is_some_and(|address| address.starts_with("/media/thumbs/walden-uploaded-")),
        "{uploaded}"
    );
    assert_eq!(app.get(uploaded.as_str().expect("an address")).await.status, 200);

    let one = ids(&app, &editor).await[0];
    app.put_as(&editor, &format!("/api/admin/visuals/{one}"), json!({ "title": "First" })).await.result();
    "First".clone_into(&mut book.ideas[0].title);
    is_drawn_as(&app, id, &book, "behind the uploaded one").await;
    assert_eq!(shown().await, uploaded, "nothing is drawn over it");

    let removed = app.delete_as(&editor, &path).await.result();
    assert_eq!(removed["book"]["infographicUrl"], Value::Null);
    let now = stored(&app, id);
    assert_ne!(thumb(&now), thumb(&before));
    assert_eq!(shown().await, thumb(&now), "the drawn one, as it is by now");
    assert_eq!(app.delete_as(&editor, &path).await.status, 200, "there is none");
    assert_eq!(app.count("audit_entries WHERE action = 'book.file_remove'"), 1);
    app.sql("UPDATE jobs SET due_at = '2020-01-01' WHERE kind = 'removal'");
    app.work_off().await;
    assert_eq!(app.get(uploaded.as_str().expect("an address")).await.status, 404, "its files are gone");
}

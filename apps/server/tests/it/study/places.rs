//! Highlights of a text that was edited, and passages that many members have highlighted.

use catalogue::{Catalogue, CatalogueError, CatalogueQueries};
use kernel::{Env, Slug};
use serde_json::{Value, json};

use crate::harness::{Person, TestApp};

const MINUTE: i64 = 60_000;

const SENTENCE: &str = "The first paragraph of idea 1 in walden.";

/// A highlight of words in the second section of `walden`, from this character of its text on.
async fn highlight(app: &TestApp, person: &Person, id: u64, start: usize, words: &str) -> Value {
    let text = format!("{SENTENCE}\nThe second one says more.");
    let cut = |text: &str, count: usize| text.chars().take(count).collect::<String>();
    let (prefix, suffix) = (&text[start.saturating_sub(32)..start], cut(&text[start + words.len()..], 32));
    assert_eq!(&text[start..start + words.len()], words);
    let body = json!({
        "bookId": "walden",
        "anchor": { "section": 1, "start": start, "end": start + words.len(), "exact": words, "prefix": prefix, "suffix": suffix },
        "createdAt": app.env.now().millis(),
    });
    app.put_as(person, &format!("/api/study/highlights/{id}"), body).await.result()["highlight"].take()
}

/// Saves the book with another body, as an editor does, and lets the worker work for a minute.
async fn edit(app: &TestApp, change: impl FnOnce(String) -> String) {
    app.env.advance(MINUTE);
    let now = app.env.now();
    let saved = app.app.db.write_now::<_, CatalogueError>(|pg| {
        let (_, mut draft) = pg.find_book_draft(&Slug::parse("walden").expect("a slug"))?.expect("the book");
        draft.body = change(draft.body);
        pg.save_book(&draft, now)
    });
    saved.expect("the book is saved");
    app.env.advance(MINUTE);
    app.queue_scheduled().await;
    app.work_off().await;
}

async fn places(app: &TestApp, person: &Person) -> Vec<Value> {
    let mut changes = app.get_as(person, "/api/study/changes").await.result();
    let Value::Array(mut highlights) = changes["highlights"].take() else { panic!("no list") };
    highlights.sort_by_key(|highlight| highlight["id"].as_i64());
    highlights.into_iter().map(|mut highlight| highlight["place"].take()).collect()
}

#[actix_web::test]
async fn highlights_are_found_again_after_the_text_was_edited() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let kept = "first paragraph of idea 1";
    highlight(&app, &ada, 1, 4, kept).await;
    highlight(&app, &ada, 2, 41, "The second one says more.").await;
    app.env.advance(MINUTE);
    app.queue_scheduled().await;
    app.work_off().await;
    let unmoved = app.get_as(&ada, "/api/study/changes").await.result();
    assert_eq!(unmoved["version"], 2, "nothing has moved");

    // Another section before it, and a sentence less.
    edit(&app, |body| format!("<h3>New</h3><p>New.</p>{body}").replace("<p>The second one says more.</p>", "")).await;
    let moved = json!({ "state": "same", "section": 2, "start": 4, "end": 4 + kept.len(), "text": null });
    let gone = json!({ "state": "gone", "section": null, "start": null, "end": null, "text": null });
    assert_eq!(places(&app, &ada).await, [moved, gone]);
    let book = app.get_as(&ada, "/api/books/walden").await.result()["book"].take();
    assert_eq!(book["highlights"]["count"], 2);
    assert!(book["highlights"]["version"].as_u64() > Some(2));

    // The words themselves, in a text that has what stood around them.
    edit(&app, |body| {
        body.replace("<h3>New</h3><p>New.</p>", "").replace("</p><h3>", "</p><p>The second one says more.</p><h3>")
    })
    .await;
    let back = places(&app, &ada).await;
    assert_eq!(
        (&back[0]["state"], &back[0]["section"], &back[1]["state"]),
        (&json!("same"), &json!(1), &json!("same"))
    );
}

#[actix_web::test]
async fn a_sentence_that_ten_members_have_highlighted_is_popular_and_names_nobody() {
    let app = TestApp::start().await;
    app.add_book("walden", "");
    let mut people = Vec::new();
    for number in 0..10 {
        let person = app.sign_up(&format!("member{number}@example.com")).await;
        app.get_as(&person, "/api/books/walden").await.result();
        people.push(person);
    }
    let passages =
        async |person: &Person| app.get_as(person, "/api/study/popular/walden").await.result()["passages"].take();
    // The next hour: tokens are valid for one.
    let count = async |people: &mut [Person]| {
        app.env.advance(60 * MINUTE);
        app.queue_scheduled().await;
        app.work_off().await;
        for person in people {
            app.refresh(person).await;
        }
    };
    for number in 0..people.len() {
        highlight(&app, &people[number], 7, 4, "first paragraph of idea 1 in walden").await;
        highlight(&app, &people[number], 8, 4, "first paragraph of idea 1 in").await;
        if number == 8 {
            count(&mut people).await;
            assert_eq!(passages(&people[0]).await, json!([]), "nine members");
        }
    }
    count(&mut people).await;
    let popular = json!([{ "section": 1, "start": 0, "end": SENTENCE.len(), "members": 10 }]);
    let ada = &people[0];
    assert_eq!(passages(ada).await, popular);
    assert_eq!(app.get("/api/study/popular/walden").await.status.as_u16(), 401);
    assert_eq!(app.get_as(ada, "/api/study/popular/unknown").await.status.as_u16(), 404);
    app.put_as(ada, "/api/study/settings", json!({ "showsPopular": false })).await.result();
    assert_eq!(passages(ada).await, json!([]));

    // One of the ten is not counted any more.
    app.put_as(ada, "/api/study/settings", json!({ "countsInPopular": false })).await.result();
    count(&mut people).await;
    assert_eq!(passages(&people[1]).await, json!([]));
}

#[actix_web::test]
async fn popular_passages_are_for_those_who_may_read_the_text() {
    let app = TestApp::start().await;
    app.add_book("walden", "");
    let ada = app.sign_up("ada@example.com").await;
    let closed = app.get_as(&ada, "/api/study/popular/walden").await;
    closed.fails(403, "upgrade_required", "Please upgrade to read this summary in full.");
    app.get_as(&ada, "/api/books/walden").await.result();
    assert_eq!(app.get_as(&ada, "/api/study/popular/walden").await.result()["passages"], json!([]));
}

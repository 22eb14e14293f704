//! Exports of highlights: Markdown, CSV and web annotations.

use std::io::{Cursor, Read};

use bytes::Bytes;
use kernel::Env;
use reqwest::{Method, header::HeaderMap};
use serde_json::{Value, json};
use zip::ZipArchive;

use crate::harness::{Person, TestApp};

/// A paid member with two highlights in `walden`, one of them with a note and a tag, and a deleted one.
async fn reader(app: &TestApp) -> Person {
    app.add_book("walden", "");
    let ada = app.sign_up_paid("ada@example.com").await;
    app.get_as(&ada, "/api/books/walden").await.result();
    let now = app.env.now().millis();
    let highlight = |start: usize, words: &str, around: [&str; 2], more: Value| {
        let [prefix, suffix] = around;
        let end = start + words.len();
        let mut body = json!({
            "bookId": "walden",
            "anchor": { "section": 1, "start": start, "end": end, "exact": words, "prefix": prefix, "suffix": suffix },
            "createdAt": now,
        });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        body
    };
    let noted = json!({
        "note": { "value": "=So it *begins*.", "at": now },
        "tags": [{ "tag": "Good habits", "on": true, "at": now }],
        "color": { "value": "rose", "at": now },
    });
    let deleted = json!({ "deletedAt": now });
    let first = ["The ", " of idea 1 in walden."];
    for (id, body) in [
        (8, highlight(41, "The second one says more.", [" of idea 1 in walden.\n", ""], json!({}))),
        (7, highlight(4, "first paragraph", first, noted)),
        (9, highlight(4, "first paragraph of", ["The ", " idea 1 in walden."], deleted)),
    ] {
        app.put_as(&ada, &format!("/api/study/highlights/{id}"), body).await.result();
    }
    ada
}

struct Export {
    headers: HeaderMap,
    body: Bytes,
}

impl Export {
    fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).expect("it is text")
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("it is JSON")
    }

    /// The text of the only file of a zip.
    fn only_file(&self) -> String {
        let mut zip = ZipArchive::new(Cursor::new(self.body.clone())).expect("a zip");
        assert_eq!(zip.len(), 1);
        let mut text = String::new();
        zip.by_index(0).expect("a file").read_to_string(&mut text).expect("it is text");
        text
    }
}

async fn export(app: &TestApp, person: &Person, format: &str) -> Export {
    let path = format!("/api/study/export?format={format}");
    let response = app.request(Method::GET, &path).bearer_auth(&person.token).send().await.expect("it answers");
    assert_eq!(response.status().as_u16(), 200);
    assert_eq!(response.headers()["cache-control"], "private, no-store");
    let headers = response.headers().clone();
    Export { headers, body: response.bytes().await.expect("a body") }
}

#[actix_web::test]
async fn highlights_are_exported_in_every_format() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;

    let markdown = export(&app, &ada, "markdown").await;
    assert_eq!(markdown.headers["content-disposition"], "attachment; filename=\"highlights-2026-06-15.zip\"");
    let text = markdown.only_file();
    let url = format!("{}/books/walden", app.app.config.public_url);
    for part in [
        "title: \"Title of walden\"",
        &url,
        "> first paragraph\n\n^h-7",
        "#Good-habits",
        "> The second one says more.\n\n^h-8",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(!text.contains("h-9"), "the deleted one is left out");

    let csv = export(&app, &ada, "csv").await.text();
    let rows: Vec<&str> = csv.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(rows[0], "Highlight,Title,Author,URL,Note,Location,Date");
    // A spreadsheet would run the note as a formula.
    assert!(rows[1].starts_with("first paragraph,Title of walden,"), "{csv}");
    assert!(rows[1].contains(",'=So it *begins*.,"), "{csv}");
    assert_eq!(rows.len(), 3);

    app.put_as(&ada, "/api/study/cards/5", json!({ "kind": "own", "content": { "value": { "question": "Why <so>?", "answer": "So." }, "at": 1 }, "createdAt": 0 }))
        .await
        .result();
    let anki = export(&app, &ada, "anki").await;
    assert_eq!(anki.headers["content-disposition"], "attachment; filename=\"review-cards-2026-06-15.apkg\"");
    let mut zip = ZipArchive::new(Cursor::new(anki.body)).expect("a zip");
    let mut collection = Vec::new();
    zip.by_name("collection.anki2").expect("the collection").read_to_end(&mut collection).expect("it is read");
    let has = |text: &str| collection.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(collection.starts_with(b"SQLite format 3") && has("Why &lt;so&gt;?\u{1f}So."));

    let page = export(&app, &ada, "json").await.json();
    assert_eq!(page["@context"], "http://www.w3.org/ns/anno.jsonld");
    let first = &page["items"][0];
    assert_eq!((&first["type"], &first["motivation"]), (&json!("Annotation"), &json!("highlighting")));
    assert_eq!(first["target"]["source"], url);
    assert_eq!(first["target"]["styleClass"], "rose");
    assert_eq!(
        first["target"]["selector"],
        json!([
            { "type": "TextQuoteSelector", "exact": "first paragraph", "prefix": "The ", "suffix": " of idea 1 in walden." },
            { "type": "TextPositionSelector", "start": 4, "end": 19 },
        ])
    );
    assert_eq!(
        first["body"][1],
        json!({ "type": "TextualBody", "purpose": "tagging", "value": "Good habits", "format": "text/plain" })
    );
    assert_eq!(page["items"].as_array().map(Vec::len), Some(2));
}

#[actix_web::test]
async fn after_a_plan_has_ended_an_export_has_the_highlighted_words_and_nothing_around_them() {
    let app = TestApp::start().await;
    let ada = reader(&app).await;
    app.sql("UPDATE entitlements SET ends_at = starts_at + interval '1 minute'");
    app.forget(&ada);
    for format in ["csv", "json"] {
        let text = export(&app, &ada, format).await.text();
        assert!(text.contains("first paragraph") && text.contains("says more"), "{text}");
        assert!(!text.contains("of idea 1"), "{text}");
    }
    let text = export(&app, &ada, "markdown").await.only_file();
    assert!(text.contains("first paragraph") && !text.contains("of idea 1"), "{text}");
}

#[actix_web::test]
async fn an_export_is_for_its_member_and_in_a_format_that_there_is() {
    let app = TestApp::start().await;
    reader(&app).await;
    let bob = app.sign_up("bob@example.com").await;
    assert_eq!(export(&app, &bob, "json").await.json()["items"], json!([]));
    assert_eq!(app.get("/api/study/export?format=json").await.status.as_u16(), 401);
    for wrong in ["?format=pdf", ""] {
        assert_eq!(app.get_as(&bob, &format!("/api/study/export{wrong}")).await.status.as_u16(), 422);
    }
}

//! Every address of a file, for everybody who may come: each viewer is given what is theirs and nothing else, and what
//! nobody was given opens to nobody.

use std::collections::BTreeSet;

use catalogue::{
    BookExtras, BookRef, Catalogue, CatalogueError, CatalogueQueries, EditingCommands, Film, Narration, Recordings,
    VisualDraft, VisualsDraft, shown_hash, text_hash,
};
use kernel::{BookId, StoreError, UserId};
use media::{Audience, Media, place_of, rendition_key};
use reqwest::{Method, StatusCode};

use crate::harness::{Person, START, TestApp};

const DRAWING: &[u8] =
    br##"<svg xmlns="http://www.w3.org/2000/svg" width="12" height="40"><rect width="12" height="40" fill="#123456"/></svg>"##;

/// Gives a book one file of each kind; gives the keys of those that are not public.
async fn furnish(app: &TestApp, subid: &str, book: i64) -> Vec<String> {
    let mut keys = Vec::new();
    for name in [
        format!("audio/{subid}.mp3"),
        format!("video/{subid}.mp4"),
        format!("video/{subid}.png"),
        format!("video/{subid}.vtt"),
        format!("visuals/{subid}.svg"),
        format!("infographics/{subid}.svg"),
        format!("documents/{subid}.pdf"),
        format!("documents/{subid}.epub"),
        format!("audio/{subid}-podcast.mp3"),
    ] {
        keys.push(app.app.media.put(&name, DRAWING.to_vec()).await.expect("stored"));
    }
    let id = BookId::from_store(book);
    let text = app.app.db.write_now::<_, StoreError>(|pg| pg.book(&BookRef::Id(id)));
    let there = text.expect("read").expect("the book is there");
    let narration = Narration {
        media: keys[0].clone(),
        duration_ms: 60_000,
        marks: Vec::new(),
        text_hash: text_hash(&there.body),
        voice: "a narrator".to_owned(),
        made_at: START,
    };
    let film = Film {
        media: keys[1].clone(),
        poster: keys[2].clone(),
        captions: keys[3].clone(),
        duration_ms: 60_000,
        shown_hash: shown_hash(&there, &[]),
        made_at: START,
    };
    let thumb = app.app.media.put(&format!("thumbs/{subid}.svg"), DRAWING.to_vec()).await.expect("stored");
    let ideas = VisualsDraft {
        ideas: vec![VisualDraft {
            title: "One".to_owned(),
            body: "About one.".to_owned(),
            image: Some(keys[4].clone()),
            drawing: None,
        }],
        image: Some(thumb.clone()),
        infographic: Some(keys[5].clone()),
        infographic_thumb: Some(thumb),
    };
    let extras = BookExtras { podcast: Some(keys[8].clone()), ..BookExtras::default() };
    let saved = app.app.db.write_now::<_, CatalogueError>(|pg| {
        pg.update_book_extras(id, &extras)?;
        pg.save_narration(id, &narration, None)?;
        pg.save_film(id, &film, None)?;
        pg.save_visuals(id, &ideas, START).map(|_| ())
    });
    saved.expect("saved");
    app.app.responses.invalidate_catalogue();
    keys
}

/// Every address of a file in an answer.
fn addresses_in(text: &str) -> BTreeSet<String> {
    let ends = |c: char| c == '"' || c == '\'' || c == '<' || c.is_whitespace();
    text.match_indices("/media/")
        .map(|(at, _)| text[at..].split(ends).next().unwrap_or_default().replace("&#38;", "&").replace("&amp;", "&"))
        .map(|address| address.replace("\\u0026", "&").trim_end_matches('\\').to_owned())
        .collect()
}

/// The folder of an address.
fn folder_of(address: &str) -> &str {
    address.trim_start_matches("/media/").split('/').next().unwrap_or_default()
}

fn is_public(address: &str) -> bool {
    let key = address.trim_start_matches("/media/").split('?').next().unwrap_or_default();
    place_of(key).is_some_and(|(folder, _)| folder.audience == Audience::Public)
}

/// Asks every call that speaks of a book, and of lists with it, and fetches whatever address comes back, as a stranger
/// without a token would. Gives the folders, besides the public ones, from which something came.
async fn given(app: &TestApp, viewer: Option<&Person>, subid: &str, opens: bool) -> BTreeSet<String> {
    let mut calls = vec![
        format!("/api/books/{subid}/audio"),
        format!("/api/books/{subid}/podcast"),
        format!("/api/books/{subid}/video"),
        format!("/api/visuals/book/{subid}"),
        format!("/api/infographics/{subid}/download"),
        "/api/visuals".to_owned(),
        "/api/infographics".to_owned(),
        "/api/books/list".to_owned(),
        "/api/books".to_owned(),
        "/api/library".to_owned(),
        "/api/user-book-history".to_owned(),
        format!("/books/{subid}"),
    ];
    if opens {
        calls.insert(0, format!("/api/books/{subid}"));
    }
    let mut folders = BTreeSet::new();
    for call in calls {
        for address in addresses_in(&app.send(viewer, Method::GET, &call, None).await.text) {
            let file = app.get(&address).await;
            assert_eq!(file.status, StatusCode::OK, "{call} gives {address}");
            if !is_public(&address) && address.contains(subid) {
                folders.insert(folder_of(&address).to_owned());
            }
        }
    }
    folders
}

fn folders(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[actix_web::test]
async fn everybody_is_given_what_is_theirs_and_nothing_else() {
    let app = TestApp::start().await;
    let (locked, open) = (app.add_book("locked-book", ""), app.add_book("open-book", "free = true"));
    furnish(&app, "locked-book", locked).await;
    furnish(&app, "open-book", open).await;
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);
    let all = folders(&["audio", "video", "visuals", "infographics"]);
    let of_a_free_book = folders(&["audio", "video", "visuals"]);

    assert_eq!(given(&app, None, "locked-book", true).await, folders(&[]), "a visitor");
    assert_eq!(given(&app, Some(&free), "locked-book", false).await, folders(&[]), "a free member before opening");
    assert_eq!(given(&app, Some(&free), "locked-book", true).await, folders(&["audio"]), "a free member after opening");
    assert_eq!(given(&app, Some(&paid), "locked-book", true).await, all, "a paid member");
    assert_eq!(given(&app, None, "open-book", true).await, of_a_free_book, "a visitor, of a free book");
    assert_eq!(given(&app, Some(&free), "open-book", true).await, of_a_free_book, "a free member, of a free book");
    assert_eq!(given(&app, Some(&paid), "open-book", true).await, all, "a paid member, of a free book");

    let coming = app.add_book("coming-book", "free = true");
    furnish(&app, "coming-book", coming).await;
    app.sql("UPDATE books SET coming_soon = true WHERE subid = 'coming-book'");
    app.app.responses.invalidate_catalogue();
    app.app.facts.invalidate_all();
    for viewer in [None, Some(&free), Some(&paid)] {
        assert_eq!(given(&app, viewer, "coming-book", true).await, folders(&[]), "what is coming soon is nobody's yet");
    }
    let video = app.get_as(&paid, "/api/books/coming-book/video").await.result();
    assert!(video["url"].is_null() && video["captions"].is_null() && video["poster"].is_null());

    app.sql("UPDATE books SET published = false");
    app.app.responses.invalidate_catalogue();
    app.app.facts.invalidate_all();
    for viewer in [None, Some(&free), Some(&paid)] {
        assert_eq!(given(&app, viewer, "locked-book", true).await, folders(&[]), "what is hidden is nobody's");
    }
}

#[actix_web::test]
async fn a_key_without_a_signature_opens_nothing_for_any_role() {
    let app = TestApp::start().await;
    let book = app.add_book("locked-book", "");
    let mut keys = furnish(&app, "locked-book", book).await;
    keys.push(rendition_key(&keys[4], 512, media::Format::Png));
    let (free, paid) = (app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await);
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let Ok(signer) = app.app.signer().await else { panic!("a key") };
    let another = signer.presign("audio/another-1a2b.mp3", Some(UserId::from_store(paid.id())), START);
    let borrowed = another.url.split_once('?').expect("a query").1;
    for key in &keys {
        for viewer in [None, Some(&free), Some(&paid), Some(&admin)] {
            for address in [Media::url(key), format!("{}?{borrowed}", Media::url(key))] {
                let reply = app.send(viewer, Method::GET, &address, None).await;
                reply.fails(403, "forbidden", "This link is no longer valid.");
            }
        }
        let own = signer.presign(key, Some(UserId::from_store(paid.id())), START);
        assert_eq!(app.get(&own.url).await.status, StatusCode::OK, "{key}");
        let mine = own.url.replace(&format!("for={}", paid.id()), &format!("for={}", free.id()));
        app.get(&mine).await.fails(403, "forbidden", "This link is no longer valid.");
    }
}

//! Content as files: what is exported, seeded into an empty instance and exported again is the same to the bit.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use catalogue::{Book, BookRef, Catalogue, CatalogueQueries, Film, Mark, Narration, VisualDraft, VisualsDraft};
use editorial::{EditorialQueries, PodcastDraft, Publication, Recording, script_hash};
use kernel::Slug;
use serde_json::{Value, json};
use workflows::recording_files;

use crate::harness::{
    Person, START, TestApp,
    uploads::{body, picture, send, upload},
};

/// The content of all files of a folder, by their paths.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(folder: &Path, home: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, home, all);
            } else {
                let name = path.strip_prefix(home).expect("within").to_owned();
                all.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(folder, folder, &mut all);
    all
}

async fn command(app: &TestApp, verb: &str, folder: &Path) -> Output {
    app.operator_call(&[verb.as_ref(), folder.as_os_str()]).await
}

async fn well(app: &TestApp, verb: &str, folder: &Path) -> String {
    let output = command(app, verb, folder).await;
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{verb}: {told}");
    told
}

fn slug(text: &str) -> Slug {
    Slug::parse(text).expect("a slug")
}

/// What editors do: a picture in pixels, another text, a book that is no part of the catalogue yet.
async fn edit(app: &TestApp, editor: &Person) {
    let walden = app.get("/api/books/walden").await.result()["book"]["id"].take();
    upload(app, editor, &format!("/api/admin/books/photo/{walden}"), &picture()).await;
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>";
    upload(app, editor, &format!("/api/admin/books/vector/{walden}"), svg).await;
    upload(app, editor, &format!("/api/admin/books/infographic/{walden}"), &picture()).await;
    let mp3 = [b"ID3\x04\0\0\0\0\0\0".as_slice(), &[7; 1000]].concat();
    upload(app, editor, &format!("/api/admin/books/podcast/{walden}"), &mp3).await;
    let idea = json!({ "bookId": walden, "title": "No picture yet", "body": "It is \"written\"." });
    app.post_as(editor, "/api/admin/visuals", idea).await.result();
    upload(app, editor, "/api/admin/goals/photo/1", &picture()).await;
    upload(app, editor, "/api/admin/goals/feature-photo/1", &picture()).await;
    let shown = send(app, editor, "/api/admin/pictures", body("a.svg", svg)).await.result();
    let book = json!({
        "title": "Ein Buch: \"Wer's liest\", '''weiß''' es \\ \u{1f989}",
        "author": "Nobody Knows",
        "description": "Line one.\nLine two, with a tab\tand \u{2028} a separator.",
        "body": format!("<h3>Early</h3><p>Not out yet &amp; <em>still</em> here.</p><img src={} alt='A hut'>", shown["url"]),
        "categories": [1],
        "publishAt": 1_801_627_506_789_i64,
    });
    let added = app.post_as(editor, "/api/admin/books", book).await.result();
    let idea = json!({ "bookId": added["book"]["id"], "title": "Alone", "body": "Without a picture." });
    app.post_as(editor, "/api/admin/visuals", idea).await.result();
}

/// What no editor does: recordings that the product has made, and others that people have.
async fn record(app: &TestApp) {
    let media = &app.app.media;
    let put = async |name: &str, content: &str| media.put(name, content.as_bytes().to_vec()).await.expect("it is put");
    let audio = put("audio/walden.mp3", "read aloud").await;
    let film = [
        put("video/walden.mp4", "a film").await,
        put("video/walden.svg", "<svg/>").await,
        put("video/walden.vtt", "WEBVTT").await,
    ];
    let voice = put("audio/meditations.mp3", "a person's voice").await;
    let episode = put("podcasts/an-episode.mp3", "spoken").await;
    let picture = put("visuals/meditations-1.svg", "<svg/>").await;
    let thumb = put("thumbs/meditations-visuals.svg", "<svg></svg>").await;
    let poster = put("infographics/meditations.svg", "<svg> </svg>").await;
    app.app
        .db
        .write_now::<_, anyhow::Error>(|pg| {
            let book = pg.book(&BookRef::Subid(slug("walden")))?.expect("it is there");
            let id = book.card.id;
            let ideas = pg.visuals(id)?;
            let marks = vec![
                Mark { section: 0, paragraph: None, at_ms: 0 },
                Mark { section: 0, paragraph: Some(0), at_ms: 900 },
            ];
            let text_hash = catalogue::text_hash(&book.body);
            let made = Narration {
                media: audio,
                duration_ms: 61_000,
                marks,
                text_hash,
                voice: "a-voice".to_owned(),
                made_at: START.plus(1),
            };
            assert!(recording_files::replace_narration(pg, id, &made, None, START)?);
            let [media, poster_key, captions] = film;
            let shown_hash = catalogue::shown_hash(&book, &ideas);
            let made = Film { media, poster: poster_key, captions, duration_ms: 9, shown_hash, made_at: START };
            assert!(recording_files::replace_film(pg, id, &made, None, START)?);

            let (_, draft) = pg.find_book_draft(&slug("meditations"))?.expect("it is there");
            let saved = recording_files::save_book(pg, &catalogue::BookDraft { media: Some(voice), ..draft }, START)?;
            let idea = VisualDraft {
                title: "One".to_owned(),
                body: "An idea.".to_owned(),
                image: Some(picture),
                drawing: None,
            };
            let visuals = VisualsDraft {
                ideas: vec![idea],
                image: Some(thumb.clone()),
                infographic: Some(poster),
                infographic_thumb: Some(thumb),
            };
            pg.save_visuals(saved.id(), &visuals, START)?;

            let draft = PodcastDraft {
                slug: slug("an-episode"),
                title: "An episode".to_owned(),
                author: "Ada".to_owned(),
                author_desc: "A speaker.".to_owned(),
                description: "About it.".to_owned(),
                script: "<p>Hello.</p>".to_owned(),
                stated_minutes: Some(12),
                image: None,
                published_at: START,
                publication: Publication::Scheduled(START.plus(kernel::DAY)),
            };
            recording_files::save_podcast(pg, &draft, START)?;
            let script = pg.podcast(&draft.slug)?.expect("it is there").script;
            let made = Recording { key: episode, duration_ms: 5, bytes: 6, text_hash: Some(script_hash(&script)) };
            assert!(recording_files::replace_episode(pg, &draft.slug, &made, START)?);
            pg.save_site_content(
                "banner",
                &json!({ "text": "Now \u{201c}open\u{201d}", "href": "/try", "linkText": "Go" }),
            )?;
            Ok(())
        })
        .expect("it is recorded");
    app.sql("UPDATE quiz_questions SET statement = 'I was changed.' WHERE id = 3");
}

fn book(app: &TestApp, name: &str) -> Book {
    let key = BookRef::Subid(slug(name));
    app.app.db.write_now::<_, kernel::StoreError>(|pg| pg.book(&key)).expect("it is read").expect("it is there")
}

#[actix_web::test]
async fn content_that_is_exported_seeded_and_exported_again_is_the_same_to_the_bit() {
    let app = TestApp::start().await;
    app.load_content(None).await.expect("the demo content is loaded");
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    edit(&app, &editor).await;
    record(&app).await;
    let home = tempfile::tempdir().expect("a folder");
    let (first, second) = (home.path().join("first"), home.path().join("second"));
    let told = well(&app, "export", &first).await;
    let exported = files(&first);
    assert!(told.contains("27 books") && told.contains(&format!("{} files", exported.len())), "{told}");
    let text = |path: &str| String::from_utf8_lossy(&exported[Path::new(path)]).into_owned();
    assert!(
        text("books/walden/recordings.toml").contains("a-voice")
            && text("books/meditations/book.toml").contains("audio = ")
    );
    assert!(text("quizzes.toml").contains("I was changed.") && text("site/banner.json").contains("\u{201c}open"));
    assert!(text("goals.toml").contains("feature_photo = \"goals/"));
    // The uploaded infographic, and behind it the drawn one; key ideas with a picture and without one, and what is drawn of them.
    let (written, illustrated) = (text("books/walden/book.toml"), text("books/walden/visuals.toml"));
    for field in
        ["infographic = \"infographics/walden-uploaded-", "vector = \"covers/", "podcast = \"audio/walden-podcast-"]
    {
        assert!(written.contains(field), "{field}: {written}");
    }
    assert!(
        illustrated.contains("infographic = \"infographics/walden-") && !illustrated.contains("uploaded"),
        "{illustrated}"
    );
    let last = illustrated.rsplit("[[idea]]").next().unwrap_or_default();
    assert!(last.contains("No picture yet") && last.contains("image = \"\"") && !last.contains("motif"), "{last}");
    assert!(illustrated.contains("image = \"visuals/walden-1-") && illustrated.contains("motif = "), "{illustrated}");
    assert!(
        exported
            .keys()
            .any(|path| path.starts_with("media/thumbs") && path.to_string_lossy().contains("walden-uploaded-"))
    );
    let episode = text("podcasts/an-episode/podcast.toml");
    assert!(episode.contains("[recording]") && episode.contains("publish_at = "), "{episode}");
    let all = exported.iter().filter(|(path, _)| path.extension().is_some_and(|one| one == "toml" || one == "html"));
    for (path, content) in all {
        assert!(!String::from_utf8_lossy(content).contains("editor@example.com"), "{}", path.display());
    }

    let other = TestApp::start().await;
    well(&other, "seed", &first).await;
    well(&other, "export", &second).await;
    let again = files(&second);
    assert_eq!(exported.keys().collect::<Vec<_>>(), again.keys().collect::<Vec<_>>());
    for (path, content) in &exported {
        let (one, two) = (String::from_utf8_lossy(content), String::from_utf8_lossy(&again[path]));
        assert!(*content == again[path], "{}:\n{one}\n---\n{two}", path.display());
    }
    // The other instance has what the files say.
    let (here, there) = (book(&app, "walden"), book(&other, "walden"));
    assert_eq!((there.body, there.quotes, there.card.image), (here.body, here.quotes, here.card.image));
    let marks = |app: &TestApp| -> Value {
        let key = BookRef::Subid(slug("walden"));
        let found = app.app.db.write_now::<_, kernel::StoreError>(|pg| {
            let book = pg.book(&key)?.expect("it is there");
            catalogue::RecordingQueries::recording(pg, &book)
        });
        json!(found.expect("it is read").expect("it is recorded").marks.len())
    };
    assert_eq!((marks(&app), marks(&other)), (json!(2), json!(2)), "what was read aloud is still known to be");
    let pictures = |app: &TestApp| {
        let read = app.app.db.write_now::<_, kernel::StoreError>(|pg| {
            let id = pg.book(&BookRef::Subid(slug("walden")))?.expect("it is there").card.id;
            Ok((
                pg.visuals_draft(id)?,
                pg.visual_set(id)?.map(|set| (set.image, set.infographic, set.infographic_thumb)),
            ))
        });
        read.expect("it is read")
    };
    let ((draft, shown), (draft_there, shown_there)) = (pictures(&app), pictures(&other));
    assert_eq!((&draft_there, &shown_there), (&draft, &shown));
    let (_, poster, thumb) = shown_there.expect("there are key ideas");
    for key in [poster.expect("the uploaded one"), thumb.expect("its thumbnail")] {
        assert!(
            key.contains("walden-uploaded-") && other.app.media.exists(&key).await.expect("it is looked for"),
            "{key}"
        );
    }
    let waits = "books WHERE publish_at = '2027-02-03T04:05:06.789Z' AND NOT published";
    assert_eq!((app.count(waits), other.count(waits)), (1, 1));
    let cover = there_cover(&other).await;
    assert_eq!(other.get(&cover).await.status, 200, "{cover}");
    // The list of columns that name files has every kind of them: no sweep takes one.
    let keys = exported.keys().filter_map(|path| path.strip_prefix("media").ok());
    let mut keys: Vec<String> = keys.map(|path| path.to_string_lossy().into_owned()).collect();
    keys.retain(|key| !media::is_rendition(key));
    keys.push("covers/nobody-1a.svg".to_owned());
    let unnamed = other.app.db.write_now::<_, kernel::StoreError>(|pg| pg.unnamed_files(&keys)).expect("they are read");
    assert_eq!(unnamed, ["covers/nobody-1a.svg"]);
    for folder in [
        "audio",
        "categories",
        "collections",
        "covers",
        "goals",
        "infographics",
        "pictures",
        "podcasts",
        "thumbs",
        "video",
        "visuals",
    ] {
        assert!(keys.iter().any(|key| key.starts_with(folder)), "{folder}");
    }
    // Seeding what is there changes nothing.
    assert!(well(&other, "seed", &first).await.contains("nothing changed"));
}

async fn there_cover(app: &TestApp) -> String {
    app.get("/api/books/walden").await.result()["book"]["image"].as_str().expect("a cover").to_owned()
}

/// Adds a book with a drawn cover; returns the cover's key.
async fn book_with_cover(app: &TestApp) -> String {
    let book = app.add_book("a-book", "");
    let key = app.app.media.put("covers/a-book.svg", b"<svg/>".to_vec()).await.expect("it is put");
    app.sql(&format!("UPDATE books SET image = '{key}' WHERE id = {book}"));
    key
}

#[actix_web::test]
async fn nothing_is_overwritten_and_a_file_that_is_not_the_one_of_its_key_is_refused() {
    let app = TestApp::start().await;
    book_with_cover(&app).await;
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("content");
    well(&app, "export", &folder).await;
    let before = files(&folder);
    let again = command(&app, "export", &folder).await;
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("is there already"));
    assert_eq!(files(&folder), before);

    let name = before.keys().find(|path| path.starts_with("media/covers")).expect("a cover").clone();
    fs::write(folder.join(&name), "<svg>another</svg>").expect("it is written");
    let other = TestApp::start().await;
    let refused = command(&other, "seed", &folder).await;
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && told.contains("its content is another one"), "{told}");
    assert_eq!(other.count("books"), 0, "nothing was loaded");
    fs::remove_file(folder.join(&name)).expect("it is removed");
    let told = String::from_utf8_lossy(&command(&other, "seed", &folder).await.stderr).into_owned();
    assert!(told.contains("books/a-book/book.toml: image: there is no media/covers/"), "{told}");
}

#[actix_web::test]
async fn an_export_whose_file_is_gone_leaves_nothing() {
    let app = TestApp::start().await;
    let key = book_with_cover(&app).await;
    app.app.media.delete(&key).await.expect("it is deleted");
    let home = tempfile::tempdir().expect("a folder");
    let output = command(&app, "export", &home.path().join("content")).await;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && told.contains(&format!("the object store has no {key}")), "{told}");
    assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 0);
}

#[actix_web::test]
async fn a_text_whose_picture_is_gone_is_exported_and_said() {
    let app = TestApp::start().await;
    app.add_book("a-book", "");
    app.sql(
        "UPDATE books SET body = '<p>One.</p><img src=\"/media/pictures/text-1a.jpg\" alt=\"A hut\" loading=\"lazy\">'",
    );
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("content");
    let told = well(&app, "export", &folder).await;
    assert!(told.contains("pictures/text-1a.jpg, which the object store does not have"), "{told}");
    let other = TestApp::start().await;
    let told = String::from_utf8_lossy(&command(&other, "seed", &folder).await.stderr).into_owned();
    assert!(told.contains("books/a-book/body.html: img: there is no media/pictures/text-1a.jpg"), "{told}");
}

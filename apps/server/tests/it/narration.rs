//! Reading books aloud: jobs, with a program that speaks as the tests want it.

use std::{fs, path::Path, process::Command, sync::Arc, time::Instant};

use catalogue::{
    BookDraft, BookRef, Catalogue, CatalogueError, CatalogueQueries, Film, Narration, VisualDraft, VisualsDraft,
    shown_hash, text_hash,
};
use editorial::{Editorial, EditorialError, PodcastDraft, Publication};
use jobs::{JobRequest, Jobs, Outcome};
use kernel::{BookId, Env, MINUTE, Slug, StoreError};
use postgres::Pg;
use serde_json::{Value, json};
use server::worker;
use tokio::sync::watch;
use workflows::{
    narration::{self, FilmRequest, NarrationTask},
    recording_files::{self, REMOVE_FILE},
};

use crate::harness::{
    START, TestApp,
    speech::{mute, program, speech_double},
};

async fn start(program: &Path) -> TestApp {
    TestApp::start_with(&[("SPEECH", "auto"), ("SPEECH_PROGRAM", program.to_str().expect("a path"))]).await
}

fn queue(app: &TestApp, book: i64) {
    let key = BookRef::Id(BookId::from_store(book));
    app.app.db.write_now::<_, StoreError>(|pg| narration::queue_audio(pg, &key, START)).expect("it is queued");
}

/// Narration that waits.
const QUEUED: &str = "jobs WHERE kind = 'narration' AND state = 'queued'";

fn seconds(value: &Value) -> f64 {
    value.as_f64().expect("a number of seconds")
}

fn jobs(app: &TestApp, state: &str) -> i64 {
    app.count(&format!("jobs WHERE kind = 'narration' AND state = '{state}'"))
}

#[actix_web::test]
async fn a_book_is_read_aloud_and_every_paragraph_has_its_moment() {
    let home = tempfile::tempdir().expect("a folder");
    let app = start(&speech_double(home.path())).await;
    let book = app.add_book("a-book", "free = true");
    assert_eq!(app.get("/api/books/a-book").await.result()["book"]["hasMedia"], false);
    queue(&app, book);
    assert_eq!(app.work_off().await, 1);
    assert_eq!(jobs(&app, "done"), 1);
    // What was remembered of the book is forgotten.
    assert_eq!(app.get("/api/books/a-book").await.result()["book"]["hasMedia"], true);

    let audio = app.get("/api/books/a-book/audio").await.result();
    assert_eq!(audio["type"], "audio/wav");
    let marks = audio["marks"].as_array().expect("marks");
    // Six sections of a heading and two paragraphs.
    assert_eq!(marks.len(), 18);
    let said = fs::read_to_string(home.path().join("said")).expect("it said something");
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(
        said[..3],
        ["Title of a-book, by Ada Author.", "Idea zero", "The first paragraph of idea zero in a-book."]
    );
    // The key ideas once more at the end (catalogue.summary-recap), without marks.
    assert_eq!(
        said[19..],
        ["The key ideas in short.", "Idea zero", "Idea one", "Idea two", "Idea three", "Idea four", "Idea five"]
    );
    // Ten milliseconds a character, and the silence between.
    let tenth = |text: &str| f64::from(u32::try_from(text.len()).expect("a short text")) / 100.0;
    let heading = 0.4 + tenth(said[0]) + 1.3;
    let first = heading + tenth(said[1]) + 0.8;
    let second = first + tenth(said[2]) + 0.65;
    for (mark, (section, paragraph, at)) in
        marks.iter().zip([(0, json!(null), heading), (0, json!(0), first), (0, json!(1), second)])
    {
        assert_eq!((&mark["section"], &mark["paragraph"]), (&json!(section), &paragraph));
        assert!((seconds(&mark["at"]) - at).abs() < 0.002, "{mark} is at {at}");
    }
    assert_eq!(audio["chapters"].as_array().map(Vec::len), Some(6));
    assert_eq!((&audio["chapters"][0]["at"], &audio["chapters"][5]["title"]), (&json!(0.0), &json!("Idea 5")));

    let url = audio["url"].as_str().expect("an address");
    let file = app.request(reqwest::Method::GET, url).send().await.expect("it is served");
    let bytes = file.bytes().await.expect("it comes");
    let sound = ::narration::speech::read_wav(&bytes).expect("it is a WAV file");
    let length = f64::from(u32::try_from(sound.samples.len()).expect("a short one")) / f64::from(sound.rate);
    assert!((length - seconds(&audio["seconds"])).abs() < 0.001, "{length}");
    assert!(seconds(&marks[17]["at"]) < length);
}

#[actix_web::test]
async fn a_book_that_is_queued_twice_is_read_by_one_node_at_a_time() {
    let home = tempfile::tempdir().expect("a folder");
    let begun = home.path().join("begun");
    let hangs = program(home.path(), &format!("#!/bin/sh\necho $$ >>'{}'\nexec sleep 600\n", begun.display()));
    let one = start(&hangs).await;
    let other = one.start_beside_with(&[("SPEECH", "auto"), ("SPEECH_PROGRAM", hangs.to_str().expect("a path"))]).await;
    let book = one.add_book("a-book", "free = true");
    queue(&one, book);
    queue(&one, book);
    assert_eq!(one.count("jobs"), 1, "it is to be read once");
    // As two nodes queue it that do not know of each other yet.
    one.sql(
        "INSERT INTO jobs (kind, about, payload, created_at, due_at)
        SELECT kind, about, payload, created_at, due_at FROM jobs",
    );
    let (stop, told_to_stop) = watch::channel(false);
    let working = tokio::spawn(worker::run(Arc::clone(&one.app), told_to_stop));
    until("the book is being read", || fs::read_to_string(&begun).is_ok_and(|text| text.ends_with('\n'))).await;
    // It may find the jobs of schedules that the first node has queued.
    other.work_off().await;
    let states = (jobs(&one, "running"), jobs(&one, "queued"));
    assert_eq!(states, (1, 1), "the other node begins nothing, though the second job is due");
    stop.send_replace(true);
    working.await.expect("the worker ends");
    assert_eq!(fs::read_to_string(&begun).expect("it has begun").lines().count(), 1);
}

#[actix_web::test]
async fn what_was_read_of_a_text_that_has_changed_meanwhile_is_not_heard() {
    let home = tempfile::tempdir().expect("a folder");
    let (begun, go_on) = (home.path().join("begun"), home.path().join("go-on"));
    let double = speech_double(&home.path().join("double"));
    assert!(Command::new("mkfifo").arg(&go_on).status().expect("there is such a program").success());
    // It says that it has begun and waits for a word, once.
    let waits = program(
        home.path(),
        &format!(
            "#!/bin/sh\nset -eu\nif [ ! -e '{0}' ]; then : >'{0}'; read -r word <'{1}'; fi\nexec '{2}' \"$1\"\n",
            begun.display(),
            go_on.display(),
            double.display()
        ),
    );
    let app = start(&waits).await;
    let book = app.add_book("a-book", "free = true");
    queue(&app, book);
    let worker = Arc::clone(&app.app);
    let working = tokio::spawn(async move { worker::work_off(&worker).await });
    until("the book is being read", || begun.exists()).await;
    app.sql(&format!("UPDATE books SET body = replace(body, 'says more', 'says a little less') WHERE id = {book}"));
    fs::write(&go_on, "now\n").expect("it listens");
    assert_eq!(working.await.expect("it ends").expect("it works"), 1);
    assert_eq!(app.count("books WHERE media IS NOT NULL") + app.count("narrations"), 0);
    assert_eq!(app.count("jobs WHERE kind = 'removal'"), 1, "nobody will ever hear it");
    queue(&app, book);
    assert_eq!(app.work_off().await, 1);
    let said = fs::read_to_string(home.path().join("double/said")).expect("it said something");
    assert!(said.contains("says a little less"), "{said}");
    assert_eq!(app.get("/api/books/a-book/audio").await.result()["marks"].as_array().map(Vec::len), Some(18));
}

/// The files in a folder of the object store.
fn stored(app: &TestApp, folder: &str) -> Vec<String> {
    let Ok(files) = fs::read_dir(app.home().join("media").join(folder)) else { return Vec::new() };
    let mut names: Vec<String> =
        files.map(|file| file.expect("a file").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

#[actix_web::test]
async fn a_recording_that_was_replaced_goes_when_its_addresses_have_ended() {
    let home = tempfile::tempdir().expect("a folder");
    let app = start(&speech_double(home.path())).await;
    let book = app.add_book("a-book", "free = true");
    queue(&app, book);
    app.work_off().await;
    let old = stored(&app, "audio");
    let address = app.get("/api/books/a-book/audio").await.result()["url"].as_str().expect("an address").to_owned();
    let until = address.split("until=").nth(1).and_then(|rest| rest.split('&').next()).expect("it ends");
    let ends = until.parse::<i64>().expect("a moment") - START.millis();
    // Another length, for the double says any text of the same length alike.
    let change = |to: &str| {
        let plain = "replace(body, 'a little less', 'more')";
        app.sql(&format!("UPDATE books SET body = replace({plain}, 'more', '{to}') WHERE id = {book}"));
        queue(&app, book);
    };
    change("a little less");
    app.work_off().await;
    let both = stored(&app, "audio");
    assert_eq!((old.len(), both.len()), (1, 2));
    // A client that has the old URL hears that recording to its end.
    app.env.advance(ends - 1);
    assert_eq!(app.work_off().await, 0);
    let fetch = async || app.request(reqwest::Method::GET, &address).send().await.expect("it answers").status();
    assert_eq!(fetch().await, 200);
    app.env.advance(kernel::DAY);
    assert_eq!(app.work_off().await, 1);
    assert_eq!(jobs(&app, "set_aside") + app.count("jobs WHERE kind = 'removal' AND state <> 'done'"), 0);
    let new = stored(&app, "audio");
    assert!(new.len() == 1 && both.contains(&new[0]) && new != old, "{new:?}");
    assert_eq!(app.get("/api/books/a-book/audio").await.result()["marks"].as_array().map(Vec::len), Some(18));

    // A text that comes back is read into the file that was to be removed: it stays.
    change("more");
    app.work_off().await;
    change("a little less");
    app.work_off().await;
    app.env.advance(2 * kernel::DAY);
    app.work_off().await;
    assert_eq!(stored(&app, "audio"), new);
}

#[actix_web::test]
async fn an_uploaded_recording_replaces_the_generated_one_and_its_files() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "free = true");
    let id = BookId::from_store(book);
    let put =
        async |name: &str, text: &str| app.app.media.put(name, text.as_bytes().to_vec()).await.expect("it is stored");
    let there = app.app.db.write_now::<_, StoreError>(|pg| pg.book(&BookRef::Id(id)));
    let there = there.expect("it is read").expect("it is there");
    let narration = Narration {
        media: put("audio/a-book.wav", "a").await,
        duration_ms: 1,
        marks: Vec::new(),
        text_hash: text_hash(&there.body),
        voice: "a narrator".to_owned(),
        made_at: START,
    };
    let film = Film {
        media: put("video/a-book.mp4", "v").await,
        poster: put("video/a-book.png", "p").await,
        captions: put("video/a-book.vtt", "c").await,
        duration_ms: 1,
        shown_hash: shown_hash(&there, &[]),
        made_at: START,
    };
    let kept = app.app.db.write_now::<_, StoreError>(|pg| {
        Ok(recording_files::replace_narration(pg, id, &narration, None, START)?
            && recording_files::replace_film(pg, id, &film, None, START)?)
    });
    assert!(kept.expect("they are saved"));
    let (audio, video) = (put("audio/own.wav", "own a").await, put("video/own.mp4", "own v").await);
    let own = BookDraft {
        title: there.card.title.clone(),
        description: there.card.description.clone(),
        body: there.body.clone(),
        media: Some(audio.clone()),
        video: Some(video.clone()),
        categories: there.card.categories.iter().map(|category| category.subid.clone()).collect(),
        free: true,
        published: true,
        ..BookDraft::blank(there.card.subid.clone(), Slug::parse("ada-author").expect("a slug"), START)
    };
    let save = || app.app.db.write_now::<_, CatalogueError>(|pg| recording_files::save_book(pg, &own, START));
    save().expect("it is saved");
    save().expect("it is saved again");
    assert_eq!(app.count("jobs WHERE kind = 'removal' AND state = 'queued'"), 4);
    app.env.advance(kernel::DAY);
    assert_eq!(app.work_off().await, 4);
    let name = |key: &str| key.split('/').next_back().expect("a name").to_owned();
    assert_eq!((stored(&app, "audio"), stored(&app, "video")), (vec![name(&audio)], vec![name(&video)]));
}

#[actix_web::test]
async fn a_file_that_is_just_being_removed_is_not_taken_into_use() {
    let home = tempfile::tempdir().expect("a folder");
    let app = start(&speech_double(home.path())).await;
    let book = app.add_book("a-book", "free = true");
    queue(&app, book);
    app.work_off().await;
    let key = format!("audio/{}", stored(&app, "audio")[0]);
    // As if it had been replaced, and a worker had begun to remove it.
    app.sql("UPDATE books SET media = NULL");
    app.sql("DELETE FROM narrations");
    let work = JobRequest { kind: REMOVE_FILE, about: "audio", recipient: None, payload: key.as_bytes() };
    let taken = app.app.db.write_now::<_, StoreError>(|pg| {
        pg.queue_job(work, START)?;
        pg.take_jobs(&[REMOVE_FILE], 1, START)
    });
    let taken = taken.expect("it is taken").remove(0);
    queue(&app, book);
    assert_eq!(app.work_off().await, 1);
    assert_eq!(app.count("books WHERE media IS NOT NULL"), 0, "what will be gone in a moment is nobody's");
    app.app.media.delete(&key).await.expect("it is removed");
    let ended = app.app.db.write_now::<_, StoreError>(|pg| pg.finish_job(&taken.job, Outcome::Done, &*app.env));
    assert!(ended.expect("it is written down").is_some());
    app.env.advance(MINUTE);
    assert_eq!(app.work_off().await, 1);
    assert_eq!(app.get("/api/books/a-book/audio").await.result()["marks"].as_array().map(Vec::len), Some(18));
    assert_eq!(stored(&app, "audio").len(), 1);
}

#[actix_web::test]
async fn a_file_that_can_not_be_removed_for_days_is_removed_after_all() {
    let app = TestApp::start().await;
    // Something stands in its place that can't be removed as a file.
    let place = app.home().join("media/audio/old.wav");
    fs::create_dir_all(&place).expect("a folder");
    let work = JobRequest { kind: REMOVE_FILE, about: "audio", recipient: None, payload: b"audio/old.wav" };
    app.app.db.write_now::<_, StoreError>(|pg| pg.queue_job(work, START)).expect("it is queued");
    while app.count("jobs WHERE state = 'set_aside'") == 0 {
        assert_eq!(app.work_off().await, 1, "it is tried again");
        app.env.advance(8 * kernel::HOUR);
    }
    fs::remove_dir(&place).expect("it is empty");
    fs::write(&place, "a sound").expect("a file");
    assert!(app.queue_scheduled().await > 0);
    app.work_off().await;
    // The sweep of unused files may have put it off by a day.
    app.env.advance(kernel::DAY);
    app.work_off().await;
    assert!(!place.exists());
}

#[actix_web::test]
async fn a_worker_that_stops_leaves_no_files_behind() {
    let home = tempfile::tempdir().expect("a folder");
    let begun = home.path().join("begun");
    let hangs = program(home.path(), &format!("#!/bin/sh\n: >'{}'\nexec sleep 600\n", begun.display()));
    let app = start(&hangs).await;
    let book = app.add_book("a-book", "");
    queue(&app, book);
    let rooms = || fs::read_dir(app.home().join("narration")).map_or(0, Iterator::count);
    let (stop, told_to_stop) = watch::channel(false);
    let working = tokio::spawn(worker::run(Arc::clone(&app.app), told_to_stop));
    until("the book is being read", || begun.exists()).await;
    assert_eq!(rooms(), 1, "its files lie in the data folder, where the next process finds them");
    stop.send_replace(true);
    working.await.expect("the worker ends");
    assert_eq!(rooms(), 0);
}

#[actix_web::test]
async fn a_book_is_read_once_and_again_when_its_text_changes() {
    let home = tempfile::tempdir().expect("a folder");
    let app = start(&speech_double(home.path())).await;
    let book = app.add_book("a-book", "free = true");
    queue(&app, book);
    queue(&app, book);
    assert_eq!(app.work_off().await, 1);
    app.sql(
        "INSERT INTO jobs (kind, about, payload, created_at, due_at)
        SELECT kind, about, convert_to(format('{\"audio\":%s}', books.id), 'UTF8'), jobs.created_at, jobs.created_at
        FROM jobs, books",
    );
    assert_eq!(app.work_off().await, 1);
    let said = || fs::read_to_string(home.path().join("said")).expect("it said something").lines().count();
    let once = said();
    assert_eq!(once, 26, "the second job found nothing to do");
    queue(&app, book);
    assert_eq!(app.work_off().await, 0, "nothing is queued for a book that has its recording");
    let before = app.get("/api/books/a-book/audio").await.result();
    app.sql(&format!("UPDATE books SET body = replace(body, 'says more', 'says a little less') WHERE id = {book}"));
    queue(&app, book);
    assert_eq!(app.work_off().await, 1);
    let after = app.get("/api/books/a-book/audio").await.result();
    assert_ne!(before["url"], after["url"]);
    assert_eq!((said(), after["marks"].as_array().map(Vec::len)), (2 * once, Some(18)));
    // What a person recorded is never read over.
    app.sql(&format!("UPDATE books SET media = 'audio/own.mp3', body = body || '<p>And more.</p>' WHERE id = {book}"));
    queue(&app, book);
    assert_eq!(app.work_off().await, 0);
}

#[actix_web::test]
async fn loading_content_has_its_books_read_and_loading_it_again_leaves_them() {
    let home = tempfile::tempdir().expect("a folder");
    let content = home.path().join("content");
    let write = |path: &str, text: &str| {
        let path = content.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("categories.toml", "[[category]]\nsubid = \"nature\"\nname = \"Nature\"\nhue = 120\n");
    write("authors/ada.toml", "name = \"Ada\"\ndescription = \"x\"\n");
    for (subid, soon) in [("owls", false), ("larks", false), ("soon", true)] {
        write(
            &format!("books/{subid}/book.toml"),
            &format!(
                "title = \"{subid}\"\nauthor = \"ada\"\ndescription = \"x\"\ncategories = [\"nature\"]\nfree = true\ncoming_soon = {soon}\nupload_date = \"2026-01-02\"\n"
            ),
        );
        write(&format!("books/{subid}/body.html"), if soon { "" } else { "<h3>One</h3><p>Words.</p>" });
    }
    let app = start(&speech_double(home.path())).await;
    app.load_content(Some(&content)).await.expect("it is loaded");
    assert_eq!(app.work_off().await, 2);
    let audio = app.get("/api/books/owls/audio").await.result();
    write("authors/ada.toml", "name = \"Ada Lovelace\"\ndescription = \"x\"\n");
    app.load_content(Some(&content)).await.expect("it is loaded again");
    assert_eq!(app.work_off().await, 0);
    assert_eq!(app.get("/api/books/owls/audio").await.result(), audio);

    let silent = TestApp::start().await;
    silent.load_content(Some(&content)).await.expect("it is loaded");
    assert_eq!(silent.count("jobs"), 0, "with SPEECH=off nothing is to be read");
}

#[actix_web::test]
async fn a_program_that_fails_is_tried_again_and_leaves_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    let app = start(&mute(home.path())).await;
    let book = app.add_book("a-book", "free = true");
    queue(&app, book);
    assert_eq!(app.work_off().await, 1);
    assert_eq!(app.count("jobs WHERE state = 'queued' AND last_error LIKE 'speech.sh failed%'"), 1);
    assert_eq!(app.count("books WHERE media IS NOT NULL") + app.count("narrations"), 0);
    app.get("/api/books/a-book/audio").await.fails(404, "not_found", "There is no such audio.");
    // Once the program works, so does the job.
    speech_double(home.path());
    app.env.advance(MINUTE);
    assert_eq!(app.work_off().await, 1);
    assert_eq!(app.count("narrations"), 1);
}

/// Asks until it is so.
async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed().as_secs() < 120, "{what}");
        tokio::task::yield_now().await;
    }
}

#[actix_web::test]
async fn mails_go_out_while_a_book_is_read_and_a_worker_that_stops_puts_it_back() {
    let home = tempfile::tempdir().expect("a folder");
    let begun = home.path().join("begun");
    // It says that it has begun, and never ends.
    let hangs = program(home.path(), &format!("#!/bin/sh\necho $$ >>'{}'\nexec sleep 600\n", begun.display()));
    let app = start(&hangs).await;
    for subid in ["a-book", "another"] {
        let book = app.add_book(subid, "");
        queue(&app, book);
    }
    let (stop, told_to_stop) = watch::channel(false);
    let working = tokio::spawn(worker::run(Arc::clone(&app.app), told_to_stop));
    until("a book is being read", || fs::read_to_string(&begun).is_ok_and(|text| text.ends_with('\n'))).await;
    app.sign_up("ada@example.com").await;
    until("the mail has gone out", || app.count("jobs WHERE kind = 'mail' AND state = 'done'") == 1).await;
    assert_eq!((jobs(&app, "running"), jobs(&app, "queued")), (1, 1), "one at a time");
    stop.send_replace(true);
    working.await.expect("the worker ends");
    assert_eq!((jobs(&app, "running"), jobs(&app, "queued")), (0, 2));
    assert_eq!(app.count("jobs WHERE kind = 'narration' AND attempts > 0"), 0, "as if it had not been taken");
    let pid = fs::read_to_string(&begun).expect("it has begun");
    assert_eq!(pid.lines().count(), 1);
    assert!(!Path::new(&format!("/proc/{}", pid.trim())).exists(), "the program has ended with the worker");
}

#[actix_web::test]
async fn episodes_are_spoken_once() {
    let home = tempfile::tempdir().expect("a folder");
    let app = start(&speech_double(home.path())).await;
    let slug = Slug::parse("two-handles").expect("a slug");
    let episode = |script: &str| PodcastDraft {
        slug: slug.clone(),
        title: "Two Handles".to_owned(),
        author: "Ada".to_owned(),
        author_desc: String::new(),
        description: "About handles.".to_owned(),
        script: script.to_owned(),
        stated_minutes: None,
        image: None,
        published_at: START,
        publication: Publication::Published,
    };
    let save = |script: &str| {
        let draft = episode(script);
        let saved = app.app.db.write_now::<_, EditorialError>(|pg| {
            pg.save_podcast(&draft, START)?;
            narration::queue_podcasts(pg, START)?;
            Ok(())
        });
        saved.expect("it is saved and queued");
    };
    save("<p>First.</p><p>Second one.</p>");
    assert_eq!(app.work_off().await, 1);
    let podcast = app.get("/api/podcasts/two-handles").await.result()["podcast"].take();
    // Ten milliseconds a character, and the silence before, between and after.
    assert_eq!(podcast["seconds"], json!(1.62), "{podcast}");
    let file = app.request(reqwest::Method::GET, podcast["mediaUrl"].as_str().expect("an address")).send().await;
    assert_eq!(file.expect("it is served").headers()["content-type"], "audio/wav");
    save("<p>First.</p><p>Second one.</p>");
    assert_eq!(app.work_off().await, 0);
    save("<p>Another script.</p>");
    assert_eq!(app.work_off().await, 1);
    assert_ne!(app.get("/api/podcasts/two-handles").await.result()["podcast"]["mediaUrl"], podcast["mediaUrl"]);
}

/// Gives a book one key idea with a picture.
fn illustrate(app: &TestApp, book: BookId) {
    let image = Some("visuals/a.svg".to_owned());
    let idea = VisualDraft { title: "One".to_owned(), body: "It is.".to_owned(), image, drawing: None };
    let picture = "thumbs/a.svg".to_owned();
    let draft = VisualsDraft {
        ideas: vec![idea],
        image: Some(picture.clone()),
        infographic: Some(picture.clone()),
        infographic_thumb: Some(picture),
    };
    let saved = app.app.db.write_now::<_, CatalogueError>(|pg| pg.save_visuals(book, &draft, START));
    saved.expect("they are saved");
}

/// What a program of this machine says of a file: the kinds of its streams with their encodings, and its length in
/// seconds.
fn probed(file: &[u8]) -> (Vec<String>, f64) {
    let path = tempfile::NamedTempFile::new().expect("a file");
    fs::write(path.path(), file).expect("it is written");
    let probe = Command::new("ffprobe")
        .args(["-v", "error", "-of", "json", "-show_entries", "stream=codec_type,codec_name:format=duration"])
        .arg(path.path())
        .output()
        .expect("ffprobe is there with ffmpeg");
    let told: Value = serde_json::from_slice(&probe.stdout).expect("it tells in JSON");
    let streams = told["streams"].as_array().expect("streams").iter();
    let of = |stream: &Value, name: &str| stream[name].as_str().unwrap_or_default().to_owned();
    let kinds = streams.map(|stream| format!("{} {}", of(stream, "codec_type"), of(stream, "codec_name"))).collect();
    (kinds, told["format"]["duration"].as_str().and_then(|seconds| seconds.parse().ok()).expect("a length"))
}

/// With the real programs, which `cargo xtask test` installs.
#[actix_web::test]
async fn real_speech_and_film_programs_make_a_recording_and_a_film() {
    let app = TestApp::start_with(&[("SPEECH", "auto"), ("SPEECH_ENCODER", "auto")]).await;
    assert!(
        app.app.synthesizer.as_ref().is_some_and(|synthesizer| synthesizer.film_encoder().is_some()),
        "no speech program and no ffmpeg on this machine: `cargo xtask test rust` installs them or says how"
    );
    let book = app.add_book("a-book", "free = true");
    queue(&app, book);
    assert_eq!(app.work_off().await, 1);
    let audio = app.get("/api/books/a-book/audio").await.result();
    assert_eq!(audio["type"], "audio/mpeg");
    let marks: Vec<f64> = audio["marks"].as_array().expect("marks").iter().map(|mark| seconds(&mark["at"])).collect();
    assert_eq!(marks.len(), 18);
    assert!(marks.is_sorted_by(|before, after| after - before > 0.5), "nobody says a heading faster: {marks:?}");
    let fetch = async |address: &Value| {
        let address = address.as_str().expect("an address");
        let file = app.request(reqwest::Method::GET, address).send().await.expect("it is served");
        assert_eq!(file.status(), 200, "{address}");
        file.bytes().await.expect("it comes")
    };
    let (streams, length) = probed(&fetch(&audio["url"]).await);
    assert_eq!(streams, ["audio mp3"]);
    assert!((length - seconds(&audio["seconds"])).abs() < 0.2, "{length}: {}", audio["seconds"]);
    assert!(marks[17] < length && length < 180.0, "{length}");

    let id = BookId::from_store(book);
    illustrate(&app, id);
    let key = BookRef::Id(id);
    app.app
        .db
        .write_now::<_, StoreError>(|pg| narration::queue_film(pg, &key, FilmRequest::First, START, START))
        .expect("it is queued");
    assert_eq!(app.work_off().await, 1);
    let paid = app.sign_up_paid("ada@example.com").await;
    let video = app.get_as(&paid, "/api/books/a-book/video").await.result();
    let (streams, length) = probed(&fetch(&video["url"]).await);
    assert_eq!(streams, ["video h264", "audio aac"]);
    assert!((1.0..120.0).contains(&length), "{length}");
    let captions = fetch(&video["captions"]).await;
    assert!(captions.starts_with(b"WEBVTT"), "{video}");
}

#[actix_web::test]
async fn without_a_program_for_films_a_book_has_none() {
    let home = tempfile::tempdir().expect("a folder");
    let app = start(&speech_double(home.path())).await;
    let book = app.add_book("a-book", "free = true");
    let id = BookId::from_store(book);
    let film = |pg: &mut Pg<'_>| narration::queue_film(pg, &BookRef::Id(id), FilmRequest::First, START, START);
    let queue = || app.app.db.write_now::<_, StoreError>(film);
    queue().expect("it is looked at");
    assert_eq!(app.work_off().await, 0, "there is nothing to show");
    illustrate(&app, id);
    queue().expect("it is queued");
    assert_eq!(app.work_off().await, 1);
    assert_eq!(jobs(&app, "done"), 1);
    assert_eq!(app.get("/api/books/a-book/video").await.result()["url"], json!(null));
}

/// Whether just these narration jobs wait.
fn wait(app: &TestApp, tasks: &[NarrationTask]) -> bool {
    let one = |task: &NarrationTask| {
        let payload = String::from_utf8(task.payload()).expect("it is JSON");
        app.count(&format!("{QUEUED} AND convert_from(payload, 'UTF8') = '{payload}'")) == 1
    };
    tasks.iter().all(one) && app.count(QUEUED) == i64::try_from(tasks.len()).expect("a few")
}

#[actix_web::test]
async fn what_editors_change_is_narrated_and_filmed_from_the_same_transaction() {
    let home = tempfile::tempdir().expect("a folder");
    let app = start(&speech_double(home.path())).await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let id = app.add_book("a-book", "free = true");
    illustrate(&app, BookId::from_store(id));
    let book = format!("/api/admin/books/{id}");
    app.put_as(&editor, &book, json!({ "body": "<h3>One</h3><p>Another text.</p>" })).await.result();
    assert!(wait(&app, &[NarrationTask::Audio(id)]), "a text that has no film brings none");

    let visual = app.get_as(&editor, "/api/admin/visuals").await.result()["visuals"][0]["id"].clone();
    for title in ["First", "The first"] {
        app.env.advance(60_000);
        app.put_as(&editor, &format!("/api/admin/visuals/{visual}"), json!({ "title": title })).await.result();
        assert!(wait(&app, &[NarrationTask::Audio(id), NarrationTask::Video(id)]), "{title}");
        let due = app.env.now().plus(10 * MINUTE).millis();
        let video = format!("{QUEUED} AND due_at = to_timestamp({due} / 1000.0)");
        assert_eq!(app.count(&video), 1, "one film of all changes, ten minutes after the last one");
    }
    app.sql("DELETE FROM jobs");

    let episode = json!({ "title": "Two Handles", "author": "Ada", "authorDesc": "Ada.", "description": "Handles.", "script": "<p>One.</p>" });
    let episode = app.post_as(&editor, "/api/admin/podcasts", episode).await.result()["podcast"]["id"].clone();
    assert!(wait(&app, &[NarrationTask::Podcast("two-handles".to_owned())]), "a new script");
    assert_eq!(app.work_off().await, 1);
    let path = format!("/api/admin/podcasts/{episode}");
    app.put_as(&editor, &path, json!({ "description": "About handles." })).await.result();
    assert!(wait(&app, &[]), "the script is the one that was spoken");
    app.put_as(&editor, &path, json!({ "script": "<p>Two.</p>" })).await.result();
    assert!(wait(&app, &[NarrationTask::Podcast("two-handles".to_owned())]), "another script");
}

#[actix_web::test]
async fn a_film_is_made_again_when_the_title_changes() {
    let home = tempfile::tempdir().expect("a folder");
    let app = start(&speech_double(home.path())).await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let id = app.add_book("a-book", "free = true");
    illustrate(&app, BookId::from_store(id));
    let made = app.app.db.write_now::<_, StoreError>(|pg| {
        let book = pg.book(&BookRef::Id(BookId::from_store(id)))?.expect("it is there");
        let ideas = pg.visuals(book.card.id)?;
        let (media, poster, captions) = ("video/a.mp4".to_owned(), "video/a.png".to_owned(), "video/a.vtt".to_owned());
        let film =
            Film { media, poster, captions, duration_ms: 1, shown_hash: shown_hash(&book, &ideas), made_at: START };
        recording_files::replace_film(pg, book.card.id, &film, None, START)
    });
    assert!(made.expect("it is stored"));
    app.sql("DELETE FROM jobs");
    let book = format!("/api/admin/books/{id}");
    app.put_as(&editor, &book, json!({ "description": "Another one." })).await.result();
    assert!(wait(&app, &[NarrationTask::Audio(id)]), "the film shows no description");
    app.put_as(&editor, &book, json!({ "title": "Another title" })).await.result();
    assert!(wait(&app, &[NarrationTask::Audio(id), NarrationTask::Video(id)]));
}

#[actix_web::test]
async fn a_site_without_a_speech_program_queues_no_recording_of_an_edit() {
    let app = TestApp::start().await;
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let id = app.add_book("a-book", "free = true");
    let edit = json!({ "body": "<h3>One</h3><p>Another text.</p>" });
    app.put_as(&editor, &format!("/api/admin/books/{id}"), edit).await.result();
    assert!(wait(&app, &[]));
}

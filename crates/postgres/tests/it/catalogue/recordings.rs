//! A book's audio and video: whose text they read, and what replaces them.

use catalogue::{
    Book, BookDraft, BookRef, Catalogue, CatalogueQueries, Film, Mark, Narration, RecordingCommands, RecordingQueries,
    Recordings, SaveOutcome, Visual, VisualDraft, VisualsDraft, shown_hash, text_hash,
};
use kernel::{BookId, VisualId};
use postgres::Pg;

use super::fixtures::{self, NOW, author, furnish, slug, with_catalogue};

const BODY: &str = "<h3>One</h3><p>First.</p><h3>Two</h3><p>Second.</p>";

fn draft(body: &str) -> BookDraft {
    BookDraft { body: body.to_owned(), ..fixtures::draft("walden", "Walden") }
}

fn save(store: &mut Pg<'_>, draft: &BookDraft) -> SaveOutcome<BookId> {
    store.save_book(draft, NOW).expect("the book is saved")
}

fn add(store: &mut Pg<'_>, body: &str) -> Book {
    furnish(store);
    let book = save(store, &draft(body)).id();
    illustrate(store, book, &IDEAS);
    read(store)
}

fn read(store: &mut Pg<'_>) -> Book {
    store.book(&BookRef::Subid(slug("walden"))).expect("the book is read").expect("the book is there")
}

fn narration(media: &str, body: &str) -> Narration {
    let mark = |section, paragraph, at_ms| Mark { section, paragraph, at_ms };
    Narration {
        media: media.to_owned(),
        duration_ms: 9_500,
        marks: vec![mark(0, None, 1_200), mark(0, Some(0), 2_000), mark(1, None, 6_000), mark(1, Some(0), 7_000)],
        text_hash: text_hash(body),
        voice: "a narrator".to_owned(),
        made_at: NOW,
    }
}

/// The book's key ideas in these cases.
const IDEAS: [&str; 2] = ["Walk", "Look"];

fn idea(title: &str) -> Visual {
    let (title, body) = (title.to_owned(), format!("{title} slowly."));
    Visual { id: VisualId::from_store(1), title, body, image: "visuals/walden.svg".to_owned() }
}

fn illustrate(store: &mut Pg<'_>, book: BookId, ideas: &[&str]) {
    let picture = "thumbs/walden.svg".to_owned();
    let written =
        |Visual { title, body, image, .. }: Visual| VisualDraft { title, body, image: Some(image), drawing: None };
    let draft = VisualsDraft {
        ideas: ideas.iter().map(|title| written(idea(title))).collect(),
        image: Some(picture.clone()),
        infographic: Some(picture.clone()),
        infographic_thumb: Some(picture),
    };
    store.save_visuals(book, &draft, NOW).expect("the ideas are saved");
}

fn film(media: &str, book: &Book) -> Film {
    Film {
        media: media.to_owned(),
        poster: "video/walden.png".to_owned(),
        captions: "video/walden.vtt".to_owned(),
        duration_ms: 61_000,
        shown_hash: shown_hash(book, &IDEAS.map(idea)),
        made_at: NOW,
    }
}

/// A narration is played with its marks, and its first chapter begins at 0.
#[test]
fn a_narration_is_the_books_audio() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        assert_eq!(store.recording(&book).expect("it is read"), None);
        let made = narration("audio/walden-1.mp3", &book.body);
        assert!(store.save_narration(book.card.id, &made, None).expect("it is saved"));
        let book = read(store);
        assert_eq!(book.card.media.as_deref(), Some("audio/walden-1.mp3"));
        assert_eq!((book.audio_ms, book.listening_minutes()), (Some(9_500), Some(1)));
        assert_eq!(store.find_narration(book.card.id).expect("it is read"), Some(made.clone()));
        let recording = store.recording(&book).expect("it is read").expect("there is audio");
        assert_eq!((recording.duration_ms, recording.marks), (Some(9_500), made.marks));
        let chapters: Vec<(usize, &str, u64)> =
            recording.chapters.iter().map(|chapter| (chapter.section, chapter.title.as_str(), chapter.at_ms)).collect();
        assert_eq!(chapters, [(0, "One", 0), (1, "Two", 6_000)]);
    });
}

/// A book is narrated once; a book that is coming soon is not.
#[test]
fn a_book_without_audio_wants_to_be_read() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        assert!(
            store.wants_narration(&book).expect("it is known")
                && store.wants_film(&book, &IDEAS.map(idea)).expect("it is known")
        );
        let made = narration("audio/walden-1.mp3", &book.body);
        store.save_narration(book.card.id, &made, None).expect("it is saved");
        store.save_film(book.card.id, &film("video/walden-1.mp4", &book), None).expect("it is saved");
        let book = read(store);
        assert!(
            !store.wants_narration(&book).expect("it is known")
                && !store.wants_film(&book, &IDEAS.map(idea)).expect("it is known")
        );
        save(store, &BookDraft { subid: slug("soon"), coming_soon: true, ..draft("") });
        let soon = store.book(&BookRef::Subid(slug("soon"))).expect("it is read").expect("it is there");
        assert!(
            !store.wants_narration(&soon).expect("it is known")
                && !store.wants_film(&soon, &IDEAS.map(idea)).expect("it is known")
        );
    });
}

/// The marks of another text would point at wrong passages.
#[test]
fn a_text_that_changes_loses_its_marks_and_wants_to_be_read_again() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        let made = narration("audio/walden-1.mp3", &book.body);
        store.save_narration(book.card.id, &made, None).expect("it is saved");
        let book = add(store, "<h3>One</h3><p>Another first.</p>");
        let recording = store.recording(&book).expect("it is read").expect("the audio is still there");
        assert_eq!((recording.media.as_str(), recording.marks.len(), recording.chapters.len()), (&*made.media, 0, 0));
        assert!(store.wants_narration(&book).expect("it is known"));
        let again = narration("audio/walden-2.mp3", &book.body);
        assert!(store.save_narration(book.card.id, &again, book.card.media.as_deref()).expect("it is saved"));
        let book = read(store);
        assert_eq!(store.recording(&book).expect("it is read").expect("there is audio").marks.len(), 4);
        assert!(!store.wants_narration(&book).expect("it is known"));
    });
}

/// An uploaded recording has no marks, and a generated one never replaces it.
#[test]
fn an_uploaded_recording_stays_and_has_no_marks() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        let made = narration("audio/walden-1.mp3", &book.body);
        store.save_narration(book.card.id, &made, None).expect("it is saved");
        let own = BookDraft {
            media: Some("audio/own.mp3".to_owned()),
            video: Some("video/own.mp4".to_owned()),
            ..draft(BODY)
        };
        assert!(matches!(save(store, &own), SaveOutcome::Changed(_)));
        let book = read(store);
        let recording = store.recording(&book).expect("it is read").expect("there is audio");
        assert_eq!((recording.media.as_str(), recording.duration_ms), ("audio/own.mp3", None));
        assert_eq!(book.audio_ms, None, "the length of an uploaded recording is not known");
        assert!(recording.marks.is_empty() && recording.chapters.is_empty());
        assert_eq!(store.film(&book).expect("it is read"), None);
        save(store, &BookDraft { media: None, video: None, ..draft("<h3>One</h3><p>Another first.</p>") });
        let book = read(store);
        assert_eq!(book.card.media.as_deref(), Some("audio/own.mp3"));
        assert!(
            !store.wants_narration(&book).expect("it is known")
                && !store.wants_film(&book, &IDEAS.map(idea)).expect("it is known")
        );
    });
}

/// A draft without audio and video keys keeps the stored ones; saving it again changes nothing.
#[test]
fn saving_a_book_again_leaves_audio_and_video() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        store.save_narration(book.card.id, &narration("audio/walden-1.mp3", &book.body), None).expect("it is saved");
        store.save_film(book.card.id, &film("video/walden-1.mp4", &book), None).expect("it is saved");
        assert!(matches!(save(store, &draft(BODY)), SaveOutcome::Unchanged(_)));
        assert!(matches!(
            save(store, &BookDraft { title: "Walden Pond".to_owned(), ..draft(BODY) }),
            SaveOutcome::Changed(_)
        ));
        store.save_author(&author("marcus-aurelius", "Henry"), NOW).expect("the author is saved");
        let book = read(store);
        assert_eq!((book.card.title.as_str(), book.card.author.name.as_str()), ("Walden Pond", "Henry"));
        assert_eq!(book.card.media.as_deref(), Some("audio/walden-1.mp3"));
        assert_eq!(book.card.video.as_deref(), Some("video/walden-1.mp4"));
    });
}

/// A film's metadata belongs to the book's video.
#[test]
fn a_film_is_the_books_video() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        assert_eq!(store.film(&book).expect("it is read"), None);
        let made = film("video/walden-1.mp4", &book);
        assert!(store.save_film(book.card.id, &made, None).expect("it is saved"));
        let book = read(store);
        assert_eq!(book.card.video.as_deref(), Some("video/walden-1.mp4"));
        assert_eq!(store.film(&book).expect("it is read"), Some(made));
        // A film depends on what it shows, not on the book's text.
        let book = add(store, "<h3>One</h3><p>Another first.</p>");
        assert!(!store.wants_film(&book, &IDEAS.map(idea)).expect("it is known"));
        assert!(store.wants_film(&book, &[idea("Walk"), idea("Listen")]).expect("it is known"));
        assert!(!store.wants_film(&book, &[]).expect("there is nothing to show"));
        save(store, &BookDraft { title: "Walden Pond".to_owned(), ..draft("<h3>One</h3><p>Another first.</p>") });
        let book = read(store);
        assert!(store.wants_film(&book, &IDEAS.map(idea)).expect("it is known"));
        let again = film("video/walden-2.mp4", &book);
        assert!(store.save_film(book.card.id, &again, Some("video/walden-1.mp4")).expect("it is saved"));
        let book = read(store);
        assert_eq!(store.film(&book).expect("it is read"), Some(again));
    });
}

/// An admin may upload a recording while one is being generated.
#[test]
fn what_was_changed_meanwhile_is_not_overwritten() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        let own = BookDraft {
            media: Some("audio/own.mp3".to_owned()),
            video: Some("video/own.mp4".to_owned()),
            ..draft(BODY)
        };
        save(store, &own);
        let (made, filmed) = (narration("audio/walden-1.mp3", &book.body), film("video/walden-1.mp4", &book));
        assert!(!store.save_narration(book.card.id, &made, None).expect("it is refused"));
        assert!(!store.save_film(book.card.id, &filmed, None).expect("it is refused"));
        assert!(!store.save_narration(BookId::from_store(4711), &made, None).expect("there is no such book"));
        let book = read(store);
        assert_eq!(book.card.media.as_deref(), Some("audio/own.mp3"));
        assert_eq!(store.find_narration(book.card.id).expect("it is read"), None);
        assert_eq!(store.find_film(book.card.id).expect("it is read"), None);
    });
}

/// Two workers may generate the same recording at once: it is stored for both.
#[test]
fn what_two_have_made_alike_is_kept() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        let (made, filmed) = (narration("audio/walden-1.mp3", &book.body), film("video/walden-1.mp4", &book));
        for _ in 0..2 {
            assert!(store.save_narration(book.card.id, &made, None).expect("it is saved"));
            assert!(store.save_film(book.card.id, &filmed, None).expect("it is saved"));
        }
        let book = read(store);
        assert_eq!(book.card.media.as_deref(), Some("audio/walden-1.mp3"));
        assert_eq!(store.film(&book).expect("it is read"), Some(filmed));
    });
}

/// The text may change during narration: audio of the old text is refused, even if the book has no other audio.
#[test]
fn what_was_made_of_another_text_is_refused() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        let of_old = narration("audio/walden-1.mp3", &book.body);
        let book = add(store, "<h3>One</h3><p>Another first.</p>");
        assert!(!store.save_narration(book.card.id, &of_old, None).expect("it is refused"));
        assert_eq!((read(store).card.media, store.find_narration(book.card.id).expect("it is read")), (None, None));
        let of_new = narration("audio/walden-2.mp3", &book.body);
        assert!(store.save_narration(book.card.id, &of_new, None).expect("it is saved"));
        let again = Narration { media: "audio/walden-3.mp3".to_owned(), ..of_old };
        assert!(!store.save_narration(book.card.id, &again, Some(&of_new.media)).expect("it is refused"));
        assert_eq!(read(store).card.media, Some(of_new.media));
    });
}

/// The same for the content of a film.
#[test]
fn a_film_of_other_things_is_refused() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        let of_old = film("video/walden-1.mp4", &book);
        illustrate(store, book.card.id, &["Walk", "Listen"]);
        assert!(!store.save_film(book.card.id, &of_old, None).expect("it is refused"));
        assert_eq!(read(store).card.video, None);
        illustrate(store, book.card.id, &IDEAS);
        save(store, &BookDraft { title: "Walden Pond".to_owned(), ..draft(BODY) });
        assert!(!store.save_film(book.card.id, &of_old, None).expect("it is refused"));
        save(store, &draft(BODY));
        assert!(store.save_film(book.card.id, &of_old, None).expect("it is saved"));
    });
}

/// Only the files of the present recordings are listed, not those that were replaced.
#[test]
fn files_are_known_as_long_as_they_are_a_books() {
    with_catalogue(|store, _| {
        let book = add(store, BODY);
        let (id, key) = (book.card.id, BookRef::Subid(slug("walden")));
        assert_eq!(store.lock_recording_files(&key).expect("they are read"), [""; 0]);
        assert_eq!(store.lock_recording_files(&BookRef::Id(BookId::from_store(4711))).expect("they are read"), [""; 0]);
        store.save_narration(id, &narration("audio/walden-1.mp3", &book.body), None).expect("it is saved");
        store.save_film(id, &film("video/walden-1.mp4", &book), None).expect("it is saved");
        let files = ["audio/walden-1.mp3", "video/walden-1.mp4", "video/walden.png", "video/walden.vtt"];
        assert_eq!(store.lock_recording_files(&key).expect("they are read"), files);
        assert_eq!(store.lock_recording_files(&BookRef::Id(id)).expect("they are read"), files);
        // Uploaded files replace the generated ones, whose metadata stays but no longer applies.
        let own = ["audio/own.mp3", "video/own.mp4"].map(str::to_owned);
        save(store, &BookDraft { media: Some(own[0].clone()), video: Some(own[1].clone()), ..draft(BODY) });
        assert_eq!(store.lock_recording_files(&key).expect("they are read"), own);
        // Also for an unpublished book.
        save(store, &BookDraft { published: false, ..draft(BODY) });
        assert_eq!(store.lock_recording_files(&key).expect("they are read"), own);
    });
}

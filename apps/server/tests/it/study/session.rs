//! Sessions over HTTP: what one has, in what order, what counts as completed, and that it holds nothing that may not be read
//! (`study.session-ideas`, `study.session-rights`, `study.completed-ideas`).

use crate::catalogue::recordings::narrate_with;
use crate::harness::{PASSWORD, Person, TestApp};
use catalogue::Mark;
use kernel::Env;
use serde_json::{Value, json};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A text of this many words on a subject.
fn text(subject: &str, words: usize) -> String {
    format!("{subject} {}", "and so on it goes ".repeat(words / 5))
}

/// A published book with these ideas: heading and text.
async fn add_book(app: &TestApp, editor: &Person, title: &str, free: bool, ideas: &[(&str, String)]) -> i64 {
    let parts: Vec<String> = ideas.iter().map(|(idea, text)| format!("<h3>{idea}</h3><p>{text}</p>")).collect();
    let category = app.add_category("work", &[]);
    let new = json!({
        "title": title, "author": format!("Author of {title}"), "categories": [category], "body": parts.concat(),
        "published": true, "free": free,
    });
    app.post_as(editor, "/api/admin/books", new).await.result()["book"]["id"].as_i64().expect("an id")
}

/// An editor, and three books: two with ideas on negotiation, of two minutes each, and one on something else.
async fn three_books(app: &TestApp, free: bool) -> [i64; 3] {
    let editor = app.sign_up_with_role("editor@example.com", "editor").await;
    let deals = [
        ("Name your price first", text("In a negotiation the first price holds.", 300)),
        ("Walk away", text("A negotiation needs another choice.", 300)),
        ("Rest", text("Sleep is not wasted.", 300)),
    ];
    let talk = [("Listen before you negotiate", text("Negotiation begins with hearing.", 300))];
    let stars = [("The sun", text("It burns.", 300))];
    [
        add_book(app, &editor, "Deals", free, &deals).await,
        add_book(app, &editor, "Talk", free, &talk).await,
        add_book(app, &editor, "Stars", free, &stars).await,
    ]
}

async fn session(app: &TestApp, person: &Person, minutes: u32, topic: &str) -> Value {
    app.post_as(person, "/api/study/session", json!({ "minutes": minutes, "topic": topic })).await.result()
}

/// Books and headings of a session's ideas.
fn names(session: &Value) -> Vec<(i64, &str)> {
    let ideas = session["ideas"].as_array().expect("ideas").iter();
    ideas.map(|idea| (idea["book"]["id"].as_i64().expect("an id"), idea["title"].as_str().expect("a title"))).collect()
}

#[actix_web::test]
async fn a_session_has_the_ideas_on_the_topic_within_the_minutes() {
    let app = TestApp::start().await;
    let [deals, talk, _] = three_books(&app, false).await;
    let ada = app.sign_up_paid("ada@example.com").await;
    let all = session(&app, &ada, 20, "negotiation").await;
    let mut found = names(&all);
    found.sort_unstable();
    assert_eq!(found, [(deals, "Name your price first"), (deals, "Walk away"), (talk, "Listen before you negotiate")]);
    assert_eq!(all["isNear"], false);
    let first = all["ideas"].as_array().unwrap().iter().find(|idea| idea["title"] == "Walk away").unwrap();
    assert_eq!((&first["section"], &first["sections"], &first["recording"]), (&json!(1), &json!(3), &Value::Null));
    assert_eq!((&first["book"]["title"], &first["isLeftOpen"]), (&json!("Deals"), &json!(false)));
    assert!(first["html"].as_str().unwrap().starts_with("<p>A negotiation needs another choice."), "{first}");
    assert!((118.0..126.0).contains(&first["seconds"].as_f64().unwrap()), "{}", first["seconds"]);

    assert_eq!(names(&session(&app, &ada, 4, "negotiation").await).len(), 2);
    assert_eq!(names(&session(&app, &ada, 1, "negotiation").await).len(), 1, "there is at least one");
    assert!(names(&session(&app, &ada, 20, "quantum chromodynamics").await).is_empty());
    // Its books count as opened: the history begins with the first page that is read, the right is there already.
    let opened = app.get_as(&ada, &format!("/api/books/{talk}?preview=true&unlessOpen=true")).await.result();
    assert!(opened["book"]["body"].is_string());
    // Without a topic: what is recommended.
    let any = session(&app, &ada, 6, "").await;
    assert_eq!(names(&any).len(), 3);
}

#[actix_web::test]
async fn a_session_takes_nothing_from_the_allowance_and_has_nothing_that_may_not_be_read() {
    let app = TestApp::start().await;
    let [deals, talk, _] = three_books(&app, false).await;
    let ada = app.sign_up("ada@example.com").await;
    let before = app.get_as(&ada, "/api/user/allowance").await.result();
    assert!(names(&session(&app, &ada, 20, "negotiation").await).is_empty());
    // One of the free summaries is spent on a book, by the member's own press.
    app.get_as(&ada, &format!("/api/books/{talk}")).await.result();
    let after = app.get_as(&ada, "/api/user/allowance").await.result();
    assert_ne!(before, after);
    let found = session(&app, &ada, 20, "negotiation").await;
    assert_eq!(names(&found), [(talk, "Listen before you negotiate")]);
    app.sql(&format!("UPDATE books SET free = true WHERE id = {deals}"));
    app.app.responses.invalidate_catalogue();
    let found = session(&app, &ada, 20, "negotiation").await;
    assert_eq!(names(&found).len(), 3, "a free book may be read by everyone");
    assert_eq!(app.get_as(&ada, "/api/user/allowance").await.result(), after, "a session takes nothing");
}

#[actix_web::test]
async fn what_was_completed_is_not_offered_for_thirty_days_and_what_was_left_open_comes_first() {
    let app = TestApp::start().await;
    let [deals, talk, _] = three_books(&app, true).await;
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let idea = |book: i64, idea: &str, at: i64| json!({ "bookId": book, "idea": idea, "at": at });
    let done =
        json!({ "ideas": [idea(talk, "Listen before you negotiate", now), idea(4711, "Gone", now)], "sent": now });
    app.post_as(&ada, "/api/study/completed-ideas", done.clone()).await.result();
    app.post_as(&ada, "/api/study/completed-ideas", done).await.result();
    let found = session(&app, &ada, 20, "negotiation").await;
    assert_eq!(names(&found), [(deals, "Name your price first"), (deals, "Walk away")]);

    // She goes on in the book herself and stops at its second idea.
    let visit =
        json!({ "bookId": deals, "position": 1, "completed": false, "at": now, "sent": now, "device": "phone" });
    app.put_as(&ada, "/api/user-book-history", visit).await.result();
    let found = session(&app, &ada, 20, "negotiation").await;
    assert_eq!(names(&found), [(deals, "Walk away")], "what lies before it was read");
    assert_eq!(found["ideas"][0]["isLeftOpen"], true);
    // Completed in the session, the place is the session's, and what she had read before stays read.
    complete(&app, &ada, deals, "Walk away", 1).await;
    assert!(names(&session(&app, &ada, 20, "negotiation").await).is_empty());

    app.env.advance(30 * DAY);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let found = session(&app, &ada, 20, "negotiation").await;
    assert_eq!(names(&found).len(), 3, "{found}");
    assert!(found["ideas"].as_array().unwrap().iter().all(|idea| idea["isLeftOpen"] == false), "{found}");
}

/// Completes an idea as the web app does: its end was reached, and it is the place in its book.
async fn complete(app: &TestApp, person: &Person, book: i64, idea: &str, section: u32) {
    let now = app.env.now().millis();
    let done = json!({ "ideas": [{ "bookId": book, "idea": idea, "at": now }], "sent": now });
    app.post_as(person, "/api/study/completed-ideas", done).await.result();
    let visit =
        json!({ "bookId": book, "position": section, "completed": false, "at": now, "sent": now, "device": "phone" });
    app.put_as(person, "/api/user-book-history", visit).await.result();
}

#[actix_web::test]
async fn an_idea_that_was_read_in_a_session_is_no_place_where_one_stopped() {
    let app = TestApp::start().await;
    let [deals, ..] = three_books(&app, true).await;
    let ada = app.sign_up("ada@example.com").await;
    complete(&app, &ada, deals, "Walk away", 1).await;
    let found = session(&app, &ada, 20, "negotiation").await;
    assert!(names(&found).contains(&(deals, "Name your price first")), "what lies before it was not read: {found}");
    assert!(found["ideas"].as_array().unwrap().iter().all(|idea| idea["isLeftOpen"] == false), "{found}");
    // Later she opens the book there herself.
    app.env.advance(10 * 60 * 1000);
    let now = app.env.now().millis();
    let visit =
        json!({ "bookId": deals, "position": 2, "completed": false, "at": now, "sent": now, "device": "phone" });
    app.put_as(&ada, "/api/user-book-history", visit).await.result();
    let found = session(&app, &ada, 20, "sleep").await;
    assert_eq!((names(&found), &found["ideas"][0]["isLeftOpen"]), (vec![(deals, "Rest")], &json!(true)));
    // A word that no book has: these come near.
    assert_eq!(session(&app, &ada, 20, "haggling").await["isNear"], true);
}

#[actix_web::test]
async fn only_headings_of_books_are_completed() {
    let app = TestApp::start().await;
    let [deals, ..] = three_books(&app, true).await;
    let ada = app.sign_up("ada@example.com").await;
    for idea in ["Nowhere".to_owned(), "\u{6f22}".repeat(1000), "Walk away".to_owned()] {
        complete(&app, &ada, deals, &idea, 1).await;
    }
    let counts = [app.count("completed_ideas"), app.count("completed_ideas WHERE idea = 'Walk away'")];
    assert_eq!(counts, [1, 1]);
}

#[actix_web::test]
async fn an_idea_that_can_be_heard_says_where_it_is_in_the_recording() {
    let app = TestApp::start().await;
    let [deals, ..] = three_books(&app, true).await;
    let mark = |section, at_ms| Mark { section, paragraph: None, at_ms };
    narrate_with(&app, deals, vec![mark(0, 1_000), mark(1, 20_500), mark(2, 50_000)]);
    let ada = app.sign_up("ada@example.com").await;
    let found = session(&app, &ada, 20, "negotiation").await;
    let of = |title: &str| {
        let ideas = found["ideas"].as_array().unwrap();
        ideas.iter().find(|idea| idea["title"] == title).unwrap()
    };
    assert_eq!(of("Walk away")["recording"], json!({ "from": 20.5, "to": 50.0 }));
    assert_eq!(of("Walk away")["seconds"], 29.5, "it takes as long as it is heard");
    assert_eq!(of("Listen before you negotiate")["recording"], Value::Null);
}

#[actix_web::test]
async fn a_session_and_completed_ideas_say_what_is_wrong() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for (body, field, message) in [
        (json!({ "minutes": 0 }), "minutes", "Choose from 1 to 120 minutes."),
        (json!({ "minutes": 121 }), "minutes", "Choose from 1 to 120 minutes."),
        (json!({ "minutes": 1.5 }), "minutes", "Choose from 1 to 120 minutes."),
        (json!({ "minutes": 5, "topic": "x".repeat(101) }), "topic", "Please keep the topic to 100 characters."),
    ] {
        let reply = app.post_as(&ada, "/api/study/session", body).await;
        reply.fails(422, "validation_failed", message);
        assert_eq!(reply.json()["field"], field);
    }
    let idea = |book: Value, idea: &str| json!({ "ideas": [{ "bookId": book, "idea": idea, "at": 1 }] });
    for (body, message) in [
        (json!({ "ideas": [] }), "Please send 1 to 100 ideas."),
        (idea(json!(0), "A"), "There is no such book."),
        (idea(json!(1), " "), "There is no such key idea."),
    ] {
        app.post_as(&ada, "/api/study/completed-ideas", body).await.fails(422, "validation_failed", message);
    }
}

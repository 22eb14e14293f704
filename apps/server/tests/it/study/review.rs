//! Review cards over HTTP: what devices report in any order, answers and the schedule that follows from them, and who is asked
//! what.

use crate::harness::{Person, Reply, START, TestApp};
use crate::study::{refusal, with};
use ::study::{id_of_highlight, id_of_idea};
use catalogue::{Catalogue, CatalogueError, CatalogueQueries};
use futures_util::future::join_all;
use kernel::{BookId, Env, HighlightId, Slug};
use serde_json::{Value, json};

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// An own card, as a device reports it at the test's time.
fn own(app: &TestApp, question: &str) -> Value {
    let now = app.env.now().millis();
    json!({
        "kind": "own",
        "content": { "value": { "question": question, "answer": "So." }, "at": now },
        "createdAt": now,
        "sent": now,
        "device": "phone",
    })
}

/// The card of an idea of a book of `TestApp::add_book`.
fn idea(app: &TestApp, book: &str, number: usize) -> Value {
    json!({
        "kind": "idea",
        "bookId": book,
        "section": number,
        "ideaTitle": format!("Idea {number}"),
        "opening": format!("The first paragraph of idea {number} in {book}."),
        "createdAt": app.env.now().millis(),
    })
}

fn idea_id(book: i64, number: usize) -> i64 {
    id_of_idea(BookId::from_store(book), &format!("Idea {number}")).get()
}

async fn save(app: &TestApp, person: &Person, id: i64, report: Value) -> Reply {
    app.put_as(person, &format!("/api/study/cards/{id}"), report).await
}

async fn saved(app: &TestApp, person: &Person, id: i64, report: Value) -> Value {
    save(app, person, id, report).await.result()["card"].take()
}

/// Answers, as a device reports them: id, card, rating and moment.
async fn answer(app: &TestApp, person: &Person, answers: &[(i64, i64, u8, i64)]) -> Value {
    let answers: Vec<Value> = answers
        .iter()
        .map(|(id, card, rating, at)| json!({ "id": id, "cardId": card, "rating": rating, "at": at }))
        .collect();
    let body = json!({ "answers": answers, "sent": app.env.now().millis(), "device": "phone" });
    app.post_as(person, "/api/study/answers", body).await.result()
}

/// All cards after a version, asked for in parts, and the versions of all records in the order in which they came.
async fn changes(app: &TestApp, person: &Person, limit: u64) -> (Vec<Value>, Vec<u64>) {
    let (mut cards, mut versions, mut from) = (Vec::new(), Vec::new(), Some(0));
    while let Some(after) = from {
        let mut page = app.get_as(person, &format!("/api/study/changes?after={after}&limit={limit}")).await.result();
        let [mut of_page, highlights] = ["cards", "highlights"].map(|list| match page[list].take() {
            Value::Array(list) => list,
            _ => panic!("no list"),
        });
        let all = of_page.iter().chain(&highlights).map(|one| one["version"].as_u64().expect("a version"));
        let mut of_both: Vec<u64> = all.collect();
        assert!(of_both.len() <= usize::try_from(limit).expect("a limit"));
        of_both.sort_unstable();
        versions.extend(of_both);
        cards.append(&mut of_page);
        from = page["next"].as_u64();
    }
    (cards, versions)
}

async fn cards(app: &TestApp, person: &Person) -> Vec<Value> {
    changes(app, person, 100).await.0
}

#[actix_web::test]
async fn an_own_card_is_kept_changed_paused_deleted_and_brought_back() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "");
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let first = saved(&app, &ada, 7, own(&app, "Why?")).await;
    assert_eq!(
        first,
        json!({
            "id": 7, "kind": "own", "bookId": null, "subid": null, "summaryId": null, "title": "", "author": "",
            "highlightId": null, "section": null, "ideaTitle": "", "opening": "",
            "content": { "value": { "question": "Why?", "answer": "So.", "blanks": [] }, "at": now },
            "paused": { "value": false, "at": 0 },
            "createdAt": now, "editedAt": now, "deletedAt": null,
            "schedule": {
                "question": "Why?", "answer": "So.", "isLocked": false, "state": "ok", "section": null,
                "due": "2026-06-15", "last": null, "answers": 0, "lapses": 0, "next": [0, 1, 2, 8], "isWaiting": false,
            },
            "version": 1,
        })
    );
    // Again, as after a lost answer.
    assert_eq!(saved(&app, &ada, 7, own(&app, "Why?")).await, first);

    app.env.advance(1000);
    let later = app.env.now().millis();
    let bare = || with(with(own(&app, ""), "content", Value::Null), "createdAt", json!(now));
    let paused = saved(&app, &ada, 7, with(bare(), "paused", json!({ "value": true, "at": later }))).await;
    assert_eq!((&paused["paused"]["value"], &paused["content"]), (&json!(true), &first["content"]));
    app.env.advance(1000);
    let deleted = saved(&app, &ada, 7, with(bare(), "deletedAt", json!(app.env.now().millis()))).await;
    assert!(deleted["deletedAt"].as_i64() > deleted["editedAt"].as_i64());
    app.env.advance(1000);
    let back = saved(&app, &ada, 7, with(own(&app, "Why not?"), "createdAt", json!(now))).await;
    assert!(back["deletedAt"].as_i64() < back["editedAt"].as_i64());
    assert_eq!((&back["schedule"]["question"], &back["version"]), (&json!("Why not?"), &json!(4)));
    assert_eq!(cards(&app, &ada).await, [back]);

    let about = saved(&app, &ada, 8, with(own(&app, "Who?"), "bookId", json!("walden"))).await;
    assert_eq!(
        (&about["bookId"], &about["subid"], &about["title"], &about["author"]),
        (&json!(book), &json!("walden"), &json!("Title of walden"), &json!("Ada Author"))
    );
    refusal(&save(&app, &ada, 9, with(own(&app, "Who?"), "bookId", json!("unknown"))).await, 404, "not_found");
    refusal(&save(&app, &ada, 9, with(own(&app, "Who?"), "summaryId", json!(4711))).await, 404, "not_found");
}

#[actix_web::test]
async fn an_idea_is_asked_by_who_may_read_it_and_its_answer_closes_with_the_text() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "");
    app.add_book("soon", "coming_soon = true");
    let visitor = app.send(None, reqwest::Method::PUT, "/api/study/cards/1", Some(idea(&app, "walden", 1))).await;
    refusal(&visitor, 401, "unauthenticated");
    let ada = app.sign_up("ada@example.com").await;
    let id = idea_id(book, 1);
    refusal(&save(&app, &ada, id, idea(&app, "walden", 1)).await, 403, "not_opened");
    refusal(&save(&app, &ada, id, idea(&app, "soon", 1)).await, 403, "forbidden");
    refusal(&save(&app, &ada, id, idea(&app, "unknown", 1)).await, 404, "not_found");
    app.get_as(&ada, "/api/books/walden").await.result();
    refusal(&save(&app, &ada, 7, idea(&app, "walden", 1)).await, 422, "validation_failed");
    let card = saved(&app, &ada, id, idea(&app, "walden", 1)).await;
    assert_eq!((&card["section"], &card["ideaTitle"], &card["bookId"]), (&json!(1), &json!("Idea 1"), &json!(book)));
    let schedule = &card["schedule"];
    assert_eq!(
        (&schedule["question"], &schedule["answer"], &schedule["isLocked"], &schedule["state"], &schedule["section"]),
        (
            &json!("What does “Idea 1” mean?"),
            &json!("The first paragraph of idea 1 in walden.\nThe second one says more."),
            &json!(false),
            &json!("ok"),
            &json!(1)
        )
    );

    // With a plan that ends, and without another right.
    let bob = app.sign_up_paid("bob@example.com").await;
    let made = idea(&app, "walden", 2);
    app.get_as(&bob, "/api/books/walden").await.result();
    let with_plan = saved(&app, &bob, id, idea(&app, "walden", 1)).await;
    assert_eq!(with_plan["schedule"]["isLocked"], false);
    app.env.advance(DAY);
    app.sql(&format!(
        "UPDATE entitlements SET ends_at = to_timestamp({}) WHERE user_id = {}",
        START.millis() / 1000 + 3600,
        bob.id()
    ));
    app.forget(&bob);
    let bob = app.log_in("bob@example.com", crate::harness::PASSWORD).await;
    let locked = &cards(&app, &bob).await[0]["schedule"];
    assert_eq!(
        (&locked["question"], &locked["answer"], &locked["isLocked"], &locked["state"]),
        (&json!("What does “Idea 1” mean?"), &json!(""), &json!(true), &json!("ok"))
    );
    // Made during the plan and sent after it; not made after it.
    saved(&app, &bob, idea_id(book, 2), with(made, "sent", json!(app.env.now().millis()))).await;
    refusal(&save(&app, &bob, idea_id(book, 3), idea(&app, "walden", 3)).await, 403, "not_opened");
    let paused = with(idea(&app, "walden", 1), "paused", json!({ "value": true, "at": app.env.now().millis() }));
    assert_eq!(saved(&app, &bob, id, paused).await["paused"]["value"], true);
}

#[actix_web::test]
async fn the_card_of_a_highlight_hides_words_and_is_gone_with_it() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let highlight = |deleted_at: Option<i64>, color_at: i64| {
        json!({
            "bookId": "walden",
            "anchor": { "section": 1, "start": 4, "end": 19, "exact": "first paragraph", "prefix": "The ", "suffix": " of idea 1" },
            "color": { "value": "sky", "at": color_at },
            "createdAt": now,
            "deletedAt": deleted_at,
        })
    };
    let id = id_of_highlight(HighlightId::from_store(5)).get();
    let hiding = |blanks: Value| {
        json!({
            "kind": "highlight",
            "highlightId": 5,
            "content": { "value": { "blanks": blanks }, "at": now },
            "createdAt": now,
        })
    };
    let words = json!([{ "start": 0, "end": 5 }]);
    refusal(&save(&app, &ada, id, hiding(words.clone())).await, 404, "not_found");
    app.put_as(&ada, "/api/study/highlights/5", highlight(None, now)).await.result();
    refusal(&save(&app, &ada, 7, hiding(words.clone())).await, 422, "validation_failed");
    for wrong in [
        json!([]),
        json!([{ "start": 0, "end": 15 }]),
        json!([{ "start": 0, "end": 99 }]),
        json!([{ "start": -1, "end": 5 }]),
    ] {
        let refused = refusal(&save(&app, &ada, id, hiding(wrong)).await, 422, "validation_failed");
        assert_eq!(
            (&refused["field"], &refused["error"]),
            (&json!("blanks"), &json!("Please choose the words to hide."))
        );
    }
    let card = saved(&app, &ada, id, hiding(words)).await;
    assert_eq!(
        (&card["highlightId"], &card["subid"], &card["schedule"]["question"], &card["schedule"]["answer"]),
        (&json!(5), &json!("walden"), &json!("_____ paragraph"), &json!("first paragraph"))
    );
    assert_eq!(card["content"]["value"]["blanks"], json!([{ "start": 0, "end": 5 }]));
    app.env.advance(MINUTE);
    app.put_as(&ada, "/api/study/highlights/5", highlight(Some(app.env.now().millis()), now)).await.result();
    let gone = cards(&app, &ada).await.remove(0);
    assert_eq!(
        (&gone["schedule"]["state"], gone["version"].as_u64() > card["version"].as_u64()),
        (&json!("gone"), true)
    );
    app.env.advance(MINUTE);
    app.put_as(&ada, "/api/study/highlights/5", highlight(None, app.env.now().millis())).await.result();
    assert_eq!(cards(&app, &ada).await[0]["schedule"]["state"], "ok");
}

#[actix_web::test]
async fn what_is_wrong_with_a_card_is_said_at_its_field() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let text = |question: &str, answer: &str| {
        let content = json!({ "value": { "question": question, "answer": answer }, "at": now });
        with(own(&app, ""), "content", content)
    };
    let of = |field: &str, value: Value| with(own(&app, "Why?"), field, value);
    let of_idea = |field: &str, value: Value| with(idea(&app, "walden", 1), field, value);
    for (report, field, error) in [
        (text(" ", "So."), "question", "Please write a question."),
        (text("Why?", "\n"), "answer", "Please write an answer."),
        (text(&"é".repeat(501), "So."), "question", "Please keep the question to 500 characters."),
        (text("Why?", &"é".repeat(2_001)), "answer", "Please keep the answer to 2,000 characters."),
        (of("kind", json!("quiz")), "kind", "There is no such kind of card."),
        (of("createdAt", json!(0.5)), "createdAt", "Please specify the time in milliseconds."),
        (of("device", json!("a b")), "device", "A device name has up to 64 letters and digits."),
        (of_idea("section", json!(-1)), "section", "There is no such section."),
        (of_idea("section", Value::Null), "section", "There is no such section."),
        (of_idea("ideaTitle", json!(" ")), "question", "Please write a question."),
        (of_idea("ideaTitle", json!("Another")), "id", "This id is not that of the idea or the highlight."),
    ] {
        let refused = refusal(&save(&app, &ada, idea_id(book, 1), report).await, 422, "validation_failed");
        assert_eq!((&refused["field"], &refused["error"]), (&json!(field), &json!(error)));
    }
    refusal(&save(&app, &ada, 9_007_199_254_740_992, own(&app, "Why?")).await, 404, "not_found");
    assert_eq!(app.count("review_cards"), 0);
    saved(&app, &ada, idea_id(book, 1), own(&app, "Why?")).await;
    // Another card has the id.
    let refused = refusal(&save(&app, &ada, idea_id(book, 1), idea(&app, "walden", 1)).await, 422, "validation_failed");
    assert_eq!(refused["field"], "id");

    let one = |id: Value, card: Value, rating: Value| json!({ "id": id, "cardId": card, "rating": rating, "at": now });
    let many: Vec<Value> = (1..=101).map(|id| one(json!(id), json!(7), json!(3))).collect();
    for answers in [
        json!([]),
        json!(many),
        json!([one(json!(0), json!(7), json!(3))]),
        json!([one(json!(1), json!(0.5), json!(3))]),
        json!([one(json!(1), json!(7), json!(0))]),
        json!([one(json!(1), json!(7), json!(5))]),
    ] {
        let refused = app.post_as(&ada, "/api/study/answers", json!({ "answers": answers })).await;
        assert_eq!(refusal(&refused, 422, "validation_failed")["field"], "answers");
    }
    assert_eq!(app.count("card_answers"), 0);
}

/// The published course of FSRS 6 that crates/study proves too: ratings 1, 3, 3, 3, 3, 3 after 0, 0, 1, 3, 8 and 21 days.
#[actix_web::test]
async fn a_course_of_answers_ends_in_the_schedule_of_fsrs_whatever_comes_first() {
    let app = TestApp::start().await;
    let start = app.env.now().millis();
    for email in ["ada@example.com", "bob@example.com"] {
        let person = app.sign_up(email).await;
        saved(&app, &person, 7, own(&app, "Why?")).await;
    }
    let (mut day, mut course) = (0, Vec::new());
    for (id, (rating, after)) in (1..).zip([(1, 0), (3, 0), (3, 1), (3, 3), (3, 8), (3, 21)]) {
        app.env.advance(after * DAY);
        day += after;
        course.push((id, 7, rating, start + day * DAY));
        let ada = refreshed(&app, "ada@example.com").await;
        answer(&app, &ada, &course[course.len() - 1..]).await;
        if id <= 3 {
            let bob = refreshed(&app, "bob@example.com").await;
            answer(&app, &bob, &course[course.len() - 1..]).await;
        }
    }
    // Bob's device was offline since the third answer, and sends the last one first.
    let bob = refreshed(&app, "bob@example.com").await;
    for one in course[3..].iter().rev() {
        answer(&app, &bob, std::slice::from_ref(one)).await;
    }
    let ada = refreshed(&app, "ada@example.com").await;
    let (hers, his) = (cards(&app, &ada).await.remove(0), cards(&app, &bob).await.remove(0));
    assert_eq!(hers["schedule"], his["schedule"]);
    let schedule = &hers["schedule"];
    // 54 days, the rounded stability, after 33 days.
    assert_eq!(
        (&schedule["due"], &schedule["last"], &schedule["answers"], &schedule["lapses"]),
        (&json!("2026-09-10"), &json!("2026-07-18"), &json!(6), &json!(0))
    );
    let memory = "abs(stability - 53.62691) < 0.001 AND abs(difficulty - 6.3574867) < 0.001";
    assert_eq!(app.count(&format!("review_cards WHERE {memory}")), 2);
}

/// Signs in again: tokens are valid for an hour.
async fn refreshed(app: &TestApp, email: &str) -> Person {
    app.log_in(email, crate::harness::PASSWORD).await
}

#[actix_web::test]
async fn an_answer_counts_once_and_a_late_one_in_its_place() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let start = app.env.now().millis();
    saved(&app, &ada, 7, own(&app, "Why?")).await;
    let first = answer(&app, &ada, &[(1, 7, 3, start), (2, 4711, 3, start)]).await;
    let schedule = |result: &Value| result["cards"][0]["schedule"].clone();
    assert_eq!(
        (&schedule(&first)["due"], &schedule(&first)["last"], &first["unknown"]),
        (&json!("2026-06-17"), &json!("2026-06-15"), &json!([4711]))
    );
    // Again, as after a lost answer, and by another moment.
    assert_eq!(answer(&app, &ada, &[(1, 7, 3, start)]).await["cards"], first["cards"]);
    assert_eq!(answer(&app, &ada, &[(1, 7, 1, start + 1)]).await["cards"], first["cards"]);
    assert_eq!(app.count("card_answers"), 1);

    app.env.advance(3 * DAY);
    let ada = refreshed(&app, "ada@example.com").await;
    let third = answer(&app, &ada, &[(3, 7, 3, start + 3 * DAY)]).await;
    assert_eq!((&schedule(&third)["answers"], &schedule(&third)["last"]), (&json!(2), &json!("2026-06-18")));
    // Another device was offline the day before.
    let late = answer(&app, &ada, &[(2, 7, 1, start + 2 * DAY)]).await;
    assert_eq!(
        (&schedule(&late)["answers"], &schedule(&late)["lapses"], &schedule(&late)["last"]),
        (&json!(3), &json!(1), &json!("2026-06-18"))
    );
    assert_eq!(cards(&app, &ada).await, [late["cards"][0].clone()]);

    let bob = app.sign_up("bob@example.com").await;
    saved(&app, &bob, 7, with(own(&app, "Why?"), "createdAt", json!(start))).await;
    let ordered = answer(&app, &bob, &[(4, 7, 3, start), (5, 7, 1, start + 2 * DAY), (6, 7, 3, start + 3 * DAY)]).await;
    assert_eq!(schedule(&ordered), schedule(&late));
}

#[actix_web::test]
async fn a_hundred_answers_come_at_once_and_devices_at_the_same_moment() {
    let app = TestApp::start().await;
    let ada = app.sign_up_paid("ada@example.com").await;
    let now = app.env.now().millis();
    join_all((1..=10).map(|id| save(&app, &ada, id, own(&app, "Why?")))).await.into_iter().for_each(|reply| {
        reply.result();
    });
    let answers: Vec<(i64, i64, u8, i64)> =
        (0..100).map(|number| (number + 1, number % 10 + 1, 3, now - 100 + number)).collect();
    let all = answer(&app, &ada, &answers).await;
    assert_eq!(all["cards"].as_array().map(Vec::len), Some(10));
    assert!(all["cards"].as_array().unwrap().iter().all(|card| card["schedule"]["answers"] == 10));
    let parts: Vec<Vec<_>> = answers.chunks(30).map(<[_]>::to_vec).collect();
    join_all(parts.iter().map(|part| answer(&app, &ada, part))).await;
    assert_eq!(app.count("card_answers"), 100);
    let (found, versions) = changes(&app, &ada, 3).await;
    assert_eq!((found.len(), versions), (10, (11..=20).collect()));
}

#[actix_web::test]
async fn highlights_and_cards_come_in_one_order() {
    let app = TestApp::start().await;
    app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    for number in 1..=7 {
        saved(&app, &ada, number, own(&app, "Why?")).await;
        let highlight = json!({
            "bookId": "walden",
            "anchor": { "section": 0, "start": 0, "end": 3, "exact": "The", "prefix": "", "suffix": " first" },
            "createdAt": 0,
        });
        app.put_as(&ada, &format!("/api/study/highlights/{number}"), highlight).await.result();
    }
    for limit in [1, 3, 4, 14, 100] {
        let (found, versions) = changes(&app, &ada, limit).await;
        assert_eq!((found.len(), versions), (7, (1..=14).collect()), "in parts of {limit}");
    }
}

#[actix_web::test]
async fn without_a_plan_twenty_cards_are_in_review_and_the_others_wait() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for id in 1..=25 {
        saved(&app, &ada, id, own(&app, "Why?")).await;
        app.env.advance(1000);
    }
    let waiting = async |person: &Person| {
        let cards = cards(&app, person).await;
        assert_eq!(cards.len(), 25);
        let waiting = cards.iter().filter(|card| card["schedule"]["isWaiting"] == true);
        let mut ids: Vec<i64> = waiting.map(|card| card["id"].as_i64().expect("an id")).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(waiting(&ada).await, [21, 22, 23, 24, 25]);
    // One is paused, and one is deleted: two others take their places.
    let now = app.env.now().millis();
    let paused = with(own(&app, "Why?"), "paused", json!({ "value": true, "at": now }));
    saved(&app, &ada, 3, paused).await;
    app.env.advance(1000);
    saved(&app, &ada, 4, with(with(own(&app, ""), "content", Value::Null), "deletedAt", json!(app.env.now().millis())))
        .await;
    assert_eq!(waiting(&ada).await, [23, 24, 25]);
    // One that waits can be answered, and keeps its schedule.
    let answered = answer(&app, &ada, &[(1, 25, 3, now)]).await;
    assert_eq!(
        (&answered["cards"][0]["schedule"]["isWaiting"], &answered["cards"][0]["schedule"]["answers"]),
        (&json!(true), &json!(1))
    );
    app.sql(&format!(
        "INSERT INTO entitlements (user_id, plan_id, plan_name, starts_at) VALUES ({}, 'lifetime', 'Lifetime', to_timestamp(0))",
        ada.id()
    ));
    app.forget(&ada);
    assert!(waiting(&ada).await.is_empty());
}

#[actix_web::test]
async fn an_idea_is_found_again_after_the_text_was_edited() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    for number in [1, 2] {
        saved(&app, &ada, idea_id(book, number), idea(&app, "walden", number)).await;
    }
    app.env.advance(MINUTE);
    app.queue_scheduled().await;
    app.work_off().await;
    assert_eq!(app.get_as(&ada, "/api/study/changes").await.result()["version"], 2, "nothing has moved");
    app.env.advance(MINUTE);
    let now = app.env.now();
    let edited = app.app.db.write_now::<_, CatalogueError>(|pg| {
        let (_, mut draft) = pg.find_book_draft(&Slug::parse("walden").expect("a slug"))?.expect("the book");
        let body = draft.body.replace("<h3>Idea 1</h3>", "<h3>New</h3><p>New.</p><h3>Why one?</h3>");
        draft.body =
            body.replace("<h3>Idea 2</h3><p>The first paragraph of idea 2 in walden.</p>", "<h3>Two</h3><p>Gone.</p>");
        pg.save_book(&draft, now)
    });
    edited.expect("the book is saved");
    app.env.advance(MINUTE);
    app.queue_scheduled().await;
    app.work_off().await;
    let mut found = cards(&app, &ada).await;
    found.sort_by_key(|card| card["section"].as_i64());
    let [first, second] = [&found[0]["schedule"], &found[1]["schedule"]];
    assert_eq!((&first["question"], &first["section"], &first["state"]), (&json!("Why one?"), &json!(2), &json!("ok")));
    assert_eq!(
        (&second["question"], &second["answer"], &second["section"], &second["state"]),
        (&json!("What does “Idea 2” mean?"), &json!(""), &Value::Null, &json!("gone"))
    );
    assert!(found.iter().all(|card| card["version"].as_u64() > Some(2)));
}

#[actix_web::test]
async fn recall_is_given_by_category_and_days_of_review_count_for_the_streak() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "free = true");
    let category = app.add_category("philosophy", &[book]);
    let ada = app.sign_up("ada@example.com").await;
    let start = app.env.now().millis();
    assert_eq!(app.get_as(&ada, "/api/study/recall").await.result(), json!({ "categories": [], "needed": 20 }));
    saved(&app, &ada, idea_id(book, 1), idea(&app, "walden", 1)).await;
    let id = idea_id(book, 1);
    app.env.advance(2 * DAY);
    let ada = refreshed(&app, "ada@example.com").await;
    answer(&app, &ada, &[(1, id, 3, start), (2, id, 1, start + DAY), (3, id, 3, start + 2 * DAY)]).await;
    let recall = app.get_as(&ada, "/api/study/recall").await.result();
    let figure = &recall["categories"][0];
    assert_eq!(
        (&figure["category"]["id"], &figure["category"]["subid"], &figure["right"], &figure["answers"]),
        (&json!(category), &json!("philosophy"), &json!(1), &json!(2))
    );
    let streak = async || app.get_as(&ada, "/api/user-book-history/xp").await.result()["streaks"].take();
    assert_eq!(streak().await["currentStreak"], 3);
    app.put_as(&ada, "/api/study/settings", json!({ "countsForStreak": false })).await.result();
    assert_eq!(streak().await["currentStreak"], 0);
}

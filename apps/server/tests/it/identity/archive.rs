//! The archive: what stands in it, who gets it, and how often.

use std::{
    collections::BTreeMap,
    io::{Cursor, Read},
};

use crate::harness::{self, Person, TestApp};
use kernel::{Env, HOUR, MINUTE};
use mail::Mail;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

const EXPIRED: &str = "This link has expired or was already used. Please ask for a new one.";

/// An archive that was fetched: its name, and its files by name.
pub(super) struct Fetched {
    name: String,
    files: BTreeMap<String, String>,
    /// The zip.
    pub(super) bytes: Vec<u8>,
}

impl Fetched {
    pub(super) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.files[name]).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

async fn fetch(request: reqwest::RequestBuilder) -> Fetched {
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let header = |name| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header(header::CONTENT_TYPE), "application/zip");
    assert_eq!(header(header::CACHE_CONTROL), "private, no-store");
    let disposition = header(header::CONTENT_DISPOSITION);
    let name = disposition.strip_prefix("attachment; filename=\"").and_then(|name| name.strip_suffix('"'));
    let name = name.unwrap_or_else(|| panic!("{disposition}")).to_owned();
    let bytes = response.bytes().await.unwrap().to_vec();
    let mut zip = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    let mut files = BTreeMap::new();
    for place in 0..zip.len() {
        let mut file = zip.by_index(place).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        files.insert(file.name().to_owned(), text);
    }
    Fetched { name, files, bytes }
}

pub(super) async fn fetch_as(app: &TestApp, person: &Person) -> Fetched {
    fetch(app.request(Method::GET, "/api/user/archive").bearer_auth(&person.token)).await
}

fn download(app: &TestApp, code: &str) -> reqwest::RequestBuilder {
    app.request(Method::POST, "/api/user/archive/download").json(&json!({ "code": code }))
}

/// The code of the link in the newest mail.
fn mailed_code(app: &TestApp, person: &Person) -> String {
    let (to, mail) = app.mails().pop().unwrap();
    assert_eq!(to, person.email);
    let Mail::Archive { link, first_name } = mail else { panic!("the newest mail is another one") };
    assert_eq!(first_name, "Ada");
    let code = link.strip_prefix(&format!("{}/account/archive#", app.app.config.public_url));
    code.unwrap_or_else(|| panic!("{link}")).to_owned()
}

/// A member in Vienna who has read, rated, kept and chosen.
async fn busy_member(app: &TestApp) -> Person {
    let ada = app.sign_up("ada@example.com").await;
    app.sql(&format!(
        "UPDATE users SET timezone = 'Europe/Vienna', last_name = 'R*e*ader', friend_email = 'friend@example.com',
            email_confirmed_at = to_timestamp(1781000000) WHERE id = {}",
        ada.id()
    ));
    app.sql(&format!(
        "INSERT INTO passkeys (user_id, name, credential_id, user_handle, credential, created_at)
         VALUES ({}, 'My phone', '\\x00', '\\x00', '{{}}', now())",
        ada.id()
    ));
    app.forget(&ada);
    let (first, second) = (app.add_book("first-book", ""), app.add_book("second-book", ""));
    let category = app.add_category("philosophy", &[first]);
    for book in [first, second] {
        app.get_as(&ada, &format!("/api/books/{book}")).await.result();
    }
    app.env.advance(11 * HOUR);
    let ada = app.log_in(&ada.email, harness::PASSWORD).await;
    let rating = json!({ "rating": 4, "feedback": "Clear.\n# Not a heading" });
    app.put_as(&ada, &format!("/api/books/rating/{first}"), rating).await.result();
    for (book, position, completed) in [(first, 5, true), (second, 2, false)] {
        let body = json!({ "bookId": book, "position": position, "completed": completed });
        app.put_as(&ada, "/api/user-book-history", body).await.result();
    }
    app.post_as(&ada, "/api/library", json!({ "bookId": second })).await.result();
    app.put_as(&ada, "/api/user/recommends", json!({ "recommends": [category] })).await.result();
    app.post_as(&ada, "/api/events", json!({ "name": "start_for_free" })).await.result();
    let goal = json!({ "goal": { "unit": "minutes", "amount": 20 }, "countsTime": true });
    app.put_as(&ada, "/api/user/goal", goal).await.result();
    let time = json!({ "device": "phone", "days": [{ "day": "2026-06-15", "seconds": 95 }] });
    app.put_as(&ada, "/api/user/reading-time", time).await.result();
    let soon = app.add_book("third-book", "coming_soon = true");
    app.post_as(&ada, "/api/user/notices", json!({ "bookId": soon })).await.result();
    // What is not published any more is hers all the same.
    app.sql(&format!("UPDATE books SET published = false, title = 'A *title*' WHERE id = {second}"));
    ada
}

#[tokio::test]
async fn the_archive_has_goals_the_plan_and_the_results_of_quizzes() {
    let app = TestApp::start().await;
    let ada = busy_member(&app).await;
    let book = app.add_book("plan-book", "");
    app.sql(
        "INSERT INTO goals (id, slug, title, short_title, mobile_title, description, place)
         OVERRIDING SYSTEM VALUE VALUES (1, 'calm', 'Stay calm', 'Calm', 'Calm', '', 0)",
    );
    let plan = json!({ "goals": [1], "bookIds": [book] });
    app.post_as(&ada, "/api/user/ten-day-challenge-submit", plan).await.result();
    app.put_as(&ada, "/api/user/ten-day-challenge/daily-mail", json!({ "hour": 7 })).await.result();
    let quiz = app.get("/api/quiz/personality").await.result();
    let questions = quiz["questions"].as_array().expect("a list").iter();
    let answers: Vec<_> = questions.map(|one| json!({ "id": one["id"], "answer": one["type"] == "Red" })).collect();
    app.post_as(&ada, "/api/quiz/personality/results", json!({ "answers": answers })).await.result();
    let archive = fetch_as(&app, &ada).await;
    assert_eq!(archive.json("goals.json"), json!([{ "goalId": 1, "title": "Stay calm" }]));
    let day = &archive.json("ten-day-plan.json")[0];
    assert_eq!((&day["day"], &day["title"]), (&json!(1), &json!("Title of plan-book")));
    let mail = &archive.json("daily-mail.json")[0];
    assert_eq!((&mail["hour"], &mail["lastSentOn"]), (&json!(7), &json!(null)));
    let result = &archive.json("quiz-results.json")[0];
    assert_eq!((&result["quiz"], &result["totals"][0]["count"]), (&json!("personality"), &json!(4)));
    assert!(archive.files["profile.md"].contains("Red") && archive.files["reading.md"].contains("Stay calm"));
}

#[tokio::test]
async fn the_archive_has_everything_for_programs() {
    let app = TestApp::start().await;
    let ada = busy_member(&app).await;
    let archive = fetch_as(&app, &ada).await;
    // In Vienna it is an hour past midnight.
    assert_eq!(archive.name, "pith-archive-2026-06-16.zip");

    let account = archive.json("account.json");
    assert_eq!((&account["email"], &account["firstName"]), (&json!("ada@example.com"), &json!("Ada")));
    assert_eq!(
        (&account["timezone"], &account["friendEmail"]),
        (&json!("Europe/Vienna"), &json!("friend@example.com"))
    );
    assert_eq!(account["createdAt"], "2026-06-15T12:00:00Z");
    assert_eq!(archive.json("sessions.json")[0]["device"], "Unknown device");
    assert_eq!(archive.json("providers.json"), json!([]));
    assert_eq!(archive.json("second-factor.json"), json!({ "totp": false }));
    assert_eq!(archive.json("passkeys.json")[0]["name"], "My phone");
    assert_eq!(archive.json("plans.json"), json!([]));
    assert_eq!(archive.json("choices.json")[0]["name"], "Name of philosophy");
    assert_eq!(archive.json("events.json"), json!([{ "at": "2026-06-15T23:00:00Z", "name": "start_for_free" }]));
    let progress = archive.json("progress.json");
    assert_eq!((&progress["xp"], &progress["completed"]), (&json!(10), &json!(1)));
    assert_eq!(progress["days"], json!([{ "day": "2026-06-16", "completions": 1 }]));
    assert_eq!(progress["goal"], json!({ "unit": "minutes", "amount": 20 }));
    assert_eq!(progress["countsTime"], json!(true));
    assert_eq!(progress["readingTime"], json!([{ "day": "2026-06-15", "device": "phone", "seconds": 95 }]));

    let history = archive.json("history.json");
    assert_eq!(history.as_array().map(Vec::len), Some(2));
    let completed = history.as_array().unwrap().iter().find(|entry| entry["subid"] == "first-book").unwrap();
    assert_eq!(completed["completedAt"], "2026-06-15T23:00:00Z");
    assert_eq!((&completed["title"], &completed["author"]), (&json!("Title of first-book"), &json!("Ada Author")));
    let library = archive.json("library.json");
    assert_eq!((&library[0]["subid"], &library[0]["title"]), (&json!("second-book"), &json!("A *title*")));
    assert_eq!(library[0]["addedAt"], "2026-06-15T23:00:00Z");
    let notices = archive.json("notices.json");
    assert_eq!(notices[0]["subid"], "third-book");
    assert_eq!(notices[0]["requestedAt"], "2026-06-15T23:00:00Z");
    let ratings = archive.json("ratings.json");
    assert_eq!((&ratings[0]["rating"], &ratings[0]["feedback"]), (&json!(4), &json!("Clear.\n# Not a heading")));
    assert_eq!(
        archive.json("opened.json").as_array().unwrap().iter().filter(|one| one["by"] == "allowance").count(),
        2
    );
    for (name, text) in &archive.files {
        assert!(!text.contains("argon2") && !text.contains(&ada.token), "{name} has a secret");
    }
}

#[tokio::test]
async fn the_archive_can_be_read_by_people() {
    let app = TestApp::start().await;
    let ada = busy_member(&app).await;
    let archive = fetch_as(&app, &ada).await;
    let profile = &archive.files["profile.md"];
    assert!(profile.starts_with("# Ada R\\*e\\*ader at Pith\n"), "{profile}");
    assert!(profile.contains("- **Signed up:** on June 15, 2026\n"), "{profile}");
    assert!(
        profile.contains(
            "- **Unknown device** This network, since June 15, 2026, last seen on June 15, 2026, 2:00 PM, logged in"
        ),
        "{profile}"
    );
    let reading = &archive.files["reading.md"];
    assert!(profile.contains("- **My phone** added on "), "{profile}");
    for line in [
        "Name of philosophy.\n",
        "- **Title of first-book** by Ada Author: section 6, on June 16, 2026, 1:00 AM, completed on June 16, 2026\n",
        "- **A \\*title\\*** by Ada Author: section 3, on June 16, 2026, 1:00 AM\n",
        "- **A \\*title\\*** by Ada Author: added on June 16, 2026\n",
        "- **Title of first-book** by Ada Author: 4 of 5 stars, on June 16, 2026\n  > Clear.\n  > \\# Not a heading\n",
        "- **XP:** 10\n",
    ] {
        assert!(reading.contains(line), "{line}{reading}");
    }
    let read_me = &archive.files["README.md"];
    assert!(read_me.contains("(ada@example.com), as it was on June 16, 2026, 1:00 AM."), "{read_me}");
}

#[tokio::test]
async fn a_newcomer_has_an_archive_and_only_of_their_own() {
    let app = TestApp::start().await;
    busy_member(&app).await;
    let bob = app.sign_up("bob@example.com").await;
    let archive = fetch_as(&app, &bob).await;
    assert!(archive.files.values().all(|text| !text.contains("ada@example.com") && !text.contains("Title of")));
    for empty in [
        "passkeys",
        "invitations",
        "payments",
        "codes",
        "plans",
        "choices",
        "history",
        "library",
        "ratings",
        "notices",
        "opened",
        "events",
        "providers",
    ] {
        assert_eq!(archive.json(&format!("{empty}.json")), json!([]), "{empty}");
    }
    assert!(archive.files["reading.md"].contains("You have not read anything yet."));
    assert_eq!(app.get("/api/user/archive").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_long_list_is_there_as_a_whole() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.sql(&format!(
        "INSERT INTO events (name, user_id, at) SELECT 'categories_chosen', {}, now() FROM generate_series(1, 1234)",
        ada.id()
    ));
    assert_eq!(fetch_as(&app, &ada).await.json("events.json").as_array().map(Vec::len), Some(1234));
}

#[tokio::test]
async fn a_mailed_link_opens_the_archive_once_and_for_a_day() {
    let app = TestApp::start().await;
    let ada = busy_member(&app).await;
    app.post_as(&ada, "/api/user/archive", json!({})).await.result();
    let first = mailed_code(&app, &ada);
    assert_eq!(first.len(), 43);
    assert_eq!(app.count(&format!("single_use_secrets s WHERE s::text LIKE '%{first}%'")), 0);

    // The link needs no sign-in; a newer link makes the older one worthless.
    app.post_as(&ada, "/api/user/archive", json!({})).await.result();
    let second = mailed_code(&app, &ada);
    harness::reply(download(&app, &first)).await.fails(400, "code_invalid", EXPIRED);
    let archive = fetch(download(&app, &second)).await;
    assert_eq!(archive.json("account.json")["email"], "ada@example.com");
    assert_eq!(archive.files, fetch_as(&app, &ada).await.files);
    harness::reply(download(&app, &second)).await.fails(400, "code_invalid", EXPIRED);

    app.post_as(&ada, "/api/user/archive", json!({})).await.result();
    let third = mailed_code(&app, &ada);
    app.env.advance(24 * HOUR);
    harness::reply(download(&app, &third)).await.fails(400, "code_invalid", EXPIRED);
    for nonsense in ["", "x", "☃"] {
        harness::reply(download(&app, nonsense)).await.fails(400, "code_invalid", EXPIRED);
    }
}

#[tokio::test]
async fn of_many_who_follow_a_link_at_once_one_gets_the_archive() {
    let app = TestApp::start().await;
    let ada = busy_member(&app).await;
    app.post_as(&ada, "/api/user/archive", json!({})).await.result();
    let code = mailed_code(&app, &ada);
    let tries = (0..10).map(|_| async { download(&app, &code).send().await.unwrap().status() });
    let answers = futures_util::future::join_all(tries).await;
    assert_eq!(answers.iter().filter(|status| **status == StatusCode::OK).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == StatusCode::BAD_REQUEST).count(), 9, "{answers:?}");
}

#[tokio::test]
async fn an_address_that_is_not_confirmed_gets_no_link() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.sql("UPDATE users SET email_confirmed_at = NULL");
    let before = app.mails().len();
    let reply = app.post_as(&ada, "/api/user/archive", json!({})).await;
    reply.fails(403, "not_confirmed", "Please confirm your email address first.");
    assert_eq!(app.mails().len(), before);
    assert_eq!(app.count("single_use_secrets WHERE purpose = 'archive'"), 0);
    fetch_as(&app, &ada).await;
}

#[tokio::test]
async fn three_archives_an_hour_and_no_more() {
    let app = TestApp::start_with(&[("RATE_LIMIT_ARCHIVE", "3/3600"), ("RATE_LIMIT_RESET", "2/3600")]).await;
    let (ada, bob) = (busy_member(&app).await, app.sign_up("bob@example.com").await);
    app.post_as(&ada, "/api/user/archive", json!({})).await.result();
    for _ in 0..2 {
        fetch_as(&app, &ada).await;
    }
    for method in [Method::GET, Method::POST] {
        let reply = app.send(Some(&ada), method, "/api/user/archive", None).await;
        reply.fails(429, "too_many_tries", "Too many attempts. Please try again in 20 minutes.");
        assert_eq!(reply.headers[header::RETRY_AFTER], "1200");
    }
    fetch_as(&app, &bob).await;
    app.env.advance(20 * MINUTE);
    app.post_as(&ada, "/api/user/proof", json!({ "currentPassword": harness::PASSWORD })).await.result();
    fetch_as(&app, &ada).await;

    // Links are tried from a network.
    let code = mailed_code(&app, &ada);
    harness::reply(download(&app, "guess")).await.fails(400, "code_invalid", EXPIRED);
    fetch(download(&app, &code)).await;
    assert_eq!(harness::reply(download(&app, "guess")).await.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(app.env.now() > harness::START);
}

#[actix_web::test]
async fn the_archive_has_what_was_charged_and_what_links_earned() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = app.get_as(&ada, "/api/user/refers").await.result()["rId"].take();
    app.post_as(&ada, "/api/charge/process/lifetime", json!({ "token": "pm_card_visa" })).await.result();
    let archive = fetch_as(&app, &ada).await;
    let payment = &archive.json("payments.json")[0];
    assert_eq!(
        (&payment["kind"], &payment["amount"], &payment["planName"]),
        (&json!("charge"), &json!("149.00"), &json!("Lifetime"))
    );
    assert!(payment["receipt"].as_str().is_some_and(|number| number.starts_with("R-")), "{payment}");
    assert_eq!(archive.json("referrals.json")["links"][0]["id"], id);
    assert_eq!(archive.json("codes.json"), json!([]));
}

#[tokio::test]
async fn own_lists_and_those_that_are_followed_are_in_it() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "");
    let ada = app.sign_up("ada@example.com").await;
    let now = app.env.now().millis();
    let list = |deleted_at: Option<i64>| {
        json!({
            "name": { "value": "For *work*", "at": now },
            "books": [{ "bookId": book, "rank": "a0", "at": now }],
            "createdAt": now,
            "deletedAt": deleted_at,
        })
    };
    app.put_as(&ada, "/api/study/lists/7", list(None)).await.result();
    app.put_as(&ada, "/api/study/lists/8", list(Some(now))).await.result();
    app.put_as(&ada, "/api/study/lists/7/sharing", json!({ "sharing": "public" })).await.result();
    let bob = app.sign_up("bob@example.com").await;
    app.put_as(&bob, "/api/study/lists/9", list(None)).await.result();
    app.put_as(&bob, "/api/study/lists/9/sharing", json!({ "sharing": "public" })).await.result();
    app.put_as(&ada, "/api/lists/for-work-2/follow", json!({})).await.result();

    let archive = fetch_as(&app, &ada).await;
    assert_eq!(
        archive.json("lists.json"),
        json!([{
            "id": 7, "name": "For *work*", "nameAt": "2026-06-15T12:00:00Z", "note": "", "noteAt": null,
            "books": [{
                "bookId": book, "subid": "walden", "title": "Title of walden", "author": "Ada Author", "rank": "a0",
                "at": "2026-06-15T12:00:00Z",
            }],
            "createdAt": "2026-06-15T12:00:00Z", "editedAt": "2026-06-15T12:00:00Z",
            "sharing": "public", "slug": "for-work", "teamListId": null, "isTakenDown": false,
        }]),
        "the deleted one is left out"
    );
    assert_eq!(archive.json("followed-lists.json"), json!([{ "name": "For *work*", "slug": "for-work-2" }]));
    assert_eq!(archive.json("team-list-agreements.json"), json!([]));
    let reading = &archive.files["reading.md"];
    assert!(reading.contains("- **For \\*work\\*** Title of walden\n"), "{reading}");
}

#[tokio::test]
async fn highlights_and_review_cards_are_in_it_and_the_text_around_them_while_it_may_be_read() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "");
    let ada = app.sign_up_paid("ada@example.com").await;
    app.get_as(&ada, "/api/books/walden").await.result();
    let now = app.env.now().millis();
    let highlight = |deleted_at: Option<i64>| {
        json!({
            "bookId": "walden",
            "anchor": { "section": 1, "start": 4, "end": 19, "exact": "first paragraph", "prefix": "The ", "suffix": " of idea 1" },
            "createdAt": now,
            "note": { "value": "So it *begins*.", "at": now },
            "tags": [{ "tag": "Habits", "on": true, "at": now }],
            "deletedAt": deleted_at,
        })
    };
    app.put_as(&ada, "/api/study/highlights/7", highlight(None)).await.result();
    app.put_as(&ada, "/api/study/highlights/8", highlight(Some(now))).await.result();
    let id = ::study::id_of_idea(kernel::BookId::from_store(book), "Idea 2");
    let idea = json!({
        "kind": "idea", "bookId": book, "section": 2, "ideaTitle": "Idea 2", "opening": "The first paragraph", "createdAt": now,
    });
    app.put_as(&ada, &format!("/api/study/cards/{id}"), idea).await.result();
    let own = json!({
        "kind": "own",
        "content": { "value": { "question": "Why?", "answer": "So." }, "at": now },
        "createdAt": now,
        "deletedAt": now,
    });
    app.put_as(&ada, "/api/study/cards/7", own).await.result();
    let answers = json!({ "answers": [{ "id": 9, "cardId": id.get(), "rating": 3, "at": now }] });
    app.post_as(&ada, "/api/study/answers", answers).await.result();
    let commitment = |deleted_at: Option<i64>| {
        json!({
            "bookId": "walden",
            "text": { "value": "Own *less*.", "at": now },
            "outcome": { "value": "done", "at": now },
            "answeredDay": 3,
            "createdAt": now,
            "deletedAt": deleted_at,
        })
    };
    app.put_as(&ada, "/api/study/commitments/7", commitment(None)).await.result();
    app.put_as(&ada, "/api/study/commitments/8", commitment(Some(now))).await.result();
    let completed = json!({ "ideas": [{ "bookId": book, "idea": "Idea 2", "at": now }] });
    app.post_as(&ada, "/api/study/completed-ideas", completed).await.result();

    let archive = fetch_as(&app, &ada).await;
    let kept = archive.json("highlights.json");
    assert_eq!(kept.as_array().map(Vec::len), Some(1), "the deleted one is left out");
    assert_eq!((&kept[0]["subid"], &kept[0]["note"]), (&json!("walden"), &json!("So it *begins*.")));
    assert_eq!((&kept[0]["anchor"]["prefix"], &kept[0]["anchor"]["suffix"]), (&json!("The "), &json!(" of idea 1")));
    assert_eq!(kept[0]["tags"], json!([{ "tag": "Habits", "on": true, "at": "2026-06-15T12:00:00Z" }]));
    let settings = archive.json("study-settings.json");
    assert_eq!((&settings["showsPopular"], &settings["asksCommitments"]), (&json!(true), &json!(true)));
    assert_eq!(
        archive.json("commitments.json"),
        json!([{
            "id": 7, "bookId": book, "subid": "walden", "title": "Title of walden", "author": "Ada Author",
            "text": "Own *less*.", "textAt": "2026-06-15T12:00:00Z",
            "outcome": "done", "outcomeAt": "2026-06-15T12:00:00Z", "answeredDay": 3,
            "firstDay": "2026-06-15", "createdAt": "2026-06-15T12:00:00Z", "editedAt": "2026-06-15T12:00:00Z",
        }]),
        "the deleted one is left out"
    );
    assert_eq!(
        archive.json("completed-ideas.json"),
        json!([{
            "bookId": book, "subid": "walden", "title": "Title of walden", "author": "Ada Author",
            "idea": "Idea 2", "at": "2026-06-15T12:00:00Z",
        }])
    );
    let cards = archive.json("review-cards.json");
    assert_eq!(cards.as_array().map(Vec::len), Some(1), "the deleted one is left out");
    assert_eq!(
        (&cards[0]["question"], &cards[0]["idea"]["opening"], &cards[0]["schedule"]["due"]),
        (&json!("What does “Idea 2” mean?"), &json!("The first paragraph"), &json!("2026-06-17"))
    );
    assert!(cards[0]["answer"].as_str().is_some_and(|answer| answer.starts_with("The first paragraph of idea 2")));
    assert_eq!(
        cards[0]["answers"],
        json!([{ "id": 9, "rating": 3, "at": "2026-06-15T12:00:00Z", "day": "2026-06-15" }])
    );
    let reading = &archive.files["reading.md"];
    assert!(reading.contains("- **Title of walden** first paragraph\n  > So it \\*begins\\*.\n"), "{reading}");

    app.sql("UPDATE entitlements SET ends_at = starts_at + interval '1 minute'");
    app.forget(&ada);
    let archive = fetch_as(&app, &ada).await;
    let cards = archive.json("review-cards.json");
    assert_eq!(
        (&cards[0]["idea"]["title"], &cards[0]["idea"]["opening"], &cards[0]["answer"]),
        (&json!("Idea 2"), &json!(""), &json!(""))
    );
    let kept = archive.json("highlights.json");
    assert_eq!((&kept[0]["anchor"]["exact"], &kept[0]["anchor"]["prefix"]), (&json!("first paragraph"), &json!("")));
    assert_eq!(kept[0]["anchor"]["suffix"], "");
}

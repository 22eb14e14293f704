//! The daily goal, the reading time and the year over HTTP.

use crate::harness::{PASSWORD, Person, TestApp};
use futures_util::future::join_all;
use kernel::{DAY, Env};
use serde_json::{Value, json};

const GOAL: &str = "/api/user/goal";
const TIME: &str = "/api/user/reading-time";

fn choice(unit: &str, amount: impl Into<Value>) -> Value {
    json!({ "goal": { "unit": unit, "amount": amount.into() }, "countsTime": true })
}

fn time(device: &str, days: &[(&str, u32)]) -> Value {
    let days: Vec<Value> = days.iter().map(|(day, seconds)| json!({ "day": day, "seconds": seconds })).collect();
    json!({ "device": device, "days": days })
}

/// The days of the state that have anything, as day, minutes, summaries and whether the goal is met.
fn busy_days(state: &Value) -> Vec<(&str, u64, u64, bool)> {
    let days = state["days"].as_array().expect("days");
    assert_eq!(days.len(), 7);
    let day = |day: &'_ Value| {
        let number = |field: &str| day[field].as_u64().expect("a number");
        (number("minutes"), number("summaries"), day["isMet"].as_bool().expect("yes or no"))
    };
    let all = days.iter().map(|one| {
        let (minutes, summaries, is_met) = day(one);
        (one["day"].as_str().expect("a day"), minutes, summaries, is_met)
    });
    all.filter(|(_, minutes, summaries, is_met)| *minutes > 0 || *summaries > 0 || *is_met).collect()
}

async fn complete(app: &TestApp, person: &Person, book: i64) {
    app.get_as(person, &format!("/api/books/{book}")).await.result();
    let body = json!({ "bookId": book, "position": 5, "completed": true });
    app.put_as(person, "/api/user-book-history", body).await.result();
}

#[actix_web::test]
async fn a_goal_is_chosen_met_changed_and_given_up() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "");
    let ada = app.sign_up("ada@example.com").await;
    let state = app.get_as(&ada, GOAL).await.result();
    assert_eq!(
        (&state["goal"], &state["countsTime"], &state["today"]),
        (&json!(null), &json!(true), &json!("2026-06-15"))
    );
    assert_eq!(busy_days(&state), []);

    let state = app.put_as(&ada, GOAL, choice("summaries", 1)).await.result();
    assert_eq!(state["goal"], json!({ "unit": "summaries", "amount": 1 }));
    complete(&app, &ada, book).await;
    assert_eq!(busy_days(&app.get_as(&ada, GOAL).await.result()), [("2026-06-15", 0, 1, true)]);
    let state = app.put_as(&ada, GOAL, choice("minutes", 10)).await.result();
    assert_eq!(busy_days(&state), [("2026-06-15", 0, 1, false)]);
    let state = app.put_as(&ada, TIME, time("phone", &[("2026-06-15", 599), ("2026-06-14", 600)])).await.result();
    assert_eq!(busy_days(&state), [("2026-06-14", 10, 0, true), ("2026-06-15", 9, 1, false)]);
    let state = app.put_as(&ada, GOAL, json!({ "goal": null, "countsTime": true })).await.result();
    assert_eq!((&state["goal"], busy_days(&state).len()), (&json!(null), 2));
    let bob = app.sign_up("bob@example.com").await;
    assert_eq!(busy_days(&app.get_as(&bob, GOAL).await.result()), []);
}

#[actix_web::test]
async fn what_is_wrong_with_a_goal_or_with_reading_time_is_said_at_its_field() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let minutes = "Choose from 5 to 180 minutes a day.";
    let summaries = "Choose from 1 to 10 summaries a day.";
    for (body, field, text) in [
        (choice("minutes", 4), "amount", minutes),
        (choice("minutes", 181), "amount", minutes),
        (choice("minutes", 10.5), "amount", minutes),
        (choice("summaries", 0), "amount", summaries),
        (choice("summaries", -1), "amount", summaries),
        (choice("summaries", 11), "amount", summaries),
        (
            json!({ "goal": { "unit": "minutes", "amount": 10 }, "countsTime": false }),
            "countsTime",
            "A goal of minutes needs your reading time.",
        ),
    ] {
        let reply = app.put_as(&ada, GOAL, body).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!(field)), "{}", reply.text);
        assert_eq!(reply.json()["error"], text);
    }
    let many = vec![("2026-06-15", 1); 36];
    for (body, field) in [
        (time("no name!", &[("2026-06-15", 1)]), "device"),
        (time("phone", &[]), "days"),
        (time("phone", &many), "days"),
        (time("phone", &[("15 June", 1)]), "day"),
        (json!({ "device": "phone", "days": [{ "day": "2026-06-15", "seconds": -1 }] }), "seconds"),
        (json!({ "device": "phone", "days": [{ "day": "2026-06-15", "seconds": 0.5 }] }), "seconds"),
    ] {
        let reply = app.put_as(&ada, TIME, body).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!(field)), "{}", reply.text);
    }
    assert_eq!((app.count("reading_goals"), app.count("reading_time")), (0, 0));
}

#[actix_web::test]
async fn devices_that_report_at_once_late_and_again_add_up() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let reports = (0..40).map(|round: u32| {
        let device = ["phone", "laptop"][(round % 2) as usize];
        app.put_as(&ada, TIME, time(device, &[("2026-06-15", 60 * (round / 2)), ("2026-06-14", 120)]))
    });
    let reports: Vec<_> = reports.collect();
    for reply in join_all(reports).await {
        reply.result();
    }
    let state = app.get_as(&ada, GOAL).await.result();
    assert_eq!(busy_days(&state), [("2026-06-14", 4, 0, false), ("2026-06-15", 38, 0, false)]);
    // Days beyond a month, and those to come, are of a wrong clock.
    let days = [("2026-05-15", 60), ("2026-06-17", 60), ("2026-05-16", 60), ("2026-06-16", 60)];
    app.put_as(&ada, TIME, time("phone", &days)).await.result();
    assert_eq!(app.count("reading_time"), 6);
}

#[actix_web::test]
async fn without_the_switch_no_time_is_counted_and_a_day_is_the_members() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.put_as(&ada, GOAL, json!({ "goal": null, "countsTime": false })).await.result();
    let state = app.put_as(&ada, TIME, time("phone", &[("2026-06-15", 600)])).await.result();
    assert_eq!((busy_days(&state).len(), app.count("reading_time")), (0, 0));
    app.put_as(&ada, GOAL, json!({ "goal": null, "countsTime": true })).await.result();
    // The test begins at noon.
    app.sql("UPDATE users SET timezone = 'Pacific/Kiritimati'");
    app.forget(&ada);
    assert_eq!(app.get_as(&ada, GOAL).await.result()["today"], "2026-06-16");
}

#[actix_web::test]
async fn a_year_has_its_figures_and_a_picture() {
    let app = TestApp::start().await;
    let (walden, other) = (app.add_book("walden", "free = true"), app.add_book("other", "free = true"));
    app.add_category("philosophy", &[walden, other]);
    app.add_category("economics", &[other]);
    let ada = app.sign_up("ada@example.com").await;
    let empty = app.get_as(&ada, "/api/user/years/2026").await.result();
    assert_eq!((&empty["years"], &empty["summaries"], &empty["isOver"]), (&json!([2026]), &json!(0), &json!(false)));
    app.get_as(&ada, "/api/user/years/2026/picture").await.fails(404, "not_found", "There is no such year.");

    complete(&app, &ada, walden).await;
    app.env.advance(DAY);
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    complete(&app, &ada, other).await;
    complete(&app, &ada, walden).await;
    app.put_as(&ada, TIME, time("phone", &[("2026-06-14", 90), ("2026-06-16", 3_600)])).await.result();
    let now = app.env.now().millis();
    let content = json!({ "value": { "question": "Why?", "answer": "So." }, "at": now });
    let card = json!({ "kind": "own", "content": content, "createdAt": now });
    app.put_as(&ada, "/api/study/cards/7", card).await.result();
    let answer = json!({ "id": 1, "cardId": 7, "rating": 3, "at": now });
    app.post_as(&ada, "/api/study/answers", json!({ "answers": [answer], "sent": now, "device": "phone" }))
        .await
        .result();
    let anchor = json!({
        "section": 1, "start": 4, "end": 19, "exact": "first paragraph", "prefix": "The ",
        "suffix": " of idea 1 in walden.",
    });
    let highlight = json!({ "bookId": "walden", "anchor": anchor, "createdAt": now });
    app.put_as(&ada, "/api/study/highlights/7", highlight).await.result();

    let year = app.get_as(&ada, "/api/user/years/2026").await.result();
    let figures = ["minutes", "summaries", "readingDays", "bestStreak", "highlights", "answers"];
    assert_eq!(figures.map(|name| year[name].as_u64()), [61, 2, 3, 2, 1, 1].map(Some), "{year}");
    assert_eq!(year["months"][5], json!({ "month": 6, "minutes": 61, "summaries": 2 }));
    assert_eq!(year["months"].as_array().map(Vec::len), Some(12));
    let books: Vec<_> = year["books"].as_array().unwrap().iter().map(|book| book["subid"].as_str().unwrap()).collect();
    assert_eq!(books, ["walden", "other"]);
    assert_eq!(year["books"][1]["completedAt"], now);
    let categories = year["categories"].as_array().unwrap();
    let counts: Vec<_> = categories.iter().map(|one| (one["name"].as_str().unwrap(), one["count"].as_u64())).collect();
    assert_eq!(counts, [("Name of philosophy", Some(2)), ("Name of economics", Some(1))]);

    let picture = app.request(reqwest::Method::GET, "/api/user/years/2026/picture").bearer_auth(&ada.token);
    let picture = picture.send().await.expect("an answer");
    assert_eq!((picture.status().as_u16(), &picture.headers()["content-type"]), (200, &"image/png".parse().unwrap()));
    assert_eq!(picture.headers()["cache-control"], "private, no-store");
    let picture = picture.bytes().await.expect("a picture");
    assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&picture[16..24], [0, 0, 4, 176, 0, 0, 5, 220], "1200 by 1500");

    // A year in which nothing was read has a page too, those to come and others have none.
    let before = app.get_as(&ada, "/api/user/years/2025").await.result();
    assert_eq!(
        (&before["years"], &before["isOver"], &before["minutes"]),
        (&json!([2026, 2025]), &json!(true), &json!(0))
    );
    for no_year in ["2027", "2019", "0000", "-026", "+026", "20266", "soon"] {
        app.get_as(&ada, &format!("/api/user/years/{no_year}")).await.fails(404, "not_found", "There is no such year.");
    }
    // Another member's year is another.
    let bob = app.sign_up("bob@example.com").await;
    assert_eq!(app.get_as(&bob, "/api/user/years/2026").await.result()["summaries"], 0);
    // What the history does not show is not in the year either.
    app.delete_as(&ada, &format!("/api/user-book-history/{walden}")).await.result();
    let year = app.get_as(&ada, "/api/user/years/2026").await.result();
    assert_eq!((&year["summaries"], &year["books"][0]["subid"]), (&json!(1), &json!("other")));
}

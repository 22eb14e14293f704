//! The ten-day challenge: goals, a plan for members and visitors, and its days; what getting started shows and carries over.

use diesel::{QueryableByName, sql_types::BigInt};
use mail::Mail;
use serde_json::{Value, json};

use crate::harness::TestApp;

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Adds a goal that these books serve.
fn add_goal(app: &TestApp, slug: &str, books: &[i64]) -> i64 {
    app.sql(&format!(
        "INSERT INTO goals (slug, title, short_title, mobile_title, description, place)
         VALUES ('{slug}', 'Goal {slug}', '{slug}', '{slug}', 'About {slug}.', 0)"
    ));
    for book in books {
        app.sql(&format!(
            "INSERT INTO book_goals (book_id, goal_id) SELECT {book}, id FROM goals WHERE slug = '{slug}'"
        ));
    }
    app.rows::<Id>(&format!("SELECT id FROM goals WHERE slug = '{slug}'"))[0].id
}

fn complete(app: &TestApp, member: i64, book: i64) {
    app.sql(&format!(
        "INSERT INTO history (user_id, book_id, position, completed_at, updated_at)
         VALUES ({member}, {book}, 5, now(), now())"
    ));
}

fn numbers(list: &Value) -> Vec<i64> {
    list.as_array().expect("a list").iter().map(|id| id.as_i64().expect("a number")).collect()
}

/// Twelve books: the first four calm, the next four about leading.
fn catalogue(app: &TestApp) -> (Vec<i64>, i64, i64) {
    let books: Vec<i64> = (0..12).map(|n| app.add_book(&format!("book-{n}"), "")).collect();
    let (calm, lead) = (add_goal(app, "calm", &books[..4]), add_goal(app, "lead", &books[4..8]));
    (books, calm, lead)
}

#[actix_web::test]
async fn a_member_draws_up_a_plan_saves_it_and_sees_its_days_done() {
    let app = TestApp::start().await;
    let (books, calm, lead) = catalogue(&app);
    let ada = app.sign_up("ada@example.com").await;
    complete(&app, ada.id(), books[3]);
    app.forget_mails();
    let plan = app.post_as(&ada, "/api/user/ten-day-challenge", json!({ "goals": [lead, calm] })).await.result();
    let ids = numbers(&plan["bookIds"]);
    assert_eq!(ids[..6], [books[7], books[2], books[6], books[1], books[5], books[0]], "the goals alternate");
    assert_eq!(ids[6..], [books[4], books[11], books[10], books[9]], "then popular ones; nothing that is completed");
    assert_eq!(plan["userGoalTitles"], json!(["Goal lead", "Goal calm"]));
    assert_eq!((&plan["books"][9]["dayNo"], &plan["books"][0]["subid"]), (&json!(10), &json!("book-7")));
    assert!(app.mails().is_empty(), "a member's plan is on the page");

    let before = app.get_as(&ada, "/api/goals").await.result();
    assert_eq!((&before["userGoals"], &before["userBookRecommendations"]), (&json!([]), &json!([])));
    assert_eq!(before["goals"][0]["desc"], "About calm.");
    let body = json!({ "goals": [lead, calm], "bookIds": ids });
    assert_eq!(app.post_as(&ada, "/api/user/ten-day-challenge-submit", body.clone()).await.result(), json!({}));
    let path = "/api/user/ten-day-challenge/calendar";
    app.get_as(&app.sign_up("bob@example.com").await, path).await.fails(404, "not_found", "There is no such plan.");
    let calendar = app.get_as(&ada, path).await;
    assert_eq!(calendar.headers["content-type"], "text/calendar; charset=utf-8");
    assert_eq!(calendar.text.matches("BEGIN:VEVENT\r\n").count(), 10);
    assert!(calendar.text.replace("\r\n ", "").contains("SUMMARY:Day 1: Title of book-7 by "));
    complete(&app, ada.id(), books[2]);
    let after = app.get_as(&ada, "/api/goals").await.result();
    assert_eq!(after["userGoals"][0]["title"], "Goal lead");
    let days = after["userBookRecommendations"].as_array().expect("a list");
    let done: Vec<bool> = days.iter().map(|day| day["done"] == true).collect();
    assert_eq!((days.len(), done.iter().position(|done| *done)), (10, Some(1)));
    assert_eq!(done.iter().filter(|done| **done).count(), 1);
    assert_eq!(app.get("/api/goals").await.result()["userBookRecommendations"], json!([]));

    // Nothing of it stays when the person leaves.
    let left = json!({ "why": "Time", "how": "Friends" });
    app.post_as(&ada, "/api/user/delete", left).await.result();
    assert_eq!(app.count("ten_day_plans") + app.count("ten_day_books") + app.count("chosen_goals"), 0);
}

#[actix_web::test]
async fn a_visitors_plan_is_mailed() {
    let app = TestApp::start_with(&[("RATE_LIMIT_PLAN_MAIL", "2/3600")]).await;
    let (_, calm, _) = catalogue(&app);
    let ask =
        async |email: &str| app.post("/api/user/ten-day-challenge", json!({ "goals": [calm], "email": email })).await;
    let plan = ask("grace@example.com").await.result();
    let mails = app.mails();
    let [(to, Mail::TenDayPlan { goals, books, link })] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!((to.as_str(), goals.as_slice()), ("grace@example.com", &["Goal calm".to_owned()][..]));
    assert_eq!((books.len(), books[0].name.as_str()), (10, "Title of book-3 by Ada Author"));
    assert_eq!(books[0].link, Some(format!("{}/books/book-3", app.address)));
    assert_eq!(*link, format!("{}/ten-day-challenge", app.address));
    assert_eq!(numbers(&plan["bookIds"]).len(), 10);
    let missing = "Please pick at least one goal and specify an email address.";
    ask(" ").await.fails(422, "validation_failed", missing);
    assert_eq!(ask("nowhere").await.status, 422);
    ask("grace@example.com").await.result();
    assert_eq!(ask("joan@example.com").await.status, 429);
    assert_eq!(app.mails().len(), 2);
}

#[actix_web::test]
async fn a_plan_holds_what_its_reader_may_read() {
    let app = TestApp::start().await;
    let (books, calm, _) = catalogue(&app);
    app.sql(&format!("UPDATE books SET free = true WHERE id IN ({}, {})", books[0], books[9]));
    let access = |plan: &Value| -> Vec<(i64, String)> {
        let days = plan["books"].as_array().expect("a list").iter();
        days.map(|day| (day["id"].as_i64().unwrap(), day["access"].as_str().unwrap().to_owned())).collect()
    };
    let expected = |numbers: [(usize, &str); 10]| numbers.map(|(n, access)| (books[n], access.to_owned())).to_vec();
    let draw = async |body: Value| app.post("/api/user/ten-day-challenge", body).await.result();
    let rest = [11, 10, 8, 7, 6, 5, 4].map(|n| (n, "plan_required"));
    let first = [(0, "included"), (9, "included"), (3, "free_summary"), (2, "free_summary"), (1, "free_summary")];
    let days: Vec<_> = first.into_iter().chain(rest).take(10).collect();
    let visitor = draw(json!({ "goals": [calm], "email": "grace@example.com" })).await;
    assert_eq!(access(&visitor), expected(days.try_into().unwrap()));

    let ada = app.sign_up("ada@example.com").await;
    let body = json!({ "goals": [calm] });
    let newcomer = app.post_as(&ada, "/api/user/ten-day-challenge", body.clone()).await.result();
    assert_eq!(access(&newcomer), access(&visitor), "a visitor's plan is that of a new member");
    app.get_as(&ada, &format!("/api/books/{}", books[1])).await.result();
    app.get_as(&ada, &format!("/api/books/{}", books[4])).await.result();
    let later = app.post_as(&ada, "/api/user/ten-day-challenge", body.clone()).await.result();
    let first = [(1, "included"), (0, "included"), (9, "included"), (4, "included"), (3, "free_summary")];
    let days: Vec<_> = first.into_iter().chain([(2, "plan_required")]).chain(rest).take(10).collect();
    assert_eq!(access(&later), expected(days.try_into().unwrap()));

    let bob = app.sign_up_paid("bob@example.com").await;
    let paid = app.post_as(&bob, "/api/user/ten-day-challenge", body).await.result();
    assert_eq!(numbers(&paid["bookIds"]), [3, 2, 1, 0, 11, 10, 9, 8, 7, 6].map(|n: usize| books[n]));
    assert!(access(&paid).iter().all(|(_, access)| access == "included"));
}

#[actix_web::test]
async fn what_is_no_plan_is_refused() {
    let app = TestApp::start().await;
    let (books, calm, lead) = catalogue(&app);
    let other = add_goal(&app, "other", &[]);
    let ada = app.sign_up("ada@example.com").await;
    let draw = async |goals: Value| app.post_as(&ada, "/api/user/ten-day-challenge", json!({ "goals": goals })).await;
    draw(json!([])).await.fails(
        422,
        "validation_failed",
        "Please pick at least one goal and specify an email address.",
    );
    draw(json!([calm, lead, other])).await.fails(422, "validation_failed", "You can only pick two goals.");
    assert_eq!(draw(json!([4711])).await.json()["field"], "goals");
    for wrong in [json!([]), json!([books[0], books[0]]), json!([4711]), json!(books[..11])] {
        let body = json!({ "goals": [calm], "bookIds": wrong });
        let refused = app.post_as(&ada, "/api/user/ten-day-challenge-submit", body).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["field"]), (422, &json!("bookIds")));
    }
    assert_eq!(app.count("ten_day_plans"), 0);
}

#[actix_web::test]
async fn getting_started_shows_only_what_is_true_and_carries_choices_over() {
    let app = TestApp::start().await;
    let (books, calm, _) = catalogue(&app);
    let category = app.add_category("science", &books[8..9]);
    let start = app.get("/api/onboarding").await.result();
    assert_eq!(start["figures"], json!({ "readers": null, "reads": null, "ratings": null, "rating": null }));
    assert_eq!((start["goals"].as_array().map(Vec::len), start["books"].as_array().map(Vec::len)), (Some(2), Some(5)));
    let fitting = app.get(&format!("/api/onboarding/books?goals={calm}&categories={category}")).await.result();
    let fitting: Vec<_> = fitting["books"].as_array().expect("a list").iter().map(|book| &book["id"]).collect();
    assert_eq!(fitting, [books[3], books[8], books[2], books[1], books[0]]);
    assert_eq!(app.get("/api/onboarding/books?goals=x").await.status, 422);

    let ada = app.sign_up("ada@example.com").await;
    let choices = json!({ "goals": [calm], "categories": [category] });
    app.put_as(&ada, "/api/onboarding/choices", choices).await.result();
    assert_eq!(app.get_as(&ada, "/api/goals").await.result()["userGoals"][0]["id"], json!(calm));
    let account = app.get_as(&ada, "/api/user/account").await.result();
    assert_eq!(account["user"]["recommends"], json!([category]));
    assert_eq!(app.count(&format!("events WHERE name = 'categories_chosen' AND user_id = {}", ada.id())), 1);
    // Nothing chosen changes nothing, and a goal that is gone is told.
    app.put_as(&ada, "/api/onboarding/choices", json!({})).await.result();
    assert_eq!(app.count("chosen_goals"), 1);
    assert_eq!(app.put_as(&ada, "/api/onboarding/choices", json!({ "goals": [4711] })).await.status, 422);
    assert_eq!(app.put_as(&ada, "/api/onboarding/choices", json!({ "categories": [4711] })).await.status, 422);

    complete(&app, ada.id(), books[0]);
    app.sql(&format!("UPDATE book_stats SET ratings_count = 2, ratings_sum = 9 WHERE book_id = {}", books[0]));
    app.app.responses.invalidate_catalogue();
    let figures = app.get("/api/onboarding").await.result()["figures"].clone();
    assert_eq!(figures, json!({ "readers": 1, "reads": null, "ratings": 2, "rating": 4.5 }));
}

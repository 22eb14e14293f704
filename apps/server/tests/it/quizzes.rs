//! The quizzes: questions, results that members keep, and the report for those who own it.

use serde_json::{Value, json};

use crate::support::{Person, TestApp};

/// Answers to all questions of a quiz: True to those of these types.
async fn answers(app: &TestApp, kind: &str, true_of: &[&str]) -> Value {
    let quiz = app.get(&format!("/api/quiz/{kind}")).await.result();
    let questions = quiz["questions"].as_array().expect("a list").iter();
    let answers = questions.map(|question| {
        let is_true = true_of.contains(&question["type"].as_str().expect("a type"));
        json!({ "id": question["id"], "answer": is_true })
    });
    json!({ "answers": answers.collect::<Vec<_>>() })
}

async fn take(app: &TestApp, person: &Person, kind: &str, true_of: &[&str]) -> Value {
    let body = answers(app, kind, true_of).await;
    app.post_as(person, &format!("/api/quiz/{kind}/results"), body).await.result()
}

#[actix_web::test]
async fn a_visitor_takes_a_quiz_and_nothing_is_saved() {
    let app = TestApp::start().await;
    let intelligence = answers(&app, "intelligence", &["Musical", "Spatial"]).await;
    assert_eq!(intelligence["answers"].as_array().map(Vec::len), Some(18));
    let result = app.post("/api/quiz/intelligence/results", intelligence).await.result();
    assert_eq!(result["leaders"], json!(["Spatial", "Musical"]));
    assert_eq!(result["totals"].as_array().map(Vec::len), Some(9));
    assert_eq!(result["totals"][2], json!({ "type": "Spatial", "count": 2, "questions": 2, "percent": 100 }));
    let personality = answers(&app, "personality", &["Blue"]).await;
    assert_eq!(personality["answers"].as_array().map(Vec::len), Some(15));
    let result = app.post("/api/quiz/personality/results", personality).await.result();
    assert_eq!((&result["leaders"], &result["totals"][3]["questions"]), (&json!(["Blue"]), &json!(3)));
    assert_eq!(app.count("quiz_results"), 0);
    assert_eq!(app.get("/api/quiz/astrology").await.status, 404);
    let half = json!({ "answers": [{ "id": 1, "answer": true }] });
    assert_eq!(app.post("/api/quiz/personality/results", half).await.json()["field"], "answers");
}

#[actix_web::test]
async fn a_member_keeps_the_results_and_nobody_else_sees_them() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    take(&app, &ada, "personality", &["Red"]).await;
    take(&app, &ada, "personality", &["Green", "Yellow"]).await;
    let saved = app.get_as(&ada, "/api/quiz/personality/results").await.result();
    let leaders: Vec<_> = saved["results"].as_array().expect("a list").iter().map(|one| &one["leaders"]).collect();
    assert_eq!(leaders, [&json!(["Yellow", "Green"]), &json!(["Red"])]);
    assert!(saved["results"][0]["takenAt"].is_i64() && saved["hasReport"] == false);
    assert_eq!(app.get_as(&ada, "/api/quiz/intelligence/results").await.result()["results"], json!([]));
    let bob = app.sign_up("bob@example.com").await;
    assert_eq!(app.get_as(&bob, "/api/quiz/personality/results").await.result()["results"], json!([]));
}

#[actix_web::test]
async fn the_report_is_for_owners_of_its_plan_and_for_subscribers() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for kind in ["intelligence", "personality"] {
        take(&app, &ada, kind, &["Musical", "Red"]).await;
        let refused = app.get_as(&ada, &format!("/api/quiz/{kind}/report")).await;
        refused.fails(403, "upgrade_required", "The detailed report comes with its plan or a subscription.");
    }
    let bought = app.post_as(&ada, "/api/charge/process/quiz", json!({ "token": "pm_card_visa" })).await;
    assert_eq!(bought.status, 200, "{}", bought.json());
    let status = async |kind: &str| app.get_as(&ada, &format!("/api/quiz/{kind}/report")).await.status.as_u16();
    assert_eq!((status("intelligence").await, status("personality").await), (200, 403));

    app.add_book("the-music", "");
    let paid = app.sign_up_paid("grace@example.com").await;
    assert_eq!(app.get_as(&paid, "/api/quiz/personality/report").await.status, 404, "no result yet");
    take(&app, &paid, "intelligence", &["Musical"]).await;
    assert_eq!(app.get_as(&paid, "/api/quiz/intelligence/results").await.result()["hasReport"], true);
    let report = app.get_as(&paid, "/api/quiz/intelligence/report").await.result();
    let sections = report["sections"].as_array().expect("a list");
    assert_eq!((sections.len(), &sections[0]["type"], &sections[0]["percent"]), (9, &json!("Musical"), &json!(100)));
    assert_eq!(sections[0]["title"], "You hear the pattern");
    assert_eq!(sections[0]["books"][0]["subid"], "the-music");
    assert_eq!(sections[1]["books"], json!([]));
    assert_eq!(report["result"]["leaders"], json!(["Musical"]));
}

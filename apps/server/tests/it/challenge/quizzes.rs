//! The quizzes: questions, results that members keep, and the report for those who own it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Person, TestApp};

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
        refused.fails(403, "upgrade_required", "The detailed report comes with its own plan or with a subscription.");
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

#[actix_web::test]
async fn a_result_is_a_picture_that_anybody_with_its_counts_sees() {
    let app = TestApp::start().await;
    let picture = async |query: &str| {
        let response = app.request(Method::GET, &format!("/api/quiz/personality/picture{query}")).send().await;
        response.expect("a response")
    };
    let drawn = picture("?counts=4,1,0,3").await;
    let header = |name: &str| drawn.headers()[name].to_str().expect("text").to_owned();
    assert_eq!(
        (header("content-type").as_str(), header("cache-control").as_str()),
        ("image/png", "public, max-age=86400")
    );
    let etag = header("etag");
    let bytes = drawn.bytes().await.expect("a picture");
    assert_eq!((&bytes[..8], &bytes[16..24]), (&b"\x89PNG\r\n\x1a\n"[..], &[0, 0, 4, 176, 0, 0, 2, 118][..]));
    assert_eq!(picture("?counts=4,1,0,3").await.bytes().await.expect("a picture"), bytes, "the same each time");
    assert_ne!(picture("?counts=4,1,1,3").await.bytes().await.expect("a picture"), bytes);
    let again = app.request(Method::GET, "/api/quiz/personality/picture?counts=4,1,0,3").header("If-None-Match", etag);
    assert_eq!(again.send().await.expect("a response").status(), 304);
    // More than there are statements, or not one for each colour.
    for wrong in
        ["", "?counts=", "?counts=5,0,0,0", "?counts=1,1,1", "?counts=1,1,1,1,1", "?counts=-1,0,0,0", "?counts=a"]
    {
        let refused = app.get(&format!("/api/quiz/personality/picture{wrong}")).await;
        refused.fails(422, "validation_failed", "This is not a result of the quiz.");
        assert_eq!(refused.json()["field"], "counts", "{wrong}");
    }
    assert_eq!(app.get("/api/quiz/astrology/picture?counts=1").await.status, 404);
    assert_eq!(app.count("quiz_results"), 0);
}

#[actix_web::test]
async fn a_shared_link_shows_the_picture_of_its_result() {
    let app = TestApp::start().await;
    let image = |html: &str| {
        let tag = html.split("og:image\" content=\"").nth(1).expect("an image");
        tag.split('"').next().expect("its end").to_owned()
    };
    let shared = app.get("/personality-quiz?result=4,1,0,3").await.text;
    assert_eq!(image(&shared), format!("{}/api/quiz/personality/picture?counts=4,1,0,3", app.address));
    assert!(shared.contains("My color is Red. And you?"));
    assert_eq!(app.get(image(&shared).strip_prefix(&app.address).expect("of the site")).await.status, 200);
    // The network that shows the link asks for this address.
    let address = format!("og:url\" content=\"{}/personality-quiz?result=4,1,0,3\"", app.address);
    assert!(shared.contains(&address) && shared.contains("content=\"noindex\""), "{shared}");
    for plain in
        ["/personality-quiz", "/personality-quiz?result=9,9,9,9", "/personality-quiz?result=%22%3E%3Cscript%3E"]
    {
        let page = app.get(plain).await;
        assert!(page.status == 200 && !page.text.contains("og:image"), "{plain}");
    }
    assert!(app.get("/quiz?result=2,0,0,0,0,0,0,0,0").await.text.contains("I am strongest in Linguistic"));
}

#[actix_web::test]
async fn the_report_is_downloaded_as_a_pdf_by_who_may_see_it() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    take(&app, &ada, "personality", &["Red"]).await;
    let path = "/api/quiz/personality/report/pdf";
    assert_eq!(app.get(path).await.status, 401);
    let refused = app.get_as(&ada, path).await;
    refused.fails(403, "upgrade_required", "The detailed report comes with its own plan or with a subscription.");
    let bought = app.post_as(&ada, "/api/charge/process/personality-quiz", json!({ "token": "pm_card_visa" })).await;
    assert_eq!(bought.status, 200, "{}", bought.json());
    let file = app.request(Method::GET, path).bearer_auth(&ada.token).send().await.expect("a response");
    assert_eq!(file.headers()["content-type"], "application/pdf");
    assert_eq!(file.headers()["cache-control"], "private, no-store");
    let name = file.headers()["content-disposition"].to_str().expect("text").to_owned();
    assert!(name.starts_with("attachment") && name.contains("Your personality report.pdf"), "{name}");
    assert!(file.bytes().await.expect("a file").starts_with(b"%PDF-"));
    assert_eq!(
        app.get_as(&ada, "/api/quiz/intelligence/report/pdf").await.status,
        403,
        "the other quiz is another plan"
    );
}

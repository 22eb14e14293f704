//! Editing the banner, the pages and the quizzes: dates, versions, clean HTML, the rule of the quizzes.

use crate::harness::{Person, START, TestApp};
use serde_json::{Value, json};

/// What is searched for in a page to see whether it shows the banner.
const OFFER: &str = "Over 40% less";

async fn editor(app: &TestApp) -> Person {
    app.sign_up_with_role("editor@example.com", "editor").await
}

async fn shows_offer(app: &TestApp, path: &str) -> bool {
    app.get(path).await.text.contains(OFFER)
}

#[actix_web::test]
async fn the_banner_appears_and_goes_by_its_dates() {
    let app = TestApp::start().await;
    let editor = editor(&app).await;
    let empty = app.get_as(&editor, "/api/admin/banner").await.result()["banner"].clone();
    assert_eq!((&empty["text"], &empty["on"], &empty["shown"]), (&json!(""), &json!(false), &json!(false)));
    assert!(!shows_offer(&app, "/contact").await);

    let (from, until) = (START.millis() + 10_000, START.millis() + 20_000);
    let form = json!({
        "version": empty["version"], "text": OFFER, "linkText": "See the plans", "href": "/try",
        "from": from, "until": until, "on": true,
    });
    let saved = app.put_as(&editor, "/api/admin/banner", form.clone()).await.result()["banner"].clone();
    assert_eq!((&saved["from"], &saved["until"], &saved["shown"]), (&json!(from), &json!(until), &json!(false)));
    // A page that was written before is not kept beyond the moment at which the banner appears or goes.
    assert!(!shows_offer(&app, "/contact").await);
    app.env.advance(9_999);
    assert!(!shows_offer(&app, "/contact").await);
    app.env.advance(1);
    assert!(shows_offer(&app, "/contact").await);
    assert_eq!(app.get_as(&editor, "/api/admin/banner").await.result()["banner"]["shown"], true);
    app.env.advance(9_999);
    assert!(shows_offer(&app, "/contact").await);
    app.env.advance(1);
    assert!(!shows_offer(&app, "/contact").await);

    // Without dates it stays until it is switched off: at once, also where it was kept.
    let late = app.put_as(&editor, "/api/admin/banner", form).await;
    late.fails(409, "edit_conflict", "Another version was saved in the meantime. Nothing was changed.");
    let mut always = json!({ "text": OFFER, "linkText": "See the plans", "href": "/try", "on": true });
    app.put_as(&editor, "/api/admin/banner", always.clone()).await.result();
    assert!(shows_offer(&app, "/contact").await);
    always["on"] = json!(false);
    app.put_as(&editor, "/api/admin/banner", always.clone()).await.result();
    assert!(!shows_offer(&app, "/contact").await);

    for (field, value, text) in [
        ("text", json!(" "), "Please specify the text."),
        ("href", json!("https://elsewhere.example"), "Please enter a path on this site, such as /try."),
        ("href", json!("//elsewhere.example"), "Please enter a path on this site, such as /try."),
        ("from", json!(-1), "Please choose a date."),
    ] {
        let mut wrong = always.clone();
        wrong[field] = value;
        let refused = app.put_as(&editor, "/api/admin/banner", wrong).await;
        refused.fails(422, "validation_failed", text);
        assert_eq!(refused.json()["field"], field);
    }
    let backwards = json!({ "text": "A", "linkText": "B", "href": "/try", "from": 2, "until": 1 });
    let refused = app.put_as(&editor, "/api/admin/banner", backwards).await;
    refused.fails(422, "validation_failed", "The end must come after the start.");
}

#[actix_web::test]
async fn a_banner_of_before_it_had_dates_is_shown() {
    let app = TestApp::start().await;
    app.sql(&format!(
        "INSERT INTO site_content (name, value)
         VALUES ('banner', '{{\"text\": \"{OFFER}\", \"linkText\": \"See\", \"href\": \"/try\"}}')"
    ));
    assert!(shows_offer(&app, "/contact").await);
}

#[actix_web::test]
async fn pages_of_the_site_are_edited_cleaned_and_versioned() {
    let app = TestApp::start().await;
    let editor = editor(&app).await;
    let list = app.get_as(&editor, "/api/admin/pages").await.result()["pages"].clone();
    let ids: Vec<_> = list.as_array().unwrap().iter().map(|page| page["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["about", "terms", "privacy", "try", "teams", "giftcard", "affiliate"]);
    let text = "<h2>Who</h2><p onclick=\"x()\">{name} <script>alert(1)</script><a href=\"javascript:x()\">here</a></p>";
    let form = json!({ "version": 1, "title": "About {name}", "description": "Who we are.", "text": text });
    let saved = app.put_as(&editor, "/api/admin/pages/about", form.clone()).await.result()["page"].clone();
    assert_eq!((&saved["version"], &saved["updatedBy"]), (&json!(2), &json!("Ada Reader")));
    assert_eq!(saved["text"], "<h2>Who</h2><p>{name} <a>here</a></p>");
    assert_eq!(app.get_as(&editor, "/api/admin/pages/about").await.result()["page"], saved);
    let read = app.get("/api/pages/about").await.result();
    assert!(read.to_string().contains("<h2>Who</h2>") && !read.to_string().contains("{name}"), "{read}");
    assert!(app.get("/about").await.text.contains("Who we are."));

    let late = app.put_as(&editor, "/api/admin/pages/about", form).await;
    late.fails(409, "edit_conflict", "Another version was saved in the meantime. Nothing was changed.");
    let same = app.put_as(&editor, "/api/admin/pages/about", json!({ "version": 2 })).await.result()["page"].clone();
    assert_eq!(same, saved, "what says what is there already is no new version");
    let blank = app.put_as(&editor, "/api/admin/pages/about", json!({ "title": " " })).await;
    blank.fails(422, "validation_failed", "Please specify Title.");
    let unknown = app.get_as(&editor, "/api/admin/pages/nothing").await;
    unknown.fails(404, "not_found", "There is no such page.");
}

#[actix_web::test]
async fn texts_of_product_pages_are_edited_with_their_placeholders() {
    let app = TestApp::start().await;
    let editor = editor(&app).await;
    let page = app.get_as(&editor, "/api/admin/pages/try").await.result()["page"].clone();
    assert_eq!((&page["kind"], &page["path"], &page["version"]), (&json!("product"), &json!("/try"), &json!(1)));
    let texts = page["texts"].as_array().unwrap();
    assert!(texts.iter().any(|one| one["name"] == "heading" && one["text"].as_str().unwrap().contains("{name}")));
    let form = json!({ "version": 1, "texts": [
        { "name": "heading", "text": "Everything for {price.yearly} <b>a year</b>" },
        { "name": "block.0.title", "text": "All of it" },
    ] });
    let saved = app.put_as(&editor, "/api/admin/pages/try", form).await.result()["page"].clone();
    assert_eq!(saved["version"], 2);
    let read = app.get("/api/product-pages/try").await.result().to_string();
    assert!(read.contains("Everything for $59.99 <b>a year</b>") && read.contains("All of it"), "{read}");
    let html = app.get("/try").await.text;
    assert!(html.contains("All of it") && !html.contains("<b>a year</b>"), "texts are plain: they are escaped");

    for (texts, text) in [
        (
            json!([{ "name": "heading", "text": "For {price.weekly}" }]),
            "'{price.weekly}' is not a placeholder that works here.",
        ),
        (json!([{ "name": "heading", "text": " " }]), "Please specify the text."),
    ] {
        let refused = app.put_as(&editor, "/api/admin/pages/try", json!({ "texts": texts })).await;
        refused.fails(422, "validation_failed", text);
    }
    let unknown = json!({ "texts": [{ "name": "nothing", "text": "A" }] });
    let unknown = app.put_as(&editor, "/api/admin/pages/try", unknown).await;
    unknown.fails(404, "not_found", "There is no such text.");
    assert_eq!(app.get_as(&editor, "/api/admin/pages/try").await.result()["page"], saved);
}

#[actix_web::test]
async fn a_quiz_is_saved_as_a_whole_by_its_rule() {
    let app = TestApp::start().await;
    let editor = editor(&app).await;
    let address = "/api/admin/quiz/personality";
    let quiz = app.get_as(&editor, address).await.result()["quiz"].clone();
    assert_eq!(quiz["dimensions"], json!(["Red", "Yellow", "Green", "Blue"]));
    let mut questions = quiz["questions"].as_array().unwrap().clone();
    assert_eq!(questions.len(), 15);
    // One is changed and goes to the end, one is gone, and a new one takes its place.
    let mut first = questions.remove(0);
    first["statement"] = json!("I say what is next.");
    questions.push(first.clone());
    let colour = questions[0]["dimension"].clone();
    questions[0] = json!({ "dimension": colour, "statement": "I am new." });
    let form = json!({ "version": 1, "questions": questions });
    let saved = app.put_as(&editor, address, form.clone()).await.result()["quiz"].clone();
    assert_eq!((&saved["version"], &saved["questions"][14]), (&json!(2), &first));
    assert_eq!(
        (&saved["questions"][0]["statement"], &saved["questions"][0]["dimension"]),
        (&json!("I am new."), &colour)
    );
    let asked = app.get("/api/quiz/personality").await.result();
    let statements = |list: &Value| -> Vec<Value> {
        list["questions"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect()
    };
    assert_eq!(statements(&asked), statements(&saved), "readers are asked in the same order");

    let late = app.put_as(&editor, address, form).await;
    late.fails(409, "edit_conflict", "Another version was saved in the meantime. Nothing was changed.");
    let refuse = async |questions: Value, text: &str| {
        let refused = app.put_as(&editor, address, json!({ "questions": questions })).await;
        refused.fails(422, "validation_failed", text);
        assert_eq!(refused.json()["field"], "questions");
    };
    let mut fewer = saved["questions"].as_array().unwrap().clone();
    fewer.pop();
    let rule = "The personality quiz has 15 statements: four for each of three colors, and three for the fourth.";
    refuse(json!(fewer), rule).await;
    let mut other = saved["questions"].clone();
    other[0]["dimension"] = json!("Musical");
    refuse(other.clone(), rule).await;
    other[0]["dimension"] = json!("Purple");
    refuse(other, "Please specify Type.").await;
    let mut blank = saved["questions"].clone();
    blank[3]["statement"] = json!(" ");
    refuse(blank, "Please specify Statement.").await;
    let mut unknown = saved["questions"].clone();
    unknown[3]["id"] = json!(4711);
    refuse(unknown, "One of these statements no longer exists. Please reload the page.").await;
    assert_eq!(app.get_as(&editor, address).await.result()["quiz"], saved);
    let nothing = app.get_as(&editor, "/api/admin/quiz/zodiac").await;
    nothing.fails(404, "not_found", "There is no such quiz.");
}

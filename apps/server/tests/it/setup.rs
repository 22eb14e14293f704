//! The first start in a browser (`admin.setup-page`).

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use testing::{MailServer, Manner, Step, TestDatabase};
use workflows::setup::issue_setup_token;

use crate::harness::{PASSWORD, Person, TestApp, process::Process};

/// Makes a token, as a server prints it.
async fn token(app: &TestApp) -> String {
    let made = app.app.write_tx::<_, kernel::StoreError, _>(issue_setup_token).await;
    made.expect("the database answers").expect("the site waits for its setup")
}

fn form(token: &str, email: &str) -> Value {
    json!({
        "token": token, "siteName": "Pith", "username": email, "password": PASSWORD, "firstName": "Ada", "lastName": "Admin",
        "timezone": "UTC", "content": "empty",
    })
}

#[actix_web::test]
async fn a_new_site_is_set_up_once_with_the_token_that_was_printed_last() {
    let app = TestApp::start().await;
    let front = app.get("/").await;
    assert_eq!((front.status.as_u16(), front.headers["location"].to_str().unwrap()), (303, "/setup"));
    let start = app.get("/api/setup").await.result();
    assert_eq!(start, json!({ "siteName": "Pith", "siteNameFixed": false, "mail": "outbox", "mailServer": null }));

    let older = token(&app).await;
    let printed = token(&app).await;
    for wrong in ["", "guess", &older] {
        let refused = app.post("/api/setup", form(wrong, "ada@example.com")).await;
        refused.fails(403, "setup_token_invalid", "This is not the setup token that the server printed last.");
    }
    let weak = app.post("/api/setup", json!({ "token": printed, "username": "ada", "content": "empty" })).await;
    assert_eq!(weak.status, 422, "{}", weak.text);
    assert_eq!(app.count("users"), 0);

    let reply = app.post("/api/setup", form(&printed, "ada@example.com")).await;
    let result = reply.result();
    assert_eq!(
        (result["user"]["role"].as_str(), result["user"]["emailConfirmed"].as_bool()),
        (Some("admin"), Some(true))
    );
    let admin = Person {
        client: app.client.clone(),
        token: result["token"].as_str().expect("a token").to_owned(),
        user: result["user"].clone(),
        email: "ada@example.com".to_owned(),
    };
    assert_eq!(app.get_as(&admin, "/api/admin/overview").await.status, 200);
    // No mailed code is needed for the first factor: mails may not work yet.
    assert_eq!(app.post_as(&admin, "/api/user/totp", json!({})).await.status, 200);
    assert_eq!(app.count("audit_entries WHERE action = 'site.setup'"), 1);

    app.post("/api/setup", form(&printed, "eve@example.com")).await.fails(
        409,
        "already_there",
        "This site has been set up already.",
    );
    assert_eq!(app.get("/api/setup").await.status, 404);
    assert_eq!(app.get("/").await.status, 200);
    // A login with the password alone is a member's.
    let again = app.log_in("ada@example.com", PASSWORD).await;
    assert_eq!(app.get_as(&again, "/api/admin/overview").await.status, 403);
}

#[actix_web::test]
async fn of_two_who_set_the_site_up_at_once_one_becomes_its_admin() {
    let app = TestApp::start().await;
    let token = token(&app).await;
    let forms = ["ada@example.com", "eve@example.com"].map(|email| form(&token, email));
    let [ada, eve] = forms;
    let (ada, eve) = tokio::join!(app.post("/api/setup", ada), app.post("/api/setup", eve));
    let mut statuses = [ada.status.as_u16(), eve.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{} {}", ada.text, eve.text);
    assert_eq!((app.count("users"), app.count("users WHERE role = 'admin'")), (1, 1));
}

#[actix_web::test]
async fn a_site_with_an_admin_or_content_is_never_set_up() {
    let app = TestApp::start().await;
    let printed = token(&app).await;
    app.sign_up_with_role("ada@example.com", "admin").await;
    app.post("/api/setup", form(&printed, "eve@example.com")).await.fails(
        409,
        "already_there",
        "This site has been set up already.",
    );
    assert_eq!(app.get("/api/setup").await.status, 404);
    assert_eq!(app.get("/").await.status, 200);
    let none = app.app.write_tx::<_, kernel::StoreError, _>(issue_setup_token).await.expect("the database answers");
    assert_eq!(none, None);
}

#[actix_web::test]
async fn the_mail_server_is_tried_before_anybody_depends_on_it() {
    let server = MailServer::start();
    let app = TestApp::start_with(&[
        ("SMTP_URL", &format!("smtp://{}?timeout=1", server.address())),
        ("MAIL_FROM", "Pith <post@pith.example>"),
    ])
    .await;
    let token = token(&app).await;
    assert_eq!(app.get("/api/setup").await.result()["mail"], "smtp");
    let test = |token: &str, email: &str| app.post("/api/setup/mail-test", json!({ "token": token, "email": email }));
    test("guess", "ada@example.com").await.fails(
        403,
        "setup_token_invalid",
        "This is not the setup token that the server printed last.",
    );
    assert_eq!(test(&token, "nowhere").await.status, 422);
    assert_eq!(test(&token, "ada@example.com").await.status, 200);
    let received = server.arrived();
    assert_eq!(received.len(), 1);
    server.treat([Manner::Answer(Step::Recipient, "550 5.1.1 nobody here")]);
    let failed = test(&token, "ada@example.com").await;
    assert_eq!((failed.status.as_u16(), failed.json()["code"].as_str()), (502, Some("mail_failed")), "{}", failed.text);
    assert_eq!(app.count("jobs"), 0);
}

#[actix_web::test]
async fn the_demo_content_is_loaded_by_a_job() {
    let app = TestApp::start().await;
    let token = token(&app).await;
    let mut body = form(&token, "ada@example.com");
    body["content"] = json!("demo");
    assert_eq!(app.post("/api/setup", body).await.status, 200);
    assert_eq!(app.count("jobs WHERE kind = 'load_demo_content' AND state = 'queued'"), 1);
    app.work_off().await;
    assert_eq!(app.count("jobs WHERE kind = 'load_demo_content' AND state = 'done'"), 1);
    assert!(app.count("books") > 10 && app.count("categories") > 3);
}

#[actix_web::test]
async fn a_server_prints_where_it_is_set_up_and_starts_again_under_its_new_name() {
    let (database, home) = (TestDatabase::new(), tempfile::tempdir().expect("a folder"));
    let mut process = Process::start(&database, home.path(), &[("LOG_FORMAT", "json"), ("SITE_NAME", "")]);
    let url = loop {
        let link = |line: &String| Some(line.split_once("Set it up at ")?.1.split('"').next()?.to_owned());
        if let Some(url) = process.log().iter().find_map(link) {
            break url;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let (page, token) = url.split_once("#token=").expect("a token");
    assert_eq!(page, format!("http://127.0.0.1:{}/setup", process.port));
    let client = reqwest::Client::new();
    let mut body = form(token, "ada@example.com");
    body["siteName"] = json!("Kernel of Truth");
    let address = format!("http://127.0.0.1:{}", process.port);
    let reply = client.post(format!("{address}/api/setup")).json(&body).send().await.expect("it answers");
    assert_eq!(reply.status(), 200, "the answer is not lost to the new start");
    let serving = |process: &Process| process.log().iter().filter(|line| line.contains("\"serving\"")).count();
    while serving(&process) < 2 {
        assert!(!process.has_ended(), "it does not start again: {:?}", process.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let front = client.request(Method::GET, &address).send().await.expect("it serves again");
    assert!(front.text().await.expect("a page").contains("Kernel of Truth"));
    let (status, _) = process.stop();
    assert!(status.success());
}

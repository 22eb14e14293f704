//! What members change about themselves over HTTP: name and time zone, password, address.

use crate::harness::{PASSWORD, Person, Reply, TestApp, mails::secret_of, reply};
use kernel::{DAY, HOUR};
use mail::Mail;
use reqwest::StatusCode;
use serde_json::{Value, json};

const NEW: &str = "quite another password";
const LINK_INVALID: &str = "This link has expired or was already used. Please ask for a new one.";

async fn change_password(app: &TestApp, person: &Person, current: &str, new: &str) -> Reply {
    let body = json!({ "currentPassword": current, "password1": new, "password2": new });
    app.put_as(person, "/api/user/password", body).await
}

async fn move_to(app: &TestApp, person: &Person, email: &str) -> Reply {
    app.put_as(person, "/api/user/email", json!({ "email": email, "currentPassword": PASSWORD })).await
}

async fn confirm(app: &TestApp, person: &Person, code: &str) -> Reply {
    let request = person.client.post(format!("{}/api/user/confirm-email", app.address));
    reply(request.json(&json!({ "code": code }))).await
}

/// The code of the newest mail that lets an account move to this address.
fn code_to(app: &TestApp, email: &str) -> String {
    let mut mails = app.mails_to(email).into_iter().rev();
    let link = mails.find_map(|mail| if let Mail::ConfirmNewEmail { link, .. } = mail { Some(link) } else { None });
    secret_of(&link.unwrap())
}

async fn email_of(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/user/account").await.result()["user"]["email"].take()
}

#[tokio::test]
async fn name_and_time_zone_are_changed_at_once() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    // Answers that are kept in memory say the new name too.
    app.get_as(&ada, "/api/books").await.result();
    let body = json!({ "firstName": " Augusta ", "lastName": "King", "timezone": "europe/paris" });
    let changed = app.put_as(&ada, "/api/user/account", body).await.result();
    let mut expected = ada.user.clone();
    (expected["firstName"], expected["lastName"]) = (json!("Augusta"), json!("King"));
    expected["timezone"] = json!("Europe/Paris");
    assert_eq!(changed, json!({ "user": expected }));
    assert_eq!(app.get_as(&ada, "/api/user/account").await.result()["user"], expected);
    assert_eq!(app.get_as(&ada, "/api/books").await.result()["user"], expected);
    let kept = json!({ "firstName": "Ada", "lastName": "King" });
    let kept = app.put_as(&ada, "/api/user/account", kept).await.result();
    assert_eq!((&kept["user"]["firstName"], &kept["user"]["timezone"]), (&json!("Ada"), &json!("Europe/Paris")));
    assert_eq!(app.get_as(&bob, "/api/user/account").await.result()["user"], bob.user);
}

#[tokio::test]
async fn a_bad_name_or_zone_gets_its_message_and_changes_nothing() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let missing = "Please specify a first name and a last name.";
    let cases = [
        (json!({ "firstName": " ", "lastName": "King" }), "firstName", missing),
        (json!({ "firstName": "Ada" }), "lastName", missing),
        (
            json!({ "firstName": "Ada", "lastName": "x".repeat(101) }),
            "lastName",
            "Please use at most 100 characters for a name.",
        ),
        (
            json!({ "firstName": "Ada", "lastName": "King", "timezone": "Mars/Olympus" }),
            "timezone",
            "Please choose a time zone from the list.",
        ),
    ];
    for (body, field, text) in cases {
        let refused = app.put_as(&ada, "/api/user/account", body).await;
        refused.fails(422, "validation_failed", text);
        assert_eq!(refused.json()["field"], field);
    }
    assert_eq!(app.get_as(&ada, "/api/user/account").await.result()["user"], ada.user);
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions_and_is_told_by_mail() {
    let app = TestApp::start().await;
    let here = app.sign_up("ada@example.com").await;
    let there = app.log_in("ada@example.com", PASSWORD).await;
    let bob = app.sign_up("bob@example.com").await;
    app.forget_mails();
    assert_eq!(change_password(&app, &here, PASSWORD, NEW).await.result(), json!({}));
    app.get_as(&here, "/api/user/account").await.result();
    reply(here.client.post(format!("{}/api/user/refresh-token", app.address))).await.result();
    app.get_as(&there, "/api/user/account").await.fails(401, "unauthenticated", "Please log in.");
    let again = reply(there.client.post(format!("{}/api/user/refresh-token", app.address))).await;
    again.fails(401, "session_ended", "Your session has ended. Please log in again.");
    app.get_as(&bob, "/api/user/account").await.result();
    app.log_in("ada@example.com", NEW).await;
    let now = kernel::Env::now(&*app.env).millis();
    let told = app.mails_to("ada@example.com").into_iter().next().unwrap();
    let Mail::PasswordChanged { first_name, place, at, .. } = told else { panic!("{told:?}") };
    assert_eq!((first_name.as_str(), place.as_str(), at), ("Ada", "This network", now));
}

#[tokio::test]
async fn the_current_password_is_wanted_where_there_is_one() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for current in ["", "not the password"] {
        let refused = change_password(&app, &ada, current, NEW).await;
        refused.fails(400, "invalid_credentials", "This is not your current password.");
        assert_eq!(refused.json()["field"], "currentPassword");
        let body = json!({ "email": "new@example.com", "currentPassword": current });
        let refused = app.put_as(&ada, "/api/user/email", body).await;
        refused.fails(400, "invalid_credentials", "This is not your current password.");
    }
    let differ = json!({ "currentPassword": PASSWORD, "password1": NEW, "password2": "another" });
    let differ = app.put_as(&ada, "/api/user/password", differ).await;
    differ.fails(422, "validation_failed", "The passwords do not match.");
    assert_eq!(differ.json()["field"], "password2");
    assert_eq!(change_password(&app, &ada, PASSWORD, "short").await.json()["field"], "password1");

    app.sql("UPDATE users SET password_hash = NULL");
    app.forget(&ada);
    assert_eq!(app.get_as(&ada, "/api/user/account").await.result()["user"]["hasPassword"], false);
    let body = json!({ "password1": NEW, "password2": NEW });
    app.put_as(&ada, "/api/user/password", body).await.result();
    assert_eq!(app.get_as(&ada, "/api/user/account").await.result()["user"]["hasPassword"], true);
    app.log_in("ada@example.com", NEW).await;
}

#[tokio::test]
async fn an_account_moves_when_the_new_address_is_confirmed_and_the_old_one_is_told() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.forget_mails();
    assert_eq!(move_to(&app, &ada, " Ada@New.example.com ").await.result(), json!({}));
    assert_eq!(email_of(&app, &ada).await, "ada@example.com");
    assert!(app.mails_to("ada@example.com").is_empty());
    let code = code_to(&app, "Ada@New.example.com");
    app.env.advance(HOUR / 2);
    confirm(&app, &ada, &code).await.result();
    let user = app.get_as(&ada, "/api/user/account").await.result()["user"].take();
    assert_eq!((&user["email"], &user["emailConfirmed"]), (&json!("Ada@New.example.com"), &json!(true)));
    let told = Mail::EmailChanged { first_name: "Ada".to_owned(), new_email: "Ada@New.example.com".to_owned() };
    assert_eq!(app.mails_to("ada@example.com"), [told]);
    confirm(&app, &ada, &code).await.fails(400, "code_invalid", LINK_INVALID);
    app.log_in("ada@new.example.com", PASSWORD).await;
    let old = app.post("/api/user/login", json!({ "username": "ada@example.com", "password": PASSWORD })).await;
    assert_eq!(old.status, StatusCode::BAD_REQUEST);
    // The old address is free.
    app.sign_up("ada@example.com").await;
}

#[tokio::test]
async fn only_the_newest_link_moves_an_account_and_for_a_day() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    move_to(&app, &ada, "typo@example.com").await.result();
    move_to(&app, &ada, "right@example.com").await.result();
    let (typo, right) = (code_to(&app, "typo@example.com"), code_to(&app, "right@example.com"));
    confirm(&app, &ada, &typo).await.fails(400, "code_invalid", LINK_INVALID);
    app.env.advance(DAY);
    confirm(&app, &ada, &right).await.fails(400, "code_invalid", LINK_INVALID);
    app.env.advance(-DAY);
    confirm(&app, &ada, &right).await.result();
    assert_eq!(email_of(&app, &ada).await, "right@example.com");
}

#[tokio::test]
async fn whether_an_address_is_taken_is_told_to_whom_its_mail_reaches_only() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    let free = move_to(&app, &ada, "free@example.com").await;
    let taken = move_to(&app, &ada, "Bob@example.com").await;
    assert_eq!((free.status, &free.text), (taken.status, &taken.text));
    let code = code_to(&app, "Bob@example.com");
    let refused = "Another account now has this email address. Yours has not changed.";
    confirm(&app, &ada, &code).await.fails(409, "email_taken", refused);
    assert_eq!(email_of(&app, &ada).await, "ada@example.com");
    assert_eq!(email_of(&app, &bob).await, "bob@example.com");
    // Once the address is free, the same link works.
    move_to(&app, &bob, "bob@new.example.com").await.result();
    confirm(&app, &bob, &code_to(&app, "bob@new.example.com")).await.result();
    confirm(&app, &ada, &code).await.result();
    assert_eq!(email_of(&app, &ada).await, "Bob@example.com");
}

#[tokio::test]
async fn an_address_that_is_no_other_or_none_is_refused() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.forget_mails();
    for (email, text) in [
        ("ada@example.com", "This is already your email address."),
        ("ada@example", "Please specify a valid email address."),
        ("", "Please specify a valid email address."),
    ] {
        let refused = move_to(&app, &ada, email).await;
        refused.fails(422, "validation_failed", text);
        assert_eq!(refused.json()["field"], "email");
    }
    assert!(app.mails().is_empty());
    // Another spelling of one's own address is fine.
    move_to(&app, &ada, "Ada@Example.com").await.result();
    confirm(&app, &ada, &code_to(&app, "Ada@Example.com")).await.result();
    assert_eq!(email_of(&app, &ada).await, "Ada@Example.com");
}

#[tokio::test]
async fn links_in_the_old_mailbox_are_worth_nothing_after_a_move() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.put("/api/user/forgot-password", json!({ "email": "ada@example.com" })).await.result();
    let mails = app.mails_to("ada@example.com");
    let link =
        mails.iter().find_map(|mail| if let Mail::ResetPassword { link, .. } = mail { Some(link) } else { None });
    let reset = secret_of(link.unwrap());
    move_to(&app, &ada, "new@example.com").await.result();
    confirm(&app, &ada, &code_to(&app, "new@example.com")).await.result();
    for email in ["ada@example.com", "new@example.com"] {
        let body = json!({ "password1": NEW, "password2": NEW, "code": reset, "email": email });
        app.put("/api/user/reset-password", body).await.fails(400, "code_invalid", LINK_INVALID);
    }
}

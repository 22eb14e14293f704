//! Inviting a friend: the mail, the extra summary that comes when it was sent, and who may not.

use crate::harness::{self, Person, TestApp};
use futures_util::future::join_all;
use mail::Mail;
use reqwest::StatusCode;
use serde_json::{Value, json};
use testing::{MailServer, Manner, Step};

fn to(friend: &str) -> Value {
    json!({ "yourName": "Ada L.", "friendName": "Grace", "friendEmail": friend })
}

async fn invite(app: &TestApp, person: &Person, friend: &str) -> harness::Reply {
    app.post_as(person, "/api/contact/invite", to(friend)).await
}

/// A member whose address is confirmed.
async fn confirmed(app: &TestApp, email: &str) -> Person {
    let person = app.sign_up(email).await;
    app.confirm(&person);
    person
}

/// The invitations that wait to be sent: to whom, and what the letter says.
fn invitations(app: &TestApp) -> Vec<(String, String, String, String)> {
    let mails = app.mails().into_iter();
    mails
        .filter_map(|(to, mail)| match mail {
            Mail::Invitation { your_name, friend_name, link, inviter: _ } => Some((to, your_name, friend_name, link)),
            _ => None,
        })
        .collect()
}

#[actix_web::test]
async fn a_friend_gets_one_mail_however_often_they_are_invited() {
    let app = TestApp::start().await;
    let ada = confirmed(&app, "ada@example.com").await;
    assert_eq!(invite(&app, &ada, " Grace@example.com ").await.result(), json!({}));
    assert_eq!(invite(&app, &ada, "grace@EXAMPLE.com").await.result(), json!({}));
    let link = app.get_as(&ada, "/api/user/refers").await.result()["link"].as_str().unwrap().to_owned();
    assert_eq!(invitations(&app), [("Grace@example.com".to_owned(), "Ada L.".to_owned(), "Grace".to_owned(), link)]);
    assert_eq!(app.count(&format!("events WHERE name = 'invite' AND user_id = {}", ada.id())), 1);

    // Another member's invitation is another one; a member is invited like anybody.
    invite(&app, &ada, "joan@example.com").await.result();
    let bob = confirmed(&app, "bob@example.com").await;
    invite(&app, &bob, "grace@example.com").await.result();
    invite(&app, &bob, "ada@example.com").await.result();
    assert_eq!(invitations(&app).len(), 4);
}

#[actix_web::test]
async fn the_friend_of_an_account_is_the_first_to_whom_an_invitation_was_sent() {
    let app = TestApp::start().await;
    let ada = confirmed(&app, "ada@example.com").await;
    let friend = async || app.get_as(&ada, "/api/user/account").await.result()["user"]["friendEmail"].clone();
    invite(&app, &ada, "Grace@example.com").await.result();
    assert_eq!(friend().await, Value::Null, "the mail waits");
    app.work_off().await;
    assert_eq!(friend().await, "Grace@example.com");
    invite(&app, &ada, "joan@example.com").await.result();
    app.work_off().await;
    assert_eq!(friend().await, "Grace@example.com", "the first friend stays");
}

#[actix_web::test]
async fn an_invitation_that_can_not_be_sent_brings_no_summary() {
    let server = MailServer::start();
    let app = TestApp::start_with(&[("SMTP_URL", &format!("smtp://{}?timeout=1", server.address()))]).await;
    let ada = confirmed(&app, "ada@example.com").await;
    app.forget_mails();
    server.treat([Manner::Answer(Step::Recipient, "550 5.1.1 unknown")]);
    invite(&app, &ada, "grace@example.com").await.result();
    app.work_off().await;
    assert_eq!(app.count("jobs WHERE about = 'invitation' AND state = 'set_aside'"), 1);
    assert_eq!(app.count("users WHERE friend_email IS NOT NULL"), 0);
    invite(&app, &ada, "joan@example.com").await.result();
    app.work_off().await;
    assert_eq!(app.count("users WHERE friend_email = 'joan@example.com'"), 1);
}

/// What a member sees of a book: whether the text is there, and what is said of the allowance.
async fn open(app: &TestApp, person: &Person, book: i64) -> (bool, bool, bool) {
    let book = app.get_as(person, &format!("/api/books/{book}")).await.result()["book"].clone();
    (book["body"].is_string(), book["lastFree"] == true, book["limitReached"] == true)
}

#[actix_web::test]
async fn the_first_invitation_opens_one_more_summary_and_no_other_does() {
    let app = TestApp::start().await;
    let ada = confirmed(&app, "ada@example.com").await;
    let books: Vec<i64> = (0..5).map(|n| app.add_book(&format!("book-{n}"), "")).collect();
    for book in &books[..3] {
        assert!(open(&app, &ada, *book).await.0);
    }
    assert_eq!(open(&app, &ada, books[3]).await, (false, false, true));
    invite(&app, &ada, "grace@example.com").await.result();
    assert_eq!(open(&app, &ada, books[3]).await, (false, false, true), "the invitation is not sent yet");
    app.work_off().await;
    assert_eq!(open(&app, &ada, books[3]).await, (true, true, false));
    assert_eq!(open(&app, &ada, books[4]).await, (false, false, true));
    // One in total (`reading-progress.free-summaries`).
    invite(&app, &ada, "joan@example.com").await.result();
    invite(&app, &ada, "grace@example.com").await.result();
    app.work_off().await;
    assert_eq!(open(&app, &ada, books[4]).await, (false, false, true));
    assert!(open(&app, &ada, books[3]).await.0);
}

#[actix_web::test]
async fn of_many_invitations_at_once_one_goes_to_each_friend_and_one_summary_comes() {
    let app = TestApp::start().await;
    let ada = confirmed(&app, "ada@example.com").await;
    // Twenty at the same moment: ten to one friend, ten to others.
    let friends: Vec<String> = (0..20)
        .map(|n| if n % 2 == 0 { "grace@example.com".to_owned() } else { format!("friend{n}@example.com") })
        .collect();
    for reply in join_all(friends.iter().map(|friend| invite(&app, &ada, friend))).await {
        reply.result();
    }
    assert_eq!(invitations(&app).len(), 11);
    assert_eq!(app.count("invitations"), 11);
    assert_eq!(app.count("events WHERE name = 'invite'"), 11);
    app.work_off().await;
    let mut opened = 0;
    for n in 0..6 {
        let book = app.add_book(&format!("book-{n}"), "");
        opened += i32::from(open(&app, &ada, book).await.0);
    }
    assert_eq!(opened, 4);
}

#[actix_web::test]
async fn only_members_whose_address_is_confirmed_invite() {
    let app = TestApp::start().await;
    app.post("/api/contact/invite", to("grace@example.com")).await.fails(401, "unauthenticated", "Please log in.");
    let ada = app.sign_up("ada@example.com").await;
    let refused = invite(&app, &ada, "grace@example.com").await;
    refused.fails(403, "not_confirmed", "Please confirm your email address first.");
    assert_eq!((app.count("invitations"), invitations(&app).len()), (0, 0));
    let account = app.get_as(&ada, "/api/user/account").await.result();
    assert_eq!(account["user"]["friendEmail"], Value::Null);
    app.confirm(&ada);
    invite(&app, &ada, "grace@example.com").await.result();
}

#[actix_web::test]
async fn each_missing_or_wrong_field_is_named() {
    let app = TestApp::start().await;
    let ada = confirmed(&app, "ada@example.com").await;
    for (field, value, text) in [
        ("yourName", json!(" "), "Please specify your name."),
        ("friendName", Value::Null, "Please specify your friend's name."),
        ("friendEmail", json!(""), "Please specify your friend's email address."),
        ("friendEmail", json!("grace"), "Please specify a valid email address."),
        ("friendEmail", json!("g@example.com\r\nBcc: all@example.com"), "Please specify a valid email address."),
        ("friendEmail", json!("ADA@example.com"), "Please invite someone other than yourself."),
        ("yourName", json!("é".repeat(101)), "Please use at most 100 characters for a name."),
        ("friendName", json!("Win at https://spam.example"), "Please use a name without a web address."),
    ] {
        let mut form = to("grace@example.com");
        form[field] = value;
        let reply = app.post_as(&ada, "/api/contact/invite", form).await;
        reply.fails(422, "validation_failed", text);
        assert_eq!(reply.json()["field"], field, "{}", reply.text);
    }
    assert!(invitations(&app).is_empty());
}

#[actix_web::test]
async fn twenty_a_day_and_no_more() {
    let app = TestApp::start().await;
    let ada = confirmed(&app, "ada@example.com").await;
    for n in 0..20 {
        invite(&app, &ada, &format!("friend{n}@example.com")).await.result();
    }
    let refused = invite(&app, &ada, "late@example.com").await;
    refused.fails(429, "too_many_tries", "Too many attempts. Please try again in 24 hours.");
    assert_eq!(refused.headers["retry-after"], "86400");
    // Pressing again for a friend who was invited is no invitation.
    invite(&app, &ada, "friend7@example.com").await.result();
    // An access token lives an hour, so the member comes back the next day by the front door.
    app.env.advance(86_400_000);
    let ada = app.log_in("ada@example.com", harness::PASSWORD).await;
    invite(&app, &ada, "late@example.com").await.result();
    assert_eq!(invitations(&app).len(), 21);
}

#[actix_web::test]
async fn tries_are_limited_too() {
    let app = TestApp::start_with(&[("RATE_LIMIT_INVITE", "2/3600")]).await;
    let (ada, bob) = (confirmed(&app, "ada@example.com").await, confirmed(&app, "bob@example.com").await);
    for _ in 0..2 {
        invite(&app, &ada, "grace@example.com").await.result();
    }
    let refused = invite(&app, &ada, "grace@example.com").await;
    refused.fails(429, "too_many_tries", "Too many attempts. Please try again in 30 minutes.");
    assert_eq!(refused.headers["retry-after"], "1800");
    assert_eq!(invite(&app, &bob, "grace@example.com").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn an_invitation_whose_mail_can_not_be_queued_has_not_happened() {
    let app = TestApp::start().await;
    let ada = confirmed(&app, "ada@example.com").await;
    app.sql("ALTER TABLE jobs ADD CONSTRAINT none CHECK (kind = '') NOT VALID");
    assert_eq!(invite(&app, &ada, "grace@example.com").await.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(app.count("invitations") + app.count("events") + app.count("users WHERE friend_email IS NOT NULL"), 0);
}

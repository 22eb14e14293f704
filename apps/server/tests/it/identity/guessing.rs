//! Guessing at a person's account: passwords from many addresses are limited, and the owner still gets in.

use crate::harness::{PASSWORD, Reply, TestApp, reply};
use kernel::MINUTE;
use mail::Mail;
use reqwest::{Client, Method, StatusCode, header};
use serde_json::json;

/// The limits that operators have when they set none.
const LIMITS: [(&str, &str); 3] =
    [("RATE_LIMIT_LOGIN", "3/60"), ("RATE_LIMIT_LOGIN_ACCOUNT", "100/3600"), ("TRUSTED_PROXIES", "127.0.0.1")];

/// Tries to log in from an address of the network.
async fn log_in(app: &TestApp, client: &Client, from: &str, password: &str) -> Reply {
    let request = client.request(Method::POST, format!("{}/api/user/login", app.address));
    let body = json!({ "username": "ada@example.com", "password": password });
    reply(request.header("X-Forwarded-For", from).json(&body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_thousand_wrong_passwords_from_ten_addresses_few_are_looked_at_and_the_owner_gets_in() {
    let app = TestApp::start_with(&LIMITS).await;
    let owner = app.sign_up("ada@example.com").await;
    let stranger = Client::new();
    let (mut looked_at, mut refused) = (0, 0);
    // Ten tries a minute from each of ten addresses, for ten minutes.
    for minute in 0..10 {
        app.env.advance(MINUTE);
        for guess in 0..100 {
            let from = format!("203.0.113.{}", guess % 10);
            let reply = log_in(&app, &stranger, &from, &format!("guess {guess} of minute {minute}")).await;
            match reply.status {
                StatusCode::BAD_REQUEST => looked_at += 1,
                StatusCode::TOO_MANY_REQUESTS => {
                    refused += 1;
                    let seconds: u64 = reply.headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
                    assert!((1..=60).contains(&seconds), "{seconds}");
                }
                other => panic!("{other}: {}", reply.text),
            }
        }
    }
    assert_eq!(looked_at + refused, 1_000);
    // A hundred at once for the account, and then one in 36 seconds.
    assert!((100..=100 + 10 * 60 / 36).contains(&looked_at), "{looked_at} guesses were compared with the password");

    // The right password does not help a stranger any more; the owner is let in on a device that knows them.
    let elsewhere = log_in(&app, &stranger, "198.51.100.7", PASSWORD).await;
    assert_eq!(elsewhere.status, StatusCode::TOO_MANY_REQUESTS);
    // The owner was never signed out either.
    app.get_as(&owner, "/api/user/account").await.result();
    log_in(&app, &owner.client, "198.51.100.7", PASSWORD).await.result();
    // The new sign-in replaces the browser's session.
    assert_eq!(app.count("sessions WHERE revoked_at IS NULL"), 1);
}

/// Behind one address of the network.
const OFFICE: &str = "203.0.113.80";

#[tokio::test(flavor = "multi_thread")]
async fn an_office_behind_one_address_logs_in_and_its_typing_mistakes_lock_out_no_known_device() {
    let app = TestApp::start_with(&LIMITS).await;
    let ada = app.sign_up("ada@example.com").await;
    for _ in 0..20 {
        log_in(&app, &Client::new(), OFFICE, PASSWORD).await.result();
    }
    let stranger = Client::new();
    for _ in 0..3 {
        assert_eq!(log_in(&app, &stranger, OFFICE, "a typing mistake").await.status, StatusCode::BAD_REQUEST);
    }
    assert_eq!(log_in(&app, &stranger, OFFICE, PASSWORD).await.status, StatusCode::TOO_MANY_REQUESTS);
    // The device that the account knows has a limit of its own, which it can reach too.
    log_in(&app, &ada.client, OFFICE, PASSWORD).await.result();
    for _ in 0..3 {
        assert_eq!(log_in(&app, &ada.client, OFFICE, "a typing mistake").await.status, StatusCode::BAD_REQUEST);
    }
    assert_eq!(log_in(&app, &ada.client, OFFICE, PASSWORD).await.status, StatusCode::TOO_MANY_REQUESTS);
    app.env.advance(MINUTE / 3);
    log_in(&app, &ada.client, OFFICE, PASSWORD).await.result();
}

/// Signs up from the office.
async fn sign_up(app: &TestApp, email: &str) -> Reply {
    let body = json!({ "username": email, "password": PASSWORD, "firstName": "New", "lastName": "Person" });
    let request = Client::new().post(format!("{}/api/user/register", app.address));
    reply(request.header("X-Forwarded-For", OFFICE).json(&body)).await
}

/// Opens the link that was mailed to the address, in the office.
async fn confirm(app: &TestApp, email: &str) {
    let code = app.mails_to(email).into_iter().find_map(|mail| match mail {
        Mail::ConfirmEmail { link, .. } => Some(link.split_once('#')?.1.to_owned()),
        _ => None,
    });
    let request = Client::new().post(format!("{}/api/user/confirm-email", app.address));
    reply(request.header("X-Forwarded-For", OFFICE).json(&json!({ "code": code }))).await.result();
}

#[tokio::test(flavor = "multi_thread")]
async fn confirmed_sign_ups_of_an_office_count_no_more_but_against_its_daily_limit() {
    let limits = [("RATE_LIMIT_SIGNUP", "3/3600"), ("RATE_LIMIT_SIGNUP_NETWORK", "30/86400"), LIMITS[2]];
    let app = TestApp::start_with(&limits).await;
    for n in 0..27 {
        let email = format!("confirmed{n}@example.com");
        sign_up(&app, &email).await.result();
        confirm(&app, &email).await;
    }
    for n in 0..3 {
        sign_up(&app, &format!("unconfirmed{n}@example.com")).await.result();
    }
    assert_eq!(sign_up(&app, "fourth@example.com").await.status, StatusCode::TOO_MANY_REQUESTS);
    // Another confirmation makes no room among all of the day.
    confirm(&app, "unconfirmed0@example.com").await;
    let refused = sign_up(&app, "fourth@example.com").await;
    assert_eq!(
        (refused.status, &refused.headers[header::RETRY_AFTER]),
        (StatusCode::TOO_MANY_REQUESTS, &"2880".parse().unwrap())
    );
}

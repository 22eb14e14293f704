//! Signing up, in and out over HTTP: messages, statuses, cookies, races, limits, keys.

use std::collections::HashSet;

use crate::harness::{PASSWORD, Person, Reply, TestApp, reply};
use identity::{Identity, IdentityError, Role};
use kernel::{Email, Env, HOUR, MINUTE, SECOND};
use reqwest::{Client, Method, StatusCode, header};
use serde_json::{Value, json};

const TAKEN: &str = "This email address is already taken. Please log in or reset your password.";
const INCOMPLETE: &str = "Please specify an email or password or first name or last name.";
const WRONG: &str = "The email or password is not correct.";
const ENDED: &str = "Your session has ended. Please log in again.";
const NOBODY: &str = "Please log in.";

fn form(email: &str) -> Value {
    json!({ "username": email, "password": PASSWORD, "firstName": "Ada", "lastName": "Reader", "timezone": "Europe/London" })
}

fn credentials(email: &str, password: &str) -> Value {
    json!({ "username": email, "password": password })
}

/// A cookie that an answer sets: its value, and its attributes in lower case.
fn cookie(reply: &Reply, name: &str) -> Option<(String, HashSet<String>)> {
    reply.headers.get_all(header::SET_COOKIE).iter().find_map(|line| {
        let mut parts = line.to_str().unwrap().split("; ");
        let value = parts.next()?.strip_prefix(name)?.strip_prefix('=')?.to_owned();
        Some((value, parts.map(str::to_lowercase).collect()))
    })
}

/// The refresh token that an answer sets.
#[track_caller]
fn secret(reply: &Reply) -> String {
    cookie(reply, "refresh").expect("the answer sets the refresh cookie").0
}

/// Sends a request that bears cookies as given, and no others.
async fn with_cookie(app: &TestApp, path: &str, cookies: &str, body: Option<Value>) -> Reply {
    let request = Client::new().post(format!("{}{path}", app.address)).header(header::COOKIE, cookies);
    reply(body.into_iter().fold(request, |request, body| request.json(&body))).await
}

async fn refresh(app: &TestApp, secret: &str) -> Reply {
    with_cookie(app, "/api/user/refresh-token", &format!("refresh={secret}"), None).await
}

async fn session(app: &TestApp, token: &str) -> Reply {
    reply(Client::new().get(format!("{}/api/user/session", app.address)).bearer_auth(token)).await
}

async fn register(app: &TestApp, email: &str) -> Reply {
    reply(Client::new().post(format!("{}/api/user/register", app.address)).json(&form(email))).await
}

async fn login(app: &TestApp, email: &str, password: &str) -> Reply {
    reply(Client::new().post(format!("{}/api/user/login", app.address)).json(&credentials(email, password))).await
}

fn token(reply: &Reply) -> String {
    reply.result()["token"].as_str().expect("a token").to_owned()
}

#[tokio::test]
async fn a_sign_up_answers_who_is_signed_in() {
    let app = TestApp::start().await;
    let reply = register(&app, " Ada@Example.com ").await;
    let result = reply.result();
    assert_eq!(
        result["user"],
        json!({
            "id": 1, "email": "Ada@Example.com", "firstName": "Ada", "lastName": "Reader", "timezone": "Europe/London",
            "role": "member", "planId": null, "planName": null, "paidDate": null, "endPaidDate": null,
            "recommends": [], "friendEmail": null, "isPaid": false,
            "emailConfirmed": false, "hasPassword": true,
        })
    );
    assert_eq!(result.as_object().unwrap().keys().collect::<Vec<_>>(), ["token", "user"]);
    assert_eq!(reply.headers[header::CACHE_CONTROL], "no-store");
    assert_eq!(session(&app, &token(&reply)).await.result(), result);
    assert_eq!(app.count("users WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'"), 1);
    let bytes = format!("{}=", secret(&reply).replace('-', "+").replace('_', "/"));
    assert_eq!(app.count(&format!("refresh_secrets WHERE hash = sha256(decode('{bytes}', 'base64'))")), 1);
}

#[tokio::test]
async fn the_refresh_cookie_is_for_the_server_and_the_hint_for_scripts() {
    let app = TestApp::start_with(&[("PUBLIC_URL", "https://pith.example")]).await;
    let reply = register(&app, "ada@example.com").await;
    let attributes = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<HashSet<_>>();
    let month = format!("max-age={}", 30 * 24 * 3600);
    let (value, found) = cookie(&reply, "refresh").unwrap();
    assert_eq!(value.len(), 43);
    assert_eq!(found, attributes(&["httponly", "samesite=lax", "secure", "path=/api/user", &month]));
    assert_eq!(
        cookie(&reply, "isPaid").unwrap(),
        (String::new(), attributes(&["samesite=lax", "secure", "path=/", "max-age=0"]))
    );

    app.sql("INSERT INTO entitlements (user_id, plan_id, plan_name, starts_at) VALUES (1, 'lifetime', 'Lifetime', to_timestamp(0))");
    let reply = login(&app, "ada@example.com", PASSWORD).await;
    assert_eq!(reply.result()["user"]["isPaid"], true);
    assert_eq!(
        cookie(&reply, "isPaid").unwrap(),
        ("true".to_owned(), attributes(&["samesite=lax", "secure", "path=/", &month]))
    );

    let plain = TestApp::start().await;
    let reply = register(&plain, "ada@example.com").await;
    assert!(!cookie(&reply, "refresh").unwrap().1.contains("secure"));
}

#[tokio::test]
async fn a_bad_sign_up_gets_its_message_and_writes_nothing() {
    let app = TestApp::start().await;
    let without = |field: &str, value: Value| {
        let mut form = form("ada@example.com");
        form[field] = value;
        form
    };
    let long = "a".repeat(101);
    let cases = [
        (json!({}), INCOMPLETE, "username"),
        (without("username", json!("  ")), INCOMPLETE, "username"),
        (without("password", json!("")), INCOMPLETE, "password"),
        (without("firstName", Value::Null), INCOMPLETE, "firstName"),
        (without("lastName", json!(" ")), INCOMPLETE, "lastName"),
        (without("username", json!("ada@example")), "Please specify a valid email address.", "username"),
        (without("password", json!("seven77")), "Please choose a password of at least 8 characters.", "password"),
        (
            without("password", json!("ab".repeat(129))),
            "Please choose a password of at most 256 characters.",
            "password",
        ),
        (
            without("password", json!("PassWord123")),
            "This password is easy to guess. Please choose another one.",
            "password",
        ),
        (without("firstName", json!(long)), "Please use at most 100 characters for a name.", "firstName"),
        (without("lastName", json!("a\u{7}b")), "Please use only visible characters in a name.", "lastName"),
    ];
    for (form, text, field) in cases {
        let reply = app.post("/api/user/register", form).await;
        reply.fails(422, "validation_failed", text);
        assert_eq!(reply.json()["field"], field);
        assert!(cookie(&reply, "refresh").is_none());
    }
    let unreadable = app.request(Method::POST, "/api/user/register").header(header::CONTENT_TYPE, "application/json");
    let unreadable = reply(unreadable.body("{\"username\":")).await;
    assert_eq!((unreadable.status, &unreadable.json()["code"]), (StatusCode::BAD_REQUEST, &json!("bad_request")));
    let number = app.post("/api/user/register", without("password", json!(12_345_678))).await;
    number.fails(422, "validation_failed", "The field 'password' can't be read.");
    assert_eq!(number.json()["field"], "password");
    let huge = app.post("/api/user/register", without("password", json!("a".repeat(70_000)))).await;
    assert_eq!((huge.status, &huge.json()["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!("payload_too_large")));
    for table in ["users", "sessions", "refresh_secrets", "rate_limits"] {
        assert_eq!(app.count(table), 0, "{table}");
    }
}

#[tokio::test]
async fn an_unknown_time_zone_is_utc() {
    let app = TestApp::start().await;
    for (email, zone) in [("a@example.com", json!("Mars/Olympus")), ("b@example.com", Value::Null)] {
        let mut form = form(email);
        form["timezone"] = zone;
        assert_eq!(app.post("/api/user/register", form).await.result()["user"]["timezone"], "UTC");
    }
}

#[tokio::test]
async fn an_address_can_be_taken_once() {
    let app = TestApp::start().await;
    let replies = futures_util::future::join_all((0..20).map(|n| {
        let app = &app;
        async move { register(app, if n % 2 == 0 { "ada@example.com" } else { "ADA@example.com" }).await }
    }))
    .await;
    let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == StatusCode::OK);
    assert_eq!((won.len(), lost.len()), (1, 19));
    for reply in lost {
        reply.fails(409, "email_taken", TAKEN);
        assert_eq!(reply.json()["field"], "username");
    }
    assert_eq!((app.count("users"), app.count("sessions")), (1, 1));
}

#[tokio::test]
async fn a_login_takes_the_address_by_two_names_and_in_any_case() {
    let app = TestApp::start().await;
    let person = app.sign_up("ada@example.com").await;
    for body in [
        json!({ "username": "ADA@example.com", "password": PASSWORD }),
        json!({ "email": " ada@example.com ", "password": PASSWORD }),
        json!({ "username": "", "email": "ada@example.com", "password": PASSWORD }),
    ] {
        assert_eq!(app.post("/api/user/login", body).await.result()["user"], person.user);
    }
}

#[tokio::test]
async fn a_wrong_login_does_not_tell_what_was_wrong() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    app.sql("INSERT INTO users (email, email_key, first_name, last_name, created_at) VALUES ('o@example.com', 'o@example.com', 'O', 'P', now())");
    let wrong = login(&app, "ada@example.com", "not the password").await;
    wrong.fails(400, "invalid_credentials", WRONG);
    let headers = |reply: &Reply| {
        let mut headers: Vec<_> = reply
            .headers
            .iter()
            .filter(|(name, _)| **name != header::DATE && name.as_str() != "x-request-id")
            .map(|(name, value)| (name.to_string(), value.clone()))
            .collect();
        headers.sort_by(|a, b| a.0.cmp(&b.0));
        headers
    };
    // Unknown, no address at all, and an account that never had a password.
    for (email, password) in
        [("eve@example.com", PASSWORD), ("nonsense", PASSWORD), ("o@example.com", PASSWORD), ("ada@example.com", " ")]
    {
        let reply = login(&app, email, password).await;
        assert_eq!((reply.status, &reply.text), (wrong.status, &wrong.text), "{email}");
        assert_eq!(headers(&reply), headers(&wrong), "{email}");
    }
    assert_eq!(app.count("sessions"), 1);
}

#[tokio::test]
async fn an_empty_login_is_told_so() {
    let app = TestApp::start().await;
    for (body, field) in [
        (json!({}), "username"),
        (json!({ "username": " ", "password": "x" }), "username"),
        (json!({ "email": "ada@example.com" }), "password"),
        (json!({ "email": "ada@example.com", "password": "" }), "password"),
    ] {
        let reply = app.post("/api/user/login", body).await;
        reply.fails(422, "validation_failed", "Please specify an email or password.");
        assert_eq!(reply.json()["field"], field);
    }
    assert_eq!(app.count("rate_limits"), 0);
}

#[tokio::test]
async fn an_old_hash_is_renewed_at_the_next_login() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    // The same password, hashed with less memory and in one pass.
    let old = "$argon2id$v=19$m=64,t=1,p=1$YW4gb2xkIHNhbHQgb2YgMTY$xRiOhKBW7f+iUk9lT/G2Vjxz8U4nGZdWz7b/wj4ak0M";
    app.sql(&format!("UPDATE users SET password_hash = '{old}'"));
    login(&app, "ada@example.com", "not the password").await.fails(400, "invalid_credentials", WRONG);
    assert_eq!(app.count(&format!("users WHERE password_hash = '{old}'")), 1);
    login(&app, "ada@example.com", PASSWORD).await.result();
    assert_eq!(app.count("users WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'"), 1);
    login(&app, "ada@example.com", PASSWORD).await.result();
}

#[tokio::test]
async fn a_token_lasts_an_hour_and_a_refresh_brings_the_next() {
    let app = TestApp::start().await;
    let signed_up = register(&app, "ada@example.com").await;
    let first = token(&signed_up);
    app.env.advance(HOUR - SECOND);
    session(&app, &first).await.result();
    app.env.advance(SECOND);
    let expired = session(&app, &first).await;
    expired.fails(401, "unauthenticated", NOBODY);
    assert_eq!(expired.json()["notLoggedIn"], true);
    // Also on a call that is public.
    let public = reply(Client::new().get(format!("{}/api/categories", app.address)).bearer_auth(&first)).await;
    public.fails(401, "unauthenticated", NOBODY);

    let refreshed = refresh(&app, &secret(&signed_up)).await;
    assert_eq!(refreshed.result()["user"], signed_up.result()["user"]);
    assert_ne!(secret(&refreshed), secret(&signed_up));
    session(&app, &token(&refreshed)).await.result();
    app.env.advance(20 * 24 * HOUR);
    let again = refresh(&app, &secret(&refreshed)).await;
    session(&app, &token(&again)).await.result();
    app.env.advance(30 * 24 * HOUR);
    refresh(&app, &secret(&again)).await.fails(401, "session_ended", ENDED);
    assert_eq!(app.count("sessions"), 1);
}

#[tokio::test]
async fn fifty_refreshes_at_once_get_one_successor() {
    let app = TestApp::start().await;
    let first = secret(&register(&app, "ada@example.com").await);
    let replies = futures_util::future::join_all((0..50).map(|_| refresh(&app, &first))).await;
    let successors: HashSet<String> = replies.iter().map(secret).collect();
    assert_eq!(successors.len(), 1);
    for reply in &replies {
        session(&app, &token(reply)).await.result();
    }
    assert_eq!(app.count("refresh_secrets"), 2);
    assert_eq!(app.count("sessions WHERE revoked_at IS NULL"), 1);
}

#[tokio::test]
async fn a_secret_that_comes_back_within_ten_seconds_gets_the_same_successor() {
    let app = TestApp::start().await;
    let first = secret(&register(&app, "ada@example.com").await);
    let second = secret(&refresh(&app, &first).await);
    app.env.advance(10 * SECOND);
    assert_eq!(secret(&refresh(&app, &first).await), second);
    assert_ne!(secret(&refresh(&app, &second).await), second);
}

#[tokio::test]
async fn a_secret_that_comes_back_later_ends_the_session_at_once() {
    let app = TestApp::start().await;
    let signed_up = register(&app, "ada@example.com").await;
    let elsewhere = login(&app, "ada@example.com", PASSWORD).await;
    let refreshed = refresh(&app, &secret(&signed_up)).await;
    session(&app, &token(&refreshed)).await.result();
    app.env.advance(10 * SECOND + 1);
    let replayed = refresh(&app, &secret(&signed_up)).await;
    replayed.fails(401, "session_ended", ENDED);
    assert_eq!(secret(&replayed), "");
    // Neither the rightful successor nor any token of the session is worth anything now.
    refresh(&app, &secret(&refreshed)).await.fails(401, "session_ended", ENDED);
    for lost in [&signed_up, &refreshed] {
        session(&app, &token(lost)).await.fails(401, "unauthenticated", NOBODY);
    }
    session(&app, &token(&elsewhere)).await.result();
    refresh(&app, &secret(&elsewhere)).await.result();
}

#[tokio::test]
async fn a_refresh_without_a_secret_of_ours_is_final() {
    let app = TestApp::start().await;
    app.post("/api/user/refresh-token", json!({})).await.fails(401, "session_ended", ENDED);
    for nonsense in ["", "x", &"A".repeat(43), "../../etc/passwd"] {
        let reply = refresh(&app, nonsense).await;
        reply.fails(401, "session_ended", ENDED);
        assert_eq!(reply.json()["notLoggedIn"], true);
        assert!(cookie(&reply, "refresh").unwrap().1.contains("max-age=0"));
    }
}

#[tokio::test]
async fn a_logout_ends_the_session_at_once_by_token_or_cookie() {
    let app = TestApp::start().await;
    let by_token = register(&app, "ada@example.com").await;
    let by_cookie = login(&app, "ada@example.com", PASSWORD).await;
    let third = login(&app, "ada@example.com", PASSWORD).await;
    for signed_in in [&by_token, &by_cookie, &third] {
        session(&app, &token(signed_in)).await.result();
    }

    let request = Client::new().post(format!("{}/api/user/logout", app.address)).bearer_auth(token(&by_token));
    let out = reply(request).await;
    assert_eq!(out.result(), json!({}));
    for name in ["refresh", "isPaid"] {
        let (value, attributes) = cookie(&out, name).unwrap();
        assert!(value.is_empty() && attributes.contains("max-age=0"), "{name}");
    }
    let cookies = format!("refresh={}", secret(&by_cookie));
    with_cookie(&app, "/api/user/logout", &cookies, None).await.result();

    for signed_out in [&by_token, &by_cookie] {
        session(&app, &token(signed_out)).await.fails(401, "unauthenticated", NOBODY);
        refresh(&app, &secret(signed_out)).await.fails(401, "session_ended", ENDED);
    }
    session(&app, &token(&third)).await.result();

    // It succeeds without a session too.
    with_cookie(&app, "/api/user/logout", &cookies, None).await.result();
    app.post("/api/user/logout", json!({})).await.result();
    let stale = Client::new().post(format!("{}/api/user/logout", app.address)).bearer_auth("nonsense");
    reply(stale).await.result();
}

#[tokio::test]
async fn a_browser_stays_signed_in_by_its_cookies() {
    let app = TestApp::start().await;
    let person: Person = app.sign_up("ada@example.com").await;
    for _ in 0..3 {
        app.env.advance(2 * HOUR);
        app.get_as(&person, "/api/user/session").await.fails(401, "unauthenticated", NOBODY);
        let again = reply(person.client.post(format!("{}/api/user/refresh-token", app.address))).await;
        session(&app, &token(&again)).await.result();
    }
    reply(person.client.post(format!("{}/api/user/logout", app.address))).await.result();
    let gone = reply(person.client.post(format!("{}/api/user/refresh-token", app.address))).await;
    gone.fails(401, "session_ended", ENDED);
}

#[tokio::test]
async fn an_altered_or_foreign_token_is_nobodys() {
    let (app, other) =
        (TestApp::start().await, TestApp::start_with(&[("PITH_SECRET", &"another secret ".repeat(3))]).await);
    let mine = token(&register(&app, "ada@example.com").await);
    session(&app, &mine).await.result();
    // Both have user 1, session 1 and key 1, and other bytes in the key.
    other.env.fill_random(&mut [0; 50]);
    let foreign = token(&register(&other, "ada@example.com").await);
    let mut altered = mine.clone().into_bytes();
    for at in (0..altered.len()).step_by(7) {
        let kept = altered[at];
        altered[at] = if kept == b'A' { b'B' } else { b'A' };
        let text = String::from_utf8(altered.clone()).unwrap();
        session(&app, &text).await.fails(401, "unauthenticated", NOBODY);
        altered[at] = kept;
    }
    for text in [foreign.as_str(), "", "x", &mine[1..], &format!("{mine}="), &format!("{mine}A")] {
        session(&app, text).await.fails(401, "unauthenticated", NOBODY);
    }
    let basic = Client::new().get(format!("{}/api/user/session", app.address)).basic_auth("ada", Some(PASSWORD));
    reply(basic).await.fails(401, "unauthenticated", NOBODY);
    app.get("/api/user/session").await.fails(401, "unauthenticated", NOBODY);
}

#[tokio::test]
async fn a_new_role_signs_out_everywhere() {
    let app = TestApp::start().await;
    let person = app.sign_up("ada@example.com").await;
    app.get_as(&person, "/api/user/session").await.result();
    let (email, now) = (Email::parse("ada@example.com").unwrap(), app.env.now());
    app.app.db.write_now::<_, kernel::StoreError>(|pg| pg.grant_role(&email, Role::Editor, now)).unwrap();
    app.get_as(&person, "/api/user/session").await.fails(401, "unauthenticated", NOBODY);
    // The role itself waits for a second factor.
    assert_eq!(login(&app, "ada@example.com", PASSWORD).await.result()["user"]["role"], "member");
    assert_eq!(app.count("users WHERE role = 'editor'"), 1);
}

#[tokio::test]
async fn three_logins_at_once_then_three_a_minute() {
    let app = TestApp::start_with(&[("RATE_LIMIT_LOGIN", "3/60")]).await;
    app.sign_up("ada@example.com").await;
    let replies =
        futures_util::future::join_all((0..50).map(|n| {
            let app = &app;
            // Whichever account is tried, the address of the network is the same.
            async move {
                login(app, if n % 2 == 0 { "ada@example.com" } else { "eve@example.com" }, "not the password").await
            }
        }))
        .await;
    let (refused, tried): (Vec<_>, Vec<_>) =
        replies.iter().partition(|reply| reply.status == StatusCode::TOO_MANY_REQUESTS);
    assert_eq!((tried.len(), refused.len()), (3, 47));
    for reply in refused {
        reply.fails(429, "too_many_tries", "Too many attempts. Please try again in 20 seconds.");
        assert_eq!(reply.headers[header::RETRY_AFTER], "20");
    }
    app.env.advance(20 * SECOND - 1);
    assert_eq!(login(&app, "ada@example.com", PASSWORD).await.headers[header::RETRY_AFTER], "1");
    app.env.advance(1);
    // The right password is no guess.
    for _ in 0..3 {
        login(&app, "ada@example.com", PASSWORD).await.result();
    }
    assert_eq!(login(&app, "ada@example.com", "not the password").await.status, StatusCode::BAD_REQUEST);
    assert_eq!(login(&app, "ada@example.com", PASSWORD).await.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn sign_ups_are_limited_and_mistakes_do_not_count() {
    let app = TestApp::start_with(&[("RATE_LIMIT_SIGNUP", "3/3600")]).await;
    for _ in 0..5 {
        assert_eq!(register(&app, "not an address").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    for email in ["a@example.com", "b@example.com", "a@example.com"] {
        assert_ne!(register(&app, email).await.status, StatusCode::TOO_MANY_REQUESTS);
    }
    let refused = register(&app, "c@example.com").await;
    assert_eq!(
        (refused.status, &refused.headers[header::RETRY_AFTER]),
        (StatusCode::TOO_MANY_REQUESTS, &"1200".parse().unwrap())
    );
    // Another person's words about where they come from change nothing.
    let spoofed = app.request(Method::POST, "/api/user/register").header("X-Forwarded-For", "203.0.113.9");
    let spoofed = reply(spoofed.header("Forwarded", "for=203.0.113.9").json(&form("c@example.com"))).await;
    assert_eq!(spoofed.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(app.count("users"), 2);
    app.env.advance(20 * MINUTE);
    register(&app, "c@example.com").await.result();
}

#[tokio::test]
async fn behind_a_trusted_proxy_everybody_has_limits_of_their_own() {
    let app = TestApp::start_with(&[("RATE_LIMIT_SIGNUP", "1/3600"), ("TRUSTED_PROXIES", "127.0.0.1")]).await;
    let from = async |email: &str, addresses: &str| {
        let request = app.request(Method::POST, "/api/user/register").header("X-Forwarded-For", addresses);
        reply(request.json(&form(email))).await.status
    };
    assert_eq!(from("a@example.com", "203.0.113.9").await, StatusCode::OK);
    assert_eq!(from("b@example.com", "203.0.113.10").await, StatusCode::OK);
    // The proxy adds whom it saw at the end; what stands before is the stranger's own.
    assert_eq!(from("c@example.com", "192.0.2.1, 203.0.113.9").await, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn an_accounts_limit_does_not_lock_its_owner_out() {
    let app = TestApp::start_with(&[("RATE_LIMIT_LOGIN_ACCOUNT", "2/3600")]).await;
    let owner = register(&app, "ada@example.com").await;
    for email in ["ada@example.com", "eve@example.com"] {
        for _ in 0..2 {
            login(&app, email, "not the password").await.fails(400, "invalid_credentials", WRONG);
        }
        // An address that nobody has is no different.
        assert_eq!(login(&app, email, PASSWORD).await.status, StatusCode::TOO_MANY_REQUESTS, "{email}");
    }
    let device = cookie(&owner, "device").unwrap();
    assert!(device.1.contains("httponly") && device.1.contains("path=/api/user"));
    let known = format!("device={}", device.0);
    let body = Some(credentials("ada@example.com", PASSWORD));
    with_cookie(&app, "/api/user/login", &known, body).await.result();
    // Another person's device is a stranger's.
    let other = cookie(&register(&app, "bob@example.com").await, "device").unwrap().0;
    let body = Some(credentials("ada@example.com", PASSWORD));
    let refused = with_cookie(&app, "/api/user/login", &format!("device={other}"), body).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_rotate_while_requests_run_and_nobody_is_signed_out() {
    let app = TestApp::start().await;
    let signed_up = register(&app, "ada@example.com").await;
    let old = token(&signed_up);
    let signs = async || format!("{:?}", app.app.keys().await.unwrap().ring).contains("signing: 2");
    assert!(!signs().await);

    let requests = async {
        for _ in 0..40 {
            session(&app, &old).await.result();
        }
    };
    // Another process does it, as the operator's command is one.
    let rotation = async {
        let config = postgres::DbConfig {
            url: app.database.url().to_owned(),
            direct_url: None,
            replica_url: None,
            read_connections: 1,
            write_connections: 1,
            wait: std::time::Duration::from_secs(10),
        };
        let (seal, env) = (app.app.seal.clone(), std::sync::Arc::clone(&app.app.env));
        let elsewhere = postgres::Db::new(&config, "elsewhere");
        elsewhere.write::<_, IdentityError, _>(move |pg| pg.rotate_root_key(&seal, &*env).map(|_| ())).await.unwrap();
    };
    let renewals = async {
        let mut held = secret(&signed_up);
        for _ in 0..20 {
            let reply = refresh(&app, &held).await;
            session(&app, &token(&reply)).await.result();
            held = secret(&reply);
        }
        held
    };
    let ((), (), held) = futures_util::future::join3(requests, rotation, renewals).await;

    // At the latest after half a minute the new key signs here too; tokens of the old one stay good for their hour.
    app.env.advance(30 * SECOND);
    let refreshed = refresh(&app, &held).await;
    assert!(signs().await);
    session(&app, &token(&refreshed)).await.result();
    session(&app, &old).await.result();
    app.env.advance(HOUR - 30 * SECOND);
    session(&app, &old).await.fails(401, "unauthenticated", NOBODY);
    assert_eq!(app.count("root_keys WHERE retired_at IS NULL"), 1);
    assert_eq!(app.count("root_keys"), 2);
}

#[tokio::test]
async fn another_sites_page_can_not_use_the_cookies() {
    let app = TestApp::start().await;
    let cookies = format!("refresh={}", secret(&register(&app, "ada@example.com").await));
    for (name, value) in [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site"), ("Origin", "null")] {
        for path in ["/api/user/refresh-token", "/api/user/logout", "/api/user/login"] {
            let request = Client::new().post(format!("{}{path}", app.address)).header(header::COOKIE, &cookies);
            let reply = reply(request.header(name, value)).await;
            assert_eq!((reply.status, &reply.json()["code"]), (StatusCode::FORBIDDEN, &json!("cross_site")), "{path}");
        }
    }
    with_cookie(&app, "/api/user/refresh-token", &cookies, None).await.result();
}

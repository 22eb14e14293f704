//! Ways back in over HTTP: a new password by a mailed link, a login by a mailed link or six digits, the confirmation
//! of an address; what they tell strangers, and how often they may be tried.

use std::collections::BTreeMap;

use crate::harness::{PASSWORD, Person, Reply, TestApp, mails::secret_of, reply};
use identity::{IdentityQueries, PasswordHash, Recovery};
use kernel::{Env, HOUR, MINUTE};
use mail::Mail;
use reqwest::{Client, Method, StatusCode, header};
use serde_json::{Value, json};

const LINK_INVALID: &str = "This link has expired or was already used. Please ask for a new one.";
const CODE_INVALID: &str = "This code is wrong or has expired. Please check it or ask for a new one.";
const NEW: &str = "quite another password";

async fn forgot(app: &TestApp, email: &str) -> Reply {
    app.put("/api/user/forgot-password", json!({ "email": email })).await
}

async fn reset(app: &TestApp, email: &str, code: &str, password: &str) -> Reply {
    let body = json!({ "password1": password, "password2": password, "code": code, "email": email });
    app.put("/api/user/reset-password", body).await
}

async fn ask_for_link(app: &TestApp, email: &str) -> Reply {
    app.post("/api/user/login-link", json!({ "email": email })).await
}

async fn log_in_by_code(app: &TestApp, email: &str, code: &str) -> Reply {
    app.post("/api/user/login-code", json!({ "email": email, "code": code })).await
}

async fn trade(app: &TestApp, token: &str) -> Reply {
    reply(Client::new().get(format!("{}/api/user/session", app.address)).bearer_auth(token)).await
}

/// What the button of the link's page does.
async fn press(app: &TestApp, token: &str) -> Reply {
    app.post("/api/user/login-link/session", json!({ "token": token })).await
}

/// The link of the newest mail for a new password to this address.
fn reset_link(app: &TestApp, email: &str) -> String {
    let mut mails = app.mails_to(email).into_iter().rev();
    mails.find_map(|mail| if let Mail::ResetPassword { link, .. } = mail { Some(link) } else { None }).unwrap()
}

/// The link and the digits of the newest mail that lets this address log in.
fn login_mail(app: &TestApp, email: &str) -> (String, String) {
    let mut mails = app.mails_to(email).into_iter().rev();
    let login = |mail| if let Mail::LoginLink { link, code, .. } = mail { Some((link, code)) } else { None };
    mails.find_map(login).unwrap()
}

/// The link of the newest mail that asks for the confirmation of this address.
fn confirm_link(app: &TestApp, email: &str) -> String {
    let mut mails = app.mails_to(email).into_iter().rev();
    mails
        .find_map(|mail| match mail {
            Mail::ConfirmEmail { link, .. } | Mail::ConfirmNewEmail { link, .. } => Some(link),
            _ => None,
        })
        .unwrap()
}

/// Everything of an answer that a stranger can compare.
fn shape(reply: &Reply) -> (StatusCode, BTreeMap<String, String>, String) {
    let headers = reply.headers.iter().filter(|(name, _)| **name != header::DATE && name.as_str() != "x-request-id");
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    (reply.status, headers, reply.text.clone())
}

#[tokio::test]
async fn a_mailed_link_sets_a_new_password() {
    let app = TestApp::start().await;
    let ada = app.sign_up("Ada+x@example.com").await;
    let elsewhere = app.log_in("ada+x@example.com", PASSWORD).await;
    app.forget_mails();
    assert_eq!(forgot(&app, " ada+x@EXAMPLE.com ").await.result(), json!({}));
    let link = reset_link(&app, "Ada+x@example.com");
    let code = secret_of(&link);
    assert_eq!(link, format!("{}/reset-password/Ada%2Bx%40example.com/{code}", app.address));
    assert_eq!(app.count(&format!("single_use_secrets WHERE encode(hash, 'escape') LIKE '%{code}%'")), 0);
    assert_eq!(app.count("single_use_secrets WHERE purpose = 'reset_password'"), 1);

    assert_eq!(reset(&app, "ada+x@example.com", &code, NEW).await.result(), json!({}));
    for person in [&ada, &elsewhere] {
        app.get_as(person, "/api/user/account").await.fails(401, "unauthenticated", "Please log in.");
        let again = reply(person.client.post(format!("{}/api/user/refresh-token", app.address))).await;
        again.fails(401, "session_ended", "Your session has ended. Please log in again.");
    }
    let old = app.post("/api/user/login", json!({ "username": "ada+x@example.com", "password": PASSWORD })).await;
    old.fails(400, "invalid_credentials", "The email or password is not correct.");
    assert_eq!(app.log_in("ada+x@example.com", NEW).await.user["emailConfirmed"], true);
    assert!(app.mails_to("Ada+x@example.com").iter().any(|mail| matches!(mail, Mail::PasswordChanged { .. })));
    reset(&app, "ada+x@example.com", &code, PASSWORD).await.fails(400, "code_invalid", LINK_INVALID);
}

/// Holds a request up where it hashes a password, and lets `meanwhile` happen before it goes on. `tries` counts the
/// rows that tell that it has come so far.
async fn held_up(
    app: &TestApp,
    request: impl Future<Output = Reply> + Send + 'static,
    tries: &str,
    meanwhile: impl FnOnce(&mut postgres::Pg<'_>) -> Result<(), kernel::StoreError>,
) -> Reply {
    let cores = u32::try_from(app.app.passwords.turns().available_permits()).unwrap();
    let turns = app.app.passwords.turns().clone().acquire_many_owned(cores).await.unwrap();
    let running = tokio::spawn(request);
    while app.count(tries) == 0 {
        tokio::task::yield_now().await;
    }
    app.app.db.write_now::<_, kernel::StoreError>(meanwhile).unwrap();
    drop(turns);
    running.await.unwrap()
}

/// Does what a person does who follows the link for a new password.
fn set_new_password(pg: &mut postgres::Pg<'_>, env: &dyn Env, id: i64) -> Result<(), kernel::StoreError> {
    let user = pg.user(kernel::UserId::from_store(id))?.unwrap();
    let code = pg.issue_reset(user.id, env)?.token;
    let hash = PasswordHash::of(NEW, env);
    pg.reset_password(&code, &user.email, &hash, env.now())?.unwrap();
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_password_that_was_verified_before_a_reset_lets_nobody_in_after_it() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let body = json!({ "username": "ada@example.com", "password": PASSWORD });
    let login = reply(app.request(Method::POST, "/api/user/login").json(&body));
    let env = app.env.clone();
    let late =
        held_up(&app, login, "rate_limits WHERE key LIKE 'login account%'", |pg| set_new_password(pg, &*env, ada.id()));
    late.await.fails(400, "invalid_credentials", "The email or password is not correct.");
    assert_eq!(app.count("sessions WHERE revoked_at IS NULL"), 0);
    app.log_in("ada@example.com", NEW).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_a_reset_ended_changes_neither_password_nor_address() {
    let app = TestApp::start().await;
    for (email, path, body) in [
        (
            "ada@example.com",
            "/api/user/password",
            json!({ "password1": "the thief's own", "password2": "the thief's own" }),
        ),
        ("bob@example.com", "/api/user/email", json!({ "email": "thief@example.com" })),
    ] {
        let owner = app.sign_up(email).await;
        app.forget_mails();
        let mut body = body;
        body["currentPassword"] = json!(PASSWORD);
        let request = app.request(Method::PUT, path).bearer_auth(&owner.token).json(&body);
        let (env, tries) = (app.env.clone(), format!("rate_limits WHERE key LIKE 'password %{}'", owner.id()));
        let late = held_up(&app, reply(request), &tries, |pg| set_new_password(pg, &*env, owner.id())).await;
        late.fails(401, "session_ended", "Your session has ended. Please log in again.");
        app.log_in(email, NEW).await;
    }
    assert_eq!(app.count("single_use_secrets WHERE purpose = 'change_email'"), 0);
}

#[tokio::test]
async fn a_reset_code_is_good_for_its_address_for_an_hour_and_until_the_next() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    app.sign_up("bob@example.com").await;
    forgot(&app, "ada@example.com").await.result();
    let first = secret_of(&reset_link(&app, "ada@example.com"));
    forgot(&app, "ada@example.com").await.result();
    let code = secret_of(&reset_link(&app, "ada@example.com"));
    for (email, code) in
        [("ada@example.com", first.as_str()), ("bob@example.com", &code), ("nonsense", &code), ("ada@example.com", "")]
    {
        reset(&app, email, code, NEW).await.fails(400, "code_invalid", LINK_INVALID);
    }
    app.env.advance(HOUR);
    reset(&app, "ada@example.com", &code, NEW).await.fails(400, "code_invalid", LINK_INVALID);
    app.env.advance(-1);
    reset(&app, "ada@example.com", &code, NEW).await.result();
}

#[tokio::test]
async fn the_new_passwords_are_compared_and_held_to_the_rules() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    forgot(&app, "ada@example.com").await.result();
    let code = secret_of(&reset_link(&app, "ada@example.com"));
    let cases = [
        (NEW, "quite another", "password2", "The passwords do not match."),
        ("seven77", "seven77", "password1", "Please choose a password of at least 8 characters."),
        ("PassWord123", "PassWord123", "password1", "This password is easy to guess. Please choose another one."),
    ];
    for (one, two, field, text) in cases {
        let body = json!({ "password1": one, "password2": two, "code": code, "email": "ada@example.com" });
        let refused = app.put("/api/user/reset-password", body).await;
        refused.fails(422, "validation_failed", text);
        assert_eq!(refused.json()["field"], field);
    }
    let nothing = app.put("/api/user/forgot-password", json!({ "email": "ada@example" })).await;
    nothing.fails(422, "validation_failed", "Please specify a valid email address.");
    assert_eq!(nothing.json()["field"], "email");
    reset(&app, "ada@example.com", &code, NEW).await.result();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_uses_of_a_link_at_the_same_moment_one_wins() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    forgot(&app, "ada@example.com").await.result();
    let code = secret_of(&reset_link(&app, "ada@example.com"));
    let passwords: Vec<String> = (0..20).map(|n| format!("password number {n}")).collect();
    let uses = passwords.iter().map(|password| reset(&app, "ada@example.com", &code, password));
    let replies = futures_util::future::join_all(uses).await;
    let won: Vec<_> = replies.iter().zip(&passwords).filter(|(reply, _)| reply.status == StatusCode::OK).collect();
    assert_eq!(won.len(), 1);
    app.log_in("ada@example.com", won[0].1).await;
    for (lost, _) in replies.iter().zip(&passwords).filter(|(reply, _)| reply.status != StatusCode::OK) {
        lost.fails(400, "code_invalid", LINK_INVALID);
    }
    let told = app.mails_to("ada@example.com");
    assert_eq!(told.iter().filter(|mail| matches!(mail, Mail::PasswordChanged { .. })).count(), 1);
}

#[tokio::test]
async fn a_poisoned_host_changes_no_link() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    for path in ["/api/user/forgot-password", "/api/user/login-link"] {
        let method = if path.ends_with("password") { Method::PUT } else { Method::POST };
        let request =
            app.request(method, path).header("Host", "evil.example").header("X-Forwarded-Host", "evil.example");
        let request = request.header("Forwarded", "host=evil.example").header("X-Forwarded-Proto", "gopher");
        reply(request.json(&json!({ "email": "ada@example.com" }))).await.result();
    }
    for link in [reset_link(&app, "ada@example.com"), login_mail(&app, "ada@example.com").0] {
        assert!(link.starts_with(&format!("{}/", app.address)), "{link}");
    }
}

#[tokio::test]
async fn what_is_answered_does_not_tell_which_addresses_are_known() {
    let app = TestApp::start().await;
    app.sign_up("known@example.com").await;
    app.forget_mails();
    for (method, path, body) in [
        (Method::PUT, "/api/user/forgot-password", json!({})),
        (Method::POST, "/api/user/login-link", json!({ "redirect": "/books" })),
        (Method::POST, "/api/user/login-code", json!({ "code": "000000" })),
        (Method::POST, "/api/user/login", json!({ "password": "not the password" })),
    ] {
        let ask = async |email: &str| {
            let mut body = body.clone();
            body["email"] = json!(email);
            shape(&reply(app.request(method.clone(), path).json(&body)).await)
        };
        let rows =
            |app: &TestApp| ["jobs", "rate_limits", "single_use_secrets", "sessions"].map(|table| app.count(table));
        let (before, known) = (rows(&app), ask("known@example.com").await);
        let between = rows(&app);
        let (unknown, after) = (ask("unknown@example.com").await, rows(&app));
        assert_eq!(known, unknown, "{path}");
        // What they leave in the database is the same too, but for the network's limit, of which there is one row.
        let left = |from: [i64; 4], to: [i64; 4]| [to[0] - from[0], to[2] - from[2], to[3] - from[3]];
        assert_eq!(left(before, between), left(between, after), "{path}");
    }
    assert_eq!(app.answer_asked(), 4);
    assert!(app.mails_to("unknown@example.com").is_empty());
    assert_eq!(app.mails_to("known@example.com").len(), 2);
}

#[tokio::test]
async fn a_mailed_link_signs_in_once_and_by_a_button() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let body = json!({ "email": "ada@example.com", "redirect": "/books?q=a%20b" });
    app.post("/api/user/login-link", body).await.result();
    let (link, _) = login_mail(&app, "ada@example.com");
    let token = secret_of(&link);
    assert_eq!(link, format!("{}/login-link?redirect=%2Fbooks%3Fq%3Da%2520b#{token}", app.address));
    // A scanner of mails that follows the link never sends what stands behind `#`.
    // In the address of another page it signs nobody in, and stays good.
    trade(&app, &token).await.fails(400, "code_invalid", LINK_INVALID);
    let first = press(&app, &token).await;
    assert_eq!(first.result()["user"]["id"], ada.user["id"]);
    assert!(
        first.headers.get_all(header::SET_COOKIE).iter().any(|line| line.to_str().unwrap().starts_with("refresh="))
    );
    let access = first.result()["token"].as_str().unwrap().to_owned();
    assert_eq!(trade(&app, &access).await.result()["token"], access);
    press(&app, &token).await.fails(400, "code_invalid", LINK_INVALID);

    ask_for_link(&app, "ada@example.com").await.result();
    let token = secret_of(&login_mail(&app, "ada@example.com").0);
    app.env.advance(15 * MINUTE);
    press(&app, &token).await.fails(400, "code_invalid", LINK_INVALID);
    press(&app, &"A".repeat(43)).await.fails(400, "code_invalid", LINK_INVALID);
    press(&app, "").await.fails(400, "code_invalid", LINK_INVALID);
    trade(&app, &"A".repeat(43)).await.fails(400, "code_invalid", LINK_INVALID);
}

#[tokio::test]
async fn a_link_leads_on_to_paths_of_this_site_only() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    for elsewhere in ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "books"] {
        let body = json!({ "email": "ada@example.com", "redirect": elsewhere });
        app.post("/api/user/login-link", body).await.result();
        let (link, _) = login_mail(&app, "ada@example.com");
        assert!(link.starts_with(&format!("{}/login-link#", app.address)), "{link}");
    }
}

#[tokio::test]
async fn six_digits_sign_in_and_the_fifth_wrong_try_burns_them() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    app.sign_up("bob@example.com").await;
    ask_for_link(&app, "ada@example.com").await.result();
    let (link, code) = login_mail(&app, "ada@example.com");
    log_in_by_code(&app, "bob@example.com", &code).await.fails(400, "code_invalid", CODE_INVALID);
    let spaced = format!(" {} {} ", &code[..3], &code[3..]);
    let signed_in = log_in_by_code(&app, "ADA@example.com", &spaced).await;
    assert_eq!(signed_in.result()["user"]["email"], "ada@example.com");
    log_in_by_code(&app, "ada@example.com", &code).await.fails(400, "code_invalid", CODE_INVALID);
    press(&app, &secret_of(&link)).await.fails(400, "code_invalid", LINK_INVALID);

    ask_for_link(&app, "ada@example.com").await.result();
    let (link, code) = login_mail(&app, "ada@example.com");
    let wrong = if code == "123456" { "654321" } else { "123456" };
    for _ in 0..5 {
        log_in_by_code(&app, "ada@example.com", wrong).await.fails(400, "code_invalid", CODE_INVALID);
    }
    log_in_by_code(&app, "ada@example.com", &code).await.fails(400, "code_invalid", CODE_INVALID);
    press(&app, &secret_of(&link)).await.fails(400, "code_invalid", LINK_INVALID);
    // The same happens at an address that nobody has.
    ask_for_link(&app, "eve@example.com").await.result();
    app.answer_asked();
    let waiting = "single_use_secrets WHERE purpose = 'login_link' AND user_id IS NULL";
    assert_eq!(app.count(waiting), 1);
    for _ in 0..5 {
        log_in_by_code(&app, "eve@example.com", wrong).await.fails(400, "code_invalid", CODE_INVALID);
    }
    assert_eq!(app.count(waiting), 0);
}

#[tokio::test]
async fn a_token_is_traded_in_the_browser_only_in_which_the_flow_began() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let token = "k".repeat(42) + "A";
    app.sql(&format!(
        "INSERT INTO single_use_secrets (hash, purpose, user_id, binding, created_at, expires_at) \
             VALUES (sha256('{token}'), 'arrival', {}, sha256('the cookie'), now(), '2030-01-01')",
        ada.id()
    ));
    trade(&app, &token).await.fails(400, "code_invalid", LINK_INVALID);
    let with = |cookie: &str| {
        let request = Client::new().get(format!("{}/api/user/session", app.address)).bearer_auth(&token);
        reply(request.header(header::COOKIE, format!("flow={cookie}")))
    };
    with("another").await.fails(400, "code_invalid", LINK_INVALID);
    assert_eq!(with("the cookie").await.result()["user"]["id"], ada.user["id"]);
    with("the cookie").await.fails(400, "code_invalid", LINK_INVALID);
}

#[tokio::test]
async fn a_new_member_confirms_the_address_by_a_mailed_link() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!((&ada.user["emailConfirmed"], &ada.user["hasPassword"]), (&json!(false), &json!(true)));
    let link = confirm_link(&app, "ada@example.com");
    assert!(link.starts_with(&format!("{}/confirm-email#", app.address)), "{link}");
    app.post_as(&ada, "/api/user/confirm-email/send", json!({})).await.result();
    let newer = confirm_link(&app, "ada@example.com");
    assert_ne!(link, newer);
    let confirm = async |code: &str| app.post_as(&ada, "/api/user/confirm-email", json!({ "code": code })).await;
    confirm(&secret_of(&link)).await.fails(400, "code_invalid", LINK_INVALID);
    confirm("").await.fails(400, "code_invalid", LINK_INVALID);
    assert_eq!(confirm(&secret_of(&newer)).await.result(), json!({ "passwordRemoved": false }));
    confirm(&secret_of(&newer)).await.fails(400, "code_invalid", LINK_INVALID);
    assert_eq!(app.get_as(&ada, "/api/user/account").await.result()["user"]["emailConfirmed"], true);
    app.forget_mails();
    app.post_as(&ada, "/api/user/confirm-email/send", json!({})).await.result();
    assert!(app.mails().is_empty());
}

/// Sends the same until the limit refuses; gives how often it was let through, and the refusal.
async fn until_refused(send: impl AsyncFn(usize) -> Reply) -> (usize, Reply) {
    for count in 0..50 {
        let reply = send(count).await;
        if reply.status == StatusCode::TOO_MANY_REQUESTS {
            return (count, reply);
        }
    }
    panic!("fifty tries were let through");
}

#[tokio::test]
async fn every_call_has_its_limit_and_says_when_to_try_again() {
    let limits = [
        ("RATE_LIMIT_RECOVERY", "2/3600"),
        ("RATE_LIMIT_RESET", "3/3600"),
        ("RATE_LIMIT_LOGIN_LINK", "4/3600"),
        ("RATE_LIMIT_CODE", "5/3600"),
        ("RATE_LIMIT_CONFIRM", "2/3600"),
        ("RATE_LIMIT_PASSWORD", "3/900"),
        ("RATE_LIMIT_ARRIVAL", "6/60"),
    ];
    let app = TestApp::start_with(&limits).await;
    let ada = app.sign_up("ada@example.com").await;
    // Whichever address is asked for: the network's limit counts.
    let someone = |count: usize| format!("person{count}@example.com");
    let calls: [(&str, usize, u64, Reply); 8] = {
        let refused = |name, (count, reply): (usize, Reply), expected, wait| {
            assert_eq!(count, expected, "{name}");
            (name, count, wait, reply)
        };
        let password = json!({ "currentPassword": "wrong", "password1": NEW, "password2": NEW });
        [
            refused("forgot", until_refused(async |n| forgot(&app, &someone(n)).await).await, 2, 1800),
            refused("reset", until_refused(async |n| reset(&app, &someone(n), "x", NEW).await).await, 3, 1200),
            refused("link", until_refused(async |n| ask_for_link(&app, &someone(n)).await).await, 4, 900),
            refused("code", until_refused(async |n| log_in_by_code(&app, &someone(n), "1").await).await, 5, 720),
            refused(
                "confirm",
                until_refused(async |_| app.post("/api/user/confirm-email", json!({ "code": "x" })).await).await,
                3,
                1200,
            ),
            refused(
                "send",
                until_refused(async |_| app.post_as(&ada, "/api/user/confirm-email/send", json!({})).await).await,
                2,
                1800,
            ),
            refused(
                "password",
                until_refused(async |_| app.put_as(&ada, "/api/user/password", password.clone()).await).await,
                3,
                300,
            ),
            refused("arrival", until_refused(async |_| trade(&app, &"A".repeat(43)).await).await, 6, 10),
        ]
    };
    for (name, _, wait, reply) in calls {
        assert_eq!(reply.headers[header::RETRY_AFTER], wait.to_string().as_str(), "{name}");
        assert_eq!(reply.json()["code"], "too_many_tries", "{name}");
    }
}

#[tokio::test]
async fn an_accounts_limit_counts_wherever_the_tries_come_from_but_on_a_known_device() {
    let limits = [
        ("RATE_LIMIT_RECOVERY_ACCOUNT", "2/3600"),
        ("RATE_LIMIT_LOGIN_LINK_ACCOUNT", "2/3600"),
        ("RATE_LIMIT_CODE_ACCOUNT", "2/900"),
        ("TRUSTED_PROXIES", "127.0.0.1"),
    ];
    let app = TestApp::start_with(&limits).await;
    let (owner, other): (Person, Person) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let calls: [(Method, &str, Value, StatusCode); 3] = [
        (Method::PUT, "/api/user/forgot-password", json!({}), StatusCode::OK),
        (Method::POST, "/api/user/login-link", json!({}), StatusCode::OK),
        (Method::POST, "/api/user/login-code", json!({ "code": "000000" }), StatusCode::BAD_REQUEST),
    ];
    let send =
        async |client: &Client, (method, path, body, _): &(Method, &str, Value, StatusCode), email: &str, n: usize| {
            let mut body = body.clone();
            body["email"] = json!(email);
            let request = client.request(method.clone(), format!("{}{path}", app.address));
            reply(request.header("X-Forwarded-For", format!("203.0.113.{n}")).json(&body)).await.status
        };
    for call in &calls {
        for email in ["ada@example.com", "nobody@example.com"] {
            for n in 0..2 {
                assert_eq!(send(&Client::new(), call, email, n).await, call.3, "{} {email}", call.1);
            }
            assert_eq!(send(&Client::new(), call, email, 2).await, StatusCode::TOO_MANY_REQUESTS, "{} {email}", call.1);
        }
        assert_eq!(send(&owner.client, call, "ada@example.com", 3).await, call.3, "{}", call.1);
        let stranger = send(&other.client, call, "ada@example.com", 4).await;
        assert_eq!(stranger, StatusCode::TOO_MANY_REQUESTS, "{}", call.1);
    }
}

//! The second factor over HTTP: set-up, sign-in, recovery, limits, and the roles that need it.

use crate::harness::{self, PASSWORD, Person, Reply, TestApp};
use kernel::{Email, Env, MINUTE, SECOND, StoreError};
use mail::Mail;
use reqwest::Method;
use serde_json::{Value, json};
use totp_rs::TOTP;
use workflows::identity::second_factor;

const WRONG_CODE: &str = "That code is wrong or was already used. Please try the next one.";
const TOO_LONG: &str = "Your login took too long. Please log in again.";
const WANTED: &str = "Please enter the code from your authenticator app.";
const AGAIN: &str = "Please confirm that it is you with your password, a code we email you or a passkey.";
const BY_MAIL: &str = "Please confirm that this address is yours with a code we email you. Editors and admins must do this \
    before they set up their first second factor.";
const STEP: i64 = 30 * SECOND;

/// An authenticator app that was shown the server's picture.
struct Phone(TOTP);

impl Phone {
    fn code(&self, app: &TestApp) -> String {
        self.0.generate(app.env.now().millis().unsigned_abs() / 1000)
    }

    /// The next code that nobody has used yet.
    fn next_code(&self, app: &TestApp) -> String {
        app.env.advance(2 * STEP);
        self.code(app)
    }
}

/// Sets an authenticator app up; gives it with the recovery codes.
async fn set_up(app: &TestApp, person: &Person) -> (Phone, Vec<String>) {
    let setup = app.post_as(person, "/api/user/totp", json!({})).await.result();
    let phone = Phone(TOTP::from_url(setup["url"].as_str().unwrap()).unwrap());
    let codes = app.put_as(person, "/api/user/totp", json!({ "code": phone.code(app) })).await.result();
    let codes = codes["recoveryCodes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned());
    (phone, codes.collect())
}

async fn log_in(app: &TestApp, email: &str) -> Reply {
    app.post("/api/user/login", json!({ "username": email, "password": PASSWORD })).await
}

/// The ticket of a login that wants a code.
#[track_caller]
fn ticket(reply: &Reply) -> String {
    reply.fails(403, "second_factor_required", WANTED);
    reply.json()["ticket"].as_str().expect("a ticket").to_owned()
}

async fn second_step(app: &TestApp, ticket: &str, code: &str) -> Reply {
    app.post("/api/user/second-factor", json!({ "ticket": ticket, "code": code })).await
}

async fn security(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/user/security").await.result()
}

/// The sentences of the mails about what protects a person's account.
fn told(app: &TestApp, email: &str) -> Vec<String> {
    let changed = |mail| if let Mail::SecondFactorChanged { what, .. } = mail { Some(what) } else { None };
    app.mails_to(email).into_iter().filter_map(changed).collect()
}

#[tokio::test]
async fn an_app_is_set_up_with_its_first_code_and_asked_for_from_then_on() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(
        security(&app, &ada).await,
        json!({
            "emailConfirmed": false, "hasPassword": true, "pendingEmail": null,
            "secondFactor": { "totp": false, "recoveryCodesLeft": 0, "required": false, "strong": false },
            "passkeys": [], "passkeysAvailable": false, "providers": [],
        })
    );
    let setup = app.post_as(&ada, "/api/user/totp", json!({})).await.result();
    let secret = setup["secret"].as_str().unwrap();
    assert_eq!(secret.len(), 32);
    assert_eq!(setup["url"], format!("otpauth://totp/Pith:ada%40example.com?secret={secret}&issuer=Pith"));
    assert!(setup["qr"].as_str().unwrap().contains("<svg"));
    // Begun is not confirmed.
    app.put_as(&ada, "/api/user/totp", json!({ "code": "000000" })).await.fails(400, "code_invalid", WRONG_CODE);
    log_in(&app, "ada@example.com").await.result();

    let (phone, codes) = set_up(&app, &ada).await;
    assert_eq!(codes.len(), 10);
    let state = security(&app, &ada).await;
    assert_eq!(
        state["secondFactor"],
        json!({ "totp": true, "recoveryCodesLeft": 10, "required": false, "strong": true })
    );
    let text = "Your account already has an authenticator app. Please turn it off first.";
    app.post_as(&ada, "/api/user/totp", json!({})).await.fails(409, "already_there", text);

    let reply = log_in(&app, "ada@example.com").await;
    let ticket = ticket(&reply);
    assert!(reply.headers.get("set-cookie").is_none() && reply.json()["result"].is_null());
    let wrong = second_step(&app, &ticket, "000000").await;
    wrong.fails(400, "code_invalid", WRONG_CODE);
    assert_eq!(wrong.json()["field"], "code");
    let code = phone.next_code(&app);
    let result = second_step(&app, &ticket, &code).await.result();
    assert_eq!(result["user"]["id"], ada.id());
    // Neither ticket nor code are good twice.
    second_step(&app, &ticket, &phone.next_code(&app)).await.fails(400, "code_invalid", TOO_LONG);
    let other = self::ticket(&log_in(&app, "ada@example.com").await);
    let code = phone.next_code(&app);
    second_step(&app, &other, &code).await.result();
    let other = self::ticket(&log_in(&app, "ada@example.com").await);
    second_step(&app, &other, &code).await.fails(400, "code_invalid", WRONG_CODE);

    // What is stored tells nobody the secret.
    assert_eq!(app.count("totp WHERE position('12345678' in encode(sealed_secret, 'escape')) > 0"), 0);
    assert_eq!(
        told(&app, "ada@example.com"),
        ["An authenticator app was set up. Logging in asks for its code from now on."]
    );
}

#[tokio::test]
async fn a_ticket_is_good_for_five_minutes_and_lets_nobody_in_by_itself() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = set_up(&app, &ada).await;
    let late = ticket(&log_in(&app, "ada@example.com").await);
    app.env.advance(5 * MINUTE);
    let reply = second_step(&app, &late, &phone.code(&app)).await;
    reply.fails(400, "code_invalid", TOO_LONG);
    assert_eq!(reply.json()["field"], "ticket");
    let fresh = ticket(&log_in(&app, "ada@example.com").await);
    // The first of them trades other single-use tokens, but not this one.
    for (path, status) in [("/api/user/session", 400), ("/api/user/account", 401), ("/api/user/security", 401)] {
        let reply = harness::reply(app.request(Method::GET, path).bearer_auth(&fresh)).await;
        assert_eq!(reply.status, status, "{path}");
    }
    second_step(&app, "nonsense", &phone.code(&app)).await.fails(400, "code_invalid", TOO_LONG);
}

#[tokio::test]
async fn a_code_is_good_once_also_when_it_comes_many_times_at_once() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, recovery) = set_up(&app, &ada).await;
    let totp = phone.next_code(&app);
    let before = app.count("sessions");
    for code in [totp, recovery[0].clone()] {
        let mut tickets = Vec::new();
        for _ in 0..10 {
            tickets.push(ticket(&log_in(&app, "ada@example.com").await));
        }
        let steps = tickets.iter().map(|ticket| second_step(&app, ticket, &code));
        let replies = futures_util::future::join_all(steps).await;
        let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
        assert_eq!(won.len(), 1);
        for reply in lost {
            reply.fails(400, "code_invalid", WRONG_CODE);
        }
    }
    assert_eq!(app.count("sessions"), before + 2);
}

#[tokio::test]
async fn a_recovery_code_stands_in_for_the_phone_once() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (_, codes) = set_up(&app, &ada).await;
    let typed = codes[3].to_lowercase().replace('-', " ");
    let first = ticket(&log_in(&app, "ada@example.com").await);
    second_step(&app, &first, &typed).await.result();
    let second = ticket(&log_in(&app, "ada@example.com").await);
    second_step(&app, &second, &codes[3]).await.fails(400, "code_invalid", WRONG_CODE);
    assert_eq!(security(&app, &ada).await["secondFactor"]["recoveryCodesLeft"], 9);
    assert_eq!(told(&app, "ada@example.com")[1], "A recovery code was used to log in. 9 are left.");
    // Nowhere in the clear.
    assert_eq!(
        app.count(&format!("recovery_codes WHERE position('{}' in encode(hash, 'escape')) > 0", &codes[0][..4])),
        0
    );

    let renewed = app.post_as(&ada, "/api/user/recovery-codes", json!({ "code": codes[4] })).await.result();
    assert_eq!(renewed["recoveryCodes"].as_array().unwrap().len(), 10);
    second_step(&app, &second, &codes[5]).await.fails(400, "code_invalid", WRONG_CODE);
    second_step(&app, &second, renewed["recoveryCodes"][0].as_str().unwrap()).await.result();
}

#[tokio::test]
async fn changing_the_protection_needs_a_fresh_sign_in_or_the_password() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.env.advance(15 * MINUTE + 1);
    app.post_as(&ada, "/api/user/totp", json!({})).await.fails(403, "fresh_login_required", AGAIN);
    let wrong = app.post_as(&ada, "/api/user/totp", json!({ "currentPassword": "not the password" })).await;
    wrong.fails(400, "invalid_credentials", "This is not your current password.");
    assert_eq!(wrong.json()["field"], "currentPassword");
    let setup = app.post_as(&ada, "/api/user/totp", json!({ "currentPassword": PASSWORD })).await.result();
    let phone = Phone(TOTP::from_url(setup["url"].as_str().unwrap()).unwrap());
    app.put_as(&ada, "/api/user/totp", json!({ "code": phone.code(&app) })).await.result();

    // The session is strong but not fresh: a code is wanted, and used up.
    app.delete_as(&ada, "/api/user/totp").await.fails(403, "fresh_login_required", AGAIN);
    app.post_as(&ada, "/api/user/recovery-codes", json!({})).await.status.is_client_error().then_some(()).unwrap();
    let code = phone.next_code(&app);
    app.post_as(&ada, "/api/user/recovery-codes", json!({ "code": code })).await.result();
    let end = |code: String| app.send(Some(&ada), Method::DELETE, "/api/user/totp", Some(json!({ "code": code })));
    end(code).await.fails(400, "code_invalid", WRONG_CODE);
    end(phone.next_code(&app)).await.result();
    assert_eq!(security(&app, &ada).await["secondFactor"]["strong"], false);
    log_in(&app, "ada@example.com").await.result();
    assert_eq!(app.count("totp") + app.count("recovery_codes"), 0);
    assert_eq!(
        told(&app, "ada@example.com"),
        [
            "An authenticator app was set up. Logging in asks for its code from now on.",
            "New recovery codes were created. The old ones no longer work.",
            "The authenticator app was turned off. Logging in no longer asks for its code.",
        ]
    );
}

#[tokio::test]
async fn a_sign_in_with_a_code_is_proof_enough_for_a_while() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, _) = set_up(&app, &ada).await;
    let ticket = ticket(&log_in(&app, "ada@example.com").await);
    let result = second_step(&app, &ticket, &phone.next_code(&app)).await.result();
    let person = Person { token: result["token"].as_str().unwrap().to_owned(), ..ada };
    app.delete_as(&person, "/api/user/totp").await.result();
    app.delete_as(&person, "/api/user/totp").await.status.is_client_error().then_some(()).unwrap();
}

#[tokio::test]
async fn guessing_codes_is_limited_and_the_owner_gets_in_where_they_are_known() {
    let app = TestApp::start_with(&[("RATE_LIMIT_SECOND_FACTOR", "5/300")]).await;
    let ada = app.sign_up("ada@example.com").await;
    let (phone, codes) = set_up(&app, &ada).await;
    app.env.advance(5 * MINUTE);
    let guessed = ticket(&log_in(&app, "ada@example.com").await);
    for _ in 0..5 {
        second_step(&app, &guessed, "000000").await.fails(400, "code_invalid", WRONG_CODE);
    }
    let text = "Too many attempts. Please try again in 60 seconds.";
    let refused = second_step(&app, &guessed, &phone.code(&app)).await;
    refused.fails(429, "too_many_tries", text);
    assert_eq!(refused.headers["retry-after"], "60");
    // Another ticket is of no use, nor is a recovery code.
    let other = ticket(&log_in(&app, "ada@example.com").await);
    second_step(&app, &other, &codes[0]).await.fails(429, "too_many_tries", text);
    // On the owner's own device it is another matter.
    let body = json!({ "username": "ada@example.com", "password": PASSWORD });
    let at_home =
        |path: &str, body: Value| harness::reply(ada.client.post(format!("{}{path}", app.address)).json(&body));
    let own = ticket(&at_home("/api/user/login", body).await);
    at_home("/api/user/second-factor", json!({ "ticket": own, "code": phone.code(&app) })).await.result();
}

#[tokio::test]
async fn an_admin_has_no_role_without_a_second_factor() {
    let app = TestApp::start_with(&[("PUBLIC_URL", "http://localhost:4000")]).await;
    for (email, role) in [("admin@example.com", "admin"), ("editor@example.com", "editor")] {
        app.sign_up(email).await;
        app.sql(&format!("UPDATE users SET role = '{role}' WHERE email = '{email}'"));
        let mut person = app.log_in(email, PASSWORD).await;
        assert_eq!(person.user["role"], "member");
        app.get_as(&person, "/api/admin/overview").await.fails(
            403,
            "forbidden",
            "You do not have access to this page.",
        );
        assert_eq!(app.get_as(&person, "/api/user/session").await.result()["user"]["role"], "member");
        assert_eq!(app.get_as(&person, "/api/user/account").await.result()["user"]["role"], "member");
        let state = security(&app, &person).await;
        assert_eq!(
            (&state["secondFactor"]["required"], &state["secondFactor"]["strong"]),
            (&json!(true), &json!(false))
        );

        // The password alone makes no session strong: the owner's mail has to reach it.
        let typed = json!({ "currentPassword": PASSWORD });
        for path in ["/api/user/totp", "/api/user/passkeys/options"] {
            app.post_as(&person, path, typed.clone()).await.fails(403, "mailed_code_required", BY_MAIL);
        }
        app.post_as(&person, "/api/user/proof", typed).await.result();
        app.post_as(&person, "/api/user/totp", json!({})).await.fails(403, "mailed_code_required", BY_MAIL);
        app.confirm(&person);
        app.prove_by_mail(&person).await;

        let (phone, _) = set_up(&app, &person).await;
        app.refresh(&mut person).await;
        assert_eq!(person.user["role"], role);
        let session = app.get_as(&person, "/api/user/session").await.result();
        assert_eq!(session["user"]["role"], role);
        let expected = if role == "admin" { 200 } else { 403 };
        assert_eq!(app.get_as(&person, "/api/admin/overview").await.status, expected, "{role}");
        let ticket = ticket(&log_in(&app, email).await);
        let again = second_step(&app, &ticket, &phone.next_code(&app)).await.result();
        assert_eq!(again["user"]["role"], role);

        // Without the factor the token that says more is worth no more than a member's, at once.
        app.delete_as(&person, "/api/user/totp").await.result();
        assert_eq!(app.get_as(&person, "/api/user/session").await.result()["user"]["role"], "member");
    }
}

#[tokio::test]
async fn the_demo_shows_the_back_office_without_a_second_factor() {
    let app = TestApp::start_with(&[("PITH_PROFILE", "demo")]).await;
    app.sign_up("admin@example.com").await;
    app.sql("UPDATE users SET role = 'admin'");
    let admin = app.log_in("admin@example.com", PASSWORD).await;
    assert_eq!(admin.user["role"], "admin");
    assert_eq!(security(&app, &admin).await["secondFactor"]["required"], false);
}

#[tokio::test]
async fn a_session_without_the_factor_can_not_add_another() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let other = app.log_in("ada@example.com", PASSWORD).await;
    let (phone, _) = set_up(&app, &ada).await;
    // The other device is signed in still, and its owner may know the password, but it never saw a code.
    app.post_as(&other, "/api/user/totp", json!({ "currentPassword": PASSWORD })).await.fails(
        403,
        "fresh_login_required",
        AGAIN,
    );
    app.delete_as(&other, "/api/user/totp").await.fails(403, "fresh_login_required", AGAIN);
    let code = json!({ "code": phone.next_code(&app) });
    app.send(Some(&other), Method::DELETE, "/api/user/totp", Some(code)).await.result();
}

#[tokio::test]
async fn without_a_name_or_tls_there_are_no_passkeys() {
    for (url, available) in [
        ("http://127.0.0.1:4000", false),
        ("http://pith.example", false),
        ("https://pith.example", true),
        ("http://localhost:4000", true),
    ] {
        let app = TestApp::start_with(&[("PUBLIC_URL", url)]).await;
        let ada = app.sign_up("ada@example.com").await;
        assert_eq!(security(&app, &ada).await["passkeysAvailable"], available, "{url}");
        let status = if available { 200 } else { 404 };
        assert_eq!(app.post("/api/user/passkey-login/options", json!({})).await.status, status, "{url}");
        assert_eq!(app.post_as(&ada, "/api/user/passkeys/options", json!({})).await.status, status, "{url}");
    }
}

#[tokio::test]
async fn an_operator_resets_the_factors_of_a_person_who_lost_them() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    set_up(&app, &ada).await;
    let reset = |address: &str| {
        let address = Email::parse(address).unwrap();
        app.app.transactions.write_now::<_, StoreError>(|tx| second_factor::reset_factors(tx, &address)).unwrap()
    };
    assert!(reset("eve@example.com").is_none());
    assert!(reset("ADA@example.com").is_some());
    app.get_as(&ada, "/api/user/session").await.fails(401, "unauthenticated", "Please log in.");
    let ada = app.log_in("ada@example.com", PASSWORD).await;
    assert_eq!(
        security(&app, &ada).await["secondFactor"],
        json!({ "totp": false, "recoveryCodesLeft": 0, "required": false, "strong": false })
    );
    assert_eq!(
        told(&app, "ada@example.com")[1],
        "The authenticator app and all passkeys were removed by our support team. Please set them up again."
    );
}

#[tokio::test]
async fn two_sessions_of_a_person_are_told_their_own_role() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "free = true");
    let strong = app.sign_up_with_role("admin@example.com", "admin").await;
    let weak = app.log_in("admin@example.com", PASSWORD).await;
    // Each twice: the second answer may come out of memory.
    for _ in 0..2 {
        for (person, role) in [(&strong, "admin"), (&weak, "member")] {
            for path in ["/api/books", "/api/library", "/api/user-book-history", &format!("/api/books/{book}")] {
                assert_eq!(app.get_as(person, path).await.result()["user"]["role"], role, "{path}");
            }
        }
    }
}

#[tokio::test]
async fn the_providers_that_are_configured_are_listed() {
    let app = TestApp::start_with(&[
        ("OAUTH_FACEBOOK_CLIENT_ID", "pith"),
        ("OAUTH_FACEBOOK_CLIENT_SECRET", "only the tests know"),
    ])
    .await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(
        security(&app, &ada).await["providers"],
        json!([{ "name": "facebook", "connected": false, "email": null }])
    );
}

#[tokio::test]
async fn the_mailed_doors_ask_for_the_code_too() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    // The first proof of an address would remove the app.
    app.confirm(&ada);
    let (phone, _) = set_up(&app, &ada).await;
    app.post("/api/user/login-link", json!({ "email": "ada@example.com" })).await.result();
    let login = |mail| if let Mail::LoginLink { link, code, .. } = mail { Some((link, code)) } else { None };
    let (_, digits) = app.mails_to("ada@example.com").into_iter().filter_map(login).next_back().unwrap();
    let reply = app.post("/api/user/login-code", json!({ "email": "ada@example.com", "code": digits })).await;
    second_step(&app, &ticket(&reply), &phone.next_code(&app)).await.result();

    app.post("/api/user/login-link", json!({ "email": "ada@example.com" })).await.result();
    let (link, _) = app.mails_to("ada@example.com").into_iter().filter_map(login).next_back().unwrap();
    let (_, token) = link.split_once('#').unwrap();
    let reply = app.post("/api/user/login-link/session", json!({ "token": token })).await;
    second_step(&app, &ticket(&reply), &phone.next_code(&app)).await.result();
}

#[tokio::test]
async fn a_password_is_not_asked_of_an_account_without_one() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.sql("UPDATE users SET password_hash = NULL");
    app.env.advance(15 * MINUTE + 1);
    let typed = json!({ "currentPassword": "anything" });
    app.post_as(&ada, "/api/user/totp", typed).await.fails(403, "fresh_login_required", AGAIN);
    assert_eq!(security(&app, &ada).await["hasPassword"], false);
}

#[tokio::test]
async fn a_new_address_that_waits_is_shown_and_can_be_taken_back() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let body = json!({ "email": "new@example.com", "currentPassword": PASSWORD });
    app.put_as(&ada, "/api/user/email", body).await.result();
    assert_eq!(security(&app, &ada).await["pendingEmail"], "new@example.com");

    app.delete_as(&ada, "/api/user/pending-email").await.result();
    assert_eq!(security(&app, &ada).await["pendingEmail"], json!(null));
}

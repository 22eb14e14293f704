//! The first proof of an address over HTTP: who signed up with another person's address is out, by every way in, and who
//! proves their own in their own session loses nothing. What a reset and a second sign-in in one browser end.

use crate::harness::{PASSWORD, Person, Reply, TestApp, authenticator::Authenticator, mails::secret_of, reply};
use kernel::DAY;
use mail::Mail;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use totp_rs::TOTP;

const ORIGIN: &str = "http://localhost:4000";
const OWNER: &str = "owner@example.com";
const NEW: &str = "the owner's own password";

/// A stranger who has signed up with the owner's address, and has added everything that lets them in.
struct Stranger {
    person: Person,
    device: Authenticator,
}

async fn start() -> TestApp {
    TestApp::start_with(&[("PUBLIC_URL", ORIGIN)]).await
}

async fn intrude(app: &TestApp) -> Stranger {
    let person = app.sign_up(OWNER).await;
    let setup = app.post_as(&person, "/api/user/totp", json!({})).await.result();
    let phone = TOTP::from_url(setup["url"].as_str().unwrap()).unwrap();
    let code = phone.generate(kernel::Env::now(&*app.env).millis().unsigned_abs() / 1000);
    app.put_as(&person, "/api/user/totp", json!({ "code": code })).await.result();
    let device = add_passkey(app, &person).await;
    app.sql(&format!(
        "INSERT INTO provider_identities (provider, subject, user_id, connected_at) VALUES ('google', 'stranger', {}, now())",
        person.id()
    ));
    let token = json!({ "name": "Mine", "scopes": ["study:read"] });
    app.post_as(&person, "/api/user/tokens", token).await.result();
    app.put_as(&person, "/api/study/webhook", json!({ "url": "https://example.com/mine" })).await.result();
    Stranger { person, device }
}

async fn add_passkey(app: &TestApp, person: &Person) -> Authenticator {
    let asked = app.post_as(person, "/api/user/passkeys/options", json!({})).await.result();
    let (device, credential) = Authenticator::create(ORIGIN, &asked["options"]);
    let body = json!({ "ceremony": asked["ceremony"], "name": "Key", "credential": credential });
    app.post_as(person, "/api/user/passkeys", body).await.result();
    device
}

async fn sign_in_by_passkey(app: &TestApp, device: &mut Authenticator) -> Reply {
    let send =
        async |path: &str, body: Value| reply(Client::new().post(format!("{}{path}", app.address)).json(&body)).await;
    let asked = send("/api/user/passkey-login/options", json!({})).await.result();
    let credential = device.sign(&asked["options"]);
    send("/api/user/passkey-login", json!({ "ceremony": asked["ceremony"], "credential": credential })).await
}

/// Checks that neither session, cookie, password, passkey nor provider lets the stranger in.
async fn assert_is_out(app: &TestApp, stranger: &mut Stranger) {
    let person = &stranger.person;
    app.get_as(person, "/api/user/account").await.fails(401, "unauthenticated", "Please log in.");
    let again = reply(person.client.post(format!("{}/api/user/refresh-token", app.address))).await;
    again.fails(401, "session_ended", "Your session has ended. Please log in again.");
    let body = json!({ "username": OWNER, "password": PASSWORD });
    let login = reply(person.client.post(format!("{}/api/user/login", app.address)).json(&body)).await;
    login.fails(400, "invalid_credentials", "The email or password is not correct.");
    let text = "This passkey did not work. Please try again or log in another way.";
    sign_in_by_passkey(app, &mut stranger.device).await.fails(400, "invalid_credentials", text);
    for table in ["totp", "recovery_codes", "passkeys", "provider_identities", "api_tokens", "study_webhooks"] {
        assert_eq!(app.count(table), 0, "{table}");
    }
}

/// The sentences of the mails about what protects the owner's account, in which something was removed.
fn told(app: &TestApp) -> Vec<String> {
    let changed = |mail| if let Mail::SecondFactorChanged { what, .. } = mail { Some(what) } else { None };
    app.mails_to(OWNER).into_iter().filter_map(changed).filter(|what| what.contains("removed")).collect()
}

fn mailed<T>(app: &TestApp, pick: impl Fn(Mail) -> Option<T>) -> T {
    app.mails_to(OWNER).into_iter().rev().find_map(pick).expect("the mail is queued")
}

async fn ask_for_link(app: &TestApp) -> (String, String) {
    app.post("/api/user/login-link", json!({ "email": OWNER })).await.result();
    mailed(
        app,
        |mail| if let Mail::LoginLink { link, code, .. } = mail { Some((secret_of(&link), code)) } else { None },
    )
}

fn confirm_code(app: &TestApp) -> String {
    mailed(app, |mail| match mail {
        Mail::ConfirmEmail { link, .. } | Mail::ConfirmNewEmail { link, .. } => Some(secret_of(&link)),
        _ => None,
    })
}

async fn confirm(app: &TestApp, client: &Client, code: &str) -> Reply {
    reply(client.post(format!("{}/api/user/confirm-email", app.address)).json(&json!({ "code": code }))).await
}

const ALL: &str = "You have confirmed that this address is yours. In case someone else has used your account, these ways to \
                   log in were removed: the password, the authenticator app, the passkeys, the connected accounts from \
                   other sites. Please set up the ones you need again.";

#[tokio::test]
async fn the_owner_who_presses_a_mailed_link_is_alone_in_the_account() {
    let app = start().await;
    let mut stranger = intrude(&app).await;
    let (token, _) = ask_for_link(&app).await;
    let owner = app.post("/api/user/login-link/session", json!({ "token": token })).await.result();
    assert_eq!((&owner["user"]["emailConfirmed"], &owner["user"]["hasPassword"]), (&json!(true), &json!(false)));
    assert_is_out(&app, &mut stranger).await;
    assert_eq!(told(&app), [ALL]);
}

#[tokio::test]
async fn the_owner_who_types_the_mailed_digits_is_alone_in_the_account() {
    let app = start().await;
    let mut stranger = intrude(&app).await;
    let (_, code) = ask_for_link(&app).await;
    let owner = app.post("/api/user/login-code", json!({ "email": OWNER, "code": code })).await.result();
    assert_eq!(owner["user"]["emailConfirmed"], true);
    assert_is_out(&app, &mut stranger).await;
    assert_eq!(told(&app), [ALL]);
}

#[tokio::test]
async fn the_owner_who_resets_the_password_is_alone_in_the_account() {
    let app = start().await;
    let mut stranger = intrude(&app).await;
    app.put("/api/user/forgot-password", json!({ "email": OWNER })).await.result();
    let code =
        mailed(&app, |mail| if let Mail::ResetPassword { link, .. } = mail { Some(secret_of(&link)) } else { None });
    let body = json!({ "password1": NEW, "password2": NEW, "code": code, "email": OWNER });
    app.put("/api/user/reset-password", body).await.result();
    assert_is_out(&app, &mut stranger).await;
    app.log_in(OWNER, NEW).await;
    assert!(told(&app)[0].contains("the passkeys") && !told(&app)[0].contains("the password"));
}

#[tokio::test]
async fn the_owner_who_confirms_the_address_in_a_browser_of_their_own_is_alone_in_the_account() {
    let app = start().await;
    let mut stranger = intrude(&app).await;
    // Signed in as another person: that session is not of the account.
    let other = app.sign_up("other@example.com").await;
    let confirmed = confirm(&app, &other.client, &confirm_code(&app)).await;
    assert_eq!(confirmed.result(), json!({ "passwordRemoved": true }));
    assert_is_out(&app, &mut stranger).await;
    assert_eq!(told(&app), [ALL]);
    app.get_as(&other, "/api/user/account").await.result();
}

#[tokio::test]
async fn a_member_who_confirms_in_the_session_of_the_sign_up_loses_nothing() {
    for by_cookie in [true, false] {
        let app = start().await;
        let Stranger { person, mut device } = intrude(&app).await;
        let elsewhere = sign_in_by_passkey(&app, &mut device).await.result();
        let code = confirm_code(&app);
        let confirmed = if by_cookie {
            confirm(&app, &person.client, &code).await
        } else {
            let request = Client::new().post(format!("{}/api/user/confirm-email", app.address));
            reply(request.bearer_auth(&person.token).json(&json!({ "code": code }))).await
        };
        assert_eq!(confirmed.result(), json!({ "passwordRemoved": false }));
        let user = app.get_as(&person, "/api/user/account").await.result()["user"].clone();
        assert_eq!((&user["emailConfirmed"], &user["hasPassword"]), (&json!(true), &json!(true)));
        sign_in_by_passkey(&app, &mut device).await.result();
        assert_eq!((app.count("totp"), app.count("passkeys")), (1, 1));
        // The other session may be anybody's.
        let token = elsewhere["token"].as_str().unwrap();
        let there = reply(Client::new().get(format!("{}/api/user/account", app.address)).bearer_auth(token)).await;
        there.fails(401, "unauthenticated", "Please log in.");
    }
}

#[tokio::test]
async fn a_password_that_another_session_chose_goes_with_the_first_proof() {
    let app = start().await;
    let mut stranger = intrude(&app).await;
    let here = sign_in_by_passkey(&app, &mut stranger.device).await.result();
    let request = Client::new().post(format!("{}/api/user/confirm-email", app.address));
    let confirmed =
        reply(request.bearer_auth(here["token"].as_str().unwrap()).json(&json!({ "code": confirm_code(&app) }))).await;
    assert_eq!(confirmed.result(), json!({ "passwordRemoved": true }));
    assert_is_out(&app, &mut stranger).await;
}

#[tokio::test]
async fn a_member_who_logs_in_on_another_device_and_confirms_there_keeps_the_password() {
    let app = start().await;
    let signed_up = app.sign_up(OWNER).await;
    let phone = app.log_in(OWNER, PASSWORD).await;
    assert_eq!(confirm(&app, &phone.client, &confirm_code(&app)).await.result(), json!({ "passwordRemoved": false }));
    let user = app.get_as(&phone, "/api/user/account").await.result()["user"].clone();
    assert_eq!((&user["emailConfirmed"], &user["hasPassword"]), (&json!(true), &json!(true)));
    app.get_as(&signed_up, "/api/user/account").await.fails(401, "unauthenticated", "Please log in.");
    app.log_in(OWNER, PASSWORD).await;
}

#[tokio::test]
async fn a_login_with_a_second_factor_has_typed_the_password_too() {
    let app = start().await;
    let person = app.sign_up(OWNER).await;
    let setup = app.post_as(&person, "/api/user/totp", json!({})).await.result();
    let phone = TOTP::from_url(setup["url"].as_str().unwrap()).unwrap();
    let code = || phone.generate(kernel::Env::now(&*app.env).millis().unsigned_abs() / 1000);
    app.put_as(&person, "/api/user/totp", json!({ "code": code() })).await.result();
    // A code is good once.
    app.env.advance(kernel::MINUTE);
    let client = Client::builder().cookie_store(true).build().unwrap();
    let send = async |path: &str, body: Value| reply(client.post(format!("{}{path}", app.address)).json(&body)).await;
    let asked = send("/api/user/login", json!({ "username": OWNER, "password": PASSWORD })).await;
    let ticket = asked.json()["ticket"].clone();
    send("/api/user/second-factor", json!({ "ticket": ticket, "code": code() })).await.result();
    assert_eq!(confirm(&app, &client, &confirm_code(&app)).await.result(), json!({ "passwordRemoved": false }));
}

#[tokio::test]
async fn an_account_moves_in_a_session_of_its_own_only() {
    let app = start().await;
    let mover = app.sign_up("mover@example.com").await;
    let body = json!({ "email": OWNER, "currentPassword": PASSWORD });
    app.put_as(&mover, "/api/user/email", body).await.result();
    let code = confirm_code(&app);
    let other = app.sign_up("other@example.com").await;
    for client in [&Client::new(), &other.client] {
        let text = "Please log in to your account in this browser, then open the link in the email again.";
        confirm(&app, client, &code).await.fails(403, "fresh_login_required", text);
    }
    assert_eq!(app.count(&format!("users WHERE email = '{OWNER}'")), 0);
    confirm(&app, &mover.client, &code).await.result();
    let user = app.get_as(&mover, "/api/user/account").await.result()["user"].clone();
    assert_eq!(
        (&user["email"], &user["emailConfirmed"], &user["hasPassword"]),
        (&json!(OWNER), &json!(true), &json!(true))
    );
}

#[tokio::test]
async fn a_reset_forgets_the_devices_that_the_account_knew() {
    let limits = [("RATE_LIMIT_LOGIN_ACCOUNT", "1/3600"), ("PUBLIC_URL", ORIGIN)];
    let app = TestApp::start_with(&limits).await;
    let thief = app.sign_up(OWNER).await;
    app.confirm(&thief);
    let login = async |client: &Client, password: &str| {
        let body = json!({ "username": OWNER, "password": password });
        reply(client.post(format!("{}/api/user/login", app.address)).json(&body)).await.status.as_u16()
    };
    // A known device is let through beside the limit of the account.
    assert_eq!(login(&Client::new(), "wrong").await, 400);
    assert_eq!(login(&Client::new(), "wrong").await, 429);
    assert_eq!(login(&thief.client, "wrong").await, 400);
    app.put("/api/user/forgot-password", json!({ "email": OWNER })).await.result();
    let code =
        mailed(&app, |mail| if let Mail::ResetPassword { link, .. } = mail { Some(secret_of(&link)) } else { None });
    let body = json!({ "password1": NEW, "password2": NEW, "code": code, "email": OWNER });
    app.put("/api/user/reset-password", body).await.result();
    assert_eq!(login(&thief.client, "wrong").await, 429);
}

#[tokio::test]
async fn a_thiefs_passkey_and_provider_are_gone_after_the_owners_reset() {
    let app = start().await;
    let mut thief = intrude(&app).await;
    // The owner had confirmed the address long before, and has no authenticator app.
    app.confirm(&thief.person);
    app.sql("DELETE FROM totp");
    app.sql("DELETE FROM recovery_codes");
    app.put("/api/user/forgot-password", json!({ "email": OWNER })).await.result();
    let code =
        mailed(&app, |mail| if let Mail::ResetPassword { link, .. } = mail { Some(secret_of(&link)) } else { None });
    let body = json!({ "password1": NEW, "password2": NEW, "code": code, "email": OWNER });
    app.put("/api/user/reset-password", body).await.result();
    assert_is_out(&app, &mut thief).await;
    assert_eq!(told(&app).len(), 1);
}

#[tokio::test]
async fn a_second_sign_in_in_one_browser_ends_the_first_session() {
    let app = TestApp::start().await;
    let first = app.sign_up("ada@example.com").await;
    app.sign_up("bob@example.com").await;
    let body = json!({ "username": "bob@example.com", "password": PASSWORD });
    let second = reply(first.client.post(format!("{}/api/user/login", app.address)).json(&body)).await.result();
    app.get_as(&first, "/api/user/account").await.fails(401, "unauthenticated", "Please log in.");
    assert_eq!(app.count(&format!("sessions WHERE user_id = {} AND revoked_at IS NULL", first.id())), 0);
    let token = second["token"].as_str().unwrap();
    let account = app.request(Method::GET, "/api/user/account").bearer_auth(token);
    assert_eq!(reply(account).await.result()["user"]["email"], "bob@example.com");
    // A sign-in that is refused ends nothing.
    let wrong = json!({ "username": "ada@example.com", "password": "wrong" });
    let refused = reply(first.client.post(format!("{}/api/user/login", app.address)).json(&wrong)).await;
    assert_eq!(refused.status.as_u16(), 400);
    reply(app.request(Method::GET, "/api/user/account").bearer_auth(token)).await.result();
}

#[tokio::test]
async fn a_session_ends_a_year_after_its_sign_in_whatever_is_refreshed() {
    let app = TestApp::start().await;
    let mut ada = app.sign_up("ada@example.com").await;
    for _ in 0..14 {
        app.env.advance(26 * DAY);
        app.refresh(&mut ada).await;
    }
    app.env.advance(DAY);
    let late = reply(ada.client.post(format!("{}/api/user/refresh-token", app.address))).await;
    late.fails(401, "session_ended", "Your session has ended. Please log in again.");
}

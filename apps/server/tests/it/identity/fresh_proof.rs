//! A fresh proof of who acts in a session: what asks for one, and what gives one.

use crate::harness::{PASSWORD, Person, Reply, TestApp, authenticator::Authenticator};
use identity::FRESH_PROOF_LIFETIME;
use kernel::MINUTE;
use mail::Mail;
use reqwest::Method;
use serde_json::{Value, json};

const ORIGIN: &str = "http://localhost:4000";
const AGAIN: &str = "Please confirm that it is you with your password, a code we email you or a passkey.";

async fn start() -> TestApp {
    TestApp::start_with(&[("PUBLIC_URL", ORIGIN)]).await
}

async fn prove(app: &TestApp, person: &Person, proof: Value) -> Reply {
    app.post_as(person, "/api/user/proof", proof).await
}

/// Asks for the archive: a step that needs a fresh proof and changes nothing.
async fn is_fresh(app: &TestApp, person: &Person) -> bool {
    let request = person.client.get(format!("{}/api/user/archive", app.address)).bearer_auth(&person.token);
    let response = request.send().await.expect("the server answers");
    let is_fresh = response.status().is_success();
    assert!(is_fresh || response.status().as_u16() == 403, "{}", response.status());
    is_fresh
}

/// The digits of the newest mail for a proof.
fn digits(app: &TestApp, email: &str) -> String {
    let code = |mail| if let Mail::ProofCode { code, .. } = mail { Some(code) } else { None };
    app.mails_to(email).into_iter().rev().find_map(code).expect("the mail is queued")
}

#[tokio::test]
async fn every_dangerous_step_asks_for_a_sign_in_or_a_proof_of_the_last_ten_minutes() {
    let app = start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.confirm(&ada);
    app.env.advance(FRESH_PROOF_LIFETIME);
    assert!(is_fresh(&app, &ada).await);
    app.env.advance(1);
    let leaving = json!({ "why": "Enough read.", "how": "A friend." });
    for (method, path, body) in [
        (Method::GET, "/api/user/archive", None),
        (Method::POST, "/api/user/archive", None),
        (Method::POST, "/api/user/delete", Some(leaving.clone())),
        (Method::POST, "/api/user/totp", Some(json!({}))),
        (Method::POST, "/api/user/passkeys/options", Some(json!({}))),
    ] {
        let refused = app.send(Some(&ada), method, path, body).await;
        refused.fails(403, "fresh_login_required", AGAIN);
    }
    assert_eq!(app.count("users"), 1);

    prove(&app, &ada, json!({ "currentPassword": PASSWORD })).await.result();
    app.post_as(&ada, "/api/user/passkeys/options", json!({})).await.result();
    app.post_as(&ada, "/api/user/archive", json!({})).await.result();
    app.env.advance(FRESH_PROOF_LIFETIME + 1);
    assert!(!is_fresh(&app, &ada).await);
    prove(&app, &ada, json!({ "currentPassword": PASSWORD })).await.result();
    app.post_as(&ada, "/api/user/delete", leaving).await.result();
    assert_eq!(app.count("users"), 0);
}

#[tokio::test]
async fn the_password_the_mailed_digits_or_a_passkey_prove_it_in_their_session_only() {
    let app = start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.confirm(&ada);
    let asked = app.post_as(&ada, "/api/user/passkeys/options", json!({})).await.result();
    let (mut device, credential) = Authenticator::create(ORIGIN, &asked["options"]);
    let body = json!({ "ceremony": asked["ceremony"], "name": "Key", "credential": credential });
    app.post_as(&ada, "/api/user/passkeys", body).await.result();
    let bob = app.sign_up("bob@example.com").await;
    let elsewhere = app.log_in("ada@example.com", PASSWORD).await;
    app.env.advance(FRESH_PROOF_LIFETIME + 1);

    for wrong in [json!({}), json!({ "code": "000000" }), json!({ "ceremony": "none", "credential": {} })] {
        assert_eq!(prove(&app, &ada, wrong).await.status.as_u16(), 400);
    }
    let refused = prove(&app, &ada, json!({ "currentPassword": "wrong" })).await;
    refused.fails(400, "invalid_credentials", "This is not your current password.");
    assert!(!is_fresh(&app, &ada).await);

    app.post_as(&ada, "/api/user/proof/code", json!({})).await.result();
    let code = digits(&app, "ada@example.com");
    let text = "This code is wrong or has expired. Please check it or ask for a new one.";
    for other in [&bob, &elsewhere] {
        prove(&app, other, json!({ "code": code })).await.fails(400, "code_invalid", text);
    }
    prove(&app, &ada, json!({ "code": format!("{} {}", &code[..3], &code[3..]) })).await.result();
    assert!(is_fresh(&app, &ada).await && !is_fresh(&app, &elsewhere).await);
    app.env.advance(FRESH_PROOF_LIFETIME + 1);
    prove(&app, &ada, json!({ "code": code })).await.fails(400, "code_invalid", text);

    let ceremony = async || app.post("/api/user/passkey-login/options", json!({})).await.result();
    let asked = ceremony().await;
    let answer = json!({ "ceremony": asked["ceremony"], "credential": device.sign(&asked["options"]) });
    let text = "This passkey is not one of yours. Please try again or use another way.";
    prove(&app, &bob, answer.clone()).await.fails(400, "invalid_credentials", text);
    prove(&app, &ada, answer).await.fails(400, "invalid_credentials", text);
    let asked = ceremony().await;
    let answer = json!({ "ceremony": asked["ceremony"], "credential": device.sign(&asked["options"]) });
    prove(&app, &ada, answer).await.result();
    assert!(is_fresh(&app, &ada).await && !is_fresh(&app, &bob).await);
}

#[tokio::test]
async fn the_fifth_wrong_digits_burn_them_and_guesses_are_limited() {
    let app = TestApp::start_with(&[("RATE_LIMIT_PASSWORD", "6/900")]).await;
    let ada = app.sign_up("ada@example.com").await;
    app.post_as(&ada, "/api/user/proof/code", json!({})).await.result();
    let code = digits(&app, "ada@example.com");
    let wrong = if code == "123456" { "654321" } else { "123456" };
    for _ in 0..5 {
        assert_eq!(prove(&app, &ada, json!({ "code": wrong })).await.status.as_u16(), 400);
    }
    assert_eq!(prove(&app, &ada, json!({ "code": code })).await.status.as_u16(), 400);
    assert_eq!(prove(&app, &ada, json!({ "currentPassword": PASSWORD })).await.status.as_u16(), 429);
}

#[tokio::test]
async fn the_mailed_digits_prove_the_address_in_the_session() {
    let app = start().await;
    let ada = app.sign_up("ada@example.com").await;
    let other = app.log_in("ada@example.com", PASSWORD).await;
    app.post_as(&ada, "/api/user/proof/code", json!({})).await.result();
    prove(&app, &ada, json!({ "code": digits(&app, "ada@example.com") })).await.result();
    let user = app.get_as(&ada, "/api/user/account").await.result()["user"].clone();
    assert_eq!((&user["emailConfirmed"], &user["hasPassword"]), (&json!(true), &json!(true)));
    app.get_as(&other, "/api/user/account").await.fails(401, "unauthenticated", "Please log in.");
}

#[tokio::test]
async fn a_proof_by_password_stands_for_no_code_of_the_authenticator_app() {
    let app = start().await;
    let ada = app.sign_up("ada@example.com").await;
    let setup = app.post_as(&ada, "/api/user/totp", json!({})).await.result();
    let phone = totp_rs::TOTP::from_url(setup["url"].as_str().unwrap()).unwrap();
    let code = phone.generate(kernel::Env::now(&*app.env).millis().unsigned_abs() / 1000);
    app.put_as(&ada, "/api/user/totp", json!({ "code": code })).await.result();
    app.env.advance(FRESH_PROOF_LIFETIME + MINUTE);
    prove(&app, &ada, json!({ "currentPassword": PASSWORD })).await.result();
    let off = app.send(Some(&ada), Method::DELETE, "/api/user/totp", None).await;
    off.fails(403, "fresh_login_required", AGAIN);
    assert_eq!(app.count("totp"), 1);
}

//! Passkeys over HTTP, with a device in software: adding, signing in, names, copies, and answers that are not right.

use crate::harness::{self, PASSWORD, Person, Reply, TestApp, authenticator::Authenticator};
use kernel::MINUTE;
use serde_json::{Value, json};

const ORIGIN: &str = "http://localhost:4000";
const NOT_IN: &str = "This passkey did not work. Please try again or log in another way.";
const NOT_ADDED: &str = "The passkey could not be added. Please try again.";
const AGAIN: &str = "Please confirm that it is you with your password, a code we email you or a passkey.";

/// What is wrong with a device, and how it comes to be so.
type Fault = (&'static str, fn(&mut Authenticator));

async fn start() -> TestApp {
    TestApp::start_with(&[("PUBLIC_URL", ORIGIN)]).await
}

/// What the browser is asked to add a passkey.
async fn to_add(app: &TestApp, person: &Person) -> Value {
    app.post_as(person, "/api/user/passkeys/options", json!({})).await.result()
}

async fn send(app: &TestApp, person: &Person, asked: &Value, name: &str, credential: &Value) -> Reply {
    let body = json!({ "ceremony": asked["ceremony"], "name": name, "credential": credential });
    app.post_as(person, "/api/user/passkeys", body).await
}

/// Adds a passkey; gives the device and what the server says of it.
async fn add(app: &TestApp, person: &Person, name: &str) -> (Authenticator, Value) {
    let asked = to_add(app, person).await;
    let (device, credential) = Authenticator::create(ORIGIN, &asked["options"]);
    let mut result = send(app, person, &asked, name, &credential).await.result();
    (device, result["passkey"].take())
}

async fn to_sign_in(app: &TestApp) -> Value {
    app.post("/api/user/passkey-login/options", json!({})).await.result()
}

async fn answer(app: &TestApp, asked: &Value, credential: &Value) -> Reply {
    app.post("/api/user/passkey-login", json!({ "ceremony": asked["ceremony"], "credential": credential })).await
}

async fn sign_in(app: &TestApp, device: &mut Authenticator) -> Reply {
    let asked = to_sign_in(app).await;
    answer(app, &asked, &device.sign(&asked["options"])).await
}

async fn security(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/user/security").await.result()
}

#[tokio::test]
async fn a_passkey_signs_in_by_itself() {
    let app = start().await;
    let ada = app.sign_up("ada@example.com").await;
    let asked = to_add(&app, &ada).await;
    let options = &asked["options"];
    assert_eq!(options["rp"], json!({ "name": "Pith", "id": "localhost" }));
    assert_eq!(
        (&options["user"]["name"], &options["user"]["displayName"]),
        (&json!("ada@example.com"), &json!("Ada Reader"))
    );
    assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
    assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
    assert_eq!(options["excludeCredentials"], json!([]));
    let (mut device, credential) = Authenticator::create(ORIGIN, options);
    let passkey = send(&app, &ada, &asked, " My phone ", &credential).await.result()["passkey"].take();
    assert_eq!((&passkey["name"], &passkey["lastUsedAt"]), (&json!("My phone"), &Value::Null));

    let state = security(&app, &ada).await;
    assert_eq!((&state["passkeys"], &state["passkeysAvailable"]), (&json!([passkey]), &json!(true)));
    assert_eq!(state["secondFactor"]["strong"], true);

    let asked = to_sign_in(&app).await;
    // The response does not tell who has a passkey.
    assert_eq!(asked["options"]["allowCredentials"], json!([]));
    assert_eq!(
        (&asked["options"]["rpId"], &asked["options"]["userVerification"]),
        (&json!("localhost"), &json!("required"))
    );
    app.env.advance(MINUTE);
    let reply = answer(&app, &asked, &device.sign(&asked["options"])).await;
    let result = reply.result();
    assert_eq!(result["user"]["id"], ada.id());
    assert!(reply.headers.get_all("set-cookie").iter().any(|line| line.to_str().unwrap().starts_with("refresh=")));
    let again =
        Person { token: result["token"].as_str().unwrap().to_owned(), ..app.log_in("ada@example.com", PASSWORD).await };
    let state = security(&app, &again).await;
    assert_eq!(state["secondFactor"]["strong"], true);
    assert_eq!(state["passkeys"][0]["lastUsedAt"], state["passkeys"][0]["createdAt"].as_i64().unwrap() + MINUTE);
    // The counter goes on from there.
    sign_in(&app, &mut device).await.result();
    assert_eq!(app.count("passkeys WHERE credential LIKE '%\"counter\":3%'"), 1);
}

#[tokio::test]
async fn a_ceremony_is_good_once_and_for_five_minutes() {
    let app = start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (mut device, _) = add(&app, &ada, "Phone").await;
    let asked = to_sign_in(&app).await;
    let credential = device.sign(&asked["options"]);
    answer(&app, &asked, &credential).await.result();
    answer(&app, &asked, &credential).await.fails(400, "invalid_credentials", NOT_IN);
    // Used up by an answer that is not right, too.
    let asked = to_sign_in(&app).await;
    answer(&app, &asked, &json!({ "id": "nonsense" })).await.fails(400, "invalid_credentials", NOT_IN);
    answer(&app, &asked, &device.sign(&asked["options"])).await.fails(400, "invalid_credentials", NOT_IN);
    let asked = to_sign_in(&app).await;
    app.env.advance(5 * MINUTE);
    answer(&app, &asked, &device.sign(&asked["options"])).await.fails(400, "invalid_credentials", NOT_IN);

    let ada = app.log_in("ada@example.com", PASSWORD).await;
    let asked = to_add(&app, &ada).await;
    let (_, credential) = Authenticator::create(ORIGIN, &asked["options"]);
    app.env.advance(5 * MINUTE);
    send(&app, &ada, &asked, "Late", &credential).await.fails(400, "code_invalid", NOT_ADDED);
    // Another person's ceremony is nobody's.
    let bob = app.sign_up("bob@example.com").await;
    let asked = to_add(&app, &ada).await;
    let (_, credential) = Authenticator::create(ORIGIN, &asked["options"]);
    send(&app, &bob, &asked, "Not mine", &credential).await.fails(400, "code_invalid", NOT_ADDED);
    assert_eq!(app.count("passkeys"), 1);
}

#[tokio::test]
async fn answers_that_are_not_right_are_refused() {
    let app = start().await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    let faults: [Fault; 3] = [
        ("another site's page", |device| device.origin = "http://localhost:4001".to_owned()),
        ("another site's key", |device| device.domain = "example.com".to_owned()),
        ("nobody was checked", |device| device.verifies = false),
    ];
    for (what, change) in faults {
        let asked = to_add(&app, &ada).await;
        let (_, credential) = Authenticator::create_with(ORIGIN, &asked["options"], change);
        let reply = send(&app, &ada, &asked, "Key", &credential).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (400, &json!("code_invalid")), "{what}");
    }
    let (device, _) = add(&app, &ada, "Phone").await;
    let (bobs, _) = add(&app, &bob, "Phone").await;
    for (what, change) in faults {
        let mut changed = device.clone();
        change(&mut changed);
        assert_eq!(sign_in(&app, &mut changed).await.status, 400, "{what}");
    }
    // A key that names another owner, another's key under this name, and an answer to another question.
    let mut changed = Authenticator { user_handle: bobs.user_handle.clone(), ..device.clone() };
    sign_in(&app, &mut changed).await.fails(400, "invalid_credentials", NOT_IN);
    let mut changed = Authenticator { id: device.id.clone(), user_handle: device.user_handle.clone(), ..bobs.clone() };
    sign_in(&app, &mut changed).await.fails(400, "invalid_credentials", NOT_IN);
    let (one, other) = (to_sign_in(&app).await, to_sign_in(&app).await);
    let credential = device.clone().sign(&one["options"]);
    answer(&app, &other, &credential).await.fails(400, "invalid_credentials", NOT_IN);
    let mut altered = device.clone().sign(&one["options"]);
    altered["response"]["signature"] = json!("MEUCIQ");
    answer(&app, &one, &altered).await.fails(400, "invalid_credentials", NOT_IN);
    for credential in [json!({}), json!([]), json!("text"), json!(null)] {
        assert_eq!(answer(&app, &to_sign_in(&app).await, &credential).await.status, 400, "{credential}");
    }
    // It was none of the device's doing.
    sign_in(&app, &mut device.clone()).await.result();
}

#[tokio::test]
async fn a_copy_shows_by_its_counter_and_the_owner_is_told() {
    let app = start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (mut device, _) = add(&app, &ada, "Phone").await;
    let mut copy = device.clone();
    sign_in(&app, &mut device).await.result();
    sign_in(&app, &mut device).await.result();
    let mails = app.count("jobs");
    sign_in(&app, &mut copy).await.fails(400, "invalid_credentials", NOT_IN);
    assert_eq!(app.count("jobs"), mails + 1);
    sign_in(&app, &mut device).await.result();
}

#[tokio::test]
async fn of_many_answers_with_one_counter_one_gets_in() {
    let app = start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (device, _) = add(&app, &ada, "Phone").await;
    let mut ready = Vec::new();
    for _ in 0..8 {
        let asked = to_sign_in(&app).await;
        let credential = device.clone().sign(&asked["options"]);
        ready.push((asked, credential));
    }
    let replies =
        futures_util::future::join_all(ready.iter().map(|(asked, credential)| answer(&app, asked, credential))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
}

#[tokio::test]
async fn passkeys_are_named_and_removed_by_their_owner() {
    let app = start().await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    let (mut device, passkey) = add(&app, &ada, "Phone").await;
    let path = format!("/api/user/passkeys/{}", passkey["id"]);
    for name in ["", "  ", &"a".repeat(61)] {
        let reply = app.put_as(&ada, &path, json!({ "name": name })).await;
        reply.fails(422, "validation_failed", "Please choose a name of 1 to 60 characters for your passkey.");
        assert_eq!(reply.json()["field"], "name");
    }
    let renamed = app.put_as(&ada, &path, json!({ "name": "Old phone" })).await.result();
    assert_eq!((&renamed["passkey"]["id"], &renamed["passkey"]["name"]), (&passkey["id"], &json!("Old phone")));
    app.put_as(&bob, &path, json!({ "name": "Mine" })).await.fails(404, "not_found", "There is no such passkey.");
    app.delete_as(&bob, &path).await.fails(404, "not_found", "There is no such passkey.");
    app.put_as(&ada, "/api/user/passkeys/x", json!({ "name": "a" })).await.fails(
        404,
        "not_found",
        "There is no such passkey.",
    );

    // A second one excludes the first device, and is the same person's.
    let asked = to_add(&app, &ada).await;
    assert_eq!(asked["options"]["excludeCredentials"].as_array().unwrap().len(), 1);
    assert_eq!(asked["options"]["user"]["id"], device.user_handle);

    app.env.advance(15 * MINUTE + 1);
    app.delete_as(&ada, &path).await.fails(403, "fresh_login_required", AGAIN);
    app.post_as(&ada, "/api/user/passkeys/options", json!({})).await.fails(403, "fresh_login_required", AGAIN);
    let typed = json!({ "currentPassword": PASSWORD });
    app.send(Some(&ada), reqwest::Method::DELETE, &path, Some(typed)).await.result();
    sign_in(&app, &mut device).await.fails(400, "invalid_credentials", NOT_IN);
    assert_eq!(security(&app, &ada).await["secondFactor"]["strong"], false);
}

#[tokio::test]
async fn a_passkey_gives_an_admin_their_role_and_a_password_gives_no_passkey() {
    let app = start().await;
    app.sign_up("admin@example.com").await;
    app.sql("UPDATE users SET role = 'admin'");
    let mut admin = app.log_in("admin@example.com", PASSWORD).await;
    let refused = "You do not have access to this page.";
    app.get_as(&admin, "/api/admin/overview").await.fails(403, "forbidden", refused);
    app.confirm(&admin);
    app.prove_by_mail(&admin).await;
    let (mut device, passkey) = add(&app, &admin, "Key").await;
    app.refresh(&mut admin).await;
    app.get_as(&admin, "/api/admin/overview").await.result();
    let signed_in = sign_in(&app, &mut device).await.result();
    assert_eq!(signed_in["user"]["role"], "admin");

    // A session by password alone has a member's role, and can't add a passkey.
    let thief = app.log_in("admin@example.com", PASSWORD).await;
    assert_eq!(thief.user["role"], "member");
    for path in ["/api/user/passkeys/options", "/api/user/totp"] {
        let typed = json!({ "currentPassword": PASSWORD });
        app.post_as(&thief, path, typed).await.fails(403, "fresh_login_required", AGAIN);
    }
    let path = format!("/api/user/passkeys/{}", passkey["id"]);
    app.delete_as(&thief, &path).await.fails(403, "fresh_login_required", AGAIN);

    // The last factor takes the role along, at once, on every device.
    let other = Person { token: signed_in["token"].as_str().unwrap().to_owned(), ..thief };
    app.get_as(&other, "/api/admin/overview").await.result();
    app.delete_as(&admin, &path).await.result();
    for person in [&admin, &other] {
        app.get_as(person, "/api/admin/overview").await.fails(403, "forbidden", refused);
    }
}

#[tokio::test]
async fn passkeys_go_past_the_authenticator_app_and_are_limited() {
    let app = TestApp::start_with(&[("PUBLIC_URL", ORIGIN), ("RATE_LIMIT_PASSKEY", "6/60")]).await;
    let ada = app.sign_up("ada@example.com").await;
    let (mut device, _) = add(&app, &ada, "Phone").await;
    let setup = app.post_as(&ada, "/api/user/totp", json!({})).await.result();
    let totp = totp_rs::TOTP::from_url(setup["url"].as_str().unwrap()).unwrap();
    let code = totp.generate(harness::START.millis().unsigned_abs() / 1000);
    app.put_as(&ada, "/api/user/totp", json!({ "code": code })).await.result();
    sign_in(&app, &mut device).await.result();
    sign_in(&app, &mut device).await.result();
    app.post("/api/user/passkey-login/options", json!({})).await.result();
    let refused = app.post("/api/user/passkey-login/options", json!({})).await;
    refused.fails(429, "too_many_tries", "Too many attempts. Please try again in 10 seconds.");
}

//! Devices over HTTP: what a member sees of them, how they are signed out, and what mail tells of a new one.

use crate::harness::{PASSWORD, Person, START, TestApp, client_builder, reply};
use kernel::{Env, MINUTE, SECOND};
use mail::Mail;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

const FIREFOX: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";
const SAFARI: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1";

/// Logs in with a browser of this name, from an address that a trusted proxy names.
async fn log_in_on(app: &TestApp, email: &str, agent: &str, address: &str) -> Person {
    let client = client_builder().cookie_store(true).build().unwrap();
    let request = client
        .post(format!("{}/api/user/login", app.address))
        .header(header::USER_AGENT, agent)
        .header("x-forwarded-for", address)
        .json(&json!({ "username": email, "password": PASSWORD }));
    let result = reply(request).await.result();
    Person {
        client,
        token: result["token"].as_str().unwrap().to_owned(),
        user: result["user"].clone(),
        email: email.to_owned(),
    }
}

async fn start() -> TestApp {
    TestApp::start_with(&[("TRUSTED_PROXIES", "127.0.0.1")]).await
}

async fn devices(app: &TestApp, person: &Person) -> Vec<Value> {
    app.get_as(person, "/api/user/sessions").await.result()["sessions"].as_array().unwrap().clone()
}

/// Whether the person's token opens anything, and whether their cookie brings a new one.
async fn is_in(app: &TestApp, person: &Person) -> (bool, bool) {
    let token = app.get_as(person, "/api/user/account").await.status;
    let cookie = reply(person.client.post(format!("{}/api/user/refresh-token", app.address))).await.status;
    (token == StatusCode::OK, cookie == StatusCode::OK)
}

#[tokio::test]
async fn a_member_sees_the_devices_and_which_one_asks() {
    let app = start().await;
    let first = app.sign_up("ada@example.com").await;
    app.env.advance(MINUTE);
    let second = log_in_on(&app, "ada@example.com", FIREFOX, "131.130.1.11").await;
    app.env.advance(MINUTE);
    let third = log_in_on(&app, "ada@example.com", SAFARI, "203.0.113.77").await;

    let seen = devices(&app, &second).await;
    let shown: Vec<_> = seen
        .iter()
        .map(|device| {
            (
                device["device"].as_str().unwrap(),
                device["place"].as_str().unwrap(),
                device["current"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("Safari on iPhone", "203.0.113.x", false),
            ("Firefox on Windows", "Austria", true),
            ("Unknown device", "This network", false),
        ]
    );
    assert_eq!(seen[2]["createdAt"], START.millis());
    assert_eq!(seen[1]["lastSeenAt"], START.plus(MINUTE).millis());
    assert_eq!(
        seen[0].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["createdAt", "current", "device", "id", "lastSeenAt", "place"]
    );
    assert_eq!(devices(&app, &third).await[0]["current"], true);
    assert_eq!(devices(&app, &first).await[2]["current"], true);
    // Whole addresses of the network stand nowhere.
    assert_eq!(app.count("sessions WHERE device || place LIKE '%131.130%' OR device || place LIKE '%.77%'"), 0);
}

#[tokio::test]
async fn a_refresh_says_when_where_and_on_what_the_device_was_seen() {
    let app = start().await;
    let person = log_in_on(&app, &app.sign_up("ada@example.com").await.email, FIREFOX, "131.130.1.11").await;
    app.env.advance(MINUTE);
    let request = person
        .client
        .post(format!("{}/api/user/refresh-token", app.address))
        .header(header::USER_AGENT, FIREFOX)
        .header("x-forwarded-for", "133.11.0.1");
    reply(request).await.result();
    let device = devices(&app, &person).await.remove(0);
    assert_eq!((&device["device"], &device["place"]), (&json!("Firefox on Windows"), &json!("Japan")));
    assert_eq!(device["lastSeenAt"], START.plus(MINUTE).millis());
    assert_eq!(device["createdAt"], START.millis());
}

#[tokio::test]
async fn a_device_is_signed_out_at_once_on_every_node() {
    let app = start().await;
    let beside = app.start_beside().await;
    let here = app.sign_up("ada@example.com").await;
    let there = log_in_on(&app, "ada@example.com", FIREFOX, "131.130.1.11").await;
    // The other node knows the token.
    assert_eq!(beside.get_as(&there, "/api/user/account").await.status, StatusCode::OK);
    let id = devices(&app, &there).await.iter().find(|device| device["current"] == true).unwrap()["id"].clone();

    let reply = app.delete_as(&here, &format!("/api/user/sessions/{id}")).await;
    assert_eq!(reply.result(), json!({}));
    assert!(reply.headers.get(header::SET_COOKIE).is_none());
    assert_eq!(is_in(&app, &there).await, (false, false));
    beside.refused_soon(&there).await;
    assert_eq!(devices(&app, &here).await.len(), 1);
    assert_eq!(is_in(&app, &here).await, (true, true));
    // Once more is fine.
    app.delete_as(&here, &format!("/api/user/sessions/{id}")).await.result();
}

#[tokio::test]
async fn the_device_that_asks_can_sign_itself_out() {
    let app = start().await;
    let person = app.sign_up("ada@example.com").await;
    let id = devices(&app, &person).await[0]["id"].clone();
    let reply = app.delete_as(&person, &format!("/api/user/sessions/{id}")).await;
    assert_eq!(reply.result(), json!({}));
    let gone: Vec<_> = reply.headers.get_all(header::SET_COOKIE).iter().map(|line| line.to_str().unwrap()).collect();
    assert!(gone.iter().any(|line| line.starts_with("refresh=;") && line.contains("Max-Age=0")), "{gone:?}");
    assert_eq!(is_in(&app, &person).await, (false, false));
}

#[tokio::test]
async fn all_other_devices_are_signed_out_together() {
    let app = start().await;
    let kept = app.sign_up("ada@example.com").await;
    let others = [
        log_in_on(&app, "ada@example.com", FIREFOX, "131.130.1.11").await,
        log_in_on(&app, "ada@example.com", SAFARI, "133.11.0.1").await,
    ];
    let stranger = app.sign_up("bob@example.com").await;
    assert_eq!(app.delete_as(&kept, "/api/user/sessions").await.result(), json!({}));
    for other in &others {
        assert_eq!(is_in(&app, other).await, (false, false));
    }
    assert_eq!(is_in(&app, &kept).await, (true, true));
    assert_eq!(is_in(&app, &stranger).await, (true, true));
    assert_eq!(devices(&app, &kept).await.len(), 1);
}

#[tokio::test]
async fn another_persons_device_is_not_found() {
    let app = start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let id = devices(&app, &ada).await[0]["id"].clone();
    for other in [&bob, &admin] {
        let reply = app.delete_as(other, &format!("/api/user/sessions/{id}")).await;
        reply.fails(404, "not_found", "There is no such session.");
    }
    for nonsense in ["0", "-1", "9223372036854775807"] {
        let reply = app.delete_as(&bob, &format!("/api/user/sessions/{nonsense}")).await;
        reply.fails(404, "not_found", "There is no such session.");
    }
    assert_eq!(app.send(None, Method::GET, "/api/user/sessions", None).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(is_in(&app, &ada).await, (true, true));
}

#[tokio::test]
async fn a_mail_tells_of_a_sign_in_on_a_device_that_is_not_known() {
    let app = start().await;
    let first = app.sign_up("ada@example.com").await;
    let news = |app: &TestApp| {
        app.mails().into_iter().filter(|(_, mail)| matches!(mail, Mail::NewSignIn { .. })).collect::<Vec<_>>()
    };
    // Neither the sign-up itself nor a sign-in where a person has signed in before is news.
    assert_eq!(news(&app), []);
    let again = first.client.post(format!("{}/api/user/login", app.address));
    reply(again.json(&json!({ "username": "ada@example.com", "password": PASSWORD }))).await.result();
    assert_eq!(news(&app), []);

    app.env.advance(SECOND);
    let there = log_in_on(&app, "ADA@example.com", FIREFOX, "131.130.1.11").await;
    let told = news(&app);
    assert_eq!(told.len(), 1);
    let (to, Mail::NewSignIn { first_name, device, place, at, .. }) = &told[0] else { unreachable!() };
    assert_eq!((to.as_str(), first_name.as_str()), ("ada@example.com", "Ada"));
    assert_eq!((device.as_str(), place.as_str(), *at), ("Firefox on Windows", "Austria", app.env.now().millis()));
    // From now on that device is known, to Ada's account and to no other.
    app.sign_up("bob@example.com").await;
    for (email, count) in [("ada@example.com", 1), ("bob@example.com", 2)] {
        let again = there.client.post(format!("{}/api/user/login", app.address));
        reply(again.json(&json!({ "username": email, "password": PASSWORD }))).await.result();
        assert_eq!(news(&app).len(), count, "{email}");
    }
}

//! Root keys: rotated by the operator's command while two nodes serve a stream of requests, and removed.

use std::{
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use crate::harness::{self, Person, Reply, TestApp, reply};
use identity::{Identity, IdentityError, TOKEN_KEY_GRACE};
use kernel::{Env, HOUR, SECOND, SessionId, UserId};
use reqwest::{Client, header};
use serde_json::json;
use totp_rs::TOTP;

/// How often keys are rotated under the stream.
const ROTATIONS: usize = 4;

/// Runs `pith rotate-keys`, as an operator does, in a process of its own.
async fn rotate_keys(app: &TestApp) {
    let done = app.operator_command("rotate-keys").await;
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// The same by the test's clock, by which keys die here.
fn rotate_by_the_tests_clock(app: &TestApp) {
    let (seal, env) = (&app.app.seal, &*app.app.env);
    app.app.db.write_now::<_, IdentityError>(|pg| pg.rotate_root_key(seal, env).map(|_| ())).unwrap();
}

async fn session(node: &TestApp, token: &str) -> Reply {
    reply(Client::new().get(format!("{}/api/user/session", node.address)).bearer_auth(token)).await
}

/// Renews access by the refresh cookie alone; gives the next secret and the new token.
async fn refresh(node: &TestApp, secret: &str) -> (String, String) {
    let request = Client::new().post(format!("{}/api/user/refresh-token", node.address));
    let reply = reply(request.header(header::COOKIE, format!("refresh={secret}"))).await;
    let token = reply.result()["token"].as_str().unwrap().to_owned();
    (secret_in(&reply), token)
}

fn secret_in(reply: &Reply) -> String {
    let mut cookies = reply.headers.get_all(header::SET_COOKIE).iter().map(|line| line.to_str().unwrap());
    cookies.find_map(|line| line.strip_prefix("refresh=")?.split(';').next()).unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_signed_out_while_keys_rotate_under_two_nodes() {
    let one = TestApp::start().await;
    let other = one.start_beside().await;
    let (ada, grace) = (one.sign_up("ada@example.com").await, other.sign_up("grace@example.com").await);
    let login = json!({ "username": "ada@example.com", "password": harness::PASSWORD });
    let signed_in = one.post("/api/user/login", login).await;

    let rotated = AtomicBool::new(false);
    // A person who keeps the first token throughout, now on this node, now on that.
    let keeps = |person: &Person| {
        let (token, one, other, rotated) = (person.token.clone(), &one, &other, &rotated);
        async move {
            let mut count = 0;
            while !rotated.load(Ordering::SeqCst) || count < 40 {
                session(if count % 2 == 0 { one } else { other }, &token).await.result();
                count += 1;
            }
        }
    };
    // A person who renews all the time: each token is of the key of its moment, and good on the other node at once.
    let renews = async {
        let (mut secret, mut count) = (secret_in(&signed_in), 0);
        while !rotated.load(Ordering::SeqCst) || count < 20 {
            let (here, there) = if count % 2 == 0 { (&one, &other) } else { (&other, &one) };
            let (next, token) = refresh(here, &secret).await;
            session(there, &token).await.result();
            session(here, &token).await.result();
            (secret, count) = (next, count + 1);
        }
        secret
    };
    let rotations = async {
        for _ in 0..ROTATIONS {
            rotate_keys(&one).await;
        }
        rotated.store(true, Ordering::SeqCst);
    };
    let ((), (), secret, ()) = futures_util::join!(keeps(&ada), keeps(&grace), renews, rotations);

    // A rotated key is used within 30 s without a restart (`identity.key-rotation`).
    one.env.advance(30 * SECOND);
    let newest = format!("signing: {}", ROTATIONS + 1);
    for node in [&one, &other] {
        let (_, token) = refresh(node, &secret).await;
        assert!(format!("{:?}", node.app.keys().await.unwrap().ring).contains(&newest));
        for verifier in [&one, &other] {
            session(verifier, &token).await.result();
            session(verifier, &ada.token).await.result();
            session(verifier, &grace.token).await.result();
        }
    }
    one.env.advance(HOUR - 30 * SECOND);
    for token in [&ada.token, &grace.token] {
        session(&one, token).await.fails(401, "unauthenticated", "Please log in.");
    }
}

#[tokio::test]
async fn a_secret_that_does_not_fit_the_database_stops_the_start_and_readiness() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    let other = ("PITH_SECRET", "another secret of at least 32 characters");
    let ready = app.start_beside_with(&[other]).await.get("/readyz").await;
    assert_eq!(ready.status.as_u16(), 503, "{}", ready.text);
    assert_eq!(app.get("/readyz").await.status.as_u16(), 200);

    let run = async |arguments: &[&str], vars: &[(&str, &str)]| {
        let home = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pith"));
        command.args(arguments).env("DATABASE_URL", app.database.url()).env("PUBLIC_URL", "http://localhost:4000");
        command.env("PITH_HOME", home.path()).env("PORT", "4000").env_remove("PITH_SECRET");
        command.envs(harness::PAYMENT_KEYS).envs(vars.iter().copied());
        let done = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
        assert!(!done.status.success());
        (String::from_utf8(done.stderr).unwrap(), home.path().join("secret").exists())
    };
    for command in ["serve", "worker"] {
        let (said, _) = run(&[command], &[other]).await;
        assert!(said.contains("PITH_SECRET does not fit the database: the server's keys"), "{said}");
    }
    // The demo's data folder has no secret, and gets none beside a database that was sealed with one.
    for command in ["serve", "migrate"] {
        let (said, is_made) = run(&[command], &[("PITH_PROFILE", "demo")]).await;
        assert!(said.contains("PITH_SECRET: the database was sealed with a secret that is not in"), "{said}");
        assert!(!is_made);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_a_dead_or_removed_key_is_refused_on_every_node() {
    let one = TestApp::start().await;
    let other = one.start_beside().await;
    let ada = one.sign_up("ada@example.com").await;
    let (user, live) = (UserId::from_store(ada.id()), SessionId::from_store(1));
    assert_eq!(one.count("sessions WHERE id = 1 AND revoked_at IS NULL"), 1);
    // A thief of today's key could sign with it for ever.
    let stolen = one.app.keys().await.unwrap();
    let sign = || stolen.ring.issue(user, live, identity::Role::Admin, &*one.env);
    session(&one, &sign()).await.result();

    rotate_by_the_tests_clock(&one);
    one.env.advance(TOKEN_KEY_GRACE - SECOND);
    session(&one, &sign()).await.result();
    one.env.advance(SECOND);
    for node in [&one, &other] {
        session(node, &sign()).await.fails(401, "unauthenticated", "Please log in.");
    }

    // Taken out of the database, a key is dead within the time in which nodes read the keys again.
    let second = one.app.keys().await.unwrap();
    let sign = || second.ring.issue(user, live, identity::Role::Member, &*one.env);
    for node in [&one, &other] {
        session(node, &sign()).await.result();
    }
    rotate_by_the_tests_clock(&one);
    one.sql("DELETE FROM root_keys WHERE retired_at IS NOT NULL");
    one.env.advance(30 * SECOND);
    for node in [&one, &other] {
        session(node, &sign()).await.fails(401, "unauthenticated", "Please log in.");
    }
}

#[actix_web::test]
async fn the_operators_secret_is_replaced_without_a_break() {
    let old = TestApp::start().await;
    let ada = old.sign_up("ada@example.com").await;
    let setup = old.post_as(&ada, "/api/user/totp", json!({})).await.result();
    let phone = TOTP::from_url(setup["url"].as_str().expect("a URL")).expect("an authenticator app");
    let code = |app: &TestApp| phone.generate(app.env.now().millis().unsigned_abs() / 1000);
    old.put_as(&ada, "/api/user/totp", json!({ "code": code(&old) })).await.result();
    old.put("/api/user/forgot-password", json!({ "email": "ada@example.com" })).await.result();
    let waiting = old.count("jobs WHERE payload IS NOT NULL AND kind IN ('mail', 'recovery')");
    assert!(waiting >= 2, "a mail and a recovery wait");
    let (first, second) = (harness::SECRET, "another secret of at least 32 characters");

    // Both secrets: what the old one has sealed is opened.
    let both = old.start_beside_with(&[("PITH_SECRET", second), ("PITH_SECRET_ALSO", first)]).await;
    assert_eq!(both.get("/readyz").await.status.as_u16(), 200);
    session(&both, &ada.token).await.result();
    let rotate = |also: &str| {
        let mut pith = Command::new(env!("CARGO_BIN_EXE_pith"));
        pith.arg("rotate-secret").env_clear().envs([
            ("DATABASE_URL", old.database.application_url().as_str()),
            ("PITH_SECRET", second),
            ("PITH_SECRET_ALSO", also),
            ("PUBLIC_URL", "http://localhost:4000"),
            ("PITH_HOME", &old.home().display().to_string()),
        ]);
        let done = pith.output().expect("it runs");
        (
            done.status.success(),
            format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr)),
        )
    };
    let (succeeded, said) = rotate("");
    assert!(!succeeded && said.contains("PITH_SECRET_ALSO is not set"), "{said}");
    let (succeeded, said) = rotate("a third secret that nobody has ever used");
    assert!(!succeeded && said.contains("0 values are sealed") && said.contains("open with neither secret"), "{said}");
    let (succeeded, said) = rotate(first);
    assert!(succeeded && !said.starts_with("0 values"), "{said}");
    let (succeeded, said) = rotate(first);
    assert!(succeeded && said.starts_with("0 values"), "a second time there is nothing to do: {said}");

    // The new secret alone: nobody is signed out, the app's codes count, and what was queued is done.
    let new = old.start_beside_with(&[("PITH_SECRET", second)]).await;
    assert_eq!(new.get("/readyz").await.status.as_u16(), 200);
    session(&new, &ada.token).await.result();
    old.env.advance(60 * SECOND);
    let login = json!({ "username": "ada@example.com", "password": harness::PASSWORD });
    let asked = new.post("/api/user/login", login).await;
    let ticket = asked.json()["ticket"].as_str().expect("a ticket").to_owned();
    new.post("/api/user/second-factor", json!({ "ticket": ticket, "code": code(&old) })).await.result();
    new.work_off().await;
    assert_eq!(new.count("jobs WHERE state = 'set_aside'"), 0);
    assert_eq!(new.count("jobs WHERE kind IN ('mail', 'recovery') AND state = 'queued'"), 0);
    // The old one alone opens nothing any more.
    let before = old.start_beside().await;
    assert_eq!(before.get("/readyz").await.status.as_u16(), 503);
}

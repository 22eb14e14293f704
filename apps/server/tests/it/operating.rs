//! What operators see of a process: its log at the start, at the stop and in between.

use diesel::{Connection, PgConnection};
use reqwest::Client;
use serde_json::{Value, json};
use testing::TestDatabase;

use crate::harness::{PASSWORD, PAYMENT_KEYS, process::Process};

/// How often a process is stopped: what goes wrong at a stop does so every other time.
const STOPS: usize = 4;

/// A database, and a data folder.
fn ground() -> (TestDatabase, tempfile::TempDir) {
    (TestDatabase::new(), tempfile::tempdir().expect("a folder"))
}

/// The lines of a log in JSON whose message is this one.
fn events(log: &[String], message: &str) -> Vec<Value> {
    let lines = log.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["message"].as_str().is_some_and(|text| text.starts_with(message))).collect()
}

#[test]
fn the_start_warns_of_weak_settings() {
    let (database, home) = ground();
    let (_, log) = Process::start(&database, home.path(), &[("LOG_FORMAT", "json")]).stop();
    for weak in ["PITH_SECRET looks guessable", "SMTP_URL is not set"] {
        let found = events(&log, weak);
        assert!(found.len() == 1 && found[0]["level"] == "WARN", "{weak}: {log:?}");
    }
}

#[test]
fn the_demo_refuses_to_start_at_a_public_address() {
    let (database, home) = ground();
    let vars = [("PITH_PROFILE", "demo"), ("PUBLIC_URL", "https://pith.example.com")];
    let (status, said) = Process::refuse(&database, home.path(), &vars);
    assert!(!status.success() && said.starts_with("pith: PITH_PROFILE: is 'demo'"), "{said}");
}

#[test]
fn a_site_for_members_does_not_start_with_pretended_payments() {
    let (database, home) = ground();
    let none = PAYMENT_KEYS.map(|(name, _)| (name, ""));
    let (status, said) = Process::refuse(&database, home.path(), &none);
    assert!(!status.success() && said.starts_with("pith: STRIPE_SECRET_KEY: is missing"), "{said}");
}

#[test]
fn the_database_may_be_reached_over_tls() {
    let database = TestDatabase::new();
    let url = format!("{}?sslmode=require", database.url());
    // The tests' cluster has no certificate: over a socket none is needed, over the network libpq asks for one.
    if let Err(error) = PgConnection::establish(&url) {
        assert!(error.to_string().contains("server does not support SSL"), "{error}");
    }
}

#[test]
fn a_stop_logs_no_errors() {
    let (database, home) = ground();
    for _ in 0..STOPS {
        let server = Process::start(&database, home.path(), &[("LOG_FORMAT", "json"), ("WORKER", "on")]);
        let held = server.request("/api/front", "");
        let (status, log) = server.stop();
        assert!(status.success(), "{log:?}");
        assert!(!events(&log, "stopped").is_empty(), "{log:?}");
        let errors: Vec<_> = log.iter().filter(|line| line.contains(r#""level":"ERROR""#)).collect();
        assert!(errors.is_empty(), "{errors:?}");
        drop(held);
    }
}

#[actix_web::test]
async fn security_events_are_logged_with_member_client_and_outcome_under_the_id_of_the_response() {
    let (database, home) = ground();
    let server = Process::start(&database, home.path(), &[("LOG_FORMAT", "json")]);
    let send = async |path: &str, body: Value| {
        let request = Client::new().post(format!("http://127.0.0.1:{}{path}", server.port)).json(&body);
        let response = request.send().await.expect("the server answers");
        let id = response.headers()["x-request-id"].to_str().expect("text").to_owned();
        (id, response.json::<Value>().await.expect("JSON"))
    };
    let form = json!({ "username": "ada@example.com", "password": PASSWORD, "firstName": "Ada", "lastName": "Reader", "timezone": "UTC" });
    let (registered, body) = send("/api/user/register", form).await;
    let member = &body["result"]["user"]["id"];
    let (wrong, _) = send("/api/user/login", json!({ "username": "ada@example.com", "password": "a wrong one" })).await;
    let (right, _) = send("/api/user/login", json!({ "username": "ada@example.com", "password": PASSWORD })).await;
    let (_, log) = server.stop();

    let found = events(&log, "security event");
    let expected = [
        (&registered, "POST /api/user/register", member, "200"),
        (&wrong, "POST /api/user/login", &Value::Null, "invalid_credentials"),
        (&right, "POST /api/user/login", member, "200"),
    ];
    assert_eq!(found.len(), expected.len(), "{log:?}");
    for (event, (id, call, user, outcome)) in found.iter().zip(expected) {
        assert_eq!(event["span"]["id"], **id, "{event}");
        assert_eq!((&event["call"], &event["outcome"]), (&json!(call), &json!(outcome)));
        assert_eq!((&event["user"], &event["client"]), (user, &json!("127.0.0.1")));
    }
    assert!(member.is_i64() && !log.join("").contains("ada@example.com"), "no address stands in the log");
}

#[actix_web::test]
async fn a_proxy_that_is_not_named_is_warned_of_once() {
    let (database, home) = ground();
    for (vars, warnings) in
        [(vec![("LOG_FORMAT", "json")], 1), (vec![("LOG_FORMAT", "json"), ("TRUSTED_PROXIES", "127.0.0.1")], 0)]
    {
        let server = Process::start(&database, home.path(), &vars);
        for _ in 0..3 {
            server.request("/healthz", "X-Forwarded-For: 203.0.113.9\r\n");
        }
        let (_, log) = server.stop();
        assert_eq!(events(&log, "requests come through a proxy").len(), warnings, "{log:?}");
    }
}

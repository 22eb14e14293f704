//! Every limit on tries, at every call that it is for: once it is spent, the answer is a `429` that says when to try
//! again, on the wire and in words.

mod support;

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use server::config::RateLimits;
use support::{PASSWORD, Person, TestApp};

/// A call that a limit is for.
struct Call {
    limit: &'static str,
    method: Method,
    path: &'static str,
    /// Whether a member makes it.
    by_member: bool,
    body: Value,
}

fn call(limit: &'static str, method: Method, path: &'static str, body: Value) -> Call {
    Call { limit, method, path, by_member: false, body }
}

fn by_member(call: Call) -> Call {
    Call { by_member: true, ..call }
}

/// Right bodies, or such as only somebody would send who guesses. `EMAIL` is a new address each time.
fn calls() -> Vec<Call> {
    let login = json!({ "username": "ada@example.com", "password": "a wrong password" });
    let sign_up = json!({ "username": "EMAIL", "password": PASSWORD, "firstName": "New", "lastName": "Person" });
    let contact = json!({ "name": "Ada", "email": "ada@example.com", "body": "Hello." });
    let feedback = json!({ "feedback": "Good.", "email": "ada@example.com" });
    let friend = json!({ "yourName": "Ada", "friendName": "Grace", "friendEmail": "EMAIL" });
    vec![
        call("LOGIN", Method::POST, "/api/user/login", login.clone()),
        call("LOGIN_ACCOUNT", Method::POST, "/api/user/login", login),
        call("SIGNUP", Method::POST, "/api/user/register", sign_up),
        call("CONTACT", Method::POST, "/api/contact", contact),
        call("CONTACT", Method::POST, "/api/feedback/send", feedback.clone()),
        call("CONTACT", Method::POST, "/feedback/send", feedback),
        by_member(call("INVITE", Method::POST, "/api/contact/invite", friend)),
    ]
}

/// Limits whose calls are not there yet.
const NOT_YET: &[&str] = &[
    "RECOVERY",
    "RECOVERY_ACCOUNT",
    "RESET",
    "LOGIN_LINK",
    "LOGIN_LINK_ACCOUNT",
    "CODE",
    "CODE_ACCOUNT",
    "CONFIRM",
    "PASSWORD",
    "SECOND_FACTOR",
    "PASSKEY",
    "PROVIDER",
    "ARRIVAL",
    "ARCHIVE",
];

#[test]
fn every_limit_has_a_call_here() {
    let tested: BTreeSet<&str> = calls().iter().map(|call| call.limit).chain(NOT_YET.iter().copied()).collect();
    let there: BTreeSet<&str> = RateLimits::DEFAULTS
        .iter()
        .map(|(name, _)| name.strip_prefix("RATE_LIMIT_").expect("every name begins so"))
        .collect();
    assert_eq!(tested, there);
}

/// Makes the call until it is refused; the tries that were let through, and the refusal.
async fn spend(app: &TestApp, ada: &Person, call: &Call) -> (usize, support::Reply) {
    for n in 0..4 {
        let body = serde_json::from_str(&call.body.to_string().replace("EMAIL", &format!("new{n}@example.com")));
        let viewer = call.by_member.then_some(ada);
        let reply = app.send(viewer, call.method.clone(), call.path, body.ok()).await;
        if reply.status == 429 {
            return (n, reply);
        }
        assert!(!reply.status.is_server_error() && reply.status != 401, "{}: {}", call.path, reply.text);
    }
    panic!("{} is not limited by {}", call.path, call.limit);
}

#[actix_web::test]
async fn whoever_comes_too_often_is_told_when_to_come_again() {
    for call in calls() {
        let (most, limit) = (2, format!("RATE_LIMIT_{}", call.limit));
        let app = TestApp::start_with(&[(&limit, "2/3600")]).await;
        let ada = app.sign_up("ada@example.com").await;
        app.confirm(&ada);
        let (let_through, refused) = spend(&app, &ada, &call).await;
        assert!(let_through <= most, "{}", call.path);
        refused.fails(429, "too_many_tries", "Too many tries. Please try again in 30 minutes.");
        assert_eq!(refused.headers["retry-after"], "1800", "{}", call.path);
        assert_eq!(refused.headers["cache-control"], "no-store", "{}", call.path);

        // A moment before, it is refused still; then one is let through again.
        app.env.advance(1_799_000);
        let (none, refused) = spend(&app, &ada, &call).await;
        assert_eq!(none, 0, "{}", call.path);
        assert_eq!(refused.headers["retry-after"], "1", "{}", call.path);
        app.env.advance(1_000);
        assert_eq!(spend(&app, &ada, &call).await.0, 1, "{}", call.path);
    }
}

//! Every rate limit, at every call that it is for: over the limit the response is a `429` that says when to try again,
//! in `Retry-After` and in words.

use std::collections::BTreeSet;

use crate::harness::{self, PASSWORD, Person, TestApp};
use reqwest::Method;
use serde_json::{Value, json};
use workflows::limits::RateLimits;

/// A call that a limit is for.
struct Call {
    limit: &'static str,
    method: Method,
    path: &'static str,
    /// The `Authorization` header: a member's token, another text, or none.
    bearer: Bearer,
    body: Option<Value>,
}

enum Bearer {
    Nobody,
    Member,
    Text(&'static str),
}

fn post(limit: &'static str, path: &'static str, body: Value) -> Call {
    Call { limit, method: Method::POST, path, bearer: Bearer::Nobody, body: Some(body) }
}

fn get(limit: &'static str, path: &'static str) -> Call {
    Call { limit, method: Method::GET, path, bearer: Bearer::Nobody, body: None }
}

impl Call {
    fn by_member(self) -> Self {
        Self { bearer: Bearer::Member, ..self }
    }

    fn by(self, method: Method) -> Self {
        Self { method, ..self }
    }
}

/// The limit that needs PayPal's answers; `paypal_webhooks` tests it.
const IN_PAYPAL_WEBHOOKS: &str = "WEBHOOK";
/// `identity::api_tokens` tests it.
const OF_TOKENS: &str = "API_TOKEN";

/// Shaped like a redemption code; there is none like it.
const CODE: &str = "ABCDE-FGHJK-LMNPQ-RSTUV";

/// Shaped like a mailed token; the server never issued it.
const FORGED: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Valid bodies, or those of a client that guesses. `EMAIL` is a new address each time.
fn calls() -> Vec<Call> {
    let login = json!({ "username": "ada@example.com", "password": "a wrong password" });
    let sign_up = json!({ "username": "EMAIL", "password": PASSWORD, "firstName": "New", "lastName": "Person" });
    let contact = json!({ "name": "Ada", "email": "ada@example.com", "body": "Hello." });
    let feedback = json!({ "feedback": "Good.", "email": "ada@example.com" });
    let friend = json!({ "yourName": "Ada", "friendName": "Grace", "friendEmail": "EMAIL" });
    let (address, any_address) = (json!({ "email": "ada@example.com" }), json!({ "email": "EMAIL" }));
    let digits = json!({ "email": "ada@example.com", "code": "000000" });
    let code = json!({ "code": FORGED });
    let reset = json!({ "password1": PASSWORD, "password2": PASSWORD, "code": FORGED, "email": "ada@example.com" });
    let password = json!({ "currentPassword": "a wrong one", "password1": PASSWORD, "password2": PASSWORD });
    let mut sign_up_with_code = sign_up.clone();
    sign_up_with_code["code"] = json!(CODE);
    let declined = json!({ "token": "pm_card_chargeDeclined", "email": "ada@example.com" });
    let card = json!({
        "kind": "own", "content": { "value": { "question": "Why?", "answer": "So." }, "at": 1 }, "createdAt": 0,
    });
    let answers = json!({ "answers": [{ "id": 1, "cardId": 4711, "rating": 3, "at": 0 }] });
    let anchor = json!({ "section": 0, "start": 0, "end": 3, "exact": "The", "prefix": "", "suffix": " first" });
    let highlight = json!({ "bookId": "walden", "anchor": anchor, "createdAt": 0 });
    let commitment = json!({ "bookId": "walden", "text": { "value": "Own less.", "at": 0 }, "createdAt": 0 });
    let list = json!({ "name": { "value": "Work", "at": 0 }, "createdAt": 0 });
    let new_address = json!({ "email": "EMAIL", "currentPassword": PASSWORD });
    vec![
        post("LOGIN", "/api/user/login", login.clone()),
        post("LOGIN_ACCOUNT", "/api/user/login", login),
        post("SIGNUP", "/api/user/register", sign_up.clone()),
        post("SIGNUP_NETWORK", "/api/user/register", sign_up),
        post("RECOVERY", "/api/user/forgot-password", any_address.clone()).by(Method::PUT),
        post("RECOVERY_ACCOUNT", "/api/user/forgot-password", address.clone()).by(Method::PUT),
        post("RESET", "/api/user/reset-password", reset).by(Method::PUT),
        post("RESET", "/api/user/confirm-email", code.clone()),
        post("RESET", "/api/user/archive/download", code),
        post("LOGIN_LINK", "/api/user/login-link", any_address),
        post("LOGIN_LINK_ACCOUNT", "/api/user/login-link", address),
        post("CODE", "/api/user/login-code", digits.clone()),
        post("CODE_ACCOUNT", "/api/user/login-code", digits),
        post("CONFIRM", "/api/user/confirm-email/send", json!({})).by_member(),
        post("CONFIRM", "/api/user/email", new_address).by(Method::PUT).by_member(),
        post("PASSWORD", "/api/user/password", password.clone()).by(Method::PUT).by_member(),
        post("PASSWORD", "/api/user/totp", password.clone()).by_member(),
        post("PASSWORD", "/api/user/passkeys/options", password).by_member(),
        post("SECOND_FACTOR", "/api/user/totp", json!({ "code": "000000" })).by(Method::PUT).by_member(),
        post("SECOND_FACTOR", "/api/user/recovery-codes", json!({ "code": "000000" })).by_member(),
        post("PASSKEY", "/api/user/passkey-login/options", json!({})),
        post("PASSKEY", "/api/user/passkey-login", json!({ "ceremony": "none", "credential": {} })),
        post("PASSKEY", "/api/user/passkeys/options", json!({ "currentPassword": PASSWORD })).by_member(),
        get("PROVIDER", "/api/facebook/oauth"),
        get("PROVIDER", "/api/facebook/oauth/callback?code=1&state=1"),
        Call { bearer: Bearer::Text(FORGED), ..get("ARRIVAL", "/api/user/session") },
        post("ARRIVAL", "/api/user/login-link/session", json!({ "token": FORGED })),
        post("CONTACT", "/api/contact", contact),
        post("CONTACT", "/api/feedback/send", feedback.clone()),
        post("CONTACT", "/feedback/send", feedback),
        get("ARCHIVE", "/api/user/archive").by_member(),
        post("ARCHIVE", "/api/user/archive", json!({})).by_member(),
        post("IMPORT", "/api/user/import/kept", json!({})).by_member(),
        post("INVITE", "/api/contact/invite", friend).by_member(),
        post("E_READER", "/api/kindle/send/4711", json!({})).by_member(),
        post("E_READER", "/kindle/deliveries/4711/retry", json!({})).by_member(),
        post("E_READER", "/api/ai/summaries/4711/send", json!({})).by_member(),
        get("DOWNLOAD", "/api/books/download-pdf/4711").by_member(),
        get("DOWNLOAD", "/api/books/download-epub/4711").by_member(),
        post("EVENT", "/api/events", json!({ "name": "start_for_free" })),
        post("CHECKOUT", "/api/charge/process/lifetime", declined),
        post("COUPON", "/api/charge/coupon", json!({ "coupon": "NONE", "planId": "monthly" })),
        post("PLAN_MAIL", "/api/user/ten-day-challenge", json!({ "goals": [1], "email": "EMAIL" })),
        post("REDEEM", "/api/user/stacksocial", json!({ "code": CODE })).by_member(),
        post("REDEEM", "/api/user/subscription-code-register", sign_up_with_code),
        post("SUMMARY", "/api/ai/text", json!({ "text": "A text. ".repeat(60) })).by_member(),
        post("STUDY", "/api/study/highlights/7", highlight).by(Method::PUT).by_member(),
        post("STUDY", "/api/study/cards/7", card).by(Method::PUT).by_member(),
        post("STUDY", "/api/study/commitments/7", commitment).by(Method::PUT).by_member(),
        post("STUDY", "/api/study/lists/7", list).by(Method::PUT).by_member(),
        post("STUDY", "/api/study/answers", answers).by_member(),
        post("STUDY_EXPORT", "/api/study/export?format=json", json!(null)).by(Method::GET).by_member(),
        get("PICTURE", "/api/study/highlights/7/picture").by_member(),
        post("STUDY_WEBHOOK", "/api/study/webhook", json!({ "url": "https://example.com/hook" }))
            .by(Method::PUT)
            .by_member(),
        post("STUDY_WEBHOOK", "/api/study/webhook/test", json!({})).by_member(),
        post("SEAT", "/api/teams/seats/send", json!({ "code": CODE, "email": "friend@example.com" })).by_member(),
    ]
}

#[test]
fn every_rate_limit_has_a_call_in_this_test() {
    let tested: BTreeSet<&str> = calls().iter().map(|call| call.limit).chain([IN_PAYPAL_WEBHOOKS, OF_TOKENS]).collect();
    let there: BTreeSet<&str> = RateLimits::DEFAULTS
        .iter()
        .map(|(name, _)| name.strip_prefix("RATE_LIMIT_").expect("every name begins so"))
        .collect();
    assert_eq!(tested, there);
}

/// Makes the call until it is refused; gives how many were admitted, and the refusal.
async fn exhaust(app: &TestApp, ada: &Person, call: &Call) -> (usize, harness::Reply) {
    for n in 0..4 {
        let mut request = app.request(call.method.clone(), call.path);
        match call.bearer {
            Bearer::Nobody => {}
            Bearer::Member => request = request.bearer_auth(&ada.token),
            Bearer::Text(text) => request = request.bearer_auth(text),
        }
        if let Some(body) = &call.body {
            let body = body.to_string().replace("EMAIL", &format!("new{n}@example.com"));
            request = request.json(&serde_json::from_str::<Value>(&body).expect("it is JSON still"));
        }
        let reply = harness::reply(request).await;
        if reply.status == 429 {
            return (n, reply);
        }
        assert!(!reply.status.is_server_error() && reply.status != 401, "{}: {}", call.path, reply.text);
    }
    panic!("{} is not limited by {}", call.path, call.limit);
}

#[actix_web::test]
async fn a_client_over_its_rate_limit_gets_429_with_retry_after() {
    for call in calls() {
        let (most, limit) = (2, format!("RATE_LIMIT_{}", call.limit));
        let app = TestApp::start_with(&[
            (&limit, "2/3600"),
            // Passkeys need a name, and a provider that is configured stands for all.
            ("PUBLIC_URL", "http://localhost:4000"),
            ("OAUTH_FACEBOOK_CLIENT_ID", "pith"),
            ("OAUTH_FACEBOOK_CLIENT_SECRET", "only the tests know"),
        ])
        .await;
        let ada = app.sign_up("ada@example.com").await;
        // Only who is confirmed invites, and only who is not asks for the mail.
        if matches!(call.limit, "INVITE" | "ARCHIVE") {
            app.confirm(&ada);
        }
        if call.limit == "STUDY" {
            app.add_book("walden", "free = true");
        }
        if call.limit == "PLAN_MAIL" {
            app.sql(
                "INSERT INTO goals (id, slug, title, short_title, mobile_title, description, place)
                 OVERRIDING SYSTEM VALUE VALUES (1, 'calm', 'Calm', 'Calm', 'Calm', '', 0)",
            );
        }
        let (admitted, refused) = exhaust(&app, &ada, &call).await;
        assert!(admitted <= most, "{}", call.path);
        refused.fails(429, "too_many_tries", "Too many attempts. Please try again in 30 minutes.");
        assert_eq!(refused.headers["retry-after"], "1800", "{}", call.path);
        assert_eq!(refused.headers["cache-control"], "no-store", "{}", call.path);

        // A moment before the half hour is over it is still refused; then one is admitted.
        app.env.advance(1_799_000);
        if call.limit == "ARCHIVE" {
            // The proof of the sign-in is too old by then.
            app.post_as(&ada, "/api/user/proof", json!({ "currentPassword": PASSWORD })).await.result();
        }
        let (none, refused) = exhaust(&app, &ada, &call).await;
        assert_eq!(none, 0, "{}", call.path);
        assert_eq!(refused.headers["retry-after"], "1", "{}", call.path);
        app.env.advance(1_000);
        assert_eq!(exhaust(&app, &ada, &call).await.0, 1, "{}", call.path);
    }
}

//! U+0000, which Postgres can't store: every call refuses it in each of its inputs, with the field that has it.

use crate::harness::{Person, TestApp};
use reqwest::Method;
use serde_json::{Value, json};

/// A call of the OpenAPI document.
struct Call {
    method: Method,
    path: String,
    operation: Value,
}

impl Call {
    /// The names of its parameters in the path or in the query.
    fn parameters(&self, place: &str) -> Vec<String> {
        let parameters = self.operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
        let names = parameters.iter().filter(|one| one["in"] == place).filter_map(|one| one["name"].as_str());
        names.map(str::to_owned).collect()
    }

    /// The path with a value for each part that has a name.
    fn address(&self, value: &str) -> String {
        let parts = self.path.split('/').map(|part| if part.starts_with('{') { value } else { part });
        parts.collect::<Vec<_>>().join("/")
    }

    /// An address at which the call answers.
    fn known_address(&self) -> String {
        self.address(if self.path.contains("/oauth") { "facebook" } else { "1" })
    }

    fn takes(&self, content_type: &str) -> bool {
        self.operation["requestBody"]["content"][content_type].is_object()
    }
}

async fn calls(app: &TestApp) -> Vec<Call> {
    let document = app.get("/api/openapi.json").await.json();
    let paths = document["paths"].as_object().expect("paths");
    let all = paths.iter().flat_map(|(path, item)| {
        item.as_object().expect("operations").iter().map(move |(method, operation)| Call {
            method: Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method"),
            path: path.clone(),
            operation: operation.clone(),
        })
    });
    all.collect()
}

/// Whether the call is refused as this test wants it; if not, what came instead.
async fn unrefused(
    app: &TestApp,
    admin: &Person,
    call: &Call,
    address: &str,
    body: Option<Value>,
    field: &str,
) -> Option<String> {
    let reply = app.send(Some(admin), call.method.clone(), address, body).await;
    let said: Value = serde_json::from_str(&reply.text).unwrap_or_default();
    let is_refused = reply.status.as_u16() == 422 && said["code"] == "validation_failed" && said["field"] == field;
    (!is_refused).then(|| format!("{} {address} ({field}): {} {}", call.method, reply.status, reply.text))
}

#[actix_web::test]
async fn every_call_refuses_u0000_in_path_query_and_body_with_the_field() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let (mut unrefusing, mut tried) = (Vec::new(), 0);
    for call in calls(&app).await {
        let json = call.takes("application/json");
        let body = |text: &str| json.then(|| json!({ "text": text }));
        let mut tries = Vec::new();
        if let Some(first) = call.parameters("path").first() {
            tries.push((call.address("x%00"), body("x"), first.clone()));
        }
        for name in call.parameters("query") {
            tries.push((format!("{}?{name}=x%00", call.known_address()), body("x"), name));
        }
        if json {
            tries.push((call.known_address(), body("x\0y"), "text".to_owned()));
        }
        tried += tries.len();
        for (address, body, field) in tries {
            unrefusing.extend(unrefused(&app, &admin, &call, &address, body, &field).await);
        }
    }
    assert!(tried > 200, "{tried}");
    assert!(unrefusing.is_empty(), "{} of {tried}:\n{}", unrefusing.len(), unrefusing.join("\n"));
}

#[actix_web::test]
async fn a_visitors_texts_and_addresses_with_u0000_are_refused_and_a_page_is_not_found() {
    let app = TestApp::start().await;
    let texts = [
        ("/api/user/login", json!({ "username": "a\0@example.com", "password": "correct horse" }), "username"),
        ("/api/contact", json!({ "name": "A", "email": "a@example.com", "body": "\0" }), "body"),
    ];
    for (path, body, field) in texts {
        let reply = app.post(path, body).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!(field)), "{path}: {}", reply.text);
    }
    for (page, status) in [("/books?tag=%00", 404), ("/books/%00", 422), ("/category/%00", 422), ("/blog/%00", 422)] {
        assert_eq!(app.get(page).await.status.as_u16(), status, "{page}");
    }
}

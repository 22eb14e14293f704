//! The requests of the measurements.

use std::fmt::Write as _;

use crate::instance::PASSWORD;

/// One request out of those that a row walks over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) token: Option<String>,
    pub(super) body: Option<String>,
    pub(super) takes_compressed: bool,
    /// The `Idempotency-Key` of a purchase.
    pub(super) key: Option<String>,
    /// A cookie with its name.
    pub(super) cookie: Option<String>,
}

impl Request {
    /// A reading one.
    pub(super) fn get(path: &str) -> Self {
        Self {
            method: "GET",
            path: path.to_owned(),
            token: None,
            body: None,
            takes_compressed: true,
            key: None,
            cookie: None,
        }
    }

    /// An account of the demo content logs in.
    pub(super) fn log_in(email: &str) -> Self {
        let body = format!(r#"{{"username":"{email}","password":"{PASSWORD}"}}"#);
        Self {
            method: "POST",
            path: "/api/user/login".to_owned(),
            token: None,
            body: Some(body),
            takes_compressed: true,
            key: None,
            cookie: None,
        }
    }

    /// A member turns a page.
    pub(super) fn save_position(book: u64, token: &str) -> Self {
        let body = format!(r#"{{"bookId":{book},"position":2}}"#);
        Self {
            method: "PUT",
            path: "/api/user-book-history/".to_owned(),
            token: Some(token.to_owned()),
            body: Some(body),
            takes_compressed: true,
            key: None,
            cookie: None,
        }
    }

    /// A guest buys the lifetime plan with the sandbox's card that succeeds. Each number is another guest with another key:
    /// the same key again would only be answered with what became of it.
    pub(super) fn buy_as_guest(number: u32) -> Self {
        let body = format!(r#"{{"token":"pm_card_visa","email":"guest-{number}@example.com"}}"#);
        Self {
            method: "POST",
            path: "/api/charge/process/lifetime".to_owned(),
            token: None,
            body: Some(body),
            takes_compressed: true,
            key: Some(format!("bench-{number}")),
            cookie: None,
        }
    }

    /// Its headers, besides those of the connection and the body's length.
    pub(super) fn headers(&self) -> Vec<(&'static str, String)> {
        let headers = [
            self.takes_compressed.then(|| ("Accept-Encoding", "br, gzip".to_owned())),
            self.token.as_ref().map(|token| ("Authorization", format!("Bearer {token}"))),
            self.body.as_ref().map(|_| ("Content-Type", "application/json".to_owned())),
            self.key.as_ref().map(|key| ("Idempotency-Key", key.clone())),
            self.cookie.as_ref().map(|cookie| ("Cookie", cookie.clone())),
        ];
        headers.into_iter().flatten().collect()
    }

    /// The whole request as it is sent, for an exchange without wrk.
    pub(super) fn on_the_wire(&self, host: &str) -> String {
        let body = self.body.as_deref().unwrap_or_default();
        let mut headers = String::new();
        for (name, value) in self.clone().uncompressed().headers() {
            let _ = write!(headers, "{name}: {value}\r\n");
        }
        format!(
            "{} {} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            self.method,
            self.path,
            body.len()
        )
    }

    /// The same, answered as it is: compressing is done once for each answer that is kept, and where none is kept it
    /// would be measured instead of the way to the database.
    pub(super) fn uncompressed(mut self) -> Self {
        self.takes_compressed = false;
        self
    }

    /// The same, with a cookie, `name=value`.
    pub(super) fn with_cookie(mut self, cookie: String) -> Self {
        self.cookie = Some(cookie);
        self
    }

    /// The same, by someone who is signed in.
    pub(super) fn with_token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }
}

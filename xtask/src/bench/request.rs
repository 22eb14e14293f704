//! The requests of the benchmarks.

use anyhow::Result;
use ureq::http::Response;

use crate::instance::PASSWORD;

const ACCEPT_ENCODING: &str = "Accept-Encoding";

/// One of the requests that a measurement cycles through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: &'static str,
    pub(super) path: String,
    /// Additional headers, besides those of the connection and the body's length.
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Option<String>,
}

impl Request {
    fn new(method: &'static str, path: &str, body: Option<String>) -> Self {
        let kind = body.as_ref().map(|_| ("Content-Type", "application/json".to_owned()));
        let headers = [(ACCEPT_ENCODING, "br, gzip".to_owned())].into_iter().chain(kind).collect();
        Self { method, path: path.to_owned(), headers, body }
    }

    pub(super) fn get(path: &str) -> Self {
        Self::new("GET", path, None)
    }

    /// A POST without a body, as of an export.
    pub(super) fn post(path: &str) -> Self {
        Self::new("POST", path, None)
    }

    /// A login of a demo account.
    pub(super) fn log_in(email: &str) -> Self {
        let body = format!(r#"{{"username":"{email}","password":"{PASSWORD}"}}"#);
        Self::new("POST", "/api/user/login", Some(body))
    }

    /// A member turns a page.
    pub(super) fn save_position(book: u64, token: &str) -> Self {
        let body = format!(r#"{{"bookId":{book},"position":2}}"#);
        Self::new("PUT", "/api/user-book-history/", Some(body)).with_token(token)
    }

    /// A member keeps a book in the library.
    pub(super) fn keep_book(book: u64, token: &str) -> Self {
        Self::new("POST", "/api/library", Some(format!(r#"{{"bookId":{book}}}"#))).with_token(token)
    }

    /// A guest buys the lifetime plan with the sandbox's card that succeeds. Each number is another guest with another
    /// idempotency key: the same key would only return the stored result.
    pub(super) fn buy_as_guest(number: u32) -> Self {
        let body = format!(r#"{{"token":"pm_card_visa","email":"guest-{number}@example.com"}}"#);
        Self::new("POST", "/api/charge/process/lifetime", Some(body)).with("Idempotency-Key", format!("bench-{number}"))
    }

    /// Asks for an uncompressed response. A cached response is compressed once; without the cache, compression would be
    /// measured instead of the path to the database.
    pub(super) fn uncompressed(mut self) -> Self {
        self.headers.retain(|(name, _)| *name != ACCEPT_ENCODING);
        self
    }

    /// Adds a cookie, `name=value`.
    pub(super) fn with_cookie(self, cookie: String) -> Self {
        self.with("Cookie", cookie)
    }

    /// Adds an access token.
    pub(super) fn with_token(self, token: &str) -> Self {
        self.with("Authorization", format!("Bearer {token}"))
    }

    /// Sends the request and returns the response with its complete body.
    pub(super) fn send(&self, agent: &ureq::Agent, url: &str) -> Result<Response<Vec<u8>>> {
        let mut head = ureq::http::Request::builder().method(self.method).uri(format!("{url}{}", self.path));
        for (name, value) in &self.headers {
            head = head.header(*name, value);
        }
        let (head, mut body) = agent.run(head.body(self.body.clone().unwrap_or_default())?)?.into_parts();
        Ok(Response::from_parts(head, body.read_to_vec()?))
    }

    fn with(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }
}

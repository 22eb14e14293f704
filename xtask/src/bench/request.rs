//! The requests of the measurements.

/// One request out of those that a row walks over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) token: Option<String>,
    pub(super) body: Option<String>,
    pub(super) takes_compressed: bool,
}

impl Request {
    /// A reading one.
    pub(super) fn get(path: &str) -> Self {
        Self { method: "GET", path: path.to_owned(), token: None, body: None, takes_compressed: true }
    }

    /// The member of the demo content logs in.
    pub(super) fn log_in() -> Self {
        let body = r#"{"username":"paid@example.com","password":"pith-demo-2026"}"#.to_owned();
        Self {
            method: "POST",
            path: "/api/user/login".to_owned(),
            token: None,
            body: Some(body),
            takes_compressed: true,
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
        }
    }

    /// The whole request as it is sent, for an exchange without wrk.
    pub(super) fn on_the_wire(&self, host: &str) -> String {
        let body = self.body.as_deref().unwrap_or_default();
        let token = self.token.as_ref().map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        format!(
            "{} {} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{token}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
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

    /// The same, by someone who is signed in.
    pub(super) fn with_token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }
}

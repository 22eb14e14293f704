//! Requests to a server on this machine, and its JSON responses.
//!
//! `ureq` sends the requests; this adds access tokens and the format of the server's responses.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use ureq::http::{Method, Request, header};

/// Timeout of a request. Longer than any response takes, even without a database.
const PATIENCE: Duration = Duration::from_mins(1);

/// An HTTP client that keeps its connections open between requests, as a browser does.
pub(crate) struct Client {
    agent: ureq::Agent,
    origin: String,
}

/// A response.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// The `Retry-After` header, in seconds.
    pub(crate) retry_after: Option<u64>,
    /// `Null` when it was not JSON.
    pub(crate) body: Value,
}

impl Reply {
    pub(crate) fn is_ok(&self) -> bool {
        self.status == 200
    }

    /// The `result` of a successful response; anything else is an error.
    pub(crate) fn result(mut self) -> Result<Value> {
        if !self.is_ok() {
            bail!("answered {}: {}", self.status, self.body);
        }
        Ok(self.body["result"].take())
    }
}

/// Creates an agent that keeps its connections open. A status of 400 and above is not an error.
pub(crate) fn agent() -> ureq::Agent {
    agent_with(PATIENCE)
}

fn agent_with(patience: Duration) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .timeout_global(Some(patience))
        .build();
    config.into()
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self::with_patience(address, PATIENCE)
    }

    /// Creates a client with this timeout per request.
    pub(crate) fn with_patience(address: SocketAddr, patience: Duration) -> Self {
        Self { agent: agent_with(patience), origin: format!("http://{address}") }
    }

    /// Sends a request. The error means that no complete response arrived.
    pub(crate) fn send(&self, method: &Method, path: &str, token: Option<&str>, body: Option<&Value>) -> Result<Reply> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.origin));
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let answer = match body {
            Some(body) => {
                let request = request.header(header::CONTENT_TYPE, "application/json");
                self.agent.run(request.body(body.to_string())?)
            }
            None => self.agent.run(request.body(())?),
        };
        let mut answer = answer.with_context(|| format!("{method} {path}"))?;
        let retry_after = answer.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let text = answer.body_mut().read_to_string().with_context(|| format!("{method} {path}"))?;
        Ok(Reply {
            status: answer.status().as_u16(),
            retry_after,
            body: serde_json::from_str(&text).unwrap_or(Value::Null),
        })
    }

    pub(crate) fn get(&self, path: &str, token: Option<&str>) -> Result<Reply> {
        self.send(&Method::GET, path, token, None)
    }

    pub(crate) fn put(&self, path: &str, token: &str, body: &Value) -> Result<Reply> {
        self.send(&Method::PUT, path, Some(token), Some(body))
    }

    /// Logs in and returns the access token.
    pub(crate) fn log_in(&self, email: &str, password: &str) -> Result<String> {
        let form = json!({ "username": email, "password": password });
        token_in(&self.send(&Method::POST, "/api/user/login", None, Some(&form))?.result()?)
    }

    /// Creates an account and returns its access token.
    pub(crate) fn sign_up(&self, email: &str, password: &str) -> Result<String> {
        let form = json!({ "username": email, "password": password, "firstName": "Nora", "lastName": "New" });
        token_in(&self.send(&Method::POST, "/api/user/register", None, Some(&form))?.result()?)
    }
}

fn token_in(signed_in: &Value) -> Result<String> {
    Ok(signed_in["token"].as_str().context("the answer holds no token")?.to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    fn answering(text: &'static str) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0_u8; 4096];
            let length = stream.read(&mut request).unwrap();
            assert!(request[..length].starts_with(b"GET /x HTTP/1.1\r\n"));
            stream.write_all(text.as_bytes()).unwrap();
        });
        Client::new(address)
    }

    #[test]
    fn answers_are_read() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\n{\"status\":\"ok\",\"result\":[7]}";
        assert_eq!(answering(text).get("/x", None).unwrap().result().unwrap(), json!([7]));
        let text = "HTTP/1.1 503 Busy\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n";
        let reply = answering(text).get("/x", None).unwrap();
        assert_eq!((reply.status, reply.retry_after), (503, Some(2)));
        assert!(reply.result().is_err());
    }

    #[test]
    fn half_an_answer_is_none() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\n{\"status\"";
        assert!(answering(text).get("/x", None).is_err());
    }
}

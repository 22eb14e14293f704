//! A browser's session: the cookies by which it renews its access.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use ureq::http::{Request, Response, header};

use crate::http;
use crate::instance::PASSWORD;

/// A session that was started by a login.
pub(super) struct Session {
    agent: ureq::Agent,
    email: String,
    /// `name=value` of each cookie.
    cookies: Vec<String>,
}

impl Session {
    /// Logs a demo account in.
    pub(super) fn log_in(address: SocketAddr, email: &str) -> Result<Self> {
        let mut session = Self { agent: http::agent(), email: email.to_owned(), cookies: Vec::new() };
        session.post(address, "/api/user/login", &json!({ "username": email, "password": PASSWORD }))?;
        Ok(session)
    }

    /// Renews its access on this node.
    pub(super) fn renew(&mut self, address: SocketAddr) -> Result<()> {
        self.post(address, "/api/user/refresh-token", &json!({}))
    }

    fn post(&mut self, address: SocketAddr, path: &str, body: &Value) -> Result<()> {
        let request = Request::builder()
            .method("POST")
            .uri(format!("http://{address}{path}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::COOKIE, self.cookies.join("; "));
        let mut answer = self.agent.run(request.body(body.to_string())?).with_context(|| path.to_owned())?;
        if answer.status() != 200 {
            let text = answer.body_mut().read_to_string()?;
            bail!("{} at {path}: answered {}: {text}", self.email, answer.status());
        }
        self.cookies = cookies(&answer);
        if self.cookies.is_empty() {
            bail!("{} at {path}: no cookie was set", self.email);
        }
        Ok(())
    }
}

fn cookies<B>(answer: &Response<B>) -> Vec<String> {
    let set = answer.headers().get_all(header::SET_COOKIE).iter();
    set.filter_map(|cookie| Some(cookie.to_str().ok()?.split(';').next()?.to_owned())).collect()
}

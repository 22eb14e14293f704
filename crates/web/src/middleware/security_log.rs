//! The security log: sign-ins, changes to accounts and roles, and changes in the back office; and warnings about proxies that
//! `TRUSTED_PROXIES` does not list.

use std::{
    collections::BTreeSet,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use super::route::route_of;
use crate::{
    app::App,
    extract::{ClientAddress, Subject},
    http::error::Code,
};
use actix_web::{
    Error, FromRequest, HttpMessage, HttpRequest,
    body::MessageBody,
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::{Method, header::HeaderMap},
    middleware::Next,
    web::Data,
};

/// Logs the user, the client and the outcome of every request that changes access. Logs no e-mail addresses, names or
/// secrets; the request's span has the request id.
pub async fn log_security_events<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    warn_of_unnamed_proxy(&request);
    let is_event = is_security_event(request.method(), request.path());
    let response = next.call(request).await?;
    if is_event {
        log(response.request(), &response);
    }
    Ok(response)
}

fn log<B>(request: &HttpRequest, response: &ServiceResponse<B>) {
    let user = request.extensions().get::<Subject>().map(|subject| subject.0.get());
    let client = ClientAddress::from_request(request, &mut Payload::None).into_inner().ok();
    let outcome = match response.response().extensions().get::<Code>() {
        Some(code) => code.name(),
        None => response.status().as_str().to_owned(),
    };
    tracing::info!(
        target: "security",
        call = %format_args!("{} {}", request.method(), route_of(request)),
        user,
        client = client.map(|ClientAddress(address)| tracing::field::display(address)),
        outcome,
        "security event"
    );
}

/// Whether a request changes sessions, accounts or credentials, or anything in the back office.
fn is_security_event(method: &Method, path: &str) -> bool {
    let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    let is_sign_in = path == "/api/user/session" || path.contains("/oauth");
    (changes && (path.starts_with("/api/user/") || path.starts_with("/api/admin/"))) || is_sign_in
}

/// The unlisted proxies that were warned about.
static UNNAMED: Mutex<BTreeSet<IpAddr>> = Mutex::new(BTreeSet::new());
/// The maximum number of unlisted proxies that are remembered and warned about.
const MOST_UNNAMED: usize = 16;

fn warn_of_unnamed_proxy(request: &ServiceRequest) {
    let Some(app) = request.app_data::<Data<App>>() else { return };
    let Some(peer) = request.peer_addr().map(|peer| peer.ip().to_canonical()) else { return };
    if !is_unnamed_proxy(peer, request.headers(), app.config.is_trusted_proxy(peer)) {
        return;
    }
    let mut warned = UNNAMED.lock().unwrap_or_else(PoisonError::into_inner);
    if warned.len() < MOST_UNNAMED && warned.insert(peer) {
        tracing::warn!(
            %peer,
            "requests come through a proxy that TRUSTED_PROXIES does not name: all its clients share one IP address in rate limits"
        );
    }
}

/// Whether a peer looks like a proxy that is not listed: it has a private address and sends a forwarding header. Public peers
/// don't count, because any client can send such a header.
fn is_unnamed_proxy(peer: IpAddr, headers: &HeaderMap, is_named: bool) -> bool {
    !is_named
        && !config::is_public(peer)
        && ["x-forwarded-for", "forwarded"].iter().any(|name| headers.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn only_a_private_peer_with_forwarding_headers_is_taken_for_a_proxy() {
        let mut forwarded = HeaderMap::new();
        forwarded.insert(HeaderName::from_static("x-forwarded-for"), HeaderValue::from_static("203.0.113.9"));
        let is_unnamed =
            |peer: &str, headers: &HeaderMap, named| is_unnamed_proxy(peer.parse().unwrap(), headers, named);
        assert!(is_unnamed("127.0.0.1", &forwarded, false) && is_unnamed("10.1.2.3", &forwarded, false));
        assert!(!is_unnamed("127.0.0.1", &forwarded, true), "named");
        assert!(!is_unnamed("127.0.0.1", &HeaderMap::new(), false), "a program of this machine");
        assert!(!is_unnamed("203.0.113.9", &forwarded, false), "a client that writes the header itself");
    }

    #[test]
    fn sign_ins_and_changes_of_accounts_are_security_events_and_reads_are_not() {
        for path in
            ["/api/user/login", "/api/user/password", "/api/user/totp", "/api/admin/users/7/role", "/api/user/logout"]
        {
            assert!(is_security_event(&Method::POST, path), "{path}");
        }
        assert!(is_security_event(&Method::GET, "/api/user/session"));
        assert!(is_security_event(&Method::GET, "/api/google/oauth/callback"));
        for (method, path) in
            [(Method::GET, "/api/user/account"), (Method::POST, "/api/events"), (Method::GET, "/login")]
        {
            assert!(!is_security_event(&method, path), "{path}");
        }
    }
}

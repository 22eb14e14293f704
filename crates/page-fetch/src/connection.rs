//! Connections to checked addresses.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Response, redirect};
use url::{Host, Url};

use crate::error::FetchError;
use crate::network::Network;

/// Maximum length of a URL, in bytes.
const MAX_URL: usize = 2_048;
/// Resolves the URL's host. An error unless connections to all of its addresses are allowed.
pub(crate) async fn checked_addresses(network: &dyn Network, url: &Url) -> Result<Vec<SocketAddr>, FetchError> {
    let port = url.port_or_known_default().ok_or(FetchError::InvalidUrl)?;
    let addresses = match url.host().ok_or(FetchError::InvalidUrl)? {
        Host::Ipv4(address) => vec![SocketAddr::new(IpAddr::V4(address), port)],
        Host::Ipv6(address) => vec![SocketAddr::new(IpAddr::V6(address), port)],
        Host::Domain(name) => network.resolve(name, port).await.map_err(|_| FetchError::HostNotFound)?,
    };
    if addresses.is_empty() {
        return Err(FetchError::HostNotFound);
    }
    // A host with both public and private addresses is an attack or a misconfiguration, so it is refused.
    if addresses.iter().all(|address| network.allows(address.ip())) {
        Ok(addresses)
    } else {
        Err(FetchError::AddressNotPublic)
    }
}

/// Creates a client that connects to these addresses of the URL's host only, and follows no redirect.
pub(crate) fn client_for(url: &Url, addresses: &[SocketAddr], user_agent: &str) -> Result<Client, FetchError> {
    let mut client = Client::builder()
        .user_agent(user_agent)
        .redirect(redirect::Policy::none())
        .no_proxy()
        .dns_resolver(Arc::new(NoResolver));
    if let Some(Host::Domain(name)) = url.host() {
        client = client.resolve_to_addrs(name, addresses);
    }
    client.build().map_err(|_| FetchError::Unreachable)
}

/// The response, if it came from one of the addresses. The client should only use these; this verifies it.
pub(crate) fn verify_peer(response: Response, addresses: &[SocketAddr]) -> Result<Response, FetchError> {
    match response.remote_addr() {
        Some(peer) if addresses.iter().any(|address| address.ip() == peer.ip()) => Ok(response),
        _ => Err(FetchError::AddressNotPublic),
    }
}

/// Refuses to resolve: names are resolved before a request, never by the client.
struct NoResolver;

impl Resolve for NoResolver {
    fn resolve(&self, _: Name) -> Resolving {
        Box::pin(async { Err::<Addrs, _>("names are resolved before a request".into()) })
    }
}

/// Parses and checks a URL that a person gave.
pub(crate) fn parse_url(text: &str) -> Result<Url, FetchError> {
    let text = text.trim();
    if text.len() > MAX_URL {
        return Err(FetchError::InvalidUrl);
    }
    checked_url(Url::parse(text).map_err(|_| FetchError::InvalidUrl)?)
}

/// Checks a URL, and removes its fragment.
pub(crate) fn checked_url(mut url: Url) -> Result<Url, FetchError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchError::SchemeNotAllowed);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchError::CredentialsInUrl);
    }
    url.set_fragment(None);
    Ok(url)
}

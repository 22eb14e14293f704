//! Name resolution, and which IP addresses may be connected to.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;

use crate::addresses::is_public;

/// The future of [`Network::resolve`].
pub type ResolveFuture<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'a>>;

/// Name resolution and the address policy of a fetcher. The product has one implementation; tests have their own.
pub trait Network: Send + Sync {
    /// Resolves a host name to IP addresses with this port. The error is that of the resolver.
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> ResolveFuture<'a>;

    /// Whether connections to an IP address are allowed.
    fn allows(&self, address: IpAddr) -> bool;
}

/// The system's resolver; allows every address.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyNetwork;

impl Network for AnyNetwork {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> ResolveFuture<'a> {
        PublicNetwork.resolve(host, port)
    }

    fn allows(&self, _: IpAddr) -> bool {
        true
    }
}

/// The system's resolver; allows public addresses only.
#[derive(Clone, Copy, Debug, Default)]
pub struct PublicNetwork;

impl Network for PublicNetwork {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> ResolveFuture<'a> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, port)).await?.collect()) })
    }

    fn allows(&self, address: IpAddr) -> bool {
        is_public(address)
    }
}

//! How names become addresses, and which addresses may be connected to.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;

use crate::addresses::is_public;

/// The addresses of a name.
pub type ResolveFuture<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'a>>;

/// Names and addresses as a fetcher sees them. The product has one implementation; tests have their own.
pub trait Network: Send + Sync {
    /// Resolves a name.
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> ResolveFuture<'a>;

    /// Whether a connection to an address may be opened.
    fn allows(&self, address: IpAddr) -> bool;
}

/// The system's resolver, and public addresses only.
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

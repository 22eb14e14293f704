//! Finds free TCP ports.
//!
//! Crates that pick a port (`portpicker`) use an ephemeral one, which the system may reassign before the server listens.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};

/// The first ephemeral port (Linux's default): the system may assign ports from here on to outgoing connections at any moment.
const FIRST_EPHEMERAL: u16 = 32_768;
const FIRST: u16 = 20_000;

/// Whether a server could listen there now.
pub(crate) fn is_free(address: IpAddr, port: u16) -> bool {
    TcpListener::bind(SocketAddr::new(address, port)).is_ok()
}

/// A free non-ephemeral port of the loopback address. The search begins at a number derived from this process, so
/// that two processes that start together rarely pick the same port. No port is given twice, because suites that run at once
/// listen some time later.
pub(crate) fn free_on_loopback() -> Result<u16> {
    static GIVEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    let span = FIRST_EPHEMERAL - FIRST;
    let begin = u16::try_from(std::process::id() % u32::from(span)).unwrap_or_default();
    let port = (0..span)
        .map(|step| FIRST + (begin + step) % span)
        .find(|port| !given.contains(port) && is_free(IpAddr::V4(Ipv4Addr::LOCALHOST), *port))
        .context("no TCP port between 20000 and 32767 is free")?;
    given.insert(port);
    Ok(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_found_is_below_the_ephemeral_ones() {
        let port = free_on_loopback().unwrap();
        assert!((FIRST..FIRST_EPHEMERAL).contains(&port));
        assert_ne!(free_on_loopback().unwrap(), port, "a port is given once");
    }
}

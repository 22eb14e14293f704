//! Which TCP ports are free.
//!
//! Crates that pick a port (`portpicker`) take an ephemeral one, which the system may give away before the server listens.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};

use anyhow::{Context, Result};

/// Ports from here up are given out by systems to outgoing connections (Linux' default) and may vanish at any moment.
const FIRST_EPHEMERAL: u16 = 32_768;
const FIRST: u16 = 20_000;

/// Whether a server could listen there now.
pub(crate) fn is_free(address: IpAddr, port: u16) -> bool {
    TcpListener::bind(SocketAddr::new(address, port)).is_ok()
}

/// A free port of the loopback address below the ephemeral ones. The search begins at a place of this process' own, so
/// that two that start together seldom meet.
pub(crate) fn free_on_loopback() -> Result<u16> {
    let span = FIRST_EPHEMERAL - FIRST;
    let begin = u16::try_from(std::process::id() % u32::from(span)).unwrap_or_default();
    (0..span)
        .map(|step| FIRST + (begin + step) % span)
        .find(|port| is_free(IpAddr::V4(Ipv4Addr::LOCALHOST), *port))
        .context("no TCP port between 20000 and 32767 is free")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_found_is_below_the_ephemeral_ones() {
        let port = free_on_loopback().unwrap();
        assert!((FIRST..FIRST_EPHEMERAL).contains(&port));
    }
}

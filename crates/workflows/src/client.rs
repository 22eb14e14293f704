//! From where a request comes, as far as stories need to know.

use std::net::IpAddr;

/// The device and the network from which a request comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientContext {
    /// The device as its owner recognises it, such as `Firefox on Windows`.
    pub device: String,
    /// The country of the IP address, as coarsely as that tells.
    pub place: String,
    /// The IP address, for rate limits; never stored.
    pub address: IpAddr,
    /// The device cookie, which an earlier sign-in on this device has set.
    pub mark: Option<String>,
}

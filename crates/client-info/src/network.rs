//! The client's IP address behind trusted proxies, and IP networks.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    str::FromStr,
};

/// The client's IP address: starts at the peer and goes back through the addresses that trusted proxies appended to
/// `X-Forwarded-For`, up to the first one that is not a trusted proxy. The client could have forged anything before
/// that. `forwarded` holds the header's lines in order.
pub fn client_address(peer: IpAddr, forwarded: &[&str], trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut named = forwarded.iter().rev().flat_map(|line| line.rsplit(','));
    let mut client = peer;
    while is_trusted(client) {
        let Some(address) = named.next().and_then(forwarded_address) else { break };
        client = address.to_canonical();
    }
    client
}

/// Parses an IP address as proxies write it: bare, with the client's port (`203.0.113.9:4711`, `[2001:db8::1]:4711`),
/// or in brackets.
fn forwarded_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    text.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|peer| peer.ip())).or_else(bracketed)
}

/// An IP network, such as `10.0.0.0/8`, or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    start: u128,
    /// The prefix length, in bits of 128. IPv4 addresses are the last 32 bits.
    prefix: u32,
    is_v4: bool,
}

/// A text that is not a valid CIDR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidNetwork;

impl fmt::Display for InvalidNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an address or a network such as 10.0.0.0/8")
    }
}

fn bits(address: IpAddr) -> (u128, bool) {
    match address.to_canonical() {
        IpAddr::V4(v4) => (u128::from(v4.to_bits()), true),
        IpAddr::V6(v6) => (v6.to_bits(), false),
    }
}

impl Network {
    /// Whether the network contains the address. IPv4-mapped IPv6 addresses count as IPv4.
    pub fn contains(self, address: IpAddr) -> bool {
        let (start, is_v4) = bits(address);
        let rest = 128 - self.prefix;
        self.is_v4 == is_v4 && (rest == 128 || start >> rest == self.start >> rest)
    }
}

impl FromStr for Network {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, InvalidNetwork> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let (start, is_v4) = bits(address.trim().parse().map_err(|_| InvalidNetwork)?);
        let width: u32 = if is_v4 { 32 } else { 128 };
        let length = prefix.map_or(Ok(width), |text| text.trim().parse::<u32>().map_err(|_| InvalidNetwork))?;
        if length > width {
            return Err(InvalidNetwork);
        }
        Ok(Self { start, prefix: 128 - width + length, is_v4 })
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::{Network, client_address};

    fn seen(peer: &str, lines: &[&'static str], trusted: &[&str]) -> String {
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        client_address(peer.parse().unwrap(), lines, &trusted).to_string()
    }

    #[test]
    fn only_the_forwarding_headers_of_trusted_proxies_count() {
        assert_eq!(seen("198.51.100.1", &["203.0.113.9"], &[]), "198.51.100.1");
        assert_eq!(seen("198.51.100.1", &["203.0.113.9"], &["10.0.0.0/8"]), "198.51.100.1");
        assert_eq!(seen("10.1.2.3", &["203.0.113.9"], &["10.0.0.0/8"]), "203.0.113.9");
    }

    #[test]
    fn addresses_that_a_client_wrote_itself_do_not_count() {
        let ours = ["10.0.0.0/8", "127.0.0.1"];
        assert_eq!(seen("127.0.0.1", &["192.0.2.7, 203.0.113.9"], &ours), "203.0.113.9");
        assert_eq!(seen("127.0.0.1", &["192.0.2.7", "203.0.113.9 , 10.9.9.9"], &ours), "203.0.113.9");
        assert_eq!(seen("127.0.0.1", &["10.0.0.1, 192.0.2.7, 203.0.113.9"], &ours), "203.0.113.9");
        // A text that is not an address ends the walk.
        assert_eq!(seen("127.0.0.1", &["203.0.113.9, unknown"], &ours), "127.0.0.1");
        assert_eq!(seen("127.0.0.1", &[], &ours), "127.0.0.1");
        assert_eq!(seen("127.0.0.1", &["::ffff:203.0.113.9"], &ours), "203.0.113.9");
    }

    #[test]
    fn forwarded_addresses_may_have_a_port() {
        let ours = ["10.0.0.0/8", "127.0.0.1"];
        assert_eq!(seen("127.0.0.1", &["203.0.113.9:4711"], &ours), "203.0.113.9");
        assert_eq!(seen("127.0.0.1", &["203.0.113.9:4711, 10.1.2.3:80"], &ours), "203.0.113.9");
        assert_eq!(seen("127.0.0.1", &["[2001:db8::1]:4711"], &ours), "2001:db8::1");
        assert_eq!(seen("127.0.0.1", &["[2001:db8::1]"], &ours), "2001:db8::1");
        assert_eq!(seen("127.0.0.1", &["[::ffff:203.0.113.9]:4711"], &ours), "203.0.113.9");
        for text in ["203.0.113.9:", "203.0.113.9:port", "203.0.113.9:70000", "[203.0.113.9", "pith.example:80"] {
            assert_eq!(seen("127.0.0.1", &[text], &ours), "127.0.0.1", "{text}");
        }
    }

    #[test]
    fn a_network_contains_the_addresses_of_its_prefix() {
        let holds = |network: &str, address: &str| {
            network.parse::<Network>().unwrap().contains(address.parse::<IpAddr>().unwrap())
        };
        assert!(holds("10.0.0.0/8", "10.255.0.1") && !holds("10.0.0.0/8", "11.0.0.1"));
        assert!(holds("192.0.2.7", "192.0.2.7") && !holds("192.0.2.7", "192.0.2.8"));
        assert!(holds("0.0.0.0/0", "8.8.8.8") && !holds("0.0.0.0/0", "2001:db8::1"));
        assert!(holds("2001:db8::/32", "2001:db8:1::1") && !holds("2001:db8::/32", "2001:db9::1"));
        assert!(holds("::/0", "2001:db8::1") && !holds("::/0", "8.8.8.8"));
        assert!(holds("10.0.0.0/8", "::ffff:10.0.0.1"));
        for text in ["", "10", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "proxy", "::/129"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }
}

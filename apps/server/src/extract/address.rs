//! The address of the network from which a request comes.

use std::{
    fmt,
    future::{Ready, ready},
    net::{IpAddr, Ipv4Addr},
    str::FromStr,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header::HeaderMap, web::Data};

use crate::app::App;

/// Where a request comes from: the peer or, when the peer is a proxy of the operator's (`TRUSTED_PROXIES`), whom that
/// proxy names. Anybody else's forwarding headers are a stranger's words and do not count (`decisions.md §11`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl FromRequest for ClientAddress {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip().to_canonical());
        let trusted = request.app_data::<Data<App>>().map_or(&[][..], |app| &app.config.trusted_proxies);
        ready(Ok(Self(client(peer, request.headers(), trusted))))
    }
}

/// Goes back from the peer through what trusted proxies have added to `X-Forwarded-For`, each at the end, up to the
/// first address that is no proxy of ours.
fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let lines: Vec<&str> = headers.get_all("x-forwarded-for").map(|line| line.to_str().unwrap_or_default()).collect();
    let mut named = lines.iter().rev().flat_map(|line| line.rsplit(','));
    let mut client = peer;
    while is_trusted(client) {
        let Some(Ok(address)) = named.next().map(|text| text.trim().parse::<IpAddr>()) else { break };
        client = address.to_canonical();
    }
    client
}

/// Addresses that begin alike: `10.0.0.0/8`, or one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    start: u128,
    /// How many of the 128 bits count; IPv4 addresses stand in the last 32.
    prefix: u32,
    is_v4: bool,
}

/// A text that is no network.
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
    /// Whether the address is one of them.
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

    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::{Network, client};

    fn seen(peer: &str, lines: &[&'static str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(HeaderName::from_static("x-forwarded-for"), HeaderValue::from_static(line));
        }
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        client(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(seen("198.51.100.1", &["203.0.113.9"], &[]), "198.51.100.1");
        assert_eq!(seen("198.51.100.1", &["203.0.113.9"], &["10.0.0.0/8"]), "198.51.100.1");
        assert_eq!(seen("10.1.2.3", &["203.0.113.9"], &["10.0.0.0/8"]), "203.0.113.9");
    }

    #[test]
    fn what_a_stranger_wrote_before_the_proxies_did_does_not_count() {
        let ours = ["10.0.0.0/8", "127.0.0.1"];
        assert_eq!(seen("127.0.0.1", &["192.0.2.7, 203.0.113.9"], &ours), "203.0.113.9");
        assert_eq!(seen("127.0.0.1", &["192.0.2.7", "203.0.113.9 , 10.9.9.9"], &ours), "203.0.113.9");
        assert_eq!(seen("127.0.0.1", &["10.0.0.1, 192.0.2.7, 203.0.113.9"], &ours), "203.0.113.9");
        // Words that are no address end the way.
        assert_eq!(seen("127.0.0.1", &["203.0.113.9, unknown"], &ours), "127.0.0.1");
        assert_eq!(seen("127.0.0.1", &[], &ours), "127.0.0.1");
        assert_eq!(seen("127.0.0.1", &["::ffff:203.0.113.9"], &ours), "203.0.113.9");
    }

    #[test]
    fn networks_are_as_wide_as_they_say() {
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

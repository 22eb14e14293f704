//! Grouping of IP addresses into networks.

use std::net::IpAddr;

/// The network of an IP address: the whole IPv4 address, or the /64 prefix of an IPv6 address. Limits count per
/// network, because one customer of a provider usually has a whole /64.
pub fn network_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::network_of;

    #[test]
    fn a_network_is_an_ipv4_address_or_an_ipv6_prefix_of_64_bits() {
        let network = |text: &str| network_of(text.parse().unwrap());
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), network("2001:db8:1:2:ffff::1"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    }
}

//! Which IP addresses are on the public web.
//!
//! The lists are IANA's registries of special-purpose addresses (RFC 6890 and its updates), and cloud metadata services.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are not public, with their prefix length.
const PRIVATE_V4: [(Ipv4Addr, u32); 17] = [
    // "This network".
    (Ipv4Addr::UNSPECIFIED, 8),
    // Private use.
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    // Carrier-grade NAT; a metadata service.
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    // Loopback.
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Link-local; the metadata services of most clouds.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    // The metadata service of one cloud provider, in a public network.
    (Ipv4Addr::new(168, 63, 129, 16), 32),
    // Protocol assignments; a metadata service.
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    // Documentation.
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // 6to4 relays, and a sink for reverse DNS.
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 31, 196, 0), 24),
    // Benchmarking.
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    // Multicast.
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    // Reserved; broadcast.
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];
/// IPv6 networks within global unicast that are not public, with their prefix length.
const PRIVATE_V6: [(Ipv6Addr, u32); 5] = [
    // Protocol assignments: Teredo, ORCHID, benchmarking.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    // Documentation.
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
    // 6to4, which embeds any IPv4 address.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    // A sink for reverse DNS.
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48),
];
const GLOBAL_UNICAST: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// The prefix by which IPv6-only networks reach IPv4 (NAT64).
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// Whether an IP address is on the public web. For an IPv4 address embedded in an IPv6 one, the IPv4 address decides.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let within =
        |(network, prefix): &(Ipv4Addr, u32)| (address.to_bits() ^ network.to_bits()).leading_zeros() >= *prefix;
    !PRIVATE_V4.iter().any(within)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let within =
        |(network, prefix): &(Ipv6Addr, u32)| (address.to_bits() ^ network.to_bits()).leading_zeros() >= *prefix;
    if let Some(embedded) = address.to_ipv4_mapped() {
        return is_public_v4(embedded);
    }
    if within(&NAT64) {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    within(&GLOBAL_UNICAST) && !PRIVATE_V6.iter().any(within)
}

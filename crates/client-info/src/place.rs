//! The approximate location of an IP address, shown to members beside their devices.

use std::net::IpAddr;

use rust_iso3166::from_alpha2;

/// The country to which the registries assigned the IP address; otherwise its truncated network, such as `203.0.113.x`.
/// Neither reveals the whole address. `This network` for local addresses.
pub fn place_of(address: IpAddr) -> String {
    let address = address.to_canonical();
    if is_here(address) {
        return "This network".to_owned();
    }
    // The registries also use codes that are not countries, such as `EU`.
    match iptocc::country_code(address).and_then(from_alpha2) {
        Some(country) => name_of(country.alpha2, country.name).to_owned(),
        None => network_of(address),
    }
}

/// Whether the address is loopback, private, link-local, unspecified, or shared address space (100.64.0.0/10).
fn is_here(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, ..] = v4.octets();
            let is_shared = a == 100 && (64..128).contains(&b);
            v4.is_loopback() || v4.is_private() || v4.is_link_local() || v4.is_unspecified() || is_shared
        }
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local() || v6.is_unspecified(),
    }
}

/// The common name of a country. ISO 3166 names are formal, often with an addition in parentheses.
fn name_of<'a>(code: &str, name: &'a str) -> &'a str {
    match code {
        "BN" => "Brunei",
        "CD" => "DR Congo",
        "FK" => "Falkland Islands",
        "GB" => "United Kingdom",
        "KP" => "North Korea",
        "KR" => "South Korea",
        "LA" => "Laos",
        "RU" => "Russia",
        "SY" => "Syria",
        "US" => "United States",
        "VG" => "British Virgin Islands",
        "VI" => "US Virgin Islands",
        _ => name.split_once(" (").map_or(name, |(name, _)| name),
    }
}

/// The truncated address, such as `203.0.113.x`, which many clients have in common.
fn network_of(address: IpAddr) -> String {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.x")
        }
        IpAddr::V6(v6) => {
            let [a, b, c, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:x")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    use proptest::prelude::*;

    use super::place_of;

    fn place(address: &str) -> String {
        place_of(address.parse().unwrap())
    }

    #[test]
    fn addresses_of_the_world_have_a_country() {
        // Networks of registries and universities, which do not move.
        assert_eq!(place("18.9.22.69"), "United States");
        assert_eq!(place("131.130.1.11"), "Austria");
        assert_eq!(place("129.67.1.1"), "United Kingdom");
        assert_eq!(place("133.11.0.1"), "Japan");
        assert_eq!(place("2001:67c:2e8::1"), "Netherlands");
        assert_eq!(place("::ffff:131.130.1.11"), "Austria");
    }

    #[test]
    fn addresses_of_the_house_are_this_network() {
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.7",
            "172.16.9.9",
            "169.254.1.1",
            "100.64.0.1",
            "0.0.0.0",
            "::1",
            "fd00::1",
            "fe80::1",
            "::ffff:10.0.0.1",
        ] {
            assert_eq!(place(address), "This network", "{address}");
        }
    }

    #[test]
    fn addresses_of_nowhere_lose_their_end() {
        assert_eq!(place("203.0.113.77"), "203.0.113.x");
        assert_eq!(place("2001:db8:17:2::9"), "2001:db8:17:x");
    }

    proptest! {
        #[test]
        fn no_place_tells_the_whole_address(v4: u32, v6: u128) {
            for address in [IpAddr::V4(Ipv4Addr::from_bits(v4)), IpAddr::V6(Ipv6Addr::from_bits(v6))] {
                let place = place_of(address);
                prop_assert!(!place.is_empty() && place.chars().count() <= 64);
                prop_assert!(place.parse::<IpAddr>().is_err() && !place.contains('('), "{place}");
            }
        }
    }
}

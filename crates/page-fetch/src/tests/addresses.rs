//! IP addresses in all notations.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use crate::addresses::is_public;
use crate::error::FetchError;
use crate::fetcher::{FetchLimits, PageFetcher};
use crate::network::{Network, ResolveFuture};

/// URLs whose host is a literal private address.
const PRIVATE: [&str; 66] = [
    "http://127.0.0.1/",
    "http://127.0.0.1:8080/",
    "https://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.255.255.254/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://0177.1/",
    "http://017700000001/",
    "http://00000177.0.0.1/",
    "http://127.0.0.1./",
    "http://１２７.０.０.１/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127%2e0%2e0%2e1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://0.1.2.3/",
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://167772161/",
    "http://012.0.0.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://0xac.0x10.0.1/",
    "http://192.168.0.1/",
    "http://192.168.257/",
    "http://3232235521/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://169.254.43518/",
    "http://100.64.0.1/",
    "http://100.100.100.200/",
    "http://100.127.255.255/",
    "http://168.63.129.16/",
    "http://192.0.0.192/",
    "http://192.0.2.1/",
    "http://198.18.0.1/",
    "http://198.19.255.255/",
    "http://198.51.100.7/",
    "http://203.0.113.7/",
    "http://192.88.99.1/",
    "http://224.0.0.1/",
    "http://239.255.255.250/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]:80/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:7f00:1::]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
];

/// URLs whose host is not a private address.
const PUBLIC: [&str; 14] = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "168.63.129.17",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
];

/// A network with the names of a test; counts every resolution.
pub(super) struct Names {
    pub answers: Vec<Vec<&'static str>>,
    pub calls: AtomicUsize,
}

impl Names {
    pub(super) fn of(answers: &[&[&'static str]]) -> Arc<Self> {
        Arc::new(Self { answers: answers.iter().map(|one| one.to_vec()).collect(), calls: AtomicUsize::new(0) })
    }
}

impl Network for Names {
    fn resolve<'a>(&'a self, _: &'a str, port: u16) -> ResolveFuture<'a> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        let answer = self.answers.get(call.min(self.answers.len().saturating_sub(1))).cloned();
        let addresses =
            answer.map(|answer| answer.iter().map(|ip| SocketAddr::new(ip.parse().unwrap(), port)).collect());
        Box::pin(async move { addresses.ok_or_else(|| io::Error::other("there is no such name")) })
    }

    fn allows(&self, address: IpAddr) -> bool {
        is_public(address)
    }
}

fn fetcher(names: &Arc<Names>) -> PageFetcher {
    PageFetcher::with_network("TestBot/1.0".to_owned(), Arc::clone(names) as Arc<dyn Network>, FetchLimits::default())
}

#[tokio::test]
async fn private_addresses_are_refused_in_every_form() {
    let names = Names::of(&[]);
    for url in PRIVATE {
        assert_eq!(fetcher(&names).fetch(url).await, Err(FetchError::AddressNotPublic), "{url}");
    }
    assert_eq!(names.calls.load(Ordering::SeqCst), 0, "no literal was taken for a name");
}

#[tokio::test]
async fn names_of_private_addresses_are_refused() {
    for address in [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.1.1",
        "172.20.0.1",
        "169.254.169.254",
        "100.100.100.200",
        "0.0.0.0",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::1",
        "168.63.129.16",
    ] {
        let names = Names::of(&[&[address]]);
        assert_eq!(fetcher(&names).fetch("https://example.com/").await, Err(FetchError::AddressNotPublic), "{address}");
    }
    let mixed = Names::of(&[&["93.184.215.14", "10.0.0.1"]]);
    assert_eq!(fetcher(&mixed).fetch("https://example.com/").await, Err(FetchError::AddressNotPublic));
}

#[test]
fn public_addresses_are_public() {
    for address in PUBLIC {
        assert!(is_public(address.parse().unwrap()), "{address}");
    }
}

#[tokio::test]
async fn only_addresses_of_pages_are_taken() {
    let names = Names::of(&[]);
    let long = format!("https://example.com/{}", "a".repeat(3_000));
    for (url, error) in [
        ("", FetchError::InvalidUrl),
        ("example.com/article", FetchError::InvalidUrl),
        ("https://", FetchError::InvalidUrl),
        ("https://exa mple.com/", FetchError::InvalidUrl),
        ("http://[::1", FetchError::InvalidUrl),
        ("http://256.256.256.256/", FetchError::InvalidUrl),
        (long.as_str(), FetchError::InvalidUrl),
        ("ftp://example.com/a", FetchError::SchemeNotAllowed),
        ("file:///etc/passwd", FetchError::SchemeNotAllowed),
        ("gopher://example.com:25/_HELO", FetchError::SchemeNotAllowed),
        ("data:text/html,hello", FetchError::SchemeNotAllowed),
        ("javascript:alert(1)", FetchError::SchemeNotAllowed),
        ("view-source:https://example.com", FetchError::SchemeNotAllowed),
        ("https://user@example.com/", FetchError::CredentialsInUrl),
        ("https://example.com:pass@127.0.0.1/", FetchError::CredentialsInUrl),
        ("https://unknown.example/", FetchError::HostNotFound),
    ] {
        assert_eq!(fetcher(&names).fetch(url).await, Err(error), "{url}");
    }
}

proptest! {
    #[test]
    fn an_ipv4_address_is_judged_alike_in_ipv6(bits in any::<u32>()) {
        let address = std::net::Ipv4Addr::from_bits(bits);
        let nat64 = std::net::Ipv6Addr::from_bits(0x0064_ff9b_u128 << 96 | u128::from(bits));
        prop_assert_eq!(is_public(IpAddr::V4(address)), is_public(IpAddr::V6(address.to_ipv6_mapped())));
        prop_assert_eq!(is_public(IpAddr::V4(address)), is_public(IpAddr::V6(nat64)));
        prop_assert!(!is_public(IpAddr::V6(address.to_ipv6_compatible())));
        if is_public(IpAddr::V4(address)) {
            prop_assert!(!address.is_private() && !address.is_loopback() && !address.is_link_local());
            prop_assert!(!address.is_multicast() && !address.is_documentation() && !address.is_unspecified());
        }
    }

    #[test]
    fn only_global_unicast_of_ipv6_is_public(bits in any::<u128>()) {
        let address = std::net::Ipv6Addr::from_bits(bits);
        if is_public(IpAddr::V6(address)) {
            prop_assert!(address.segments()[0] & 0xe000 == 0x2000 || address.to_ipv4_mapped().is_some() || bits >> 96 == 0x0064_ff9b);
            prop_assert!(!address.is_unique_local() && !address.is_unicast_link_local() && !address.is_multicast());
        }
    }
}

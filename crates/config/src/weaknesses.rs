//! Detection of insecure settings.

use std::{
    collections::BTreeSet,
    net::{IpAddr, Ipv6Addr},
};

use kernel::config::Variables;

use super::{Config, Profile, host_of};

/// The minimum number of different characters in a secret that was drawn at random: 32 random hexadecimal digits have
/// 14 on average, and fewer than 9 once in a million.
const MIN_DIFFERENT: usize = 9;

/// Parts of secrets from examples and manuals, in lower case.
const EXAMPLES: [&str; 12] = [
    "secret",
    "password",
    "changeme",
    "change-me",
    "change_me",
    "example",
    "default",
    "012345678",
    "123456789",
    "abcdefgh",
    "correct horse",
    "qwerty",
];

/// The insecure settings of [`Config::warnings`].
pub(super) fn of(config: &Config, vars: &Variables) -> Vec<String> {
    // The demo runs on this machine or in a private network only.
    if config.profile == Profile::Demo {
        return Vec::new();
    }
    let host = host_of(&config.public_url);
    let plain = !config.is_https() && is_public_host(host);
    let outbox = config.mail.smtp.is_none();
    [
        plain.then(|| "PUBLIC_URL is http: passwords and cookies cross the network unencrypted".to_owned()),
        is_guessable(config.secret.bytes()).then(|| {
            "PITH_SECRET looks guessable: use 32 random bytes, such as from `openssl rand -hex 32`".to_owned()
        }),
        outbox.then(|| "SMTP_URL is not set: mails are written to PITH_HOME/outbox, and no member gets one".to_owned()),
        config.site.support_email.as_str().ends_with("@example.com").then(|| {
            "SUPPORT_EMAIL is an address at example.com: what members write to the support reaches nobody".to_owned()
        }),
        trusts_all(config).then(|| {
            "TRUSTED_PROXIES trusts every address: a client names any address in X-Forwarded-For, and limits by address \
             don't hold"
                .to_owned()
        }),
        config.payments.is_test().then(|| {
            "STRIPE_SECRET_KEY is a key of test mode: its payments move no money".to_owned()
        }),
        (!config.cache).then(|| "PITH_CACHE is off: every response is made from the database".to_owned()),
        vars.get("DATABASE_OWNER_URL").filter(|url| *url == config.database.url).map(|_| {
            "DATABASE_OWNER_URL is the address of DATABASE_URL: leave it out, or give `serve` a user of its own".to_owned()
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether a network of trusted proxies holds every address.
fn trusts_all(config: &Config) -> bool {
    let far = [IpAddr::from([203, 0, 113, 9]), IpAddr::from(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 9))];
    far.into_iter().any(|address| config.is_trusted_proxy(address))
}

/// Whether a secret repeats itself, has few different characters, or contains a part of [`EXAMPLES`]. A secret that
/// passes may still be weak.
fn is_guessable(secret: &[u8]) -> bool {
    let different = secret.iter().collect::<BTreeSet<_>>().len();
    let repeats = (1..=secret.len() / 2).any(|period| secret.iter().zip(&secret[period..]).all(|(a, b)| a == b));
    let text = String::from_utf8_lossy(secret).to_lowercase();
    different < MIN_DIFFERENT || repeats || EXAMPLES.iter().any(|example| text.contains(example))
}

/// Whether an IP address is public: neither of this machine nor of a private network.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => !(v4.is_loopback() || v4.is_private() || v4.is_link_local() || v4.is_unspecified()),
        IpAddr::V6(v6) => !(v6.is_loopback() || v6.is_unspecified() || is_local_v6(v6)),
    }
}

const fn is_local_v6(address: Ipv6Addr) -> bool {
    address.is_unique_local() || address.is_unicast_link_local()
}

/// Whether a host is public: a public IP address, or a name with a dot outside of the domains that are reserved for
/// local use (RFC 2606, 6761, 6762, and `internal`).
pub(super) fn is_public_host(host: &str) -> bool {
    const LOCAL: [&str; 7] = ["localhost", "local", "test", "internal", "lan", "home", "arpa"];
    if let Ok(address) = host.trim_start_matches('[').trim_end_matches(']').parse() {
        return is_public(address);
    }
    host.trim_end_matches('.').rsplit_once('.').is_some_and(|(_, domain)| !LOCAL.contains(&&*domain.to_lowercase()))
}

//! Configuration of the sign-in providers that the operator has credentials for (`identity.provider-flow`).

use std::net::Ipv4Addr;

use identity::Provider;
use jsonwebtoken::EncodingKey;
use kernel::{Secret, config::Variables};
use url::{Host, Url};

/// A configured provider.
#[derive(Clone, Debug)]
pub struct ProviderConfig {
    pub provider: Provider,
    pub client_id: String,
    pub credential: Credential,
    pub protocol: Protocol,
    /// Endpoints that override the discovered ones.
    pub endpoints: Endpoints,
    /// Whether to use PKCE. Off only for providers that refuse it.
    pub pkce: bool,
    /// Whether the id token must carry the nonce. Off only for providers that never return it.
    pub nonce: bool,
    /// Whether an e-mail address counts as verified when the provider does not say.
    pub trusts_email: bool,
    /// The origin to which browsers are redirected.
    pub origin: String,
}

/// A client credential.
#[derive(Clone)]
pub enum Credential {
    /// A shared secret.
    Secret(Secret),
    /// A key that signs a secret for each request (Apple).
    AppleKey {
        /// Apple's id of the team.
        team: String,
        key_id: String,
        key: EncodingKey,
    },
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Credential(…)")
    }
}

/// The protocol of a provider.
#[derive(Clone, Debug)]
pub enum Protocol {
    /// OpenID Connect, with the exact issuer. The issuer publishes its endpoints and keys.
    OpenId(String),
    /// OAuth 2 with a userinfo endpoint.
    OAuth2,
}

/// Endpoints of a provider; `None` where the discovered one is used.
#[derive(Clone, Debug, Default)]
pub struct Endpoints {
    /// Where browsers are redirected.
    pub authorize: Option<Url>,
    /// Where the code is exchanged.
    pub token: Option<Url>,
    /// Where the claims of an access token's owner are fetched.
    pub userinfo: Option<Url>,
    /// Where the keys that sign id tokens are published.
    pub jwks: Option<Url>,
}

/// The environment variables of one provider.
struct Names {
    provider: Provider,
    issuer: &'static str,
    client_id: &'static str,
    client_secret: &'static str,
    authorize: &'static str,
    token: &'static str,
    userinfo: &'static str,
    jwks: &'static str,
    pkce: &'static str,
    nonce: &'static str,
    trust: &'static str,
}

macro_rules! names {
    ($provider:ident, $name:literal) => {
        Names {
            provider: Provider::$provider,
            issuer: concat!("OAUTH_", $name, "_ISSUER"),
            client_id: concat!("OAUTH_", $name, "_CLIENT_ID"),
            client_secret: concat!("OAUTH_", $name, "_CLIENT_SECRET"),
            authorize: concat!("OAUTH_", $name, "_AUTH_URL"),
            token: concat!("OAUTH_", $name, "_TOKEN_URL"),
            userinfo: concat!("OAUTH_", $name, "_USERINFO_URL"),
            jwks: concat!("OAUTH_", $name, "_JWKS_URL"),
            pkce: concat!("OAUTH_", $name, "_PKCE"),
            nonce: concat!("OAUTH_", $name, "_NONCE"),
            trust: concat!("OAUTH_", $name, "_TRUST_EMAIL"),
        }
    };
}

const NAMES: [Names; 4] =
    [names!(Google, "GOOGLE"), names!(Apple, "APPLE"), names!(Facebook, "FACEBOOK"), names!(LinkedIn, "LINKEDIN")];
const APPLE_TEAM: &str = "OAUTH_APPLE_TEAM_ID";
const APPLE_KEY_ID: &str = "OAUTH_APPLE_KEY_ID";
const APPLE_KEY: &str = "OAUTH_APPLE_PRIVATE_KEY";

/// Each provider's own issuer; Facebook has none for web pages.
const fn own_issuer(provider: Provider) -> Option<&'static str> {
    match provider {
        Provider::Google => Some("https://accounts.google.com"),
        Provider::Apple => Some("https://appleid.apple.com"),
        Provider::LinkedIn => Some("https://www.linkedin.com/oauth"),
        Provider::Facebook => None,
    }
}

const FACEBOOK_AUTHORIZE: &str = "https://www.facebook.com/v23.0/dialog/oauth";
const FACEBOOK_TOKEN: &str = "https://graph.facebook.com/v23.0/oauth/access_token";
const FACEBOOK_USERINFO: &str = "https://graph.facebook.com/v23.0/me?fields=id,name,first_name,last_name,email";

/// Reads the `OAUTH_…` variables: the providers that have a client id, in the order in which pages show them. A provider
/// whose variables are wrong is left out.
pub fn read_providers(vars: &Variables) -> Vec<ProviderConfig> {
    NAMES.iter().filter_map(|names| read_one(vars, names)).collect()
}

fn read_one(vars: &Variables, names: &Names) -> Option<ProviderConfig> {
    let provider = names.provider;
    let mut endpoints = Endpoints {
        authorize: read_url(vars, names.authorize),
        token: read_url(vars, names.token),
        userinfo: read_url(vars, names.userinfo),
        jwks: read_url(vars, names.jwks),
    };
    // An issuer is compared byte by byte: it is validated, and left as it was written.
    let issuer = read_url(vars, names.issuer).and_then(|_| vars.trimmed(names.issuer));
    // LinkedIn's own server refuses a PKCE verifier from web apps and returns no nonce.
    let strict = issuer.is_some() || provider != Provider::LinkedIn;
    let (pkce, nonce) = (vars.switch(names.pkce, strict), vars.switch(names.nonce, strict));
    let trusts_email = vars.switch(names.trust, false);
    let (client_id, credential) = client(vars, names)?;
    let own = own_issuer(provider).map(str::to_owned);
    let protocol = if let Some(issuer) = issuer.or(own) {
        Protocol::OpenId(issuer)
    } else {
        endpoints.authorize.get_or_insert_with(|| literal(FACEBOOK_AUTHORIZE));
        endpoints.token.get_or_insert_with(|| literal(FACEBOOK_TOKEN));
        endpoints.userinfo.get_or_insert_with(|| literal(FACEBOOK_USERINFO));
        Protocol::OAuth2
    };
    let origin = match (&endpoints.authorize, &protocol) {
        (Some(authorize), _) => authorize.origin(),
        (None, Protocol::OpenId(issuer)) => literal(issuer).origin(),
        (None, Protocol::OAuth2) => literal(FACEBOOK_AUTHORIZE).origin(),
    };
    let origin = origin.ascii_serialization();
    Some(ProviderConfig { provider, client_id, credential, protocol, endpoints, pkce, nonce, trusts_email, origin })
}

/// The client id with its credential. `None` if neither is set, or if something is wrong.
fn client(vars: &Variables, names: &Names) -> Option<(String, Credential)> {
    let secret = vars.trimmed(names.client_secret).map(|secret| Credential::Secret(Secret::new(secret)));
    let is_apple = names.provider == Provider::Apple;
    let key = if is_apple { apple_key(vars) } else { None };
    match (vars.trimmed(names.client_id), secret.or(key)) {
        (Some(client_id), Some(credential)) => Some((client_id, credential)),
        (Some(_), None) => {
            let name = if is_apple { APPLE_KEY } else { names.client_secret };
            // A key that is set and wrong has been refused already.
            if vars.get(name).is_none() {
                vars.refuse(name, format!("is missing, though {} is set", names.client_id));
            }
            None
        }
        (None, Some(_)) => {
            vars.refuse(names.client_id, format!("is missing, though there are credentials for {}", names.provider));
            None
        }
        (None, None) => {
            vars.refuse_without(
                names.client_id,
                &[
                    names.issuer,
                    names.authorize,
                    names.token,
                    names.userinfo,
                    names.jwks,
                    names.pkce,
                    names.nonce,
                    names.trust,
                ],
            );
            None
        }
    }
}

/// The key that signs Apple's client secrets. `None` if it is not set, or if something is wrong.
fn apple_key(vars: &Variables) -> Option<Credential> {
    // The key may be given on one line, with `\n` for line breaks.
    let key = vars.trimmed(APPLE_KEY).map(|pem| EncodingKey::from_ec_pem(pem.replace("\\n", "\n").as_bytes()));
    if matches!(key, Some(Err(_))) {
        vars.refuse(APPLE_KEY, "is not a private EC key in PEM form (the .p8 file from Apple)");
    }
    let [_, team, key_id] = vars.all_or_none([APPLE_KEY, APPLE_TEAM, APPLE_KEY_ID])?;
    Some(Credential::AppleKey { team, key_id, key: key?.ok()? })
}

fn read_url(vars: &Variables, name: &'static str) -> Option<Url> {
    let text = vars.trimmed(name)?;
    let url = Url::parse(&text).ok().filter(is_secure);
    if url.is_none() {
        vars.refuse(name, "is an address with https:// (http:// on this machine only)");
    }
    url
}

/// Whether secrets may be sent there: over TLS, or to this machine.
pub(crate) fn is_secure(url: &Url) -> bool {
    let is_local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address == Ipv4Addr::LOCALHOST,
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.host().is_some() && url.username().is_empty() && (url.scheme() == "https" || url.scheme() == "http" && is_local)
}

/// A URL that is a constant, or was validated.
fn literal(text: &str) -> Url {
    Url::parse(text).expect("it is an address")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_vars(vars: &[(&str, &str)]) -> Result<Vec<ProviderConfig>, String> {
        let vars = Variables::new(vars.iter().copied());
        let read = read_providers(&vars);
        vars.finish(Some(read)).map_err(|error| error.to_string())
    }

    fn one(vars: &[(&str, &str)]) -> ProviderConfig {
        let mut all = read_vars(vars).unwrap();
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    #[test]
    fn only_providers_with_a_client_id_are_configured() {
        assert!(read_vars(&[]).unwrap().is_empty());
        let all = read_vars(&[
            ("OAUTH_LINKEDIN_CLIENT_ID", "l"),
            ("OAUTH_LINKEDIN_CLIENT_SECRET", "s"),
            ("OAUTH_GOOGLE_CLIENT_ID", " g "),
            ("OAUTH_GOOGLE_CLIENT_SECRET", "s"),
        ])
        .unwrap();
        let seen: Vec<_> = all.iter().map(|config| (config.provider, config.client_id.as_str())).collect();
        assert_eq!(seen, [(Provider::Google, "g"), (Provider::LinkedIn, "l")]);
    }

    #[test]
    fn each_provider_has_its_own_endpoints() {
        let google = one(&[("OAUTH_GOOGLE_CLIENT_ID", "g"), ("OAUTH_GOOGLE_CLIENT_SECRET", "s")]);
        assert!(matches!(&google.protocol, Protocol::OpenId(issuer) if issuer == "https://accounts.google.com"));
        assert_eq!(google.origin, "https://accounts.google.com");
        assert!(google.pkce && google.nonce && !google.trusts_email);

        let linkedin = one(&[("OAUTH_LINKEDIN_CLIENT_ID", "l"), ("OAUTH_LINKEDIN_CLIENT_SECRET", "s")]);
        assert!(!linkedin.pkce && !linkedin.nonce);
        assert_eq!(linkedin.origin, "https://www.linkedin.com");

        let facebook = one(&[("OAUTH_FACEBOOK_CLIENT_ID", "f"), ("OAUTH_FACEBOOK_CLIENT_SECRET", "s")]);
        assert!(matches!(facebook.protocol, Protocol::OAuth2));
        assert_eq!(facebook.origin, "https://www.facebook.com");
        assert!(facebook.endpoints.userinfo.is_some());
    }

    #[test]
    fn a_provider_can_have_another_issuer() {
        let linkedin = one(&[
            ("OAUTH_LINKEDIN_CLIENT_ID", "l"),
            ("OAUTH_LINKEDIN_CLIENT_SECRET", "s"),
            ("OAUTH_LINKEDIN_ISSUER", "http://localhost:4002"),
        ]);
        assert!(linkedin.pkce && linkedin.nonce);
        assert_eq!(linkedin.origin, "http://localhost:4002");
        let facebook = one(&[
            ("OAUTH_FACEBOOK_CLIENT_ID", "f"),
            ("OAUTH_FACEBOOK_CLIENT_SECRET", "s"),
            ("OAUTH_FACEBOOK_ISSUER", "https://id.example"),
            ("OAUTH_FACEBOOK_AUTH_URL", "https://login.example/start"),
            ("OAUTH_FACEBOOK_TRUST_EMAIL", "on"),
        ]);
        assert!(matches!(facebook.protocol, Protocol::OpenId(_)) && facebook.trusts_email);
        assert_eq!(facebook.origin, "https://login.example");
    }

    #[test]
    fn apple_signs_its_secret_with_a_key() {
        let pem = testing::EcKey::new([7; 32]).private_pem();
        let line = pem.trim().replace('\n', "\\n");
        for pem in [pem.as_str(), &line] {
            let apple = one(&[
                ("OAUTH_APPLE_CLIENT_ID", "a"),
                ("OAUTH_APPLE_TEAM_ID", "team"),
                ("OAUTH_APPLE_KEY_ID", "key"),
                ("OAUTH_APPLE_PRIVATE_KEY", pem),
            ]);
            assert!(matches!(apple.credential, Credential::AppleKey { .. }));
            assert_eq!(format!("{:?}", apple.credential), "Credential(…)");
        }
    }

    #[test]
    fn a_missing_or_wrong_variable_is_named() {
        let pem = testing::EcKey::new([7; 32]).private_pem();
        let google = ("OAUTH_GOOGLE_CLIENT_ID", "g");
        let secret = ("OAUTH_GOOGLE_CLIENT_SECRET", "hush");
        let apple = ("OAUTH_APPLE_CLIENT_ID", "a");
        for (vars, named) in [
            (&[google][..], "OAUTH_GOOGLE_CLIENT_SECRET: "),
            (&[secret], "OAUTH_GOOGLE_CLIENT_ID: "),
            (&[apple], "OAUTH_APPLE_PRIVATE_KEY: "),
            (&[apple, ("OAUTH_APPLE_PRIVATE_KEY", "nonsense")], "OAUTH_APPLE_PRIVATE_KEY: "),
            (&[apple, ("OAUTH_APPLE_PRIVATE_KEY", &pem)], "OAUTH_APPLE_TEAM_ID: "),
            (&[google, secret, ("OAUTH_GOOGLE_ISSUER", "http://id.example")], "OAUTH_GOOGLE_ISSUER: "),
            (&[google, secret, ("OAUTH_GOOGLE_TOKEN_URL", "https://me@id.example")], "OAUTH_GOOGLE_TOKEN_URL: "),
            (&[google, secret, ("OAUTH_GOOGLE_JWKS_URL", "keys.json")], "OAUTH_GOOGLE_JWKS_URL: "),
            (&[google, secret, ("OAUTH_GOOGLE_PKCE", "maybe")], "OAUTH_GOOGLE_PKCE: "),
        ] {
            let error = read_vars(vars).unwrap_err();
            assert!(error.starts_with(named) && !error.contains("hush"), "{error}");
        }
    }
}

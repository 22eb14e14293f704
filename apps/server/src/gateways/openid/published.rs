//! What a provider publishes of itself: its addresses and the keys that sign its tokens. Kept for an hour.

use std::sync::Arc;

use kernel::{DAY, Env, HOUR, MINUTE, SECOND, Timestamp};
use openidconnect::{
    AuthUrl, DiscoveryError, IssuerUrl, JsonWebKeySetUrl, TokenUrl,
    core::{CoreClientAuthMethod, CoreJsonWebKeySet, CoreProviderMetadata},
};
use tokio::sync::Mutex;
use url::Url;

use super::{
    GatewayError,
    http::{Http, HttpError},
};
use crate::config::providers::{Addresses, Protocol, ProviderConfig, is_safe};

/// How long it is used without being asked for again, in milliseconds.
const FRESH: i64 = HOUR;
/// How long it is used while the provider can't be asked, in milliseconds.
const STALE: i64 = DAY;
/// How long it is left alone after an unknown key, in milliseconds: strangers' tokens must not make us ask all the time.
const REST: i64 = MINUTE;
/// How long those who waited for an answer that did not come do not ask themselves, in milliseconds.
const DOWN: i64 = 2 * SECOND;

/// Addresses and keys.
#[derive(Debug)]
pub(super) struct Published {
    pub(super) issuer: IssuerUrl,
    pub(super) authorize: AuthUrl,
    pub(super) token: TokenUrl,
    pub(super) userinfo: Option<Url>,
    pub(super) jwks: CoreJsonWebKeySet,
    /// Whether credentials go into the body; otherwise into a header.
    pub(super) takes_post: bool,
    /// When it was asked for.
    pub(super) at: Timestamp,
}

/// Asks, and remembers.
pub(super) struct Publisher {
    config: ProviderConfig,
    http: Http,
    env: Arc<dyn Env>,
    // Held while asking: who comes meanwhile waits for the answer instead of asking too.
    last: Mutex<Last>,
}

#[derive(Default)]
struct Last {
    published: Option<Arc<Published>>,
    failed_at: Option<Timestamp>,
}

impl Publisher {
    pub(super) fn new(config: &ProviderConfig, http: Http, env: Arc<dyn Env>) -> Self {
        Self { config: config.clone(), http, env, last: Mutex::default() }
    }

    /// What the provider publishes, an hour old at most; older while it can't be asked.
    pub(super) async fn published(&self) -> Result<Arc<Published>, GatewayError> {
        self.published_within(FRESH).await
    }

    /// The same, asked for after this moment if that was not just now.
    pub(super) async fn published_after(&self, moment: Timestamp) -> Result<Arc<Published>, GatewayError> {
        let age = self.env.now().since(moment);
        self.published_within(if age > REST { age - 1 } else { FRESH }).await
    }

    async fn published_within(&self, fresh: i64) -> Result<Arc<Published>, GatewayError> {
        let mut last = self.last.lock().await;
        let now = self.env.now();
        let held = last.published.clone();
        if let Some(held) = held.clone().filter(|held| now.since(held.at) <= fresh) {
            return Ok(held);
        }
        let asked = if last.failed_at.is_some_and(|at| (0..DOWN).contains(&now.since(at))) {
            Err("it was down a moment ago".to_owned())
        } else {
            let asked = self.ask(now).await;
            // Those who waited have waited while it was asked: the moment after counts, not the one before.
            last.failed_at = asked.is_err().then(|| self.env.now());
            asked
        };
        match asked {
            Ok(published) => {
                let published = Arc::new(published);
                *last = Last { published: Some(Arc::clone(&published)), failed_at: None };
                Ok(published)
            }
            Err(cause) => {
                let held = held.filter(|held| now.since(held.at) <= STALE);
                held.ok_or(GatewayError::Down(self.config.provider, cause))
            }
        }
    }

    async fn ask(&self, now: Timestamp) -> Result<Published, String> {
        let Addresses { authorize, token, userinfo, jwks } = self.config.addresses.clone();
        let http = |request| self.http.send(request);
        let Protocol::OpenId(issuer) = &self.config.protocol else {
            let (authorize, token) = authorize.zip(token).ok_or("its addresses are not configured")?;
            return Ok(Published {
                issuer: IssuerUrl::from_url(token.clone()),
                authorize: AuthUrl::from_url(authorize),
                token: TokenUrl::from_url(token),
                userinfo,
                jwks: CoreJsonWebKeySet::default(),
                takes_post: true,
                at: now,
            });
        };
        let issuer = IssuerUrl::new(issuer.clone()).map_err(|error| error.to_string())?;
        if let (Some(authorize), Some(token), Some(jwks)) = (&authorize, &token, &jwks) {
            return Ok(Published {
                issuer,
                authorize: AuthUrl::from_url(authorize.clone()),
                token: TokenUrl::from_url(token.clone()),
                userinfo,
                jwks: self.keys(jwks).await?,
                takes_post: true,
                at: now,
            });
        }
        let metadata = CoreProviderMetadata::discover_async(issuer.clone(), &http).await.map_err(words)?;
        let published_token = metadata.token_endpoint().map(|token| token.url().clone());
        let jwks = match &jwks {
            Some(jwks) => self.keys(jwks).await?,
            None => metadata.jwks().clone(),
        };
        let published = Published {
            issuer,
            authorize: AuthUrl::from_url(authorize.unwrap_or_else(|| metadata.authorization_endpoint().url().clone())),
            token: TokenUrl::from_url(token.or(published_token).ok_or("it has no address where codes are traded")?),
            userinfo: userinfo.or_else(|| metadata.userinfo_endpoint().map(|userinfo| userinfo.url().clone())),
            jwks,
            takes_post: metadata
                .token_endpoint_auth_methods_supported()
                .is_some_and(|methods| methods.contains(&CoreClientAuthMethod::ClientSecretPost)),
            at: now,
        };
        let secret_ways = [Some(published.authorize.url()), Some(published.token.url()), published.userinfo.as_ref()];
        if secret_ways.into_iter().flatten().all(is_safe) {
            Ok(published)
        } else {
            Err("an address is without TLS".to_owned())
        }
    }

    async fn keys(&self, address: &Url) -> Result<CoreJsonWebKeySet, String> {
        let http = |request| self.http.send(request);
        CoreJsonWebKeySet::fetch_async(&JsonWebKeySetUrl::from_url(address.clone()), &http).await.map_err(words)
    }
}

/// The failure in words, for the log.
fn words(error: DiscoveryError<HttpError>) -> String {
    match error {
        DiscoveryError::Request(cause) => cause.to_string(),
        DiscoveryError::Response(status, _, cause) => format!("{status}: {cause}"),
        DiscoveryError::Parse(cause) => cause.to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        net::TcpListener,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use identity::Provider;
    use kernel::FixedEnv;

    use super::*;
    use crate::config::{Secret, providers::Credential};

    #[tokio::test]
    async fn who_waited_for_a_provider_that_hangs_does_not_ask_again() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let env = Arc::new(FixedEnv::at(Timestamp::from_millis(1_781_524_800_000)));
        let asked = Arc::new(AtomicUsize::new(0));
        let door = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", door.local_addr().unwrap());
        let (clock, count) = (Arc::clone(&env), Arc::clone(&asked));
        // Each answer takes ten seconds and is none.
        std::thread::spawn(move || {
            for connection in door.incoming() {
                count.fetch_add(1, Ordering::SeqCst);
                clock.advance(10 * SECOND);
                drop(connection);
            }
        });
        let config = ProviderConfig {
            provider: Provider::Google,
            client_id: "pith".to_owned(),
            credential: Credential::Secret(Secret::new("secret")),
            protocol: Protocol::OpenId(address),
            addresses: Addresses::default(),
            pkce: true,
            nonce: true,
            trusts_email: false,
            origin: "http://127.0.0.1".to_owned(),
        };
        let publisher = Publisher::new(&config, Http::new().unwrap(), Arc::clone(&env) as Arc<dyn Env>);
        assert!(publisher.published().await.is_err());
        let once = asked.load(Ordering::SeqCst);
        assert!(once > 0);
        assert!(publisher.published().await.is_err());
        assert_eq!(asked.load(Ordering::SeqCst), once);
        env.advance(DOWN);
        assert!(publisher.published().await.is_err());
        assert!(asked.load(Ordering::SeqCst) > once);
    }
}

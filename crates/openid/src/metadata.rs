//! Metadata of a provider: its endpoints and the keys that sign its tokens, discovered and cached for an hour.

use std::sync::Arc;

use kernel::{DAY, Env, HOUR, MINUTE, SECOND, Timestamp};
use openidconnect::{
    AuthUrl, DiscoveryError, IssuerUrl, JsonWebKeySetUrl, TokenUrl,
    core::{CoreClientAuthMethod, CoreJsonWebKeySet, CoreProviderMetadata},
};
use tokio::sync::Mutex;
use url::Url;

use crate::{
    config::{Endpoints, Protocol, ProviderConfig, is_secure},
    error::ProviderError,
    http::{HttpClient, HttpError},
};

/// How long metadata is used without being fetched again, in milliseconds.
const FRESH: i64 = HOUR;
/// How long metadata is used while the provider is down, in milliseconds.
const STALE: i64 = DAY;
/// The shortest time between two fetches for an unknown key, in milliseconds: forged tokens must not cause requests.
const KEY_REFETCH_INTERVAL: i64 = MINUTE;
/// How long a failed fetch is reused for concurrent callers, in milliseconds.
const FAILURE_CACHED: i64 = 2 * SECOND;

/// The endpoints and keys of a provider.
#[derive(Debug)]
pub(crate) struct Metadata {
    pub(crate) issuer: IssuerUrl,
    pub(crate) authorize: AuthUrl,
    pub(crate) token: TokenUrl,
    pub(crate) userinfo: Option<Url>,
    pub(crate) jwks: CoreJsonWebKeySet,
    /// Whether client credentials are sent in the body of a request instead of a header.
    pub(crate) credentials_in_body: bool,
    pub(crate) fetched_at: Timestamp,
}

/// Fetches and caches the metadata of one provider.
pub(crate) struct MetadataCache {
    config: ProviderConfig,
    http: HttpClient,
    env: Arc<dyn Env>,
    // Held while fetching: concurrent requests wait for the result instead of fetching too.
    last: Mutex<LastFetch>,
}

#[derive(Default)]
struct LastFetch {
    metadata: Option<Arc<Metadata>>,
    failed_at: Option<Timestamp>,
}

impl MetadataCache {
    pub(crate) fn new(config: &ProviderConfig, http: HttpClient, env: Arc<dyn Env>) -> Self {
        Self { config: config.clone(), http, env, last: Mutex::default() }
    }

    /// The metadata, at most an hour old; up to a day old while the provider is down.
    pub(crate) async fn get(&self) -> Result<Arc<Metadata>, ProviderError> {
        self.get_within(FRESH).await
    }

    /// The metadata, fetched after `moment`. If `moment` is less than a minute ago, the cached metadata: forged tokens
    /// must not cause requests.
    pub(crate) async fn get_newer_than(&self, moment: Timestamp) -> Result<Arc<Metadata>, ProviderError> {
        let age = self.env.now().since(moment);
        self.get_within(if age > KEY_REFETCH_INTERVAL { age - 1 } else { FRESH }).await
    }

    async fn get_within(&self, fresh: i64) -> Result<Arc<Metadata>, ProviderError> {
        let mut last = self.last.lock().await;
        let now = self.env.now();
        let held = last.metadata.clone();
        if let Some(held) = held.clone().filter(|held| now.since(held.fetched_at) <= fresh) {
            return Ok(held);
        }
        let fetched = if last.failed_at.is_some_and(|at| (0..FAILURE_CACHED).contains(&now.since(at))) {
            Err("it was down a moment ago".to_owned())
        } else {
            let fetched = self.fetch(now).await;
            // The time after the fetch counts, because other callers have waited for as long as it took.
            last.failed_at = fetched.is_err().then(|| self.env.now());
            fetched
        };
        match fetched {
            Ok(metadata) => {
                let metadata = Arc::new(metadata);
                *last = LastFetch { metadata: Some(Arc::clone(&metadata)), failed_at: None };
                Ok(metadata)
            }
            Err(cause) => {
                let held = held.filter(|held| now.since(held.fetched_at) <= STALE);
                held.ok_or(ProviderError::Down(self.config.provider, cause))
            }
        }
    }

    async fn fetch(&self, now: Timestamp) -> Result<Metadata, String> {
        let Endpoints { authorize, token, userinfo, jwks } = self.config.endpoints.clone();
        let http = |request| self.http.send(request);
        let Protocol::OpenId(issuer) = &self.config.protocol else {
            let (authorize, token) = authorize.zip(token).ok_or("its addresses are not configured")?;
            return Ok(Metadata {
                issuer: IssuerUrl::from_url(token.clone()),
                authorize: AuthUrl::from_url(authorize),
                token: TokenUrl::from_url(token),
                userinfo,
                jwks: CoreJsonWebKeySet::default(),
                credentials_in_body: true,
                fetched_at: now,
            });
        };
        let issuer = IssuerUrl::new(issuer.clone()).map_err(|error| error.to_string())?;
        if let (Some(authorize), Some(token), Some(jwks)) = (&authorize, &token, &jwks) {
            return Ok(Metadata {
                issuer,
                authorize: AuthUrl::from_url(authorize.clone()),
                token: TokenUrl::from_url(token.clone()),
                userinfo,
                jwks: self.fetch_keys(jwks).await?,
                credentials_in_body: true,
                fetched_at: now,
            });
        }
        let metadata = CoreProviderMetadata::discover_async(issuer.clone(), &http).await.map_err(error_text)?;
        let discovered_token = metadata.token_endpoint().map(|token| token.url().clone());
        let jwks = match &jwks {
            Some(jwks) => self.fetch_keys(jwks).await?,
            None => metadata.jwks().clone(),
        };
        let fetched = Metadata {
            issuer,
            authorize: AuthUrl::from_url(authorize.unwrap_or_else(|| metadata.authorization_endpoint().url().clone())),
            token: TokenUrl::from_url(token.or(discovered_token).ok_or("it has no address where codes are traded")?),
            userinfo: userinfo.or_else(|| metadata.userinfo_endpoint().map(|userinfo| userinfo.url().clone())),
            jwks,
            credentials_in_body: metadata
                .token_endpoint_auth_methods_supported()
                .is_some_and(|methods| methods.contains(&CoreClientAuthMethod::ClientSecretPost)),
            fetched_at: now,
        };
        let secret_endpoints = [Some(fetched.authorize.url()), Some(fetched.token.url()), fetched.userinfo.as_ref()];
        if secret_endpoints.into_iter().flatten().all(is_secure) {
            Ok(fetched)
        } else {
            Err("an address is without TLS".to_owned())
        }
    }

    async fn fetch_keys(&self, url: &Url) -> Result<CoreJsonWebKeySet, String> {
        let http = |request| self.http.send(request);
        CoreJsonWebKeySet::fetch_async(&JsonWebKeySetUrl::from_url(url.clone()), &http).await.map_err(error_text)
    }
}

/// The failure as text, for the log.
fn error_text(error: DiscoveryError<HttpError>) -> String {
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
    use kernel::{FixedEnv, Secret};

    use super::*;
    use crate::config::Credential;

    #[tokio::test]
    async fn a_failed_fetch_counts_for_those_who_waited_for_it() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let env = Arc::new(FixedEnv::at(Timestamp::from_millis(1_781_524_800_000)));
        let requests = Arc::new(AtomicUsize::new(0));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (clock, count) = (Arc::clone(&env), Arc::clone(&requests));
        // Each connection takes ten seconds and gets no response.
        std::thread::spawn(move || {
            for connection in listener.incoming() {
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
            endpoints: Endpoints::default(),
            pkce: true,
            nonce: true,
            trusts_email: false,
            origin: "http://127.0.0.1".to_owned(),
        };
        let cache = MetadataCache::new(&config, HttpClient::new().unwrap(), Arc::clone(&env) as Arc<dyn Env>);
        assert!(cache.get().await.is_err());
        let once = requests.load(Ordering::SeqCst);
        assert!(once > 0);
        assert!(cache.get().await.is_err());
        assert_eq!(requests.load(Ordering::SeqCst), once);
        env.advance(FAILURE_CACHED);
        assert!(cache.get().await.is_err());
        assert!(requests.load(Ordering::SeqCst) > once);
    }
}

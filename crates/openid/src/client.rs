//! The client of a provider: the URL to which a browser is redirected, and the exchange of the code that comes back.

use std::sync::Arc;

use identity::{Provider, ProviderProfile};
use kernel::{Email, Env};
use openidconnect::{
    AuthType, AuthenticationFlow, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    TokenResponse,
    core::{CoreClient, CoreErrorResponseType, CoreResponseType, CoreTokenResponse},
};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{
    apple::{self, AppleUser},
    claims::ProviderClaims,
    config::{Credential, Protocol, ProviderConfig},
    error::ProviderError,
    http::HttpClient,
    id_token::{IdTokenError, verify_id_token},
    metadata::{Metadata, MetadataCache},
    userinfo::fetch_userinfo,
};

/// A client that can redirect browsers and exchange codes.
type Client = CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet, EndpointNotSet>;

/// The secrets of one authorization: the nonce and the PKCE verifier. Only this server may know them.
#[derive(Clone, Serialize, Deserialize)]
pub struct AuthorizationSecrets {
    nonce: String,
    verifier: String,
}

impl AuthorizationSecrets {
    /// Random secrets.
    pub fn new(env: &dyn Env) -> Self {
        Self { nonce: random_text(env), verifier: random_text(env) }
    }
}

impl std::fmt::Debug for AuthorizationSecrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AuthorizationSecrets(…)")
    }
}

/// 256 random bits as 64 hexadecimal digits.
fn random_text(env: &dyn Env) -> String {
    let mut bytes = [0; 32];
    env.fill_random(&mut bytes);
    hex::encode(bytes)
}

/// The HTTP client for providers can't be set up.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct SetupError(#[from] reqwest::Error);

/// The configured providers.
#[derive(Debug)]
pub struct SignInProviders(Vec<ProviderClient>);

impl SignInProviders {
    /// Clients of these providers. Nothing is fetched yet.
    pub fn new(configs: &[ProviderConfig], env: &Arc<dyn Env>) -> Result<Self, SetupError> {
        if configs.is_empty() {
            // Most sites have none, and the client reads the machine's root certificates.
            return Ok(Self(Vec::new()));
        }
        let http = HttpClient::new()?;
        let client = |config: &ProviderConfig| ProviderClient {
            metadata: MetadataCache::new(config, http.clone(), Arc::clone(env)),
            config: config.clone(),
            http: http.clone(),
            env: Arc::clone(env),
        };
        Ok(Self(configs.iter().map(client).collect()))
    }

    /// The client of a provider; `None` if the provider is not configured.
    pub fn get(&self, provider: Provider) -> Option<&ProviderClient> {
        self.0.iter().find(|client| client.config.provider == provider)
    }
}

/// The client of one provider.
pub struct ProviderClient {
    config: ProviderConfig,
    metadata: MetadataCache,
    http: HttpClient,
    env: Arc<dyn Env>,
}

impl std::fmt::Debug for ProviderClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ProviderClient").field(&self.config.provider).finish()
    }
}

impl ProviderClient {
    /// The authorization URL to redirect a browser to. The provider redirects it back to `back`, with `state`.
    pub async fn authorization_url(
        &self,
        secrets: &AuthorizationSecrets,
        state: String,
        back: &Url,
    ) -> Result<Url, ProviderError> {
        let metadata = self.metadata.get().await?;
        if metadata.authorize.url().origin().ascii_serialization() != self.config.origin {
            // Browsers are redirected to configured origins only.
            let cause = format!("browsers are sent to {}: name it as its _AUTH_URL", metadata.authorize.as_str());
            return Err(self.down(cause));
        }
        let client = self.client(&metadata, back);
        let nonce = secrets.nonce.clone();
        let flow = AuthenticationFlow::<CoreResponseType>::AuthorizationCode;
        let mut request = client.authorize_url(flow, move || CsrfToken::new(state), move || Nonce::new(nonce));
        for scope in self.scopes() {
            request = request.add_scope(Scope::new((*scope).to_owned()));
        }
        if self.config.provider == Provider::Apple {
            // Apple sends name and address in no other mode.
            request = request.add_extra_param("response_mode", "form_post");
        }
        if self.config.pkce {
            let verifier = PkceCodeVerifier::new(secrets.verifier.clone());
            request = request.set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
        }
        Ok(request.url().0)
    }

    /// Exchanges a code for a verified profile. `first` is the `user` field of Apple's form, which supplies the name.
    pub async fn fetch_profile(
        &self,
        code: String,
        secrets: &AuthorizationSecrets,
        back: &Url,
        first: Option<AppleUser>,
    ) -> Result<ProviderProfile, ProviderError> {
        let metadata = self.metadata.get().await?;
        let tokens = self.exchange_code(&metadata, code, secrets, back).await?;
        let claims = match &self.config.protocol {
            Protocol::OpenId(_) => self.claims_of_id_token(metadata, &tokens, secrets).await?,
            Protocol::OAuth2 => self.fetch_userinfo(&metadata, &tokens, None).await?,
        };
        self.profile(claims, first)
    }

    async fn exchange_code(
        &self,
        metadata: &Metadata,
        code: String,
        secrets: &AuthorizationSecrets,
        back: &Url,
    ) -> Result<CoreTokenResponse, ProviderError> {
        let client = self.client(metadata, back).set_client_secret(self.client_secret()?);
        let mut request = client.exchange_code(AuthorizationCode::new(code));
        if self.config.pkce {
            request = request.set_pkce_verifier(PkceCodeVerifier::new(secrets.verifier.clone()));
        }
        let http = |request| self.http.send(request);
        request.request_async(&http).await.map_err(|error| match error {
            RequestTokenError::ServerResponse(answer) if *answer.error() == CoreErrorResponseType::InvalidGrant => {
                ProviderError::CodeRefused(self.config.provider)
            }
            // An error about our credentials is for the operator.
            RequestTokenError::ServerResponse(answer) => self.down(format!("the code's exchange: {}", answer.error())),
            RequestTokenError::Request(error) => self.down(error),
            RequestTokenError::Parse(error, _) => self.down(error),
            RequestTokenError::Other(error) => self.down(error),
        })
    }

    async fn claims_of_id_token(
        &self,
        metadata: Arc<Metadata>,
        tokens: &CoreTokenResponse,
        secrets: &AuthorizationSecrets,
    ) -> Result<ProviderClaims, ProviderError> {
        let id_token = tokens.id_token().ok_or_else(|| self.untrusted("there is no id token"))?;
        let verified = verify_id_token(&self.config, &metadata, id_token, &secrets.nonce, &*self.env);
        let (metadata, claims) = match verified {
            // The provider rotated its keys since they were fetched.
            Err(IdTokenError::UnknownKey) => {
                let newer = self.metadata.get_newer_than(metadata.fetched_at).await?;
                let claims = verify_id_token(&self.config, &newer, id_token, &secrets.nonce, &*self.env);
                (newer, claims)
            }
            verified => (metadata, verified),
        };
        let claims = claims.map_err(|error| self.untrusted(error))?;
        if claims.email.is_none() && metadata.userinfo.is_some() {
            return self.fetch_userinfo(&metadata, tokens, Some(&claims.subject)).await;
        }
        Ok(claims)
    }

    /// Fetches the claims of the access token's owner, who must be the subject of the id token if there is one.
    async fn fetch_userinfo(
        &self,
        metadata: &Metadata,
        tokens: &CoreTokenResponse,
        subject: Option<&str>,
    ) -> Result<ProviderClaims, ProviderError> {
        let endpoint = metadata.userinfo.as_ref().ok_or_else(|| self.down("it has no userinfo endpoint"))?;
        let claims = fetch_userinfo(&self.http, endpoint, tokens.access_token().secret()).await;
        let claims = claims.map_err(|error| self.down(error))?;
        if subject.is_some_and(|subject| subject != claims.subject) {
            return Err(self.untrusted("the id token and the access token are of two people"));
        }
        Ok(claims)
    }

    fn profile(&self, claims: ProviderClaims, first: Option<AppleUser>) -> Result<ProviderProfile, ProviderError> {
        if claims.subject.is_empty() || claims.subject.chars().count() > ProviderProfile::MAX_SUBJECT_CHARS {
            return Err(self.untrusted("it has no usable subject"));
        }
        let (first_name, last_name) = first.map_or((None, None), AppleUser::names);
        Ok(ProviderProfile {
            provider: self.config.provider,
            subject: claims.subject,
            email: claims.email.as_deref().and_then(|email| Email::parse(email).ok()),
            email_verified: claims.email_verified.unwrap_or(self.config.trusts_email),
            first_name: first_name.or(claims.first_name),
            last_name: last_name.or(claims.last_name),
            full_name: claims.full_name,
        })
    }

    fn client(&self, metadata: &Metadata, back: &Url) -> Client {
        let client = CoreClient::new(
            ClientId::new(self.config.client_id.clone()),
            metadata.issuer.clone(),
            metadata.jwks.clone(),
        )
        .set_auth_uri(metadata.authorize.clone())
        .set_token_uri(metadata.token.clone())
        .set_redirect_uri(RedirectUrl::from_url(back.clone()))
        .set_auth_type(if metadata.credentials_in_body { AuthType::RequestBody } else { AuthType::BasicAuth });
        if matches!(self.config.protocol, Protocol::OAuth2) { client.disable_openid_scope() } else { client }
    }

    fn client_secret(&self) -> Result<ClientSecret, ProviderError> {
        let secret = match &self.config.credential {
            Credential::Secret(secret) => String::from_utf8_lossy(secret.bytes()).into_owned(),
            Credential::AppleKey { team, key_id, key } => {
                let issuer = match &self.config.protocol {
                    Protocol::OpenId(issuer) => issuer.as_str(),
                    Protocol::OAuth2 => return Err(self.down("Apple speaks OpenID Connect")),
                };
                apple::client_secret(team, key_id, key, &self.config.client_id, issuer, self.env.now())
                    .map_err(|error| self.down(error))?
            }
        };
        Ok(ClientSecret::new(secret))
    }

    /// The scopes besides `openid`.
    const fn scopes(&self) -> &'static [&'static str] {
        match (self.config.provider, &self.config.protocol) {
            (Provider::Apple, _) => &["name", "email"],
            (_, Protocol::OpenId(_)) => &["email", "profile"],
            (_, Protocol::OAuth2) => &["email", "public_profile"],
        }
    }

    /// Whether this is the provider's issuer (RFC 9207). Always true for OAuth 2 providers, which have no issuer.
    pub fn is_issuer(&self, issuer: &str) -> bool {
        match &self.config.protocol {
            Protocol::OpenId(own) => own == issuer,
            Protocol::OAuth2 => true,
        }
    }

    fn down(&self, cause: impl std::fmt::Display) -> ProviderError {
        ProviderError::Down(self.config.provider, cause.to_string())
    }

    fn untrusted(&self, cause: impl std::fmt::Display) -> ProviderError {
        ProviderError::Untrusted(self.config.provider, cause.to_string())
    }
}

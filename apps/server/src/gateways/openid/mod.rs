//! Sign-in providers: asking one to show who somebody is, and checking its answer (`decisions.md` 16).

mod apple;
mod http;
mod keys;
mod published;
mod userinfo;

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

pub use self::apple::AppleUser;
use self::{
    http::Http,
    keys::Told,
    published::{Published, Publisher},
};
use crate::config::providers::{Credential, Protocol, ProviderConfig};

/// A client that can send browsers away and trade codes.
type Client = CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet, EndpointNotSet>;

/// What only this server may know of a flow.
#[derive(Clone, Serialize, Deserialize)]
pub struct Asked {
    nonce: String,
    verifier: String,
}

impl Asked {
    /// New random values.
    pub fn new(env: &dyn Env) -> Self {
        Self { nonce: random_text(env), verifier: random_text(env) }
    }
}

impl std::fmt::Debug for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Asked(…)")
    }
}

/// 256 random bits as 64 characters.
fn random_text(env: &dyn Env) -> String {
    let mut bytes = [0; 32];
    env.fill_random(&mut bytes);
    hex::encode(bytes)
}

/// Why a provider did not show who somebody is.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// It can't be reached, or answers what makes no sense. For the log.
    #[error("{0} can't be asked: {1}")]
    Down(Provider, String),
    /// The code is worth nothing: too old, used, or never one of the provider's.
    #[error("{0} refuses the code")]
    CodeRefused(Provider),
    /// What it answered fails a check. For the log.
    #[error("the answer of {0} fails a check: {1}")]
    Untrusted(Provider, String),
}

/// What is said of a flow that can't be finished any more.
pub const OVER: &str = "This sign-in took too long or was used already. Please try again.";

/// The providers that stand ready.
#[derive(Debug)]
pub struct Gateways(Vec<Gateway>);

impl Gateways {
    /// Makes them ready; nobody is asked yet.
    pub fn new(configs: &[ProviderConfig], env: &Arc<dyn Env>) -> anyhow::Result<Self> {
        let http = Http::new()?;
        let gateway = |config: &ProviderConfig| Gateway {
            publisher: Publisher::new(config, http.clone(), Arc::clone(env)),
            config: config.clone(),
            http: http.clone(),
            env: Arc::clone(env),
        };
        Ok(Self(configs.iter().map(gateway).collect()))
    }

    /// The gateway to a provider, when it stands ready.
    pub fn to(&self, provider: Provider) -> Option<&Gateway> {
        self.0.iter().find(|gateway| gateway.config.provider == provider)
    }
}

/// The way to one provider.
pub struct Gateway {
    config: ProviderConfig,
    publisher: Publisher,
    http: Http,
    env: Arc<dyn Env>,
}

impl std::fmt::Debug for Gateway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Gateway").field(&self.config.provider).finish()
    }
}

impl Gateway {
    /// Where a browser is to be sent, to come back at `back` with the state.
    pub async fn address(&self, asked: &Asked, state: String, back: &Url) -> Result<Url, GatewayError> {
        let published = self.publisher.published().await?;
        if published.authorize.url().origin().ascii_serialization() != self.config.origin {
            // Pages lead only where the configuration says.
            let cause = format!("browsers are sent to {}: name it as its _AUTH_URL", published.authorize.as_str());
            return Err(self.down(cause));
        }
        let client = self.client(&published, back);
        let nonce = asked.nonce.clone();
        let flow = AuthenticationFlow::<CoreResponseType>::AuthorizationCode;
        let mut request = client.authorize_url(flow, move || CsrfToken::new(state), move || Nonce::new(nonce));
        for scope in self.scopes() {
            request = request.add_scope(Scope::new((*scope).to_owned()));
        }
        if self.config.provider == Provider::Apple {
            // Apple gives name and address in no other way.
            request = request.add_extra_param("response_mode", "form_post");
        }
        if self.config.pkce {
            let verifier = PkceCodeVerifier::new(asked.verifier.clone());
            request = request.set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
        }
        Ok(request.url().0)
    }

    /// Trades a code for what the provider says of the person, and checks it. `first` is what Apple's form told.
    pub async fn prove(
        &self,
        code: String,
        asked: &Asked,
        back: &Url,
        first: Option<AppleUser>,
    ) -> Result<ProviderProfile, GatewayError> {
        let published = self.publisher.published().await?;
        let tokens = self.trade(&published, code, asked, back).await?;
        let told = match &self.config.protocol {
            Protocol::OpenId(_) => self.told_by_id_token(published, &tokens, asked).await?,
            Protocol::OAuth2 => self.ask_userinfo(&published, &tokens, None).await?,
        };
        self.profile(told, first)
    }

    async fn trade(
        &self,
        published: &Published,
        code: String,
        asked: &Asked,
        back: &Url,
    ) -> Result<CoreTokenResponse, GatewayError> {
        let client = self.client(published, back).set_client_secret(self.client_secret()?);
        let mut request = client.exchange_code(AuthorizationCode::new(code));
        if self.config.pkce {
            request = request.set_pkce_verifier(PkceCodeVerifier::new(asked.verifier.clone()));
        }
        let http = |request| self.http.send(request);
        request.request_async(&http).await.map_err(|error| match error {
            RequestTokenError::ServerResponse(answer) if *answer.error() == CoreErrorResponseType::InvalidGrant => {
                GatewayError::CodeRefused(self.config.provider)
            }
            // What it says of our credentials is for the operator.
            RequestTokenError::ServerResponse(answer) => self.down(format!("the code's trade: {}", answer.error())),
            RequestTokenError::Request(error) => self.down(error),
            RequestTokenError::Parse(error, _) => self.down(error),
            RequestTokenError::Other(error) => self.down(error),
        })
    }

    async fn told_by_id_token(
        &self,
        published: Arc<Published>,
        tokens: &CoreTokenResponse,
        asked: &Asked,
    ) -> Result<Told, GatewayError> {
        let id_token = tokens.id_token().ok_or_else(|| self.untrusted("there is no id token"))?;
        let checked = keys::check(&self.config, &published, id_token, &asked.nonce, &*self.env);
        let (published, told) = match checked {
            // The provider signs with a key that was not there when we last looked.
            Err(keys::Failure::UnknownKey) => {
                let newer = self.publisher.published_after(published.at).await?;
                let told = keys::check(&self.config, &newer, id_token, &asked.nonce, &*self.env);
                (newer, told)
            }
            checked => (published, checked),
        };
        let told = told.map_err(|failure| self.untrusted(failure))?;
        if told.email.is_none() && published.userinfo.is_some() {
            return self.ask_userinfo(&published, tokens, Some(&told.subject)).await;
        }
        Ok(told)
    }

    /// Asks who the access token is of; it must be the person of the id token, when there is one.
    async fn ask_userinfo(
        &self,
        published: &Published,
        tokens: &CoreTokenResponse,
        subject: Option<&str>,
    ) -> Result<Told, GatewayError> {
        let address = published.userinfo.as_ref().ok_or_else(|| self.down("it tells nobody who a token is of"))?;
        let told = userinfo::ask(&self.http, address, tokens.access_token().secret()).await;
        let told = told.map_err(|error| self.down(error))?;
        if subject.is_some_and(|subject| subject != told.subject) {
            return Err(self.untrusted("the id token and the access token are of two people"));
        }
        Ok(told)
    }

    fn profile(&self, told: Told, first: Option<AppleUser>) -> Result<ProviderProfile, GatewayError> {
        if told.subject.is_empty() || told.subject.chars().count() > ProviderProfile::MAX_SUBJECT_CHARS {
            return Err(self.untrusted("it names nobody"));
        }
        let (first_name, last_name) = first.map_or((None, None), AppleUser::names);
        Ok(ProviderProfile {
            provider: self.config.provider,
            subject: told.subject,
            email: told.email.as_deref().and_then(|email| Email::parse(email).ok()),
            email_verified: told.email_verified.unwrap_or(self.config.trusts_email),
            first_name: first_name.or(told.first_name),
            last_name: last_name.or(told.last_name),
            full_name: told.full_name,
        })
    }

    fn client(&self, published: &Published, back: &Url) -> Client {
        let client = CoreClient::new(
            ClientId::new(self.config.client_id.clone()),
            published.issuer.clone(),
            published.jwks.clone(),
        )
        .set_auth_uri(published.authorize.clone())
        .set_token_uri(published.token.clone())
        .set_redirect_uri(RedirectUrl::from_url(back.clone()))
        .set_auth_type(if published.takes_post { AuthType::RequestBody } else { AuthType::BasicAuth });
        if matches!(self.config.protocol, Protocol::OAuth2) { client.disable_openid_scope() } else { client }
    }

    fn client_secret(&self) -> Result<ClientSecret, GatewayError> {
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

    /// What is asked for besides `openid`.
    const fn scopes(&self) -> &'static [&'static str] {
        match (self.config.provider, &self.config.protocol) {
            (Provider::Apple, _) => &["name", "email"],
            (_, Protocol::OpenId(_)) => &["email", "profile"],
            (_, Protocol::OAuth2) => &["email", "public_profile"],
        }
    }

    /// Whether this is the issuer (RFC 9207); providers that are not OpenID's have none.
    pub fn is_issuer(&self, issuer: &str) -> bool {
        match &self.config.protocol {
            Protocol::OpenId(own) => own == issuer,
            Protocol::OAuth2 => true,
        }
    }

    fn down(&self, cause: impl std::fmt::Display) -> GatewayError {
        GatewayError::Down(self.config.provider, cause.to_string())
    }

    fn untrusted(&self, cause: impl std::fmt::Display) -> GatewayError {
        GatewayError::Untrusted(self.config.provider, cause.to_string())
    }
}

//! Runs a sign-in flow to a provider and back: the provider is called between two transactions.

use identity::{Claims, Factors, Provider, ProviderProfile, RateLimitBucket, hash_of_text, redirect_path};
use kernel::{UserId, network_of};
use openid::{AppleUser, AuthorizationSecrets, ProviderClient, SignInProviders};
use url::Url;

use crate::identity::provider_sign_in::{
    Origin, ProviderFlow, ProviderSignInError, Step, arrive, connect, redeem_flow, store_flow,
};
use crate::{client::ClientContext, rate_limits, tx::Transactions};

/// The longest time zone name that is kept for a new account, in bytes.
const MAX_TIMEZONE_BYTES: usize = 64;

/// Runs flows with the configured providers.
#[derive(Clone, Copy, Debug)]
pub struct ProviderFlows<'a> {
    pub transactions: &'a Transactions,
    pub providers: &'a SignInProviders,
}

/// A browser's request to start a flow.
#[derive(Clone, Debug)]
pub struct FlowRequest {
    pub provider: Provider,
    /// The page that the flow starts from.
    pub origin: Origin,
    /// The path to continue to; anything but a path of this site is ignored.
    pub redirect: Option<String>,
    /// The browser's time zone, for a new account.
    pub timezone: Option<String>,
    /// The secrets of the flow.
    pub secrets: AuthorizationSecrets,
}

/// The parameters with which a provider redirects the browser back, in the URL or in a form.
#[derive(Clone, Debug, Default)]
pub struct ProviderCallback {
    /// The authorization code.
    pub code: Option<String>,
    /// The `state`, which identifies the flow.
    pub state: Option<String>,
    /// The error, if there is no code.
    pub error: Option<String>,
    /// The issuer that redirected the browser back (RFC 9207).
    pub issuer: Option<String>,
}

/// The outcome of a finished flow.
#[derive(Clone, Debug)]
pub struct FlowEnd {
    /// The token that the browser which started the flow trades for a session; `None` if the provider was connected to
    /// an account.
    pub token: Option<String>,
    /// The path that the flow was started with.
    pub redirect: Option<String>,
}

/// The outcome of the form that Apple posts.
#[derive(Clone, Debug)]
pub enum AppleFlowEnd {
    /// To connect the provider, the browser itself must come back, with its cookie and access token.
    Connecting {
        /// The `state` for the next step of the flow.
        state: String,
    },
    /// The flow is finished.
    Ended(FlowEnd),
}

impl ProviderFlows<'_> {
    /// Starts a flow for the browser with this flow cookie; returns the URL to redirect it to. Connecting a provider requires a
    /// session that has just started.
    pub async fn begin(
        &self,
        request: FlowRequest,
        viewer: Option<Claims>,
        client: &ClientContext,
        cookie: &str,
    ) -> Result<Url, ProviderSignInError> {
        let oauth = self.provider(request.provider)?;
        let user = match request.origin {
            Origin::Account => Some(self.connecting_member(viewer).await?),
            Origin::Login | Origin::Signup => None,
        };
        self.count(client).await?;
        let secrets = request.secrets;
        let flow = ProviderFlow {
            provider: request.provider,
            origin: request.origin,
            redirect: request.redirect.as_deref().and_then(redirect_path).map(str::to_owned),
            timezone: request.timezone.filter(|zone| zone.len() <= MAX_TIMEZONE_BYTES),
            user,
            binding: hash_of_text(cookie),
            step: Step::Asked(secrets.clone()),
        };
        let state = self.transactions.write(move |tx| store_flow(tx, &flow)).await?;
        Ok(oauth.authorization_url(&secrets, state, &self.callback_url(request.provider)?).await?)
    }

    /// Finishes a flow in the browser with this flow cookie.
    pub async fn end(
        &self,
        provider: Provider,
        callback: ProviderCallback,
        viewer: Option<Claims>,
        client: &ClientContext,
        cookie: Option<&str>,
    ) -> Result<FlowEnd, ProviderSignInError> {
        let oauth = self.provider(provider)?;
        self.count(client).await?;
        let flow = self.redeem(provider, callback.state).await?;
        if cookie.map(hash_of_text) != Some(flow.binding) {
            return Err(ProviderSignInError::FlowOver);
        }
        if callback.error.is_some() {
            return Err(ProviderSignInError::Declined);
        }
        if callback.issuer.is_some_and(|issuer| !oauth.is_issuer(&issuer)) {
            return Err(ProviderSignInError::FlowOver);
        }
        let member = member_of(&flow, viewer)?;
        let profile = match flow.step.clone() {
            Step::Asked(secrets) => self.profile(provider, callback.code, &secrets, None).await?,
            Step::Proven(held) => held.into_profile(provider),
        };
        let (address, redirect) = (client.address, flow.redirect.clone());
        let token = self.transactions.write(move |tx| match member {
            Some(member) => connect(tx, &member, &profile).map(|()| None),
            None => arrive(tx, &flow, &profile, address).map(|secret| Some(secret.token)),
        });
        Ok(FlowEnd { token: token.await?, redirect })
    }

    /// Continues a flow with the form that Apple posts from its own page. The request has no cookies, so the browser is checked
    /// in the next step. `user` is the form field with the name, which Apple sends only the first time.
    pub async fn end_by_apple(
        &self,
        callback: ProviderCallback,
        user: Option<&str>,
        client: &ClientContext,
    ) -> Result<AppleFlowEnd, ProviderSignInError> {
        self.count(client).await?;
        let flow = self.redeem(Provider::Apple, callback.state).await?;
        if callback.error.is_some() {
            return Err(ProviderSignInError::Declined);
        }
        let Step::Asked(secrets) = &flow.step else { return Err(ProviderSignInError::FlowOver) };
        let first = user.and_then(AppleUser::read);
        let profile = self.profile(Provider::Apple, callback.code, secrets, first).await?;
        let address = client.address;
        let end = self.transactions.write::<_, ProviderSignInError, _>(move |tx| {
            if flow.origin == Origin::Account {
                // The next request, with cookie and token, shows whether this is the member's own browser.
                let flow = ProviderFlow { step: Step::Proven(profile.into()), ..flow };
                return Ok(AppleFlowEnd::Connecting { state: store_flow(tx, &flow)? });
            }
            let secret = arrive(tx, &flow, &profile, address)?;
            Ok(AppleFlowEnd::Ended(FlowEnd { token: Some(secret.token), redirect: flow.redirect }))
        });
        end.await
    }

    /// The client of a configured provider. Fails with [`ProviderSignInError::NotConfigured`] otherwise.
    pub fn provider(&self, provider: Provider) -> Result<&ProviderClient, ProviderSignInError> {
        self.providers.get(provider).ok_or(ProviderSignInError::NotConfigured)
    }

    /// The member who connects a provider, which requires a session that has just started.
    async fn connecting_member(&self, viewer: Option<Claims>) -> Result<UserId, ProviderSignInError> {
        let claims = viewer.ok_or(ProviderSignInError::SignedOut)?;
        self.transactions.write(move |tx| tx.pg.allow_another_way_in(claims.user, claims.session, tx.now())).await?;
        Ok(claims.user)
    }

    /// Counts an attempt against the network's rate limit.
    async fn count(&self, client: &ClientContext) -> Result<(), ProviderSignInError> {
        let network = network_of(client.address);
        Ok(rate_limits::count(self.transactions, RateLimitBucket::Provider, network).await?)
    }

    async fn redeem(&self, provider: Provider, state: Option<String>) -> Result<ProviderFlow, ProviderSignInError> {
        let state = state.ok_or(ProviderSignInError::FlowOver)?;
        let flow = self.transactions.write(move |tx| redeem_flow(tx, provider, &state)).await?;
        flow.ok_or(ProviderSignInError::FlowOver)
    }

    /// Trades the authorization code for the profile that the provider attests.
    async fn profile(
        &self,
        provider: Provider,
        code: Option<String>,
        secrets: &AuthorizationSecrets,
        first: Option<AppleUser>,
    ) -> Result<ProviderProfile, ProviderSignInError> {
        let code = code.ok_or(ProviderSignInError::FlowOver)?;
        let back = self.callback_url(provider)?;
        Ok(self.provider(provider)?.fetch_profile(code, secrets, &back, first).await?)
    }

    /// The URL that a provider redirects browsers back to.
    fn callback_url(&self, provider: Provider) -> Result<Url, ProviderSignInError> {
        let path = match provider {
            Provider::Apple => "/api/apple/oauth/callback".to_owned(),
            other => format!("/login?type={}", other.as_str()),
        };
        Ok(Url::parse(&self.transactions.settings().link(&path))?)
    }
}

/// The member who connects a provider: must be the one who started the flow. `None` for a sign-in.
fn member_of(flow: &ProviderFlow, viewer: Option<Claims>) -> Result<Option<Claims>, ProviderSignInError> {
    if flow.origin != Origin::Account {
        return Ok(None);
    }
    let member = viewer.ok_or(ProviderSignInError::SignedOut)?;
    if flow.user == Some(member.user) { Ok(Some(member)) } else { Err(ProviderSignInError::FlowOver) }
}

//! A flow to a provider and back: the provider is asked between two transactions.

use identity::{Claims, Factors, Provider, ProviderProfile, RateLimitBucket, hash_of_text, redirect_path};
use kernel::{UserId, network_of};
use openid::{AppleUser, AuthorizationSecrets, ProviderClient, SignInProviders};
use url::Url;

use crate::identity::provider_sign_in::{
    Origin, ProviderFlow, ProviderSignInError, Step, arrive, connect, redeem_flow, store_flow,
};
use crate::{client::ClientContext, rate_limits, tx::Transactions};

/// The longest name of a time zone that is kept for a new account, in bytes.
const MAX_TIMEZONE_BYTES: usize = 64;

/// Runs flows with the configured providers.
#[derive(Clone, Copy, Debug)]
pub struct ProviderFlows<'a> {
    /// The database.
    pub transactions: &'a Transactions,
    pub providers: &'a SignInProviders,
}

/// What a browser begins a flow with.
#[derive(Clone, Debug)]
pub struct FlowRequest {
    pub provider: Provider,
    /// From which page.
    pub origin: Origin,
    /// Where to go on to; anything but a path of this site counts as none.
    pub redirect: Option<String>,
    /// The browser's time zone, for a new account.
    pub timezone: Option<String>,
    /// The secrets of the flow.
    pub secrets: AuthorizationSecrets,
}

/// What a provider wrote into the URL, or into the form, with which the browser comes back.
#[derive(Clone, Debug, Default)]
pub struct ProviderCallback {
    /// The authorization code.
    pub code: Option<String>,
    /// The flow.
    pub state: Option<String>,
    /// Why there is no code.
    pub error: Option<String>,
    /// Who sent the browser back (RFC 9207).
    pub issuer: Option<String>,
}

/// How a flow ended.
#[derive(Clone, Debug)]
pub struct FlowEnd {
    /// What the browser that began the flow trades for a session; `None` when the provider was connected.
    pub token: Option<String>,
    /// The path that the flow was begun with.
    pub redirect: Option<String>,
}

/// How Apple's form ended a flow.
#[derive(Clone, Debug)]
pub enum AppleFlowEnd {
    /// The browser itself is still to come back, with its cookie and access token, to connect the provider.
    Connecting {
        /// The state of the flow that goes on.
        state: String,
    },
    /// The flow has ended.
    Ended(FlowEnd),
}

impl ProviderFlows<'_> {
    /// Begins a flow of the browser that has this flow cookie; gives the URL to which it is redirected. A provider is
    /// connected in a session that has just begun.
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

    /// Ends a flow in the browser that has this flow cookie.
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

    /// Ends a flow by the form that Apple posts from its own page. No cookie comes with it: the browser is checked by the next
    /// step. `user` is the field with the name, which comes the first time only.
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
                // Whether it is the member's own browser that came back is seen when it brings its cookie and token.
                let flow = ProviderFlow { step: Step::Proven(profile.into()), ..flow };
                return Ok(AppleFlowEnd::Connecting { state: store_flow(tx, &flow)? });
            }
            let secret = arrive(tx, &flow, &profile, address)?;
            Ok(AppleFlowEnd::Ended(FlowEnd { token: Some(secret.token), redirect: flow.redirect }))
        });
        end.await
    }

    /// The client of a configured provider.
    pub fn provider(&self, provider: Provider) -> Result<&ProviderClient, ProviderSignInError> {
        self.providers.get(provider).ok_or(ProviderSignInError::NotConfigured)
    }

    /// The member who adds a way into their account, which a session may that has just begun.
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

    /// Trades the authorization code for the profile that the provider vouches for.
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

    /// Where a provider sends browsers back to.
    fn callback_url(&self, provider: Provider) -> Result<Url, ProviderSignInError> {
        let path = match provider {
            Provider::Apple => "/api/apple/oauth/callback".to_owned(),
            other => format!("/login?type={}", other.as_str()),
        };
        Ok(Url::parse(&self.transactions.settings().link(&path))?)
    }
}

/// Who connects a provider: the member who began the flow, and nobody else.
fn member_of(flow: &ProviderFlow, viewer: Option<Claims>) -> Result<Option<Claims>, ProviderSignInError> {
    if flow.origin != Origin::Account {
        return Ok(None);
    }
    let member = viewer.ok_or(ProviderSignInError::SignedOut)?;
    if flow.user == Some(member.user) { Ok(Some(member)) } else { Err(ProviderSignInError::FlowOver) }
}

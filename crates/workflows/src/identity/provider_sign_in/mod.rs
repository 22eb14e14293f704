//! Signing in with a provider such as Google or Apple, and connecting a provider to an account (`identity.provider-flow`).
//!
//! A flow redirects the browser to the provider, which sends it back with the flow's `state`. In between, the flow is stored
//! sealed. [`flow`] runs it.

pub mod flow;

use std::net::IpAddr;

use identity::{
    Claims, Factors, Identity, IdentityError, IdentityQueries, Issue, IssuedSecret, Provider, ProviderArrival,
    ProviderConnection, ProviderError, ProviderProfile, ProviderQueries, Providers, Purpose, SecretHash,
};
use kernel::{Email, StoreError, UserId};
use openid::AuthorizationSecrets;
use serde::{Deserialize, Serialize};

use crate::{
    identity::{
        email_address,
        security::{complete_first_proof, notify_change},
        sign_in::count_sign_up,
    },
    tx::Tx,
};

/// The purpose for which flows are sealed.
const PURPOSE: &[u8] = b"provider flow";

/// Why a sign-in with a provider failed.
#[derive(Debug, thiserror::Error)]
pub enum ProviderSignInError {
    /// The provider's profile can't be matched to an account, or can't be connected.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// Too many sign-ups, or the member's session has ended.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The provider can't be reached, or does not prove the person's identity.
    #[error(transparent)]
    OpenId(#[from] openid::ProviderError),
    /// The person declined at the provider.
    #[error("You did not approve the login. Please try again or use your password.")]
    Declined,
    /// The flow has expired, or belongs to another browser or member.
    #[error("the flow is over")]
    FlowOver,
    /// Connecting a provider needs a signed-in member.
    #[error("nobody is logged in")]
    SignedOut,
    /// The operator has not configured the provider.
    #[error("the provider is not configured")]
    NotConfigured,
    /// The site's URL does not yield a valid callback URL.
    #[error(transparent)]
    CallbackUrl(#[from] url::ParseError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The page that a flow starts from, which decides what happens at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The login page: signs in or up.
    #[default]
    Login,
    /// The sign-up page: does the same.
    Signup,
    /// The account page: connects the provider to the account.
    Account,
}

/// A flow between the redirect to a provider and the return. Valid for ten minutes and for one use.
#[derive(Clone, Debug)]
pub struct ProviderFlow {
    pub provider: Provider,
    /// The page that the flow started from.
    pub origin: Origin,
    /// The path on this site to continue to.
    pub redirect: Option<String>,
    /// The browser's time zone, for a new account.
    pub timezone: Option<String>,
    /// The member who connects a provider; `None` for a sign-in.
    pub user: Option<UserId>,
    /// The hash of the flow's cookie, which binds the flow to the browser.
    pub binding: SecretHash,
    pub step: Step,
}

/// The state of a flow.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Step {
    /// The browser is at the provider.
    Asked(AuthorizationSecrets),
    /// The provider has returned a profile in a request without cookies: the browser itself must still come back.
    Proven(HeldProfile),
}

/// A provider's profile, stored between two requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HeldProfile {
    subject: String,
    email: Option<String>,
    email_verified: bool,
}

impl From<ProviderProfile> for HeldProfile {
    fn from(profile: ProviderProfile) -> Self {
        Self {
            subject: profile.subject,
            email: profile.email.map(|email| email.as_str().to_owned()),
            email_verified: profile.email_verified,
        }
    }
}

impl HeldProfile {
    /// The profile, without the names, which connecting does not need.
    pub fn into_profile(self, provider: Provider) -> ProviderProfile {
        ProviderProfile {
            provider,
            subject: self.subject,
            email: self.email.as_deref().and_then(|email| Email::parse(email).ok()),
            email_verified: self.email_verified,
            first_name: None,
            last_name: None,
            full_name: None,
        }
    }
}

/// A flow as it is sealed in the database.
#[derive(Serialize, Deserialize)]
struct SealedFlow {
    provider: String,
    origin: Origin,
    redirect: Option<String>,
    timezone: Option<String>,
    step: Step,
}

/// Stores a flow; returns its `state`.
pub fn store_flow(tx: &mut Tx<'_, '_>, flow: &ProviderFlow) -> Result<String, StoreError> {
    let content = SealedFlow {
        provider: flow.provider.as_str().to_owned(),
        origin: flow.origin,
        redirect: flow.redirect.clone(),
        timezone: flow.timezone.clone(),
        step: flow.step.clone(),
    };
    let text = serde_json::to_vec(&content).map_err(StoreError::new)?;
    let sealed = hex::encode(tx.seal.close(&text, PURPOSE, tx.env));
    let issue =
        Issue { purpose: Purpose::ProviderFlow, user: flow.user, data: Some(&sealed), binding: Some(&flow.binding) };
    Ok(tx.pg.issue_secret(issue, tx.env)?.token)
}

/// Redeems the `state` of a flow; `None` if this provider has no such flow, or it was used or has expired.
pub fn redeem_flow(tx: &mut Tx<'_, '_>, provider: Provider, state: &str) -> Result<Option<ProviderFlow>, StoreError> {
    let Some(found) = tx.pg.redeem_secret(Purpose::ProviderFlow, state, tx.now())? else { return Ok(None) };
    let (Some(data), Some(binding)) = (found.data, found.binding) else { return Ok(None) };
    let sealed = hex::decode(data).map_err(StoreError::new)?;
    // The operator has changed the secret meanwhile: the flow has to be started again.
    let Ok(text) = tx.seal.open(&sealed, PURPOSE) else { return Ok(None) };
    let content: SealedFlow = serde_json::from_slice(&text).map_err(StoreError::new)?;
    let SealedFlow { provider: name, origin, redirect, timezone, step } = content;
    let flow = ProviderFlow { provider, origin, redirect, timezone, user: found.user, binding, step };
    Ok((name == provider.as_str()).then_some(flow))
}

/// Finds or creates the account of a provider's profile. Returns a token that the browser which started the flow trades for a
/// session. A new account counts as a sign-up from `address`.
pub fn arrive(
    tx: &mut Tx<'_, '_>,
    flow: &ProviderFlow,
    profile: &ProviderProfile,
    address: IpAddr,
) -> Result<IssuedSecret, ProviderSignInError> {
    let now = tx.now();
    let (arrival, first_proof) = tx.pg.arrive_by_provider(profile, flow.timezone.as_deref(), now)?;
    complete_first_proof(tx, arrival.user(), first_proof)?;
    if let ProviderArrival::New { user, confirmed } = arrival {
        count_sign_up(tx, address, confirmed)?;
        if !confirmed && let Some(user) = tx.pg.user(user)? {
            email_address::mail_confirmation(tx, &user)?;
        }
    }
    let issue = Issue {
        purpose: Purpose::Arrival,
        user: Some(arrival.user()),
        data: Some(flow.provider.as_str()),
        binding: Some(&flow.binding),
    };
    Ok(tx.pg.issue_secret(issue, tx.env)?)
}

/// Connects a provider to the account of a signed-in member. Fails if the session has ended while the provider was called.
pub fn connect(tx: &mut Tx<'_, '_>, claims: &Claims, profile: &ProviderProfile) -> Result<(), ProviderSignInError> {
    let (user, session) = tx.pg.acting(claims.user, claims.session, tx.now())?;
    let user = user.id;
    let was_connected = is_connected(&tx.pg.providers_of(user)?, profile.provider);
    let first_proof = tx.pg.connect_provider(user, session.id, profile, tx.now())?;
    complete_first_proof(tx, user, first_proof)?;
    if was_connected {
        return Ok(());
    }
    Ok(notify(tx, user, format!("Your {} account was connected.", profile.provider))?)
}

/// Disconnects a provider from an account.
pub fn disconnect(tx: &mut Tx<'_, '_>, user: UserId, provider: Provider) -> Result<(), ProviderSignInError> {
    let was_connected = is_connected(&tx.pg.providers_of(user)?, provider);
    tx.pg.disconnect_provider(user, provider)?;
    if !was_connected {
        return Ok(());
    }
    Ok(notify(tx, user, format!("Your {provider} account was disconnected."))?)
}

fn is_connected(connections: &[ProviderConnection], provider: Provider) -> bool {
    connections.iter().any(|connection| connection.provider == provider)
}

fn notify(tx: &mut Tx<'_, '_>, user: UserId, what: String) -> Result<(), StoreError> {
    let Some(user) = tx.pg.user(user)? else { return Ok(()) };
    notify_change(tx, &user, what)
}

//! Signing in with a provider such as Google or Apple, and connecting one with an account (`identity.provider-flow`).
//!
//! A flow leaves for the provider and comes back with its `state`. In between it is stored sealed. [`flow`] runs it.

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
        security::{notify_change, notify_first_proof},
        sign_in::count_sign_up,
    },
    tx::Tx,
};

/// What flows are sealed for.
const PURPOSE: &[u8] = b"provider flow";

/// Why a sign-in with a provider failed.
#[derive(Debug, thiserror::Error)]
pub enum ProviderSignInError {
    /// The provider's profile leads to no account, or can't be connected.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// Too many sign-ups, or the member's session has ended.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The provider can't be asked, or does not prove who the person is.
    #[error(transparent)]
    OpenId(#[from] openid::ProviderError),
    /// The person declined at the provider.
    #[error("You did not allow the login. Please try again or use your password.")]
    Declined,
    /// The flow is over, or belongs to another browser or member.
    #[error("the flow is over")]
    FlowOver,
    /// A provider is connected by a member, and nobody is signed in.
    #[error("nobody is logged in")]
    SignedOut,
    /// The operator has not configured the provider.
    #[error("the provider is not configured")]
    NotConfigured,
    /// The site has no URL to come back to.
    #[error(transparent)]
    CallbackUrl(#[from] url::ParseError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// From which page a flow was begun, which says what is done at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The login page.
    #[default]
    Login,
    /// The sign-up page, which does the same.
    Signup,
    /// The account page: connects the provider.
    Account,
}

/// A flow between leaving for a provider and coming back. Valid for ten minutes, once.
#[derive(Clone, Debug)]
pub struct ProviderFlow {
    pub provider: Provider,
    /// From which page it was begun.
    pub origin: Origin,
    /// Where to go on to: a path of this site.
    pub redirect: Option<String>,
    /// The browser's time zone, for a new account.
    pub timezone: Option<String>,
    /// The member who connects a provider.
    pub user: Option<UserId>,
    /// The hash of the flow's cookie.
    pub binding: SecretHash,
    /// How far it is.
    pub step: Step,
}

/// How far a flow is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Step {
    /// The browser is at the provider.
    Asked(AuthorizationSecrets),
    /// The provider has answered, in a request without cookies: the browser itself is still to come.
    Proven(HeldProfile),
}

/// A provider's profile between two requests.
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
    /// The profile, as far as a connection needs it.
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

/// A flow as it is stored.
#[derive(Serialize, Deserialize)]
struct SealedFlow {
    provider: String,
    origin: Origin,
    redirect: Option<String>,
    timezone: Option<String>,
    step: Step,
}

/// Stores a flow; gives its `state`.
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

/// Redeems the `state` of a flow; `None` when this provider has no such flow (any more).
pub fn redeem_flow(tx: &mut Tx<'_, '_>, provider: Provider, state: &str) -> Result<Option<ProviderFlow>, StoreError> {
    let Some(found) = tx.pg.redeem_secret(Purpose::ProviderFlow, state, tx.now())? else { return Ok(None) };
    let (Some(data), Some(binding)) = (found.data, found.binding) else { return Ok(None) };
    let sealed = hex::decode(data).map_err(StoreError::new)?;
    // Sealed with a secret that is not the operator's any more: the flow has to be begun again.
    let Ok(text) = tx.seal.open(&sealed, PURPOSE) else { return Ok(None) };
    let content: SealedFlow = serde_json::from_slice(&text).map_err(StoreError::new)?;
    let SealedFlow { provider: name, origin, redirect, timezone, step } = content;
    let flow = ProviderFlow { provider, origin, redirect, timezone, user: found.user, binding, step };
    Ok((name == provider.as_str()).then_some(flow))
}

/// Finds or creates the account of a provider's profile. Gives a token which the browser that began the flow trades for a
/// session. A new account counts as a sign-up from `address`.
pub fn arrive(
    tx: &mut Tx<'_, '_>,
    flow: &ProviderFlow,
    profile: &ProviderProfile,
    address: IpAddr,
) -> Result<IssuedSecret, ProviderSignInError> {
    let now = tx.now();
    let (arrival, first_proof) = tx.pg.arrive_by_provider(profile, flow.timezone.as_deref(), now)?;
    notify_first_proof(tx, arrival.user(), first_proof)?;
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

/// Connects a provider with the account of a signed-in member. Asking the provider took a while: a session that was ended
/// meanwhile connects nothing.
pub fn connect(tx: &mut Tx<'_, '_>, claims: &Claims, profile: &ProviderProfile) -> Result<(), ProviderSignInError> {
    let (user, session) = tx.pg.acting(claims.user, claims.session, tx.now())?;
    let user = user.id;
    let was_connected = is_connected(&tx.pg.providers_of(user)?, profile.provider);
    let first_proof = tx.pg.connect_provider(user, session.id, profile, tx.now())?;
    notify_first_proof(tx, user, first_proof)?;
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

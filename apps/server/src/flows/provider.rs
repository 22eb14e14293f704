//! Signing in with a provider: the flow there and back, who comes in, and what is connected with an account.

use std::net::IpAddr;

use identity::{
    Claims, Factors, Identity, Issue, IssuedSecret, Provider, ProviderArrival, ProviderConnection, ProviderProfile,
    Providers, Purpose, SecretHash, Try, network_of,
};
use kernel::{Email, StoreError, UserId};
use postgres::Pg;
use serde::{Deserialize, Serialize};

use super::recovery;
use crate::{
    app::App,
    error::ApiError,
    gateways::openid::Asked,
    mail::{self, Mail},
};

/// The label under which flows are sealed.
const LABEL: &[u8] = b"provider flow";

/// From where somebody set out, which says what is done when they come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// To log in.
    #[default]
    Login,
    /// To sign up, which is the same.
    Signup,
    /// To connect the provider with the account.
    Account,
}

/// A flow that is under way. It is kept under its `state`, sealed, for ten minutes, and used up by whoever comes back
/// first.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Where somebody was sent.
    pub provider: Provider,
    /// From where.
    pub origin: Origin,
    /// Where they wanted to go: a path of this site.
    pub redirect: Option<String>,
    /// The browser's time zone, for a new account.
    pub timezone: Option<String>,
    /// Who connects a provider with their account.
    pub user: Option<UserId>,
    /// The hash of the flow's cookie.
    pub binding: SecretHash,
    /// How far it is.
    pub step: Step,
}

/// How far a flow is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Step {
    /// The provider was asked who somebody is.
    Asked(Asked),
    /// It has told, to a request that bore no cookies: the browser itself is still to come.
    Proven(Held),
}

/// A profile between two requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Held {
    subject: String,
    email: Option<String>,
    email_verified: bool,
}

impl From<ProviderProfile> for Held {
    fn from(profile: ProviderProfile) -> Self {
        Self {
            subject: profile.subject,
            email: profile.email.map(|email| email.as_str().to_owned()),
            email_verified: profile.email_verified,
        }
    }
}

impl Held {
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

#[derive(Serialize, Deserialize)]
struct Kept {
    provider: String,
    origin: Origin,
    redirect: Option<String>,
    timezone: Option<String>,
    step: Step,
}

/// Keeps a flow; gives its `state`.
pub fn keep(pg: &mut Pg<'_>, app: &App, flow: &Flow) -> Result<String, StoreError> {
    let kept = Kept {
        provider: flow.provider.as_str().to_owned(),
        origin: flow.origin,
        redirect: flow.redirect.clone(),
        timezone: flow.timezone.clone(),
        step: flow.step.clone(),
    };
    let text = serde_json::to_vec(&kept).map_err(StoreError::new)?;
    let sealed = hex::encode(app.seal.close(&text, LABEL, &*app.env));
    let issue =
        Issue { purpose: Purpose::ProviderFlow, user: flow.user, data: Some(&sealed), binding: Some(&flow.binding) };
    Ok(pg.issue_secret(issue, &*app.env)?.token)
}

/// Uses a flow up; `None` when there is none of this provider (any more).
pub fn take(pg: &mut Pg<'_>, app: &App, provider: Provider, state: &str) -> Result<Option<Flow>, StoreError> {
    let Some(found) = pg.redeem_secret(Purpose::ProviderFlow, state, app.env.now())? else { return Ok(None) };
    let (Some(data), Some(binding)) = (found.data, found.binding) else { return Ok(None) };
    let sealed = hex::decode(data).map_err(StoreError::new)?;
    // Sealed with a secret that is not the operator's any more: somebody has to begin again.
    let Ok(text) = app.seal.open(&sealed, LABEL) else { return Ok(None) };
    let kept: Kept = serde_json::from_slice(&text).map_err(StoreError::new)?;
    let Kept { provider: name, origin, redirect, timezone, step } = kept;
    let flow = Flow { provider, origin, redirect, timezone, user: found.user, binding, step };
    Ok((name == provider.as_str()).then_some(flow))
}

/// Lets somebody in whom a provider has shown (`decisions.md` 16), as far as the door: the token is traded for a
/// session by the browser that began the flow. A new account counts as a sign-up.
pub fn arrive(
    pg: &mut Pg<'_>,
    app: &App,
    flow: &Flow,
    profile: &ProviderProfile,
    address: IpAddr,
) -> Result<IssuedSecret, ApiError> {
    let now = app.env.now();
    let arrival = pg.arrive_by_provider(profile, flow.timezone.as_deref(), now)?;
    if let ProviderArrival::New { user, confirmed } = arrival {
        let network = network_of(address);
        pg.take_tries(&[Try { what: "signup", whose: &network, limits: &app.config.limits.signup }], now)?;
        if !confirmed && let Some(user) = pg.user(user)? {
            recovery::ask_for_confirmation(pg, app, &user)?;
        }
    }
    let issue =
        Issue { purpose: Purpose::Arrival, user: Some(arrival.user()), data: None, binding: Some(&flow.binding) };
    Ok(pg.issue_secret(issue, &*app.env)?)
}

/// Connects a provider with the account of somebody who is signed in, and tells them by mail. Asking the provider took
/// a while: whose session was ended meanwhile connects nothing.
pub fn connect(pg: &mut Pg<'_>, app: &App, claims: &Claims, profile: &ProviderProfile) -> Result<(), ApiError> {
    let user = pg.acting(claims.user, claims.session, app.env.now())?.0.id;
    let was_there = is_connected(&pg.providers_of(user)?, profile.provider);
    pg.connect_provider(user, profile, app.env.now())?;
    if was_there {
        return Ok(());
    }
    Ok(tell(pg, app, user, format!("Your {} account was connected.", profile.provider))?)
}

/// Takes a provider away from an account, and tells its owner by mail.
pub fn disconnect(pg: &mut Pg<'_>, app: &App, user: UserId, provider: Provider) -> Result<(), ApiError> {
    let was_there = is_connected(&pg.providers_of(user)?, provider);
    pg.disconnect_provider(user, provider)?;
    if !was_there {
        return Ok(());
    }
    Ok(tell(pg, app, user, format!("Your {provider} account was disconnected."))?)
}

fn is_connected(connections: &[ProviderConnection], provider: Provider) -> bool {
    connections.iter().any(|connection| connection.provider == provider)
}

/// A new way in, or one less, is news that its owner must get even when somebody else made it.
fn tell(pg: &mut Pg<'_>, app: &App, user: UserId, what: String) -> Result<(), StoreError> {
    let Some(user) = pg.user(user)? else { return Ok(()) };
    mail::queue(pg, app, &user.email, &Mail::SecondFactorChanged { first_name: user.first_name, what })
}

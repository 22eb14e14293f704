//! The parameters of these routes.

use identity::Provider;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use workflows::identity::provider_sign_in::{self, flow::ProviderCallback};

/// Providers whose calls are called alike.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Name {
    /// Apple.
    Apple,
    /// Facebook.
    Facebook,
    /// LinkedIn.
    #[serde(rename = "linkedin")]
    LinkedIn,
}

impl From<Name> for Provider {
    fn from(name: Name) -> Self {
        match name {
            Name::Apple => Self::Apple,
            Name::Facebook => Self::Facebook,
            Name::LinkedIn => Self::LinkedIn,
        }
    }
}

/// From which page the browser leaves.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Origin {
    /// To log in.
    #[default]
    Login,
    /// To sign up, which is the same.
    Signup,
    /// To connect the provider with the account.
    Account,
}

impl From<Origin> for provider_sign_in::Origin {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Login => Self::Login,
            Origin::Signup => Self::Signup,
            Origin::Account => Self::Account,
        }
    }
}

/// From where a person sets out.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Start {
    /// `account` connects the provider with the member's account.
    #[serde(default)]
    #[param(inline)]
    pub(super) origin: Origin,
    /// Where to go afterwards: a path of this site; anything else counts as none.
    pub(super) redirect: Option<String>,
    /// The browser's IANA time zone, for a new account.
    pub(super) timezone: Option<String>,
}

/// What the provider put into the address.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Back {
    /// What is traded for the person.
    pub(super) code: Option<String>,
    /// The flow.
    pub(super) state: Option<String>,
    /// Why there is no code.
    pub(super) error: Option<String>,
    /// Who sent the browser back (RFC 9207).
    pub(super) iss: Option<String>,
}

impl From<Back> for ProviderCallback {
    fn from(back: Back) -> Self {
        Self { code: back.code, state: back.state, error: back.error, issuer: back.iss }
    }
}

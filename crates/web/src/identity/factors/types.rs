//! An account's security settings on the wire.

use identity::Provider as ProviderName;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use workflows::identity::{passkeys::StartedCeremony, security::SecurityOverview};

/// How a person signs in and what protects their account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Security {
    /// Whether mail to the address was shown to reach the member.
    pub email_confirmed: bool,
    /// Whether there is a password.
    pub has_password: bool,
    /// The new address that waits for its confirmation.
    pub pending_email: Option<String>,
    /// The second factor.
    pub second_factor: SecondFactor,
    /// The passkeys, oldest first.
    pub passkeys: Vec<Passkey>,
    /// Whether this site can have passkeys: they need a secure context and a name.
    pub passkeys_available: bool,
    /// The configured providers.
    pub providers: Vec<Provider>,
}

/// The second factor of an account, and of this session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// Whether an authenticator app was set up.
    pub totp: bool,
    /// How many recovery codes are left.
    pub recovery_codes_left: u32,
    /// Whether this account's role is withheld from sessions that were entered without one.
    pub required: bool,
    /// Whether this session was entered with more than a password or a mailed link.
    pub strong: bool,
}

/// A passkey.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// The id.
    pub id: i64,
    /// What its owner calls it.
    pub name: String,
    /// When it was added, in ms since the epoch.
    pub created_at: i64,
    /// When a person last signed in with it, in ms since the epoch.
    pub last_used_at: Option<i64>,
}

/// A provider with which a person may sign in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provider {
    /// `google`, `apple`, `facebook` or `linkedin`.
    pub name: String,
    /// Whether the member's account is connected.
    pub connected: bool,
    /// The address that the provider knows.
    pub email: Option<String>,
}

/// An authenticator app that is being set up.
#[derive(Debug, Serialize, ToSchema)]
pub struct TotpSetup {
    /// For typing: 32 characters in base 32.
    pub secret: String,
    /// The `otpauth:` address.
    pub url: String,
    /// The address as a picture: the text of an SVG.
    pub qr: String,
}

/// Codes that stand in for the authenticator app, each once. They are shown this once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Ten codes.
    pub recovery_codes: Vec<String>,
}

/// What to ask the browser for.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ceremony {
    /// To be sent back with the browser's answer: good once, for five minutes.
    pub ceremony: String,
    /// For the browser: `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.
    #[schema(value_type = Object)]
    pub options: Value,
}

/// A passkey.
#[derive(Debug, Serialize, ToSchema)]
pub struct PasskeyResult {
    /// The passkey.
    pub passkey: Passkey,
}

impl Security {
    /// An overview, with the site's configured providers and whether passkeys are possible. A provider that is no longer
    /// configured is listed as long as an account is connected.
    pub fn new(
        overview: &SecurityOverview,
        is_configured: impl Fn(ProviderName) -> bool,
        passkeys_available: bool,
    ) -> Self {
        let providers = ProviderName::ALL.into_iter().filter_map(|provider| {
            let connection = overview.connection(provider);
            (connection.is_some() || is_configured(provider)).then(|| Provider {
                name: provider.as_str().to_owned(),
                connected: connection.is_some(),
                email: connection
                    .and_then(|connection| connection.email.as_ref())
                    .map(|email| email.as_str().to_owned()),
            })
        });
        Self {
            email_confirmed: overview.user.email_confirmed_at.is_some(),
            has_password: overview.user.has_password,
            pending_email: overview.pending_email.as_ref().map(|email| email.as_str().to_owned()),
            second_factor: SecondFactor {
                totp: overview.protection.totp,
                recovery_codes_left: overview.protection.recovery_codes,
                required: overview.is_second_factor_required,
                strong: overview.is_session_strong,
            },
            passkeys: overview.passkeys.iter().map(|stored| (&stored.passkey).into()).collect(),
            passkeys_available,
            providers: providers.collect(),
        }
    }
}

impl From<StartedCeremony> for Ceremony {
    fn from(begun: StartedCeremony) -> Self {
        Self { ceremony: begun.token, options: begun.options }
    }
}

impl From<&identity::Passkey> for Passkey {
    fn from(passkey: &identity::Passkey) -> Self {
        Self {
            id: passkey.id.get(),
            name: passkey.name.as_str().to_owned(),
            created_at: passkey.created_at.millis(),
            last_used_at: passkey.last_used_at.map(kernel::Timestamp::millis),
        }
    }
}

impl RecoveryCodes {
    /// The recovery codes, formatted for display.
    pub fn new(codes: &[identity::RecoveryCode]) -> Self {
        Self { recovery_codes: codes.iter().map(identity::RecoveryCode::show).collect() }
    }
}

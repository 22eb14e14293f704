//! An account's security settings on the wire.

use identity::Provider as ProviderName;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use workflows::identity::{passkeys::StartedCeremony, security::SecurityOverview};

/// The sign-in methods and the protection of an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Security {
    /// Whether the email address is confirmed.
    pub email_confirmed: bool,
    /// Whether a password is set.
    pub has_password: bool,
    /// The new email address that is not confirmed yet; null without one.
    pub pending_email: Option<String>,
    /// The second factor.
    pub second_factor: SecondFactor,
    /// The passkeys, oldest first.
    pub passkeys: Vec<Passkey>,
    /// Whether passkeys are available on this site: they require a secure context and a domain name.
    pub passkeys_available: bool,
    /// The sign-in providers that are configured, or connected to the account.
    pub providers: Vec<Provider>,
}

/// The second factor of the account and of this session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// Whether an authenticator app is set up.
    pub totp: bool,
    /// The number of unused recovery codes.
    pub recovery_codes_left: u32,
    /// Whether the account's role applies only in a strong session; see `strong`.
    pub required: bool,
    /// Whether this session was started with more than a password or a mailed link.
    pub strong: bool,
}

/// A passkey.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// The id of the passkey.
    pub id: i64,
    /// The name given by its owner.
    pub name: String,
    /// When it was added, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// When it was last used to sign in, in milliseconds since the Unix epoch; null if never.
    pub last_used_at: Option<i64>,
}

/// A sign-in provider.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provider {
    /// The provider: `google`, `apple`, `facebook` or `linkedin`.
    pub name: String,
    /// Whether it is connected to the account.
    pub connected: bool,
    /// The email address at the provider; null if not connected or unknown.
    pub email: Option<String>,
}

/// The setup of an authenticator app.
#[derive(Debug, Serialize, ToSchema)]
pub struct TotpSetup {
    /// The secret for manual entry: 32 characters in Base32.
    pub secret: String,
    /// The `otpauth:` URL.
    pub url: String,
    /// The QR code of the URL, as the text of an SVG.
    pub qr: String,
}

/// Single-use codes that replace the authenticator app. They are shown only once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// The ten recovery codes.
    pub recovery_codes: Vec<String>,
}

/// The start of a passkey registration or login.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ceremony {
    /// The token to send back with the browser's response; single-use, valid for five minutes.
    pub ceremony: String,
    /// The options for the browser: `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.
    #[schema(value_type = Object)]
    pub options: Value,
}

/// The result of requests for a passkey.
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

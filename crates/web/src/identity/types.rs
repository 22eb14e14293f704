//! Members and their devices on the wire.

use identity::Device;
use kernel::{SessionId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::account::Account;

/// A member as the member sees themselves (`identity.account-answer`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The id.
    pub id: i64,
    /// The address, as it was typed.
    pub email: String,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// An IANA time zone.
    pub timezone: String,
    /// `member`, `editor` or `admin`: what this session may use.
    pub role: Role,
    /// The plan that runs.
    pub plan_id: Option<String>,
    /// Its name.
    pub plan_name: Option<String>,
    /// When the plan began, in ms since the epoch.
    pub paid_date: Option<i64>,
    /// When it ends, in ms since the epoch; null for life.
    pub end_paid_date: Option<i64>,
    /// The chosen categories.
    pub recommends: Vec<i64>,
    /// The friend who was invited.
    pub friend_email: Option<String>,
    /// Whether a plan runs.
    pub is_paid: bool,
    /// Whether they have shown that mail to the address reaches them.
    pub email_confirmed: bool,
    /// Whether they may log in by a password.
    pub has_password: bool,
}

/// What a person may do beyond reading.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reads.
    Member,
    /// Keeps the catalogue.
    Editor,
    /// Keeps everything.
    Admin,
}

impl From<identity::Role> for Role {
    fn from(role: identity::Role) -> Self {
        match role {
            identity::Role::Member => Self::Member,
            identity::Role::Editor => Self::Editor,
            identity::Role::Admin => Self::Admin,
        }
    }
}

/// Who is signed in, with a new access token.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedIn {
    /// An access token for one hour, to be sent as `Authorization: Bearer`.
    pub token: String,
    /// The member.
    pub user: User,
}

/// A member.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserResult {
    /// The member.
    pub user: User,
}

impl From<&Account> for User {
    fn from(account: &Account) -> Self {
        let (user, plan) = (&account.user, account.plan.as_ref());
        Self {
            id: user.id.get(),
            email: user.email.as_str().to_owned(),
            first_name: user.first_name.clone(),
            last_name: user.last_name.clone(),
            timezone: user.timezone.clone(),
            role: user.role.into(),
            plan_id: plan.map(|plan| plan.plan_id.clone()),
            plan_name: plan.map(|plan| plan.plan_name.clone()),
            paid_date: plan.map(|plan| plan.starts_at.millis()),
            end_paid_date: plan.and_then(|plan| plan.ends_at).map(Timestamp::millis),
            recommends: account.recommends.iter().map(|category| category.get()).collect(),
            friend_email: user.friend_email.as_ref().map(|email| email.as_str().to_owned()),
            is_paid: account.is_paid(),
            email_confirmed: user.email_confirmed_at.is_some(),
            has_password: user.has_password,
        }
    }
}

/// A device on which the member is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceSession {
    /// The session's id.
    id: i64,
    /// What the device says that it is, such as `Firefox on Windows`.
    device: String,
    /// Where it was when it was last seen: a country, or `This network`, or the beginning of the network's address.
    place: String,
    /// When a person signed in on it, in ms since the epoch.
    created_at: i64,
    /// When it last renewed its access, in ms since the epoch.
    last_seen_at: i64,
    /// Whether it is the device that asks.
    current: bool,
}

impl DeviceSession {
    /// A device in the list. `current` is the session of the requesting device.
    pub fn seen_from(current: SessionId, device: Device) -> Self {
        let Device { session, device, place } = device;
        Self {
            id: session.id.get(),
            device,
            place,
            created_at: session.created_at.millis(),
            last_seen_at: session.last_seen_at.millis(),
            current: session.id == current,
        }
    }
}

/// The devices on which the member is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sessions {
    /// The last seen first.
    pub sessions: Vec<DeviceSession>,
}

/// What may come with a single-use token.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SessionParams {
    /// The `chargeId` of a purchase that was made before: it becomes the member's.
    pub charge_id: Option<String>,
    /// The referral link through which the person came, who has just signed up with a provider.
    pub r_id: Option<String>,
}

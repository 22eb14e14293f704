//! Members and their devices on the wire.

use identity::Device;
use kernel::{SessionId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::account::Account;

/// A member's own account (`identity.account-answer`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The id of the member.
    pub id: i64,
    /// The email address, as entered.
    pub email: String,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// The IANA time zone.
    pub timezone: String,
    /// The role that applies in this session.
    pub role: Role,
    /// The id of the running plan; null without one.
    pub plan_id: Option<String>,
    /// The display name of the running plan; null without one.
    pub plan_name: Option<String>,
    /// When the plan began, in milliseconds since the Unix epoch; null without a plan.
    pub paid_date: Option<i64>,
    /// When the plan ends, in milliseconds since the Unix epoch; null for life or without a plan.
    pub end_paid_date: Option<i64>,
    /// The ids of the chosen categories.
    pub recommends: Vec<i64>,
    /// The email address of the friend whom the member has invited; null if none.
    pub friend_email: Option<String>,
    /// Whether the member has a running plan.
    pub is_paid: bool,
    /// Whether the email address is confirmed.
    pub email_confirmed: bool,
    /// Whether a password is set.
    pub has_password: bool,
}

/// The role of a person.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// May read.
    Member,
    /// May also edit the catalogue.
    Editor,
    /// May also manage users, money, codes, settings and statistics.
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

/// The signed-in member and an access token.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedIn {
    /// The access token, to be sent as `Authorization: Bearer`. It is valid for one hour from its creation.
    pub token: String,
    /// The member.
    pub user: User,
}

/// The result of requests for a member.
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
    /// The id of the session.
    id: i64,
    /// The name of the device, such as `Firefox on Windows`.
    device: String,
    /// The approximate location when it was last seen: a country, `This network` or the beginning of the network's address.
    place: String,
    /// When the member signed in on it, in milliseconds since the Unix epoch.
    created_at: i64,
    /// When it last renewed its access token, in milliseconds since the Unix epoch.
    last_seen_at: i64,
    /// Whether it is the device of this request.
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
    /// The sessions, last seen first.
    pub sessions: Vec<DeviceSession>,
}

/// Query parameters that may accompany a single-use token.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SessionParams {
    /// The `chargeId` of an earlier guest purchase, which is assigned to the member.
    pub charge_id: Option<String>,
    /// The id of the referral link that a person came through who has just signed up with a provider.
    pub r_id: Option<String>,
}

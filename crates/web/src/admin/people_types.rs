//! People on the wire. Sums are cents, times milliseconds since the Unix epoch.

use admin::{PeopleFilter, PeopleStart, PersonRow, PersonState};
use billing::TimelineEntry;
use identity::{Profile, ProfileForm, Role};
use kernel::{Email, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::admin::people::{GivenPlan, PersonChange, PersonDetail};

use crate::{
    exports::{self, ExportedRow},
    http::{
        error::ApiError,
        wire::{
            page::{ListCount, after, given},
            present,
        },
    },
};

/// Query parameters of the list of people: filters and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PeopleParams {
    /// A part of the email address or the name, or a complete id.
    q: Option<String>,
    /// Filters by role.
    #[param(pattern = "^(member|editor|admin)?$")]
    role: Option<String>,
    /// Filters by people with a running plan (`paid`) or without one (`free`).
    #[param(pattern = "^(free|paid)?$")]
    plan: Option<String>,
    /// Filters by state; `active` includes `unconfirmed`.
    #[param(pattern = "^(active|suspended|unconfirmed)?$")]
    state: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,18})?$")]
    after: Option<String>,
}

impl PeopleParams {
    /// Parses and validates the parameters; `start` comes from the path.
    pub(crate) fn read(&self, start: &str) -> Result<(PeopleFilter, PeopleStart), ApiError> {
        let offset: u32 =
            start.parse().ok().filter(|start| *start <= 1_000_000).ok_or_else(|| ApiError::not_found("page"))?;
        let unknown = |field: &'static str| move || ApiError::invalid(field, "This is not one of the choices.");
        let role = given(self.role.as_deref());
        if role.is_some_and(|role| role.parse::<Role>().is_err()) {
            return Err(unknown("role")());
        }
        let paid = match given(self.plan.as_deref()) {
            None => None,
            Some("paid") => Some(true),
            Some("free") => Some(false),
            Some(_) => return Err(unknown("plan")()),
        };
        let state = match given(self.state.as_deref()) {
            None => None,
            Some("active") => Some(PersonState::Active),
            Some("suspended") => Some(PersonState::Suspended),
            Some("unconfirmed") => Some(PersonState::Unconfirmed),
            Some(_) => return Err(unknown("state")()),
        };
        let text = given(self.q.as_deref()).map(str::to_owned);
        let start = after(self.after.as_deref())?.map_or(PeopleStart::Offset(offset), PeopleStart::After);
        Ok((PeopleFilter { text, role: role.map(str::to_owned), paid, state }, start))
    }
}

/// A person in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserRow {
    /// The id of the person.
    id: i64,
    /// The first name.
    first_name: String,
    /// The last name.
    last_name: String,
    /// The email address.
    email: String,
    /// The id of the running plan; null without one.
    #[schema(required)]
    plan_id: Option<String>,
    /// The display name of the running plan; null without one.
    #[schema(required)]
    plan_name: Option<String>,
    /// The payment provider of the latest checkout; null without a checkout.
    #[schema(required)]
    payment_method: Option<String>,
    /// When the plan began, in milliseconds since the Unix epoch; null without a plan.
    #[schema(required)]
    paid_date: Option<i64>,
    /// When the plan ends, in milliseconds since the Unix epoch; null for life or without a plan.
    #[schema(required)]
    end_paid_date: Option<i64>,
    /// When the person signed up, in milliseconds since the Unix epoch.
    create_date: i64,
    /// The role.
    #[schema(pattern = "^(member|editor|admin)$")]
    role: String,
    /// Whether the email address is confirmed.
    confirmed: bool,
    /// When an admin suspended the person, in milliseconds since the Unix epoch; null if not suspended.
    #[schema(required)]
    suspended_at: Option<i64>,
    /// The latest activity on any of the person's devices, in milliseconds since the Unix epoch; null if none is known.
    #[schema(required)]
    last_seen_at: Option<i64>,
}

impl From<PersonRow> for UserRow {
    fn from(row: PersonRow) -> Self {
        let (plan_id, plan_name) = row.plan.unzip();
        Self {
            id: row.id.get(),
            first_name: row.first_name,
            last_name: row.last_name,
            email: row.email,
            plan_id,
            plan_name,
            payment_method: row.payment_method,
            paid_date: row.paid_at.map(Timestamp::millis),
            end_paid_date: row.paid_until.map(Timestamp::millis),
            create_date: row.created_at.millis(),
            role: row.role,
            confirmed: row.confirmed,
            suspended_at: row.suspended_at.map(Timestamp::millis),
            last_seen_at: row.last_seen_at.map(Timestamp::millis),
        }
    }
}

impl ExportedRow for UserRow {
    const COLUMNS: &'static [&'static str] = &[
        "Id",
        "E-mail",
        "First name",
        "Last name",
        "Role",
        "Plan",
        "Plan until",
        "Paid by",
        "Joined",
        "Confirmed",
        "Suspended",
        "Last seen",
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.email.clone(),
            self.first_name.clone(),
            self.last_name.clone(),
            self.role.clone(),
            self.plan_name.clone().unwrap_or_default(),
            exports::day_or_nothing(self.end_paid_date),
            self.payment_method.clone().unwrap_or_default(),
            exports::day(self.create_date),
            if self.confirmed { "yes" } else { "no" }.to_owned(),
            exports::day_or_nothing(self.suspended_at),
            exports::day_or_nothing(self.last_seen_at),
        ]
    }
}

/// A page of people.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct UsersResult {
    /// The people, newest first.
    pub(crate) users: Vec<UserRow>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A signed-in device.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserSession {
    /// The session's id.
    id: i64,
    /// The name of the device, such as `Firefox on Windows`.
    device: String,
    /// The approximate location when it was last seen.
    place: String,
    /// When the person signed in on it, in milliseconds since the Unix epoch.
    created_at: i64,
    /// When it was last seen, in milliseconds since the Unix epoch.
    last_seen_at: i64,
}

/// The additional sign-in factors of an account.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserFactors {
    /// Whether an authenticator app is set up.
    totp: bool,
    /// The number of unused recovery codes.
    recovery_codes: u32,
    /// The number of passkeys.
    passkeys: u32,
}

/// The payments of a person.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct UserPaid {
    /// The total charged, in cents.
    total: i64,
    /// The total refunded, in cents.
    refunded: i64,
}

/// The current plan of a person.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserPlan {
    /// The id of the plan; null without a plan.
    #[schema(required)]
    plan_id: Option<String>,
    /// The display name of the plan; null without a plan.
    #[schema(required)]
    plan_name: Option<String>,
    /// When the plan began, in milliseconds since the Unix epoch; null without a plan.
    #[schema(required)]
    paid_date: Option<i64>,
    /// When the plan ends or renews, in milliseconds since the Unix epoch; null for life or without a plan.
    #[schema(required)]
    end_paid_date: Option<i64>,
    /// The state of the plan.
    #[schema(pattern = "^(free|trial|active|past_due|canceled|paused|ended|lifetime|code)$")]
    state: &'static str,
    /// The price of a renewal, in cents; null without a subscription.
    #[schema(required)]
    renewal_price: Option<i64>,
    /// The next charge; null if there is none.
    #[schema(required)]
    next_charge: Option<UserCharge>,
}

/// The next charge of a plan.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct UserCharge {
    /// When it is due, in milliseconds since the Unix epoch.
    at: i64,
    /// The amount, in cents.
    amount: i64,
}

/// An entry of the billing timeline.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserTimelineLine {
    /// The id of the entry.
    id: String,
    /// When it happened or will happen, in milliseconds since the Unix epoch.
    at: i64,
    /// The kind of entry.
    kind: &'static str,
    /// The title.
    title: String,
    /// The reason, as shown to the member.
    why: String,
    /// The amount, in cents; never negative. `kind` determines the direction.
    amount: i64,
    /// The display name of the plan.
    plan_name: String,
    /// Whether it lies in the future.
    future: bool,
}

impl From<TimelineEntry> for UserTimelineLine {
    fn from(entry: TimelineEntry) -> Self {
        Self {
            id: entry.id,
            at: entry.at.millis(),
            kind: entry.kind.as_str(),
            title: entry.title,
            why: entry.why,
            amount: entry.amount.cents(),
            plan_name: entry.plan_name,
            future: entry.is_future,
        }
    }
}

/// The reading activity of a person, in counts.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct UserReading {
    /// The number of full texts opened.
    opened: u64,
    /// The number of summaries completed.
    completed: u64,
    /// The number of books in the library.
    library: u64,
    /// The number of books rated.
    ratings: u64,
}

/// A plan that an admin can grant.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct GivablePlan {
    /// The id of the plan.
    id: String,
    /// The display name of the plan.
    name: String,
}

/// A person with everything that an admin sees of them.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserDetail {
    #[serde(flatten)]
    row: UserRow,
    /// The IANA time zone.
    timezone: String,
    /// The reason for the suspension; null if not suspended.
    #[schema(required)]
    suspended_reason: Option<String>,
    /// The current plan.
    plan: UserPlan,
    /// The signed-in devices, last seen first.
    sessions: Vec<UserSession>,
    /// The additional sign-in factors.
    factors: UserFactors,
    /// The connected sign-in providers.
    providers: Vec<&'static str>,
    /// Whether a password is set.
    has_password: bool,
    /// The payments of the person.
    paid: UserPaid,
    /// The billing timeline, latest entry first: future entries come before past ones.
    timeline: Vec<UserTimelineLine>,
    /// The reading activity, in counts.
    reading: UserReading,
    /// The plans that an admin can grant.
    plans: Vec<GivablePlan>,
}

/// A person, as a list of one element.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PersonResult {
    /// The person.
    #[schema(min_items = 1, max_items = 1)]
    user: Vec<UserDetail>,
}

/// A person after a change.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ChangedPersonResult {
    /// The person.
    user: UserDetail,
}

impl From<PersonDetail> for ChangedPersonResult {
    fn from(detail: PersonDetail) -> Self {
        Self { user: detail.into() }
    }
}

impl From<PersonDetail> for PersonResult {
    fn from(detail: PersonDetail) -> Self {
        Self { user: vec![detail.into()] }
    }
}

impl From<PersonDetail> for UserDetail {
    fn from(detail: PersonDetail) -> Self {
        let session = |device: identity::Device| UserSession {
            id: device.session.id.get(),
            device: device.device,
            place: device.place,
            created_at: device.session.created_at.millis(),
            last_seen_at: device.session.last_seen_at.millis(),
        };
        let standing = &detail.standing;
        Self {
            timezone: detail.user.timezone,
            suspended_reason: detail.suspension.map(|one| one.reason),
            plan: UserPlan {
                plan_id: standing.entitlement.as_ref().map(|one| one.plan_id.clone()),
                plan_name: standing.entitlement.as_ref().map(|one| one.plan_name.clone()),
                paid_date: standing.entitlement.as_ref().map(|one| one.starts_at.millis()),
                end_paid_date: standing.entitlement.as_ref().and_then(|one| one.ends_at).map(Timestamp::millis),
                state: standing.state.as_str(),
                renewal_price: standing.subscription.as_ref().map(|one| one.terms.price.cents()),
                next_charge: standing.next_charge.map(|(at, sum)| UserCharge { at: at.millis(), amount: sum.cents() }),
            },
            sessions: detail.devices.into_iter().map(session).collect(),
            factors: UserFactors {
                totp: detail.protection.totp,
                recovery_codes: detail.protection.recovery_codes,
                passkeys: detail.protection.passkeys,
            },
            providers: detail.providers.into_iter().map(identity::Provider::as_str).collect(),
            has_password: detail.user.has_password,
            paid: UserPaid { total: detail.charged.cents(), refunded: detail.refunded.cents() },
            timeline: detail.timeline.into_iter().map(Into::into).collect(),
            reading: UserReading {
                opened: detail.reading.opened,
                completed: detail.reading.completed,
                library: detail.reading.library,
                ratings: detail.reading.ratings,
            },
            plans: detail.plans.into_iter().map(|plan| GivablePlan { id: plan.id, name: plan.name }).collect(),
            row: detail.row.into(),
        }
    }
}

/// The body of a person update.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::option_option, reason = "missing and null mean different things")]
pub(crate) struct PersonForm {
    /// The id of the person.
    #[schema(minimum = 1)]
    user_id: i64,
    /// The first name.
    #[schema(value_type = String, required, min_length = 1)]
    first_name: Option<String>,
    /// The last name.
    #[schema(value_type = String, required, min_length = 1)]
    last_name: Option<String>,
    /// The email address.
    #[schema(value_type = String, required, min_length = 1)]
    email: Option<String>,
    /// The id of the plan to grant. Null or blank withdraws the granted plan; a missing field leaves the plan unchanged.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    plan_id: Option<Option<String>>,
    /// When the plan begins, in milliseconds since the Unix epoch. Default: unchanged if the person has this plan, otherwise now.
    paid_date: Option<i64>,
    /// When the plan ends, in milliseconds since the Unix epoch. Default: unchanged if the person has this plan, otherwise the
    /// end of its regular period.
    end_paid_date: Option<i64>,
    /// Read-only; ignored.
    #[serde(rename = "paymentMethod")]
    #[schema(read_only)]
    _payment_method: Option<String>,
}

impl PersonForm {
    /// The id of the person; `404` when it is not a valid id.
    pub(crate) fn user(&self) -> Result<UserId, ApiError> {
        UserId::new(self.user_id).map_err(|_| ApiError::not_found("user"))
    }

    /// Parses and validates the fields in the order of the form (`admin.people-edit`).
    pub(crate) fn read(self) -> Result<PersonChange, ApiError> {
        let (profile, email) =
            profile_and_email(self.first_name.as_deref(), self.last_name.as_deref(), self.email.as_deref())?;
        let (starts_at, ends_at) = (self.paid_date, self.end_paid_date);
        let plan = self.plan_id.map(|plan_id| GivenPlan {
            plan_id: plan_id.filter(|plan_id| !plan_id.trim().is_empty()),
            starts_at: starts_at.map(Timestamp::from_millis),
            ends_at: ends_at.map(Timestamp::from_millis),
        });
        Ok(PersonChange { profile, email, plan })
    }
}

/// The required fields of a person, validated in the order of the forms.
fn profile_and_email(
    first_name: Option<&str>,
    last_name: Option<&str>,
    email: Option<&str>,
) -> Result<(Profile, Email), ApiError> {
    let fields =
        [("firstName", "First name", first_name), ("lastName", "Last name", last_name), ("email", "Email", email)];
    for (field, label, text) in fields {
        given(text).ok_or_else(|| ApiError::invalid(field, format!("Please specify {label}.")))?;
    }
    let [first_name, last_name, email] = [first_name, last_name, email].map(Option::unwrap_or_default);
    let form = ProfileForm { first_name, last_name, timezone: None };
    let email = Email::parse(email).map_err(|error| ApiError::invalid("email", error.to_string()))?;
    Ok((Profile::read(form)?, email))
}

/// The body of a request that adds a person.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewPersonForm {
    /// The first name.
    #[schema(value_type = String, required, min_length = 1)]
    first_name: Option<String>,
    /// The last name.
    #[schema(value_type = String, required, min_length = 1)]
    last_name: Option<String>,
    /// The email address; it must not belong to another account.
    #[schema(value_type = String, required, min_length = 1)]
    email: Option<String>,
}

impl NewPersonForm {
    /// Parses and validates the fields in the order of the form (`admin.people-add`).
    pub(crate) fn read(&self) -> Result<(Profile, Email), ApiError> {
        profile_and_email(self.first_name.as_deref(), self.last_name.as_deref(), self.email.as_deref())
    }
}

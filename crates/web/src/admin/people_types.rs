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

/// Which people are wanted, and from where on.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PeopleParams {
    /// A part of the address or the name, or an id.
    q: Option<String>,
    /// Only those with this role.
    #[param(pattern = "^(member|editor|admin)?$")]
    role: Option<String>,
    /// Only those with a plan (`paid`), or without one (`free`).
    #[param(pattern = "^(free|paid)?$")]
    plan: Option<String>,
    /// Only those in this state.
    #[param(pattern = "^(active|suspended|unconfirmed)?$")]
    state: Option<String>,
    /// `result.next` of the page before.
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
    /// The id.
    id: i64,
    /// The first name.
    first_name: String,
    /// The last name.
    last_name: String,
    /// The address.
    email: String,
    /// The plan that runs.
    #[schema(required)]
    plan_id: Option<String>,
    /// Its name.
    #[schema(required)]
    plan_name: Option<String>,
    /// The payment provider of the latest checkout.
    #[schema(required)]
    payment_method: Option<String>,
    /// Since when the plan runs.
    #[schema(required)]
    paid_date: Option<i64>,
    /// Until when it runs; null without a plan, and for life.
    #[schema(required)]
    end_paid_date: Option<i64>,
    /// When the person signed up.
    create_date: i64,
    /// The role.
    #[schema(pattern = "^(member|editor|admin)$")]
    role: String,
    /// Whether the address is confirmed.
    confirmed: bool,
    /// When an admin suspended the person.
    #[schema(required)]
    suspended_at: Option<i64>,
    /// When a device of theirs was last seen.
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
    /// Newest first.
    pub(crate) users: Vec<UserRow>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
    /// The key of the next page; null on the last one.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A device that is signed in.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserSession {
    /// The session's id.
    id: i64,
    /// The device.
    device: String,
    /// Where it was last seen.
    place: String,
    /// When the person signed in on it.
    created_at: i64,
    /// When it was last seen.
    last_seen_at: i64,
}

/// What protects an account.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserFactors {
    /// Whether there is an authenticator app.
    totp: bool,
    /// How many recovery codes are left.
    recovery_codes: u32,
    /// How many passkeys there are.
    passkeys: u32,
}

/// What a person paid.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct UserPaid {
    /// What was charged in all.
    total: i64,
    /// What went back in all.
    refunded: i64,
}

/// How a person's plan stands.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserPlan {
    /// The plan.
    #[schema(required)]
    plan_id: Option<String>,
    /// Its name.
    #[schema(required)]
    plan_name: Option<String>,
    /// When it began.
    #[schema(required)]
    paid_date: Option<i64>,
    /// When it ends or renews.
    #[schema(required)]
    end_paid_date: Option<i64>,
    /// How it stands.
    #[schema(pattern = "^(free|trial|active|past_due|canceled|paused|ended|lifetime|code)$")]
    state: &'static str,
    /// What a renewal costs.
    #[schema(required)]
    renewal_price: Option<i64>,
    /// The next charge.
    #[schema(required)]
    next_charge: Option<UserCharge>,
}

/// A charge that will come.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct UserCharge {
    /// When it is due.
    at: i64,
    /// How much.
    amount: i64,
}

/// A line of the timeline.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserTimelineLine {
    /// Its id.
    id: String,
    /// When it happened, or will.
    at: i64,
    /// What it says.
    kind: &'static str,
    /// A headline.
    title: String,
    /// Why it happened.
    why: String,
    /// How much.
    amount: i64,
    /// The plan's name.
    plan_name: String,
    /// Whether it is to come.
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

/// What a person has read, in counts.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct UserReading {
    /// Full texts that were opened.
    opened: u64,
    /// Summaries that were completed.
    completed: u64,
    /// Books in the library.
    library: u64,
    /// Books that were rated.
    ratings: u64,
}

/// A plan that can be given.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct GivablePlan {
    /// Its id.
    id: String,
    /// Its name.
    name: String,
}

/// A person with all that an admin sees of them.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserDetail {
    #[serde(flatten)]
    row: UserRow,
    /// The time zone.
    timezone: String,
    /// Why the person is suspended.
    #[schema(required)]
    suspended_reason: Option<String>,
    /// How the plan stands.
    plan: UserPlan,
    /// The devices that are signed in, the last seen first.
    sessions: Vec<UserSession>,
    /// What protects the account.
    factors: UserFactors,
    /// The connected sign-in providers.
    providers: Vec<&'static str>,
    /// Whether they may log in by a password.
    has_password: bool,
    /// What they paid.
    paid: UserPaid,
    /// What was, what is due, what is promised.
    timeline: Vec<UserTimelineLine>,
    /// What they have read, in counts.
    reading: UserReading,
    /// The plans that can be given.
    plans: Vec<GivablePlan>,
}

/// A person, as a list of one.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PersonResult {
    /// The person.
    #[schema(min_items = 1, max_items = 1)]
    user: Vec<UserDetail>,
}

/// A person as a change has left them.
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

/// What an admin writes about a person.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::option_option, reason = "missing and null mean different things")]
pub(crate) struct PersonForm {
    /// The person.
    #[schema(minimum = 1)]
    user_id: i64,
    /// The first name.
    #[schema(value_type = String, required, min_length = 1)]
    first_name: Option<String>,
    /// The last name.
    #[schema(value_type = String, required, min_length = 1)]
    last_name: Option<String>,
    /// The address.
    #[schema(value_type = String, required, min_length = 1)]
    email: Option<String>,
    /// The plan that the person is given; empty or null withdraws what was given, and leaving it out changes nothing.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    plan_id: Option<Option<String>>,
    /// When the plan begins; now when it is left out.
    paid_date: Option<i64>,
    /// When the plan ends; after the plan's own time when it is left out.
    end_paid_date: Option<i64>,
    /// Read only.
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

/// A person whom an admin adds.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewPersonForm {
    /// The first name.
    #[schema(value_type = String, required, min_length = 1)]
    first_name: Option<String>,
    /// The last name.
    #[schema(value_type = String, required, min_length = 1)]
    last_name: Option<String>,
    /// The address, which no account has.
    #[schema(value_type = String, required, min_length = 1)]
    email: Option<String>,
}

impl NewPersonForm {
    /// Parses and validates the fields in the order of the form (`admin.people-add`).
    pub(crate) fn read(&self) -> Result<(Profile, Email), ApiError> {
        profile_and_email(self.first_name.as_deref(), self.last_name.as_deref(), self.email.as_deref())
    }
}

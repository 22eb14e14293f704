//! How an admin views and changes a person's account (`admin.people-edit`). No workflow lets an admin act as another person.

use admin::{AuditEvent, FieldChange, PeopleQueries, PersonRow, ReadingCounts, Subject};
use billing::{
    Billing, BillingQueries, Entitlement, MemberPlan, MovementKind, Plan, PlanStanding, TimelineEntry, timeline,
};
use identity::{
    Claims, Device, FactorQueries, Identity, IdentityError, IdentityQueries, Profile, Protection, Provider,
    ProviderQueries, Role, Suspension, User,
};
use kernel::{Email, Money, SessionId, StoreError, Timestamp, UserId};
use study::NoticeCommands;
use support::{NewMessage, SupportError};

use crate::{
    audit::AuditTrail,
    identity::{
        archive::{ArchiveError, DataArchive, write_archive},
        delete_account::delete_account,
        email_address::mail_confirmation,
        proof::require_fresh_proof,
        recovery::mail_reset,
        second_factor,
        security::notify_change,
    },
    tx::Tx,
};

/// Why a change of a person is refused.
#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    #[error("There is no such user.")]
    Unknown,
    /// The admin's own session has ended.
    #[error("the admin is not signed in any more")]
    SignedOut,
    /// No such plan, or one that can't be granted because it neither runs for a period nor for life.
    #[error("Please choose one of the plans.")]
    UnknownPlan,
    /// The plan would end before it starts, or has ended already.
    #[error("Please choose an end date in the future.")]
    PlanOver,
    /// A subscription is active at a payment provider.
    #[error(
        "A subscription is running, and only the member or a refund can end it. You can give a plan once it has ended."
    )]
    SubscriptionRuns,
    /// The reason is missing.
    #[error("Please specify Reason.")]
    ReasonMissing,
    /// Another account has the address. Identity's own text speaks to the one whose account it is (`admin.admin-texts`).
    #[error("Another account already has this email address.")]
    EmailTaken,
    /// The identity domain refuses it.
    #[error(transparent)]
    Identity(IdentityError),
    /// The reason is not a valid message.
    #[error(transparent)]
    Support(#[from] SupportError),
    /// The archive could not be written.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<IdentityError> for PeopleError {
    fn from(error: IdentityError) -> Self {
        match error {
            IdentityError::EmailTaken | IdentityError::EmailTakenMeanwhile => Self::EmailTaken,
            other => Self::Identity(other),
        }
    }
}

/// A person with everything that an admin sees of them.
#[derive(Clone, Debug)]
pub struct PersonDetail {
    /// The person's row in the list.
    pub row: PersonRow,
    pub user: User,
    /// Reason and time of the suspension; `None` if the account is not suspended.
    pub suspension: Option<Suspension>,
    /// The signed-in devices, last seen first.
    pub devices: Vec<Device>,
    /// Second factor and passkeys.
    pub protection: Protection,
    pub providers: Vec<Provider>,
    /// The state of the plan.
    pub standing: PlanStanding,
    /// Past charges, the next charge, and future plans.
    pub timeline: Vec<TimelineEntry>,
    /// The total charged.
    pub charged: Money,
    /// The total refunded.
    pub refunded: Money,
    /// How much they have read.
    pub reading: ReadingCounts,
    /// The plans that an admin can grant.
    pub plans: Vec<Plan>,
}

/// A plan that an admin grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenPlan {
    /// `None` withdraws the granted plan.
    pub plan_id: Option<String>,
    /// When it starts; `None`: now.
    pub starts_at: Option<Timestamp>,
    /// When it ends; `None`: after the plan's regular period.
    pub ends_at: Option<Timestamp>,
}

/// An admin's changes to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonChange {
    /// The names, and the time zone.
    pub profile: Profile,
    pub email: Email,
    /// `None` leaves the plan as it is.
    pub plan: Option<GivenPlan>,
}

/// Whether an admin can grant this plan: one that opens everything, for a period or for life. An archived one stays with who holds
/// it (`billing.plan-archive`).
fn can_be_given(plan: &Plan, held: Option<&Entitlement>) -> bool {
    plan.kind.is_for_oneself() && (!plan.archived || held.is_some_and(|one| one.plan_id == plan.id))
}

/// Reads what an admin sees of a person; `None` if there is no such person.
pub fn person_detail<A>(tx: &mut Tx<'_, '_, A>, id: UserId) -> Result<Option<PersonDetail>, StoreError> {
    let now = tx.now();
    let (Some(user), Some(row)) = (tx.pg.user(id)?, tx.pg.person(id, now)?) else { return Ok(None) };
    let movements = tx.pg.movements_of(id)?;
    let plan = MemberPlan::of(&movements);
    let mut standing = PlanStanding::of(&plan, now);
    let stored = tx.pg.entitlements_of(id, now)?;
    if standing.entitlement.is_none() && !stored.is_empty() {
        standing = PlanStanding::of(&MemberPlan { entitlements: stored, ..plan.clone() }, now);
    }
    let sum = |kind| {
        let cents = movements.iter().filter(|one| one.kind == kind).map(|one| one.amount.cents()).sum();
        Money::from_cents(cents)
    };
    let mut plans = tx.pg.plans()?;
    plans.retain(|plan| can_be_given(plan, standing.entitlement.as_ref()));
    let mut devices = tx.pg.sessions_of(id)?;
    devices.retain(|device| device.session.is_live(now));
    Ok(Some(PersonDetail {
        suspension: tx.pg.suspension_of(id)?,
        protection: tx.pg.protection(id)?,
        providers: tx.pg.providers_of(id)?.into_iter().map(|one| one.provider).collect(),
        timeline: timeline(&movements, &plan, now),
        charged: sum(MovementKind::Charged),
        refunded: sum(MovementKind::Refunded),
        reading: tx.pg.reading_counts_of(id)?,
        row,
        user,
        devices,
        standing,
        plans,
    }))
}

/// Adds an account for a person, who gets a mail with a link to set a password (`admin.people-add`).
pub fn add_person(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    email: &Email,
    profile: &Profile,
) -> Result<UserId, PeopleError> {
    let now = tx.now();
    let user = tx.pg.add_account(email, profile, now)?;
    mail_reset(tx, &user)?;
    trail.record(AuditEvent::new("user.create", Subject::user(user.id)).with([
        FieldChange::personal("firstName", None, Some(&user.first_name)),
        FieldChange::personal("lastName", None, Some(&user.last_name)),
        FieldChange::personal("email", None, Some(user.email.as_str())),
    ]));
    Ok(user.id)
}

/// Changes a person's names, address and plan. A new address counts as unconfirmed and ends all sessions; it gets a confirmation
/// mail, and the old address is notified.
pub fn update_person(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: UserId,
    change: &PersonChange,
) -> Result<(), PeopleError> {
    let now = tx.now();
    let before = tx.pg.user(id)?.ok_or(PeopleError::Unknown)?;
    let profile = &change.profile;
    let mut event = AuditEvent::new("user.update", Subject::user(id));
    if (&before.first_name, &before.last_name) != (&profile.first_name, &profile.last_name) {
        tx.pg.change_profile(id, profile)?;
        event = event.with([
            FieldChange::personal("firstName", Some(&before.first_name), Some(&profile.first_name)),
            FieldChange::personal("lastName", Some(&before.last_name), Some(&profile.last_name)),
        ]);
    }
    if before.email.as_str() != change.email.as_str() {
        let after = tx.pg.replace_email(id, &change.email, now)?.ok_or(PeopleError::Unknown)?;
        tx.pg.delete_webhook(id)?;
        notify_change(tx, &before, "Our support team has changed this email address to another one.")?;
        mail_confirmation(tx, &after)?;
        event = event.with([FieldChange::personal("email", Some(before.email.as_str()), Some(after.email.as_str()))]);
    }
    trail.record_changes(event);
    match &change.plan {
        Some(given) => give_plan(tx, trail, id, given),
        None => Ok(()),
    }
}

/// Grants a plan in place of the granted one, or withdraws that: as ledger movements with an amount of zero
/// (`admin.people-edit`). Granting the plan that the person has already changes nothing.
fn give_plan(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: UserId, given: &GivenPlan) -> Result<(), PeopleError> {
    let now = tx.now();
    let standing = PlanStanding::of(&tx.pg.member_plan(id)?, now);
    let held = standing.entitlement;
    let wanted = match &given.plan_id {
        None => None,
        Some(plan_id) => {
            let plans = tx.pg.plans()?;
            let plan = plans.into_iter().find(|plan| plan.id == *plan_id && can_be_given(plan, held.as_ref()));
            Some(entitlement(plan.ok_or(PeopleError::UnknownPlan)?, given, held.as_ref(), now))
        }
    };
    if wanted == held {
        return Ok(());
    }
    if standing.subscription.is_some() {
        return Err(PeopleError::SubscriptionRuns);
    }
    tx.pg.withdraw_plans(id, now)?;
    if let Some(mut wanted) = wanted {
        if wanted.ends_at.is_some_and(|end| end <= now || end <= wanted.starts_at) {
            return Err(PeopleError::PlanOver);
        }
        // The ledger records a plan with the same dates once. A withdrawn plan is granted again with a start one millisecond earlier.
        loop {
            tx.pg.grant_entitlement(id, &wanted)?;
            if tx
                .pg
                .entitlement_history_of(id)?
                .iter()
                .any(|one| one.plan_id == wanted.plan_id && !one.period().is_over(now))
            {
                break;
            }
            wanted.starts_at = wanted.starts_at.plus(-1);
        }
    }
    let after = PlanStanding::of(&tx.pg.member_plan(id)?, now).entitlement;
    let id_of = |one: &Option<Entitlement>| one.as_ref().map(|one| one.plan_id.clone());
    let end_of = |one: &Option<Entitlement>| {
        one.as_ref().map(|one| one.ends_at.map_or_else(|| "for life".to_owned(), |end| end.millis().to_string()))
    };
    trail.record_changes(AuditEvent::new("user.plan", Subject::user(id)).with([
        FieldChange::between("planId", id_of(&held).as_deref(), id_of(&after).as_deref()),
        FieldChange::between("endPaidDate", end_of(&held).as_deref(), end_of(&after).as_deref()),
    ]));
    Ok(())
}

/// The entitlement to grant. Missing dates are taken from the person's current entitlement if it is of the same plan.
fn entitlement(plan: Plan, given: &GivenPlan, held: Option<&Entitlement>, now: Timestamp) -> Entitlement {
    let same = held.filter(|held| held.plan_id == plan.id);
    let starts_at = given.starts_at.or_else(|| same.map(|held| held.starts_at)).unwrap_or(now);
    let own_end = plan.kind.renewal_months().map(|months| starts_at.plus_months(months));
    let ends_at = given.ends_at.or_else(|| same.map_or(own_end, |held| held.ends_at));
    Entitlement { plan_id: plan.id, plan_name: plan.name, starts_at, ends_at }
}

/// Fails unless the admin has recently proved who they are.
fn check_proof(tx: &mut Tx<'_, '_>, admin: &Claims) -> Result<(), PeopleError> {
    if require_fresh_proof(tx, admin)? { Ok(()) } else { Err(PeopleError::SignedOut) }
}

/// Changes a person's role, and ends their sessions. Needs a fresh proof of the admin.
pub fn change_role(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    admin: &Claims,
    id: UserId,
    role: Role,
) -> Result<(), PeopleError> {
    check_proof(tx, admin)?;
    let now = tx.now();
    let before = tx.pg.user(id)?.ok_or(PeopleError::Unknown)?;
    tx.pg.change_role(admin.user, id, role, now)?.ok_or(PeopleError::Unknown)?;
    trail.record_changes(AuditEvent::new("user.role", Subject::user(id)).with([FieldChange::between(
        "role",
        Some(before.role.as_str()),
        Some(role.as_str()),
    )]));
    Ok(())
}

/// Suspends a person: ends all their sessions, and refuses sign-ins.
pub fn suspend_person(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    admin: &Claims,
    id: UserId,
    reason: &str,
) -> Result<(), PeopleError> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(PeopleError::ReasonMissing);
    }
    let now = tx.now();
    let before = tx.pg.suspension_of(id)?.map(|one| one.reason);
    tx.pg.suspend_user(admin.user, id, reason, now)?.ok_or(PeopleError::Unknown)?;
    trail.record_changes(AuditEvent::new("user.suspend", Subject::user(id)).with([FieldChange::personal(
        "suspendedReason",
        before.as_deref(),
        Some(reason),
    )]));
    Ok(())
}

/// Ends a suspension.
pub fn restore_person(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: UserId) -> Result<(), PeopleError> {
    let before = tx.pg.suspension_of(id)?.map(|one| one.reason);
    tx.pg.restore_user(id)?.ok_or(PeopleError::Unknown)?;
    trail.record_changes(AuditEvent::new("user.restore", Subject::user(id)).with([FieldChange::personal(
        "suspendedReason",
        before.as_deref(),
        None,
    )]));
    Ok(())
}

/// Ends all sessions of a person, or one of them.
pub fn end_sessions(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: UserId,
    session: Option<SessionId>,
) -> Result<(), PeopleError> {
    let now = tx.now();
    tx.pg.user(id)?.ok_or(PeopleError::Unknown)?;
    if tx.pg.end_sessions_of(id, session, now)? {
        trail.record(AuditEvent::new("user.sessions_end", Subject::user(id)));
    }
    Ok(())
}

/// Removes all second factors and passkeys of a person who has lost them. Needs a fresh proof of the admin.
pub fn reset_second_factor(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    admin: &Claims,
    id: UserId,
) -> Result<(), PeopleError> {
    check_proof(tx, admin)?;
    let user = tx.pg.user(id)?.ok_or(PeopleError::Unknown)?;
    second_factor::reset_factors(tx, &user.email)?.ok_or(PeopleError::Unknown)?;
    trail.record(AuditEvent::new("user.second_factor_reset", Subject::user(id)));
    Ok(())
}

/// Writes a person's archive at their request. Needs a fresh proof of the admin.
pub fn export_person(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    admin: &Claims,
    id: UserId,
) -> Result<DataArchive, PeopleError> {
    check_proof(tx, admin)?;
    tx.pg.user(id)?.ok_or(PeopleError::Unknown)?;
    trail.record(AuditEvent::new("user.export", Subject::user(id)));
    Ok(write_archive(tx, id)?)
}

/// Deletes a person's account at their request. Needs a fresh proof of the admin, who can't delete their own account here.
pub fn delete_person(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    admin: &Claims,
    id: UserId,
    reason: &str,
) -> Result<(), PeopleError> {
    check_proof(tx, admin)?;
    if reason.trim().is_empty() {
        return Err(PeopleError::ReasonMissing);
    }
    if admin.user == id {
        return Err(IdentityError::LastAdmin.into());
    }
    let reasons = NewMessage::leaving(reason, "The account was deleted by an admin.")?;
    if !delete_account(tx, id, &reasons)? {
        return Err(PeopleError::Unknown);
    }
    trail.record(AuditEvent::new("user.delete", Subject::user(id)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use billing::STARTING_PLANS;

    use super::*;

    #[test]
    fn an_archived_plan_can_be_given_to_its_holder_only() {
        let given = |id: &str, archived: bool, held: Option<&str>| {
            let plan = STARTING_PLANS.iter().map(Plan::from).find(|plan| plan.id == id).unwrap();
            let held = held.map(|id| Entitlement {
                plan_id: id.to_owned(),
                plan_name: id.to_owned(),
                starts_at: Timestamp::from_millis(0),
                ends_at: None,
            });
            can_be_given(&Plan { archived, ..plan }, held.as_ref())
        };
        assert!(given("monthly", false, None) && given("lifetime", false, None));
        assert!(!given("gift", false, None) && !given("quiz", false, None));
        assert!(!given("monthly", true, None) && !given("monthly", true, Some("yearly")));
        assert!(given("monthly", true, Some("monthly")));
    }
}

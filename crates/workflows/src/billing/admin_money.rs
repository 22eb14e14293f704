//! Coupons, codes, prices and payouts, as admins manage them (`admin.money-settings`). The audit log records each change.

use admin::{AuditEvent, CodeRow, EarnerRow, FieldChange, MoneyQueries, Subject, SubjectKind};
use billing::{
    Billing, BillingCommands, BillingError, BillingQueries, Code, CodeKind, CodeMonthsError, CodeTerms, Coupon,
    CouponCode, Movement, MovementKind, Plan, PlanChangeError, PurchaseKey, months_of_codes,
};
use kernel::{Money, StoreError, UserId};
use referral::{Earnings, PayoutOutcome, Referral, ReferralQueries};

use crate::{audit::AuditTrail, billing::checkout::rewards::judge_before_payout, tx::Tx};

/// How many codes can be created or imported at a time.
pub const MAX_CODES: usize = 5_000;

/// Why a change is refused. The texts are shown to admins.
#[derive(Debug, thiserror::Error)]
pub enum AdminMoneyError {
    /// There is no such coupon, code, plan or earner; `0` is its name for people.
    #[error("There is no such {0}.")]
    Unknown(&'static str),
    /// A coupon with this code exists already.
    #[error("There is already a coupon with this code.")]
    CouponExists,
    /// The coupon was used, and purchases refer to it.
    #[error("This coupon has already been used. Set a last day for it instead.")]
    CouponUsed,
    /// The coupon would end before it starts.
    #[error("Please choose an end that comes after the start.")]
    CouponPeriod,
    /// Codes can't grant this plan.
    #[error("Please choose a plan that a code can give.")]
    NoCodeForPlan,
    /// A plan for life takes no number of months; any other plan needs one.
    #[error(transparent)]
    Months(#[from] CodeMonthsError),
    /// The number of codes is zero, or above [`MAX_CODES`].
    #[error("Please choose a number from 1 to 5000.")]
    CodeCount,
    /// The coupon names a plan that does not exist.
    #[error("Please choose plans that exist.")]
    CouponPlan,
    /// There is a plan with this id already.
    #[error("There is already a plan with this ID.")]
    PlanExists,
    /// The plan can't be added or archived.
    #[error(transparent)]
    PlanChange(#[from] PlanChangeError),
    /// Another admin has changed the plan meanwhile.
    #[error("This plan was changed in the meantime. Please check it again.")]
    PlanChanged,
    /// The payable amount is another one now.
    #[error("The amount to pay out has changed. Please check it again.")]
    PayoutChanged,
    /// A movement could not be recorded.
    #[error(transparent)]
    Billing(#[from] BillingError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The outcome of one line of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportedLine {
    Imported,
    /// The code exists already, or an earlier line has it.
    AlreadyThere,
    /// Not a code.
    Invalid,
}

fn coupon_subject(code: &CouponCode) -> Subject {
    Subject { name: Some(code.to_string()), ..Subject::whole(SubjectKind::Coupon) }
}

fn coupon_changes(before: Option<&Coupon>, after: &Coupon) -> Vec<Option<FieldChange>> {
    let text = |coupon: &Coupon| {
        [
            ("discount", Some(coupon.terms.discount.to_string())),
            ("everyCharge", coupon.terms.every_charge.then(|| "yes".to_owned())),
            ("plans", Some(coupon.plans.join(", ")).filter(|plans| !plans.is_empty())),
            ("campaign", coupon.campaign.clone()),
            ("startsAt", Some(coupon.valid.starts_at.millis().to_string())),
            ("endsAt", coupon.valid.ends_at.map(|at| at.millis().to_string())),
            ("maxUses", coupon.max_uses.map(|most| most.to_string())),
        ]
    };
    let before = before.map(text);
    let fields = text(after).into_iter().enumerate().map(|(n, (name, new))| {
        let old = before.as_ref().and_then(|fields| fields[n].1.clone());
        FieldChange::between(name, old.as_deref(), new.as_deref())
    });
    fields.collect()
}

/// Saves a coupon. `is_new`: there must be no coupon with its code, otherwise there must be one. Returns how often it
/// was used.
pub fn save_coupon(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    coupon: &Coupon,
    is_new: bool,
) -> Result<u32, AdminMoneyError> {
    if coupon.valid.ends_at.is_some_and(|end| end <= coupon.valid.starts_at) {
        return Err(AdminMoneyError::CouponPeriod);
    }
    let plans = tx.pg.plans()?;
    if !coupon.plans.iter().all(|id| plans.iter().any(|plan| plan.id == *id)) {
        return Err(AdminMoneyError::CouponPlan);
    }
    let before = tx.pg.coupon_to_change(&coupon.code)?;
    match (&before, is_new) {
        (Some(_), true) => return Err(AdminMoneyError::CouponExists),
        (None, false) => return Err(AdminMoneyError::Unknown("coupon")),
        _ => {}
    }
    tx.pg.save_coupon(coupon)?;
    let action = if is_new { "coupon.create" } else { "coupon.update" };
    let changes = coupon_changes(before.as_ref().map(|(one, _)| one), coupon);
    trail.record_changes(AuditEvent::new(action, coupon_subject(&coupon.code)).with(changes));
    Ok(before.map_or(0, |(_, uses)| uses))
}

/// Deletes a coupon that has never been used.
pub fn delete_coupon(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, code: &CouponCode) -> Result<(), AdminMoneyError> {
    let (_, uses) = tx.pg.coupon_to_change(code)?.ok_or(AdminMoneyError::Unknown("coupon"))?;
    if uses > 0 {
        return Err(AdminMoneyError::CouponUsed);
    }
    tx.pg.delete_coupon(code)?;
    trail.record(AuditEvent::new("coupon.delete", coupon_subject(code)));
    Ok(())
}

/// What the codes grant: a number of months of a plan, or a plan for life.
fn code_terms(
    tx: &mut Tx<'_, '_>,
    kind: CodeKind,
    plan_id: &str,
    months: Option<u32>,
) -> Result<CodeTerms, AdminMoneyError> {
    let plan =
        tx.pg.plans()?.into_iter().find(|plan| plan.id == plan_id && plan.kind.is_given_by_codes() && !plan.archived);
    let plan = plan.ok_or(AdminMoneyError::NoCodeForPlan)?;
    let months = months_of_codes(plan.kind, months)?;
    Ok(CodeTerms { kind, plan_id: plan.id, plan_name: plan.name, months, purchase: None, buyer: None })
}

/// Creates codes.
pub fn make_codes(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (plan_id, months): (&str, Option<u32>),
    count: u32,
    note: Option<&str>,
) -> Result<Vec<CodeRow>, AdminMoneyError> {
    if !(1..=MAX_CODES).contains(&(count as usize)) {
        return Err(AdminMoneyError::CodeCount);
    }
    let terms = code_terms(tx, CodeKind::Admin, plan_id, months)?;
    let codes = tx.pg.issue_codes(&terms, count, tx.env)?;
    let number = codes.len().to_string();
    let changes = [FieldChange::between("count", None, Some(&number)), FieldChange::between("note", None, note)];
    let subject = Subject { name: Some(terms.plan_name), ..Subject::whole(SubjectKind::Code) };
    trail.record(AuditEvent::new("code.create", subject).with(changes));
    let texts: Vec<String> = codes.iter().map(|code| code.as_str().to_owned()).collect();
    Ok(tx.pg.code_rows_of(&texts)?)
}

/// Imports codes that were made elsewhere. `is_trial` is a dry run: it returns each line's outcome and writes nothing.
pub fn import_codes(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (plan_id, months): (&str, Option<u32>),
    lines: &[String],
    is_trial: bool,
) -> Result<Vec<ImportedLine>, AdminMoneyError> {
    if !(1..=MAX_CODES).contains(&lines.len()) {
        return Err(AdminMoneyError::CodeCount);
    }
    let terms = code_terms(tx, CodeKind::Marketplace, plan_id, months)?;
    let now = tx.now();
    let mut seen = std::collections::HashSet::new();
    let mut report = Vec::with_capacity(lines.len());
    for line in lines {
        let outcome = match Code::parse(line) {
            Err(_) => ImportedLine::Invalid,
            Ok(code) if !seen.insert(code.clone()) => ImportedLine::AlreadyThere,
            Ok(code) if is_trial => match tx.pg.find_code(&code)? {
                Some(_) => ImportedLine::AlreadyThere,
                None => ImportedLine::Imported,
            },
            Ok(code) => match tx.pg.import_codes(&[code], &terms, now)? {
                0 => ImportedLine::AlreadyThere,
                _ => ImportedLine::Imported,
            },
        };
        report.push(outcome);
    }
    let imported = report.iter().filter(|line| **line == ImportedLine::Imported).count();
    if imported > 0 && !is_trial {
        let number = imported.to_string();
        let subject = Subject { name: Some(terms.plan_name), ..Subject::whole(SubjectKind::Code) };
        let event = AuditEvent::new("code.import", subject);
        trail.record(event.with([FieldChange::between("count", None, Some(&number))]));
    }
    Ok(report)
}

/// Revokes a code, and ends the entitlement that it gave its redeemer.
pub fn revoke_code(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: i64) -> Result<CodeRow, AdminMoneyError> {
    let unknown = || AdminMoneyError::Unknown("code");
    let row = tx.pg.code_row(id)?.ok_or_else(unknown)?;
    let code = Code::parse(&row.code).map_err(|_| unknown())?;
    let now = tx.now();
    if row.revoked_at.is_none() {
        tx.pg.revoke_code(&code, now)?;
        // Knowing a code is enough to redeem it, so the log shows only its beginning.
        let name: String = row.code.chars().take(5).chain(['…']).collect();
        trail.record(AuditEvent::new("code.revoke", Subject::named(SubjectKind::Code, id, name)));
    }
    tx.pg.code_row(id)?.ok_or_else(unknown)
}

fn plan_event(action: &'static str, plan: &Plan) -> AuditEvent {
    AuditEvent::new(action, Subject { name: Some(plan.name.clone()), ..Subject::whole(SubjectKind::Plan) })
}

/// Adds a plan behind the others (`billing.plan-add`).
pub fn add_plan(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, plan: &Plan) -> Result<(), AdminMoneyError> {
    if !tx.pg.insert_plan(plan)? {
        return Err(AdminMoneyError::PlanExists);
    }
    let changes = [
        FieldChange::between("id", None, Some(&plan.id)),
        FieldChange::between("kind", None, Some(plan.kind.as_str())),
        FieldChange::between("price", None, Some(&plan.price.to_string())),
    ];
    trail.record_changes(plan_event("plan.create", plan).with(changes));
    Ok(())
}

/// Changes a plan's name and price for new purchases, and whether it is sold. Running subscriptions keep their terms
/// (`billing.plan-archive`).
pub fn change_plan(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, version): (&str, Option<i64>),
    (name, price, archived): (String, Money, bool),
) -> Result<(), AdminMoneyError> {
    let before = tx.pg.plans()?.into_iter().find(|plan| plan.id == id).ok_or(AdminMoneyError::Unknown("plan"))?;
    let after = Plan { name, price, archived, ..before.clone() };
    if after.archived && !before.archived {
        before.check_archivable()?;
    }
    if !tx.pg.update_plan(&after, version)? {
        return Err(AdminMoneyError::PlanChanged);
    }
    let prices = [before.price.to_string(), after.price.to_string()];
    let changes = [
        FieldChange::between("name", Some(&before.name), Some(&after.name)),
        FieldChange::between("price", Some(&prices[0]), Some(&prices[1])),
        FieldChange::between("archived", before.archived.then_some("yes"), after.archived.then_some("yes")),
    ];
    trail.record_changes(plan_event("plan.update", &after).with(changes));
    Ok(())
}

/// Earners with their earnings: pending, payable and paid.
pub fn with_earnings<A>(
    tx: &mut Tx<'_, '_, A>,
    earners: Vec<EarnerRow>,
) -> Result<Vec<(EarnerRow, Earnings)>, StoreError> {
    let now = tx.now();
    let ids: Vec<UserId> = earners.iter().map(|one| one.member.id).collect();
    let earned = tx.pg.earnings_of_members(&ids, now)?;
    Ok(earners.into_iter().zip(earned).collect())
}

/// Records a payout of the member's payable earnings, which must be `amount`. `paid_before` is the sum of earlier payouts; it
/// identifies the payout, so a double click or a retry changes nothing, even if the same amount is payable again.
///
/// Rewards that would be paid out are judged again first, and reversed if they were not earned. That happens even if the amount
/// differs then: the caller commits this transaction whatever the outcome.
pub fn pay_out(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    member: UserId,
    (amount, paid_before): (Money, Money),
    note: Option<&str>,
) -> Result<PayoutOutcome, AdminMoneyError> {
    let now = tx.now();
    judge_before_payout(tx, member)?;
    let outcome = Referral::pay_out(tx.pg, member, (amount, paid_before), now)?;
    if outcome != PayoutOutcome::Now {
        return Ok(outcome);
    }
    let payer = tx.pg.payer_of_member(member, now)?;
    let key = format!("payout:{member}:{}", paid_before.cents());
    let movement =
        Movement { amount, ..Movement::new(MovementKind::RewardPaid, key.clone(), &PurchaseKey::new(key), now) };
    tx.pg.record_movement(payer, &movement)?;
    let sum = amount.to_string();
    let changes = [FieldChange::between("amount", None, Some(&sum)), FieldChange::between("note", None, note)];
    trail.record(AuditEvent::new("payout.pay", Subject::user(member)).with(changes));
    Ok(outcome)
}

//! Changes by admins: coupons, codes, prices and payouts.

use actix_web::{HttpResponse, delete, get, post, put, web::Data};
use admin::MoneyQueries;
use billing::{
    BillingQueries, Coupon, CouponCode, CouponError, CouponTerms, Discount, Percent, Plan, PlanChangeError, PlanKind,
};
use kernel::{Limit, Money, Period, StoreError, Timestamp, UserId};
use referral::PayoutOutcome;
use workflows::{
    billing::admin_money::{self, AdminMoneyError},
    tx::Tx,
};

use crate::{
    app::App,
    billing::back_office::{
        money::payout_of,
        money_types::{
            CodeLine, CodeResultLine, CodesForm, CodesImport, CodesParams, CodesResult, CouponForm, CouponResultLine,
            CouponsResult, ImportResult, MadeCodesResult, NewPlanForm, PayoutForm, PayoutResult, PlanForm, PlanLine,
            PlanResultLine, PlansResult,
        },
    },
    exports,
    extract::{ActingAdmin, Admin, Body, LargeBody, Path, Query},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
};

/// The lowest and the highest price of a plan, in cents. Providers charge no less.
const MIN_PRICE: i64 = 50;
const MAX_PRICE: i64 = 1_000_000;

/// All coupons, by code.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The coupons.", body = Answer<CouponsResult>)), security(("token" = [])))]
#[get("/api/admin/coupons")]
pub(crate) async fn list_coupons(app: Data<App>, _: Admin) -> Result<Answer<CouponsResult>, ApiError> {
    let coupons = app.db.read_from_replica::<_, StoreError, _>(|pg| pg.coupons()).await?;
    Ok(Answer::new(CouponsResult { coupons: coupons.into_iter().map(Into::into).collect(), next: None }))
}

/// Parses the coupon code in a path.
fn code_of(text: &str) -> Result<CouponCode, ApiError> {
    CouponCode::parse(text).map_err(|_| ApiError::not_found("coupon"))
}

/// A coupon.
#[utoipa::path(tag = "admin", params(("code" = String, Path, description = "The code of a coupon.")), responses((status = 200, description = "The coupon.", body = Answer<CouponResultLine>), NotFound), security(("token" = [])))]
#[get("/api/admin/coupons/{code}")]
pub(crate) async fn show_coupon(
    app: Data<App>,
    _: Admin,
    code: Path<String>,
) -> Result<Answer<CouponResultLine>, ApiError> {
    let code = code_of(&code)?;
    let found = app.db.read::<_, StoreError, _>(move |pg| pg.find_coupon(&code)).await?;
    Ok(Answer::new(CouponResultLine { coupon: found.ok_or_else(|| ApiError::not_found("coupon"))?.into() }))
}

fn read_coupon(form: &CouponForm, code: CouponCode, now: Timestamp) -> Result<Coupon, ApiError> {
    let discount = match (form.percent, form.amount) {
        (Some(percent), None) => Discount::Percent(
            Percent::new(percent)
                .map_err(|_| ApiError::invalid("percent", "Please choose a percentage from 1 to 100."))?,
        ),
        (None, Some(cents @ 1..=MAX_PRICE)) => Discount::Amount(Money::from_cents(cents)),
        (None, Some(_)) => return Err(ApiError::invalid("amount", "Please choose an amount from 0.01 to 10,000.")),
        _ => return Err(ApiError::invalid("percent", "Please choose a percentage or an amount.")),
    };
    let campaign = form.campaign.as_deref().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    if campaign.as_ref().is_some_and(|name| name.chars().count() > 100) {
        return Err(ApiError::invalid("campaign", "Please use at most 100 characters for the campaign."));
    }
    let valid = Period {
        starts_at: form.starts_at.map_or(now, Timestamp::from_millis),
        ends_at: form.ends_at.map(Timestamp::from_millis),
    };
    Ok(Coupon {
        code,
        terms: CouponTerms { discount, every_charge: form.every_charge },
        plans: form.plans.clone(),
        campaign,
        valid,
        max_uses: form.max_uses,
    })
}

async fn save(app: &App, acting: ActingAdmin, coupon: Coupon, is_new: bool) -> Result<CouponResultLine, ApiError> {
    let saved = app.transactions.write_as::<_, AdminMoneyError, _>(acting.actor, move |tx, trail| {
        let uses = admin_money::save_coupon(tx, trail, &coupon, is_new)?;
        Ok((coupon, uses))
    });
    Ok(CouponResultLine { coupon: saved.await?.into() })
}

/// Makes a coupon.
#[utoipa::path(tag = "admin", request_body = CouponForm, responses((status = 200, description = "The coupon.", body = Answer<CouponResultLine>), Conflict), security(("token" = [])))]
#[post("/api/admin/coupons")]
pub(crate) async fn add_coupon(
    app: Data<App>,
    acting: ActingAdmin,
    Body(form): Body<CouponForm>,
) -> Result<Answer<CouponResultLine>, ApiError> {
    let code = CouponCode::parse(form.code.as_deref().unwrap_or_default()).map_err(|_: CouponError| {
        ApiError::invalid(
            "code",
            "Please choose a code of up to 40 letters, digits, dashes, underscores and percent signs.",
        )
    })?;
    let coupon = read_coupon(&form, code, app.env.now())?;
    Ok(Answer::new(save(&app, acting, coupon, true).await?))
}

/// Changes a coupon. What was sold with it stays as it was sold.
#[utoipa::path(tag = "admin", params(("code" = String, Path, description = "The code of a coupon.")), request_body = CouponForm, responses((status = 200, description = "The coupon.", body = Answer<CouponResultLine>), NotFound), security(("token" = [])))]
#[put("/api/admin/coupons/{code}")]
pub(crate) async fn change_coupon(
    app: Data<App>,
    acting: ActingAdmin,
    code: Path<String>,
    Body(form): Body<CouponForm>,
) -> Result<Answer<CouponResultLine>, ApiError> {
    let coupon = read_coupon(&form, code_of(&code)?, app.env.now())?;
    Ok(Answer::new(save(&app, acting, coupon, false).await?))
}

/// Deletes a coupon that was never used.
#[utoipa::path(tag = "admin", params(("code" = String, Path, description = "The code of a coupon.")), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/coupons/{code}")]
pub(crate) async fn remove_coupon(
    app: Data<App>,
    acting: ActingAdmin,
    code: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let code = code_of(&code)?;
    let workflow = move |tx: &mut Tx<'_, '_>, trail: &mut _| admin_money::delete_coupon(tx, trail, &code);
    app.transactions.write_as::<_, AdminMoneyError, _>(acting.actor, workflow).await?;
    Ok(Answer::new(Nothing {}))
}

/// A page of codes, newest first.
#[utoipa::path(tag = "admin", params(CodesParams), responses((status = 200, description = "A page of codes.", body = Answer<CodesResult>)), security(("token" = [])))]
#[get("/api/admin/codes")]
pub(crate) async fn list_codes(
    app: Data<App>,
    _: Admin,
    params: Query<CodesParams>,
) -> Result<Answer<CodesResult>, ApiError> {
    let (filter, after, limit) = params.read()?;
    let found = app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.counted_code_rows(&filter, after, limit));
    let (page, total) = found.await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(CodesResult { codes: page.items.into_iter().map(Into::into).collect(), next, total: total.into() }))
}

/// All codes that the list has with these filters, as a CSV file; `after` and `limit` are ignored.
#[utoipa::path(tag = "admin", params(CodesParams), responses((status = 200, description = "The file.", content_type = "text/csv", body = String)), security(("token" = [])))]
#[post("/api/admin/codes/export")]
pub(crate) async fn export_codes(
    app: Data<App>,
    acting: ActingAdmin,
    params: Query<CodesParams>,
) -> Result<HttpResponse, ApiError> {
    let (filter, ..) = params.read()?;
    exports::export(app, acting.actor, "codes", move |tx, after| {
        let page = tx.pg.code_rows(&filter, after, Limit::clamped(Limit::MAX))?;
        Ok((page.items.into_iter().map(CodeLine::from).collect(), page.next))
    })
    .await
}

/// Validates a note for the audit log.
fn note_of(note: Option<String>) -> Result<Option<String>, ApiError> {
    match note {
        Some(note) if note.chars().count() > 200 => {
            Err(ApiError::invalid("note", "Please use at most 200 characters for the note."))
        }
        note => Ok(note),
    }
}

/// Makes codes, one or a batch.
#[utoipa::path(tag = "admin", request_body = CodesForm, responses((status = 200, description = "The codes.", body = Answer<MadeCodesResult>)), security(("token" = [])))]
#[post("/api/admin/codes")]
pub(crate) async fn add_codes(
    app: Data<App>,
    acting: ActingAdmin,
    Body(form): Body<CodesForm>,
) -> Result<Answer<MadeCodesResult>, ApiError> {
    let note = note_of(form.note)?;
    let made = app.transactions.write_as::<_, AdminMoneyError, _>(acting.actor, move |tx, trail| {
        admin_money::make_codes(tx, trail, (&form.plan_id, form.months), form.count, note.as_deref())
    });
    Ok(Answer::new(MadeCodesResult { codes: made.await?.into_iter().map(Into::into).collect() }))
}

/// Takes codes that were made elsewhere, and says of each line what became of it. The body may have 2 MB.
#[utoipa::path(tag = "admin", request_body = CodesImport, responses((status = 200, description = "The report.", body = Answer<ImportResult>)), security(("token" = [])))]
#[post("/api/admin/codes/import")]
pub(crate) async fn take_codes(
    app: Data<App>,
    acting: ActingAdmin,
    LargeBody(form): LargeBody<CodesImport>,
) -> Result<Answer<ImportResult>, ApiError> {
    let taken = app.transactions.write_as::<_, AdminMoneyError, _>(acting.actor, move |tx, trail| {
        let CodesImport { plan_id, months, codes, dry_run } = form;
        let report = admin_money::import_codes(tx, trail, (&plan_id, months), &codes, dry_run)?;
        Ok(ImportResult::new(codes, report))
    });
    Ok(Answer::new(taken.await?))
}

/// Revokes a code. What it gave to who redeemed it ends.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "The number of a code.", minimum = 1)), responses((status = 200, description = "The updated code.", body = Answer<CodeResultLine>), NotFound), security(("token" = [])))]
#[post("/api/admin/codes/{id}/revoke")]
pub(crate) async fn end_code(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
) -> Result<Answer<CodeResultLine>, ApiError> {
    let id: i64 = id.parse().map_err(|_| ApiError::not_found("code"))?;
    let workflow = move |tx: &mut Tx<'_, '_>, trail: &mut _| admin_money::revoke_code(tx, trail, id);
    let row = app.transactions.write_as::<_, AdminMoneyError, _>(acting.actor, workflow).await?;
    if let Some(member) = &row.redeemed_by {
        app.responses.invalidate_reader(member.id);
    }
    Ok(Answer::new(CodeResultLine { code: row.into() }))
}

fn plan_lines<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<PlanLine>, StoreError> {
    let now = tx.now();
    let subscribers = tx.pg.count_subscribers(now)?;
    let mut lines = Vec::new();
    for (index, plan) in tx.pg.plans()?.into_iter().enumerate() {
        let version = tx.pg.plan_version(&plan.id)?.unwrap_or(1);
        let running = subscribers.iter().find(|(id, _)| *id == plan.id).map_or(0, |(_, number)| *number);
        lines.push(PlanLine::new(plan, index + 1, running, version));
    }
    Ok(lines)
}

/// All plans with their prices.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The plans.", body = Answer<PlansResult>)), security(("token" = [])))]
#[get("/api/admin/plans")]
pub(crate) async fn list_sold_plans(app: Data<App>, _: Admin) -> Result<Answer<PlansResult>, ApiError> {
    Ok(Answer::new(PlansResult { plans: app.read_tx::<_, StoreError, _>(plan_lines).await? }))
}

/// Validates a plan's name and price.
fn plan_terms(name: &str, price: i64) -> Result<(String, Money), ApiError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 100 {
        return Err(ApiError::invalid("name", "Please specify Name."));
    }
    if !(MIN_PRICE..=MAX_PRICE).contains(&price) {
        return Err(ApiError::invalid("price", "Please choose a price from 0.50 to 10,000."));
    }
    Ok((name.to_owned(), Money::from_cents(price)))
}

/// Adds a plan that members buy for themselves. It is sold at once.
#[utoipa::path(tag = "admin", request_body = NewPlanForm, responses((status = 200, description = "The plan.", body = Answer<PlanResultLine>), Conflict), security(("token" = [])))]
#[post("/api/admin/plans")]
pub(crate) async fn add_sold_plan(
    app: Data<App>,
    acting: ActingAdmin,
    Body(form): Body<NewPlanForm>,
) -> Result<Answer<PlanResultLine>, ApiError> {
    let (name, price) = plan_terms(&form.name, form.price)?;
    let kind: PlanKind = form.kind.parse().map_err(|_| AdminMoneyError::from(PlanChangeError::NotForOneself))?;
    let plan = Plan::new(form.id.trim(), name, kind, price).map_err(AdminMoneyError::from)?;
    let added = app.transactions.write_as::<_, AdminMoneyError, _>(acting.actor, move |tx, trail| {
        admin_money::add_plan(tx, trail, &plan)?;
        Ok(plan_lines(tx)?.into_iter().find(|line| line.has_id(&plan.id)))
    });
    let plan = added.await?.ok_or_else(|| ApiError::not_found("plan"))?;
    Ok(Answer::new(PlanResultLine { plan }))
}

/// Changes a plan's name and price for who buys it from now on, and whether it is sold. Subscriptions that run keep what they
/// were sold for.
#[utoipa::path(tag = "admin", params(("id" = String, Path, description = "The id of a plan.")), request_body = PlanForm, responses((status = 200, description = "The plan.", body = Answer<PlanResultLine>), NotFound, Conflict), security(("token" = [])))]
#[put("/api/admin/plans/{id}")]
pub(crate) async fn change_sold_plan(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
    Body(form): Body<PlanForm>,
) -> Result<Answer<PlanResultLine>, ApiError> {
    let (name, price) = plan_terms(&form.name, form.price)?;
    let (id, version, archived) = (id.into_inner(), form.version, form.archived);
    let changed = app.transactions.write_as::<_, AdminMoneyError, _>(acting.actor, move |tx, trail| {
        admin_money::change_plan(tx, trail, (&id, version), (name, price, archived))?;
        Ok(plan_lines(tx)?.into_iter().find(|line| line.has_id(&id)))
    });
    let plan = changed.await?.ok_or_else(|| ApiError::not_found("plan"))?;
    Ok(Answer::new(PlanResultLine { plan }))
}

/// Records that a member was paid what can be paid out.
#[utoipa::path(tag = "admin", params(("userId" = i64, Path, description = "The id of a member.", minimum = 1)), request_body = PayoutForm, responses((status = 200, description = "The member's remaining earnings.", body = Answer<PayoutResult>), NotFound, Conflict), security(("token" = [])))]
#[post("/api/admin/payouts/{userId}/paid")]
pub(crate) async fn mark_paid_out(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
    Body(form): Body<PayoutForm>,
) -> Result<Answer<PayoutResult>, ApiError> {
    let unknown = || ApiError::not_found("earner");
    let member: UserId = id.parse().map_err(|_| unknown())?;
    let note = note_of(form.note)?;
    let paid = app.transactions.write_as::<_, AdminMoneyError, _>(acting.actor, move |tx, trail| {
        if tx.pg.earner(member)?.is_none() {
            return Ok(None);
        }
        let (amount, paid) = (Money::from_cents(form.amount), Money::from_cents(form.paid));
        let outcome = admin_money::pay_out(tx, trail, member, (amount, paid), note.as_deref())?;
        Ok(payout_of(tx, member)?.map(|payout| (outcome, payout)))
    });
    match paid.await?.ok_or_else(unknown)? {
        (PayoutOutcome::Changed, _) => Err(AdminMoneyError::PayoutChanged.into()),
        (PayoutOutcome::Now | PayoutOutcome::Before, payout) => Ok(Answer::new(payout)),
    }
}

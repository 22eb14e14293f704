//! Coupons and trials, which a person may use once or a limited number of times, in Postgres.

use ::billing::{
    Coupon, CouponCode, CouponTerms, Discount, Percent, PurchaseKey, TrialIdentity, gateway::CardFingerprint,
};
use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper, delete,
    dsl::{exists, not},
    insert_into, select, update,
};
use kernel::{Email, Money, Period, StoreError, Timestamp, UserId};

use super::{small, unsigned};
use crate::{
    Pg,
    schema::{coupon_uses, coupons, trials},
    time::{from_db, to_db},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = coupons)]
struct Row {
    code: String,
    percent: Option<i32>,
    amount_cents: Option<i64>,
    every_charge: bool,
    plan_ids: Vec<String>,
    campaign: Option<String>,
    starts_at: DateTime<Utc>,
    ends_at: Option<DateTime<Utc>>,
    max_uses: Option<i32>,
}

/// The columns of a discount: the percentage or the amount.
fn discount_columns(discount: Discount) -> Result<(Option<i32>, Option<i64>), StoreError> {
    match discount {
        Discount::Percent(percent) => Ok((Some(small(percent.get())?), None)),
        Discount::Amount(amount) => Ok((None, Some(amount.cents()))),
    }
}

fn coupon_from(row: Row) -> Result<Coupon, StoreError> {
    let discount = match (row.percent, row.amount_cents) {
        (Some(percent), _) => Discount::Percent(Percent::new(unsigned(percent)?).map_err(StoreError::new)?),
        (None, amount) => Discount::Amount(Money::from_cents(amount.unwrap_or_default())),
    };
    Ok(Coupon {
        code: CouponCode::parse(&row.code).map_err(StoreError::new)?,
        terms: CouponTerms { discount, every_charge: row.every_charge },
        plans: row.plan_ids,
        campaign: row.campaign,
        valid: Period { starts_at: from_db(row.starts_at), ends_at: row.ends_at.map(from_db) },
        max_uses: row.max_uses.map(unsigned).transpose()?,
    })
}

fn uses<A>(pg: &mut Pg<'_, A>, code: &str) -> Result<u32, StoreError> {
    let count: i64 = pg.run(|conn| coupon_uses::table.filter(coupon_uses::code.eq(code)).count().get_result(conn))?;
    u32::try_from(count).map_err(StoreError::new)
}

fn with_uses<A>(pg: &mut Pg<'_, A>, row: Option<Row>) -> Result<Option<(Coupon, u32)>, StoreError> {
    let Some(row) = row else { return Ok(None) };
    let uses = uses(pg, &row.code)?;
    Ok(Some((coupon_from(row)?, uses)))
}

pub(super) fn find<A>(pg: &mut Pg<'_, A>, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError> {
    let row = pg.run(|conn| coupons::table.find(code.as_str()).select(Row::as_select()).first(conn).optional())?;
    with_uses(pg, row)
}

pub(super) fn lock(pg: &mut Pg<'_>, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError> {
    let row = pg.run(|conn| {
        coupons::table.find(code.as_str()).select(Row::as_select()).for_no_key_update().first(conn).optional()
    })?;
    with_uses(pg, row)
}

pub(super) fn all<A>(pg: &mut Pg<'_, A>) -> Result<Vec<(Coupon, u32)>, StoreError> {
    let rows: Vec<Row> = pg.run(|conn| coupons::table.order(coupons::code).select(Row::as_select()).load(conn))?;
    let mut all = Vec::new();
    for row in rows {
        all.extend(with_uses(pg, Some(row))?);
    }
    Ok(all)
}

pub(super) fn save(pg: &mut Pg<'_>, coupon: &Coupon) -> Result<(), StoreError> {
    let max_uses = coupon.max_uses.map(small).transpose()?;
    let (percent, amount) = discount_columns(coupon.terms.discount)?;
    let values = (
        coupons::percent.eq(percent),
        coupons::amount_cents.eq(amount),
        coupons::every_charge.eq(coupon.terms.every_charge),
        coupons::plan_ids.eq(&coupon.plans),
        coupons::campaign.eq(&coupon.campaign),
        coupons::starts_at.eq(to_db(coupon.valid.starts_at)),
        coupons::ends_at.eq(coupon.valid.ends_at.map(to_db)),
        coupons::max_uses.eq(max_uses),
    );
    pg.run(|conn| {
        insert_into(coupons::table)
            .values((coupons::code.eq(coupon.code.as_str()), values))
            .on_conflict(coupons::code)
            .do_update()
            .set(values)
            .execute(conn)
            .map(|_| ())
    })
}

pub(super) fn is_used_by<A>(pg: &mut Pg<'_, A>, code: &CouponCode, purchase: &PurchaseKey) -> Result<bool, StoreError> {
    pg.run(|conn| select(exists(coupon_uses::table.find((code.as_str(), purchase.as_str())))).get_result(conn))
}

pub(super) fn insert_use(pg: &mut Pg<'_>, code: &CouponCode, purchase: &PurchaseKey) -> Result<(), StoreError> {
    let row = (coupon_uses::code.eq(code.as_str()), coupon_uses::purchase.eq(purchase.as_str()));
    pg.run(|conn| insert_into(coupon_uses::table).values(row).execute(conn).map(|_| ()))
}

pub(super) fn release(pg: &mut Pg<'_>, purchase: &PurchaseKey) -> Result<(), StoreError> {
    let theirs = coupon_uses::table.filter(coupon_uses::purchase.eq(purchase.as_str()));
    pg.run(|conn| delete(theirs).execute(conn).map(|_| ()))
}

pub(super) fn has_had_trial<A>(pg: &mut Pg<'_, A>, person: &TrialIdentity) -> Result<bool, StoreError> {
    // NULL equals nothing: an unknown property of the person matches no trial.
    let member = person.member.map(UserId::get);
    let card = person.card.as_ref().map(CardFingerprint::as_str);
    let same = trials::user_id.eq(member).or(trials::mailbox.eq(&person.mailbox)).or(trials::card.eq(card));
    pg.run(|conn| select(exists(trials::table.filter(same))).get_result(conn))
}

pub(super) fn claim_trial(
    pg: &mut Pg<'_>,
    person: &TrialIdentity,
    purchase: &PurchaseKey,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let row = (
        trials::purchase.eq(purchase.as_str()),
        trials::user_id.eq(person.member.map(UserId::get)),
        trials::mailbox.eq(&person.mailbox),
        trials::card.eq(person.card.as_ref().map(CardFingerprint::as_str)),
        trials::started_at.eq(to_db(now)),
    );
    // Account, mailbox and card are each unique: of two concurrent trials, the second waits and is not written.
    let written = pg.run(|conn| insert_into(trials::table).values(row).on_conflict_do_nothing().execute(conn))?;
    if written > 0 {
        return Ok(true);
    }
    pg.run(|conn| select(exists(trials::table.find(purchase.as_str()))).get_result(conn))
}

pub(super) fn release_trial(pg: &mut Pg<'_>, purchase: &PurchaseKey) -> Result<(), StoreError> {
    pg.run(|conn| delete(trials::table.find(purchase.as_str())).execute(conn).map(|_| ()))
}

/// Erases account and mailbox from trials. The card's fingerprint stays: it does not identify the member.
pub(super) fn forget_member(pg: &mut Pg<'_>, member: UserId, email: Option<&Email>) -> Result<(), StoreError> {
    let nobody = (trials::user_id.eq(None::<i64>), trials::mailbox.eq(None::<&str>));
    pg.run(|conn| {
        update(trials::table.filter(trials::user_id.eq(member.get()))).set(nobody).execute(conn)?;
        if let Some(email) = email {
            update(trials::table.filter(trials::mailbox.eq(email.mailbox_key()))).set(nobody).execute(conn)?;
        }
        Ok(())
    })
}

pub(super) fn delete_unused(pg: &mut Pg<'_>, code: &CouponCode) -> Result<(), StoreError> {
    let uses = coupon_uses::table.filter(coupon_uses::code.eq(coupons::code));
    let unused = coupons::table.filter(coupons::code.eq(code.as_str())).filter(not(exists(uses)));
    pg.run(|conn| delete(unused).execute(conn).map(|_| ()))
}

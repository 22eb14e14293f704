//! Checkouts in Postgres.

use ::billing::{
    Checkout, CheckoutKey, CheckoutOrder, CheckoutState, ClaimToken, CouponCode,
    gateway::{CheckoutReference, GatewayProvider},
};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, Insertable, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper,
    insert_into, update,
};
use kernel::{Limit, Money, PayerId, StoreError, Timestamp, UserId};

use super::{count, small, terms_from, unsigned};
use crate::{
    Pg,
    schema::{checkouts, payers},
    time::{from_db, to_db},
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = checkouts)]
struct Row {
    reference: String,
    key: String,
    body_hash: Vec<u8>,
    payer_id: i64,
    provider: String,
    plan_id: String,
    plan_name: String,
    quantity: i32,
    infographics: i32,
    coupon: Option<String>,
    first_charge_cents: i64,
    trial_ends_at: Option<DateTime<Utc>>,
    renewal_cents: Option<i64>,
    renewal_months: Option<i32>,
    referral: Option<String>,
    sealed_details: Option<Vec<u8>>,
    state: String,
    provider_id: Option<String>,
    charge_id: String,
    claimed_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    changed_at: DateTime<Utc>,
}

impl Row {
    fn of(checkout: &Checkout) -> Result<Self, StoreError> {
        let order = checkout.order.clone();
        Ok(Self {
            reference: checkout.reference.to_string(),
            key: checkout.key.as_str().to_owned(),
            body_hash: checkout.body_hash.to_vec(),
            payer_id: order.payer.get(),
            provider: order.provider.as_str().to_owned(),
            plan_id: order.plan_id,
            plan_name: order.plan_name,
            quantity: small(order.quantity)?,
            infographics: small(order.infographics)?,
            coupon: order.coupon.map(|coupon| coupon.to_string()),
            first_charge_cents: order.first_charge.cents(),
            trial_ends_at: order.trial_ends_at.map(to_db),
            renewal_cents: order.renewal.map(|terms| terms.price.cents()),
            renewal_months: order.renewal.map(|terms| small(terms.months)).transpose()?,
            referral: order.referral,
            sealed_details: order.sealed_details,
            state: checkout.state.as_str().to_owned(),
            provider_id: checkout.provider_id.clone(),
            charge_id: checkout.charge_id.as_str().to_owned(),
            claimed_at: checkout.claimed_at.map(to_db),
            created_at: to_db(checkout.created_at),
            changed_at: to_db(checkout.changed_at),
        })
    }

    fn into_checkout(self) -> Result<Checkout, StoreError> {
        let order = CheckoutOrder {
            payer: PayerId::from_store(self.payer_id),
            provider: self.provider.parse().map_err(StoreError::new)?,
            plan_id: self.plan_id,
            plan_name: self.plan_name,
            quantity: unsigned(self.quantity)?,
            infographics: unsigned(self.infographics)?,
            coupon: self.coupon.as_deref().map(CouponCode::parse).transpose().map_err(StoreError::new)?,
            first_charge: Money::from_cents(self.first_charge_cents),
            trial_ends_at: self.trial_ends_at.map(from_db),
            renewal: terms_from(self.renewal_cents, self.renewal_months)?,
            referral: self.referral,
            sealed_details: self.sealed_details,
        };
        Ok(Checkout {
            key: CheckoutKey::parse(&self.key).map_err(StoreError::new)?,
            body_hash: self.body_hash.try_into().map_err(|_| StoreError::new("a hash has another length"))?,
            reference: CheckoutReference::new(self.reference),
            order,
            state: self.state.parse().map_err(StoreError::new)?,
            provider_id: self.provider_id,
            charge_id: ClaimToken::new(self.charge_id),
            claimed_at: self.claimed_at.map(from_db),
            created_at: from_db(self.created_at),
            changed_at: from_db(self.changed_at),
        })
    }
}

fn checkout(row: Option<Row>) -> Result<Option<Checkout>, StoreError> {
    row.map(Row::into_checkout).transpose()
}

pub(super) fn insert(pg: &mut Pg<'_>, checkout: &Checkout) -> Result<bool, StoreError> {
    let row = Row::of(checkout)?;
    let written = pg.run(|conn| {
        insert_into(checkouts::table).values(&row).on_conflict(checkouts::key).do_nothing().execute(conn)
    })?;
    Ok(written > 0)
}

pub(super) fn find<A>(pg: &mut Pg<'_, A>, reference: &CheckoutReference) -> Result<Option<Checkout>, StoreError> {
    checkout(pg.run(|conn| checkouts::table.find(reference.as_str()).select(Row::as_select()).first(conn).optional())?)
}

pub(super) fn find_by_key<A>(pg: &mut Pg<'_, A>, key: &CheckoutKey) -> Result<Option<Checkout>, StoreError> {
    checkout(pg.run(|conn| {
        checkouts::table.filter(checkouts::key.eq(key.as_str())).select(Row::as_select()).first(conn).optional()
    })?)
}

pub(super) fn find_of_provider<A>(
    pg: &mut Pg<'_, A>,
    provider: GatewayProvider,
    provider_id: &str,
) -> Result<Option<Checkout>, StoreError> {
    checkout(pg.run(|conn| {
        checkouts::table
            .filter(checkouts::provider.eq(provider.as_str()))
            .filter(checkouts::provider_id.eq(provider_id))
            .select(Row::as_select())
            .first(conn)
            .optional()
    })?)
}

pub(super) fn lock(pg: &mut Pg<'_>, reference: &CheckoutReference) -> Result<Option<Checkout>, StoreError> {
    checkout(pg.run(|conn| {
        checkouts::table.find(reference.as_str()).select(Row::as_select()).for_no_key_update().first(conn).optional()
    })?)
}

pub(super) fn lock_of_claim(pg: &mut Pg<'_>, charge_id: &ClaimToken) -> Result<Option<Checkout>, StoreError> {
    checkout(pg.run(|conn| {
        checkouts::table
            .filter(checkouts::charge_id.eq(charge_id.as_str()))
            .select(Row::as_select())
            .for_no_key_update()
            .first(conn)
            .optional()
    })?)
}

pub(super) fn under_way<A>(pg: &mut Pg<'_, A>, payer: PayerId, since: Timestamp) -> Result<Vec<Checkout>, StoreError> {
    let waits = [CheckoutState::Started.as_str(), CheckoutState::Submitted.as_str()];
    let query = checkouts::table
        .filter(checkouts::payer_id.eq(payer.get()))
        .filter(checkouts::state.eq_any(waits))
        .filter(checkouts::created_at.gt(to_db(since)))
        .select(Row::as_select());
    let rows: Vec<Row> = pg.run(|conn| query.load(conn))?;
    rows.into_iter().map(Row::into_checkout).collect()
}

pub(super) fn pending<A>(
    pg: &mut Pg<'_, A>,
    unchanged_since: Timestamp,
    limit: Limit,
) -> Result<Vec<Checkout>, StoreError> {
    let query = checkouts::table
        .filter(checkouts::state.eq_any(["started", "submitted", "needs_action"]))
        .filter(checkouts::changed_at.le(to_db(unchanged_since)))
        .order((checkouts::changed_at, checkouts::reference))
        .limit(count(limit.get())?)
        .select(Row::as_select());
    let rows: Vec<Row> = pg.run(|conn| query.load(conn))?;
    rows.into_iter().map(Row::into_checkout).collect()
}

pub(super) fn update_state(
    pg: &mut Pg<'_>,
    reference: &CheckoutReference,
    state: CheckoutState,
    provider_id: Option<&str>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let one = checkouts::table.find(reference.as_str());
    let moved = (checkouts::state.eq(state.as_str()), checkouts::changed_at.eq(to_db(now)));
    pg.run(|conn| {
        if !state.is_pending() {
            update(one).set(checkouts::sealed_details.eq(None::<Vec<u8>>)).execute(conn)?;
        }
        if let Some(provider_id) = provider_id {
            update(one).set(checkouts::provider_id.eq(provider_id)).execute(conn)?;
        }
        update(one).set(moved).execute(conn).map(|_| ())
    })
}

pub(super) fn mark_claimed(pg: &mut Pg<'_>, reference: &CheckoutReference, now: Timestamp) -> Result<(), StoreError> {
    let one = checkouts::table.find(reference.as_str());
    pg.run(|conn| update(one).set(checkouts::claimed_at.eq(to_db(now))).execute(conn).map(|_| ()))
}

/// Erases what the member typed, in pending checkouts too.
pub(super) fn forget_member(pg: &mut Pg<'_>, member: UserId) -> Result<(), StoreError> {
    pg.run(|conn| {
        let theirs: Vec<i64> = payers::table.filter(payers::user_id.eq(member.get())).select(payers::id).load(conn)?;
        update(checkouts::table.filter(checkouts::payer_id.eq_any(theirs)))
            .set(checkouts::sealed_details.eq(None::<Vec<u8>>))
            .execute(conn)
            .map(|_| ())
    })
}

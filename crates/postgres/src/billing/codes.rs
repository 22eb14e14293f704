//! Codes that grant a plan, in Postgres.

use ::billing::{Code, CodeTerms, PurchaseKey, StoredCode, TeamSeat};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, NullableExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper, insert_into,
    sql_types::{Array, BigInt, Integer, Nullable, Timestamptz},
    update,
};
use kernel::{Email, PayerId, StoreError, Timestamp, UserId};

use super::{small, unsigned};
use crate::{
    Pg,
    schema::{codes, payers},
    statement::statement,
    time::{from_db, to_db},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = codes)]
pub(super) struct Row {
    code: String,
    kind: String,
    plan_id: String,
    plan_name: String,
    months: Option<i32>,
    purchase: Option<String>,
    buyer: Option<i64>,
    created_at: DateTime<Utc>,
    redeemed_by: Option<i64>,
    redeemed_at: Option<DateTime<Utc>>,
    revoked_at: Option<DateTime<Utc>>,
    sent_to: Option<String>,
    suspended_at: Option<DateTime<Utc>>,
}

impl Row {
    pub(super) fn into_code(self) -> Result<StoredCode, StoreError> {
        let terms = CodeTerms {
            kind: self.kind.parse().map_err(StoreError::new)?,
            plan_id: self.plan_id,
            plan_name: self.plan_name,
            months: self.months.map(unsigned).transpose()?,
            purchase: self.purchase.map(PurchaseKey::new),
            buyer: self.buyer.map(PayerId::from_store),
        };
        let redeemed = self.redeemed_by.zip(self.redeemed_at);
        Ok(StoredCode {
            code: Code::parse(&self.code).map_err(StoreError::new)?,
            terms,
            created_at: from_db(self.created_at),
            redeemed: redeemed.map(|(payer, at)| (PayerId::from_store(payer), from_db(at))),
            revoked_at: self.revoked_at.map(from_db),
            sent_to: self.sent_to.map(|text| Email::parse(&text)).transpose().map_err(StoreError::new)?,
            suspended_at: self.suspended_at.map(from_db),
        })
    }
}

fn stored(rows: Vec<Row>) -> Result<Vec<StoredCode>, StoreError> {
    rows.into_iter().map(Row::into_code).collect()
}

pub(super) fn find<A>(pg: &mut Pg<'_, A>, code: &Code) -> Result<Option<StoredCode>, StoreError> {
    let row = pg.run(|conn| {
        codes::table.filter(codes::code.eq(code.as_str())).select(Row::as_select()).first(conn).optional()
    })?;
    row.map(Row::into_code).transpose()
}

pub(super) fn bought_by<A>(pg: &mut Pg<'_, A>, member: UserId) -> Result<Vec<StoredCode>, StoreError> {
    let theirs = payers::table.filter(payers::user_id.eq(member.get())).select(payers::id.nullable());
    let query = codes::table.filter(codes::buyer.eq_any(theirs)).order(codes::id).select(Row::as_select());
    stored(pg.run(|conn| query.load(conn))?)
}

type SeatColumns = (DateTime<Utc>, i64, i64, Option<i32>);

fn seat((redeemed_at, buyer, member, months): SeatColumns) -> Result<TeamSeat, StoreError> {
    let (buyer, member) = (UserId::from_store(buyer), UserId::from_store(member));
    Ok(TeamSeat { redeemed_at: from_db(redeemed_at), buyer, member, months: months.map(unsigned).transpose()? })
}

statement! {
    SelectSeatsOf { buyers: Vec<i64> } -> (Timestamptz, BigInt, BigInt, Nullable<Integer>) = [
        "SELECT c.redeemed_at, b.user_id, m.user_id, c.months
        FROM payers b JOIN codes c ON c.buyer = b.id JOIN payers m ON m.id = c.redeemed_by
        JOIN users u ON u.id = m.user_id AND u.suspended_at IS NULL
        WHERE b.user_id = ANY(" (buyers: Array<BigInt>) ") AND c.kind = 'bulk' AND c.revoked_at IS NULL
        ORDER BY c.redeemed_at, b.user_id, m.user_id"
    ]
}

statement! {
    SelectSeatsHeld { member: i64 } -> (Timestamptz, BigInt, BigInt, Nullable<Integer>) = [
        "SELECT c.redeemed_at, b.user_id, m.user_id, c.months
        FROM payers m JOIN codes c ON c.redeemed_by = m.id JOIN payers b ON b.id = c.buyer
        WHERE m.user_id = " (member: BigInt) " AND c.kind = 'bulk' AND c.revoked_at IS NULL AND b.user_id IS NOT NULL
        ORDER BY c.redeemed_at, b.user_id, m.user_id"
    ]
}

pub(super) fn seats_of<A>(pg: &mut Pg<'_, A>, buyers: &[UserId]) -> Result<Vec<TeamSeat>, StoreError> {
    let select = SelectSeatsOf { buyers: buyers.iter().map(|buyer| buyer.get()).collect() };
    let rows: Vec<SeatColumns> = pg.run(|conn| select.load(conn))?;
    rows.into_iter().map(seat).collect()
}

pub(super) fn seats_held_by<A>(pg: &mut Pg<'_, A>, member: UserId) -> Result<Vec<TeamSeat>, StoreError> {
    let select = SelectSeatsHeld { member: member.get() };
    let rows: Vec<SeatColumns> = pg.run(|conn| select.load(conn))?;
    rows.into_iter().map(seat).collect()
}

pub(super) fn of_purchase<A>(pg: &mut Pg<'_, A>, purchase: &PurchaseKey) -> Result<Vec<StoredCode>, StoreError> {
    let query = codes::table.filter(codes::purchase.eq(purchase.as_str())).order(codes::id).select(Row::as_select());
    stored(pg.run(|conn| query.load(conn))?)
}

pub(super) fn insert(pg: &mut Pg<'_>, code: &Code, terms: &CodeTerms, now: Timestamp) -> Result<bool, StoreError> {
    let row = (
        codes::code.eq(code.as_str()),
        codes::kind.eq(terms.kind.as_str()),
        codes::plan_id.eq(&terms.plan_id),
        codes::plan_name.eq(&terms.plan_name),
        codes::months.eq(terms.months.map(small).transpose()?),
        codes::purchase.eq(terms.purchase.as_ref().map(PurchaseKey::as_str)),
        codes::buyer.eq(terms.buyer.map(PayerId::get)),
        codes::created_at.eq(to_db(now)),
    );
    let written =
        pg.run(|conn| insert_into(codes::table).values(row).on_conflict(codes::code).do_nothing().execute(conn))?;
    Ok(written > 0)
}

/// One statement: of two concurrent redemptions, the second waits for the first and finds the code redeemed.
pub(super) fn mark_redeemed(pg: &mut Pg<'_>, code: &Code, payer: PayerId, now: Timestamp) -> Result<bool, StoreError> {
    let free = codes::table
        .filter(codes::code.eq(code.as_str()))
        .filter(codes::redeemed_at.is_null())
        .filter(codes::revoked_at.is_null())
        .filter(codes::suspended_at.is_null());
    let redeemed = (codes::redeemed_by.eq(payer.get()), codes::redeemed_at.eq(to_db(now)));
    Ok(pg.run(|conn| update(free).set(redeemed).execute(conn))? > 0)
}

pub(super) fn mark_one_revoked(pg: &mut Pg<'_>, code: &Code, now: Timestamp) -> Result<(), StoreError> {
    let one = codes::table.filter(codes::code.eq(code.as_str())).filter(codes::revoked_at.is_null());
    pg.run(|conn| update(one).set(codes::revoked_at.eq(to_db(now))).execute(conn).map(|_| ()))
}

pub(super) fn update_recipient(pg: &mut Pg<'_>, code: &Code, to: &Email) -> Result<(), StoreError> {
    let one = codes::table.filter(codes::code.eq(code.as_str()));
    pg.run(|conn| update(one).set(codes::sent_to.eq(to.as_str())).execute(conn).map(|_| ()))
}

/// Erases to whom the member sent codes, and the member's own address where others sent codes to it. `email` is `None` if the
/// member has not proved that it is theirs.
pub(super) fn forget_member(pg: &mut Pg<'_>, member: UserId, email: Option<&Email>) -> Result<(), StoreError> {
    let theirs = payers::table.filter(payers::user_id.eq(member.get())).select(payers::id.nullable());
    let nobody = codes::sent_to.eq(None::<&str>);
    pg.run(|conn| {
        update(codes::table.filter(codes::buyer.eq_any(theirs))).set(nobody).execute(conn)?;
        if let Some(email) = email {
            let sent = codes::table.filter(codes::sent_to.is_not_null());
            let sent: Vec<(i64, Option<String>)> = sent.select((codes::id, codes::sent_to)).load(conn)?;
            let is_theirs = |to: &Option<String>| {
                to.as_deref().is_some_and(|to| Email::parse(to).is_ok_and(|to| to.key() == email.key()))
            };
            let ids: Vec<i64> = sent.into_iter().filter(|(_, to)| is_theirs(to)).map(|(id, _)| id).collect();
            update(codes::table.filter(codes::id.eq_any(ids))).set(nobody).execute(conn)?;
        }
        Ok(())
    })
}

pub(super) fn update_suspension(
    pg: &mut Pg<'_>,
    purchase: &PurchaseKey,
    suspended_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    let theirs = codes::table.filter(codes::purchase.eq(purchase.as_str()));
    let unused = theirs.filter(codes::redeemed_at.is_null()).filter(codes::revoked_at.is_null());
    pg.run(|conn| match suspended_at {
        Some(at) => update(unused).set(codes::suspended_at.eq(to_db(at))).execute(conn).map(|_| ()),
        None => update(theirs).set(codes::suspended_at.eq(None::<DateTime<Utc>>)).execute(conn).map(|_| ()),
    })
}

pub(super) fn mark_revoked(pg: &mut Pg<'_>, purchase: &PurchaseKey, now: Timestamp) -> Result<(), StoreError> {
    let theirs = codes::table.filter(codes::purchase.eq(purchase.as_str())).filter(codes::revoked_at.is_null());
    pg.run(|conn| update(theirs).set(codes::revoked_at.eq(to_db(now))).execute(conn).map(|_| ()))
}

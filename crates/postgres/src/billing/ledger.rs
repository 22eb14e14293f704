//! The ledger in Postgres.

use ::billing::{Account, Movement, PurchaseKey};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, Insertable, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper,
    insert_into, sql_types::BigInt,
};
use kernel::{Money, PayerId, Period, StoreError, UserId};

use super::{small, terms_from, unsigned};
use crate::{
    Pg,
    schema::{ledger_entries, ledger_transactions, payers},
    statement::statement,
    time::{from_db, to_db},
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = ledger_transactions)]
struct Row {
    payer_id: i64,
    key: String,
    kind: String,
    purchase: String,
    plan_id: String,
    plan_name: String,
    amount_cents: i64,
    fee_cents: i64,
    starts_at: Option<DateTime<Utc>>,
    ends_at: Option<DateTime<Utc>>,
    reference: Option<String>,
    months: Option<i32>,
    renewal_cents: Option<i64>,
    renewal_months: Option<i32>,
    next_charge_cents: Option<i64>,
    infographics: i32,
    occurred_at: DateTime<Utc>,
}

impl Row {
    fn of(payer: PayerId, movement: &Movement) -> Result<Self, StoreError> {
        let movement = movement.clone();
        Ok(Self {
            payer_id: payer.get(),
            key: movement.key,
            kind: movement.kind.as_str().to_owned(),
            purchase: movement.purchase.to_string(),
            plan_id: movement.plan_id,
            plan_name: movement.plan_name,
            amount_cents: movement.amount.cents(),
            fee_cents: movement.fee.cents(),
            starts_at: movement.period.map(|period| to_db(period.starts_at)),
            ends_at: movement.period.and_then(|period| period.ends_at).map(to_db),
            reference: movement.reference,
            months: movement.months.map(small).transpose()?,
            renewal_cents: movement.renewal.map(|terms| terms.price.cents()),
            renewal_months: movement.renewal.map(|terms| small(terms.months)).transpose()?,
            next_charge_cents: movement.next_charge.map(Money::cents),
            infographics: small(movement.infographics)?,
            occurred_at: to_db(movement.at),
        })
    }

    fn into_movement(self) -> Result<Movement, StoreError> {
        let renewal = terms_from(self.renewal_cents, self.renewal_months)?;
        let ends_at = self.ends_at.map(from_db);
        Ok(Movement {
            key: self.key,
            at: from_db(self.occurred_at),
            purchase: PurchaseKey::new(self.purchase),
            kind: self.kind.parse().map_err(StoreError::new)?,
            plan_id: self.plan_id,
            plan_name: self.plan_name,
            amount: Money::from_cents(self.amount_cents),
            fee: Money::from_cents(self.fee_cents),
            period: self.starts_at.map(|start| Period { starts_at: from_db(start), ends_at }),
            reference: self.reference,
            months: self.months.map(unsigned).transpose()?,
            renewal,
            next_charge: self.next_charge_cents.map(Money::from_cents),
            infographics: unsigned(self.infographics)?,
        })
    }
}

pub(super) fn insert(pg: &mut Pg<'_>, payer: PayerId, movement: &Movement) -> Result<bool, StoreError> {
    let row = Row::of(payer, movement)?;
    let inserted: Option<i64> = pg.run(|conn| {
        insert_into(ledger_transactions::table)
            .values(&row)
            .on_conflict(ledger_transactions::key)
            .do_nothing()
            .returning(ledger_transactions::id)
            .get_result(conn)
            .optional()
    })?;
    let Some(id) = inserted else { return Ok(false) };
    let entries: Vec<_> = movement
        .entries()
        .into_iter()
        .map(|entry| {
            (
                ledger_entries::transaction_id.eq(id),
                ledger_entries::account.eq(entry.account.as_str()),
                ledger_entries::amount_cents.eq(entry.amount.cents()),
            )
        })
        .collect();
    if !entries.is_empty() {
        pg.run(|conn| insert_into(ledger_entries::table).values(entries).execute(conn))?;
    }
    Ok(true)
}

fn movements(rows: Vec<Row>) -> Result<Vec<Movement>, StoreError> {
    rows.into_iter().map(Row::into_movement).collect()
}

pub(super) fn of_member<A>(pg: &mut Pg<'_, A>, member: UserId) -> Result<Vec<Movement>, StoreError> {
    let rows = pg.run(|conn| {
        ledger_transactions::table
            .inner_join(payers::table)
            .filter(payers::user_id.eq(member.get()))
            .order((ledger_transactions::occurred_at, ledger_transactions::id))
            .select(Row::as_select())
            .load(conn)
    })?;
    movements(rows)
}

pub(super) fn of_payer<A>(pg: &mut Pg<'_, A>, payer: PayerId) -> Result<Vec<Movement>, StoreError> {
    let rows = pg.run(|conn| {
        ledger_transactions::table
            .filter(ledger_transactions::payer_id.eq(payer.get()))
            .order((ledger_transactions::occurred_at, ledger_transactions::id))
            .select(Row::as_select())
            .load(conn)
    })?;
    movements(rows)
}

pub(super) fn find<A>(pg: &mut Pg<'_, A>, key: &str) -> Result<Option<(PayerId, Movement)>, StoreError> {
    let found = pg.run(|conn| {
        ledger_transactions::table
            .filter(ledger_transactions::key.eq(key))
            .select(Row::as_select())
            .first(conn)
            .optional()
    })?;
    found.map(|row| Ok((PayerId::from_store(row.payer_id), row.into_movement()?))).transpose()
}

pub(super) fn payer_of_purchase<A>(pg: &mut Pg<'_, A>, purchase: &PurchaseKey) -> Result<Option<PayerId>, StoreError> {
    let found: Option<i64> = pg.run(|conn| {
        ledger_transactions::table
            .filter(ledger_transactions::purchase.eq(purchase.as_str()))
            .order(ledger_transactions::id)
            .select(ledger_transactions::payer_id)
            .first(conn)
            .optional()
    })?;
    Ok(found.map(PayerId::from_store))
}

statement! {
    /// What is summed and the entries since: a transaction of a greater id is in no sum. The order makes Postgres read them by the
    /// index, which it would not expect to be few. It sums bigints as numeric, which Diesel does not read here, hence the cast.
    Balances {} -> (diesel::sql_types::Text, BigInt) = [
        "SELECT account, sum(amount_cents)::bigint FROM (
            SELECT account, amount_cents FROM ledger_sums
            UNION ALL SELECT account, amount_cents FROM (
                SELECT account, amount_cents FROM ledger_entries
                WHERE transaction_id > (SELECT coalesce(max(through_id), 0) FROM ledger_sums) ORDER BY transaction_id
            ) since
        ) parts GROUP BY account ORDER BY account"
    ]
}

statement! {
    WrongSums {} -> diesel::sql_types::Text = [
        "SELECT s.account FROM ledger_sums s WHERE s.amount_cents <> (
            SELECT coalesce(sum(e.amount_cents), 0) FROM ledger_entries e
            WHERE e.account = s.account AND e.transaction_id <= s.through_id
        ) ORDER BY s.account"
    ]
}

statement! {
    /// Moves the sums on to the last transaction that was recorded more than a day ago. Ids are given in no order of commits, but
    /// by then those of all smaller ids are long over, so that none can appear later. Of two runs at once the one that reaches
    /// further stays.
    SumAccounts {} -> () = [
        "WITH bounds AS (
            SELECT (SELECT coalesce(max(through_id), 0) FROM ledger_sums) AS summed,
                (SELECT id FROM ledger_transactions WHERE recorded_at < now() - interval '1 day' ORDER BY id DESC LIMIT 1) AS next
        )
        INSERT INTO ledger_sums (account, through_id, amount_cents)
        SELECT p.account, b.next, sum(p.amount_cents) FROM bounds b, LATERAL (
            SELECT account, amount_cents FROM ledger_sums
            UNION ALL SELECT account, amount_cents FROM ledger_entries
            WHERE transaction_id > b.summed AND transaction_id <= b.next
        ) p WHERE b.next > b.summed GROUP BY p.account, b.next
        ON CONFLICT (account) DO UPDATE SET through_id = excluded.through_id, amount_cents = excluded.amount_cents
            WHERE excluded.through_id > ledger_sums.through_id"
    ]
}

pub(super) fn balances<A>(pg: &mut Pg<'_, A>) -> Result<Vec<(Account, Money)>, StoreError> {
    let rows: Vec<(String, i64)> = pg.run(|conn| Balances {}.load(conn))?;
    rows.into_iter()
        .map(|(account, cents)| Ok((account.parse().map_err(StoreError::new)?, Money::from_cents(cents))))
        .collect()
}

pub(super) fn wrong_sums<A>(pg: &mut Pg<'_, A>) -> Result<Vec<Account>, StoreError> {
    let accounts: Vec<String> = pg.run(|conn| WrongSums {}.load(conn))?;
    accounts.iter().map(|account| account.parse().map_err(StoreError::new)).collect()
}

pub(super) fn sum_accounts(pg: &mut Pg<'_>) -> Result<(), StoreError> {
    pg.run(|conn| SumAccounts {}.execute(conn).map(|_| ()))
}

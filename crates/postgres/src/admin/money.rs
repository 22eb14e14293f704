//! Money across domains, as the back office lists it, in Postgres.

use admin::{
    CodeFilter, CodeRow, CodeState, DisputeRow, DisputeState, EarnerRow, FailedRenewalRow, LedgerFilter, LedgerRow,
    MoneyQueries, OrderFilter, OrderRow, OrderState, PayingMember, RefundCommands, RefundGrounds, RefundReason,
    TeamRow,
};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, RunQueryDsl, insert_into,
    sql_types::{Array, BigInt, Bool, Int4, Nullable, Text, Timestamptz},
};
use kernel::{Limit, ListTotal, Money, Page, StoreError, Timestamp, UserId};

use crate::{
    Pg,
    built_statement::{BuiltStatement, Value, beginning, containing, count_rows},
    schema::refund_reasons,
    time::{from_db, to_db},
};

type NullableMember = (Nullable<BigInt>, Nullable<Text>);
type StoredMember = (Option<i64>, Option<String>);

fn member((id, email): StoredMember) -> Option<PayingMember> {
    let (id, email) = id.zip(email)?;
    Some(PayingMember { id: UserId::from_store(id), email })
}

fn count(number: i64) -> u64 {
    number.unsigned_abs()
}

type OrderTypes = (
    (BigInt, Text, Timestamptz, NullableMember, Nullable<Text>, Text, Text),
    (BigInt, BigInt, BigInt, Text, Text, Nullable<Text>, Nullable<Text>, Int4),
    (Nullable<Text>, Nullable<Timestamptz>, Nullable<BigInt>, Nullable<Int4>),
);
type StoredOrder = (
    (i64, String, DateTime<Utc>, StoredMember, Option<String>, String, String),
    (i64, i64, i64, String, String, Option<String>, Option<String>, i32),
    (Option<String>, Option<DateTime<Utc>>, Option<i64>, Option<i32>),
);

fn order(row: StoredOrder) -> Result<OrderRow, StoreError> {
    let (number, purchase, at, payer, guest_email, plan_id, plan_name) = row.0;
    let (amount, refunded, fee, state, provider, provider_id, coupon, quantity) = row.1;
    let (referral, trial_ends_at, renewal, months) = row.2;
    let state = OrderState::ALL.into_iter().find(|one| one.as_str() == state);
    Ok(OrderRow {
        number,
        purchase,
        at: from_db(at),
        member: member(payer),
        guest_email,
        plan_id,
        plan_name,
        amount: Money::from_cents(amount),
        refunded: Money::from_cents(refunded),
        fee: Money::from_cents(fee),
        state: state.ok_or_else(|| StoreError::new("an order has an unknown state"))?,
        provider,
        provider_id,
        coupon,
        quantity: quantity.unsigned_abs(),
        referral,
        trial_ends_at: trial_ends_at.map(from_db),
        renewal: renewal.zip(months).map(|(price, months)| (Money::from_cents(price), months.unsigned_abs())),
    })
}

/// Orders with the totals of their ledger entries, as the rest of a statement from `FROM` on, with more columns and what these are
/// joined from.
macro_rules! orders {
    ($columns:literal, $joins:literal) => {
        concat!(
            "FROM (
    SELECT k.number, k.reference, k.payer_id, k.created_at, k.plan_id, k.plan_name, k.state AS checkout,
        CASE WHEN l.charges > 0 THEN l.charged ELSE k.first_charge_cents END AS amount, l.refunded, l.fee,
        CASE
            WHEN l.disputes > 0 THEN 'disputed'
            WHEN l.charged > 0 AND l.refunded >= l.charged THEN 'refunded'
            WHEN l.refunded > 0 THEN 'partly_refunded'
            WHEN k.state IN ('started', 'submitted', 'needs_action') THEN 'pending'
            WHEN k.state = 'price_changed' THEN 'price_changed'
            WHEN k.state = 'declined' OR l.charges + l.trials = 0 AND k.state = 'reconciled' THEN 'failed'
            ELSE 'paid'
        END AS state,
        k.provider, k.provider_id, k.coupon, k.quantity, k.referral, k.trial_ends_at, k.renewal_cents, k.renewal_months",
            $columns,
            "
    FROM checkouts k",
            $joins,
            "
    LEFT JOIN LATERAL (
        SELECT coalesce(sum(amount_cents) FILTER (WHERE kind = 'charged'), 0)::bigint AS charged,
            coalesce(sum(amount_cents) FILTER (WHERE kind = 'refunded'), 0)::bigint AS refunded,
            coalesce(sum(fee_cents), 0)::bigint AS fee,
            count(*) FILTER (WHERE kind = 'charged') AS charges,
            count(*) FILTER (WHERE kind = 'trial_started') AS trials,
            count(*) FILTER (WHERE kind = 'disputed') - count(*) FILTER (WHERE kind = 'dispute_won') AS disputes
        FROM ledger_transactions WHERE purchase = k.reference
    ) l ON true
) o WHERE true"
        )
    };
}

const ORDERS: &str = orders!(
    ", u.id AS user_id, u.email AS user_email, CASE WHEN p.is_guest THEN p.email END AS guest_email",
    " JOIN payers p ON p.id = k.payer_id LEFT JOIN users u ON u.id = p.user_id"
);

/// For a count that does not search for payers: joining them would take most of its time.
const ORDERS_WITHOUT_PAYERS: &str = orders!("", "");

const ORDER_COLUMNS: &str =
    "SELECT o.number, o.reference, o.created_at, o.user_id, o.user_email, o.guest_email, o.plan_id, o.plan_name,
    o.amount, o.refunded, o.fee, o.state, o.provider, o.provider_id, o.coupon, o.quantity,
    o.referral, o.trial_ends_at, o.renewal_cents, o.renewal_months ";

/// A condition that every order of a state fulfills and that is decided without its totals: they are then computed for few orders.
const fn needed_for(state: OrderState) -> &'static str {
    match state {
        OrderState::Disputed => {
            " AND o.reference IN (SELECT purchase FROM ledger_transactions WHERE kind = 'disputed')"
        }
        OrderState::Refunded | OrderState::PartlyRefunded => {
            " AND o.reference IN (SELECT purchase FROM ledger_transactions WHERE kind = 'refunded')"
        }
        OrderState::Pending => " AND o.checkout IN ('started', 'submitted', 'needs_action')",
        OrderState::PriceChanged => " AND o.checkout = 'price_changed'",
        OrderState::Failed => " AND o.checkout IN ('declined', 'reconciled')",
        OrderState::Paid => " AND o.checkout IN ('paid', 'reconciled')",
    }
}

/// Whether most of what [`needed_for`] keeps is in the state. Its condition then stands in `coalesce`, of which Postgres expects half of the
/// rows to fulfill it, and reads in the order of the list until a page is full. Otherwise it expects one in two hundred, and reads all that is
/// needed first.
const fn is_common_among_needed(state: OrderState) -> bool {
    match state {
        OrderState::Refunded
        | OrderState::Pending
        | OrderState::PriceChanged
        | OrderState::Failed
        | OrderState::Paid => true,
        OrderState::Disputed | OrderState::PartlyRefunded => false,
    }
}

/// Whose addresses are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchedPayers {
    /// Members, and guests by the address that they typed.
    All,
    Members,
}

/// The payers of a searched text: those whose address contains it, or too many to name each.
#[derive(Clone, Debug)]
enum FoundPayers {
    These(Vec<i64>),
    /// The order of the list finds a page of them sooner than an index. Each text is compared by itself, because Postgres then knows from
    /// its statistics how many rows have it.
    Many,
}

impl FoundPayers {
    /// More are not named: finding them would take longer than the order of the list.
    const MOST: u16 = 2_000;

    fn of<A>(pg: &mut Pg<'_, A>, text: Option<&String>, searched: SearchedPayers) -> Result<Self, StoreError> {
        // No index finds fewer than three characters.
        let Some(text) = text.filter(|text| text.chars().count() > 2) else { return Ok(Self::Many) };
        let limit = i64::from(Self::MOST) + 1;
        let mut select: BuiltStatement<BigInt> = BuiltStatement::new(
            "SELECT p.id FROM (
                SELECT id FROM users WHERE lower(first_name || ' ' || last_name || ' ' || email) LIKE lower(",
        );
        select.value(containing(text)).sql(") AND lower(email) LIKE lower(").value(containing(text)).sql(")");
        select.limit(limit).sql(") u JOIN payers p ON p.user_id = u.id");
        if searched == SearchedPayers::All {
            select.sql(" UNION ALL (SELECT id FROM payers WHERE is_guest AND lower(email) LIKE lower(");
            select.value(containing(text)).sql(")").limit(limit).sql(")");
        }
        select.plan_each_time();
        let found: Vec<i64> = pg.run(|conn| select.load(conn))?;
        Ok(if found.len() > usize::from(Self::MOST) { Self::Many } else { Self::These(found) })
    }
}

fn restrict_orders<Row>(select: &mut BuiltStatement<Row>, filter: &OrderFilter, payers: &FoundPayers) {
    if let Some(text) = &filter.text {
        select.plan_each_time();
        match payers {
            FoundPayers::These(payers) => {
                select.sql(" AND (o.payer_id = ANY(").value(Value::Ints(payers.clone()));
                select.sql(") OR lower(o.plan_name) LIKE lower(").value(containing(text)).sql(")");
            }
            FoundPayers::Many => {
                select.sql(" AND (lower(o.user_email) LIKE lower(").value(containing(text));
                select.sql(") OR lower(o.guest_email) LIKE lower(").value(containing(text));
                select.sql(") OR lower(o.plan_name) LIKE lower(").value(containing(text)).sql(")");
            }
        }
        select.sql(" OR o.provider_id = ").value(Value::Text(text.clone()));
        select.sql(" OR o.reference = ").value(Value::Text(text.clone()));
        select.sql(" OR lower(o.coupon) = lower(").value(Value::Text(text.clone())).sql(")");
        if let Ok(number) = text.trim_start_matches('#').parse() {
            select.sql(" OR o.number = ").value(Value::Int(number));
        }
        select.sql(")");
    }
    if let Some(state) = filter.state {
        let (begin, end) = if is_common_among_needed(state) { ("coalesce(", ", false)") } else { ("", "") };
        select.sql(" AND ").sql(begin).sql("o.state = ").value(Value::Text(state.as_str().to_owned())).sql(end);
        select.sql(needed_for(state));
    }
    if let Some(plan) = &filter.plan {
        select.sql(" AND o.plan_id = ").value(Value::Text(plan.clone()));
    }
    if let Some(provider) = &filter.provider {
        select.sql(" AND o.provider = ").value(Value::Text(provider.clone()));
    }
    if let Some(from) = filter.from {
        select.sql(" AND o.created_at >= ").value(Value::Time(to_db(from)));
    }
    if let Some(to) = filter.to {
        select.sql(" AND o.created_at < ").value(Value::Time(to_db(to)));
    }
}

/// The ledger, as the rest of a statement from `FROM` on.
const LEDGER: &str = "FROM ledger_transactions t
    JOIN payers p ON p.id = t.payer_id
    LEFT JOIN users u ON u.id = p.user_id
    LEFT JOIN refund_reasons r ON r.movement = t.key
    WHERE true";

/// For a count that does not search for payers.
const LEDGER_WITHOUT_PAYERS: &str = "FROM ledger_transactions t WHERE true";

fn restrict_ledger<Row>(select: &mut BuiltStatement<Row>, filter: &LedgerFilter, payers: &FoundPayers) {
    if let Some(text) = &filter.text {
        select.plan_each_time();
        match payers {
            FoundPayers::These(payers) => {
                select.sql(" AND (t.payer_id = ANY(").value(Value::Ints(payers.clone()));
                select.sql(") OR lower(t.purchase || ' ' || t.key || ' ' || t.plan_name) LIKE lower(");
                select.value(containing(text)).sql("))");
            }
            FoundPayers::Many => {
                select.sql(" AND (lower(u.email) LIKE lower(").value(containing(text));
                select.sql(") OR p.is_guest AND lower(p.email) LIKE lower(").value(containing(text));
                select.sql(") OR lower(t.purchase || ' ' || t.key || ' ' || t.plan_name) LIKE lower(");
                select.value(containing(text)).sql("))");
            }
        }
    }
    if let Some(kind) = &filter.kind {
        select.sql(" AND t.kind = ").value(Value::Text(kind.clone()));
    }
    if let Some(member) = filter.member {
        select.sql(" AND p.user_id = ").value(Value::Int(member.get()));
    }
    if let Some(purchase) = &filter.purchase {
        select.sql(" AND t.purchase = ").value(Value::Text(purchase.clone()));
    }
    if let Some(from) = filter.from {
        select.sql(" AND t.occurred_at >= ").value(Value::Time(to_db(from)));
    }
    if let Some(to) = filter.to {
        select.sql(" AND t.occurred_at < ").value(Value::Time(to_db(to)));
    }
}

type LedgerTypes = (
    (BigInt, Text, Text, Timestamptz, Timestamptz, NullableMember, Nullable<Text>),
    (Text, Text, BigInt, BigInt, Nullable<Text>),
    (Nullable<Text>, Nullable<Text>, Array<Text>, Array<BigInt>),
);
type StoredLedger = (
    (i64, String, String, DateTime<Utc>, DateTime<Utc>, StoredMember, Option<String>),
    (String, String, i64, i64, Option<String>),
    (Option<String>, Option<String>, Vec<String>, Vec<i64>),
);

fn ledger_row(row: StoredLedger) -> Result<LedgerRow, StoreError> {
    let (id, key, kind, at, recorded_at, payer, guest_email) = row.0;
    let (purchase, plan_name, amount, fee, reference) = row.1;
    let (reason, note, accounts, amounts) = row.2;
    let grounds = reason.map(|reason| {
        let reason = RefundReason::of_name(&reason);
        let reason = reason.ok_or_else(|| StoreError::new("a refund has an unknown reason"))?;
        Ok::<_, StoreError>(RefundGrounds { reason, note })
    });
    Ok(LedgerRow {
        id,
        key,
        kind,
        at: from_db(at),
        recorded_at: from_db(recorded_at),
        member: member(payer),
        guest_email,
        purchase,
        plan_name,
        amount: Money::from_cents(amount),
        fee: Money::from_cents(fee),
        reference,
        grounds: grounds.transpose()?,
        entries: accounts.into_iter().zip(amounts.into_iter().map(Money::from_cents)).collect(),
    })
}

type TeamTypes =
    ((BigInt, Text, NullableMember, Nullable<Text>, Timestamptz), (BigInt, BigInt, BigInt, BigInt, BigInt));
type StoredTeam = ((i64, String, StoredMember, Option<String>, DateTime<Utc>), (i64, i64, i64, i64, i64));

fn team(row: StoredTeam) -> TeamRow {
    let (order, purchase, buyer, guest_email, bought_at) = row.0;
    let (seats, used, sent, revoked, amount) = row.1;
    TeamRow {
        order,
        purchase,
        buyer: member(buyer),
        guest_email,
        bought_at: from_db(bought_at),
        seats: count(seats),
        used: count(used),
        sent: count(sent),
        revoked: count(revoked),
        amount: Money::from_cents(amount),
    }
}

/// Begins a statement that reads purchases of team seats from `checkouts k`.
fn select_teams() -> BuiltStatement<TeamTypes> {
    BuiltStatement::new(
        "SELECT k.number, k.reference, u.id, u.email, CASE WHEN p.is_guest THEN p.email END, k.created_at,
            c.seats, c.used, c.sent, c.revoked,
            (SELECT coalesce(sum(amount_cents), 0)::bigint FROM ledger_transactions
             WHERE purchase = k.reference AND kind = 'charged')
        FROM checkouts k
        JOIN payers p ON p.id = k.payer_id
        LEFT JOIN users u ON u.id = p.user_id
        JOIN LATERAL (
            SELECT count(*) AS seats, count(redeemed_at) AS used, count(sent_to) AS sent, count(revoked_at) AS revoked
            FROM codes WHERE purchase = k.reference AND kind = 'bulk'
        ) c ON c.seats > 0
        WHERE k.reference IN (SELECT purchase FROM codes WHERE kind = 'bulk')",
    )
}

type CodeTypes = (
    (BigInt, Text, Text, Text, Nullable<Int4>, Timestamptz),
    (NullableMember, Nullable<Timestamptz>, Nullable<Timestamptz>, Nullable<Text>),
);
type StoredCode = (
    (i64, String, String, String, Option<i32>, DateTime<Utc>),
    (StoredMember, Option<DateTime<Utc>>, Option<DateTime<Utc>>, Option<String>),
);

fn code(row: StoredCode) -> CodeRow {
    let (id, code, kind, plan_name, months, created_at) = row.0;
    let (redeemer, redeemed_at, revoked_at, sent_to) = row.1;
    CodeRow {
        id,
        code,
        kind,
        plan_name,
        months: months.map(i32::unsigned_abs),
        created_at: from_db(created_at),
        redeemed_by: member(redeemer),
        redeemed_at: redeemed_at.map(from_db),
        revoked_at: revoked_at.map(from_db),
        sent_to,
    }
}

const CODES: &str =
    "FROM codes c LEFT JOIN payers p ON p.id = c.redeemed_by LEFT JOIN users u ON u.id = p.user_id WHERE true";

fn select_codes() -> BuiltStatement<CodeTypes> {
    let mut select = BuiltStatement::new(
        "SELECT c.id, c.code, c.kind, c.plan_name, c.months, c.created_at, u.id, u.email, c.redeemed_at, c.revoked_at, c.sent_to ",
    );
    select.sql(CODES);
    select
}

fn restrict_codes<Row>(select: &mut BuiltStatement<Row>, filter: &CodeFilter, redeemers: &FoundPayers) {
    if let Some(text) = &filter.text {
        select.plan_each_time();
        select.sql(" AND (c.code LIKE upper(replace(").value(beginning(text)).sql(", '-', ''))");
        match redeemers {
            FoundPayers::These(payers) => {
                select.sql(" OR c.redeemed_by = ANY(").value(Value::Ints(payers.clone())).sql("))");
            }
            FoundPayers::Many => {
                select.sql(" OR c.redeemed_by IS NOT NULL AND lower(u.email) LIKE lower(");
                select.value(containing(text)).sql("))");
            }
        }
    }
    match filter.state {
        // Who redeemed a code is indexed, and set whenever the time is.
        Some(CodeState::Free) => select.sql(" AND c.redeemed_by IS NULL AND c.revoked_at IS NULL"),
        Some(CodeState::Redeemed) => select.sql(" AND c.redeemed_by IS NOT NULL AND c.revoked_at IS NULL"),
        Some(CodeState::Revoked) => select.sql(" AND c.revoked_at IS NOT NULL"),
        None => select,
    };
    if let Some(kind) = &filter.kind {
        select.sql(" AND c.kind = ").value(Value::Text(kind.clone()));
    }
    if let Some(purchase) = &filter.purchase {
        select.sql(" AND c.purchase = ").value(Value::Text(purchase.clone()));
    }
}

type EarnerTypes = (BigInt, Text, Bool, BigInt, Nullable<Timestamptz>);
type StoredEarner = (i64, String, bool, i64, Option<DateTime<Utc>>);

fn earner((id, email, is_affiliate, purchases, last_paid_at): StoredEarner) -> EarnerRow {
    EarnerRow {
        member: PayingMember { id: UserId::from_store(id), email },
        is_affiliate,
        purchases: count(purchases),
        last_paid_at: last_paid_at.map(from_db),
    }
}

/// Begins a statement that reads members with rewards from `referral_rewards w`, up to its conditions on them.
fn select_earners() -> BuiltStatement<EarnerTypes> {
    BuiltStatement::new(
        "SELECT u.id, u.email, r.is_affiliate, r.purchases,
            (SELECT max(paid_at) FROM referral_payouts WHERE user_id = u.id)
        FROM (
            SELECT w.user_id, count(*) AS purchases, bool_or(w.kind = 'affiliate') AS is_affiliate
            FROM referral_rewards w WHERE true",
    )
}

/// Ends such a statement.
const EARNERS: &str = " GROUP BY w.user_id ORDER BY w.user_id LIMIT ";
const OF_USERS: &str = ") r JOIN users u ON u.id = r.user_id ORDER BY u.id";

fn before<Row>(select: &mut BuiltStatement<Row>, column: &'static str, before: Option<i64>) {
    if let Some(before) = before {
        select.sql(" AND ").sql(column).sql(" < ").value(Value::Int(before));
    }
}

fn newest<Row>(select: &mut BuiltStatement<Row>, column: &'static str, limit: Limit) {
    select.sql(" ORDER BY ").sql(column).sql(" DESC").limit(limit.with_surplus());
}

fn orders_of<A>(
    pg: &mut Pg<'_, A>,
    filter: &OrderFilter,
    payers: &FoundPayers,
    after: Option<i64>,
    limit: Limit,
) -> Result<Page<OrderRow, i64>, StoreError> {
    let mut select: BuiltStatement<OrderTypes> = BuiltStatement::new(ORDER_COLUMNS);
    select.sql(ORDERS);
    restrict_orders(&mut select, filter, payers);
    before(&mut select, "o.number", after);
    newest(&mut select, "o.number", limit);
    let rows: Vec<StoredOrder> = pg.run(|conn| select.load(conn))?;
    let rows = rows.into_iter().map(order).collect::<Result<_, _>>()?;
    Ok(Page::from_surplus(rows, limit, |row| row.number))
}

fn ledger_rows_of<A>(
    pg: &mut Pg<'_, A>,
    filter: &LedgerFilter,
    payers: &FoundPayers,
    after: Option<i64>,
    limit: Limit,
) -> Result<Page<LedgerRow, i64>, StoreError> {
    let mut select: BuiltStatement<LedgerTypes> = BuiltStatement::new(
        "SELECT t.id, t.key, t.kind, t.occurred_at, t.recorded_at, u.id, u.email, CASE WHEN p.is_guest THEN p.email END,
            t.purchase, t.plan_name, t.amount_cents, t.fee_cents, t.reference, r.reason, r.note,
            ARRAY(SELECT account FROM ledger_entries WHERE transaction_id = t.id ORDER BY account),
            ARRAY(SELECT amount_cents FROM ledger_entries WHERE transaction_id = t.id ORDER BY account) ",
    );
    select.sql(LEDGER);
    restrict_ledger(&mut select, filter, payers);
    before(&mut select, "t.id", after);
    newest(&mut select, "t.id", limit);
    let rows: Vec<StoredLedger> = pg.run(|conn| select.load(conn))?;
    let rows = rows.into_iter().map(ledger_row).collect::<Result<_, _>>()?;
    Ok(Page::from_surplus(rows, limit, |row| row.id))
}

fn code_rows_of<A>(
    pg: &mut Pg<'_, A>,
    filter: &CodeFilter,
    redeemers: &FoundPayers,
    after: Option<i64>,
    limit: Limit,
) -> Result<Page<CodeRow, i64>, StoreError> {
    let mut select = select_codes();
    restrict_codes(&mut select, filter, redeemers);
    before(&mut select, "c.id", after);
    newest(&mut select, "c.id", limit);
    let rows: Vec<StoredCode> = pg.run(|conn| select.load(conn))?;
    Ok(Page::from_surplus(rows.into_iter().map(code).collect(), limit, |row| row.id))
}

impl<A> MoneyQueries for Pg<'_, A> {
    fn orders(
        &mut self,
        filter: &OrderFilter,
        after: Option<i64>,
        limit: Limit,
    ) -> Result<Page<OrderRow, i64>, StoreError> {
        let payers = FoundPayers::of(self, filter.text.as_ref(), SearchedPayers::All)?;
        orders_of(self, filter, &payers, after, limit)
    }

    fn counted_orders(
        &mut self,
        filter: &OrderFilter,
        after: Option<i64>,
        limit: Limit,
    ) -> Result<(Page<OrderRow, i64>, ListTotal), StoreError> {
        let payers = FoundPayers::of(self, filter.text.as_ref(), SearchedPayers::All)?;
        let page = orders_of(self, filter, &payers, after, limit)?;
        let needs_addresses = filter.text.is_some() && matches!(payers, FoundPayers::Many);
        let from = if needs_addresses { ORDERS } else { ORDERS_WITHOUT_PAYERS };
        Ok((page, count_rows(self, from, |select| restrict_orders(select, filter, &payers))?))
    }

    fn order(&mut self, number: i64) -> Result<Option<OrderRow>, StoreError> {
        let mut select: BuiltStatement<OrderTypes> = BuiltStatement::new(ORDER_COLUMNS);
        select.sql(ORDERS).sql(" AND o.number = ").value(Value::Int(number));
        let row: Option<StoredOrder> = self.run(|conn| select.get_result(conn).optional())?;
        row.map(order).transpose()
    }

    fn order_of_purchase(&mut self, purchase: &str) -> Result<Option<OrderRow>, StoreError> {
        let mut select: BuiltStatement<OrderTypes> = BuiltStatement::new(ORDER_COLUMNS);
        select.sql(ORDERS).sql(" AND o.reference = ").value(Value::Text(purchase.to_owned()));
        let row: Option<StoredOrder> = self.run(|conn| select.get_result(conn).optional())?;
        row.map(order).transpose()
    }

    fn ledger_rows(
        &mut self,
        filter: &LedgerFilter,
        after: Option<i64>,
        limit: Limit,
    ) -> Result<Page<LedgerRow, i64>, StoreError> {
        let payers = FoundPayers::of(self, filter.text.as_ref(), SearchedPayers::All)?;
        ledger_rows_of(self, filter, &payers, after, limit)
    }

    fn counted_ledger_rows(
        &mut self,
        filter: &LedgerFilter,
        after: Option<i64>,
        limit: Limit,
    ) -> Result<(Page<LedgerRow, i64>, ListTotal), StoreError> {
        let payers = FoundPayers::of(self, filter.text.as_ref(), SearchedPayers::All)?;
        let page = ledger_rows_of(self, filter, &payers, after, limit)?;
        let needs_payers = filter.member.is_some() || filter.text.is_some() && matches!(payers, FoundPayers::Many);
        let from = if needs_payers { LEDGER } else { LEDGER_WITHOUT_PAYERS };
        Ok((page, count_rows(self, from, |select| restrict_ledger(select, filter, &payers))?))
    }

    fn failed_renewals(&mut self, after: Option<i64>, limit: Limit) -> Result<Page<FailedRenewalRow, i64>, StoreError> {
        type Types = ((BigInt, NullableMember, Nullable<Text>, Text, BigInt), (Timestamptz, BigInt, Text));
        type Stored = ((i64, StoredMember, Option<String>, String, i64), (DateTime<Utc>, i64, String));
        let mut select: BuiltStatement<Types> = BuiltStatement::new(
            "SELECT k.number, u.id, u.email, CASE WHEN p.is_guest THEN p.email END, k.plan_name, s.next_charge_cents, f.failed_at, f.attempts, k.provider
            FROM subscriptions s
            JOIN checkouts k ON k.reference = s.purchase
            JOIN payers p ON p.id = s.payer_id
            LEFT JOIN users u ON u.id = p.user_id
            JOIN LATERAL (
                SELECT min(occurred_at) AS failed_at, count(*) AS attempts FROM ledger_transactions
                WHERE purchase = s.purchase AND kind = 'charge_failed' AND occurred_at > coalesce(
                    (SELECT max(occurred_at) FROM ledger_transactions WHERE purchase = s.purchase AND kind = 'charged'),
                    '-infinity')
            ) f ON f.attempts > 0
            WHERE NOT EXISTS (SELECT FROM ledger_transactions WHERE purchase = s.purchase AND kind = 'ended')",
        );
        before(&mut select, "k.number", after);
        newest(&mut select, "k.number", limit);
        let rows: Vec<Stored> = self.run(|conn| select.load(conn))?;
        let rows = rows.into_iter().map(|(of_order, (failed_at, attempts, provider))| {
            let (order, payer, guest_email, plan_name, amount) = of_order;
            FailedRenewalRow {
                order,
                member: member(payer),
                guest_email,
                plan_name,
                amount: Money::from_cents(amount),
                failed_at: from_db(failed_at),
                attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
                provider,
            }
        });
        Ok(Page::from_surplus(rows.collect(), limit, |row| row.order))
    }

    fn disputes(
        &mut self,
        state: Option<DisputeState>,
        after: Option<i64>,
        limit: Limit,
    ) -> Result<Page<DisputeRow, i64>, StoreError> {
        type Types = (
            (BigInt, Timestamptz, NullableMember, Nullable<Text>, Text, BigInt, BigInt),
            (Bool, Bool, Nullable<Text>, Nullable<BigInt>),
        );
        type Stored = (
            (i64, DateTime<Utc>, StoredMember, Option<String>, String, i64, i64),
            (bool, bool, Option<String>, Option<i64>),
        );
        let mut select: BuiltStatement<Types> = BuiltStatement::new(
            "SELECT d.* FROM (
                SELECT t.id, t.occurred_at, u.id AS user_id, u.email, CASE WHEN p.is_guest THEN p.email END AS guest_email,
                    t.plan_name, t.amount_cents, t.fee_cents,
                    EXISTS (SELECT FROM ledger_transactions w WHERE w.purchase = t.purchase AND w.kind = 'dispute_won'
                        AND w.reference = t.reference) AS is_won,
                    EXISTS (SELECT FROM ledger_transactions l WHERE l.purchase = t.purchase AND l.kind = 'dispute_lost'
                        AND l.reference = t.reference) AS is_lost,
                    k.provider, k.number
                FROM ledger_transactions t
                JOIN payers p ON p.id = t.payer_id
                LEFT JOIN users u ON u.id = p.user_id
                LEFT JOIN checkouts k ON k.reference = t.purchase
                WHERE t.kind = 'disputed'
            ) d WHERE true",
        );
        select.sql(match state {
            None => "",
            Some(DisputeState::Open) => " AND NOT d.is_won AND NOT d.is_lost",
            Some(DisputeState::Won) => " AND d.is_won",
            Some(DisputeState::Lost) => " AND d.is_lost",
        });
        before(&mut select, "d.id", after);
        newest(&mut select, "d.id", limit);
        let rows: Vec<Stored> = self.run(|conn| select.load(conn))?;
        let rows = rows.into_iter().map(|(of_charge, (is_won, is_lost, provider, number))| {
            let (id, at, payer, guest_email, plan_name, amount, fee) = of_charge;
            DisputeRow {
                id,
                at: from_db(at),
                member: member(payer),
                guest_email,
                plan_name,
                amount: Money::from_cents(amount),
                fee: Money::from_cents(fee),
                state: match (is_won, is_lost) {
                    (true, _) => DisputeState::Won,
                    (false, true) => DisputeState::Lost,
                    (false, false) => DisputeState::Open,
                },
                order: provider.zip(number),
            }
        });
        Ok(Page::from_surplus(rows.collect(), limit, |row| row.id))
    }

    fn teams(
        &mut self,
        text: Option<&str>,
        after: Option<i64>,
        limit: Limit,
    ) -> Result<Page<TeamRow, i64>, StoreError> {
        let mut select = select_teams();
        if let Some(text) = text {
            select.sql(" AND strpos(lower(concat_ws(' ', u.email, p.email)), lower(");
            select.value(Value::Text(text.to_owned())).sql(")) > 0");
        }
        before(&mut select, "k.number", after);
        newest(&mut select, "k.number", limit);
        let rows: Vec<StoredTeam> = self.run(|conn| select.load(conn))?;
        Ok(Page::from_surplus(rows.into_iter().map(team).collect(), limit, |row| row.order))
    }

    fn team(&mut self, order: i64) -> Result<Option<TeamRow>, StoreError> {
        let mut select = select_teams();
        select.sql(" AND k.number = ").value(Value::Int(order));
        let row: Option<StoredTeam> = self.run(|conn| select.get_result(conn).optional())?;
        Ok(row.map(team))
    }

    fn code_rows(
        &mut self,
        filter: &CodeFilter,
        after: Option<i64>,
        limit: Limit,
    ) -> Result<Page<CodeRow, i64>, StoreError> {
        let redeemers = FoundPayers::of(self, filter.text.as_ref(), SearchedPayers::Members)?;
        code_rows_of(self, filter, &redeemers, after, limit)
    }

    fn counted_code_rows(
        &mut self,
        filter: &CodeFilter,
        after: Option<i64>,
        limit: Limit,
    ) -> Result<(Page<CodeRow, i64>, ListTotal), StoreError> {
        let redeemers = FoundPayers::of(self, filter.text.as_ref(), SearchedPayers::Members)?;
        let page = code_rows_of(self, filter, &redeemers, after, limit)?;
        Ok((page, count_rows(self, CODES, |select| restrict_codes(select, filter, &redeemers))?))
    }

    fn code_row(&mut self, id: i64) -> Result<Option<CodeRow>, StoreError> {
        let mut select = select_codes();
        select.sql(" AND c.id = ").value(Value::Int(id));
        let row: Option<StoredCode> = self.run(|conn| select.get_result(conn).optional())?;
        Ok(row.map(code))
    }

    fn code_rows_of(&mut self, codes: &[String]) -> Result<Vec<CodeRow>, StoreError> {
        let mut select = select_codes();
        select.sql(" AND c.code = ANY(").value(Value::Texts(codes.to_vec())).sql(") ORDER BY c.id DESC");
        let rows: Vec<StoredCode> = self.run(|conn| select.load(conn))?;
        Ok(rows.into_iter().map(code).collect())
    }

    fn earners(&mut self, after: Option<UserId>, limit: Limit) -> Result<Page<EarnerRow, UserId>, StoreError> {
        let mut select = select_earners();
        if let Some(after) = after {
            select.sql(" AND w.user_id > ").value(Value::Int(after.get()));
        }
        select.sql(EARNERS).value(Value::Int(limit.with_surplus())).sql(OF_USERS);
        let rows: Vec<StoredEarner> = self.run(|conn| select.load(conn))?;
        Ok(Page::from_surplus(rows.into_iter().map(earner).collect(), limit, |row| row.member.id))
    }

    fn earner(&mut self, user: UserId) -> Result<Option<EarnerRow>, StoreError> {
        let mut select = select_earners();
        select.sql(" AND w.user_id = ").value(Value::Int(user.get()));
        select.sql(EARNERS).value(Value::Int(1)).sql(OF_USERS);
        let row: Option<StoredEarner> = self.run(|conn| select.get_result(conn).optional())?;
        Ok(row.map(earner))
    }

    fn count_subscribers(&mut self, now: Timestamp) -> Result<Vec<(String, u64)>, StoreError> {
        let mut select: BuiltStatement<(Text, BigInt)> =
            BuiltStatement::new("SELECT plan_id, count(*) FROM subscriptions WHERE over_at > ");
        select.value(Value::Time(to_db(now))).sql(" GROUP BY plan_id");
        let rows: Vec<(String, i64)> = self.run(|conn| select.load(conn))?;
        Ok(rows.into_iter().map(|(plan, number)| (plan, count(number))).collect())
    }
}

impl RefundCommands for Pg<'_> {
    fn save_refund_grounds(
        &mut self,
        movement: &str,
        grounds: &RefundGrounds,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let said = (
            refund_reasons::reason.eq(grounds.reason.as_str()),
            refund_reasons::note.eq(grounds.note.as_deref()),
            refund_reasons::given_at.eq(to_db(now)),
        );
        let row = (refund_reasons::movement.eq(movement), said);
        self.run(|conn| {
            insert_into(refund_reasons::table)
                .values(row)
                .on_conflict(refund_reasons::movement)
                .do_update()
                .set(said)
                .execute(conn)
                .map(|_| ())
        })
    }
}

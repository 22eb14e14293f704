//! People across domains, as the back office lists them, in Postgres.

use admin::{PeopleFilter, PeopleQueries, PeopleStart, PersonRow, PersonState, ReadingCounts};
use chrono::{DateTime, Utc};
use diesel::{
    OptionalExtension, RunQueryDsl,
    sql_types::{BigInt, Bool, Nullable, Text, Timestamptz},
};
use kernel::{DateCursor, Limit, ListTotal, Page, StoreError, Timestamp, UserId};

use crate::{
    Pg,
    built_statement::{BuiltStatement, Value, containing, count_rows},
    statement::statement,
    time::{from_db, to_db},
};

type PersonTypes = (
    (BigInt, Text, Text, Text, Text, Timestamptz, Bool),
    (Nullable<Timestamptz>, Nullable<Timestamptz>),
    (Nullable<Text>, Nullable<Text>, Nullable<Timestamptz>, Nullable<Timestamptz>, Nullable<Text>),
);
type StoredPerson = (
    (i64, String, String, String, String, DateTime<Utc>, bool),
    (Option<DateTime<Utc>>, Option<DateTime<Utc>>),
    (Option<String>, Option<String>, Option<DateTime<Utc>>, Option<DateTime<Utc>>, Option<String>),
);

fn person(row: StoredPerson) -> PersonRow {
    let (id, first_name, last_name, email, role, created_at, confirmed) = row.0;
    let (suspended_at, last_seen_at) = row.1;
    let (plan_id, plan_name, paid_at, paid_until, payment_method) = row.2;
    PersonRow {
        id: UserId::from_store(id),
        first_name,
        last_name,
        email,
        role,
        created_at: from_db(created_at),
        confirmed,
        suspended_at: suspended_at.map(from_db),
        last_seen_at: last_seen_at.map(from_db),
        plan: plan_id.zip(plan_name),
        paid_at: paid_at.map(from_db),
        paid_until: paid_until.map(from_db),
        payment_method,
    }
}

/// Begins a statement that reads people, up to the conditions on `users u` that choose them, with their order and limit. What belongs to
/// each is then read for those of the page only.
fn select_people() -> BuiltStatement<PersonTypes> {
    BuiltStatement::new(
        "SELECT u.id, u.first_name, u.last_name, u.email, u.role, u.created_at, u.email_confirmed_at IS NOT NULL,
            u.suspended_at, s.last_seen_at, e.plan_id, e.plan_name, e.starts_at, e.ends_at, c.provider
        FROM (
            SELECT u.id, u.first_name, u.last_name, u.email, u.role, u.created_at, u.email_confirmed_at, u.suspended_at
            FROM users u WHERE true",
    )
}

/// Ends such a statement.
fn join_plans(select: &mut BuiltStatement<PersonTypes>, now: Timestamp) {
    select.sql(
        ") u
        LEFT JOIN LATERAL (SELECT max(last_seen_at) AS last_seen_at FROM sessions WHERE user_id = u.id) s ON true
        LEFT JOIN LATERAL (
            SELECT plan_id, plan_name, starts_at, ends_at FROM entitlements
            WHERE user_id = u.id AND starts_at <= ",
    );
    select.value(Value::Time(to_db(now))).sql(" AND (ends_at IS NULL OR ends_at > ").value(Value::Time(to_db(now)));
    select.sql(
        ") ORDER BY ends_at DESC NULLS FIRST, id LIMIT 1
        ) e ON true
        LEFT JOIN LATERAL (
            SELECT k.provider FROM payers p JOIN checkouts k ON k.payer_id = p.id
            WHERE p.user_id = u.id AND k.state = 'paid' ORDER BY k.created_at DESC LIMIT 1
        ) c ON true
        ORDER BY u.created_at DESC, u.id DESC",
    );
}

/// Adds a filter's conditions on `users u`.
fn restrict<Row>(select: &mut BuiltStatement<Row>, filter: &PeopleFilter, now: Timestamp) {
    if let Some(text) = &filter.text {
        // How many names have it decides between its index and the order of the list.
        select.plan_each_time();
        select.sql(" AND (lower(u.first_name || ' ' || u.last_name || ' ' || u.email) LIKE lower(");
        select.value(containing(text)).sql(")");
        if let Ok(id) = text.trim_start_matches('#').parse::<UserId>() {
            select.sql(" OR u.id = ").value(Value::Int(id.get()));
        }
        select.sql(")");
    }
    if let Some(role) = &filter.role {
        select.sql(" AND u.role = ").value(Value::Text(role.clone()));
    }
    match filter.state {
        Some(PersonState::Active) => select.sql(" AND u.suspended_at IS NULL"),
        Some(PersonState::Suspended) => select.sql(" AND u.suspended_at IS NOT NULL"),
        Some(PersonState::Unconfirmed) => select.sql(" AND u.suspended_at IS NULL AND u.email_confirmed_at IS NULL"),
        None => select,
    };
    if let Some(paid) = filter.paid {
        select.sql(if paid { " AND EXISTS (" } else { " AND NOT EXISTS (" });
        select.sql("SELECT FROM entitlements r WHERE r.user_id = u.id AND r.starts_at <= ");
        select.value(Value::Time(to_db(now))).sql(" AND (r.ends_at IS NULL OR r.ends_at > ");
        select.value(Value::Time(to_db(now))).sql("))");
    }
}

statement! {
    CountReading { user: i64 } -> (BigInt, BigInt, BigInt, BigInt) = [
        "SELECT (SELECT count(*) FROM opened_books WHERE user_id = " (user: BigInt) "),
            (SELECT count(*) FROM history WHERE user_id = " (user: BigInt) " AND completed_at IS NOT NULL),
            (SELECT count(*) FROM library WHERE user_id = " (user: BigInt) "),
            (SELECT count(*) FROM ratings WHERE user_id = " (user: BigInt) ")"
    ]
}

impl<A> PeopleQueries for Pg<'_, A> {
    fn people(
        &mut self,
        filter: &PeopleFilter,
        start: PeopleStart,
        limit: Limit,
        now: Timestamp,
    ) -> Result<Page<PersonRow, DateCursor<UserId>>, StoreError> {
        let mut select = select_people();
        restrict(&mut select, filter, now);
        if let PeopleStart::After(after) = start {
            select.sql(" AND (u.created_at, u.id) < (").value(Value::Time(to_db(after.at))).sql(", ");
            select.value(Value::Int(after.id.get())).sql(")");
        }
        select.sql(" ORDER BY u.created_at DESC, u.id DESC").limit(limit.with_surplus());
        if let PeopleStart::Offset(offset) = start {
            select.sql(" OFFSET ").value(Value::Int(i64::from(offset)));
        }
        join_plans(&mut select, now);
        let rows: Vec<StoredPerson> = self.run(|conn| select.load(conn))?;
        Ok(Page::from_surplus(rows.into_iter().map(person).collect(), limit, PersonRow::cursor))
    }

    fn count_people(&mut self, filter: &PeopleFilter, now: Timestamp) -> Result<ListTotal, StoreError> {
        count_rows(self, "FROM users u WHERE true", |select| restrict(select, filter, now))
    }

    fn person(&mut self, user: UserId, now: Timestamp) -> Result<Option<PersonRow>, StoreError> {
        let mut select = select_people();
        select.sql(" AND u.id = ").value(Value::Int(user.get()));
        join_plans(&mut select, now);
        let row: Option<StoredPerson> = self.run(|conn| select.get_result(conn).optional())?;
        Ok(row.map(person))
    }

    fn reading_counts_of(&mut self, user: UserId) -> Result<ReadingCounts, StoreError> {
        let counts = CountReading { user: user.get() };
        let (opened, completed, library, ratings): (i64, i64, i64, i64) = self.run(|conn| counts.get_result(conn))?;
        let [opened, completed, library, ratings] = [opened, completed, library, ratings].map(i64::unsigned_abs);
        Ok(ReadingCounts { opened, completed, library, ratings })
    }
}

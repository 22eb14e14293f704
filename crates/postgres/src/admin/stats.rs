//! Business statistics: counted by day, and read back, in Postgres.

use admin::{
    BookPositions, BookReaders, BookReads, Cohort, CountedDay, DROP_OFF_DAYS, DayFigures, DayRange, LastCount,
    OBSERVED_BOOKS, PlanRevenue, STOPPED_AFTER, StatsCommands, StatsQueries, TOP_BOOKS, days_to_count, is_today_stale,
};
use chrono::{DateTime, Utc};
use diesel::{
    OptionalExtension, RunQueryDsl,
    connection::SimpleConnection,
    sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz},
};
use kernel::{BookId, DAY, Day, Email, Money, Month, StoreError, TimeZone, Timestamp};

use crate::{
    Pg,
    statement::statement,
    time::{from_db, to_db},
};

type DayTypes = (Integer, (BigInt, BigInt, BigInt, BigInt, BigInt), (BigInt, BigInt, BigInt, BigInt), (BigInt, BigInt));
type StoredDay = (i32, (i64, i64, i64, i64, i64), (i64, i64, i64, i64), (i64, i64));

fn counted_day((day, happened, stood, money): StoredDay) -> CountedDay {
    let (signups, completions, visits, subscriptions, ended) = happened;
    let (members, paying, trials, mrr) = stood;
    let [signups, completions, visits] = [signups, completions, visits].map(i64::unsigned_abs);
    let [subscriptions, ended, members] = [subscriptions, ended, members].map(i64::unsigned_abs);
    let figures = DayFigures {
        signups,
        completions,
        visits,
        subscriptions,
        ended,
        members,
        paying: paying.unsigned_abs(),
        trials: trials.unsigned_abs(),
        mrr: Money::from_cents(mrr),
        revenue: Money::from_cents(money.0),
        refunds: Money::from_cents(money.1),
    };
    (Day::from_epoch(day), figures)
}

statement! {
    ReadDays { first: i32, last: i32 } -> DayTypes = [
        "SELECT day - date '1970-01-01', signups, completions, visits, subscriptions, ended, members, paying, trials,
            mrr_cents, revenue_cents, refunds_cents
        FROM daily_counts WHERE day BETWEEN date '1970-01-01' + " (first: Integer)
        " AND date '1970-01-01' + " (last: Integer) " ORDER BY day"
    ]
}

statement! {
    ReadLastCount {} -> (Integer, Nullable<Timestamptz>) = [
        "SELECT day - date '1970-01-01', counted_at FROM daily_counts ORDER BY day DESC LIMIT 1"
    ]
}

statement! {
    ReadPlanRevenue { first: i32, last: i32 } -> (Integer, Text, Text, BigInt) = [
        "SELECT day - date '1970-01-01', plan_id, plan_name, amount_cents FROM daily_plan_revenue
        WHERE day BETWEEN date '1970-01-01' + " (first: Integer) " AND date '1970-01-01' + " (last: Integer)
        " ORDER BY day, plan_id"
    ]
}

statement! {
    ReadCohorts { first: i32, last: i32 } -> (Text, BigInt, BigInt) = [
        "SELECT to_char(first_month, 'YYYY-MM'), size, paid FROM payment_cohorts
        WHERE first_month BETWEEN date_trunc('month', (date '1970-01-01' + " (first: Integer) ")::timestamp)::date
            AND date '1970-01-01' + " (last: Integer) "
        ORDER BY first_month, paid_month"
    ]
}

statement! {
    /// Whole months of the range are read from monthly totals, the days before and after them one by one. The previous range is
    /// read only for the books that are shown.
    ReadTopBooks { before: i32, first: i32, last: i32, most: i64 } -> (BigInt, Text, Text, BigInt, BigInt, BigInt) = [
        "WITH range AS (
            SELECT date '1970-01-01' + " (first: Integer) " AS first, date '1970-01-01' + " (last: Integer) " AS last,
                (date_trunc('month', (date '1970-01-01' + " (first: Integer) " - 1)::timestamp)
                    + interval '1 month')::date AS first_month,
                date_trunc('month', (date '1970-01-01' + " (last: Integer) " + 1)::timestamp)::date AS next_month
        ), counts AS (
            SELECT book_id, opened, completed FROM monthly_book_counts, range
            WHERE month >= first_month AND month < next_month
            UNION ALL SELECT book_id, opened, completed FROM daily_book_counts, range
            WHERE day >= first AND day < least(first_month, last + 1)
            UNION ALL SELECT book_id, opened, completed FROM daily_book_counts, range
            WHERE day >= greatest(first_month, next_month) AND day <= last
        ), top AS (
            SELECT book_id, sum(opened)::bigint AS opened, sum(completed)::bigint AS completed
            FROM counts GROUP BY book_id HAVING sum(opened + completed) > 0
            ORDER BY 2 DESC, 3 DESC, book_id LIMIT " (most: BigInt) "
        )
        SELECT b.id, b.subid, b.title, top.opened, top.completed,
            (SELECT coalesce(sum(d.opened), 0)::bigint FROM daily_book_counts d, range
                WHERE d.book_id = b.id AND d.day >= date '1970-01-01' + " (before: Integer) " AND d.day < first)
        FROM top JOIN books b ON b.id = top.book_id
        ORDER BY top.opened DESC, top.completed DESC, b.id"
    ]
}

statement! {
    ReadBookReaders { book: i64, from: DateTime<Utc>, until: DateTime<Utc> } -> (Text, BigInt, BigInt) = [
        "SELECT b.title, count(h.user_id), count(h.completed_at)
        FROM books b LEFT JOIN history h ON h.book_id = b.id
            AND h.updated_at >= " (from: Timestamptz) " AND h.updated_at < " (until: Timestamptz) "
        WHERE b.id = " (book: BigInt) " GROUP BY b.id"
    ]
}

statement! {
    ReadReachedSections { book: i64, from: DateTime<Utc>, until: DateTime<Utc> } -> (Integer, Text, BigInt) = [
        "SELECT s.place, s.title, count(h.user_id)
        FROM book_sections s LEFT JOIN history h ON h.book_id = s.book_id
            AND h.updated_at >= " (from: Timestamptz) " AND h.updated_at < " (until: Timestamptz) "
            AND (h.completed_at IS NOT NULL OR greatest(h.furthest, h.position) >= s.place)
        WHERE s.book_id = " (book: BigInt) " GROUP BY s.place, s.title ORDER BY s.place"
    ]
}

statement! {
    /// The positions of the books that trend, each position with its number of readers.
    ReadPositions { most: i64, from: DateTime<Utc>, until: DateTime<Utc> }
        -> (BigInt, Text, Array<Text>, Nullable<Integer>, BigInt) = [
        "WITH observed AS (
            SELECT b.id, b.title, b.section_titles
            FROM book_stats s JOIN books b ON b.id = s.book_id AND b.published AND NOT b.coming_soon
            ORDER BY s.trending DESC, s.is_popular DESC, s.book_id DESC LIMIT " (most: BigInt) "
        ), furthest AS (
            SELECT h.book_id, CASE WHEN h.completed_at IS NULL THEN greatest(h.furthest, h.position) END AS section,
                count(*) AS readers
            FROM observed o JOIN history h ON h.book_id = o.id
            WHERE h.updated_at >= " (from: Timestamptz) " AND h.updated_at < " (until: Timestamptz) "
                AND (h.place_at IS NOT NULL OR h.completed_at IS NOT NULL)
            GROUP BY 1, 2
        )
        SELECT o.id, o.title, o.section_titles, f.section, f.readers
        FROM furthest f JOIN observed o ON o.id = f.book_id ORDER BY o.id, f.section"
    ]
}

statement! {
    ReadBounds {} -> (Nullable<Timestamptz>, Nullable<Integer>) = [
        "SELECT least((SELECT min(created_at) FROM users), (SELECT min(occurred_at) FROM ledger_transactions)),
            (SELECT max(day) - date '1970-01-01' FROM daily_counts)"
    ]
}

statement! {
    CountDay { day: i32, from: DateTime<Utc>, until: DateTime<Utc>, now: DateTime<Utc> } -> () = [
        "WITH movements AS (
            SELECT * FROM ledger_transactions
            WHERE occurred_at >= " (from: Timestamptz) " AND occurred_at < " (until: Timestamptz) "
        ), running AS (
            SELECT count(DISTINCT coalesce(p.user_id, -p.id)) AS paying, coalesce(round(sum(r.monthly_cents)), 0) AS mrr
            FROM subscriptions_paid_at(" (until: Timestamptz) ") r JOIN payers p ON p.id = r.payer_id
        )
        INSERT INTO daily_counts (day, signups, completions, visits, subscriptions, ended, members, paying, trials,
            mrr_cents, revenue_cents, refunds_cents, counted_at)
        SELECT date '1970-01-01' + " (day: Integer) ",
            (SELECT count(*) FROM users WHERE created_at >= " (from: Timestamptz) " AND created_at < "
            (until: Timestamptz) "),
            (SELECT count(*) FROM completions WHERE day = date '1970-01-01' + " (day: Integer) "),
            (SELECT count(*) FROM events WHERE name = 'visit' AND at >= " (from: Timestamptz) " AND at < "
            (until: Timestamptz) "),
            (SELECT count(DISTINCT m.purchase) FROM movements m
                WHERE m.kind = 'charged' AND m.amount_cents > 0 AND m.renewal_months IS NOT NULL AND NOT EXISTS (
                    SELECT FROM ledger_transactions e WHERE e.purchase = m.purchase AND e.kind = 'charged'
                        AND e.amount_cents > 0 AND e.occurred_at < " (from: Timestamptz) ")),
            (SELECT count(DISTINCT m.purchase) FROM movements m
                WHERE m.kind = 'ended' AND EXISTS (
                    SELECT FROM ledger_transactions c WHERE c.purchase = m.purchase AND c.kind = 'charged'
                        AND c.amount_cents > 0 AND c.renewal_months IS NOT NULL AND c.occurred_at < "
            (until: Timestamptz) ")),
            (SELECT count(*) FROM users WHERE created_at < " (until: Timestamptz) "),
            r.paying,
            (SELECT count(DISTINCT t.purchase) FROM ledger_transactions t
                WHERE t.kind = 'trial_started' AND t.occurred_at < " (until: Timestamptz) " AND t.starts_at < "
            (until: Timestamptz) " AND t.ends_at >= " (until: Timestamptz) " AND NOT EXISTS (
                    SELECT FROM ledger_transactions e WHERE e.purchase = t.purchase AND e.kind IN ('charged', 'ended')
                        AND e.occurred_at < " (until: Timestamptz) ")),
            r.mrr,
            (SELECT coalesce(sum(amount_cents), 0) FROM movements WHERE kind = 'charged'),
            (SELECT coalesce(sum(CASE kind WHEN 'dispute_won' THEN -amount_cents ELSE amount_cents END), 0)
                FROM movements WHERE kind IN ('refunded', 'disputed', 'dispute_won')),
            " (now: Timestamptz) "
        FROM running r
        ON CONFLICT (day) DO UPDATE SET signups = excluded.signups, completions = excluded.completions,
            visits = excluded.visits, subscriptions = excluded.subscriptions, ended = excluded.ended,
            members = excluded.members, paying = excluded.paying, trials = excluded.trials,
            mrr_cents = excluded.mrr_cents, revenue_cents = excluded.revenue_cents,
            refunds_cents = excluded.refunds_cents, counted_at = excluded.counted_at"
    ]
}

statement! {
    CountPlans { day: i32, from: DateTime<Utc>, until: DateTime<Utc> } -> () = [
        "INSERT INTO daily_plan_revenue (day, plan_id, plan_name, amount_cents)
        SELECT date '1970-01-01' + " (day: Integer) ", plan_id, max(plan_name), sum(amount_cents)
        FROM ledger_transactions
        WHERE kind = 'charged' AND amount_cents > 0 AND occurred_at >= " (from: Timestamptz) " AND occurred_at < "
        (until: Timestamptz) "
        GROUP BY plan_id
        ON CONFLICT (day, plan_id) DO UPDATE SET plan_name = excluded.plan_name, amount_cents = excluded.amount_cents"
    ]
}

statement! {
    CountBooks { day: i32 } -> () = [
        "INSERT INTO daily_book_counts (day, book_id, opened, completed)
        SELECT date '1970-01-01' + " (day: Integer) ", book_id, sum(opened), sum(completed)
        FROM (
            SELECT book_id, opens AS opened, 0 AS completed FROM book_opens WHERE day = date '1970-01-01' + "
        (day: Integer) "
            UNION ALL
            SELECT book_id, 0, count(*) FROM completions WHERE day = date '1970-01-01' + " (day: Integer) "
            GROUP BY book_id
        ) counts GROUP BY book_id
        ON CONFLICT (day, book_id) DO UPDATE SET opened = excluded.opened, completed = excluded.completed
            WHERE (daily_book_counts.opened, daily_book_counts.completed) <> (excluded.opened, excluded.completed)"
    ]
}

statement! {
    CountCohorts { day: i32, until: DateTime<Utc> } -> () = [
        "INSERT INTO payment_cohorts (first_month, paid_month, size, paid)
        SELECT first_month, date_trunc('month', (date '1970-01-01' + " (day: Integer) ")::timestamp)::date, size, paid
        FROM payment_cohorts_at(" (until: Timestamptz) ")
        ON CONFLICT (first_month, paid_month) DO UPDATE SET size = excluded.size, paid = excluded.paid"
    ]
}

statement! {
    /// Sums the counted days of the month that `day` lies in.
    CountMonthOfBooks { day: i32 } -> () = [
        "WITH month AS (SELECT date_trunc('month', (date '1970-01-01' + " (day: Integer) ")::timestamp)::date AS first)
        INSERT INTO monthly_book_counts (month, book_id, opened, completed)
        SELECT first, book_id, sum(opened), sum(completed) FROM daily_book_counts, month
        WHERE day >= first AND day < (first + interval '1 month')::date
        GROUP BY first, book_id
        ON CONFLICT (month, book_id) DO UPDATE SET opened = excluded.opened, completed = excluded.completed
            WHERE (monthly_book_counts.opened, monthly_book_counts.completed) <> (excluded.opened, excluded.completed)"
    ]
}

statement! {
    /// Reads all users: a demo has few.
    FindMadeUpMember { pattern: String } -> Bool = [
        "SELECT EXISTS (SELECT FROM users WHERE email_key LIKE " (pattern: Text) ")"
    ]
}

fn start_of(day: Day) -> Timestamp {
    Timestamp::from_millis(i64::from(day.since_epoch()) * DAY)
}

fn end_of(day: Day) -> Timestamp {
    start_of(day).plus(DAY)
}

/// The month of a day, in UTC.
fn month_of(day: Day) -> Month {
    TimeZone::UTC.month_of(start_of(day))
}

/// For the transaction. Those who pay are sorted and joined at each count: a million payers within this memory and otherwise on the disk,
/// which takes more than twice as long.
const COUNT_IN_MEMORY: &str = "SET LOCAL work_mem = '64MB'";

impl Pg<'_> {
    fn count_range(&mut self, range: DayRange, now: Timestamp) -> Result<(), StoreError> {
        for day in range.days() {
            let next = Day::from_epoch(day.since_epoch() + 1);
            self.count_day(day, day == range.last() || month_of(next) != month_of(day), now)?;
        }
        Ok(())
    }

    fn count_day(&mut self, day: Day, is_last: bool, now: Timestamp) -> Result<(), StoreError> {
        let (from, until, now) = (to_db(start_of(day)), to_db(end_of(day)), to_db(now));
        let day = day.since_epoch();
        self.run(|conn| {
            conn.batch_execute(COUNT_IN_MEMORY)?;
            CountDay { day, from, until, now }.execute(conn)?;
            CountPlans { day, from, until }.execute(conn)?;
            CountBooks { day }.execute(conn)?;
            // Monthly totals are computed from the counted days, once per month, after its last counted day.
            if is_last {
                CountCohorts { day, until }.execute(conn)?;
                CountMonthOfBooks { day }.execute(conn)?;
            }
            Ok(())
        })
    }
}

impl<A> StatsQueries for Pg<'_, A> {
    fn counted_days(&mut self, range: DayRange) -> Result<Vec<CountedDay>, StoreError> {
        let read = ReadDays { first: range.first().since_epoch(), last: range.last().since_epoch() };
        let rows: Vec<StoredDay> = self.run(|conn| read.load(conn))?;
        Ok(rows.into_iter().map(counted_day).collect())
    }

    fn last_count(&mut self) -> Result<Option<LastCount>, StoreError> {
        let row: Option<(i32, Option<DateTime<Utc>>)> =
            self.run(|conn| ReadLastCount {}.get_result(conn).optional())?;
        Ok(row.map(|(day, at)| LastCount { day: Day::from_epoch(day), at: at.map(from_db) }))
    }

    fn plan_revenue(&mut self, range: DayRange) -> Result<Vec<PlanRevenue>, StoreError> {
        let read = ReadPlanRevenue { first: range.first().since_epoch(), last: range.last().since_epoch() };
        let rows: Vec<(i32, String, String, i64)> = self.run(|conn| read.load(conn))?;
        let revenue = rows.into_iter().map(|(day, plan_id, plan_name, amount)| PlanRevenue {
            day: Day::from_epoch(day),
            plan_id,
            plan_name,
            amount: Money::from_cents(amount),
        });
        Ok(revenue.collect())
    }

    fn cohorts(&mut self, range: DayRange) -> Result<Vec<Cohort>, StoreError> {
        let read = ReadCohorts { first: range.first().since_epoch(), last: range.last().since_epoch() };
        let rows: Vec<(String, i64, i64)> = self.run(|conn| read.load(conn))?;
        let mut cohorts: Vec<Cohort> = Vec::new();
        for (month, size, paid) in rows {
            let paid = paid.unsigned_abs();
            match cohorts.last_mut() {
                Some(cohort) if cohort.month == month => {
                    // The latest count knows of charges that were reported late.
                    cohort.size = size.unsigned_abs();
                    cohort.paid.push(paid);
                }
                Some(_) | None => cohorts.push(Cohort { month, size: size.unsigned_abs(), paid: vec![paid] }),
            }
        }
        Ok(cohorts)
    }

    fn top_books(&mut self, range: DayRange) -> Result<Vec<BookReads>, StoreError> {
        let read = ReadTopBooks {
            before: range.before().first().since_epoch(),
            first: range.first().since_epoch(),
            last: range.last().since_epoch(),
            most: i64::from(TOP_BOOKS),
        };
        let rows: Vec<(i64, String, String, i64, i64, i64)> = self.run(|conn| read.load(conn))?;
        let books = rows.into_iter().map(|(id, subid, title, opened, completed, before)| BookReads {
            id: BookId::from_store(id),
            subid,
            title,
            opened: opened.unsigned_abs(),
            completed: completed.unsigned_abs(),
            before: before.unsigned_abs(),
        });
        Ok(books.collect())
    }

    fn book_readers(&mut self, book: BookId, range: DayRange) -> Result<Option<BookReaders>, StoreError> {
        let (book, from, until) = (book.get(), to_db(start_of(range.first())), to_db(end_of(range.last())));
        let row: Option<(String, i64, i64)> =
            self.run(|conn| ReadBookReaders { book, from, until }.get_result(conn).optional())?;
        let Some((title, readers, completed)) = row else { return Ok(None) };
        let rows: Vec<(i32, String, i64)> = self.run(|conn| ReadReachedSections { book, from, until }.load(conn))?;
        let sections =
            rows.into_iter().map(|(place, title, reached)| (place.unsigned_abs(), title, reached.unsigned_abs()));
        Ok(Some(BookReaders {
            title,
            readers: readers.unsigned_abs(),
            completed: completed.unsigned_abs(),
            sections: sections.collect(),
        }))
    }

    fn has_made_up_members(&mut self) -> Result<bool, StoreError> {
        let find = FindMadeUpMember { pattern: format!("%@{}", Email::MADE_UP_DOMAIN) };
        self.run(|conn| find.get_result(conn))
    }

    fn book_positions(&mut self, now: Timestamp) -> Result<Vec<BookPositions>, StoreError> {
        let from = now.plus(-DROP_OFF_DAYS * DAY);
        let read = ReadPositions { most: OBSERVED_BOOKS, from: to_db(from), until: to_db(now.plus(-STOPPED_AFTER)) };
        let rows: Vec<StoredPosition> = self.run(|conn| read.load(conn))?;
        let mut books: Vec<BookPositions> = Vec::new();
        for (id, title, sections, section, readers) in rows {
            let id = BookId::from_store(id);
            let section = section.map(|section| usize::try_from(section).unwrap_or(usize::MAX));
            let readers = (section, readers.unsigned_abs());
            match books.last_mut() {
                Some(book) if book.id == id => book.readers.push(readers),
                Some(_) | None => books.push(BookPositions { id, title, sections, readers: vec![readers] }),
            }
        }
        Ok(books)
    }
}

type StoredPosition = (i64, String, Vec<String>, Option<i32>, i64);

impl StatsCommands for Pg<'_> {
    fn count_days(&mut self, now: Timestamp) -> Result<bool, StoreError> {
        let (first, counted): (Option<DateTime<Utc>>, Option<i32>) = self.run(|conn| ReadBounds {}.get_result(conn))?;
        let first = first.map(|at| TimeZone::UTC.day_of(from_db(at)));
        let today = TimeZone::UTC.day_of(now);
        let Some(range) = days_to_count(first, counted.map(Day::from_epoch), today) else { return Ok(false) };
        self.count_range(range, now)?;
        Ok(range.last() < today)
    }

    fn recount_days(&mut self, range: DayRange, now: Timestamp) -> Result<(), StoreError> {
        self.count_range(range, now)
    }

    fn count_today(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let (last, today) = (self.last_count()?, TimeZone::UTC.day_of(now));
        match last {
            _ if !is_today_stale(last, now) => Ok(()),
            Some(last) if last.day == today => self.count_day(today, true, now),
            Some(_) | None => self.count_days(now).map(drop),
        }
    }
}

//! SQL statements that add synthetic members by the hundred thousand, for benchmarks: readers with a history, and accounts with
//! sessions and what the back office lists of people.

use diesel::{PgConnection, QueryResult, RunQueryDsl, connection::SimpleConnection, sql_query, sql_types::BigInt};

/// How many members have a history, one in so many. Each has read a hundred books, so there are ten rows of history per member.
pub(crate) const MEMBERS_PER_READER: u32 = 10;
/// How many readers are added per transaction.
const READERS: u32 = 5_000;

/// The books that readers have read, numbered without gaps.
const NUMBERED: &str = "
    CREATE TEMP TABLE numbered AS
        SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM books WHERE subid LIKE 'scale-%';
    ALTER TABLE numbered ADD PRIMARY KEY (n);
    ANALYZE numbered";

const READER_ROWS: &str = "
    INSERT INTO users (email, email_key, first_name, last_name, created_at)
    SELECT 'scale-' || n || '@example.com', 'scale-' || n || '@example.com', 'Scale', 'Member ' || n,
        timestamptz '2025-01-01' + make_interval(hours => (n % 8000)::integer)
    FROM generate_series($1, $2 - 1) AS n ON CONFLICT DO NOTHING";

/// What each of these readers without a history reads: a book every 79 hours for a year, and the books a prime number apart, so that
/// none occurs twice.
const READINGS: &str = "
    CREATE TEMP TABLE readings ON COMMIT DROP AS
        SELECT u.id AS user_id, b.id AS book_id, ((u.id + k) % 8)::integer AS position, (u.id + k) % 3 = 0 AS completed,
            timestamptz '2026-11-20' - make_interval(hours => (k * 79 + u.id % 24)::integer) AS at
        FROM generate_series($1, $2 - 1) AS n JOIN users u ON u.email_key = 'scale-' || n || '@example.com'
        CROSS JOIN generate_series(1, least(100, (SELECT count(*) FROM numbered))) AS k
        JOIN numbered b ON b.n = (u.id * 7919 + k * 104729) % (SELECT count(*) FROM numbered)
        WHERE NOT EXISTS (SELECT FROM history h WHERE h.user_id = u.id)";

const HISTORY: &str = "
    INSERT INTO history (user_id, book_id, position, furthest, completed_at, updated_at, place_at)
        SELECT user_id, book_id, position, position, CASE WHEN completed THEN at END, at, at FROM readings
        ORDER BY user_id, book_id ON CONFLICT DO NOTHING;
    INSERT INTO completions (user_id, day, book_id)
        SELECT user_id, at::date, book_id FROM readings WHERE completed ON CONFLICT DO NOTHING;
    INSERT INTO reading_days (user_id, day, completions)
        SELECT user_id, at::date, count(*) FROM readings WHERE completed GROUP BY 1, 2 ON CONFLICT DO NOTHING;
    INSERT INTO library (user_id, book_id, added_at) SELECT user_id, book_id, at FROM readings WHERE position = 0 ON CONFLICT DO NOTHING;
    UPDATE book_stats s SET read_count = s.read_count + r.reads
        FROM (SELECT book_id, count(*) AS reads FROM readings GROUP BY 1) r WHERE r.book_id = s.book_id;
    DROP TABLE readings";

const ACCOUNTS: &str = "
    INSERT INTO users (email, email_key, first_name, last_name, created_at)
    SELECT 'account-' || n || '@example.com', 'account-' || n || '@example.com', 'Scale', 'Account ' || n,
        timestamptz '2025-12-05' + make_interval(mins => (n * 480000 / $1)::integer)
    FROM generate_series(0, $1 - 1) AS n ON CONFLICT DO NOTHING";

/// A third of the accounts is logged in, with a refresh token that was rotated once. One in four has written a message; the last 500
/// are not answered yet. Each has visited the site.
const SESSIONS: &str = "
    CREATE TEMP TABLE new_accounts ON COMMIT DROP AS
        SELECT u.id, u.email, u.created_at AS at, substring(u.email FROM '[0-9]+')::bigint AS n FROM users u
        WHERE u.email_key LIKE 'account-%@example.com' AND NOT EXISTS (SELECT FROM events e WHERE e.user_id = u.id);
    INSERT INTO sessions (user_id, created_at, last_seen_at, expires_at, device, place)
        SELECT id, at, at + interval '1 day', timestamptz '2030-01-01', 'Firefox on Linux', 'Example'
        FROM new_accounts WHERE n % 3 = 0 ORDER BY at;
    INSERT INTO refresh_secrets (hash, session_id, replaced_at)
        SELECT sha256(convert_to('scale-' || s.id || '-' || k, 'UTF8')), s.id, CASE k WHEN 1 THEN s.last_seen_at END
        FROM new_accounts a JOIN sessions s ON s.user_id = a.id CROSS JOIN generate_series(1, 2) AS k;
    INSERT INTO messages (kind, name, email, email_key, body, created_at, done_at)
        SELECT 'contact', 'Scale', email, email, 'A message of the scale seed.', at,
            CASE WHEN row_number() OVER (ORDER BY at DESC) > 500 THEN at + interval '1 day' END
        FROM new_accounts WHERE n % 4 = 0 ORDER BY at;
    INSERT INTO events (name, user_id, at) SELECT 'visit', id, at FROM new_accounts ORDER BY at;
    DROP TABLE new_accounts";

/// One audit entry per synthetic book by an operator, and one per ten accounts by the first admin, whose values name a person.
const AUDIT: &str = "
    INSERT INTO audit_entries (at, actor_kind, actor_name, action, subject_kind, subject_id, subject_name, changes)
        SELECT b.upload_date, 'operator', 'scale', 'book.update', 'book', b.id, b.title, '[]' FROM books b
        WHERE b.subid LIKE 'scale-%' AND NOT EXISTS (
            SELECT FROM audit_entries e WHERE e.subject_kind = 'book' AND e.subject_id = b.id)
        ORDER BY b.upload_date;
    WITH entries AS (
        INSERT INTO audit_entries (at, actor_kind, actor_id, action, subject_kind, subject_id, changes, address, device)
        SELECT u.created_at + interval '1 day', 'person', a.id, 'user.update', 'user', u.id,
            '[{\"field\": \"email\", \"from\": null, \"to\": null, \"personal\": true}]', '203.0.113.7', 'Firefox on Linux'
        FROM users u, (SELECT min(id) AS id FROM users WHERE role = 'admin') a
        WHERE u.email_key LIKE 'account-%0@example.com' AND a.id IS NOT NULL AND NOT EXISTS (
            SELECT FROM audit_entries e WHERE e.subject_kind = 'user' AND e.subject_id = u.id)
        ORDER BY u.created_at RETURNING id, subject_id
    )
    INSERT INTO audit_personal_changes (entry_id, user_id, changes)
        SELECT e.id, u.id, jsonb_build_array(jsonb_build_object('field', 'email', 'from', 'old-' || u.email, 'to', u.email, 'personal', true))
        FROM entries e JOIN users u ON u.id = e.subject_id";

/// How often each book was completed on each day and in each month.
const COMPLETIONS: &str = "
    INSERT INTO daily_book_counts (day, book_id, opened, completed)
        SELECT day, book_id, 0, count(*) FROM completions GROUP BY 1, 2 ON CONFLICT DO NOTHING;
    INSERT INTO monthly_book_counts (month, book_id, opened, completed)
        SELECT date_trunc('month', day::timestamp)::date, book_id, 0, sum(completed) FROM daily_book_counts GROUP BY 1, 2 ON CONFLICT DO NOTHING;
    ANALYZE daily_book_counts, monthly_book_counts";

/// Adds members without a password, each with a history of a hundred synthetic books; a transaction for some thousands. Calls `each`
/// with how many there are after each.
pub(crate) fn add_readers(connection: &mut PgConnection, readers: u32, mut each: impl FnMut(u32)) -> QueryResult<()> {
    connection.batch_execute(NUMBERED)?;
    for first in (0..readers).step_by(READERS as usize) {
        let end = readers.min(first.saturating_add(READERS));
        diesel::Connection::transaction(connection, |connection| {
            for statement in [READER_ROWS, READINGS] {
                let statement = sql_query(statement).bind::<BigInt, _>(i64::from(first));
                statement.bind::<BigInt, _>(i64::from(end)).execute(connection)?;
            }
            connection.batch_execute(HISTORY)
        })?;
        each(end);
    }
    connection.batch_execute("DROP TABLE numbered; ANALYZE history, completions, library, users")
}

/// Adds members without a password or a history, with sessions, messages and audit entries; and an audit entry for each
/// synthetic book.
pub(crate) fn add_accounts(connection: &mut PgConnection, accounts: u32) -> QueryResult<()> {
    sql_query(ACCOUNTS).bind::<BigInt, _>(i64::from(accounts)).execute(connection)?;
    connection.batch_execute(SESSIONS)?;
    connection.batch_execute(AUDIT)?;
    connection.batch_execute("ANALYZE users, events, audit_entries")
}

/// Counts the completions of books.
pub(crate) fn count_completions(connection: &mut PgConnection) -> QueryResult<()> {
    connection.batch_execute(COMPLETIONS)
}

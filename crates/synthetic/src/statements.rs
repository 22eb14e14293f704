//! SQL statements that add synthetic books, members and history by the hundred thousand, for benchmarks.
//!
//! Saving a book takes some milliseconds; here many books reuse texts that were saved once, in few
//! statements. All attributes by which a book is found, listed and counted are its own.

use diesel::{
    PgConnection, QueryResult, RunQueryDsl,
    connection::SimpleConnection,
    sql_query,
    sql_types::{Array, BigInt, Bool, Integer, Text},
};
use kernel::sort_key;

/// A book that reuses the text of another one.
#[derive(Clone, Debug)]
pub(crate) struct ScaleBook {
    /// Its number: its slug is `scale-<number>`.
    pub(crate) number: u32,
    /// The number of the book whose text it reuses.
    pub(crate) like: u32,
    pub(crate) title: String,
    /// The slug of its author, who must exist.
    pub(crate) author: String,
    /// Publication date, in days since 1970-01-01.
    pub(crate) day: i32,
    pub(crate) free: bool,
    /// Marked by the editors as popular.
    pub(crate) is_popular: bool,
}

/// An author for [`add_authors`].
#[derive(Clone, Debug)]
pub(crate) struct ScaleAuthor {
    pub(crate) slug: String,
    pub(crate) name: String,
    /// The sort key.
    pub(crate) key: String,
    pub(crate) description: String,
}

const BOOKS: &str = "
    WITH new AS (
        SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
            AS n (number, base, title, title_key, author, day, free, is_popular)
    )
    INSERT INTO books (subid, title, title_key, author_id, description, body, truncated_body, section_titles, shown, quotes,
        image, year, words, free, is_popular, upload_date, updated_at, search, text_search)
    SELECT 'scale-' || n.number, n.title, n.title_key, a.id, b.description, b.body, b.truncated_body, b.section_titles,
        jsonb_set(b.shown::jsonb, '{author}', jsonb_build_object('slug', a.slug, 'name', a.name))::text, b.quotes,
        b.image, b.year, b.words, n.free, n.is_popular, timestamptz 'epoch' + make_interval(days => n.day), b.updated_at,
        setweight(to_tsvector('english', n.title), 'A') || setweight(to_tsvector('english', a.name), 'B')
            || ts_filter(b.search, '{c}'),
        b.text_search || strip(to_tsvector('english', n.title || ' ' || a.name))
    FROM new n JOIN books b ON b.subid = 'scale-' || n.base JOIN authors a ON a.slug = n.author";

const OF_BOOKS: &str = "
    CREATE TEMP TABLE grown ON COMMIT DROP AS
        SELECT n.id, b.id AS base FROM generate_series($1, $2) AS number
        JOIN books n ON n.subid = 'scale-' || number JOIN books b ON b.subid = 'scale-' || number % $3";

const TIES: &str = "
    INSERT INTO book_stats (book_id, is_popular, uploaded_day)
        SELECT b.id, b.is_popular, b.upload_date::date - date '1970-01-01' FROM books b JOIN grown g ON g.id = b.id;
    INSERT INTO book_categories (book_id, category_id, place)
        SELECT g.id, c.category_id, c.place FROM grown g JOIN book_categories c ON c.book_id = g.base;
    INSERT INTO book_tags (book_id, tag_id, upload_date)
        SELECT g.id, t.tag_id, b.upload_date FROM grown g JOIN book_tags t ON t.book_id = g.base JOIN books b ON b.id = g.id;
    INSERT INTO book_sections (book_id, place, title, text, previewed, search)
        SELECT g.id, s.place, s.title, s.text, s.previewed, s.search FROM grown g JOIN book_sections s ON s.book_id = g.base;
    DROP TABLE grown";

/// Drops the largest indexes, which are rebuilt at the end: updating them per book takes ten times as long. Their definitions
/// are kept in a temporary table meanwhile.
const DROP_INDEXES: &str = "
    CREATE TEMP TABLE dropped_indexes ON COMMIT DROP AS SELECT indexdef FROM pg_indexes
        WHERE schemaname = current_schema() AND indexname IN ('books_search', 'books_text_search');
    DROP INDEX books_search; DROP INDEX books_text_search";
const MAKE_INDEXES: &str = "
    SET LOCAL maintenance_work_mem = '256MB';
    DO $$ DECLARE definition text; BEGIN
        FOR definition IN SELECT indexdef FROM dropped_indexes LOOP EXECUTE definition; END LOOP;
    END $$;
    UPDATE catalogue_totals SET books = (SELECT count(*) FROM books WHERE published AND NOT coming_soon),
        illustrated = (SELECT count(*) FROM books WHERE published AND NOT coming_soon AND visuals > 0);
    UPDATE categories c SET book_count = (
        SELECT count(*) FROM book_categories t JOIN books b ON b.id = t.book_id WHERE t.category_id = c.id AND b.published AND NOT b.coming_soon);
    UPDATE authors a SET book_count = n.books FROM (SELECT author_id, count(*) AS books FROM books WHERE published AND NOT coming_soon GROUP BY 1) n
        WHERE n.author_id = a.id AND a.book_count <> n.books";

const MEMBERS: &str = "
    INSERT INTO users (email, email_key, first_name, last_name, created_at)
    SELECT 'scale-' || n || '@example.com', 'scale-' || n || '@example.com', 'Scale', 'Member ' || n,
        timestamptz '2025-01-01' + make_interval(hours => (n % 8000)::integer)
    FROM generate_series(0, $1 - 1) AS n ON CONFLICT DO NOTHING";

/// Members without a history, whom only the back office lists. Each bought a year, wrote a message, and
/// has a code; one in ten was referred, by every hundredth. The provider does not know these orders, so there is no row that would make the sweep query it.
const ACCOUNTS: &str = "
    INSERT INTO users (email, email_key, first_name, last_name, created_at)
    SELECT 'account-' || n || '@example.com', 'account-' || n || '@example.com', 'Scale', 'Account ' || n,
        timestamptz '2025-12-05' + make_interval(mins => (n * 480000 / $1)::integer)
    FROM generate_series(0, $1 - 1) AS n ON CONFLICT DO NOTHING";
const ORDERS: &str = "
    CREATE TEMP TABLE buyers ON COMMIT DROP AS SELECT u.id AS user_id, u.email, u.created_at AS at FROM users u
        WHERE u.email_key LIKE 'account-%@example.com' AND NOT EXISTS (SELECT FROM payers p WHERE p.user_id = u.id);
    INSERT INTO payers (user_id, is_guest, created_at) SELECT user_id, false, at FROM buyers;
    ALTER TABLE buyers ADD COLUMN payer_id bigint;
    UPDATE buyers b SET payer_id = p.id FROM payers p WHERE p.user_id = b.user_id;
    INSERT INTO checkouts (reference, key, body_hash, payer_id, provider, plan_id, plan_name, quantity, infographics,
            first_charge_cents, renewal_cents, renewal_months, state, provider_id, charge_id, created_at, changed_at)
        SELECT 'scale-' || payer_id, 'scale-' || payer_id, sha256('scale'), payer_id, 'sandbox', 'yearly', 'Yearly', 1, 0,
            5999, 5999, 12, 'paid', 'scale_' || payer_id, 'scale-' || payer_id, at, at FROM buyers ORDER BY at;
    INSERT INTO ledger_transactions (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents, starts_at,
            ends_at, renewal_cents, renewal_months, infographics, occurred_at)
        SELECT payer_id, 'scale:' || payer_id, 'charged', 'scale-' || payer_id, 'yearly', 'Yearly', 5999, 0, at,
            at + interval '1 year', 5999, 12, 0, at FROM buyers ORDER BY at;
    INSERT INTO ledger_entries (transaction_id, account, amount_cents)
        SELECT t.id, e.account, e.amount FROM buyers b JOIN ledger_transactions t ON t.key = 'scale:' || b.payer_id
        CROSS JOIN (VALUES ('provider_cash', 5999), ('revenue', -5999)) AS e (account, amount);
    INSERT INTO entitlements (user_id, plan_id, plan_name, starts_at, ends_at)
        SELECT user_id, 'yearly', 'Yearly', at, at + interval '1 year' FROM buyers;
    INSERT INTO codes (code, kind, plan_id, plan_name, months, created_at)
        SELECT 'SCALE' || lpad(payer_id::text, 15, '0'), 'marketplace', 'lifetime', 'Lifetime', NULL, at FROM buyers;
    INSERT INTO messages (kind, name, email, email_key, body, created_at)
        SELECT 'contact', 'Scale', email, email, 'A message of the scale seed.', at FROM buyers ORDER BY at;
    INSERT INTO referral_rewards (purchase, user_id, kind, buyer_id, amount_cents, earned_at)
        SELECT 'scale-' || b.payer_id, e.user_id, 'affiliate', b.user_id, 599, b.at
        FROM (SELECT *, row_number() OVER (ORDER BY user_id) - 1 AS n FROM buyers) b
        JOIN (SELECT user_id, row_number() OVER (ORDER BY user_id) - 1 AS n FROM buyers) e ON e.n = b.n / 100 * 100
        WHERE b.n % 10 = 1;
    DROP TABLE buyers";
/// One audit entry per synthetic book.
const AUDIT: &str = "
    INSERT INTO audit_entries (at, actor_kind, actor_name, action, subject_kind, subject_id, subject_name, changes)
        SELECT b.upload_date, 'operator', 'scale', 'book.update', 'book', b.id, b.title, '[]' FROM books b
        WHERE b.subid LIKE 'scale-%' AND NOT EXISTS (
            SELECT FROM audit_entries e WHERE e.subject_kind = 'book' AND e.subject_id = b.id)
        ORDER BY b.upload_date";

/// The books of each member's history are a prime number apart, so that no book occurs twice.
const HISTORY: &str = "
    CREATE TEMP TABLE numbered ON COMMIT DROP AS
        SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM books WHERE subid LIKE 'scale-%';
    ALTER TABLE numbered ADD PRIMARY KEY (n);
    ANALYZE numbered;
    CREATE TEMP TABLE readings ON COMMIT DROP AS
        SELECT u.id AS user_id, b.id AS book_id, ((u.id + k) % 8)::integer AS position, (u.id + k) % 3 = 0 AS completed,
            timestamptz '2026-11-20' - make_interval(hours => (k * 11 + u.id % 24)::integer) AS at
        FROM users u CROSS JOIN generate_series(1, least(100, (SELECT count(*) FROM numbered))) AS k
        JOIN numbered b ON b.n = (u.id * 7919 + k * 104729) % (SELECT count(*) FROM numbered)
        WHERE u.email_key LIKE 'scale-%@example.com';
    INSERT INTO history (user_id, book_id, position, furthest, completed_at, updated_at, place_at)
        SELECT user_id, book_id, position, position, CASE WHEN completed THEN at END, at, at FROM readings ON CONFLICT DO NOTHING;
    INSERT INTO completions (user_id, day, book_id)
        SELECT user_id, at::date, book_id FROM readings WHERE completed ON CONFLICT DO NOTHING;
    INSERT INTO reading_days (user_id, day, completions)
        SELECT user_id, at::date, count(*) FROM readings WHERE completed GROUP BY 1, 2 ON CONFLICT DO NOTHING;
    INSERT INTO library (user_id, book_id, added_at) SELECT user_id, book_id, at FROM readings WHERE position = 0 ON CONFLICT DO NOTHING;
    UPDATE book_stats s SET read_count = s.read_count + r.reads
        FROM (SELECT book_id, count(*) AS reads FROM readings GROUP BY 1) r WHERE r.book_id = s.book_id;
    DROP TABLE readings; DROP TABLE numbered";

/// Adds authors; existing ones are kept.
pub(crate) fn add_authors(connection: &mut PgConnection, authors: &[ScaleAuthor]) -> QueryResult<()> {
    let column = |of: fn(&ScaleAuthor) -> &String| authors.iter().map(|author| of(author).clone()).collect::<Vec<_>>();
    sql_query(
        "INSERT INTO authors (slug, name, name_key, description) SELECT * FROM unnest($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    )
    .bind::<Array<Text>, _>(column(|author| &author.slug))
    .bind::<Array<Text>, _>(column(|author| &author.name))
    .bind::<Array<Text>, _>(column(|author| &author.key))
    .bind::<Array<Text>, _>(column(|author| &author.description))
    .execute(connection)?;
    Ok(())
}

/// Drops the largest indexes, until [`make_indexes`] in the same transaction.
pub(crate) fn drop_indexes(connection: &mut PgConnection) -> QueryResult<()> {
    connection.batch_execute(DROP_INDEXES)
}

/// Adds books with consecutive numbers; each has the text of the book with its number modulo `texts`.
pub(crate) fn add_books(connection: &mut PgConnection, books: &[ScaleBook], texts: u32) -> QueryResult<()> {
    let (Some(first), Some(last)) = (books.first(), books.last()) else { return Ok(()) };
    let numbers = |of: fn(&ScaleBook) -> u32| books.iter().map(|book| i64::from(of(book))).collect::<Vec<i64>>();
    sql_query(BOOKS)
        .bind::<Array<BigInt>, _>(numbers(|book| book.number))
        .bind::<Array<BigInt>, _>(numbers(|book| book.like))
        .bind::<Array<Text>, _>(books.iter().map(|book| book.title.clone()).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(books.iter().map(|book| sort_key(&book.title)).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(books.iter().map(|book| book.author.clone()).collect::<Vec<_>>())
        .bind::<Array<Integer>, _>(books.iter().map(|book| book.day).collect::<Vec<_>>())
        .bind::<Array<Bool>, _>(books.iter().map(|book| book.free).collect::<Vec<_>>())
        .bind::<Array<Bool>, _>(books.iter().map(|book| book.is_popular).collect::<Vec<_>>())
        .execute(connection)?;
    sql_query(OF_BOOKS)
        .bind::<BigInt, _>(i64::from(first.number))
        .bind::<BigInt, _>(i64::from(last.number))
        .bind::<BigInt, _>(i64::from(texts))
        .execute(connection)?;
    connection.batch_execute(TIES)
}

/// Rebuilds the indexes that [`drop_indexes`] dropped, and updates the book counts of categories and authors.
pub(crate) fn make_indexes(connection: &mut PgConnection) -> QueryResult<()> {
    connection.batch_execute(MAKE_INDEXES)
}

/// Adds members without a password, each with a history of a hundred synthetic books.
pub(crate) fn add_members(connection: &mut PgConnection, members: u32) -> QueryResult<()> {
    sql_query(MEMBERS).bind::<BigInt, _>(i64::from(members)).execute(connection)?;
    connection.batch_execute(HISTORY)
}

/// Adds members without a password or a history, with what the back office lists of them: orders, ledger transactions, codes,
/// messages; and an audit entry for each synthetic book.
pub(crate) fn add_accounts(connection: &mut PgConnection, accounts: u32) -> QueryResult<()> {
    sql_query(ACCOUNTS).bind::<BigInt, _>(i64::from(accounts)).execute(connection)?;
    connection.batch_execute(ORDERS)?;
    connection.batch_execute(AUDIT)
}

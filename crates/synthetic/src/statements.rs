//! SQL statements that add synthetic books by the hundred thousand, for benchmarks.
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

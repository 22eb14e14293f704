//! The benchmark of a member's book with highlights: what they add to its read.

use anyhow::Result;

use super::MEMBER;
use super::load::Load;
use super::request::Request;
use super::site::{RunningServer, Site};
use super::table::Table;
use crate::postgres::psql;

/// Books with highlights, and how many each has.
const BOOKS: usize = 50;
const HIGHLIGHTS: usize = 200;
/// A read with highlights costs at most 10% more than one without.
const GOAL: f64 = 0.91;

/// Measures reads of the same books before and after they have highlights, and adds both to the table.
pub(super) fn measure(
    site: &Site<'_>,
    served: &RunningServer,
    (ids, token): (&[u64], &str),
    load: &Load,
    table: &mut Table,
) -> Result<()> {
    let ids = &ids[..ids.len().min(BOOKS)];
    let reads: Vec<Request> =
        ids.iter().map(|id| Request::get(&format!("/api/books/{id}")).with_token(token)).collect();
    load.warm_up(served, &reads)?;
    let without = load.measure(served, &reads)?;
    table.row(&format!("book by id, member, {} books", ids.len()), &without, None);
    psql(&site.database(), &highlights(ids))?;
    load.warm_up(served, &reads)?;
    let with = load.measure(served, &reads)?;
    let ratio = with.per_second() / without.per_second();
    table.row(&format!("the same with {HIGHLIGHTS} highlights in each"), &with, Some((ratio, Some(GOAL), "without")));
    let feed = [Request::get("/api/study/changes?limit=100").with_token(token)];
    table.row("change feed, 100 highlights", &load.measure(served, &feed)?, None);
    Ok(())
}

/// The statement that gives the member highlights in these books.
fn highlights(ids: &[u64]) -> String {
    let books = ids.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    format!(
        "WITH member AS (SELECT id FROM users WHERE email = '{MEMBER}'),
        places AS (
            SELECT member.id AS user_id, b.id AS book_id, n, row_number() OVER (ORDER BY b.id, n) AS version
            FROM member, books b, generate_series(1, {HIGHLIGHTS}) AS n WHERE b.id IN ({books})
        ),
        versions AS (
            INSERT INTO study_members (user_id, version) SELECT user_id, max(version) FROM places GROUP BY user_id
        ),
        counts AS (
            INSERT INTO highlighted_books (user_id, book_id, highlights, version)
            SELECT user_id, book_id, count(*), max(version) FROM places GROUP BY user_id, book_id
        )
        INSERT INTO highlights (user_id, id, book_id, source_title, source_author, part, section, start_at, end_at, exact,
            prefix, suffix, place_section, place_start, place_end, color, color_at, note, note_at, created_at, edited_at,
            version)
        SELECT user_id, version, book_id, 'Book', 'Author', 'text', 0, n, n + 80, repeat('word ', 16), repeat('b', 32),
            repeat('a', 32), 0, n, n + 80, 'honey', now(), '', now(), now(), now(), version
        FROM places"
    )
}

//! Searches without a result, in Postgres.

use std::collections::HashMap;

use catalogue::{FEWEST_SEARCHES, SEARCH_DAYS, SEARCHES_KEPT_DAYS, SEARCHES_PER_DAY, SearchCount};
use diesel::{
    RunQueryDsl,
    sql_types::{Array, BigInt, Integer, Text},
};
use kernel::{StoreError, Timestamp};

use super::{day_of, number_of};
use crate::{Pg, statement::statement};

statement! {
    /// In the order of the words, so that two nodes that add the same ones don't wait for each other.
    AddSearches { words: Vec<String>, counts: Vec<i64>, day: i32, most: i64 } -> () = [
        "WITH today AS (SELECT date '1970-01-01' + " (day: Integer) "::integer AS day)
        INSERT INTO unanswered_searches AS u (day, words, count)
        SELECT t.day, s.words, s.count
        FROM today t, unnest(" (words: Array<Text>) ", " (counts: Array<BigInt>) ") AS s (words, count)
        WHERE (SELECT count(*) FROM unanswered_searches o WHERE o.day = t.day) < " (most: BigInt) "
            OR EXISTS (SELECT FROM unanswered_searches o WHERE o.day = t.day AND o.words = s.words)
        ORDER BY s.words COLLATE \"C\"
        ON CONFLICT (day, words) DO UPDATE SET count = u.count + excluded.count"
    ]
}

statement! {
    SumSearches { first: i32, fewest: i64, limit: i64 } -> (Text, BigInt) = [
        "SELECT words, sum(count)::bigint FROM unanswered_searches
        WHERE day >= date '1970-01-01' + " (first: Integer) "::integer
        GROUP BY words HAVING sum(count) >= " (fewest: BigInt) " ORDER BY 2 DESC, words LIMIT " (limit: BigInt)
    ]
}

statement! {
    SweepSearches { first_kept: i32 } -> () = [
        "DELETE FROM unanswered_searches WHERE day < date '1970-01-01' + " (first_kept: Integer) "::integer"
    ]
}

/// Adds searches to the day of `now`.
pub(super) fn add(pg: &mut Pg<'_>, searches: &HashMap<String, u64>, now: Timestamp) -> Result<(), StoreError> {
    if searches.is_empty() {
        return Ok(());
    }
    let (words, counts) =
        searches.iter().map(|(words, count)| (words.clone(), i64::try_from(*count).unwrap_or(i64::MAX))).unzip();
    let add = AddSearches { words, counts, day: day_of(now), most: SEARCHES_PER_DAY.into() };
    pg.run(|conn| add.execute(conn)).map(|_| ())
}

/// The most frequent searches of the last days.
pub(super) fn unanswered<A>(pg: &mut Pg<'_, A>, now: Timestamp, limit: usize) -> Result<Vec<SearchCount>, StoreError> {
    let sum = SumSearches { first: day_of(now) - SEARCH_DAYS + 1, fewest: FEWEST_SEARCHES, limit: number_of(limit) };
    let rows: Vec<(String, i64)> = pg.run(|conn| sum.load(conn))?;
    Ok(rows.into_iter().map(|(words, count)| SearchCount { words, count: count.unsigned_abs() }).collect())
}

/// Deletes the searches of days that are not kept any longer.
pub(super) fn sweep(pg: &mut Pg<'_>, now: Timestamp) -> Result<(), StoreError> {
    let sweep = SweepSearches { first_kept: day_of(now) - SEARCHES_KEPT_DAYS };
    pg.run(|conn| sweep.execute(conn)).map(|_| ())
}

//! Reads a reader's records for the account archive.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, QueryDsl, RunQueryDsl,
    sql_types::{BigInt, Integer},
};
use kernel::{BookId, CategoryId, Day, StoreError};
use reading_progress::{LibraryEntry, NoticeRequest, OpenedBook, RatedBook, Records};

use super::{RATED, RatedRow, opening_right_from, position_from, rated_from};
use crate::{
    Pg,
    schema::{library, opened_books, publication_notices, ratings, recommends},
    statement::statement,
    time::from_db,
};

statement! {
    /// The days on which a reader completed summaries (days since 1 January 1970), and how many.
    SelectReadingDays { reader: i64 } -> (Integer, Integer) = [
        "SELECT day - DATE '1970-01-01', completions FROM reading_days WHERE user_id = " (reader: BigInt) " ORDER BY day"
    ]
}

/// All records of an existing reader.
pub(super) fn read<A>(pg: &mut Pg<'_, A>, reader: i64) -> Result<Records, StoreError> {
    let (goal, time) = super::goal::records_of(pg, reader)?;
    Ok(Records {
        recommends: chosen_categories_of(pg, reader)?,
        opened: opened_of(pg, reader)?,
        history: super::place::read_books(pg, reader)?,
        days: days_of(pg, reader)?,
        library: library_of(pg, reader)?,
        ratings: ratings_of(pg, reader)?,
        notices: notices_of(pg, reader)?,
        goal,
        time,
    })
}

fn chosen_categories_of<A>(pg: &mut Pg<'_, A>, reader: i64) -> Result<Vec<CategoryId>, StoreError> {
    let rows: Vec<i64> = pg.run(|conn| {
        recommends::table
            .filter(recommends::user_id.eq(reader))
            .order(recommends::category_id)
            .select(recommends::category_id)
            .load(conn)
    })?;
    Ok(rows.into_iter().map(CategoryId::from_store).collect())
}

fn opened_of<A>(pg: &mut Pg<'_, A>, reader: i64) -> Result<Vec<OpenedBook>, StoreError> {
    let rows: Vec<(i64, String, DateTime<Utc>)> = pg.run(|conn| {
        opened_books::table
            .filter(opened_books::user_id.eq(reader))
            .order((opened_books::opened_at.desc(), opened_books::book_id.desc()))
            .select((opened_books::book_id, opened_books::granted_by, opened_books::opened_at))
            .load(conn)
    })?;
    rows.into_iter()
        .map(|(book, by, at)| {
            Ok(OpenedBook { book: BookId::from_store(book), by: opening_right_from(&by)?, at: from_db(at) })
        })
        .collect()
}

fn days_of<A>(pg: &mut Pg<'_, A>, reader: i64) -> Result<Vec<(Day, u32)>, StoreError> {
    let select = SelectReadingDays { reader };
    let rows: Vec<(i32, i32)> = pg.run(|conn| select.load(conn))?;
    Ok(rows.into_iter().map(|(day, count)| (Day::from_epoch(day), position_from(count))).collect())
}

fn notices_of<A>(pg: &mut Pg<'_, A>, reader: i64) -> Result<Vec<NoticeRequest>, StoreError> {
    let rows: Vec<(i64, DateTime<Utc>)> = pg.run(|conn| {
        publication_notices::table
            .filter(publication_notices::user_id.eq(reader))
            .order((publication_notices::requested_at.desc(), publication_notices::book_id.desc()))
            .select((publication_notices::book_id, publication_notices::requested_at))
            .load(conn)
    })?;
    let requests = rows.into_iter().map(|(book, at)| NoticeRequest { book: BookId::from_store(book), at: from_db(at) });
    Ok(requests.collect())
}

fn library_of<A>(pg: &mut Pg<'_, A>, reader: i64) -> Result<Vec<LibraryEntry>, StoreError> {
    let rows: Vec<(i64, DateTime<Utc>)> = pg.run(|conn| {
        library::table
            .filter(library::user_id.eq(reader))
            .order((library::added_at.desc(), library::book_id.desc()))
            .select((library::book_id, library::added_at))
            .load(conn)
    })?;
    let records = rows.into_iter().map(|(book, at)| LibraryEntry { book: BookId::from_store(book), at: from_db(at) });
    Ok(records.collect())
}

fn ratings_of<A>(pg: &mut Pg<'_, A>, reader: i64) -> Result<Vec<RatedBook>, StoreError> {
    let rows: Vec<RatedRow> = pg.run(|conn| {
        ratings::table
            .filter(ratings::user_id.eq(reader))
            .order((ratings::updated_at.desc(), ratings::book_id.desc()))
            .select(RATED)
            .load(conn)
    })?;
    rows.into_iter().map(rated_from).collect()
}

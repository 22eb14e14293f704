//! Lists of books, paged by key.

use catalogue::{BookCard, BookCursor, ListQuery, Sort};
use diesel::RunQueryDsl;
use kernel::StoreError;

use super::{
    rows::{CardRow, CardTypes, card_columns},
    scope::Scope,
};
use crate::{
    Pg,
    built_statement::{BuiltStatement, Value},
    time::to_db,
};

/// The page of a list behind its key.
pub(super) fn books(pg: &mut Pg<'_>, query: &ListQuery) -> Result<Vec<(BookCard, BookCursor)>, StoreError> {
    let mut filters = query.filters.clone();
    filters.audio |= query.sort == Sort::Audio;
    filters.video |= query.sort == Sort::Video;
    // The books of a tag stand by date in an index of their own.
    let along_tag = filters.tag.is_some() && matches!(query.sort, Sort::New | Sort::Audio | Sort::Video);
    let found = if along_tag { Scope::named(pg, &filters)? } else { Scope::of(pg, &filters)? };
    let Some(mut scope) = found else { return Ok(Vec::new()) };
    let tag = if along_tag { scope.take_tag() } else { None };
    let mut statement: BuiltStatement<CardTypes> = BuiltStatement::new(concat!("SELECT ", card_columns!(), " FROM "));
    statement.sql(if tag.is_some() { "book_tags d JOIN books b ON b.id = d.book_id" } else { "books b" });
    statement.sql(" JOIN book_stats s ON s.book_id = b.id WHERE b.published");
    scope.add_to(&mut statement);
    if let Some(tag) = tag {
        statement.sql(" AND d.tag_id = ").value(Value::Int(tag));
    }
    if tag.is_some() || scope.is_narrow() {
        // Whether to walk the order or to sort what fits hangs on how much fits.
        statement.plan_each_time();
    }
    if let Some(after) = &query.after {
        add_after(&mut statement, after, tag.is_some());
    }
    statement.sql(match query.sort {
        _ if tag.is_some() => " ORDER BY d.upload_date DESC, d.book_id DESC",
        Sort::New | Sort::Audio | Sort::Video => " ORDER BY b.upload_date DESC, b.id DESC",
        Sort::Title => " ORDER BY b.title_key, b.id",
        Sort::Trending => " ORDER BY s.trending DESC, s.is_popular DESC, s.book_id DESC",
    });
    statement.sql(" LIMIT ").value(Value::Int(query.limit.with_surplus()));
    let rows: Vec<CardRow> = pg.run(|conn| statement.load(conn))?;
    rows.into_iter()
        .map(|row| {
            let key = row.key(query.sort);
            Ok((row.into_card()?.0, key))
        })
        .collect()
}

fn add_after(statement: &mut BuiltStatement<CardTypes>, after: &BookCursor, along_tag: bool) {
    match after {
        BookCursor::Date { at, id } => {
            statement
                .sql(if along_tag { " AND (d.upload_date, d.book_id) < (" } else { " AND (b.upload_date, b.id) < (" })
                .value(Value::Time(to_db(*at)))
                .sql(", ")
                .value(Value::Int(id.get()))
                .sql(")");
        }
        BookCursor::Title { key, id } => {
            statement
                .sql(" AND (b.title_key, b.id) > (")
                .value(Value::Text(key.clone()))
                .sql(", ")
                .value(Value::Int(id.get()))
                .sql(")");
        }
        BookCursor::Trending { trending, is_popular, id } => {
            statement
                .sql(" AND (s.trending, s.is_popular, s.book_id) < (")
                .value(Value::Double(*trending))
                .sql(", ")
                .value(Value::Bool(*is_popular))
                .sql(", ")
                .value(Value::Int(id.get()))
                .sql(")");
        }
        // The service refuses a search's key in a list.
        BookCursor::Ranked { .. } => {
            statement.sql(" AND false");
        }
    }
}

//! Lists of books, with keyset pagination.

use catalogue::{BookCard, BookCursor, ListQuery, Sort};
use diesel::RunQueryDsl;
use kernel::{BookId, StoreError};

use super::{
    rows::{CardRow, CardTypes, card_columns},
    scope::Scope,
};
use crate::{
    Pg,
    built_statement::{BuiltStatement, Value},
    time::to_db,
};

/// A page of a list, each book with its cursor.
pub(super) fn books<A>(pg: &mut Pg<'_, A>, query: &ListQuery) -> Result<Vec<(BookCard, BookCursor)>, StoreError> {
    let mut filters = query.filters.clone();
    filters.audio |= query.sort == Sort::Audio;
    filters.video |= query.sort == Sort::Video;
    // A tag's books have an index of their own, ordered by date.
    let along_tag = filters.tag.is_some() && matches!(query.sort, Sort::New | Sort::Audio | Sort::Video);
    let found = if along_tag { Scope::named(pg, &filters)? } else { Scope::of(pg, &filters)? };
    let Some(mut scope) = found else { return Ok(Vec::new()) };
    let tag = if along_tag { scope.take_tag() } else { None };
    let chosen = scope.chosen().filter(|_| query.sort == Sort::Chosen).map(<[i64]>::to_vec);
    let mut statement: BuiltStatement<CardTypes> = BuiltStatement::new(concat!("SELECT ", card_columns!(), " FROM "));
    statement.sql(if tag.is_some() { "book_tags d JOIN books b ON b.id = d.book_id" } else { "books b" });
    statement.sql(" JOIN book_stats s ON s.book_id = b.id WHERE b.published");
    scope.add_to(&mut statement);
    if let Some(tag) = tag {
        statement.sql(" AND d.tag_id = ").value(Value::Int(tag));
    }
    if tag.is_some() || scope.is_narrow() {
        // The number of matches decides whether to walk the index in order or to sort the matches.
        statement.plan_each_time();
    }
    if let Some(after) = &query.after {
        add_after(&mut statement, after, tag.is_some());
    }
    if let (Some(chosen), Some(BookCursor::Placed { place, .. })) = (&chosen, &query.after) {
        statement.sql(" AND array_position(").value(Value::Ints(chosen.clone())).sql(", b.id) > ");
        statement.value(Value::Int(i64::from(*place) + 1));
    }
    if let Some(chosen) = &chosen {
        statement.sql(" ORDER BY array_position(").value(Value::Ints(chosen.clone()));
    }
    statement.sql(match query.sort {
        _ if chosen.is_some() => ", b.id)",
        _ if tag.is_some() => " ORDER BY d.upload_date DESC, d.book_id DESC",
        Sort::New | Sort::Audio | Sort::Video | Sort::Chosen => " ORDER BY b.upload_date DESC, b.id DESC",
        Sort::Title => " ORDER BY b.title_key, b.id",
        Sort::Trending => " ORDER BY s.trending DESC, s.is_popular DESC, s.book_id DESC",
    });
    statement.limit(query.limit.with_surplus());
    let rows: Vec<CardRow> = pg.run(|conn| statement.load(conn))?;
    let place_of = |id: BookId| chosen.iter().flatten().position(|one| *one == id.get());
    rows.into_iter()
        .map(|row| {
            let key = row.key(query.sort);
            let card = row.into_card()?.0;
            let place = place_of(card.id).and_then(|place| u32::try_from(place).ok());
            let key = place.map_or(key, |place| BookCursor::Placed { place, id: card.id });
            Ok((card, key))
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
        // Only a collection's chosen books have places; their condition is added by the caller.
        BookCursor::Placed { .. } => {}
        // A list's service refuses the cursor of a search.
        BookCursor::Ranked { .. } => {
            statement.sql(" AND false");
        }
    }
}

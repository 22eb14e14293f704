//! Lists of books, paged by key.

use catalogue::{BookCard, BookCursor, CategoryKey, Filters, ListQuery, Sort};
use diesel::RunQueryDsl;
use kernel::StoreError;

use super::{
    built::{Built, Value},
    rows::{CardRow, CardTypes, card_columns},
};
use crate::{Pg, time::to_db};

/// The page of a list behind its key.
pub(super) fn books(pg: &mut Pg<'_>, query: &ListQuery) -> Result<Vec<(BookCard, BookCursor)>, StoreError> {
    let mut statement: Built<CardTypes> = Built::new(concat!(
        "SELECT ",
        card_columns!(),
        " FROM books b JOIN book_stats s ON s.book_id = b.id WHERE b.published"
    ));
    let mut filters = query.filters.clone();
    filters.audio |= query.sort == Sort::Audio;
    filters.video |= query.sort == Sort::Video;
    add_filters(&mut statement, &filters);
    if let Some(after) = &query.after {
        add_after(&mut statement, after);
    }
    statement.sql(match query.sort {
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

/// Adds the conditions under which a book is in a list.
pub(super) fn add_filters<Row>(statement: &mut Built<Row>, filters: &Filters) {
    match &filters.category {
        Some(CategoryKey::Id(id)) => {
            statement
                .sql(" AND EXISTS (SELECT FROM book_categories c WHERE c.book_id = b.id AND c.category_id = ")
                .value(Value::Int(id.get()))
                .sql(")");
        }
        Some(CategoryKey::Subid(subid)) => {
            statement
                .sql(
                    " AND EXISTS (SELECT FROM book_categories c WHERE c.book_id = b.id \
                     AND c.category_id = (SELECT id FROM categories WHERE subid = ",
                )
                .value(Value::Text(subid.to_string()))
                .sql("))");
        }
        None => {}
    }
    if let Some(collection) = filters.collection {
        statement
            .sql(
                " AND EXISTS (SELECT FROM book_categories c JOIN collection_categories cc ON cc.category_id = c.category_id \
                 WHERE c.book_id = b.id AND cc.collection_id = ",
            )
            .value(Value::Int(collection.get()))
            .sql(")");
    }
    if let Some(author) = &filters.author {
        statement
            .sql(" AND b.author_id = (SELECT id FROM authors WHERE slug = ")
            .value(Value::Text(author.to_string()))
            .sql(")");
    }
    if let Some(tag) = &filters.tag {
        statement
            .sql(
                " AND EXISTS (SELECT FROM book_tags t WHERE t.book_id = b.id \
                 AND t.tag_id = (SELECT id FROM tags WHERE slug = ",
            )
            .value(Value::Text(tag.to_string()))
            .sql("))");
    }
    if filters.audio {
        statement.sql(" AND b.media IS NOT NULL");
    }
    if filters.video {
        statement.sql(" AND b.video IS NOT NULL");
    }
}

fn add_after(statement: &mut Built<CardTypes>, after: &BookCursor) {
    match after {
        BookCursor::Date { at, id } => {
            statement
                .sql(" AND (b.upload_date, b.id) < (")
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
        BookCursor::Found { .. } => {
            statement.sql(" AND false");
        }
    }
}

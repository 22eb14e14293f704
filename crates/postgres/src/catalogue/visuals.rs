//! Illustrated key ideas in Postgres.

use std::collections::HashMap;

use catalogue::{Visual, VisualBook, VisualDraft, VisualSet, VisualsDraft};
use diesel::{
    ExpressionMethods, NullableExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, delete,
    dsl::min,
    insert_into,
    sql_types::{BigInt, SmallInt},
    upsert::excluded,
};
use kernel::{BookId, Limit, StoreError, Timestamp, VisualId};

use crate::{
    Change, Pg,
    schema::{books, catalogue_totals, visual_sets, visuals},
    statement::statement,
    time::to_db,
};

statement! {
    /// Says how many key ideas a book has, and counts it among the illustrated ones if it can be read.
    Illustrate { book: i64, count: i16 } -> () = [
        "WITH book AS (
                SELECT id, visuals, published AND NOT coming_soon AS counted, " (count: SmallInt) "::smallint AS count FROM books
                WHERE id = " (book: BigInt) " FOR UPDATE),
            total AS (
                UPDATE catalogue_totals t SET illustrated = t.illustrated + (b.count > 0)::integer - (b.visuals > 0)::integer
                FROM book b WHERE b.counted AND (b.count > 0) <> (b.visuals > 0))
        UPDATE books SET visuals = book.count FROM book WHERE books.id = book.id"
    ]
}

/// A book's key ideas, in their order.
pub(super) fn of_book(pg: &mut Pg<'_>, book: BookId) -> Result<Vec<Visual>, StoreError> {
    let rows: Vec<(i64, String, String, String)> = pg.run(|conn| {
        visuals::table
            .filter(visuals::book_id.eq(book.get()))
            .order(visuals::place)
            .select((visuals::id, visuals::title, visuals::body, visuals::image))
            .load(conn)
    })?;
    Ok(rows
        .into_iter()
        .map(|(id, title, body, image)| Visual {
            id: VisualId::from_store(id),
            draft: VisualDraft { title, body, image },
        })
        .collect())
}

/// The pictures that are made of all of a book's key ideas.
pub(super) fn set_of_book(pg: &mut Pg<'_>, book: BookId) -> Result<Option<VisualSet>, StoreError> {
    let row: Option<(String, String, String)> = pg.run(|conn| {
        visual_sets::table
            .find(book.get())
            .select((visual_sets::image, visual_sets::infographic, visual_sets::infographic_thumb))
            .first(conn)
            .optional()
    })?;
    Ok(row.map(|(image, infographic, infographic_thumb)| VisualSet { book, image, infographic, infographic_thumb }))
}

/// Replaces a book's key ideas.
pub(super) fn put(pg: &mut Pg<'_>, book: BookId, draft: &VisualsDraft, now: Timestamp) -> Result<(), StoreError> {
    let rows: Vec<_> = (0_i16..)
        .zip(&draft.ideas)
        .map(|(place, idea)| {
            (
                visuals::book_id.eq(book.get()),
                visuals::place.eq(place),
                visuals::title.eq(&idea.title),
                visuals::body.eq(&idea.body),
                visuals::image.eq(&idea.image),
            )
        })
        .collect();
    let count = i16::try_from(rows.len()).unwrap_or(i16::MAX);
    pg.run(|conn| {
        // The book's row first: two who save the same book at once come one after the other.
        Illustrate { book: book.get(), count }.execute(conn)?;
        delete(visuals::table.filter(visuals::book_id.eq(book.get()))).execute(conn)?;
        insert_into(visuals::table).values(rows).execute(conn)?;
        insert_into(visual_sets::table)
            .values((
                visual_sets::book_id.eq(book.get()),
                visual_sets::image.eq(&draft.image),
                visual_sets::infographic.eq(&draft.infographic),
                visual_sets::infographic_thumb.eq(&draft.infographic_thumb),
                visual_sets::saved_at.eq(to_db(now)),
            ))
            .on_conflict(visual_sets::book_id)
            .do_update()
            .set((
                visual_sets::image.eq(excluded(visual_sets::image)),
                visual_sets::infographic.eq(excluded(visual_sets::infographic)),
                visual_sets::infographic_thumb.eq(excluded(visual_sets::infographic_thumb)),
                visual_sets::saved_at.eq(excluded(visual_sets::saved_at)),
            ))
            .execute(conn)
    })?;
    pg.record_change(Change::Book(book));
    Ok(())
}

/// The published books with key ideas, by falling number.
pub(super) fn books(pg: &mut Pg<'_>, after: Option<BookId>, limit: Limit) -> Result<Vec<VisualBook>, StoreError> {
    type Row = (i64, String, String, String, Option<i64>);
    let below = after.map_or(i64::MAX, BookId::get);
    let first = visuals::table
        .filter(visuals::book_id.eq(visual_sets::book_id))
        .select(min(visuals::id).nullable())
        .single_value();
    let rows: Vec<Row> = pg.run(|conn| {
        visual_sets::table
            .inner_join(books::table)
            .filter(books::published.eq(true))
            .filter(visual_sets::book_id.lt(below))
            .order(visual_sets::book_id.desc())
            .limit(limit.with_surplus())
            .select((
                visual_sets::book_id,
                visual_sets::image,
                visual_sets::infographic,
                visual_sets::infographic_thumb,
                first,
            ))
            .load(conn)
    })?;
    let numbers: Vec<BookId> = rows.iter().map(|row| BookId::from_store(row.0)).collect();
    let mut cards: HashMap<BookId, _> =
        super::cards_of(pg, &numbers)?.into_iter().map(|card| (card.id, card)).collect();
    Ok(rows
        .into_iter()
        .filter_map(|(book, image, infographic, infographic_thumb, first)| {
            let book = BookId::from_store(book);
            Some(VisualBook {
                id: VisualId::from_store(first?),
                card: cards.remove(&book)?,
                pictures: VisualSet { book, image, infographic, infographic_thumb },
            })
        })
        .collect())
}

/// How many books that can be read have key ideas.
pub(super) fn count_books(pg: &mut Pg<'_>) -> Result<u64, StoreError> {
    pg.run(|conn| catalogue_totals::table.select(catalogue_totals::illustrated).first(conn)).map(super::count)
}

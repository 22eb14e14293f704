//! Illustrated key ideas, in Postgres.

use std::collections::HashMap;

use catalogue::{
    EditedVisual, IdeaDrawing, InfographicPeriod, Visual, VisualBook, VisualDraft, VisualSet, VisualsDraft,
};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, NullableExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, delete,
    dsl::min,
    insert_into,
    sql_types::{Array, BigInt, Nullable, SmallInt, Text, Timestamptz},
    upsert::excluded,
};
use kernel::{BookId, Limit, StoreError, Timestamp, VisualId};

use crate::{
    Change, Pg,
    schema::{books, catalogue_totals, infographic_periods, visual_sets, visuals},
    statement::statement,
    time::{from_db, to_db},
};

statement! {
    /// Sets a book's number of key ideas, and updates the count of illustrated books if the book is readable.
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

statement! {
    SelectUploaded { books: Vec<i64> } -> (BigInt, Text) = [
        "SELECT id, infographic FROM books WHERE id = ANY(" (books: Array<BigInt>) ") AND infographic IS NOT NULL"
    ]
}

statement! {
    /// Starts or ends the period in which a book's infographic is available, if its availability has changed.
    NoteInfographic { book: i64, now: DateTime<Utc> } -> () = [
        "WITH shown AS (
                SELECT EXISTS (
                    SELECT FROM books b JOIN visual_sets s ON s.book_id = b.id
                    WHERE b.id = " (book: BigInt) " AND b.published AND NOT b.coming_soon
                        AND coalesce(s.infographic, b.infographic) IS NOT NULL) AS it_is),
            ended AS (
                UPDATE infographic_periods SET shown_until = greatest(shown_from, " (now: Timestamptz) ")
                WHERE book_id = " (book: BigInt) " AND shown_until IS NULL AND NOT (SELECT it_is FROM shown))
        INSERT INTO infographic_periods (book_id, shown_from)
        SELECT " (book: BigInt) ", " (now: Timestamptz) " FROM shown
        WHERE it_is AND NOT EXISTS (
            SELECT FROM infographic_periods WHERE book_id = " (book: BigInt) " AND shown_until IS NULL)
        ON CONFLICT (book_id, shown_from) DO UPDATE SET shown_until = NULL"
    ]
}

/// Records whether a book's infographic is available from now on.
pub(super) fn note_infographic(pg: &mut Pg<'_>, book: BookId, now: Timestamp) -> Result<(), StoreError> {
    pg.run(|conn| NoteInfographic { book: book.get(), now: to_db(now) }.execute(conn).map(|_| ()))
}

/// All periods in which infographics were available.
pub(super) fn infographic_periods<A>(pg: &mut Pg<'_, A>) -> Result<Vec<InfographicPeriod>, StoreError> {
    type Row = (i64, DateTime<Utc>, Option<DateTime<Utc>>);
    let rows: Vec<Row> = pg.run(|conn| infographic_periods::table.load(conn))?;
    let period = |(book, from, until): Row| InfographicPeriod {
        book: BookId::from_store(book),
        from: from_db(from),
        until: until.map(from_db),
    };
    Ok(rows.into_iter().map(period).collect())
}

/// A book's key ideas that have a picture, in their order.
pub(super) fn of_book<A>(pg: &mut Pg<'_, A>, book: BookId) -> Result<Vec<Visual>, StoreError> {
    let rows: Vec<(i64, String, String, String)> = pg.run(|conn| {
        visuals::table
            .filter(visuals::book_id.eq(book.get()))
            .filter(visuals::image.is_not_null())
            .order(visuals::place)
            .select((visuals::id, visuals::title, visuals::body, visuals::image.assume_not_null()))
            .load(conn)
    })?;
    let visual = |(id, title, body, image)| Visual { id: VisualId::from_store(id), title, body, image };
    Ok(rows.into_iter().map(visual).collect())
}

/// The pictures that were drawn of all key ideas of a book, without an uploaded infographic.
fn drawn_set<A>(pg: &mut Pg<'_, A>, book: BookId) -> Result<Option<VisualSet>, StoreError> {
    let row: Option<(String, Option<String>, Option<String>)> = pg.run(|conn| {
        visual_sets::table
            .find(book.get())
            .select((visual_sets::image, visual_sets::infographic, visual_sets::infographic_thumb))
            .first(conn)
            .optional()
    })?;
    let set = |(image, infographic, infographic_thumb)| VisualSet { book, image, infographic, infographic_thumb };
    Ok(row.map(set))
}

/// The pictures that show all key ideas of a book. An uploaded infographic replaces the drawn one.
pub(super) fn set_of_book<A>(pg: &mut Pg<'_, A>, book: BookId) -> Result<Option<VisualSet>, StoreError> {
    let Some(set) = drawn_set(pg, book)? else { return Ok(None) };
    let uploaded = uploaded_infographics(pg, &[book])?.remove(&book);
    Ok(Some(set.with_uploaded(uploaded)))
}

/// A book's key ideas as a draft, with the keys of the pictures that show all of them.
pub(super) fn draft_of_book<A>(pg: &mut Pg<'_, A>, book: BookId) -> Result<Option<VisualsDraft>, StoreError> {
    let of_book = visuals::table.filter(visuals::book_id.eq(book.get())).order(visuals::place).select(EDITED);
    let rows: Vec<EditedRow> = pg.run(|conn| of_book.load(conn))?;
    if rows.is_empty() {
        return Ok(None);
    }
    let ideas = rows.into_iter().map(edited_row);
    let ideas =
        ideas.map(|EditedVisual { title, body, image, drawing, .. }| VisualDraft { title, body, image, drawing });
    let (image, infographic, infographic_thumb) = match drawn_set(pg, book)? {
        None => (None, None, None),
        Some(set) => (Some(set.image), set.infographic, set.infographic_thumb),
    };
    Ok(Some(VisualsDraft { ideas: ideas.collect(), image, infographic, infographic_thumb }))
}

fn uploaded_infographics<A>(pg: &mut Pg<'_, A>, books: &[BookId]) -> Result<HashMap<BookId, String>, StoreError> {
    let select = SelectUploaded { books: books.iter().map(|book| book.get()).collect() };
    let rows: Vec<(i64, String)> = pg.run(|conn| select.load(conn))?;
    Ok(rows.into_iter().map(|(book, key)| (BookId::from_store(book), key)).collect())
}

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
                visuals::motif.eq(idea.drawing.as_ref().map(|drawing| &drawing.motif)),
                visuals::ground.eq(idea.drawing.as_ref().map(|drawing| &drawing.ground)),
            )
        })
        .collect();
    let seen = draft.ideas.iter().filter(|idea| idea.image.is_some()).count();
    let count = i16::try_from(seen).unwrap_or(i16::MAX);
    pg.run(|conn| {
        // Locks the book's row first, so that concurrent saves of a book run one after the other.
        Illustrate { book: book.get(), count }.execute(conn)?;
        delete(visuals::table.filter(visuals::book_id.eq(book.get()))).execute(conn)?;
        insert_into(visuals::table).values(rows).execute(conn)
    })?;
    if let Some(image) = draft.image.clone() {
        let (infographic, infographic_thumb) = (draft.infographic.clone(), draft.infographic_thumb.clone());
        upsert_set(pg, &VisualSet { book, image, infographic, infographic_thumb }, now)?;
    }
    pg.run(|conn| DeleteEmptySet { book: book.get() }.execute(conn))?;
    note_infographic(pg, book, now)?;
    pg.record_change(Change::Book(book));
    Ok(())
}

fn upsert_set(pg: &mut Pg<'_>, set: &VisualSet, now: Timestamp) -> Result<(), StoreError> {
    let insert = insert_into(visual_sets::table)
        .values((
            visual_sets::book_id.eq(set.book.get()),
            visual_sets::image.eq(&set.image),
            visual_sets::infographic.eq(&set.infographic),
            visual_sets::infographic_thumb.eq(&set.infographic_thumb),
            visual_sets::saved_at.eq(to_db(now)),
        ))
        .on_conflict(visual_sets::book_id)
        .do_update()
        .set((
            visual_sets::image.eq(excluded(visual_sets::image)),
            visual_sets::infographic.eq(excluded(visual_sets::infographic)),
            visual_sets::infographic_thumb.eq(excluded(visual_sets::infographic_thumb)),
            visual_sets::saved_at.eq(excluded(visual_sets::saved_at)),
        ));
    pg.run(|conn| insert.execute(conn).map(|_| ()))
}

/// Replaces the pictures that show all key ideas, unless no idea has a picture any more.
pub(super) fn put_set(pg: &mut Pg<'_>, set: &VisualSet, now: Timestamp) -> Result<(), StoreError> {
    upsert_set(pg, set, now)?;
    pg.run(|conn| DeleteEmptySet { book: set.book.get() }.execute(conn))?;
    note_infographic(pg, set.book, now)?;
    pg.record_change(Change::Book(set.book));
    Ok(())
}

/// Readable books that have key ideas, by descending id.
pub(super) fn books<A>(pg: &mut Pg<'_, A>, after: Option<BookId>, limit: Limit) -> Result<Vec<VisualBook>, StoreError> {
    type Row = (i64, String, Option<String>, Option<String>, Option<i64>);
    let below = after.map_or(i64::MAX, BookId::get);
    let first = visuals::table
        .filter(visuals::book_id.eq(visual_sets::book_id))
        .filter(visuals::image.is_not_null())
        .select(min(visuals::id).nullable())
        .single_value();
    let rows: Vec<Row> = pg.run(|conn| {
        visual_sets::table
            .inner_join(books::table)
            .filter(books::published.eq(true))
            .filter(books::coming_soon.eq(false))
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
    let mut uploaded = uploaded_infographics(pg, &numbers)?;
    let mut cards: HashMap<BookId, _> =
        super::cards_of(pg, &numbers)?.into_iter().map(|card| (card.id, card)).collect();
    Ok(rows
        .into_iter()
        .filter_map(|(book, image, infographic, infographic_thumb, first)| {
            let book = BookId::from_store(book);
            Some(VisualBook {
                id: VisualId::from_store(first?),
                card: cards.remove(&book)?,
                pictures: VisualSet { book, image, infographic, infographic_thumb }
                    .with_uploaded(uploaded.remove(&book)),
            })
        })
        .collect())
}

/// The number of readable books that have key ideas.
pub(super) fn count_books<A>(pg: &mut Pg<'_, A>) -> Result<u64, StoreError> {
    pg.run(|conn| catalogue_totals::table.select(catalogue_totals::illustrated).first(conn)).map(super::count)
}

statement! {
    /// Adds a key idea after its book's others. The book's row is locked, so that concurrent inserts run one after the other.
    InsertVisual { book: i64, title: String, body: String } -> BigInt = [
        "WITH book AS (SELECT id FROM books WHERE id = " (book: BigInt) " FOR UPDATE)
        INSERT INTO visuals (book_id, place, title, body)
        SELECT id, (SELECT coalesce(max(place) + 1, 0) FROM visuals v WHERE v.book_id = book.id), "
            (title: Text) ", " (body: Text) " FROM book RETURNING id"
    ]
}

statement! {
    UpdateVisual {
        id: i64, book: i64, title: String, body: String, image: Option<String>, motif: Option<String>, ground: Option<String>,
    } -> () = [
        "UPDATE visuals SET title = " (title: Text) ", body = " (body: Text) ", image = " (image: Nullable<Text>) ",
            motif = " (motif: Nullable<Text>) ", ground = " (ground: Nullable<Text>) ",
            place = CASE WHEN book_id = " (book: BigInt) " THEN place
                ELSE (SELECT coalesce(max(v.place) + 1, 0) FROM visuals v WHERE v.book_id = " (book: BigInt) ") END,
            book_id = " (book: BigInt) " WHERE id = " (id: BigInt)
    ]
}

statement! {
    DeleteVisual { id: i64 } -> BigInt = [
        "DELETE FROM visuals WHERE id = " (id: BigInt) " RETURNING book_id"
    ]
}

statement! {
    /// Moves a book's key ideas to negative places, out of the way: no two may have the same place at any moment.
    ShiftVisuals { book: i64 } -> () = [
        "UPDATE visuals SET place = -1 - place WHERE book_id = " (book: BigInt)
    ]
}

statement! {
    OrderVisuals { book: i64, order: Vec<i64> } -> () = [
        "UPDATE visuals v SET place = o.place - 1
        FROM (SELECT id, row_number() OVER (ORDER BY array_position(" (order: Array<BigInt>) ", id), place DESC) AS place
            FROM visuals WHERE book_id = " (book: BigInt) ") o
        WHERE v.id = o.id"
    ]
}

statement! {
    InsertVisualSet { book: i64, image: String, now: DateTime<Utc> } -> () = [
        "INSERT INTO visual_sets (book_id, image, saved_at) VALUES (" (book: BigInt) ", " (image: Text) ", "
            (now: Timestamptz) ") ON CONFLICT (book_id) DO NOTHING"
    ]
}

statement! {
    DeleteEmptySet { book: i64 } -> () = [
        "DELETE FROM visual_sets WHERE book_id = " (book: BigInt) " AND NOT EXISTS (
            SELECT FROM visuals WHERE book_id = " (book: BigInt) " AND image IS NOT NULL)"
    ]
}

type EditedRow = (i64, i64, String, String, Option<String>, Option<String>, Option<String>);
type EditedColumns =
    (visuals::id, visuals::book_id, visuals::title, visuals::body, visuals::image, visuals::motif, visuals::ground);
const EDITED: EditedColumns =
    (visuals::id, visuals::book_id, visuals::title, visuals::body, visuals::image, visuals::motif, visuals::ground);

fn edited_row((id, book, title, body, image, motif, ground): EditedRow) -> EditedVisual {
    let drawing = motif.zip(ground).map(|(motif, ground)| IdeaDrawing { motif, ground });
    EditedVisual { id: VisualId::from_store(id), book: BookId::from_store(book), title, body, image, drawing }
}

/// All key ideas, by book and place.
pub(super) fn edited<A>(pg: &mut Pg<'_, A>) -> Result<Vec<EditedVisual>, StoreError> {
    let select = visuals::table.order((visuals::book_id, visuals::place)).select(EDITED);
    let rows: Vec<EditedRow> = pg.run(|conn| select.load(conn))?;
    Ok(rows.into_iter().map(edited_row).collect())
}

pub(super) fn edited_one<A>(pg: &mut Pg<'_, A>, id: VisualId) -> Result<Option<EditedVisual>, StoreError> {
    let select = visuals::table.find(id.get()).select(EDITED);
    let row: Option<EditedRow> = pg.run(|conn| select.first(conn).optional())?;
    Ok(row.map(edited_row))
}

/// Adds a key idea after its book's others.
pub(super) fn insert(pg: &mut Pg<'_>, idea: &EditedVisual) -> Result<VisualId, StoreError> {
    let insert = InsertVisual { book: idea.book.get(), title: idea.title.clone(), body: idea.body.clone() };
    let id: i64 = pg.run(|conn| insert.get_result(conn))?;
    pg.record_change(Change::Book(idea.book));
    Ok(VisualId::from_store(id))
}

pub(super) fn update(pg: &mut Pg<'_>, idea: &EditedVisual) -> Result<(), StoreError> {
    let Some(before) = edited_one(pg, idea.id)? else { return Ok(()) };
    let update = UpdateVisual {
        id: idea.id.get(),
        book: idea.book.get(),
        title: idea.title.clone(),
        body: idea.body.clone(),
        image: idea.image.clone(),
        motif: idea.drawing.as_ref().map(|drawing| drawing.motif.clone()),
        ground: idea.drawing.as_ref().map(|drawing| drawing.ground.clone()),
    };
    pg.run(|conn| update.execute(conn))?;
    if before.book != idea.book {
        recount(pg, before.book)?;
    }
    recount(pg, idea.book)
}

pub(super) fn delete_one(pg: &mut Pg<'_>, id: VisualId) -> Result<(), StoreError> {
    let delete = DeleteVisual { id: id.get() };
    let book: Option<i64> = pg.run(|conn| delete.get_result(conn).optional())?;
    book.map_or(Ok(()), |book| recount(pg, BookId::from_store(book)))
}

/// Reorders a book's key ideas.
pub(super) fn order(pg: &mut Pg<'_>, book: BookId, order: &[VisualId]) -> Result<(), StoreError> {
    let order = order.iter().map(|id| id.get()).collect();
    pg.run(|conn| {
        ShiftVisuals { book: book.get() }.execute(conn)?;
        OrderVisuals { book: book.get(), order }.execute(conn)
    })?;
    pg.record_change(Change::Book(book));
    Ok(())
}

/// Stores the picture that lists show for a book's key ideas; `false` if there is one already.
pub(super) fn insert_set(pg: &mut Pg<'_>, book: BookId, image: &str, now: Timestamp) -> Result<bool, StoreError> {
    let insert = InsertVisualSet { book: book.get(), image: image.to_owned(), now: to_db(now) };
    let inserted = pg.run(|conn| insert.execute(conn))?;
    pg.record_change(Change::Book(book));
    Ok(inserted > 0)
}

/// Counts the key ideas that readers see. Without any, deletes the pictures that show all of them.
fn recount(pg: &mut Pg<'_>, book: BookId) -> Result<(), StoreError> {
    let seen = visuals::table.filter(visuals::book_id.eq(book.get())).filter(visuals::image.is_not_null()).count();
    let count: i64 = pg.run(|conn| seen.get_result(conn))?;
    let count = i16::try_from(count).unwrap_or(i16::MAX);
    pg.run(|conn| {
        Illustrate { book: book.get(), count }.execute(conn)?;
        DeleteEmptySet { book: book.get() }.execute(conn)
    })?;
    pg.record_change(Change::Book(book));
    Ok(())
}

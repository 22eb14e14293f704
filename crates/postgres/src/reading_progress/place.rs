//! Reading positions: merged in the database, row by row.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl,
    sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz},
};
use kernel::{BookId, StoreError, Timestamp, UserId};
use reading_progress::{AudioPosition, Device, HistoryCondition, Place, ReadBook, ReadingPosition, Visit};

use super::{opening_right_texts, position_from};
use crate::{
    Change, Pg,
    schema::history,
    statement::statement,
    time::{from_db, to_db},
};

/// A reading position's row: section, paragraph, when and on which device; furthest section; audio position and when; first
/// completion, last visit, when hidden.
pub(super) type PlaceTypes = (
    Integer,
    Nullable<Integer>,
    Nullable<Timestamptz>,
    Nullable<Text>,
    Integer,
    Nullable<BigInt>,
    Nullable<Timestamptz>,
    Nullable<Timestamptz>,
    Timestamptz,
    Nullable<Timestamptz>,
);
pub(super) type PlaceColumns = (
    i32,
    Option<i32>,
    Option<DateTime<Utc>>,
    Option<String>,
    i32,
    Option<i64>,
    Option<DateTime<Utc>>,
    Option<DateTime<Utc>>,
    DateTime<Utc>,
    Option<DateTime<Utc>>,
);

/// The same columns, for Diesel's query builder.
const PLACE: (
    history::position,
    history::paragraph,
    history::place_at,
    history::place_device,
    history::furthest,
    history::audio_ms,
    history::audio_at,
    history::completed_at,
    history::updated_at,
    history::hidden_at,
) = (
    history::position,
    history::paragraph,
    history::place_at,
    history::place_device,
    history::furthest,
    history::audio_ms,
    history::audio_at,
    history::completed_at,
    history::updated_at,
    history::hidden_at,
);

statement! {
    /// Merges a visit if the reader fulfills the condition. One statement, because it runs at every turn of a page; concurrent
    /// visits are not lost. It follows the same rules as `Place::merged`.
    MergeVisit {
        reader: i64,
        book: i64,
        position: Option<i32>,
        paragraph: Option<i32>,
        audio: Option<i64>,
        device: Option<String>,
        at: DateTime<Utc>,
        every_reader: bool,
        opened_by: Vec<&'static str>,
        plan_at: DateTime<Utc>,
        plan_at_if_opened: DateTime<Utc>,
    } -> PlaceTypes = [
        "INSERT INTO history AS h
            (user_id, book_id, position, paragraph, place_at, place_device, furthest, audio_ms, audio_at, updated_at)
        SELECT u.id, p.book, coalesce(p.position, 0), p.paragraph, CASE WHEN p.position IS NOT NULL THEN p.at END, "
            (device: Nullable<Text>) ", coalesce(p.position, 0), p.audio, CASE WHEN p.audio IS NOT NULL THEN p.at END, p.at
        FROM users u
        CROSS JOIN (SELECT " (book: BigInt) "::bigint AS book, " (position: Nullable<Integer>) "::integer AS position, "
            (paragraph: Nullable<Integer>) "::integer AS paragraph, "
            (audio: Nullable<BigInt>) "::bigint AS audio, " (at: Timestamptz) "::timestamptz AS at, "
            (plan_at: Timestamptz) "::timestamptz AS plan_at, "
            (plan_at_if_opened: Timestamptz) "::timestamptz AS plan_at_if_opened) p
        LEFT JOIN opened_books o ON o.user_id = u.id AND o.book_id = p.book
        WHERE u.id = " (reader: BigInt) " AND (" (every_reader: Bool) "
            OR o.granted_by = ANY(" (opened_by: Array<Text>) ")
            OR EXISTS (
                SELECT FROM entitlements e
                WHERE e.user_id = u.id AND (
                    (e.starts_at <= p.plan_at AND (e.ends_at IS NULL OR e.ends_at > p.plan_at))
                    OR (o.user_id IS NOT NULL AND e.starts_at <= p.plan_at_if_opened
                        AND (e.ends_at IS NULL OR e.ends_at > p.plan_at_if_opened))
                )
            ))
        ON CONFLICT (user_id, book_id) DO UPDATE
        SET (position, paragraph, place_at, place_device) = (
                SELECT won.position, won.paragraph, won.place_at, won.place_device
                FROM (VALUES
                    (h.position, h.paragraph, h.place_at, h.place_device),
                    (excluded.position, excluded.paragraph, excluded.place_at, excluded.place_device)
                ) AS won (position, paragraph, place_at, place_device)
                ORDER BY won.place_at DESC NULLS LAST, won.position DESC, won.paragraph DESC NULLS LAST,
                    won.place_device COLLATE \"C\" DESC NULLS LAST
                LIMIT 1
            ),
            furthest = greatest(h.furthest, excluded.furthest),
            (audio_ms, audio_at) = (
                SELECT won.audio_ms, won.audio_at
                FROM (VALUES (h.audio_ms, h.audio_at), (excluded.audio_ms, excluded.audio_at)) AS won (audio_ms, audio_at)
                ORDER BY won.audio_at DESC NULLS LAST, won.audio_ms DESC
                LIMIT 1
            ),
            updated_at = greatest(h.updated_at, excluded.updated_at)
        RETURNING position, paragraph, place_at, place_device, furthest, audio_ms, audio_at, completed_at, updated_at, hidden_at"
    ]
}

statement! {
    /// Keeps the earliest completion, in whatever order completions arrive.
    MarkCompleted { reader: i64, book: i64, at: DateTime<Utc> } -> () = [
        "UPDATE history SET completed_at = least(completed_at, " (at: Timestamptz) ")
        WHERE user_id = " (reader: BigInt) " AND book_id = " (book: BigInt)
    ]
}

statement! {
    /// Hides a book from history.
    HidePlace { reader: i64, book: i64, at: DateTime<Utc> } -> () = [
        "UPDATE history SET hidden_at = greatest(hidden_at, " (at: Timestamptz) ")
        WHERE user_id = " (reader: BigInt) " AND book_id = " (book: BigInt)
    ]
}

pub(super) fn merge_visit(
    pg: &mut Pg<'_>,
    reader: UserId,
    book: BookId,
    visit: &Visit,
    condition: &HistoryCondition,
) -> Result<Option<Place>, StoreError> {
    let merge = MergeVisit {
        reader: reader.get(),
        book: book.get(),
        position: visit.position.map(|position| i32::try_from(position).unwrap_or(i32::MAX)),
        paragraph: visit.paragraph.map(|paragraph| i32::try_from(paragraph).unwrap_or(i32::MAX)),
        audio: visit.audio.map(|millis| i64::try_from(millis).unwrap_or(i64::MAX)),
        // A visit that only listened has no position of the text, and so no device.
        device: visit.position.and(visit.device.as_ref()).map(|device| device.as_str().to_owned()),
        at: to_db(visit.at),
        every_reader: condition.every_reader,
        opened_by: opening_right_texts(condition.opened_by),
        plan_at: to_db(condition.plan_at),
        plan_at_if_opened: to_db(condition.plan_at_if_opened),
    };
    let row: Option<PlaceColumns> = pg.run(|conn| merge.get_result(conn).optional())?;
    if row.is_some() {
        pg.record_change(Change::Reader(reader));
    }
    row.map(place_from).transpose()
}

pub(super) fn find_place<A>(pg: &mut Pg<'_, A>, reader: UserId, book: BookId) -> Result<Option<Place>, StoreError> {
    let query = history::table.find((reader.get(), book.get())).select(PLACE);
    let row: Option<PlaceColumns> = pg.run(|conn| query.first(conn).optional())?;
    row.map(place_from).transpose()
}

pub(super) fn mark_completed(pg: &mut Pg<'_>, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError> {
    pg.record_change(Change::Reader(reader));
    let mark = MarkCompleted { reader: reader.get(), book: book.get(), at: to_db(at) };
    pg.run(|conn| mark.execute(conn))?;
    Ok(())
}

pub(super) fn hide_place(pg: &mut Pg<'_>, reader: UserId, book: BookId, at: Timestamp) -> Result<(), StoreError> {
    pg.record_change(Change::Reader(reader));
    let hide = HidePlace { reader: reader.get(), book: book.get(), at: to_db(at) };
    pg.run(|conn| hide.execute(conn))?;
    Ok(())
}

pub(super) fn show_place(pg: &mut Pg<'_>, reader: UserId, book: BookId) -> Result<(), StoreError> {
    pg.record_change(Change::Reader(reader));
    let place = history::table.find((reader.get(), book.get()));
    let show = diesel::update(place).set(history::hidden_at.eq(None::<DateTime<Utc>>));
    pg.run(|conn| show.execute(conn))?;
    Ok(())
}

/// All reading positions of a reader, newest first, for the account archive.
pub(super) fn read_books<A>(pg: &mut Pg<'_, A>, reader: i64) -> Result<Vec<ReadBook>, StoreError> {
    let query = history::table
        .filter(history::user_id.eq(reader))
        .order((history::updated_at.desc(), history::book_id.desc()))
        .select((history::book_id, PLACE));
    let rows: Vec<(i64, PlaceColumns)> = pg.run(|conn| query.load(conn))?;
    rows.into_iter().map(|(book, row)| Ok(ReadBook::of(BookId::from_store(book), &place_from(row)?))).collect()
}

pub(super) fn place_from(row: PlaceColumns) -> Result<Place, StoreError> {
    let (position, paragraph, place_at, device, furthest, audio_ms, audio_at, completed_at, seen_at, hidden_at) = row;
    let device = device
        .map(|name| Device::parse(&name).ok_or_else(|| StoreError::new(format!("no device is called {name:?}"))))
        .transpose()?;
    Ok(Place {
        reading: place_at.map(|at| ReadingPosition {
            at: from_db(at),
            position: position_from(position),
            paragraph: paragraph.map(position_from),
            device,
        }),
        furthest: position_from(furthest),
        audio: audio_ms
            .zip(audio_at)
            .map(|(millis, at)| AudioPosition { at: from_db(at), millis: u64::try_from(millis).unwrap_or(0) }),
        completed_at: completed_at.map(from_db),
        seen_at: from_db(seen_at),
        hidden_at: hidden_at.map(from_db),
    })
}

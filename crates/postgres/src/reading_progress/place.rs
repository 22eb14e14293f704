//! Reading positions: merged in the database, row by row.

use std::collections::HashMap;

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

/// A save of a position: a visit to merge into its reader's place, if the reader fulfills the condition.
#[derive(Clone, Debug)]
pub struct PositionSave {
    pub reader: UserId,
    pub book: BookId,
    pub visit: Visit,
    pub condition: HistoryCondition,
}

statement! {
    /// Merges visits of different places, each if its reader fulfills the condition. One statement, because one runs at every turn
    /// of a page; concurrent visits are not lost. It follows the same rules as `Place::merged`. Rows are locked in the order of
    /// their keys, so that two of these statements can't deadlock.
    MergeVisits {
        readers: Vec<i64>,
        books: Vec<i64>,
        positions: Vec<Option<i32>>,
        paragraphs: Vec<Option<i32>>,
        audios: Vec<Option<i64>>,
        devices: Vec<Option<String>>,
        ats: Vec<DateTime<Utc>>,
        every_reader: Vec<bool>,
        opened_by: Vec<String>,
        plan_at: Vec<DateTime<Utc>>,
        plan_at_if_opened: Vec<DateTime<Utc>>,
    } -> (BigInt, BigInt, PlaceTypes) = [
        "INSERT INTO history AS h
            (user_id, book_id, position, paragraph, place_at, place_device, furthest, audio_ms, audio_at, updated_at)
        SELECT u.id, p.book, coalesce(p.position, 0), p.paragraph, CASE WHEN p.position IS NOT NULL THEN p.at END,
            p.device, coalesce(p.position, 0), p.audio, CASE WHEN p.audio IS NOT NULL THEN p.at END, p.at
        FROM unnest(" (readers: Array<BigInt>) ", " (books: Array<BigInt>) ", " (positions: Array<Nullable<Integer>>) ", "
            (paragraphs: Array<Nullable<Integer>>) ", " (audios: Array<Nullable<BigInt>>) ", "
            (devices: Array<Nullable<Text>>) ", " (ats: Array<Timestamptz>) ", " (every_reader: Array<Bool>) ", "
            (opened_by: Array<Text>) ", " (plan_at: Array<Timestamptz>) ", " (plan_at_if_opened: Array<Timestamptz>) "
            ) AS p (reader, book, position, paragraph, audio, device, at, every_reader, opened_by, plan_at, plan_at_if_opened)
        JOIN users u ON u.id = p.reader
        LEFT JOIN opened_books o ON o.user_id = u.id AND o.book_id = p.book
        WHERE p.every_reader
            OR o.granted_by = ANY(string_to_array(p.opened_by, ' '))
            OR EXISTS (
                SELECT FROM entitlements e
                WHERE e.user_id = u.id AND (
                    (e.starts_at <= p.plan_at AND (e.ends_at IS NULL OR e.ends_at > p.plan_at))
                    OR (o.user_id IS NOT NULL AND e.starts_at <= p.plan_at_if_opened
                        AND (e.ends_at IS NULL OR e.ends_at > p.plan_at_if_opened))
                )
            )
        ORDER BY p.reader, p.book
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
        RETURNING h.user_id, h.book_id, h.position, h.paragraph, h.place_at, h.place_device, h.furthest, h.audio_ms, h.audio_at,
            h.completed_at, h.updated_at, h.hidden_at"
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

/// Merges visits of different places. Returns the merged places; one whose reader does not fulfill the condition is not among them.
pub(super) fn merge_visits(
    pg: &mut Pg<'_>,
    saves: &[&PositionSave],
) -> Result<HashMap<(UserId, BookId), Place>, StoreError> {
    let all = || saves.iter().copied();
    let merge = MergeVisits {
        readers: all().map(|save| save.reader.get()).collect(),
        books: all().map(|save| save.book.get()).collect(),
        positions: all().map(|save| save.visit.position.map(integer)).collect(),
        paragraphs: all().map(|save| save.visit.paragraph.map(integer)).collect(),
        audios: all().map(|save| save.visit.audio.map(|millis| i64::try_from(millis).unwrap_or(i64::MAX))).collect(),
        devices: all().map(|save| device_of(&save.visit)).collect(),
        ats: all().map(|save| to_db(save.visit.at)).collect(),
        every_reader: all().map(|save| save.condition.every_reader).collect(),
        opened_by: all().map(|save| opening_right_texts(save.condition.opened_by).join(" ")).collect(),
        plan_at: all().map(|save| to_db(save.condition.plan_at)).collect(),
        plan_at_if_opened: all().map(|save| to_db(save.condition.plan_at_if_opened)).collect(),
    };
    let rows: Vec<(i64, i64, PlaceColumns)> = pg.run(|conn| merge.load(conn))?;
    let mut places = HashMap::with_capacity(rows.len());
    for (reader, book, row) in rows {
        let (reader, book) = (UserId::from_store(reader), BookId::from_store(book));
        pg.record_change(Change::Reader(reader));
        places.insert((reader, book), place_from(row)?);
    }
    Ok(places)
}

fn integer(index: u32) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

/// The device of a visit. One that only listened has no position of the text, and so no device.
fn device_of(visit: &Visit) -> Option<String> {
    visit.position.and(visit.device.as_ref()).map(|device| device.as_str().to_owned())
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
    rows.into_iter()
        .map(|(book, row)| Ok(ReadBook { book: BookId::from_store(book), place: place_from(row)? }))
        .collect()
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

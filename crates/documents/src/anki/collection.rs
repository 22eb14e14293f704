//! The collection of an Anki package: an SQLite database with version 11 of Anki's schema.

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::{AnkiCard, AnkiDeck, AnkiSchedule, fields};

const SCHEMA: &str = include_str!("../../templates/anki/schema.sql");
const CONFIG: &str = include_str!("../../templates/anki/config.json");
const OPTIONS: &str = include_str!("../../templates/anki/options.json");
const DECK: &str = include_str!("../../templates/anki/deck.json");
const NOTE_TYPE: &str = include_str!("../../templates/anki/note_type.json");
const FRONT: &str = include_str!("../../templates/anki/front.html");
const BACK: &str = include_str!("../../templates/anki/back.html");
const STYLE: &str = include_str!("../../templates/anki/style.css");

/// When the note type's templates and style were last changed, in seconds since the Unix epoch. An import replaces the
/// note type of an older package, and keeps what the member has changed since.
const NOTE_TYPE_MODIFIED: i64 = 1_795_824_000;
/// The kind and the queue of a card that was answered before.
const IN_REVIEW: i64 = 2;
/// The queue of a suspended card.
const SUSPENDED: i64 = -1;
/// The creation of the collection, in seconds since the Unix epoch: four o'clock, when a day of Anki begins. Anki
/// counts due dates from this day on, so they are days since the Unix epoch.
const CREATED: i64 = 4 * HOUR;
/// In seconds.
const HOUR: i64 = 3_600;
/// In seconds.
const DAY: i64 = 24 * HOUR;
/// The time of the day of a review, in UTC. Anki counts the days since a review from moments. This one is on the right
/// day in the time zones from UTC-10 to UTC+13.
const REVIEW_TIME: i64 = 15 * HOUR;
/// The exponent of the forgetting curve of FSRS 6, by its default parameters.
const DECAY: f64 = 0.154_2;

/// The ids of the deck and the note type.
#[derive(Clone, Copy)]
struct Ids {
    deck: i64,
    note_type: i64,
}

/// Makes the collection: the bytes of the database file.
pub(super) fn collection(deck: &AnkiDeck<'_>) -> rusqlite::Result<Vec<u8>> {
    let mut database = Connection::open_in_memory()?;
    let transaction = database.transaction()?;
    transaction.execute_batch(SCHEMA)?;
    let ids = Ids { deck: derived_id("deck", deck.name), note_type: derived_id("note type", deck.name) };
    insert_collection(&transaction, deck, ids)?;
    insert_cards(&transaction, deck, ids)?;
    transaction.commit()?;
    Ok(database.serialize("main")?.to_vec())
}

/// An id that is always the same for a name. It is in the range of Anki's own ids, which are moments in milliseconds,
/// and before 2020.
fn derived_id(kind: &str, name: &str) -> i64 {
    let digest = Sha256::digest(format!("{kind}\n{name}"));
    let number = digest.iter().take(7).fold(0, |number, byte| number << 8 | i64::from(*byte));
    1_000_000_000_000 + number % 575_000_000_000
}

/// Writes the collection's only row: its configuration, deck and note type.
fn insert_collection(database: &Connection, deck: &AnkiDeck<'_>, ids: Ids) -> rusqlite::Result<()> {
    database.execute(
        "INSERT INTO col (id, crt, mod, scm, ver, dty, usn, ls, conf, models, decks, dconf, tags)
         VALUES (1, ?1, ?2, ?2, 11, 0, 0, 0, json(?3), ?4, ?5, json_object('1', json(?6)), '{}')",
        params![
            CREATED,
            deck.now,
            CONFIG,
            note_types(database, deck.name, ids.note_type)?,
            decks(database, deck, ids.deck)?,
            OPTIONS,
        ],
    )?;
    Ok(())
}

/// The note type, as the JSON that Anki stores.
fn note_types(database: &Connection, name: &str, id: i64) -> rusqlite::Result<String> {
    database.query_row(
        "SELECT json_object(CAST(?1 AS TEXT), json_set(?2, '$.id', ?1, '$.name', ?3, '$.mod', ?4, '$.css', ?5,
                                                       '$.tmpls[0].qfmt', ?6, '$.tmpls[0].afmt', ?7))",
        params![id, NOTE_TYPE, name, NOTE_TYPE_MODIFIED, STYLE, FRONT.trim_end(), BACK.trim_end()],
        |row| row.get(0),
    )
}

/// The deck and the default deck, which every collection has, as the JSON that Anki stores.
fn decks(database: &Connection, deck: &AnkiDeck<'_>, id: i64) -> rusqlite::Result<String> {
    database.query_row(
        "SELECT json_object('1', json_set(?1, '$.id', 1, '$.name', 'Default', '$.mod', 0),
                            CAST(?2 AS TEXT), json_set(?1, '$.id', ?2, '$.name', ?3, '$.mod', ?4))",
        params![DECK, id, deck.name, deck.now / 1_000],
        |row| row.get(0),
    )
}

/// Writes a note and its card for each review card.
fn insert_cards(database: &Connection, deck: &AnkiDeck<'_>, ids: Ids) -> rusqlite::Result<()> {
    // Anki computes the checksum of a note when it imports it.
    let mut notes = database.prepare(
        "INSERT INTO notes (id, guid, mid, mod, usn, tags, flds, sfld, csum, flags, data)
         VALUES (?1, ?2, ?3, ?4, -1, ?5, ?6, ?7, 0, 0, '')",
    )?;
    let mut cards = database.prepare(
        "INSERT INTO cards (id, nid, did, ord, mod, usn, type, queue, due, ivl, factor, reps, lapses, left, odue, odid,
                            flags, data)
         VALUES (?1, ?1, ?2, 0, ?3, -1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0, 0, 0,
                 json_patch('{}', json_object('s', ?11, 'd', ?12, 'decay', ?13, 'lrt', ?14)))",
    )?;
    let modified = deck.now / 1_000;
    for (position, card) in (1..).zip(deck.cards) {
        // Anki refuses an id that is a moment in the future. It finds a note again by its `guid`.
        let id = deck.now + position;
        let guid = format!("{:x}-{:x}", ids.note_type, card.id);
        let text = [fields::html(card.question), fields::html(card.answer), fields::source(card.source, card.url)];
        let text = fields::joined(text.each_ref().map(String::as_str));
        notes.execute(params![id, guid, ids.note_type, modified, fields::tags(card.tags), text, card.question])?;
        let row = CardRow::new(card, position, modified);
        cards.execute(params![
            id,
            ids.deck,
            modified,
            row.kind,
            row.queue,
            row.due,
            row.interval,
            row.ease,
            row.reviews,
            row.lapses,
            row.memory.map(|memory| memory.stability),
            row.memory.map(|memory| memory.difficulty),
            row.memory.map(|_| DECAY),
            row.memory.map(|memory| memory.last_review),
        ])?;
    }
    Ok(())
}

/// What Anki's scheduler knows of a card.
#[derive(Debug, Default, PartialEq)]
struct CardRow {
    /// 0: new, 2: in review.
    kind: i64,
    /// The same, or -1: suspended.
    queue: i64,
    /// The position of a new card; the day of a card in review.
    due: i64,
    /// Days from the latest review to the next one.
    interval: i64,
    /// The ease of Anki's older scheduler, in thousandths.
    ease: i64,
    reviews: u32,
    lapses: u32,
    memory: Option<Memory>,
}

/// The state of FSRS.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Memory {
    stability: f64,
    difficulty: f64,
    /// In seconds since the Unix epoch.
    last_review: i64,
}

impl CardRow {
    /// `now` is in seconds since the Unix epoch.
    fn new(card: &AnkiCard<'_>, position: i64, now: i64) -> Self {
        let row = match card.schedule {
            None => Self { due: position, ..Self::default() },
            Some(schedule) => Self::in_review(schedule, now),
        };
        Self { queue: if card.is_paused { SUSPENDED } else { row.kind }, ..row }
    }

    fn in_review(schedule: AnkiSchedule, now: i64) -> Self {
        let AnkiSchedule { stability, difficulty, last_review, due, reviews, lapses } = schedule;
        let (due, last_review) = (i64::from(due), i64::from(last_review));
        Self {
            kind: IN_REVIEW,
            queue: IN_REVIEW,
            due,
            interval: (due - last_review).max(1),
            ease: ease(difficulty),
            reviews,
            lapses,
            memory: Some(Memory {
                stability: rounded(stability),
                difficulty: rounded(difficulty),
                last_review: (last_review * DAY + REVIEW_TIME).min(now),
            }),
        }
    }
}

/// The ease of Anki's older scheduler for a difficulty of FSRS, in thousandths: 2,500, with which Anki begins, for a
/// difficulty of 2, which a first Good leads to, and the minimum of 1,300 for the greatest difficulty.
fn ease(difficulty: f32) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "a conversion of a float saturates")]
    let ease = (2_800.0 - 150.0 * difficulty).round() as i64;
    ease.clamp(1_300, 2_650)
}

/// A number with the four decimal digits that Anki keeps.
fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_795_870_000;
    const TODAY: i32 = 20_785;
    const SCHEDULE: AnkiSchedule = AnkiSchedule {
        stability: 12.345_67,
        difficulty: 5.25,
        last_review: TODAY - 3,
        due: TODAY + 9,
        reviews: 4,
        lapses: 1,
    };

    fn card(schedule: Option<AnkiSchedule>, is_paused: bool) -> AnkiCard<'static> {
        AnkiCard { id: 1, question: "Q", answer: "A", source: "", url: None, tags: &[], schedule, is_paused }
    }

    #[test]
    fn a_card_without_an_answer_is_new_in_its_position() {
        assert_eq!(CardRow::new(&card(None, false), 7, NOW), CardRow { due: 7, ..CardRow::default() });
    }

    #[test]
    fn a_card_with_an_answer_is_in_review_with_its_memory() {
        let memory =
            Memory { stability: 12.3457, difficulty: 5.25, last_review: i64::from(TODAY - 3) * DAY + REVIEW_TIME };
        let expected = CardRow {
            kind: 2,
            queue: 2,
            due: i64::from(TODAY) + 9,
            interval: 12,
            ease: 2_013,
            reviews: 4,
            lapses: 1,
            memory: Some(memory),
        };
        assert_eq!(CardRow::new(&card(Some(SCHEDULE), false), 7, NOW), expected);
        assert_eq!(CardRow::new(&card(Some(SCHEDULE), true), 7, NOW), CardRow { queue: -1, ..expected });
    }

    #[test]
    fn a_card_that_is_due_again_on_its_day_has_an_interval_of_a_day() {
        let again = AnkiSchedule { last_review: TODAY, due: TODAY, ..SCHEDULE };
        let row = CardRow::new(&card(Some(again), false), 1, NOW);
        assert_eq!((row.due, row.interval), (i64::from(TODAY), 1));
    }

    #[test]
    fn a_review_is_not_later_than_the_export() {
        let today = AnkiSchedule { last_review: TODAY, ..SCHEDULE };
        let row = CardRow::new(&card(Some(today), false), 1, i64::from(TODAY) * DAY);
        assert_eq!(row.memory.map(|memory| memory.last_review), Some(i64::from(TODAY) * DAY));
    }

    #[test]
    fn ease_falls_with_difficulty_within_the_bounds_of_anki() {
        assert_eq!([1.0, 2.0, 5.0, 10.0].map(ease), [2_650, 2_500, 2_050, 1_300]);
        assert_eq!([-1e9, 1e9, f32::NAN].map(ease), [2_650, 1_300, 1_300]);
    }

    #[test]
    fn ids_derive_from_the_name_and_are_in_the_past() {
        assert_eq!(derived_id("deck", "Pith"), derived_id("deck", "Pith"));
        for name in ["", "Pith", "Quire", "日本語"] {
            let ids = [derived_id("deck", name), derived_id("note type", name)];
            assert_ne!(ids[0], ids[1]);
            assert!(ids.iter().all(|id| (1_000_000_000_000..1_577_836_800_000).contains(id)));
        }
        assert_ne!(derived_id("deck", "Pith"), derived_id("deck", "Quire"));
    }
}

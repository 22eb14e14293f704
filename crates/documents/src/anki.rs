//! Review cards as an Anki package (`.apkg`): a ZIP archive of a collection, which is an SQLite database, and a list of
//! media.

mod collection;
mod fields;

use std::io::{Cursor, Write};

use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

/// The content of an Anki package.
#[derive(Clone, Copy, Debug)]
pub struct AnkiDeck<'a> {
    /// The name of the deck and of its note type. Their ids derive from it, so a later package with the same name is
    /// imported into the same deck.
    pub name: &'a str,
    /// The cards, in the order in which Anki asks those without a schedule.
    pub cards: &'a [AnkiCard<'a>],
    /// The moment of the export, in milliseconds since the Unix epoch. When a card is imported again, the package with
    /// the later moment wins.
    pub now: i64,
}

/// A review card. Its texts are plain text with line breaks.
#[derive(Clone, Copy, Debug)]
pub struct AnkiCard<'a> {
    /// The card's id, unique in the deck and the same in every package. When a card is imported again, Anki updates its
    /// texts and keeps its own schedule.
    pub id: i64,
    pub question: &'a str,
    pub answer: &'a str,
    /// What the card is about, such as title and author; may be empty.
    pub source: &'a str,
    /// The absolute URL of the source. Without one, or with an empty source, there is no link.
    pub url: Option<&'a str>,
    /// In Anki, tags have no spaces: `deep work` becomes `deep_work`.
    pub tags: &'a [String],
    /// `None`: the card was never answered.
    pub schedule: Option<AnkiSchedule>,
    /// Anki does not ask a suspended card.
    pub is_paused: bool,
}

/// When a card is due, and what FSRS 6 knows of it. Days are days since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnkiSchedule {
    /// After how many days the answer is still known with a likelihood of 90%.
    pub stability: f32,
    /// From 1 to 10.
    pub difficulty: f32,
    /// The day of the latest answer.
    pub last_review: i32,
    /// The day on which the card is due.
    pub due: i32,
    /// The number of answers.
    pub reviews: u32,
    /// How many of them were wrong on a later day than the answer before.
    pub lapses: u32,
}

/// Why a package could not be made.
#[derive(Debug, thiserror::Error)]
pub enum AnkiError {
    /// Writing the collection failed.
    #[error("the Anki collection could not be written: {0}")]
    Collection(#[from] rusqlite::Error),
    /// Packing the ZIP archive failed.
    #[error("the Anki package could not be packed: {0}")]
    Package(#[from] zip::result::ZipError),
}

/// Makes an Anki package of review cards with their schedules. Anki 23.10, the first version with FSRS, and later ones
/// continue with the schedules if the member imports the learning progress. The same deck gives the same bytes.
///
/// # Errors
/// [`AnkiError`] when writing the collection or packing fails.
pub fn anki_package(deck: &AnkiDeck<'_>) -> Result<Vec<u8>, AnkiError> {
    let collection = collection::collection(deck)?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .last_modified_time(DateTime::default())
        .compression_method(CompressionMethod::Deflated);
    // Cards have no pictures and no sound: the list of media files is empty.
    for (name, content) in [("collection.anki2", collection.as_slice()), ("media", b"{}")] {
        zip.start_file(name, options)?;
        zip.write_all(content).map_err(zip::result::ZipError::Io)?;
    }
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;
    use rusqlite::Connection;

    use super::{AnkiCard, AnkiDeck, AnkiSchedule, anki_package};

    const NOW: i64 = 1_795_870_000_123;
    const TODAY: i32 = 20_785;
    const SCHEDULE: AnkiSchedule = AnkiSchedule {
        stability: 12.5,
        difficulty: 5.25,
        last_review: TODAY - 3,
        due: TODAY + 9,
        reviews: 4,
        lapses: 1,
    };

    fn card<'a>(id: i64, question: &'a str, answer: &'a str) -> AnkiCard<'a> {
        let source = "Walden, Henry David Thoreau";
        let url = Some("https://pith.example/books/walden");
        AnkiCard { id, question, answer, source, url, tags: &[], schedule: None, is_paused: false }
    }

    fn package(cards: &[AnkiCard<'_>]) -> Vec<u8> {
        anki_package(&AnkiDeck { name: "Pith", cards, now: NOW }).expect("a package")
    }

    /// The collection of a package.
    fn collection(package: Vec<u8>) -> Connection {
        let mut zip = zip::ZipArchive::new(std::io::Cursor::new(package)).expect("a ZIP");
        let mut names: Vec<String> = zip.file_names().map(ToOwned::to_owned).collect();
        names.sort();
        assert_eq!(names, ["collection.anki2", "media"]);
        let mut read = |name: &str| {
            let mut bytes = Vec::new();
            zip.by_name(name).expect("a file").read_to_end(&mut bytes).expect("its bytes");
            bytes
        };
        assert_eq!(read("media"), b"{}");
        let file = read("collection.anki2");
        let mut database = Connection::open_in_memory().expect("a database");
        database.deserialize_read_exact("main", file.as_slice(), file.len(), true).expect("an SQLite file");
        database
    }

    /// The rows of a query as texts, with `|` between the columns.
    fn rows(database: &Connection, query: &str) -> Vec<String> {
        let mut statement = database.prepare(query).expect("a query");
        let columns = statement.column_count();
        let row_text = |row: &rusqlite::Row<'_>| {
            let texts: Result<Vec<String>, _> = (0..columns).map(|column| Ok(value_text(row.get(column)?))).collect();
            texts.map(|texts| texts.join("|"))
        };
        statement.query_map([], row_text).expect("rows").collect::<Result<_, _>>().expect("texts")
    }

    fn value_text(value: rusqlite::types::Value) -> String {
        match value {
            rusqlite::types::Value::Integer(number) => number.to_string(),
            rusqlite::types::Value::Real(number) => number.to_string(),
            rusqlite::types::Value::Text(text) => text,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_package_has_a_note_and_a_card_for_each_review_card() {
        let tags = ["deep work".to_owned(), "life".to_owned()];
        let first = AnkiCard { tags: &tags, ..card(9, "Why <b>&\"?", "Because.\nReally.") };
        let second = AnkiCard { source: "", url: None, ..card(10, "1", "2") };
        let database = collection(package(&[first, second]));
        let notes = rows(&database, "SELECT id, mod, usn, tags, replace(flds, char(31), '~'), sfld FROM notes");
        let source = "<a href=\"https://pith.example/books/walden\">Walden, Henry David Thoreau</a>";
        assert_eq!(
            notes,
            [
                format!(
                    "1795870000124|1795870000|-1| deep_work life |Why &lt;b&gt;&amp;&quot;?~Because.<br>Really.~{source}|\
                 Why <b>&\"?"
                ),
                "1795870000125|1795870000|-1||1~2~|1".to_owned(),
            ]
        );
        let cards = rows(&database, "SELECT nid, ord, type, queue, due, ivl, factor, reps, lapses, data FROM cards");
        assert_eq!(cards, ["1795870000124|0|0|0|1|0|0|0|0|{}", "1795870000125|0|0|0|2|0|0|0|0|{}"]);
    }

    #[test]
    fn a_card_keeps_its_guid_in_every_package() {
        let guids = |cards: &[AnkiCard<'_>], now| {
            let package = anki_package(&AnkiDeck { name: "Pith", cards, now }).expect("a package");
            rows(&collection(package), "SELECT guid FROM notes ORDER BY id")
        };
        let largest = (1 << 53) - 1;
        let one = guids(&[card(9, "Q", "A"), card(largest, "Q", "A")], NOW);
        let other = guids(&[card(largest, "Changed", ""), card(9, "Q", "A")], NOW + 86_400_000);
        assert_eq!((&one[0], &one[1]), (&other[1], &other[0]));
        assert_ne!(one[0], one[1]);
    }

    #[test]
    fn a_scheduled_card_has_its_due_day_and_the_memory_of_fsrs() {
        let scheduled = AnkiCard { schedule: Some(SCHEDULE), ..card(1, "Q", "A") };
        let paused = AnkiCard { is_paused: true, ..scheduled };
        let database =
            collection(package(&[scheduled, AnkiCard { id: 2, ..paused }, AnkiCard { schedule: None, ..paused }]));
        let cards = rows(&database, "SELECT type, queue, due, ivl, reps, lapses, data FROM cards ORDER BY id");
        let data = r#"{"s":12.5,"d":5.25,"decay":0.1542,"lrt":1795618800}"#;
        assert_eq!(
            cards,
            [format!("2|2|20794|12|4|1|{data}"), format!("2|-1|20794|12|4|1|{data}"), "0|-1|3|0|0|0|{}".to_owned(),]
        );
        // A due date counts from the creation of the collection.
        assert_eq!(rows(&database, "SELECT crt / 86400, ver FROM col"), ["0|11"]);
    }

    #[test]
    fn cards_are_in_a_deck_of_the_name_with_a_note_type_of_three_fields() {
        let database = collection(package(&[card(1, "Q", "A")]));
        let decks = rows(
            &database,
            "SELECT value ->> 'name', (SELECT count(*) FROM cards WHERE did = key) FROM col, json_each(decks)",
        );
        assert_eq!(decks, ["Default|0", "Pith|1"]);
        let note_types = rows(
            &database,
            "SELECT value ->> 'name', value ->> '$.flds[0].name', value ->> '$.flds[1].name', value ->> '$.flds[2].name',
                    json_array_length(value, '$.tmpls'), value ->> '$.tmpls[0].qfmt' LIKE '%{{Front}}%',
                    value ->> '$.tmpls[0].afmt' LIKE '%{{FrontSide}}%<hr id=answer>%{{Back}}%{{Source}}%',
                    value ->> 'css' LIKE '.card {%', (SELECT count(*) FROM notes WHERE mid = key)
             FROM col, json_each(models)",
        );
        assert_eq!(note_types, ["Pith|Front|Back|Source|1|1|1|1|1"]);
        assert_eq!(rows(&database, "SELECT json_valid(conf), json_valid(dconf), tags FROM col"), ["1|1|{}"]);
    }

    #[test]
    fn a_package_has_all_tables_and_indexes_of_the_schema() {
        let database = collection(package(&[]));
        let names = rows(&database, "SELECT name FROM sqlite_schema ORDER BY name");
        assert_eq!(
            names,
            [
                "cards",
                "col",
                "graves",
                "ix_cards_nid",
                "ix_cards_sched",
                "ix_cards_usn",
                "ix_notes_csum",
                "ix_notes_usn",
                "ix_revlog_cid",
                "ix_revlog_usn",
                "notes",
                "revlog",
            ]
        );
    }

    #[test]
    fn a_deck_without_cards_is_a_package_without_notes() {
        let database = collection(package(&[]));
        for table in ["notes", "cards", "revlog", "graves"] {
            assert_eq!(rows(&database, &format!("SELECT count(*) FROM {table}")), ["0"], "{table}");
        }
    }

    #[test]
    fn the_same_deck_gives_the_same_bytes() {
        let cards = [AnkiCard { schedule: Some(SCHEDULE), ..card(1, "Q", "A") }, card(2, "Q", "A")];
        assert_eq!(package(&cards), package(&cards));
    }

    #[test]
    fn a_name_of_any_characters_is_the_name_of_the_deck() {
        let name = "A \"deck\" & '$.x' — 日本";
        let database = collection(anki_package(&AnkiDeck { name, cards: &[], now: NOW }).expect("a package"));
        assert_eq!(rows(&database, "SELECT value ->> 'name' FROM col, json_each(decks) WHERE key <> '1'"), [name]);
    }

    /// The plain text of a field.
    fn plain(field: &str) -> String {
        let text = field.replace("<br>", "\n");
        [("&#91;", "["), ("&quot;", "\""), ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&")]
            .into_iter()
            .fold(text, |text, (entity, c)| text.replace(entity, c))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn any_texts_come_back(
            texts in prop::collection::vec(("[\\PC\n]{0,80}", "[\\PC\n]{0,80}", "\\PC{0,40}"), 0..6)
        ) {
            let cards: Vec<AnkiCard<'_>> = (1..)
                .zip(&texts)
                .map(|(id, (question, answer, source))| AnkiCard { source, url: None, ..card(id, question, answer) })
                .collect();
            let fields = rows(&collection(package(&cards)), "SELECT flds FROM notes ORDER BY id");
            let read: Vec<Vec<String>> = fields.iter().map(|all| all.split('\u{1f}').map(plain).collect()).collect();
            let written = |text: &String| text.replace(['\u{2028}', '\u{2029}'], "\n");
            let written: Vec<Vec<String>> =
                texts.iter().map(|(question, answer, source)| [question, answer, source].map(written).to_vec()).collect();
            prop_assert_eq!(read, written);
        }
    }
}

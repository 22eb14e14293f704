//! Exports of highlights (`study.free-exports`, `study.export-texts`): what the formats have in common.

use std::cmp::Ordering;

use kernel::{DAY, HOUR, HighlightId, MINUTE, SECOND, TimeZone, Timestamp};

use crate::{HighlightColor, HighlightPlace, Note, Part, PlaceRange, StoredHighlight, Tag, words::words};

mod annotations;
mod csv;
mod file_names;
mod markdown;

pub use annotations::{
    Annotation, AnnotationBody, AnnotationPurpose, AnnotationTarget, TextPositionSelector, TextQuoteSelector,
    annotations,
};
pub use csv::{CSV_COLUMNS, csv_rows};
pub use markdown::markdown_files;

/// A source with a member's highlights in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedSource {
    pub title: String,
    pub author: String,
    /// Its page; `None`: it was deleted.
    pub url: Option<String>,
    /// In any order.
    pub highlights: Vec<ExportedHighlight>,
}

/// A highlight as the exports have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedHighlight {
    pub id: HighlightId,
    pub part: Part,
    /// The words that were highlighted. If they were edited since, no export has the present ones.
    pub words: String,
    /// `None`: the member may not read the text (`study.export-texts`).
    pub context: Option<HighlightContext>,
    /// Where it is in the present text; if its passage is gone, where it was.
    pub range: PlaceRange,
    pub state: PlaceState,
    /// The title of its section, if it is known.
    pub section_title: Option<String>,
    pub color: HighlightColor,
    pub note: Note,
    pub tags: Vec<Tag>,
    pub created_at: Timestamp,
    /// The latest moment at which any of it was set.
    pub edited_at: Timestamp,
}

/// The text around a highlight's words, when it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighlightContext {
    pub prefix: String,
    pub suffix: String,
}

words! {
    /// Whether a highlight's words are in the present text (`study.anchor-states`).
    PlaceState {
        Same = "same",
        /// They were edited.
        Changed = "changed",
        Gone = "gone",
    }
}

impl ExportedHighlight {
    /// A stored highlight as the exports have it. `section_titles` are those of the present text. The text around the
    /// words is left out unless the member may read the source in full (`study.export-texts`).
    pub fn of_stored(stored: &StoredHighlight, section_titles: &[String], may_read: bool) -> Self {
        let state = &stored.highlight.state;
        let anchor = &state.anchor;
        let found = stored.place.range();
        let title_of = |range: PlaceRange| section_titles.get(usize::try_from(range.section).ok()?).cloned();
        Self {
            id: stored.highlight.id,
            part: state.part,
            words: anchor.exact.clone(),
            context: may_read
                .then(|| HighlightContext { prefix: anchor.prefix.clone(), suffix: anchor.suffix.clone() }),
            range: found.unwrap_or(PlaceRange {
                section: anchor.section.unwrap_or(0),
                start: anchor.start,
                end: anchor.end,
            }),
            state: match stored.place {
                HighlightPlace::Same(_) => PlaceState::Same,
                HighlightPlace::Changed { .. } => PlaceState::Changed,
                HighlightPlace::Gone => PlaceState::Gone,
            },
            section_title: found.filter(|_| state.part == Part::Text).and_then(title_of),
            color: state.color.value,
            note: state.note.value.clone(),
            tags: state.shown_tags().into_iter().cloned().collect(),
            created_at: state.created_at,
            edited_at: state.edited_at(),
        }
    }
}

impl ExportedSource {
    /// The highlights in the order of the text. Those that are gone come last, in the order of the old text.
    fn in_text_order(&self) -> Vec<&ExportedHighlight> {
        let mut ordered: Vec<_> = self.highlights.iter().collect();
        ordered.sort_by(|one, other| text_order(one, other));
        ordered
    }
}

fn text_order(one: &ExportedHighlight, other: &ExportedHighlight) -> Ordering {
    let key = |highlight: &ExportedHighlight| {
        let PlaceRange { section, start, end } = highlight.range;
        (highlight.state == PlaceState::Gone, highlight.part, section, start, end, highlight.id)
    };
    key(one).cmp(&key(other))
}

/// The day and the time of day in UTC, as in `2026-03-10` and `12:00:00`.
fn utc_day_and_time(at: Timestamp) -> (String, String) {
    let millis = at.millis().rem_euclid(DAY);
    let time = format!("{:02}:{:02}:{:02}", millis / HOUR, millis % HOUR / MINUTE, millis % MINUTE / SECOND);
    (TimeZone::UTC.day_of(at).to_string(), time)
}

/// A moment in UTC by ISO 8601, to the second, as in `2026-03-10T12:00:00Z`.
pub fn utc_text(at: Timestamp) -> String {
    let (day, time) = utc_day_and_time(at);
    format!("{day}T{time}Z")
}

#[cfg(test)]
mod tests {
    use kernel::{HighlightId, Timestamp};
    use proptest::prelude::*;

    use super::{
        ExportedHighlight, ExportedSource, HighlightContext, PlaceState, annotations, csv_rows, markdown_files,
        utc_text,
    };
    use crate::{
        Anchor, Highlight, HighlightColor, HighlightPlace, HighlightState, Note, Part, PlaceRange, Register,
        StoredHighlight, Tag,
    };

    /// 2026-03-10T12:00:00Z.
    pub(super) const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    pub(super) fn highlight(id: i64, words: &str) -> ExportedHighlight {
        ExportedHighlight {
            id: HighlightId::new(id).expect("an id"),
            part: Part::Text,
            words: words.to_owned(),
            context: None,
            range: PlaceRange { section: 0, start: 10, end: 20 },
            state: PlaceState::Same,
            section_title: None,
            color: HighlightColor::Honey,
            note: Note::default(),
            tags: Vec::new(),
            created_at: NOW,
            edited_at: NOW,
        }
    }

    pub(super) fn source(highlights: Vec<ExportedHighlight>) -> ExportedSource {
        let [title, author] = ["Walden", "Henry David Thoreau"].map(str::to_owned);
        ExportedSource { title, author, url: Some("https://pith.example/books/walden".to_owned()), highlights }
    }

    pub(super) fn tag(text: &str) -> Tag {
        Tag::new(text).expect("a tag")
    }

    /// A text of several lines: any characters, or mostly those that mean something in Markdown.
    pub(super) fn some_text() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "[-+*_=#>|`~$^%&;:!()<>{}\\[\\]\\\\ \t\n\u{a0}.\"'@a-cx019é]{0,40}",
            "([-+*_=#>|`~$:&]|[0-9]{1,3}[.)]|https://a\\.b/c_d|&(amp|#35);|\\[\\[a\\]\\]|\\^h-1|==|%%|    |---|a|\n| ){0,9}",
        ]
    }

    fn some_place() -> impl Strategy<Value = (Part, PlaceRange, PlaceState)> {
        let part = proptest::sample::select(Part::ALL);
        let range = (0..3_u32, 0..4_u32, 1..3_u32).prop_map(|(section, start, length)| PlaceRange {
            section,
            start,
            end: start + length,
        });
        (part, range, proptest::sample::select(PlaceState::ALL))
    }

    fn some_highlight() -> impl Strategy<Value = ExportedHighlight> {
        let tags =
            prop::collection::vec("[a-c0-9_/!. é🐳-]{1,5}".prop_filter_map("a tag", |text| Tag::new(&text).ok()), 0..3);
        (some_place(), some_text(), some_text(), prop::option::of(some_text()), tags).prop_map(
            |((part, range, state), words, note, section_title, tags)| ExportedHighlight {
                part,
                range,
                state,
                section_title,
                note: Note::from_store(note),
                tags,
                ..highlight(1, &words)
            },
        )
    }

    /// Sources whose highlights have different ids.
    pub(super) fn some_source() -> impl Strategy<Value = ExportedSource> {
        prop::collection::vec(some_highlight(), 0..6).prop_map(|mut highlights| {
            for (id, highlight) in (1..).zip(&mut highlights) {
                highlight.id = HighlightId::from_store(id);
            }
            source(highlights)
        })
    }

    fn stored(part: Part, place: HighlightPlace) -> StoredHighlight {
        let [exact, prefix, suffix] = ["a wise man", "He is ", ", they say."].map(str::to_owned);
        let anchor = Anchor { section: Some(1), start: 6, end: 16, exact, prefix, suffix };
        let mut state = HighlightState::new(part, anchor, NOW);
        state.color = Register::new(HighlightColor::Rose, NOW.plus(1));
        state.note = Register::new(Note::new("Is he?").expect("a note"), NOW.plus(3));
        state.set_tag(tag("On"), true, NOW.plus(2));
        state.set_tag(tag("Off"), false, NOW.plus(2));
        let [source_title, source_author] = ["Walden", "Henry David Thoreau"].map(str::to_owned);
        let id = HighlightId::from_store(7);
        StoredHighlight {
            highlight: Highlight { id, source: None, source_title, source_author, state },
            place,
            version: 1,
        }
    }

    #[test]
    fn a_stored_highlight_is_exported_at_its_present_place() {
        let titles = ["Economy", "Where I Lived", "Reading"].map(str::to_owned);
        let range = PlaceRange { section: 2, start: 60, end: 70 };
        let exported = ExportedHighlight::of_stored(&stored(Part::Text, HighlightPlace::Same(range)), &titles, true);
        let context = HighlightContext { prefix: "He is ".to_owned(), suffix: ", they say.".to_owned() };
        let expected = ExportedHighlight {
            context: Some(context),
            range,
            section_title: Some("Reading".to_owned()),
            color: HighlightColor::Rose,
            note: Note::new("Is he?").expect("a note"),
            tags: vec![tag("On")],
            edited_at: NOW.plus(3),
            ..highlight(7, "a wise man")
        };
        assert_eq!(exported, expected);
    }

    #[test]
    fn a_highlight_that_is_gone_is_exported_at_its_old_place_without_a_section_title() {
        let titles = ["Economy", "Where I Lived"].map(str::to_owned);
        let exported = ExportedHighlight::of_stored(&stored(Part::Text, HighlightPlace::Gone), &titles, true);
        assert_eq!(exported.range, PlaceRange { section: 1, start: 6, end: 16 });
        assert_eq!((exported.state, exported.section_title), (PlaceState::Gone, None));
    }

    #[test]
    fn a_passage_of_another_part_than_the_text_has_no_section_title() {
        let range = PlaceRange { section: 0, start: 6, end: 16 };
        let titles = ["Economy".to_owned()];
        let exported = ExportedHighlight::of_stored(&stored(Part::Quote, HighlightPlace::Same(range)), &titles, true);
        assert_eq!((exported.part, exported.section_title), (Part::Quote, None));
    }

    #[test]
    fn no_export_has_more_of_an_unreadable_text_than_the_highlighted_words() {
        let range = PlaceRange { section: 1, start: 6, end: 17 };
        let place = HighlightPlace::Changed { range, text: "a wiser man".to_owned() };
        let exported = ExportedHighlight::of_stored(&stored(Part::Text, place), &[], false);
        assert_eq!((exported.state, &exported.context), (PlaceState::Changed, &None));
        let sources = [source(vec![exported])];
        let files = format!("{:?}", markdown_files(&sources, NOW));
        let rows = format!("{:?}", csv_rows(&sources));
        let values = format!("{:?}", annotations(&sources));
        for export in [files, rows, values] {
            assert!(export.contains("a wise man"));
            assert!(!export.contains("He is") && !export.contains("they say") && !export.contains("wiser"), "{export}");
        }
    }

    #[test]
    fn the_words_of_place_states_are_read_back() {
        for state in PlaceState::ALL {
            assert_eq!(state.as_str().parse(), Ok(*state));
        }
    }

    #[test]
    fn moments_are_in_utc() {
        assert_eq!(utc_text(NOW), "2026-03-10T12:00:00Z");
        assert_eq!(utc_text(NOW.plus(-1)), "2026-03-10T11:59:59Z");
        assert_eq!(utc_text(Timestamp::from_millis(-1)), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn highlights_are_in_the_order_of_the_text_and_those_that_are_gone_are_last() {
        let at = |id, part, section, start, state| ExportedHighlight {
            part,
            range: PlaceRange { section, start, end: start + 5 },
            state,
            ..highlight(id, "words")
        };
        let source = source(vec![
            at(1, Part::Text, 0, 0, PlaceState::Gone),
            at(2, Part::Quote, 0, 0, PlaceState::Same),
            at(3, Part::Text, 1, 4, PlaceState::Changed),
            at(4, Part::Text, 0, 90, PlaceState::Same),
            at(5, Part::Text, 0, 9, PlaceState::Same),
        ]);
        let ids: Vec<i64> = source.in_text_order().iter().map(|highlight| highlight.id.get()).collect();
        assert_eq!(ids, [5, 4, 3, 2, 1]);
    }

    proptest! {
        #[test]
        fn every_format_has_every_highlight_once_in_the_same_order(source in some_source()) {
            let sources = [source];
            let ids: Vec<_> = sources[0].in_text_order().iter().map(|highlight| highlight.id).collect();
            let values: Vec<_> = annotations(&sources).iter().map(|annotation| annotation.id).collect();
            prop_assert_eq!(&values, &ids);
            let ordered: Vec<_> = sources[0].in_text_order().iter().map(|highlight| highlight.words.clone()).collect();
            let rows: Vec<_> = csv_rows(&sources).into_iter().map(|[words, ..]| words).collect();
            prop_assert_eq!(rows, ordered);
            let mut shuffled = sources.clone();
            shuffled[0].highlights.reverse();
            prop_assert_eq!(markdown_files(&shuffled, NOW), markdown_files(&sources, NOW));
        }
    }
}

//! Highlights as rows with the columns that Readwise imports (`study.csv-columns`).

use crate::{
    Part, PlaceRange,
    export::{ExportedHighlight, ExportedSource, utc_day_and_time},
};

/// The columns, in order.
pub const CSV_COLUMNS: [&str; 7] = ["Highlight", "Title", "Author", "URL", "Note", "Location", "Date"];

/// How many locations a section has.
const SECTION_LOCATIONS: u32 = 1_000_000;
/// How many sections a part has.
const PART_SECTIONS: u32 = 999;

/// A row of cells for each highlight, by source, in the order of the text. The cells are not yet quoted.
pub fn csv_rows(sources: &[ExportedSource]) -> Vec<[String; CSV_COLUMNS.len()]> {
    let of_source = |source: &ExportedSource| {
        let ordered = source.in_text_order();
        ordered.into_iter().map(|highlight| row(source, highlight)).collect::<Vec<_>>()
    };
    sources.iter().flat_map(of_source).collect()
}

fn row(source: &ExportedSource, highlight: &ExportedHighlight) -> [String; CSV_COLUMNS.len()] {
    let (day, time) = utc_day_and_time(highlight.created_at);
    [
        highlight.words.clone(),
        source.title.clone(),
        source.author.clone(),
        source.url.clone().unwrap_or_default(),
        highlight.note.as_str().to_owned(),
        location(highlight).to_string(),
        format!("{day} {time}"),
    ]
}

/// A number by which a source's highlights are in the order of the text, and which stays when others are added: the
/// section's number from 1, in millions, and the position in it. It fits in 32 bits with a sign.
fn location(highlight: &ExportedHighlight) -> u32 {
    let PlaceRange { section, start, .. } = highlight.range;
    // A book has no source text and an own summary has no quotes.
    let sections_before = if highlight.part == Part::Text { 1 } else { 1 + PART_SECTIONS };
    (sections_before + section.min(PART_SECTIONS - 1)) * SECTION_LOCATIONS + start.min(SECTION_LOCATIONS - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CSV_COLUMNS, csv_rows, location};
    use crate::{
        ExportedHighlight, ExportedSource, Note, Part, PlaceRange, PlaceState,
        export::tests::{highlight, some_source, source},
    };

    #[test]
    fn a_row_has_the_columns_that_readwise_imports() {
        assert_eq!(CSV_COLUMNS, ["Highlight", "Title", "Author", "URL", "Note", "Location", "Date"]);
        let noted = ExportedHighlight {
            note: Note::new("Why?\nReally?").expect("a note"),
            range: PlaceRange { section: 2, start: 40, end: 50 },
            ..highlight(7, "Simplify, \"simplify\"")
        };
        let rows = csv_rows(&[source(vec![noted])]);
        let url = "https://pith.example/books/walden";
        assert_eq!(
            rows,
            [[
                "Simplify, \"simplify\"",
                "Walden",
                "Henry David Thoreau",
                url,
                "Why?\nReally?",
                "3000040",
                "2026-03-10 12:00:00"
            ]]
        );
    }

    #[test]
    fn a_source_that_was_deleted_has_no_url() {
        let [row] = csv_rows(&[ExportedSource { url: None, ..source(vec![highlight(7, "words")]) }])
            .try_into()
            .expect("one row");
        assert_eq!(row[3], "");
    }

    #[test]
    fn the_greatest_location_is_a_signed_number_of_32_bits() {
        let range = PlaceRange { section: u32::MAX, start: u32::MAX, end: u32::MAX };
        let last = ExportedHighlight { part: Part::Source, range, ..highlight(7, "words") };
        assert_eq!(location(&last), 1_998_999_999);
        assert!(i32::try_from(location(&last)).is_ok());
    }

    proptest! {
        #[test]
        fn locations_rise_in_the_order_of_the_text(mut source in some_source(), other_part in 1..3_usize) {
            // No source has all three parts.
            source.highlights.retain(|one| one.part != Part::ALL[other_part] && one.state != PlaceState::Gone);
            let locations: Vec<u32> = source.in_text_order().into_iter().map(location).collect();
            prop_assert!(locations.is_sorted());
        }
    }
}

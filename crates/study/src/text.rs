//! The sentences of a text, in characters.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// Abbreviations after which the Unicode rules end a sentence, and English does not.
const ABBREVIATIONS: [&str; 7] = ["Mr.", "Mrs.", "Dr.", "St.", "vs.", "e.g.", "i.e."];

/// The text of an own summary's source, as the page shows it: each paragraph is a line, without extra white space.
pub fn source_text(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Where the sentences of a text are, in characters, in order and without the white space around them. A line break ends
/// a sentence. Where a browser's sentences differ, nothing follows from it: a passage is found by its words.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut line_start = 0;
    for line in text.split('\n') {
        let mut start = line_start;
        // Whether the last sentence goes on, since it only seemed to end.
        let mut goes_on = false;
        for piece in line.split_sentence_bounds() {
            let end = start + piece.chars().count();
            let sentence = trimmed(piece, start);
            match found.last_mut() {
                Some(last) if goes_on && !sentence.is_empty() => last.end = sentence.end,
                _ if !sentence.is_empty() => found.push(sentence),
                _ => {}
            }
            if !piece.trim().is_empty() {
                goes_on = ends_with_abbreviation(piece.trim_end());
            }
            start = end;
        }
        line_start += line.chars().count() + 1;
    }
    found
}

/// The range of a piece that begins at `start`, without the white space around it.
fn trimmed(piece: &str, start: usize) -> Range<usize> {
    let leading = piece.chars().take_while(|c| c.is_whitespace()).count();
    let start = start + leading;
    start..start + piece.trim().chars().count()
}

fn ends_with_abbreviation(piece: &str) -> bool {
    let is_word_end = |before: &str| before.ends_with(|c: char| c.is_alphanumeric() || c == '.');
    ABBREVIATIONS.iter().filter_map(|word| piece.strip_suffix(word)).any(|before| !is_word_end(before))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{sentences, source_text};

    fn texts(text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        sentences(text).into_iter().map(|range| chars[range].iter().collect()).collect()
    }

    #[test]
    fn the_paragraphs_of_a_source_are_lines() {
        assert_eq!(source_text(" One\t line. \n\n  \nAnother  one.\n"), "One line.\nAnother one.");
        assert_eq!(source_text("\n"), "");
    }

    #[test]
    fn sentences_end_at_their_marks_and_at_line_breaks() {
        assert_eq!(
            texts("Simplify, simplify. Why? “Because.” So it is\nA new line\n\n  And another.  "),
            ["Simplify, simplify.", "Why?", "“Because.”", "So it is", "A new line", "And another."]
        );
        assert_eq!(texts(" \n \n"), Vec::<String>::new());
    }

    #[test]
    fn an_abbreviation_ends_no_sentence() {
        assert_eq!(
            texts(
                "Mr. Thoreau met Dr. King and Mrs. Hill at St. Paul. Then he went. He likes big things, e.g. Whales, vs. Ants."
            ),
            [
                "Mr. Thoreau met Dr. King and Mrs. Hill at St. Paul.",
                "Then he went.",
                "He likes big things, e.g. Whales, vs. Ants."
            ]
        );
        assert_eq!(texts("It was the best. Really."), ["It was the best.", "Really."]);
        assert_eq!(texts("Ask Mr.\nSmith was not there."), ["Ask Mr.", "Smith was not there."]);
    }

    #[test]
    fn positions_are_in_characters() {
        assert_eq!(sentences("É 🐳. Ja."), [0..4, 5..8]);
    }

    proptest! {
        #[test]
        fn sentences_are_in_order_and_have_all_that_is_not_white_space(text in "[a-zA-ZÉ🐳 .!?\n“”Mr.]{0,60}") {
            let chars: Vec<char> = text.chars().collect();
            let mut end = 0;
            let mut seen = String::new();
            for range in sentences(&text) {
                prop_assert!(range.start >= end && range.end > range.start && range.end <= chars.len());
                prop_assert!(!chars[range.start].is_whitespace() && !chars[range.end - 1].is_whitespace());
                prop_assert!(!chars[range.clone()].contains(&'\n'));
                end = range.end;
                seen.extend(&chars[range]);
            }
            let ink = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(ink(&seen), ink(&text));
        }
    }
}

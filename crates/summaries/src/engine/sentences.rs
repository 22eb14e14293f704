//! Splits a text into paragraphs, headings and sentences, by the Unicode rules (UAX 29) and a few rules of our own.
//!
//! The Unicode rules break at each line end, and after each abbreviation before a capital letter. Here a line end
//! within a paragraph is a space, and a sentence does not end at an abbreviation, at an initial, or at a question
//! inside it (`"Why?" he asked.`).

use unicode_segmentation::UnicodeSegmentation;

use crate::Passage;
use crate::engine::source::Source;

/// The longest sentence, in bytes. Longer ones are cut between words, because some texts have no full stops.
const MAX_SENTENCE: usize = 1_200;
/// The longest line of a wrapped paragraph, in bytes. A longer line is a paragraph of its own.
const MAX_WRAPPED_LINE: usize = 120;
/// The longest heading of a plain text, in bytes.
const MAX_HEADING: usize = 80;
/// Abbreviations: a full stop after them does not end a sentence.
const ABBREVIATIONS: [&str; 44] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "rev", "hon", "gen", "col", "capt", "lieut", "sgt", "jr", "sr", "messrs",
    "vs", "cf", "e.g", "i.e", "eg", "ie", "viz", "no", "nos", "vol", "vols", "ch", "chap", "p", "pp", "fig", "figs",
    "ed", "eds", "bros", "al", "approx", "z.b", "bzw", "mme", "mlle", "sra", "dres",
];

/// A sentence of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// The range in the text, without whitespace at its ends.
    pub range: Passage,
    /// The index of its paragraph.
    pub paragraph: u32,
    /// Whether it is the first one of its paragraph.
    pub opens_paragraph: bool,
}

/// The sentences and headings of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    /// All sentences outside headings, in order.
    pub sentences: Vec<Sentence>,
    /// Headings, each with the index of the paragraph that follows it.
    pub headings: Vec<(Passage, u32)>,
}

/// Splits a text into sentences and headings.
pub(crate) fn outline(source: &Source<'_>) -> Outline {
    let mut outline = Outline::default();
    let mut paragraph = 0;
    let mut buffer = String::new();
    let known = source.headings();
    let mut start = 0;
    for heading in known {
        read_region(source.text(), start..heading.start, false, &mut paragraph, &mut outline, &mut buffer);
        outline.headings.push((trim(source.text(), heading.clone()), paragraph));
        start = heading.end;
    }
    read_region(source.text(), start..source.text().len(), known.is_empty(), &mut paragraph, &mut outline, &mut buffer);
    if outline.sentences.is_empty() {
        // A text of short lines only: each line is a sentence.
        for (range, _) in std::mem::take(&mut outline.headings) {
            if !range.is_empty() {
                outline.sentences.push(Sentence { range, paragraph, opens_paragraph: true });
                paragraph += 1;
            }
        }
    }
    outline
}

/// Reads a region of a text without known headings.
fn read_region(
    text: &str,
    region: Passage,
    find_headings: bool,
    paragraph: &mut u32,
    outline: &mut Outline,
    buffer: &mut String,
) {
    for range in paragraphs(text, region) {
        if find_headings && is_heading(&text[range.clone()]) {
            outline.headings.push((range, *paragraph));
            continue;
        }
        let before = outline.sentences.len();
        read_paragraph(text, range, *paragraph, buffer, &mut outline.sentences);
        if outline.sentences.len() > before {
            *paragraph += 1;
        }
    }
}

/// The paragraphs of a region. A blank line or a long line ends one; a list item begins one.
pub(crate) fn paragraphs(text: &str, region: Passage) -> Vec<Passage> {
    let mut found = Vec::new();
    let mut open: Option<Passage> = None;
    let mut at = region.start;
    for line in text[region].split_inclusive(['\n', '\u{2029}', '\u{c}']) {
        let range = trim(text, at..at + line.len());
        at += line.len();
        if range.is_empty() || begins_list_item(&text[range.clone()]) {
            found.extend(open.take());
        }
        if range.is_empty() {
            continue;
        }
        let is_long = range.len() > MAX_WRAPPED_LINE;
        open = Some(open.map_or(range.start, |before| before.start)..range.end);
        if is_long {
            found.extend(open.take());
        }
    }
    found.extend(open);
    found
}

pub(crate) fn begins_list_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|character: char| character.is_ascii_digit());
    let numbered = rest.len() < line.len() && line.len() - rest.len() <= 3;
    let bulleted = line.starts_with(['•', '*', '‣', '·']) || line.starts_with("- ");
    bulleted || numbered && (rest.starts_with(". ") || rest.starts_with(") "))
}

pub(crate) fn is_heading(text: &str) -> bool {
    text.len() <= MAX_HEADING
        && !text.contains('\n')
        && text.chars().any(char::is_alphabetic)
        && !text.ends_with(['.', '!', '?', '…', ',', ';', ':', '"', '”', '’', '»', '。', '！', '？', '।', '؟', '۔'])
}

/// Finds the sentences of one paragraph.
pub(crate) fn read_paragraph(
    text: &str,
    range: Passage,
    paragraph: u32,
    buffer: &mut String,
    sentences: &mut Vec<Sentence>,
) {
    // The copy has the same length in bytes, so that its ranges are those of the text.
    buffer.clear();
    buffer.extend(text[range.clone()].chars().map(|one| if matches!(one, '\n' | '\r' | '\u{c}') { ' ' } else { one }));
    let mut current: Option<Passage> = None;
    let close = |current: Option<Passage>, sentences: &mut Vec<Sentence>| {
        for piece in current.into_iter().flat_map(|piece| pieces(text, piece)) {
            let opens_paragraph = sentences.last().is_none_or(|last| last.paragraph != paragraph);
            sentences.push(Sentence { range: piece, paragraph, opens_paragraph });
        }
    };
    for (offset, part) in buffer.split_sentence_bound_indices() {
        let part = trim(text, range.start + offset..range.start + offset + part.len());
        if part.is_empty() {
            continue;
        }
        current = Some(match current.take() {
            Some(before) if continues(&text[before.clone()], &text[part.clone()]) => before.start..part.end,
            before => {
                close(before, sentences);
                part
            }
        });
    }
    close(current, sentences);
}

/// Whether a part belongs to the sentence before it.
fn continues(before: &str, part: &str) -> bool {
    let first = part.chars().next();
    if !part.chars().any(char::is_alphanumeric) || first.is_some_and(char::is_lowercase) {
        return true;
    }
    let Some(stem) = before.strip_suffix('.') else { return false };
    let word =
        stem.rsplit(|one: char| one.is_whitespace() || matches!(one, '(' | '[' | '"' | '“')).next().unwrap_or_default();
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        // An initial does not end a sentence. "I" and a digit do.
        (Some(letter), None) => letter.is_uppercase() && letter != 'I',
        _ => word.len() <= 6 && ABBREVIATIONS.contains(&word.to_lowercase().as_str()),
    }
}

/// A sentence, cut between words when it is too long.
fn pieces(text: &str, range: Passage) -> Vec<Passage> {
    let mut found = Vec::new();
    let mut rest = range;
    while rest.len() > MAX_SENTENCE {
        let limit = text.floor_char_boundary(rest.start + MAX_SENTENCE);
        let head = &text[rest.start..limit];
        let cut = head.rfind(char::is_whitespace).filter(|at| *at > 0).map_or(limit, |at| rest.start + at);
        let piece = trim(text, rest.start..cut);
        if !piece.is_empty() {
            found.push(piece);
        }
        rest = trim(text, cut..rest.end);
    }
    if !rest.is_empty() {
        found.push(rest);
    }
    found
}

/// A range without the whitespace at its ends.
pub(crate) fn trim(text: &str, range: Passage) -> Passage {
    let part = &text[range.clone()];
    let start = range.end - part.trim_start().len();
    start..start + part.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<&str> {
        outline(&Source::plain(text)).sentences.into_iter().map(|sentence| &text[sentence.range]).collect()
    }

    #[test]
    fn sentences_end_where_readers_see_their_end() {
        for (text, expected) in [
            ("One is here. Two is there! Is three?", vec!["One is here.", "Two is there!", "Is three?"]),
            ("Mr. Darcy bowed. Dr. J. B. Smith did not.", vec!["Mr. Darcy bowed.", "Dr. J. B. Smith did not."]),
            ("\u{201c}Why?\u{201d} he asked. Nobody knew.", vec!["\u{201c}Why?\u{201d} he asked.", "Nobody knew."]),
            ("It cost 3.50 in all. So he left.", vec!["It cost 3.50 in all.", "So he left."]),
            (
                "A line that is\nwrapped goes on. Then\r\nit ends.",
                vec!["A line that is\nwrapped goes on.", "Then\r\nit ends."],
            ),
            ("これは文です。これも文です。", vec!["これは文です。", "これも文です。"]),
            ("यह वाक्य है। यह दूसरा है।", vec!["यह वाक्य है।", "यह दूसरा है।"]),
            ("So am I. We left.", vec!["So am I.", "We left."]),
        ] {
            assert_eq!(of(text), expected);
        }
    }

    #[test]
    fn paragraphs_are_told_apart() {
        let text = "First one. More of it.\n\nSecond one.\n- an item here.\n- another one.";
        let found = outline(&Source::plain(text));
        let numbers: Vec<(u32, bool)> =
            found.sentences.iter().map(|one| (one.paragraph, one.opens_paragraph)).collect();
        assert_eq!(numbers, [(0, true), (0, false), (1, true), (2, true), (3, true)]);
    }

    #[test]
    fn short_lines_between_blank_ones_are_headings_of_a_plain_text() {
        let text = "The first part\n\nHere is a sentence.\n\nThe second part\n\nHere is another.";
        let found = outline(&Source::plain(text));
        assert_eq!(found.headings, [(0..14, 0), (37..52, 1)]);
        assert_eq!(found.sentences.len(), 2);
    }

    #[test]
    fn known_headings_are_no_sentences() {
        let text = "What is it? It is this.";
        let found = outline(&Source::new(text, std::slice::from_ref(&(0..11))).unwrap());
        assert_eq!(found.headings, [(0..11, 0)]);
        assert_eq!(found.sentences.len(), 1);
    }

    #[test]
    fn a_text_of_short_lines_has_sentences() {
        assert_eq!(of("apples\n\npears\n\nplums"), ["apples", "pears", "plums"]);
    }

    #[test]
    fn a_text_without_full_stops_is_cut_between_words() {
        let text = "word ".repeat(2_000);
        let found = of(&text);
        assert!(found.len() > 5 && found.iter().all(|one| one.len() <= MAX_SENTENCE), "{}", found.len());
        assert!(found.iter().all(|one| one.starts_with("word") && one.ends_with("word")));
        let unbroken = "é".repeat(3_000);
        assert_eq!(of(&unbroken).concat(), unbroken);
    }
}

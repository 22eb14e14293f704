//! Anchors: the quote and the position by which a passage is found again after its text has changed
//! (`study.highlight-anchor`, `study.anchor-search`, `study.anchor-states`).
//!
//! The web app finds anchors by the same steps, without edited words; `anchor_cases.json` is the table of cases that
//! both keep.

use std::{cmp::Reverse, ops::Range};

/// The most characters that an anchor has of the text before its words, and of the text after them.
pub const CONTEXT_CHARS: usize = 32;
/// From this length on, words that occur once in a book are found without the text around them.
pub const LONE_QUOTE_CHARS: usize = 24;
/// How many characters on each side must be unchanged for edited words to be found between them.
pub const CHANGED_CONTEXT_CHARS: usize = 16;
/// How much edited words are like the original ones, from 0 to 1.
pub const CHANGED_LIKENESS: f64 = 0.6;

/// How many places between unchanged sides are compared with the original words.
const MOST_COMPARED: usize = 8;
/// How many occurrences of each side are combined into such places.
const MOST_SIDES: usize = 64;

/// The quote and the position of a passage, as in W3C's Web Annotation model. All positions and lengths are in Unicode
/// scalar values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// The index of the section, of an own summary's key idea or of a book's quote, from 0; `None` counts as 0.
    pub section: Option<u32>,
    /// Where the words begin in the section's text.
    pub start: u32,
    /// Where they end.
    pub end: u32,
    /// The words.
    pub exact: String,
    /// The text before them, up to [`CONTEXT_CHARS`].
    pub prefix: String,
    /// The text after them, up to [`CONTEXT_CHARS`].
    pub suffix: String,
}

/// How the words at a place are like those of the anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// They are the same, apart from typographic forms.
    Same,
    /// They were edited.
    Changed,
}

/// Where an anchor was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The index of the section, from 0.
    pub section: u32,
    /// In characters of the section's text.
    pub start: u32,
    pub end: u32,
    pub likeness: Likeness,
}

/// The texts of a source, prepared for finding many anchors.
#[derive(Clone, Debug)]
pub struct SearchableTexts {
    /// The folded characters of each section.
    sections: Vec<Vec<char>>,
}

/// The anchor of a range of a section, in characters; `None` for an empty range and for one that is not in the text.
pub fn anchor_at(texts: &[&str], section: usize, range: Range<usize>) -> Option<Anchor> {
    let chars: Vec<char> = texts.get(section)?.chars().collect();
    if range.is_empty() {
        return None;
    }
    let exact = chars.get(range.clone())?.iter().collect();
    let prefix = chars[range.start.saturating_sub(CONTEXT_CHARS)..range.start].iter().collect();
    let suffix = chars[range.end..].iter().take(CONTEXT_CHARS).collect();
    let [section, start, end] = [section, range.start, range.end].map(|number| u32::try_from(number).ok());
    Some(Anchor { section: Some(section?), start: start?, end: end?, exact, prefix, suffix })
}

/// Finds an anchor in the sections of a text; `None`: its passage is gone.
pub fn find(anchor: &Anchor, texts: &[&str]) -> Option<Found> {
    SearchableTexts::new(texts).find(anchor)
}

/// The plain form of a typographic quotation mark, dash or space; any other character unchanged. One character gives
/// one, so positions stay what they are.
pub(crate) const fn fold(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201f}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
        other => other,
    }
}

fn folded(text: &str) -> Vec<char> {
    text.chars().map(fold).collect()
}

/// An anchor whose texts are folded.
struct Wanted {
    section: usize,
    start: usize,
    exact: Vec<char>,
    prefix: Vec<char>,
    suffix: Vec<char>,
}

/// A place at which the words stand.
struct Candidate {
    section: usize,
    start: usize,
    /// How many characters before the words are those of the prefix.
    before: usize,
    /// How many characters after them are those of the suffix.
    after: usize,
    /// Whether one side is the anchor's in full.
    has_full_side: bool,
}

impl Wanted {
    fn of(anchor: &Anchor) -> Self {
        let mut prefix = folded(&anchor.prefix);
        prefix.drain(..prefix.len().saturating_sub(CONTEXT_CHARS));
        let mut suffix = folded(&anchor.suffix);
        suffix.truncate(CONTEXT_CHARS);
        Self {
            section: usize::try_from(anchor.section.unwrap_or(0)).unwrap_or(usize::MAX),
            start: usize::try_from(anchor.start).unwrap_or(usize::MAX),
            exact: folded(&anchor.exact),
            prefix,
            suffix,
        }
    }

    /// How far a place is from the old one: first in sections, then in characters.
    const fn distance(&self, section: usize, start: usize) -> (usize, usize) {
        (self.section.abs_diff(section), self.start.abs_diff(start))
    }

    fn candidate(&self, section: usize, text: &[char], start: usize) -> Candidate {
        let end = start + self.exact.len();
        let before = count_equal(text[..start].iter().rev(), self.prefix.iter().rev());
        let after = count_equal(text[end..].iter(), self.suffix.iter());
        // A side that is shorter than usual says that the section began or ended there.
        let has_full_prefix = before == self.prefix.len() && (before == CONTEXT_CHARS || before == start);
        let has_full_suffix = after == self.suffix.len() && (after == CONTEXT_CHARS || end + after == text.len());
        Candidate { section, start, before, after, has_full_side: has_full_prefix || has_full_suffix }
    }

    /// Whether the words at a place are those that were highlighted, and not the same words somewhere else.
    fn accepts(&self, candidate: &Candidate, is_alone: bool) -> bool {
        let (equal, all) = (candidate.before + candidate.after, self.prefix.len() + self.suffix.len());
        candidate.has_full_side || (all > 0 && equal * 2 >= all) || (is_alone && self.exact.len() >= LONE_QUOTE_CHARS)
    }
}

impl SearchableTexts {
    pub fn new<T: AsRef<str>>(texts: &[T]) -> Self {
        Self { sections: texts.iter().map(|text| folded(text.as_ref())).collect() }
    }

    /// Finds an anchor; `None`: its passage is gone.
    pub fn find(&self, anchor: &Anchor) -> Option<Found> {
        let wanted = Wanted::of(anchor);
        if wanted.exact.is_empty() {
            return None;
        }
        self.find_same(&wanted).or_else(|| self.find_changed(&wanted))
    }

    /// The place with most of the text around it, then the nearest to the old one.
    fn find_same(&self, wanted: &Wanted) -> Option<Found> {
        let candidates: Vec<Candidate> = self
            .sections
            .iter()
            .enumerate()
            .flat_map(|(section, text)| {
                occurrences(text, &wanted.exact).map(move |start| wanted.candidate(section, text, start))
            })
            .collect();
        let is_alone = candidates.len() == 1;
        candidates
            .iter()
            .filter(|candidate| wanted.accepts(candidate, is_alone))
            .min_by_key(|one| {
                (Reverse(one.before + one.after), wanted.distance(one.section, one.start), one.section, one.start)
            })
            .and_then(|one| found(one.section, one.start..one.start + wanted.exact.len(), Likeness::Same))
    }

    /// The place between unchanged sides whose words are most like the original ones; `None` if two are equally like.
    fn find_changed(&self, wanted: &Wanted) -> Option<Found> {
        let before = &wanted.prefix[wanted.prefix.len().checked_sub(CHANGED_CONTEXT_CHARS)?..];
        let after = wanted.suffix.get(..CHANGED_CONTEXT_CHARS)?;
        let mut places: Vec<(usize, Range<usize>)> = self
            .sections
            .iter()
            .enumerate()
            .flat_map(|(section, text)| wanted.places_between(text, before, after).map(move |range| (section, range)))
            .collect();
        places.sort_by_key(|(section, range)| {
            let growth = range.len().abs_diff(wanted.exact.len());
            (wanted.distance(*section, range.start), growth, *section, range.start)
        });
        places.truncate(MOST_COMPARED);
        let compared = places.iter().map(|(section, range)| {
            (likeness(&self.sections[*section][range.clone()], &wanted.exact), *section, range)
        });
        let mut most_like: Vec<_> = compared.filter(|(likeness, ..)| *likeness >= CHANGED_LIKENESS).collect();
        most_like.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
        match most_like.as_slice() {
            [(first, ..), (second, ..), ..] if first.total_cmp(second).is_eq() => None,
            [(_, section, range), ..] => found(*section, Range::clone(range), Likeness::Changed),
            [] => None,
        }
    }
}

impl Wanted {
    /// The ranges between the two sides in a section, none of them far shorter or longer than the words.
    fn places_between(&self, text: &[char], before: &[char], after: &[char]) -> impl Iterator<Item = Range<usize>> {
        let length = self.exact.len();
        let lengths = length / 2..=2 * length + 20;
        let mut starts: Vec<usize> = occurrences(text, before).map(|at| at + before.len()).collect();
        starts.sort_by_key(|start| start.abs_diff(self.start));
        starts.truncate(MOST_SIDES);
        let ends: Vec<usize> = if starts.is_empty() { Vec::new() } else { occurrences(text, after).collect() };
        starts.into_iter().flat_map(move |start| {
            let from = ends.partition_point(|end| *end < start + lengths.start());
            let fitting = ends[from..].iter().copied().take_while(|end| end - start <= *lengths.end());
            fitting.take(MOST_SIDES).map(|end| start..end).collect::<Vec<_>>()
        })
    }
}

fn found(section: usize, range: Range<usize>, likeness: Likeness) -> Option<Found> {
    let [section, start, end] = [section, range.start, range.end].map(|number| u32::try_from(number).ok());
    Some(Found { section: section?, start: start?, end: end?, likeness })
}

/// Where some characters occur in a text, overlapping occurrences included.
fn occurrences<'a>(text: &'a [char], wanted: &'a [char]) -> impl Iterator<Item = usize> + 'a {
    let first = wanted.first().copied();
    let windows = text.windows(wanted.len().max(1)).enumerate();
    windows.filter(move |(_, window)| window.first().copied() == first && *window == wanted).map(|(start, _)| start)
}

fn count_equal<'a>(one: impl Iterator<Item = &'a char>, other: impl Iterator<Item = &'a char>) -> usize {
    one.zip(other).take_while(|(a, b)| a == b).count()
}

/// How much two texts are like each other, from 0 to 1: the share of characters that need no edit.
fn likeness(one: &[char], other: &[char]) -> f64 {
    let [one, other]: [String; 2] = [one, other].map(|chars| chars.iter().collect());
    strsim::normalized_levenshtein(&one, &other)
}

#[cfg(test)]
mod tests {
    use super::{Anchor, Found, Likeness, anchor_at, find};

    #[derive(serde::Deserialize)]
    struct Case {
        name: String,
        texts: Vec<String>,
        anchor: CaseAnchor,
        found: Option<CasePlace>,
    }

    #[derive(serde::Deserialize)]
    struct CaseAnchor {
        section: Option<u32>,
        start: u32,
        end: u32,
        exact: String,
        prefix: String,
        suffix: String,
    }

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct CasePlace {
        section: u32,
        start: u32,
        end: u32,
    }

    #[test]
    fn the_cases_that_the_web_app_shares_are_found_or_gone() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("anchor_cases.json")).expect("the table is JSON");
        assert!(cases.len() >= 30);
        for Case { name, texts, anchor, found } in cases {
            let CaseAnchor { section, start, end, exact, prefix, suffix } = anchor;
            let anchor = Anchor { section, start, end, exact, prefix, suffix };
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            // The web app does not look for edited words.
            let same = find(&anchor, &texts).filter(|place| place.likeness == Likeness::Same);
            let place = same.map(|Found { section, start, end, .. }| CasePlace { section, start, end });
            assert_eq!(place, found, "{name}");
        }
    }

    const OLD: &str = "We should be blessed if we lived in the present always, and took advantage of every accident \
                       that befell us, like the grass.";

    fn anchor_of(words: &str) -> Anchor {
        let at = OLD.find(words).expect("words of the text");
        anchor_at(&[OLD], 0, at..at + words.len()).expect("a range of the text")
    }

    #[test]
    fn edited_words_are_found_between_unchanged_sides() {
        let anchor = anchor_of("took advantage of every accident");
        let text = OLD.replace("every accident", "each accident");
        let found = find(&anchor, &["A new section.", &text]).expect("the edited words");
        assert_eq!((found.section, found.likeness), (1, Likeness::Changed));
        assert_eq!(&text[found.start as usize..found.end as usize], "took advantage of each accident");
    }

    #[test]
    fn words_that_are_hardly_like_the_original_ones_are_gone() {
        let anchor = anchor_of("took advantage of every accident");
        for new in ["", "did whatever we wanted to do", "took", &"accident after accident ".repeat(9)] {
            assert_eq!(find(&anchor, &[&OLD.replace("took advantage of every accident", new)]), None, "{new:?}");
        }
    }

    #[test]
    fn two_places_that_are_equally_like_the_original_words_are_none() {
        let anchor = anchor_of("took advantage of every accident");
        let text = OLD.replace("every accident", "each accident");
        assert_eq!(find(&anchor, &[&text, &text]), None);
        let better = OLD.replace("every accident", "every incident");
        let found = find(&anchor, &[&text, &better, &text]).expect("the one that is most like it");
        assert_eq!((found.section, found.likeness), (1, Likeness::Changed));
    }

    #[test]
    fn edited_words_need_text_on_both_sides() {
        let anchor = anchor_of("We should be blessed");
        assert_eq!(find(&anchor, &[&OLD.replace("should", "would")]), None);
    }

    #[test]
    fn an_anchor_is_made_of_a_range_within_the_text() {
        let texts = ["Ein schöner Tag."];
        let anchor = anchor_at(&texts, 0, 4..11).expect("a range of the text");
        assert_eq!(
            (anchor.prefix.as_str(), anchor.exact.as_str(), anchor.suffix.as_str()),
            ("Ein ", "schöner", " Tag.")
        );
        assert_eq!(anchor_at(&texts, 0, 4..4), None);
        assert_eq!(anchor_at(&texts, 0, 4..17), None);
        assert_eq!(anchor_at(&texts, 1, 0..1), None);
        #[expect(clippy::reversed_empty_ranges, reason = "a range from outside may be reversed")]
        let reversed = anchor_at(&texts, 0, 5..4);
        assert_eq!(reversed, None);
    }
}

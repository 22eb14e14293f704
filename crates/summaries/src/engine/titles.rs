//! Titles of ideas, taken from the text: the heading above, or the most informative clause.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation;

use crate::Passage;
use crate::engine::language::Vocabulary;
use crate::engine::ranking::as_float;
use crate::engine::sentences::{Outline, trim};
use crate::engine::summary::normalise_whitespace;
use crate::engine::terms::{Terms, term_of, terms_in};

/// A title has at most this many words …
const MAX_WORDS: usize = 9;
/// … and preferably at least this many.
const MIN_WORDS: usize = 3;
/// The longest heading that is used as a title, in bytes.
const MAX_HEADING: usize = 120;
/// The factor for the score of a whole clause, as compared to a part of one.
const WHOLE_CLAUSE: f64 = 1.5;

/// Chooses titles, and avoids those of earlier ideas.
pub(crate) struct Titles<'a> {
    text: &'a str,
    outline: &'a Outline,
    terms: &'a Terms,
    vocabulary: &'a Vocabulary,
    given: HashSet<String>,
}

impl<'a> Titles<'a> {
    pub(crate) fn new(text: &'a str, outline: &'a Outline, terms: &'a Terms, vocabulary: &'a Vocabulary) -> Self {
        Self { text, outline, terms, vocabulary, given: HashSet::new() }
    }

    /// The title of the idea with these sentences: the best one that no earlier idea has, or else the best one. Empty
    /// without candidates.
    pub(crate) fn title_of(&mut self, sentences: &[usize]) -> String {
        let mut candidates: Vec<(f64, Passage)> =
            sentences.iter().flat_map(|sentence| self.clauses_of(*sentence)).collect();
        // The highest score first; of equals, the earlier one.
        candidates.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.start.cmp(&other.1.start)));
        let ranges = self.heading_above(sentences).into_iter().chain(candidates.into_iter().map(|(_, range)| range));
        let mut first = None;
        for range in ranges {
            let title = as_title(&self.text[range]);
            if self.given.insert(title.to_lowercase()) {
                return title;
            }
            first.get_or_insert(title);
        }
        first.unwrap_or_default()
    }

    fn heading_above(&self, sentences: &[usize]) -> Option<Passage> {
        let paragraph = self.outline.sentences[*sentences.first()?].paragraph;
        let above = self.outline.headings.partition_point(|(_, follows)| *follows <= paragraph);
        let (range, _) = self.outline.headings.get(above.checked_sub(1)?)?;
        (range.len() <= MAX_HEADING && self.text[range.clone()].chars().any(char::is_alphanumeric))
            .then(|| range.clone())
    }

    /// The parts of a sentence that can be a title, with their scores.
    fn clauses_of(&self, sentence: usize) -> Vec<(f64, Passage)> {
        let range = self.outline.sentences[sentence].range.clone();
        let mut found = Vec::new();
        let mut start = range.start;
        let breaks = self.text[range.clone()].char_indices().filter(|(_, one)| is_clause_break(*one));
        let ends = breaks.map(|(at, one)| (range.start + at, one.len_utf8())).chain([(range.end, 0)]);
        for (end, length) in ends {
            self.parts_of_clause(start..end, &mut found);
            start = end + length;
        }
        found
    }

    fn parts_of_clause(&self, clause: Passage, found: &mut Vec<(f64, Passage)>) {
        let words: Vec<Passage> = self.text[clause.clone()]
            .unicode_word_indices()
            .map(|(at, word)| clause.start + at..clause.start + at + word.len())
            .collect();
        let says_something = |word: &Passage| term_of(&self.text[word.clone()], self.vocabulary).is_some();
        for start in 0..words.len() {
            if start > 0 && !says_something(&words[start]) {
                continue;
            }
            for end in start + 1..=words.len().min(start + MAX_WORDS) {
                let is_whole = start == 0 && end == words.len();
                if !is_whole && !says_something(&words[end - 1]) {
                    continue;
                }
                let range = words[start].start..words[end - 1].end;
                let length = end - start;
                let mut worth = self.worth(range.clone(), length);
                if is_whole {
                    worth *= WHOLE_CLAUSE;
                }
                if length < MIN_WORDS {
                    worth *= 0.5;
                }
                found.push((worth, range));
            }
        }
    }

    fn worth(&self, range: Passage, words: usize) -> f64 {
        let mut stems = terms_in(self.text, range, self.vocabulary);
        stems.sort_unstable();
        stems.dedup();
        let sum: f64 = stems.into_iter().map(|stem| f64::from(self.terms.sentences_with(stem)).sqrt()).sum();
        sum / as_float(words).powf(0.6)
    }
}

const fn is_clause_break(character: char) -> bool {
    matches!(
        character,
        ',' | ';'
            | ':'
            | '.'
            | '!'
            | '?'
            | '('
            | ')'
            | '['
            | ']'
            | '"'
            | '“'
            | '”'
            | '«'
            | '»'
            | '—'
            | '–'
            | '…'
            | '、'
            | '。'
            | '！'
            | '？'
            | '；'
            | '：'
            | '「'
            | '」'
            | '，'
            | '।'
            | '؟'
            | '،'
            | '؛'
            | '۔'
    )
}

/// The text on one line, with a capital first letter.
pub(crate) fn as_title(text: &str) -> String {
    let range = trim(text, 0..text.len());
    let line = normalise_whitespace(text[range].trim_start_matches('#'));
    let mut characters = line.chars();
    let Some(first) = characters.next() else { return line };
    let mut upper = first.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) if upper.to_lowercase().eq([first]) => format!("{upper}{}", characters.as_str()),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_line_with_a_capital_letter() {
        for (text, title) in [
            ("  training\n makes character ", "Training makes character"),
            ("ßharp", "ßharp"),
            ("ein Wort", "Ein Wort"),
            ("## A heading", "A heading"),
            ("言論の自由", "言論の自由"),
            ("", ""),
        ] {
            assert_eq!(as_title(text), title);
        }
    }
}

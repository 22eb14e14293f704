//! Matches names while a person types: authors, categories, collections and tags.

use crate::words::{distance, distance_to_beginning, forgiven, words_of};

/// The most words of a query; further ones are ignored.
const MAX_WORDS: usize = 8;

/// What was typed so far, as the beginning of a name.
#[derive(Clone, Debug)]
pub(crate) struct NamePrefix {
    words: Vec<String>,
    /// Whether the last word may be incomplete.
    unfinished: bool,
}

impl NamePrefix {
    /// Parses what was typed.
    pub(crate) fn parse(text: &str) -> Self {
        let mut words = words_of(text);
        words.truncate(MAX_WORDS);
        Self { words, unfinished: text.chars().last().is_some_and(char::is_alphanumeric) }
    }

    /// The words as one folded text; empty when nothing was typed.
    pub(crate) fn text(&self) -> String {
        self.words.join(" ")
    }

    /// The distance of a name from what was typed, lower is better; `None` when a word does not match. Each word must
    /// be (nearly) equal to a word of the name; an unfinished last word may also (nearly) be the beginning of one.
    pub(crate) fn fit(&self, name: &str) -> Option<usize> {
        let of_name = words_of(name);
        if self.words.is_empty() {
            return None;
        }
        let mut cost = 0;
        for (at, word) in self.words.iter().enumerate() {
            let goes_on = self.unfinished && at + 1 == self.words.len();
            let apart =
                |other: &String| if goes_on { distance_to_beginning(word, other) } else { distance(word, other) };
            let nearest = of_name.iter().map(apart).min()?;
            if nearest > forgiven(word) {
                return None;
            }
            // A typing error rarely changes the first letter.
            let first = word.chars().next();
            if nearest > 0 && !of_name.iter().any(|other| other.chars().next() == first && apart(other) == nearest) {
                return None;
            }
            cost += nearest;
        }
        // Of equally near names, those that begin with the first word come first, then those whose last word it
        // matches, as family names do, then those with fewer words.
        let begins = of_name.first().is_some_and(|first| first.starts_with(self.words[0].as_str()));
        let apart = |name: &String| distance_to_beginning(&self.words[0], name);
        let is_last = of_name.last().map(apart) == of_name.iter().map(apart).min();
        Some(cost * 1000 + usize::from(!begins) * 200 + usize::from(!is_last) * 100 + of_name.len().min(99))
    }
}

/// The items whose names match, best first.
pub(crate) fn best<T>(typed: &NamePrefix, all: Vec<T>, name: impl Fn(&T) -> &str, limit: usize) -> Vec<T> {
    let mut fitting: Vec<(usize, T)> =
        all.into_iter().filter_map(|one| typed.fit(name(&one)).map(|cost| (cost, one))).collect();
    fitting.sort_by_key(|(cost, _)| *cost);
    fitting.into_iter().take(limit).map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{NamePrefix, best};

    fn fits(text: &str, name: &str) -> bool {
        NamePrefix::parse(text).fit(name).is_some()
    }

    #[test]
    fn a_name_is_found_by_beginnings_accents_and_slips() {
        for text in
            ["thoreau", "thor", "thoro", "henry tho", "THOREAU", "david", "t", "thoreau henry", "henri", "thoreu"]
        {
            assert!(fits(text, "Henry David Thoreau"), "{text}");
        }
        assert!(fits("machiaveli", "Niccolò Machiavelli") && fits("Niccolò M", "Niccolo Machiavelli"));
        for text in ["", " ", "thx", "henry t. smith", "plato", "oreau"] {
            assert!(!fits(text, "Henry David Thoreau"), "{text}");
        }
        assert!(!fits("bath", "Kathy"), "the first letter must be the same");
    }

    #[test]
    fn the_nearest_come_first() {
        let names = vec!["Mark Thorn", "Thoreau", "Thora", "Henry Thoreau", "Plato"];
        assert_eq!(
            best(&NamePrefix::parse("thorea"), names.clone(), |name| name, 9),
            ["Thoreau", "Henry Thoreau", "Thora"]
        );
        let people = vec!["Thorstein Veblen", "Henry David Thoreau"];
        assert_eq!(best(&NamePrefix::parse("thoro"), people, |name| name, 9)[0], "Henry David Thoreau");
        assert_eq!(best(&NamePrefix::parse("plato"), names, |name| name, 1), ["Plato"]);
    }

    proptest! {
        #[test]
        fn every_beginning_of_a_name_finds_it(name in "[a-z]{1,9} [a-z]{1,9}", at in 1_usize..19) {
            let typed: String = name.chars().take(at).collect();
            prop_assert!(typed.trim().is_empty() || fits(typed.trim_end(), &name), "{} in {}", typed, name);
        }
    }
}

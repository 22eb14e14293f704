//! Related words: they widen a search to summaries about a topic that no text names.
//!
//! Two tables are compiled in: topics written by hand, and the nearest neighbors of the most frequent English words.
//! Nothing is learned from the catalogue: an operator's ten books are too few for that.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use crate::words::{Term, Terms, stem};

/// The most related words that widen a search: each costs a look-up.
const MOST_RELATED: usize = 24;
/// A topic with this many known words needs no neighbors.
const ENOUGH_OF_TOPIC: usize = 4;
/// The most neighbors of a word that are used.
const NEIGHBOURS: usize = 8;
/// Ranks by frequency: words before the first rank count least, words before the second one count normally, rarer words
/// count most.
const FREQUENT: (usize, usize) = (550, 2100);

/// The weight of the words in each of [`NearWords::classes`].
pub const CLASS_WEIGHTS: [f64; 4] = [2.4, 1.5, 0.9, 0.45];

/// The words of a widened search: the typed ones and related ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearWords {
    /// The words by weight class, each word once: see [`CLASS_WEIGHTS`].
    pub classes: [Vec<String>; 4],
    /// The typed terms, each with the other names of its topic: a book that has them all in its title, author, tags,
    /// categories or headings is about the words. Empty when no term has another name.
    pub about: Vec<Term>,
}

impl NearWords {
    /// The words of all classes.
    pub fn words(&self) -> impl Iterator<Item = &String> {
        self.classes.iter().flatten()
    }

    /// Whether there are words besides the typed ones.
    pub(crate) fn is_wider_than(&self, typed: &Terms) -> bool {
        self.terms(typed).terms.len() > typed.terms.len()
    }

    /// The typed terms, followed by one term for each related word; a text needs any of them.
    pub(crate) fn terms(&self, typed: &Terms) -> Terms {
        let own: HashSet<&String> = typed.terms.iter().flat_map(Term::all_words).collect();
        let related = self.words().filter(|word| !own.contains(word)).map(|word| Term::of(word.clone()));
        Terms { terms: typed.terms.iter().cloned().chain(related).collect(), title_start: typed.title_start.clone() }
    }
}

struct Tables {
    /// The other names of a topic, by the stem of each of them.
    synonyms: HashMap<String, Vec<&'static str>>,
    /// The words of a topic, by the stem of each of its names.
    topics: HashMap<String, Vec<&'static str>>,
    /// The frequency rank of a word and its neighbors, by its stem.
    words: HashMap<String, (usize, &'static str)>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut synonyms: HashMap<String, Vec<&'static str>> = HashMap::new();
    for line in lines(include_str!("synonyms.txt")) {
        for name in line.split(' ') {
            synonyms.entry(stem(name)).or_default().extend(line.split(' ').filter(|other| *other != name));
        }
    }
    let mut topics: HashMap<String, Vec<&'static str>> = HashMap::new();
    for (names, words) in lines(include_str!("topics.txt")).filter_map(|line| line.split_once(':')) {
        for name in names.split_whitespace() {
            // The topic's other names are related words too.
            topics.entry(stem(name)).or_default().extend(words.split_whitespace().chain(names.split_whitespace()));
        }
    }
    let words = lines(include_str!("related_words.txt")).enumerate().map(|(at, line)| {
        let (word, neighbours) = line.split_once(' ').unwrap_or((line, ""));
        (stem(word), (at, neighbours))
    });
    Tables { synonyms, topics, words: words.collect() }
});

fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// Whether the word names a topic, and so is not a typo.
pub(crate) fn is_topic(word: &str) -> bool {
    TABLES.topics.contains_key(&stem(word))
}

/// Whether the word is a common English one, and so is unlikely to be a typo.
pub(crate) fn is_word(word: &str) -> bool {
    TABLES.words.contains_key(&stem(word))
}

/// The words of the topic that the word names, its other names first, and the word's neighbors.
fn related_to(word: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let stem = stem(word);
    let names = TABLES.synonyms.get(&stem).into_iter().flatten();
    let topic: Vec<&str> = names.chain(TABLES.topics.get(&stem).into_iter().flatten()).copied().collect();
    let neighbours = TABLES.words.get(&stem).map(|(_, words)| words.split_whitespace().collect()).unwrap_or_default();
    (topic, neighbours)
}

/// The words of the topics that two neighboring words name together: `deep work` is `deepwork`.
fn related_to_pairs(terms: &Terms) -> impl Iterator<Item = &'static str> {
    let pairs = terms.terms.windows(2).map(|pair| format!("{}{}", pair[0].words[0], pair[1].words[0]));
    pairs.filter_map(|pair| TABLES.topics.get(&stem(&pair))).flatten().copied()
}

/// All words that may be related to the query.
pub(crate) fn candidates(terms: &Terms) -> Vec<&'static str> {
    let related = terms.terms.iter().filter_map(|term| term.words.first()).map(|word| related_to(word));
    let related = related.flat_map(|(topic, neighbours)| topic.into_iter().chain(neighbours));
    related.chain(related_to_pairs(terms)).collect()
}

/// The typed words and the related words that some text contains: those with a stem in `known`.
pub(crate) fn near_words(terms: &Terms, known: &HashSet<String>) -> NearWords {
    let mut near = NearWords::default();
    let mut seen = HashSet::new();
    let mut add = |word: &str, worth: f64| {
        let stem = stem(word);
        let rarity = match TABLES.words.get(&stem) {
            Some((place, _)) if *place < FREQUENT.0 => 0.4,
            Some((place, _)) if *place < FREQUENT.1 => 1.0,
            _ => 1.6,
        };
        if seen.insert(stem) {
            let class = match worth * rarity {
                weight if weight > 2.0 => 0,
                weight if weight > 1.2 => 1,
                weight if weight > 0.7 => 2,
                _ => 3,
            };
            near.classes[class].push(word.to_owned());
        }
    };
    for word in terms.terms.iter().flat_map(Term::all_words) {
        add(word, 1.5);
    }
    let is_known = |word: &&str| known.contains(&stem(word));
    near.about = about(terms);
    let mut left = MOST_RELATED;
    for word in related_to_pairs(terms).filter(is_known).take(left) {
        left -= 1;
        add(word, 1.0);
    }
    for term in &terms.terms {
        let (topic, neighbours) = related_to(&term.words[0]);
        let topic: Vec<&str> = topic.into_iter().filter(is_known).take(left).collect();
        left -= topic.len();
        for word in &topic {
            add(word, 1.0);
        }
        if topic.len() < ENOUGH_OF_TOPIC {
            for word in neighbours.into_iter().filter(is_known).take(NEIGHBOURS.min(left)) {
                left -= 1;
                add(word, 0.5);
            }
        }
    }
    near
}

/// The typed terms with the other names of their topics; empty when there are none.
fn about(terms: &Terms) -> Vec<Term> {
    let other_names = |term: &Term| TABLES.synonyms.get(&stem(&term.words[0]));
    if terms.terms.iter().all(|term| other_names(term).is_none()) {
        return Vec::new();
    }
    let with_names = |term: &Term| {
        let names = other_names(term).into_iter().flatten().map(|name| (*name).to_owned());
        let words = term.words.iter().cloned().chain(names).collect();
        Term { words, compounds: term.compounds.clone(), unfinished: false }
    };
    terms.terms.iter().map(with_names).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{TABLES, candidates, is_topic, is_word, lines, near_words};
    use crate::words::{Terms, stem};

    #[test]
    fn a_topic_is_widened_by_related_words_that_some_text_has() {
        let terms = Terms::parse("procrastination");
        assert!(candidates(&terms).contains(&"delay"));
        let near = near_words(&terms, &HashSet::from([stem("delay"), stem("zebra")]));
        let words: Vec<_> = near.words().collect();
        assert_eq!(words, ["procrastination", "delay"]);
        assert_eq!(near.terms(&terms).terms.len(), 2);
    }

    #[test]
    fn a_topic_has_other_names() {
        let near = near_words(&Terms::parse("fear death"), &HashSet::new());
        let words: Vec<_> = near.about.iter().map(|term| term.words.join(" ")).collect();
        assert_eq!(words, ["fear", "death die dying mortality mortal"]);
        assert!(near_words(&Terms::parse("violin"), &HashSet::new()).about.is_empty());
        let near = near_words(&Terms::parse("deep work"), &HashSet::from([stem("attention")]));
        assert!(near.words().any(|word| word == "attention"), "two words name one topic");
    }

    #[test]
    fn words_without_a_topic_have_neighbours() {
        let terms = Terms::parse("violin");
        let known = HashSet::from([stem("piano")]);
        assert_eq!(near_words(&terms, &known).words().collect::<Vec<_>>(), ["violin", "piano"]);
        assert_eq!(near_words(&Terms::parse("xyzzy"), &known).words().collect::<Vec<_>>(), ["xyzzy"]);
    }

    #[test]
    fn what_was_typed_counts_most_and_frequent_words_least() {
        let near = near_words(&Terms::parse("violinist time"), &HashSet::from([stem("pianist")]));
        assert_eq!(near.classes[0], ["violinist"]);
        assert_eq!(near.classes[3], ["time"]);
    }

    #[test]
    fn english_words_are_no_slips() {
        assert!(is_topic("anxieties") && is_topic("cryptocurrency") && is_word("violins"));
        for typo in ["thorou", "suntzu"] {
            assert!(!is_topic(typo) && !is_word(typo), "{typo}");
        }
    }

    #[test]
    fn the_tables_are_folded_words_of_a_bounded_size() {
        let size = include_str!("related_words.txt").len() + include_str!("topics.txt").len();
        assert!(size < 1_000_000, "{size} bytes");
        assert!(TABLES.words.len() > 10_000 && TABLES.topics.len() > 300);
        let names = lines(include_str!("synonyms.txt")).flat_map(|line| line.split(' '));
        for word in names {
            assert!(!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()), "{word}");
        }
        for line in lines(include_str!("topics.txt")) {
            let (names, words) = line.split_once(": ").expect("a topic has names and words");
            for word in names.split(' ').chain(words.split(' ')) {
                assert!(
                    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()),
                    "{line}"
                );
            }
        }
    }
}

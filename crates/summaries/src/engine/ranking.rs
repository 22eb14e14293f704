//! Chooses the most informative sentences of a text, one by one, each for what it adds to those chosen before.
//!
//! A summary should use each word as often, relative to its length, as the text does. So a sentence scores higher the
//! more of the text's frequent words it has, and words that the chosen sentences already use often enough add nothing
//! (novelty). A pair of neighboring words that occurs more than once adds to the score the first time that it is used.
//! The first sentence of a section or a paragraph gets a bonus (position), and a sentence that depends on the one
//! before it gets less. Function words count half: they tell a sentence that states something from a list of names.
//!
//! The word distribution follows Haghighi and Vanderwende, "Exploring Content Models for Multi-Document Summarization"
//! (2009). The greedy choice by a function with diminishing returns follows Lin and Bilmes, "A Class of Submodular
//! Functions for Document Summarization" (2011).

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::engine::sentences::{Outline, Sentence};
use crate::engine::terms::{Pair, Term, Terms};

/// The constants of the ranking, tuned by `cargo xtask bench --summaries` on the books with odd indexes.
struct Weights {
    /// How often a summary should use a word, relative to a part of the text of the same length.
    share: f64,
    /// The weight of a function word, relative to a content word.
    function_word: f64,
    /// The weight of a pair, relative to a word, per occurrence in a thousand words …
    pair: f64,
    /// … and at most.
    pair_limit: f64,
    /// The exponent of a sentence's length, which its score is divided by.
    length_power: f64,
    /// The least length in words; a shorter sentence counts as this long.
    short: f64,
    /// The bonus of the first sentence of a section.
    section: f64,
    /// The bonus of the first sentence of a paragraph.
    paragraph: f64,
    /// The factor for a sentence that refers to the one before it.
    dangling: f64,
    /// The factor for a question.
    question: f64,
}

const WEIGHTS: Weights = Weights {
    share: 1.2,
    function_word: 0.5,
    pair: 0.4,
    pair_limit: 2.0,
    length_power: 1.1,
    short: 15.0,
    section: 0.2,
    paragraph: 0.1,
    dangling: 0.75,
    question: 0.7,
};

/// First words of sentences that refer to the sentence before them.
const DANGLING: [&str; 30] = [
    "he",
    "she",
    "it",
    "they",
    "this",
    "these",
    "those",
    "that",
    "such",
    "but",
    "and",
    "yet",
    "so",
    "however",
    "therefore",
    "thus",
    "hence",
    "moreover",
    "furthermore",
    "also",
    "then",
    "nor",
    "or",
    "his",
    "her",
    "their",
    "its",
    "otherwise",
    "instead",
    "nevertheless",
];

/// A sentence in the priority queue, with its score when it was last computed.
struct Candidate {
    worth: f64,
    sentence: usize,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    /// Of two sentences with the same score, the earlier one comes first.
    fn cmp(&self, other: &Self) -> Ordering {
        self.worth.total_cmp(&other.worth).then_with(|| other.sentence.cmp(&self.sentence))
    }
}

/// Chooses sentences until they have at least `budget` words; best first.
pub(crate) fn choose(text: &str, outline: &Outline, terms: &Terms, budget: usize) -> Vec<usize> {
    let mut ranking = Ranking {
        terms,
        factors: position_factors(text, outline),
        // How often a summary of this length should use a word that occurs once in the text.
        rate: WEIGHTS.share * as_float(budget) / as_float(terms.all_words().max(1)),
        pair_rate: WEIGHTS.pair * 1_000.0 / as_float(terms.all_words().max(1)),
        said: HashMap::new(),
        pairs_said: HashSet::new(),
        sorted: Vec::new(),
        pairs: Vec::new(),
    };
    let mut queue: BinaryHeap<Candidate> = (0..outline.sentences.len())
        .filter(|sentence| terms.words_of(*sentence) > 0)
        .map(|sentence| Candidate { worth: ranking.worth(sentence), sentence })
        .collect();
    let (mut chosen, mut words) = (Vec::new(), 0);
    let mut texts = HashSet::new();
    while words < budget
        && let Some(Candidate { sentence, .. }) = queue.pop()
    {
        // Scores only decrease, so a sentence whose recomputed score is still the highest is the best (lazy greedy).
        let candidate = Candidate { worth: ranking.worth(sentence), sentence };
        if queue.peek().is_some_and(|next| *next > candidate) {
            queue.push(candidate);
            continue;
        }
        if !texts.insert(&text[outline.sentences[sentence].range.clone()]) {
            continue;
        }
        words += terms.words_of(sentence);
        chosen.push(sentence);
        ranking.say(sentence);
    }
    chosen
}

struct Ranking<'a> {
    terms: &'a Terms,
    factors: Vec<f64>,
    rate: f64,
    pair_rate: f64,
    /// How often the chosen sentences use each stem.
    said: HashMap<Term, u32>,
    /// The pairs in the chosen sentences.
    pairs_said: HashSet<Term>,
    /// Buffers for the stems and the pairs of one sentence.
    sorted: Vec<Term>,
    pairs: Vec<Pair>,
}

impl Ranking<'_> {
    /// The score of a sentence: what it adds to the chosen ones.
    fn worth(&mut self, sentence: usize) -> f64 {
        let mut sum = 0.0;
        self.sorted.clear();
        self.sorted.extend_from_slice(self.terms.stems_of(sentence));
        self.sorted.sort_unstable();
        for stem in self.sorted.chunk_by(PartialEq::eq) {
            let count = self.terms.stem_count(stem[0]);
            // A word that occurs once does not tell what the text is about.
            if count > 1 {
                let said = self.said.get(&stem[0]).copied().unwrap_or(0);
                let wanted = (self.rate * f64::from(count) - f64::from(said)).max(0.0);
                let share = if self.terms.is_function_word(stem[0]) { WEIGHTS.function_word } else { 1.0 };
                sum += share * wanted.min(as_float(stem.len()));
            }
        }
        self.pairs.clear();
        self.pairs.extend(self.terms.pairs_of(sentence));
        self.pairs.sort_unstable();
        self.pairs.dedup();
        for Pair { term, of_function_words } in &self.pairs {
            let count = self.terms.pair_count(*term);
            if count > 1 && !self.pairs_said.contains(term) {
                let share = if *of_function_words { WEIGHTS.function_word } else { 1.0 };
                sum += share * (self.pair_rate * f64::from(count)).min(WEIGHTS.pair_limit);
            }
        }
        let words = as_float(self.terms.words_of(sentence));
        sum * self.factors[sentence] / words.max(WEIGHTS.short).powf(WEIGHTS.length_power)
    }

    /// Adds a sentence to the chosen ones.
    fn say(&mut self, sentence: usize) {
        for stem in self.terms.stems_of(sentence) {
            *self.said.entry(*stem).or_default() += 1;
        }
        self.pairs_said.extend(self.terms.pairs_of(sentence).map(|pair| pair.term));
    }
}

fn position_factors(text: &str, outline: &Outline) -> Vec<f64> {
    let weights = &WEIGHTS;
    let mut headings = outline.headings.iter().map(|(_, paragraph)| *paragraph).peekable();
    let factor = |sentence: &Sentence| {
        let mut factor = 1.0;
        if sentence.opens_paragraph {
            factor += weights.paragraph;
            let mut opens_section = false;
            while headings.peek().is_some_and(|paragraph| *paragraph <= sentence.paragraph) {
                headings.next();
                opens_section = true;
            }
            if opens_section {
                factor += weights.section;
            }
        }
        let said = &text[sentence.range.clone()];
        if is_dangling(said) {
            factor *= weights.dangling;
        }
        if said.trim_end_matches(['"', '”', '’', '»']).ends_with(['?', '？', '؟', ';']) {
            factor *= weights.question;
        }
        factor
    };
    outline.sentences.iter().map(factor).collect()
}

/// Whether a sentence refers to the one before it.
pub(crate) fn is_dangling(sentence: &str) -> bool {
    let first = sentence.split(|one: char| !one.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    DANGLING.contains(&first.to_lowercase().as_str())
}

/// A count as `f64`.
#[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
pub(crate) fn as_float(number: usize) -> f64 {
    number as f64
}

//! Which sentences say most of a text: chosen one by one, each for what it adds to those before it.
//!
//! A sentence is worth the terms in it, less those that a chosen sentence has already (novelty), and more the nearer it is to all
//! other sentences (centrality). What opens a section or a paragraph is worth more (position); a bonus for the beginning of the
//! whole text did not help on the books that the constants were tuned on. The sum is set against the sentence's
//! length. Maximum coverage of weighted concepts: Gillick and Favre, "A Scalable Global Model for Summarization" (2009); chosen
//! greedily as in Lin and Bilmes, "A Class of Submodular Functions for Document Summarization" (2011).

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use crate::sentences::{Outline, Sentence};
use crate::terms::{Term, Terms};

/// The constants of the ranking. They were tuned by `cargo xtask bench --summaries` on the books at odd places.
struct Weights {
    /// The power to which a stem's count is raised.
    stem_power: f64,
    /// The power to which a pair's count is raised.
    pair_power: f64,
    /// What a pair is worth beside a stem.
    pair_share: f64,
    /// The power of a sentence's length that its worth is divided by.
    length_power: f64,
    /// Bonus of the first sentence of a section.
    section: f64,
    /// Bonus of the first sentence of a paragraph.
    paragraph: f64,
    /// What is left of a sentence that needs the one before it.
    dangling: f64,
    /// What is left of a question.
    question: f64,
    /// Shortest sentence, in words, that is worth its terms in full.
    short: f64,
    /// Bonus of the sentence whose words are nearest to those of the whole text.
    central: f64,
    /// How fast that bonus falls with the distance.
    central_power: f64,
    /// What is left of a term's worth once a chosen sentence has it.
    repeated: f64,
}

const WEIGHTS: Weights = Weights {
    stem_power: 1.32,
    pair_power: 1.40,
    pair_share: 0.65,
    length_power: 1.45,
    section: 0.2,
    paragraph: 0.43,
    dangling: 0.89,
    question: 0.85,
    short: 25.02,
    repeated: 0.62,
    central: 8.80,
    central_power: 2.02,
};

/// First words of sentences that refer to the sentence before.
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

/// A sentence in the queue with its worth when it was last looked at.
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
    /// The earlier of two sentences of the same worth comes first.
    fn cmp(&self, other: &Self) -> Ordering {
        self.worth.total_cmp(&other.worth).then_with(|| other.sentence.cmp(&self.sentence))
    }
}

/// Chooses sentences until they have `budget` words: the best first.
pub(crate) fn choose(text: &str, outline: &Outline, terms: &Terms, budget: usize) -> Vec<usize> {
    let mut factors = position_factors(text, outline);
    for (factor, centrality) in factors.iter_mut().zip(centralities(terms, outline.sentences.len())) {
        *factor *= 1.0 + WEIGHTS.central * centrality.powf(WEIGHTS.central_power);
    }
    let ranking = Ranking { terms, factors };
    let mut covered = HashSet::new();
    let mut queue: BinaryHeap<Candidate> = (0..outline.sentences.len())
        .filter(|sentence| terms.words_of(*sentence) > 0)
        .map(|sentence| Candidate { worth: ranking.worth(sentence, &covered), sentence })
        .collect();
    let (mut chosen, mut words) = (Vec::new(), 0);
    let mut texts = HashSet::new();
    while words < budget
        && let Some(Candidate { sentence, .. }) = queue.pop()
    {
        // A worth can only fall, so a sentence that stays at the head with its worth of now is the best.
        let worth = ranking.worth(sentence, &covered);
        let candidate = Candidate { worth, sentence };
        if queue.peek().is_some_and(|next| *next > candidate) {
            queue.push(candidate);
            continue;
        }
        if !texts.insert(&text[outline.sentences[sentence].range.clone()]) {
            continue;
        }
        words += terms.words_of(sentence);
        chosen.push(sentence);
        let stems = terms.stems_of(sentence);
        covered.extend(stems.iter().map(|stem| u64::from(*stem)));
        covered.extend(terms.pairs_of(sentence).map(key_of_pair));
    }
    chosen
}

struct Ranking<'a> {
    terms: &'a Terms,
    factors: Vec<f64>,
}

impl Ranking<'_> {
    /// What a sentence adds to the chosen ones.
    fn worth(&self, sentence: usize, covered: &HashSet<u64>) -> f64 {
        let weights = &WEIGHTS;
        let stems = self.terms.stems_of(sentence);
        let left = |key: u64| if covered.contains(&key) { weights.repeated } else { 1.0 };
        let mut sum = 0.0;
        for (index, stem) in stems.iter().enumerate() {
            if !stems[..index].contains(stem) {
                let count = self.terms.stem_count(*stem);
                if count > 1 {
                    sum += f64::from(count).powf(weights.stem_power) * left(u64::from(*stem));
                }
            }
        }
        for pair in self.terms.pairs_of(sentence) {
            let count = self.terms.pair_count(pair);
            if count > 1 {
                sum += f64::from(count).powf(weights.pair_power) * weights.pair_share * left(key_of_pair(pair));
            }
        }
        let words = as_float(self.terms.words_of(sentence));
        // A text that says each word once: the longest sentences say most.
        let sum = sum + as_float(stems.len()) * 1e-3;
        sum * self.factors[sentence] / words.max(weights.short).powf(weights.length_power)
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
        let first = said.split(|one: char| !one.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
        if DANGLING.contains(&first.to_lowercase().as_str()) {
            factor *= weights.dangling;
        }
        if said.trim_end_matches(['"', '”', '’', '»']).ends_with(['?', '？', '؟', ';']) {
            factor *= weights.question;
        }
        factor
    };
    outline.sentences.iter().map(factor).collect()
}

/// How central each sentence is, as a share of the most central one's: the stationary distribution of a walk from sentence to
/// sentence along shared words (Erkan and Radev, "`LexRank`", 2004, without its threshold).
///
/// The matrix of similarities is never made: it is the product of sentences × stems with its transpose, so that a step of the
/// walk takes as long as reading the text's words twice.
fn centralities(terms: &Terms, sentences: usize) -> Vec<f64> {
    const STEPS: usize = 12;
    const DAMPING: f64 = 0.15;
    let idf = |stem: &Term| (1.0 + as_float(sentences) / f64::from(terms.stem_count(*stem))).ln();
    // One over the length of each sentence's vector.
    let norms: Vec<f64> = (0..sentences)
        .map(|sentence| {
            let square: f64 = terms.stems_of(sentence).iter().map(|stem| idf(stem).powi(2)).sum();
            if square > 0.0 { square.sqrt().recip() } else { 0.0 }
        })
        .collect();
    let mut by_stem = vec![0.0; terms.places()];
    // The sum of similarities that each sentence gives when the sentences weigh `values`.
    let mut similarity_to = |values: &dyn Fn(usize) -> f64| -> Vec<f64> {
        by_stem.fill(0.0);
        for (sentence, norm) in norms.iter().enumerate() {
            let value = values(sentence) * norm;
            for stem in terms.stems_of(sentence) {
                by_stem[*stem as usize] += value * idf(stem);
            }
        }
        (0..sentences)
            .map(|sentence| {
                let sum: f64 = terms.stems_of(sentence).iter().map(|stem| by_stem[*stem as usize] * idf(stem)).sum();
                sum * norms[sentence]
            })
            .collect()
    };
    let degrees = similarity_to(&|_| 1.0);
    let mut ranks = vec![1.0; sentences];
    for _ in 0..STEPS {
        let shares = |sentence: usize| if degrees[sentence] > 0.0 { ranks[sentence] / degrees[sentence] } else { 0.0 };
        ranks = similarity_to(&shares).into_iter().map(|sum| DAMPING + (1.0 - DAMPING) * sum).collect();
    }
    let highest = ranks.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    ranks.into_iter().map(|rank| rank / highest).collect()
}

fn key_of_pair(pair: Term) -> u64 {
    u64::from(pair) | 1 << 32
}

/// A count as `f64`.
#[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
pub(crate) fn as_float(number: usize) -> f64 {
    number as f64
}

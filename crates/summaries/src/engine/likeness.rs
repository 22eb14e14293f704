//! How alike texts are by their terms: the cosine of their vectors, each term weighted by how often the text has it and by how
//! few of the texts do (tf-idf with logarithmic counts; Manning, Raghavan and Schütze, "Introduction to Information Retrieval",
//! 2008, chapter 6).

use std::collections::{BTreeMap, HashMap};

use unicode_segmentation::UnicodeSegmentation;

use crate::engine::language::{Vocabulary, guess_language};
use crate::engine::terms::term_of;

/// The terms of texts, weighted, to compare the texts.
#[derive(Debug)]
pub struct TermVectors {
    /// Of each text its terms, in order, with their weights; of length 1, or without a term.
    vectors: Vec<BTreeMap<u64, f64>>,
    /// The first word that was read with a term, in lower case.
    words: HashMap<u64, String>,
}

impl TermVectors {
    /// Reads the texts. Each is taken as of the language that it seems to be in.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let (mut counts, mut words) = (Vec::new(), HashMap::new());
        let mut texts_with: HashMap<u64, u32> = HashMap::new();
        for text in texts {
            let vocabulary = Vocabulary::of(guess_language(text));
            let mut of_text: BTreeMap<u64, u32> = BTreeMap::new();
            for word in text.unicode_words().filter(|word| word.chars().any(char::is_alphabetic)) {
                let Some(term) = term_of(word, &vocabulary) else { continue };
                *of_text.entry(term).or_default() += 1;
                words.entry(term).or_insert_with(|| word.to_lowercase());
            }
            for term in of_text.keys() {
                *texts_with.entry(*term).or_default() += 1;
            }
            counts.push(of_text);
        }
        let all = f64::from(u32::try_from(counts.len()).unwrap_or(u32::MAX));
        let rarity = |term: &u64| (all / f64::from(texts_with[term])).ln();
        let vectors = counts.into_iter().map(|of_text| {
            let weighted =
                of_text.into_iter().map(|(term, count)| (term, (1.0 + f64::from(count).ln()) * rarity(&term)));
            unit_vector(weighted.collect())
        });
        Self { vectors: vectors.collect(), words }
    }

    /// How alike two of the texts are, by their indexes: from 0, no term in common, to 1, the same terms.
    pub fn likeness(&self, one: usize, other: usize) -> f64 {
        self.products(one, other).map(|(_, product)| product).sum::<f64>().clamp(0.0, 1.0)
    }

    /// Words of the terms that make two texts alike, the strongest first, up to `limit`.
    pub fn common_words(&self, one: usize, other: usize, limit: usize) -> Vec<&str> {
        let mut products: Vec<(u64, f64)> = self.products(one, other).filter(|(_, product)| *product > 0.0).collect();
        products.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| self.words[&a.0].cmp(&self.words[&b.0])));
        products.iter().take(limit).map(|(term, _)| self.words[term].as_str()).collect()
    }

    /// What each common term adds to the likeness.
    fn products(&self, one: usize, other: usize) -> impl Iterator<Item = (u64, f64)> + '_ {
        let (one, other) = (&self.vectors[one], &self.vectors[other]);
        let (less, more) = if one.len() <= other.len() { (one, other) } else { (other, one) };
        less.iter().filter_map(|(term, weight)| more.get(term).map(|other| (*term, weight * other)))
    }
}

fn unit_vector(mut weights: BTreeMap<u64, f64>) -> BTreeMap<u64, f64> {
    let length = weights.values().map(|weight| weight * weight).sum::<f64>().sqrt();
    if length > 0.0 {
        for weight in weights.values_mut() {
            *weight /= length;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::TermVectors;

    const TEXTS: [&str; 4] = [
        "A prince must be feared, because fear is held up by the dread of punishment, and a prince who is feared keeps his state.",
        "The ruler who punishes keeps his subjects in fear, and fear of punishment is what a state of that kind stands on.",
        "The candle burns because the wax melts and rises in the wick, where the vapor of the wax is what burns in the flame.",
        "Nobody owns a field by walking over it, and the man who walks in the morning owns the best of the whole farm.",
    ];

    #[test]
    fn texts_on_one_subject_are_more_alike_than_others() {
        let vectors = TermVectors::of(TEXTS);
        let alike = vectors.likeness(0, 1);
        for (one, other) in [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            assert!(alike > 2.0 * vectors.likeness(one, other), "{one} {other}");
        }
        let words = vectors.common_words(0, 1, 3);
        assert!(words.contains(&"punishment") || words.contains(&"feared"), "{words:?}");
        assert_eq!(vectors.common_words(0, 1, 1).len(), 1);
    }

    #[test]
    fn a_text_without_words_is_like_nothing() {
        let vectors = TermVectors::of(["", "12 30", "A prince is feared in his own state."]);
        assert_eq!((vectors.likeness(0, 1), vectors.likeness(0, 2), vectors.likeness(0, 0)), (0.0, 0.0, 0.0));
        assert!(vectors.common_words(1, 2, 5).is_empty());
    }

    proptest! {
        #[test]
        fn likeness_is_symmetric_and_bounded(texts in prop::collection::vec("[a-c ]{0,30}", 2..6)) {
            let vectors = TermVectors::of(texts.iter().map(String::as_str));
            for one in 0..texts.len() {
                for other in 0..texts.len() {
                    let likeness = vectors.likeness(one, other);
                    prop_assert!((0.0..=1.0).contains(&likeness));
                    prop_assert!((likeness - vectors.likeness(other, one)).abs() < 1e-12);
                }
            }
        }
    }
}

//! The stems of sentences' words, and the pairs of neighboring stems.
//!
//! Stems and pairs are hashed into tables of a limited size, which bounds the memory. Two that share a slot count as
//! one; in a text of usual length this is rare.

use unicode_segmentation::UnicodeSegmentation;

use crate::Passage;
use crate::engine::language::Vocabulary;
use crate::engine::sentences::Sentence;

/// The slots of a table for each byte of the text …
const PLACES_PER_BYTE: usize = 16;
/// … within these limits. Powers of two.
const MIN_PLACES: usize = 1 << 12;
const MAX_PLACES: usize = 1 << 20;

/// A stem or a pair of stems, as its slot in the table.
pub(crate) type Term = u32;

/// Two neighboring words of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) term: Term,
    /// Whether both are function words.
    pub(crate) of_function_words: bool,
}

/// The stems and pairs of all sentences of a text, and how often each occurs.
pub(crate) struct Terms {
    /// The stems of the words of all sentences, in order.
    stems: Vec<Term>,
    /// The end of each sentence's stems in `stems`.
    ends: Vec<u32>,
    /// The number of words of each sentence, including function words.
    words: Vec<u16>,
    /// By stem: whether it is that of a function word.
    function_words: Vec<bool>,
    /// By stem: how often it occurs in the text.
    stem_counts: Vec<u32>,
    /// By pair: how often it occurs in the text.
    pair_counts: Vec<u32>,
    /// By stem: the number of sentences with it.
    sentence_counts: Vec<u32>,
}

impl Terms {
    /// Reads all sentences.
    pub(crate) fn read(text: &str, sentences: &[Sentence], vocabulary: &Vocabulary) -> Self {
        let places = (text.len().min(MAX_PLACES) * PLACES_PER_BYTE).next_power_of_two().clamp(MIN_PLACES, MAX_PLACES);
        let mut terms = Self {
            stems: Vec::new(),
            ends: Vec::with_capacity(sentences.len()),
            words: Vec::with_capacity(sentences.len()),
            function_words: vec![false; places],
            stem_counts: vec![0; places],
            pair_counts: vec![0; places],
            sentence_counts: vec![0; places],
        };
        let mut distinct = Vec::new();
        for sentence in sentences {
            let start = terms.stems.len();
            let mut words = 0_u16;
            for word in text[sentence.range.clone()].unicode_words() {
                words = words.saturating_add(1);
                let (hash, is_function_word) = stem_of(word, vocabulary);
                let stem = terms.place_of(hash);
                terms.function_words[stem as usize] |= is_function_word;
                terms.stem_counts[stem as usize] += 1;
                terms.stems.push(stem);
            }
            terms.ends.push(u32::try_from(terms.stems.len()).unwrap_or(u32::MAX));
            terms.words.push(words);
            for pair in pairs_within(&terms.stems[start..], places) {
                terms.pair_counts[pair as usize] += 1;
            }
            distinct.clear();
            distinct.extend_from_slice(&terms.stems[start..]);
            distinct.sort_unstable();
            distinct.dedup();
            for stem in &distinct {
                terms.sentence_counts[*stem as usize] += 1;
            }
        }
        terms
    }

    /// The stems of a sentence's words, in order.
    pub(crate) fn stems_of(&self, sentence: usize) -> &[Term] {
        let start = if sentence == 0 { 0 } else { self.ends[sentence - 1] };
        &self.stems[start as usize..self.ends[sentence] as usize]
    }

    /// The stems of a sentence's content words, in order.
    pub(crate) fn content_stems_of(&self, sentence: usize) -> impl Iterator<Item = Term> + '_ {
        self.stems_of(sentence).iter().copied().filter(|stem| !self.is_function_word(*stem))
    }

    /// The number of words of a sentence.
    pub(crate) fn words_of(&self, sentence: usize) -> usize {
        usize::from(self.words[sentence])
    }

    /// The number of words of all sentences.
    pub(crate) fn all_words(&self) -> usize {
        self.words.iter().map(|words| usize::from(*words)).sum()
    }

    /// The pairs of neighboring stems of a sentence.
    pub(crate) fn pairs_of(&self, sentence: usize) -> impl Iterator<Item = Pair> + '_ {
        let stems = self.stems_of(sentence);
        pairs_within(stems, self.places())
            .zip(stems.windows(2))
            .map(|(term, pair)| Pair { term, of_function_words: pair.iter().all(|stem| self.is_function_word(*stem)) })
    }

    /// Whether a stem is that of a function word.
    pub(crate) fn is_function_word(&self, stem: Term) -> bool {
        self.function_words[stem as usize]
    }

    fn place_of(&self, hash: u64) -> Term {
        place_within(hash, self.places())
    }

    /// The number of sentences with a stem; `hash` is from [`term_of`].
    pub(crate) fn sentences_with(&self, hash: u64) -> u32 {
        self.sentence_counts[self.place_of(hash) as usize]
    }

    /// How often a stem occurs in the text.
    pub(crate) fn stem_count(&self, stem: Term) -> u32 {
        self.stem_counts[stem as usize]
    }

    /// How often a pair occurs in the text.
    pub(crate) fn pair_count(&self, pair: Term) -> u32 {
        self.pair_counts[pair as usize]
    }

    /// The size of the tables; every [`Term`] is less.
    fn places(&self) -> usize {
        self.stem_counts.len()
    }
}

/// The hash of a content word's stem; `None` for a function word.
pub(crate) fn term_of(word: &str, vocabulary: &Vocabulary) -> Option<u64> {
    let (hash, is_function_word) = stem_of(word, vocabulary);
    (!is_function_word).then_some(hash)
}

/// The hash of a word's stem, and whether it is a function word.
fn stem_of(word: &str, vocabulary: &Vocabulary) -> (u64, bool) {
    let word = word.to_lowercase();
    (hash_bytes(vocabulary.stem(&word).as_bytes()), vocabulary.is_function_word(&word))
}

/// The hashes of the stems of the content words in a part of a text.
pub(crate) fn terms_in(text: &str, range: Passage, vocabulary: &Vocabulary) -> Vec<u64> {
    text[range].unicode_words().filter_map(|word| term_of(word, vocabulary)).collect()
}

/// The pairs of neighboring stems, in a table of this many slots.
fn pairs_within(stems: &[Term], places: usize) -> impl Iterator<Item = Term> + '_ {
    stems.windows(2).map(move |pair| place_within(mix(u64::from(pair[0]) << 32 | u64::from(pair[1])), places))
}

/// FNV-1a, 64 bits: the same on every machine and in every run.
fn hash_bytes(bytes: &[u8]) -> u64 {
    mix(bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)))
}

/// The finalizer of `SplitMix64`: each bit of the result depends on each bit of the number.
const fn mix(mut number: u64) -> u64 {
    number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The slot of a hash in a table whose size is a power of two: its highest bits.
#[expect(clippy::cast_possible_truncation, reason = "at most 20 bits are left")]
const fn place_within(hash: u64, places: usize) -> Term {
    (hash >> (64 - places.trailing_zeros())) as Term
}

//! The built-in engine: an extractive summary (`summaries.built-in-engine`).

use crate::Passage;
use crate::engine::ideas::group;
use crate::engine::language::{Vocabulary, detect_language, guess_language};
use crate::engine::ranking::choose;
use crate::engine::sentences::outline;
use crate::engine::source::Source;
use crate::engine::summary::Summary;
use crate::engine::terms::Terms;

/// A summary has one word for this many words of the text …
const RATIO: usize = 8;
/// … within these limits, in words.
const MIN_WORDS: usize = 80;
const MAX_WORDS: usize = 700;

/// The requested length of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// An eighth of the text, but at least 80 and at most 700 words.
    Automatic,
    /// This many words; the last sentence may exceed it.
    Words(usize),
}

/// Summarizes a text. The time is about linear in the text's length; the memory is a few bytes per word, and tables of
/// at most 16 MB.
pub fn summarise(source: &Source<'_>, length: Length) -> Summary {
    let text = source.text();
    let vocabulary = Vocabulary::of(guess_language(text));
    let outline = outline(source);
    let terms = Terms::read(text, &outline.sentences, &vocabulary);
    let budget = match length {
        Length::Automatic => (terms.all_words() / RATIO).clamp(MIN_WORDS, MAX_WORDS),
        Length::Words(words) => words,
    };
    let chosen = choose(text, &outline, &terms, budget);
    Summary { language: detect_language(text), ideas: group(text, &outline, &terms, &vocabulary, &chosen) }
}

/// The sentences of a text in order, without headings. They are the smallest passages of the built-in engine.
pub fn sentences(source: &Source<'_>) -> Vec<Passage> {
    outline(source).sentences.into_iter().map(|sentence| sentence.range).collect()
}

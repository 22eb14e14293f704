//! The built-in engine: an extractive summary (`summaries.built-in-engine`).

use unicode_segmentation::UnicodeSegmentation;

use crate::Passage;
use crate::engine::ideas::group;
use crate::engine::language::{Vocabulary, detect_language, guess_language};
use crate::engine::ranking::choose;
use crate::engine::sentences::outline;
use crate::engine::short_text::summarise_short;
use crate::engine::source::Source;
use crate::engine::summary::Summary;
use crate::engine::terms::Terms;

/// A summary has one word for this many words of the text …
const RATIO: usize = 8;
/// … within these limits, in words.
const MIN_WORDS: usize = 80;
const MAX_WORDS: usize = 700;

/// The fewest words of a text that is summarized: a shorter one is read as fast as its summary (`summaries.shortest-text`).
pub const MIN_SOURCE_WORDS: usize = 120;

/// Whether a text has fewer than [`MIN_SOURCE_WORDS`] words.
pub fn is_too_short(text: &str) -> bool {
    text.unicode_words().nth(MIN_SOURCE_WORDS - 1).is_none()
}

/// The requested length of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// An eighth of the text, but at least 80 and at most 700 words.
    Automatic,
    /// This many words; the last sentence may exceed it.
    Words(usize),
}

/// A text with fewer words is short: an eighth of it is less than the shortest summary, so that it is summarized by its
/// points instead (`summaries.short-texts`).
const SHORT: usize = RATIO * MIN_WORDS;

/// Summarizes a text. The time is about linear in the text's length; the memory is a few bytes per word, and tables of
/// at most 16 MB.
pub fn summarise(source: &Source<'_>, length: Length) -> Summary {
    let text = source.text();
    let guess = guess_language(text);
    let vocabulary = Vocabulary::of(guess);
    let outline = outline(source);
    let terms = Terms::read(text, &outline.sentences, &vocabulary);
    if length == Length::Automatic && terms.all_words() < SHORT {
        let is_english = guess.is_some_and(|language| language.code() == "eng");
        return Summary { language: detect_language(text), ideas: summarise_short(source, &vocabulary, is_english) };
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_too_short_below_120_words() {
        assert!(is_too_short(&"word ".repeat(MIN_SOURCE_WORDS - 1)));
        assert!(!is_too_short(&"word ".repeat(MIN_SOURCE_WORDS)));
    }

    #[test]
    fn a_long_text_is_summarised_by_its_ranking() {
        let text = "Liberty guards the reason of the people, and habit makes their character in school. ".repeat(10)
            + &"The labor of the people makes the capital of the land, and nobody counts it. ".repeat(40);
        let source = Source::plain(&text);
        assert!(text.unicode_words().count() >= SHORT);
        assert_eq!(
            summarise(&source, Length::Automatic),
            summarise(&source, Length::Words(text.unicode_words().count() / RATIO))
        );
    }
}

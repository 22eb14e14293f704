//! The result of summarizing.

use crate::KeyIdea;
use crate::engine::language::Language;

/// A summary: key ideas in the order of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The source's language; `None` when it is uncertain.
    pub language: Option<Language>,
    /// The ideas; empty when the source has no words.
    pub ideas: Vec<KeyIdea>,
}

/// The text with each run of whitespace as one space, trimmed.
pub(crate) fn normalise_whitespace(text: &str) -> String {
    let mut normalised = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !normalised.is_empty() {
            normalised.push(' ');
        }
        normalised.push_str(word);
    }
    normalised
}

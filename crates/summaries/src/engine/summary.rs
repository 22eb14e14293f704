//! What a summary is.

use crate::KeyIdea;
use crate::engine::language::Language;

/// A summary: key ideas in the order of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The source's language, when it is certain enough to be said.
    pub language: Option<Language>,
    /// The ideas; empty when the source has no words.
    pub ideas: Vec<KeyIdea>,
}

/// A part of a text as a reader sees it: runs of whitespace are one space.
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

//! What a summary is.

use crate::language::Language;
use crate::source::Passage;

/// A summary: key ideas in the order of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The source's language, when it is certain enough to be said.
    pub language: Option<Language>,
    /// The ideas; empty when the source has no words.
    pub ideas: Vec<Idea>,
}

/// A key idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idea {
    /// A title of a few words. The built-in engine takes it from the source.
    pub title: String,
    /// The text. The built-in engine's is its passages, with line breaks replaced by spaces.
    pub text: String,
    /// Where the idea comes from, in the order of the source; no two overlap.
    pub passages: Vec<Passage>,
    /// Quotations that stand in the source letter for letter. The built-in engine names none: all of its text is quoted.
    pub quotations: Vec<Passage>,
    /// Whether the source supports it.
    pub support: Support,
}

/// Whether an idea names the passages that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It cites passages of the source.
    Cited,
    /// It cites none: readers are told so.
    Unsupported,
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

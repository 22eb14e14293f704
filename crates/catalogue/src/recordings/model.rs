//! The metadata of recordings, and when it applies.

use kernel::Timestamp;
use sha2::{Digest, Sha256};

use crate::{Book, Visual};

/// The start of a heading or a paragraph in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The section's index, from 0.
    pub section: usize,
    /// The paragraph's index in its section, as [`crate::Passage`] counts; `None`: the section's heading.
    pub paragraph: Option<usize>,
    /// Milliseconds from the start of the recording.
    pub at_ms: u64,
}

/// An audio recording that the product has generated from a book's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narration {
    /// The audio's key in the object store.
    pub media: String,
    pub duration_ms: u64,
    /// The start of each heading and paragraph, in order.
    pub marks: Vec<Mark>,
    /// The [`text_hash`] of the narrated text.
    pub text_hash: String,
    /// The name of the voice.
    pub voice: String,
    pub made_at: Timestamp,
}

/// A short video about a book that the product has generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Film {
    /// The video's key in the object store.
    pub media: String,
    /// The key of the poster image.
    pub poster: String,
    /// The key of the captions (`WebVTT`).
    pub captions: String,
    pub duration_ms: u64,
    /// The [`shown_hash`] of its content. The film is out of date when the book's present hash differs.
    pub shown_hash: String,
    pub made_at: Timestamp,
}

/// A book's audio as readers play it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The audio's key in the object store.
    pub media: String,
    /// `None` for an uploaded recording.
    pub duration_ms: Option<u64>,
    /// Where sections begin; empty when that is not known for the present text.
    pub chapters: Vec<Chapter>,
    /// Where headings and paragraphs begin; empty when that is not known for the present text.
    pub marks: Vec<Mark>,
}

/// A section of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// The section's index, from 0.
    pub section: usize,
    pub title: String,
    /// Milliseconds from the start of the recording.
    pub at_ms: u64,
}

/// A hash of a book's text; it tells whether a narration is of the present text.
pub fn text_hash(body: &str) -> String {
    short_hash(&[body])
}

/// A hash of everything that a film of the book shows and says; it tells whether a film is up to date.
pub fn shown_hash(book: &Book, ideas: &[Visual]) -> String {
    let minutes = book.card.minutes().to_string();
    let mut parts = vec![&*book.card.title, &*book.card.author.name, &*minutes];
    parts.extend(book.card.image.as_deref());
    parts.extend(ideas.iter().flat_map(|idea| [&*idea.title, &*idea.body, &*idea.image]));
    short_hash(&parts)
}

fn short_hash(parts: &[&str]) -> String {
    // NUL separates the parts: no text has it, because HTML can't contain it.
    hex::encode(&Sha256::digest(parts.join("\0"))[..16])
}

impl Recording {
    /// The book's audio, with the metadata of its narration. The metadata is missing when an admin has uploaded another
    /// recording, and the marks are missing when the text has changed since. `None` when the book has no audio.
    pub fn of(book: &Book, narration: Option<Narration>) -> Option<Self> {
        let media = book.card.media.clone()?;
        let Some(narration) = narration.filter(|narration| narration.media == media) else {
            return Some(Self { media, duration_ms: None, chapters: Vec::new(), marks: Vec::new() });
        };
        let marks = if narration.text_hash == text_hash(&book.body) { narration.marks } else { Vec::new() };
        Some(Self { media, duration_ms: Some(narration.duration_ms), chapters: chapters(book, &marks), marks })
    }
}

/// The sections whose start is known. What is said before the first heading belongs to the first section.
fn chapters(book: &Book, marks: &[Mark]) -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = Vec::new();
    for mark in marks {
        if chapters.last().is_none_or(|last| last.section != mark.section)
            && let Some(title) = book.sections.get(mark.section)
        {
            let at_ms = if chapters.is_empty() { 0 } else { mark.at_ms };
            chapters.push(Chapter { section: mark.section, title: title.clone(), at_ms });
        }
    }
    chapters
}

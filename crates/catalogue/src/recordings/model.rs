//! What is known of recordings, and when it counts.

use kernel::Timestamp;
use sha2::{Digest, Sha256};

use crate::{Book, Visual};

/// The beginning of a heading or a paragraph in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The section's place, from 0.
    pub section: usize,
    /// Which paragraph of the section, as [`crate::Passage`] counts them; `None`: its heading.
    pub paragraph: Option<usize>,
    /// Milliseconds from the beginning of the recording.
    pub at_ms: u64,
}

/// A book's text, read aloud by the product itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narration {
    /// The audio's key in the object store.
    pub media: String,
    /// How long it is, in milliseconds.
    pub duration_ms: u64,
    /// When each heading and paragraph begins, in order.
    pub marks: Vec<Mark>,
    /// The [`text_hash`] of the text that was read.
    pub text_hash: String,
    /// Who read.
    pub voice: String,
    pub made_at: Timestamp,
}

/// A short film of a book, made by the product itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Film {
    /// The video's key in the object store.
    pub media: String,
    /// The key of a picture to show before it.
    pub poster: String,
    /// The key of its captions (`WebVTT`).
    pub captions: String,
    /// How long it is, in milliseconds.
    pub duration_ms: u64,
    /// The [`shown_hash`] of what it shows; with another one of the book the film is out of date.
    pub shown_hash: String,
    pub made_at: Timestamp,
}

/// A book's audio as it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The audio's key in the object store.
    pub media: String,
    /// How long it is, in milliseconds, where that is known.
    pub duration_ms: Option<u64>,
    /// Where sections begin, if that is known of this text.
    pub chapters: Vec<Chapter>,
    /// When each heading and paragraph begins, if that is known of this text.
    pub marks: Vec<Mark>,
}

/// A section of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// The section's place, from 0.
    pub section: usize,
    /// Its heading.
    pub title: String,
    /// Milliseconds from the beginning of the recording.
    pub at_ms: u64,
}

/// Tells one text of a book from another.
pub fn text_hash(body: &str) -> String {
    short_hash(&[body])
}

/// Tells one film of a book from another: of everything that is shown and said in it.
pub fn shown_hash(book: &Book, ideas: &[Visual]) -> String {
    let minutes = book.card.minutes().to_string();
    let mut parts = vec![&*book.card.title, &*book.card.author.name, &*minutes];
    parts.extend(book.card.image.as_deref());
    parts.extend(ideas.iter().flat_map(|idea| [&*idea.title, &*idea.body, &*idea.image]));
    short_hash(&parts)
}

fn short_hash(parts: &[&str]) -> String {
    // No text has this character: it can't stand in HTML.
    hex::encode(&Sha256::digest(parts.join("\0"))[..16])
}

impl Recording {
    /// The book's audio, with what its narration says of it: nothing when a person has put another recording in its
    /// place, and no marks when the text has changed since. `None` when the book has no audio.
    pub fn of(book: &Book, narration: Option<Narration>) -> Option<Self> {
        let media = book.card.media.clone()?;
        let Some(narration) = narration.filter(|narration| narration.media == media) else {
            return Some(Self { media, duration_ms: None, chapters: Vec::new(), marks: Vec::new() });
        };
        let marks = if narration.text_hash == text_hash(&book.body) { narration.marks } else { Vec::new() };
        Some(Self { media, duration_ms: Some(narration.duration_ms), chapters: chapters(book, &marks), marks })
    }
}

/// The sections of which a beginning is known. What is said before the first heading belongs to the first section.
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

//! What members keep of what they read: highlights with notes and tags.
//!
//! # What it owns
//!
//! The rules of highlights (`study.highlight-merge`), how they are found again after a text has changed
//! (`study.anchor-search`), and which passages many members highlight (`study.popular-passages`).
//!
//! # What always holds
//!
//! - A record's state depends only on the set of states that were reported, not on their order or number.
//! - A highlight that is found as *same* has the highlight's words at its place.
//! - No count of popular passages depends on fewer than ten members.
//!
//! # Words
//!
//! *Highlight*: a passage that a member kept. *Source*: what a highlight is from. *Anchor*: the quote and the position by
//! which a highlight is found again. *Register*: a value with the moment at which it was set.

mod anchor;
#[cfg(test)]
mod anchor_properties;
mod error;
mod heard;
mod highlight;
mod popular;
mod register;
mod text;
mod words;

pub use anchor::{
    Anchor, CHANGED_CONTEXT_CHARS, CHANGED_LIKENESS, CONTEXT_CHARS, Found, LONE_QUOTE_CHARS, Likeness, SearchableTexts,
    anchor_at, find,
};
pub use error::StudyError;
pub use heard::{REACTION, TimedPassage, heard_sentence};
pub use highlight::{
    Highlight, HighlightColor, HighlightSource, HighlightState, MAX_TAGS, NOTE_MAX_CHARS, Note, Part, QUOTE_MAX_CHARS,
    TAG_MAX_CHARS, Tag, TagKey, TagState,
};
pub use popular::{HighlightedRange, POPULAR_FROM, PopularPassage, popular_passages};
pub use register::Register;
pub use words::UnknownWord;

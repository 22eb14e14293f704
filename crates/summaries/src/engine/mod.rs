//! Summarizes texts (`summaries.built-in-engine`, `summaries.idea-passages`): the built-in engine, and the port to a
//! language model. Pure: no I/O, no clock, no randomness.
//!
//! Words: a *source* is the text that is summarized; a *passage* is a range of it, in bytes; an *idea* has a title, a
//! text and the passages that it comes from; a *stem* is a word without its ending, and a *term* is the stem of a
//! content word.
//!
//! Invariants:
//!
//! - Every passage and every quotation occurs verbatim in the source.
//! - Ideas are in the order of the source, and no passage is in two ideas of the built-in engine.
//! - The built-in engine is deterministic: the same source always gives the same summary.
//! - An idea from a model that no cited passage supports is marked as unsupported; a quotation that the source does not
//!   contain is dropped.

mod english;
mod headings;
mod ideas;
mod language;
mod likeness;
mod model;
mod ranking;
mod sentences;
mod short_text;
mod source;
mod summarise;
mod summary;
mod terms;
mod titles;

pub use language::{Language, detect_language};
pub use likeness::TermVectors;
pub use model::{
    Draft, DraftIdea, MAX_IDEAS, MAX_PROMPT_BYTES, ModelError, ModelFuture, Prompt, SummaryModel, ValidationReport,
    validate,
};
pub use source::{Source, SourceError};
pub use summarise::{Length, MIN_SOURCE_WORDS, is_too_short, sentences, summarise};
pub use summary::Summary;

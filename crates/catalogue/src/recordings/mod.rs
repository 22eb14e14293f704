//! Recordings of a book: a narration of its text, and a film about it.
//!
//! A book's audio and video are keys in an object store. For generated recordings there is metadata besides: where each
//! heading and paragraph begins ([`Mark`]), a hash of what they were made from, and their duration. Uploaded recordings
//! are played without marks.

mod model;
mod passages;
mod service;
mod store;

pub use model::{Chapter, Film, Mark, Narration, Recording, shown_hash, text_hash};
pub use passages::{Passage, PassageRange, passage_ranges, passages};
pub use service::Recordings;
pub use store::{RecordingCommands, RecordingQueries, RecordingStore};

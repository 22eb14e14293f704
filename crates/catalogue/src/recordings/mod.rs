//! Recordings of a book: its text read aloud, and a film of it.
//!
//! A book's audio and video are keys of an object store. Of those that the product made by itself more is known: when
//! each heading and paragraph begins ([`Mark`]), of which text they were made, how long they are. What a person
//! recorded and put there is played without marks.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod model;
mod passages;
mod service;
mod store;

pub use model::{Chapter, Film, Mark, Narration, Recording, shown_hash, text_hash};
pub use passages::{Passage, passages};
pub use service::Recordings;
pub use store::{RecordingCommands, RecordingQueries, RecordingStore};

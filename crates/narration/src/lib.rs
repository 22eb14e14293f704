//! Narration: recordings of books and podcasts, and short films of books, made by the speech and video programs installed on
//! this machine (`catalogue.narrated-text`).
//!
//! It owns the speech programs and their configuration, the recording of texts, and the scratch folders for that. Audio
//! processing is in [`speech`]; `workflows::recording_files` decides which recording is assigned to a book.
//!
//! Invariants:
//!
//! - A recording is made of the text at the start of the job. It is assigned to the book only if neither the text nor the
//!   book's recording has changed since. Jobs are idempotent.
//! - Programs run at the lowest priority, each in its own process group, which is killed when the waiting future is dropped.
//! - A scratch folder is locked while it is in use, so that a sweep recognises the folders of killed processes.
//!
//! Words: a *voice* is a program that speaks; an *encoder* is a program that compresses sound and makes films; a *passage*
//! is a heading or a paragraph; a *mark* is the moment at which a passage begins.

mod book;
mod config;
mod encoder;
mod error;
mod film;
mod job;
mod narrator;
mod podcast;
mod program;
mod recorder;
mod scratch_dir;
pub mod speech;
mod synthesizer;
mod tags;
mod voice;

pub use config::SpeechConfig;
pub use encoder::Encoder;
pub use job::sweep;
pub use narrator::Narrator;
pub use program::ProgramError;
pub use synthesizer::{RecordingFile, Synthesizer};
pub use tags::Tags;
pub use voice::Voice;

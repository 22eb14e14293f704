//! Narration: recordings of books and podcasts, and short films of books, made by the speech and video programs of this
//! machine (`catalogue.narrated-text`).
//!
//! It owns the speech programs and their configuration, the recordings of texts, and the scratch folders in which they are
//! made. The sound itself is [`speech`]; which recording becomes a book's is decided by `workflows::recording_files`.
//!
//! Invariants:
//!
//! - A recording is made of the text as it is when the job begins. It becomes the book's only if that is still its text and
//!   the book still has the recording that it had then. Doing a job twice does no harm.
//! - Programs run at the lowest priority, each in a process group that ends with the future that waits for it.
//! - A scratch folder is locked while it is in use, so that those of a killed process are found and removed.
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

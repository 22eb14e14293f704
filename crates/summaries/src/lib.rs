//! Summaries of members' own pages, files and texts (`summaries.member-library`), and the engine that writes them.
//!
//! # What it owns
//!
//! Each summary with its source's text and its state, and the [`engine`] that finds a text's key ideas, with the port
//! to a language model. Who may request summaries is decided elsewhere.
//!
//! # What always holds
//!
//! - A member has at most [`AT_A_TIME`] unfinished summaries, and the site at most [`SITE_QUEUE`].
//! - A request that is repeated with its idempotency key gives the same summary.
//! - The bytes of a file are stored until they are read, in the summary's row: they are added and deleted with it.
//! - A canceled summary is deleted; a job that still works on it changes nothing.
//! - All ranges are ranges of the source's text, in bytes.
//!
//! # Words
//!
//! *Source*: what is summarized. *Key idea*: a part of a summary, with the *passages* of the source that it comes from.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
pub mod engine;
mod error;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod service;
mod store;

pub use error::MemberSummaryError;
pub use model::{
    AT_A_TIME, Engine, FailureCode, FinishedSummary, ImportedSummary, KeyIdea, KnownSummary, MemberSummary, NewSummary,
    Passage, SITE_QUEUE, SUMMARIES_PAGE, SourceKind, SummaryFailure, SummaryLanguage, SummarySource, SummaryState,
    SummaryText, TITLE_MAX, UnknownWord, WaitingSource,
};
pub use service::MemberSummaries;
pub use store::{MemberSummaryCommands, MemberSummaryQueries, MemberSummaryStore};

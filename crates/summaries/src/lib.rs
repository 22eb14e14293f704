//! Summaries that members have made of pages, files and texts of their own (`summaries.member-library`), and what makes them.
//!
//! # What it owns
//!
//! Each summary with its source's text and where it stands, and the [`engine`] that finds a text's key ideas, with the port to a
//! language model. Who may have summaries made is not decided here.
//!
//! # What always holds
//!
//! - A member has [`AT_A_TIME`] summaries under way at most, the site [`SITE_QUEUE`].
//! - A request that is repeated with its key is the same summary.
//! - The bytes of a file are kept until they were read, in the row that waits for it: they appear and vanish with it.
//! - A summary that was cancelled or deleted is gone: what still works on it changes nothing.
//! - All ranges are ranges of the source's text, in bytes.
//!
//! # Words
//!
//! *Source*: what is summarised. *Key idea*: a part of a summary, with the *passages* of the source that it comes from.

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
    AT_A_TIME, Engine, FailureCode, FinishedSummary, KeyIdea, MemberSummary, NewSummary, Passage, SITE_QUEUE,
    SUMMARIES_PAGE, SourceKind, SummaryFailure, SummaryLanguage, SummarySource, SummaryState, SummaryText, TITLE_MAX,
    UnknownWord, WaitingSource,
};
pub use service::MemberSummaries;
pub use store::{MemberSummaryCommands, MemberSummaryQueries, MemberSummaryStore};

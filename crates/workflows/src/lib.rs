//! Workflows: stories that cross domains, each in one transaction.
//!
//! A story takes domain values and a transaction, and returns domain values or its own error. It knows no HTTP, no wire
//! type, no SQL and no `…Store` trait. Calls to the outside are no part of a story: they are jobs, queued in its
//! transaction.

pub mod narration;
pub mod recording_files;

//! The worker: does the jobs that changes leave in the queue, in every process that serves and in `pith worker`.
//!
//! A crate that owns work defines it by [`jobs::JobDefinition`] and, as its effect is, [`jobs::ExternalJob`],
//! [`jobs::LongJob`] or [`TransactionalJob`]; [`RecordEnd`] says what is recorded when a job ends or its lease lapses. The
//! process's wiring lists the definitions in a [`Registry`]; the worker knows none by name.
//!
//! The worker wakes when a job is queued, when one is due, and every few seconds. It takes only what it begins at once:
//! a process that dies leaves no more attempts without a known end than its queues have slots.

mod attempt;
mod definition;
mod polling;
mod registry;
mod worker;

pub use definition::{RecordEnd, TransactionalJob};
pub use registry::Registry;
pub use worker::{Monitor, Worker, WorkerParts};

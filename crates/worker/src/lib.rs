//! The worker: runs queued jobs, in `pith worker` and in every process that serves (unless `WORKER` is `off`).
//!
//! A crate that owns work defines it by [`jobs::JobDefinition`] and the trait of its effect: [`jobs::ExternalJob`],
//! [`jobs::LongJob`] or [`TransactionalJob`]. [`RecordEnd`] records how a job ended. The process lists the definitions
//! in a [`Registry`]; the worker knows none by name.
//!
//! The worker wakes when a job is queued, when one is due, and every few seconds. It takes only jobs that it starts at
//! once, so that a process that dies leaves at most one attempt per slot with an unknown outcome.

mod attempt;
mod definition;
mod polling;
mod registry;
mod worker;

pub use definition::{RecordEnd, TransactionalJob};
pub use registry::Registry;
pub use worker::{Monitor, Worker, WorkerParts};

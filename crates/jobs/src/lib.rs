//! The job queue: work that is done after a change is committed, such as sending a mail (`site.queued-mails`).
//!
//! # Words
//!
//! - A **job** is one piece of such work. It is stored in the transaction of the change that causes it: both are
//!   committed, or neither.
//! - Its **kind** ([`JobKind`]) is a constant of the crate that owns the work: name, queue, effect, deduplication, retry
//!   policy and schedule. Its **payload** says what to do.
//! - A worker **takes** a job for an **attempt** under a **lease**: until it lapses no other worker takes the job. A
//!   lease that **lapses** means that the worker died or hangs.
//! - A job that can't be done is **set aside** (a dead letter): kept, with the reason, until an admin retries it.
//! - Its **deliveries** say how often its effect is known to have happened.
//! - A **schedule** holds a kind's next due time. The node that finds it due queues the job and sets the next due time.
//!
//! # Invariants
//!
//! - Two workers never have a lease on a job at the same moment.
//! - An attempt is committed before it starts, so that the store always shows what may have happened.
//! - Unless an admin retries it, a job with an external effect has at most [`MAX_UNCERTAIN`] attempts with an unknown
//!   outcome: its effect happens twice at most.
//! - The payload is erased once the work is done.
//! - A scheduled kind has at most one job, which is deleted when it is done.
//!
//! The crate does no I/O: [`JobStore`] is its storage interface, [`Jobs`] has its operations. A crate that owns work
//! defines it by [`JobDefinition`]; the crate `worker` runs it.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod definition;
mod kind;
#[cfg(any(test, feature = "testing"))]
mod memory;
mod model;
mod recipient;
mod rules;
mod service;
mod store;

pub use definition::{ExternalJob, JobDefinition, LongJob, PayloadError};
pub use kind::{Effect, JobKind, MAX_ATTEMPTS, MAX_UNCERTAIN, Queue, RetryPolicy, Schedule};
#[cfg(any(test, feature = "testing"))]
pub use memory::Memory;
pub use model::{Deliveries, Job, LeasedJob, RESTORED, State, TRACEPARENT, UnknownState};
pub use recipient::{RecipientKey, mask_address};
pub use rules::{LEASE, Outcome, backoff};
pub use service::{JOB_RETENTION, JobRequest, Jobs};
pub use store::{JobCount, JobQueries, JobStore, NewJob, StoredCount, WithPayload};

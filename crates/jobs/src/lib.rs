//! Work that a change leaves to be done once it is committed, such as sending a mail (`decisions.md` 60).
//!
//! # Words
//!
//! - A **job** is one piece of such work. It is written down in the transaction of the change that causes it, so that
//!   there is neither one without the other.
//! - Its **kind** says who can do it; its **payload**, sealed by whoever queues it, what is to be done.
//! - A worker **takes** a job for an **attempt** and gets a **lease**: until then nobody else touches it. A lease that
//!   **lapses** means that the worker has died or hangs, and that nobody knows whether the work was done.
//! - A job that can't be done is **set aside**: kept, with the reason, until an admin looks at it and retries it.
//! - Its **deliveries** are what is known of how often the work was done.
//!
//! # Invariants
//!
//! - Two workers never have a lease on a job at the same moment.
//! - An attempt is written down before it begins. So what may have happened can always be told from the store.
//! - Without an admin's word a job has [`MAX_UNCERTAIN`] attempts at most of which nobody knows how they ended: what
//!   it does is done twice at most.
//! - The payload is gone once the work is done.
//!
//! The crate does no I/O of its own; what it needs from storage is [`JobStore`], what it offers is [`Jobs`].

#[cfg(any(test, feature = "testing"))]
pub mod contract;
#[cfg(any(test, feature = "testing"))]
mod memory;
mod model;
mod recipient;
mod rules;
mod service;
mod store;

#[cfg(any(test, feature = "testing"))]
pub use memory::Memory;
pub use model::{Deliveries, Job, Kind, State, Taken, UnknownWord};
pub use recipient::{RecipientKey, hint};
pub use rules::{LEASE, MAX_ATTEMPTS, MAX_UNCERTAIN, Outcome, backoff};
pub use service::{Assignment, JobCount, Jobs, KEPT};
pub use store::{JobStore, NewJob, WithPayload};

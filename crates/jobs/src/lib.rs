//! Work that a change leaves to be done once it is committed: mails above all. A job is a row, written in the
//! transaction of the change, and done by a worker.
//!
//! # Words
//!
//! - A **job** has a kind, which says who does it, and a payload, which says what exactly.
//! - Its **recipient** is who gets what it sends, for admins to see.

mod store;

use kernel::{StoreError, Timestamp};

pub use store::{JobStore, NewJob};

/// The queue, over any store of it.
pub trait Jobs: JobStore {
    /// Leaves a job to be done at once, when the transaction is committed.
    fn queue_job(
        &mut self,
        kind: &str,
        payload: &[u8],
        recipient: Option<&str>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.insert_job(NewJob { kind, payload, recipient, created_at: now, due_at: now })
    }
}

impl<S: JobStore + ?Sized> Jobs for S {}

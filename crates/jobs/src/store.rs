//! What jobs need from storage.

use kernel::{StoreError, Timestamp};

/// A job that is left to be done.
#[derive(Clone, Copy, Debug)]
pub struct NewJob<'a> {
    /// Who does it.
    pub kind: &'a str,
    /// What exactly, sealed by whoever leaves it.
    pub payload: &'a [u8],
    /// Who gets what it sends.
    pub recipient: Option<&'a str>,
    /// The present moment.
    pub created_at: Timestamp,
    /// When it may be done.
    pub due_at: Timestamp,
}

/// The storage of jobs, on one transaction.
pub trait JobStore {
    /// Stores a job, and wakes the workers once the transaction is committed.
    fn insert_job(&mut self, job: NewJob<'_>) -> Result<(), StoreError>;
}

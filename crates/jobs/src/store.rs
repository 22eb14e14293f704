//! What jobs need from storage.

use kernel::{JobId, Limit, StoreError, Timestamp};

use crate::{Job, JobCount, Kind, RecipientKey, State};

/// A job before it is stored.
#[derive(Clone, Copy, Debug)]
pub struct NewJob<'a> {
    /// What sort of work it is.
    pub kind: Kind,
    /// What it is about, in one word of the kind's own.
    pub about: &'a str,
    /// What is to be done, sealed by the caller.
    pub payload: &'a [u8],
    /// Whom it is for, as admins see it.
    pub recipient: Option<&'a str>,
    /// Finds it again by whom it is for.
    pub recipient_key: Option<RecipientKey>,
    /// The present moment.
    pub created_at: Timestamp,
    /// From when on it is due.
    pub due_at: Timestamp,
}

/// A job with its payload, which is erased once the work is done.
pub type WithPayload = (Job, Option<Vec<u8>>);

/// The storage of jobs, on one transaction.
///
/// Methods that lock hold what they lock until the transaction ends, and pass over what another one holds: two callers
/// never get the same job.
pub trait JobStore {
    /// Stores a job that is queued, and tells every node's worker.
    fn insert_job(&mut self, job: NewJob<'_>) -> Result<JobId, StoreError>;

    /// Locks jobs of these kinds in this state whose moment has come, the longest due first; gives each with its
    /// payload, if that is still there. Queued ones of [`Kind::TOLD_BY_PAYLOAD`] that are like a running one are passed
    /// over.
    fn lock_jobs_due(
        &mut self,
        kinds: &[Kind],
        state: State,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<WithPayload>, StoreError>;

    /// Locks the jobs of a kind with this payload that are in one of these states, waiting for whoever holds them.
    fn lock_jobs_alike(&mut self, kind: Kind, payload: &[u8], states: &[State]) -> Result<Vec<Job>, StoreError>;

    /// Whether no job of a kind with this payload is running. Of those who ask before the first of their transactions
    /// has ended one is told so at most.
    fn claim_payload(&mut self, kind: Kind, payload: &[u8]) -> Result<bool, StoreError>;

    /// Locks a job, waiting for whoever holds it.
    fn lock_job(&mut self, job: JobId) -> Result<Option<Job>, StoreError>;

    /// Finds jobs without locking them, in any order; what is gone is left out.
    fn find_jobs(&mut self, jobs: &[JobId]) -> Result<Vec<Job>, StoreError>;

    /// Stores what has become of a locked job. Erases the payload of one that is done. Tells every node's worker of
    /// one that is queued.
    fn update_job(&mut self, job: &Job) -> Result<(), StoreError>;

    /// Jobs of a kind, newest first, older than `after`: one more than the limit when there are more.
    fn jobs_of_kind(
        &mut self,
        kind: Kind,
        state: Option<State>,
        after: Option<JobId>,
        limit: Limit,
    ) -> Result<Vec<Job>, StoreError>;

    /// How many jobs there are, by kind and state; what there is none of may be left out.
    fn count_jobs(&mut self) -> Result<Vec<JobCount>, StoreError>;

    /// When the next job of these kinds is due or lapses; without those that [`JobStore::lock_jobs_due`] passes over.
    fn first_job_due(&mut self, kinds: &[Kind]) -> Result<Option<Timestamp>, StoreError>;

    /// Deletes jobs that were done before the moment, and those set aside (with their payload) that would have been due
    /// again before it; gives their number.
    fn delete_jobs_over_before(&mut self, moment: Timestamp) -> Result<u64, StoreError>;

    /// Deletes jobs for a person, whatever their state, all or those about one thing; gives their number.
    fn delete_jobs_of_recipient(&mut self, recipient: RecipientKey, about: Option<&str>) -> Result<u64, StoreError>;
}

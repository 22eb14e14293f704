//! The storage interface of jobs.

use kernel::{JobId, Limit, Page, StoreError, Timestamp};

use crate::{Job, JobKind, RecipientKey, State};

/// A job to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewJob<'a> {
    pub kind: JobKind,
    /// A label within the kind: see [`Job::about`].
    pub about: &'a str,
    /// The payload, sealed by the caller if it contains secrets or personal data.
    pub payload: &'a [u8],
    /// The recipient's masked address, for admins.
    pub recipient: Option<&'a str>,
    /// Finds the job by its recipient.
    pub recipient_key: Option<RecipientKey>,
    pub created_at: Timestamp,
    pub due_at: Timestamp,
}

/// A job with its payload; `None` after the work is done and the payload is erased.
pub type WithPayload = (Job, Option<Vec<u8>>);

/// How many jobs of a kind, by its name, are in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCount {
    /// The kind's name. Another node may have queued jobs of a kind that this one does not know.
    pub kind: String,
    pub state: State,
    pub count: u64,
    /// The earliest due time among them.
    pub oldest_due_at: Timestamp,
}

/// How many jobs of a kind are in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobCount {
    pub kind: &'static str,
    pub state: State,
    pub count: u64,
    /// The earliest due time among them; `None` if there are none.
    pub oldest_due_at: Option<Timestamp>,
}

/// Reads of jobs.
pub trait JobQueries {
    /// Jobs of these kinds, newest first, with ids below `after`. Returns one more than the limit if there are more.
    fn jobs_of_kinds(
        &mut self,
        kinds: &[JobKind],
        state: Option<State>,
        after: Option<JobId>,
        limit: Limit,
    ) -> Result<Vec<Job>, StoreError>;

    /// How many jobs there are, by kind and state; counts of zero may be left out.
    fn count_jobs(&mut self) -> Result<Vec<StoredCount>, StoreError>;

    /// When the next job of these kinds is due or its lease lapses, without the jobs that [`JobStore::lock_jobs_due`]
    /// skips. `None` if there is no such job.
    fn next_job_due(&mut self, kinds: &[JobKind]) -> Result<Option<Timestamp>, StoreError>;

    /// The next due time of the schedules of these kinds; `None` if there are none.
    fn next_schedule_due(&mut self, kinds: &[JobKind]) -> Result<Option<Timestamp>, StoreError>;

    /// A page of the jobs of these kinds, newest first.
    fn jobs(
        &mut self,
        kinds: &[JobKind],
        state: Option<State>,
        after: Option<JobId>,
        limit: Limit,
    ) -> Result<Page<Job, JobId>, StoreError> {
        Ok(Page::from_surplus(self.jobs_of_kinds(kinds, state, after, limit)?, limit, |job| job.id))
    }

    /// How many jobs of each of these kinds are in each state, including zero counts.
    fn job_counts(&mut self, kinds: &[JobKind]) -> Result<Vec<JobCount>, StoreError> {
        let stored = self.count_jobs()?;
        let count = |(kind, state): (&JobKind, State)| {
            let found = stored.iter().find(|found| found.kind == kind.name && found.state == state);
            let (count, oldest_due_at) = found.map_or((0, None), |found| (found.count, Some(found.oldest_due_at)));
            JobCount { kind: kind.name, state, count, oldest_due_at }
        };
        let all = kinds.iter().flat_map(|kind| State::ALL.iter().map(move |state| (kind, *state)));
        Ok(all.map(count).collect())
    }
}

/// Storage of jobs, within one transaction.
///
/// Methods that lock hold the lock until the transaction ends. Those that lock what is *due* skip what another
/// transaction has locked: two callers never get the same job.
pub trait JobStore: JobQueries {
    /// Stores a queued job, and notifies every node's worker.
    fn insert_job(&mut self, job: NewJob<'_>) -> Result<JobId, StoreError>;

    /// Locks due jobs of these kinds in this state, longest due first; returns each with its payload, if it still has
    /// one. Skips queued jobs of deduplicated kinds while one with the same payload is running.
    fn lock_jobs_due(
        &mut self,
        kinds: &[JobKind],
        state: State,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<WithPayload>, StoreError>;

    /// Locks the jobs of a kind with this payload that are in one of these states; waits for other locks.
    fn lock_jobs_with_payload(
        &mut self,
        kind: JobKind,
        payload: &[u8],
        states: &[State],
    ) -> Result<Vec<Job>, StoreError>;

    /// Claims a payload for the transaction: `true` if no job of the kind with this payload is running. Of transactions
    /// that ask before the first of them has ended, at most one gets `true`.
    fn claim_payload(&mut self, kind: JobKind, payload: &[u8]) -> Result<bool, StoreError>;

    /// Locks a job of one of these kinds; waits for other locks.
    fn lock_job(&mut self, kinds: &[JobKind], job: JobId) -> Result<Option<Job>, StoreError>;

    /// Stores a locked job. Erases the payload of one that is done. Notifies every node's worker of one that is queued.
    fn update_job(&mut self, job: &Job) -> Result<(), StoreError>;

    /// Deletes a locked job.
    fn delete_job(&mut self, job: JobId) -> Result<(), StoreError>;

    /// Deletes jobs that were done before this time, and jobs that are set aside (with their payloads) whose due time
    /// is before it. Returns how many.
    fn delete_jobs_over_before(&mut self, moment: Timestamp) -> Result<u64, StoreError>;

    /// Deletes a recipient's jobs in any state: all, or those with the label `about`. Returns how many.
    fn delete_jobs_of_recipient(&mut self, recipient: RecipientKey, about: Option<&str>) -> Result<u64, StoreError>;

    /// Stores the first due time of a kind's schedule, unless the kind has one.
    fn insert_schedule(&mut self, kind: JobKind, due_at: Timestamp) -> Result<(), StoreError>;

    /// Locks the due schedules of these kinds, and returns their due times; skips those that another transaction has
    /// locked.
    fn lock_schedules_due(
        &mut self,
        kinds: &[JobKind],
        now: Timestamp,
    ) -> Result<Vec<(JobKind, Timestamp)>, StoreError>;

    /// Stores the next due time of a locked schedule.
    fn update_schedule(&mut self, kind: JobKind, due_at: Timestamp) -> Result<(), StoreError>;
}

//! What jobs offer.

use std::collections::HashMap;

use kernel::{DAY, Email, Env, JobId, Limit, Page, StoreError, Timestamp};

use crate::{Job, JobStore, Kind, NewJob, Outcome, RecipientKey, State, Taken, hint};

/// How long a job that is done or set aside stays in the store, in milliseconds: admins can see what was sent, and try
/// again what was not.
pub const KEPT: i64 = 30 * DAY;

/// Work to be queued.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    /// What sort of work it is.
    pub kind: Kind,
    /// What it is about, in one word of the kind's own.
    pub about: &'a str,
    /// Whom it is for.
    pub recipient: Option<&'a Email>,
    /// What is to be done, sealed: whoever reads the database alone learns nothing.
    pub payload: &'a [u8],
}

/// How many jobs of a kind are in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobCount {
    /// The kind.
    pub kind: Kind,
    /// The state.
    pub state: State,
    /// How many there are.
    pub count: u64,
}

/// Jobs, over any store of them. Everything happens in the store's transaction.
pub trait Jobs: JobStore {
    /// Queues work. It is begun after the transaction has committed.
    ///
    /// Of the kinds of [`Kind::TOLD_BY_PAYLOAD`] the same work is queued once; what is being done already is queued
    /// again, for what it is done with may have changed since it was begun.
    fn queue_job(&mut self, work: Assignment<'_>, now: Timestamp) -> Result<JobId, StoreError> {
        self.queue_job_for(work, now, now)
    }

    /// [`Jobs::queue_job`], not to be begun before a moment.
    fn queue_job_for(&mut self, work: Assignment<'_>, due_at: Timestamp, now: Timestamp) -> Result<JobId, StoreError> {
        if work.kind.is_told_by_payload()
            && let Some(mut there) = self.lock_jobs_alike(work.kind, work.payload, &[State::Queued])?.pop()
        {
            if there.due_at < due_at {
                there.due_at = due_at;
                self.update_job(&there)?;
            }
            return Ok(there.id);
        }
        let recipient = work.recipient.map(hint);
        self.insert_job(NewJob {
            kind: work.kind,
            about: work.about,
            payload: work.payload,
            recipient: recipient.as_deref(),
            recipient_key: work.recipient.map(RecipientKey::of),
            created_at: now,
            due_at,
        })
    }

    /// Calls off work of a kind of [`Kind::TOLD_BY_PAYLOAD`] that is queued; `false` when it is being done at this very
    /// moment, or was begun by a worker that has died.
    fn call_off_job(&mut self, kind: Kind, payload: &[u8], now: Timestamp) -> Result<bool, StoreError> {
        let alike = self.lock_jobs_alike(kind, payload, &[State::Queued, State::Running])?;
        if alike.iter().any(|job| job.state == State::Running) {
            return Ok(false);
        }
        for mut job in alike {
            job.call_off(now);
            self.update_job(&job)?;
        }
        Ok(true)
    }

    /// [`Jobs::take_jobs_of`] any kind.
    fn take_jobs(&mut self, limit: usize, now: Timestamp) -> Result<Vec<Taken>, StoreError> {
        self.take_jobs_of(Kind::ALL, limit, now)
    }

    /// Takes up to so many jobs of these kinds that are due. When the transaction has committed, each has an attempt
    /// that may begin.
    ///
    /// First it is seen to those whose lease has lapsed: they are queued again, or set aside when what they do may
    /// have been done twice.
    fn take_jobs_of(&mut self, kinds: &[Kind], limit: usize, now: Timestamp) -> Result<Vec<Taken>, StoreError> {
        for (mut job, _) in self.lock_jobs_due(kinds, State::Running, now, limit)? {
            job.lapse(now);
            self.update_job(&job)?;
        }
        let mut taken = Vec::new();
        for (mut job, payload) in self.lock_jobs_due(kinds, State::Queued, now, limit)? {
            let payload = payload.unwrap_or_default();
            // Another worker may be taking one like it at this very moment, and this one may just have done so.
            if job.kind.is_told_by_payload() && !self.claim_payload(job.kind, &payload)? {
                continue;
            }
            job.begin(now);
            self.update_job(&job)?;
            taken.push(Taken { job, payload });
        }
        Ok(taken)
    }

    /// Lets an attempt go on for another lease; gives the job as it is then. `None` when the attempt is not the job's any
    /// more, as with [`Jobs::finish_job`].
    fn renew_job(&mut self, taken: &Job, now: Timestamp) -> Result<Option<Job>, StoreError> {
        let Some(mut job) = self.lock_job(taken.id)? else { return Ok(None) };
        if job.state != State::Running || job.due_at != taken.due_at {
            return Ok(None);
        }
        job.renew(now);
        self.update_job(&job)?;
        Ok(Some(job))
    }

    /// Writes down how the attempt ended; gives the job as it is then. `None` when the attempt is not the job's any
    /// more: its lease has lapsed, and what became of the job is told by others; or the job is gone.
    fn finish_job(&mut self, taken: &Job, outcome: Outcome, env: &dyn Env) -> Result<Option<Job>, StoreError> {
        let Some(mut job) = self.lock_job(taken.id)? else { return Ok(None) };
        if job.state != State::Running || job.due_at != taken.due_at {
            return Ok(None);
        }
        job.end(outcome, env);
        self.update_job(&job)?;
        Ok(Some(job))
    }

    /// Queues a job anew that was set aside, on an admin's word; `None` when there is no such job, `Some(false)` when
    /// it is not set aside.
    fn retry_job(&mut self, kind: Kind, job: JobId, now: Timestamp) -> Result<Option<bool>, StoreError> {
        let Some(mut job) = self.lock_job(job)?.filter(|job| job.kind == kind) else { return Ok(None) };
        if job.state != State::SetAside {
            return Ok(Some(false));
        }
        job.retry(now);
        self.update_job(&job)?;
        Ok(Some(true))
    }

    /// Queues all jobs of a kind anew that are set aside: for work that must be done some day.
    fn retry_jobs(&mut self, kind: Kind, now: Timestamp) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let page = self.jobs(kind, Some(State::SetAside), after, Limit::clamped(Limit::MAX))?;
            for job in &page.items {
                self.retry_job(kind, job.id, now)?;
            }
            if page.next.is_none() {
                return Ok(());
            }
            after = page.next;
        }
    }

    /// What has become of jobs, whoever works on them; those that are gone are left out.
    fn jobs_by_id(&mut self, jobs: &[JobId]) -> Result<HashMap<JobId, Job>, StoreError> {
        if jobs.is_empty() {
            return Ok(HashMap::new());
        }
        Ok(self.find_jobs(jobs)?.into_iter().map(|job| (job.id, job)).collect())
    }

    /// Jobs of a kind, newest first.
    fn jobs(
        &mut self,
        kind: Kind,
        state: Option<State>,
        after: Option<JobId>,
        limit: Limit,
    ) -> Result<Page<Job, JobId>, StoreError> {
        Ok(Page::from_surplus(self.jobs_of_kind(kind, state, after, limit)?, limit, |job| job.id))
    }

    /// How many jobs of each kind are in each state, also where there are none.
    fn job_counts(&mut self) -> Result<Vec<JobCount>, StoreError> {
        let there = self.count_jobs()?;
        let count = |kind, state| {
            there.iter().find(|found| found.kind == kind && found.state == state).map_or(0, |found| found.count)
        };
        let all = Kind::ALL.iter().flat_map(|kind| State::ALL.iter().map(move |state| (*kind, *state)));
        Ok(all.map(|(kind, state)| JobCount { kind, state, count: count(kind, state) }).collect())
    }

    /// When there is something of these kinds to do next; `None` when nothing waits.
    fn next_job_due(&mut self, kinds: &[Kind]) -> Result<Option<Timestamp>, StoreError> {
        self.first_job_due(kinds)
    }

    /// Deletes jobs that were done or set aside long ago; gives their number.
    fn sweep_jobs(&mut self, now: Timestamp) -> Result<u64, StoreError> {
        self.delete_jobs_over_before(now.plus(-KEPT))
    }

    /// Deletes everything that was to be done, or was done, for the person with this address; gives its number. What
    /// is running goes on, and leaves no trace.
    fn forget_jobs_of(&mut self, recipient: &Email) -> Result<u64, StoreError> {
        self.delete_jobs_of_recipient(RecipientKey::of(recipient), None)
    }

    /// Deletes what was to be done, or was done, for the person with this address about one thing only; gives its number.
    fn forget_jobs_about(&mut self, recipient: &Email, about: &str) -> Result<u64, StoreError> {
        self.delete_jobs_of_recipient(RecipientKey::of(recipient), Some(about))
    }
}

impl<S: JobStore + ?Sized> Jobs for S {}

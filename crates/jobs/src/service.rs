//! The operations of the job queue.

use kernel::{DAY, Email, Env, JobId, Limit, StoreError, Timestamp};

use crate::{Job, JobKind, JobStore, LeasedJob, NewJob, Outcome, RecipientKey, State, mask_address};

/// How long a job that is done or set aside stays in the store, in milliseconds: admins can see what was sent, and retry
/// what was not.
pub const JOB_RETENTION: i64 = 30 * DAY;

/// The batch size for setting jobs aside.
const SET_ASIDE_BATCH: usize = 1_000;
/// Later than every due time: the end of the year 9999, which Postgres can store.
const FOREVER: Timestamp = Timestamp::from_millis(253_402_300_799_000);

/// Work to be queued.
#[derive(Clone, Copy)]
pub struct JobRequest<'a> {
    pub kind: JobKind,
    /// A label within the kind: see [`Job::about`].
    pub about: &'a str,
    /// The recipient. Their jobs are deleted when they delete their account.
    pub recipient: Option<&'a Email>,
    /// Sealed if it contains secrets or personal data, so that the database alone reveals nothing.
    pub payload: &'a [u8],
}

/// The job queue, over any [`JobStore`]. Everything happens in the store's transaction.
pub trait Jobs: JobStore {
    /// Queues a job. Workers can take it once the transaction has committed.
    ///
    /// Work of a deduplicated kind is queued once. While it is running it is queued again, because its input may have
    /// changed since it started.
    fn queue_job(&mut self, work: JobRequest<'_>, now: Timestamp) -> Result<JobId, StoreError> {
        self.queue_job_for(work, now, now)
    }

    /// [`Jobs::queue_job`] with a due time. If the same deduplicated work is queued already, the later due time counts.
    fn queue_job_for(&mut self, work: JobRequest<'_>, due_at: Timestamp, now: Timestamp) -> Result<JobId, StoreError> {
        if work.kind.deduplicated
            && let Some(mut queued) = self.lock_jobs_with_payload(work.kind, work.payload, &[State::Queued])?.pop()
        {
            if queued.due_at < due_at {
                queued.due_at = due_at;
                self.update_job(&queued)?;
            }
            return Ok(queued.id);
        }
        let recipient = work.recipient.map(mask_address);
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

    /// Cancels queued work of a deduplicated kind; `true` if none is left. `false` if it is running, or if its worker
    /// died and its lapsed lease has not been handled yet.
    fn cancel_job(&mut self, kind: JobKind, payload: &[u8], now: Timestamp) -> Result<bool, StoreError> {
        let found = self.lock_jobs_with_payload(kind, payload, &[State::Queued, State::Running])?;
        if found.iter().any(|job| job.state == State::Running) {
            return Ok(false);
        }
        for mut job in found {
            job.complete(now);
            self.update_job(&job)?;
        }
        Ok(true)
    }

    /// Ends up to `limit` attempts of these kinds whose lease has lapsed: queues the jobs again, or sets them aside if
    /// their retry policy allows no more attempts. Returns the updated jobs; the caller must record their ends in this
    /// transaction.
    fn lapse_jobs(&mut self, kinds: &[JobKind], limit: usize, now: Timestamp) -> Result<Vec<LeasedJob>, StoreError> {
        let mut lapsed = Vec::new();
        for (mut job, payload) in self.lock_jobs_due(kinds, State::Running, now, limit)? {
            job.lapse(now);
            self.update_job(&job)?;
            lapsed.push(LeasedJob { job, payload: payload.unwrap_or_default() });
        }
        Ok(lapsed)
    }

    /// Sets aside every queued and running job of these kinds, with a reason for admins: after a restore it is unknown
    /// whether their effects happened. Returns the updated jobs; the caller must record their ends in this transaction.
    fn set_aside_jobs(
        &mut self,
        kinds: &[JobKind],
        reason: &str,
        now: Timestamp,
    ) -> Result<Vec<LeasedJob>, StoreError> {
        let mut set_aside = Vec::new();
        // Running jobs first: they hide queued ones with an equal payload.
        for state in [State::Running, State::Queued] {
            loop {
                let found = self.lock_jobs_due(kinds, state, FOREVER, SET_ASIDE_BATCH)?;
                if found.is_empty() {
                    break;
                }
                for (mut job, payload) in found {
                    job.set_aside(reason.to_owned(), now);
                    self.update_job(&job)?;
                    set_aside.push(LeasedJob { job, payload: payload.unwrap_or_default() });
                }
            }
        }
        Ok(set_aside)
    }

    /// Takes up to `limit` due jobs of these kinds under a lease. Their attempts may start once the transaction has
    /// committed.
    fn take_jobs(&mut self, kinds: &[JobKind], limit: usize, now: Timestamp) -> Result<Vec<LeasedJob>, StoreError> {
        let mut taken = Vec::new();
        for (mut job, payload) in self.lock_jobs_due(kinds, State::Queued, now, limit)? {
            let payload = payload.unwrap_or_default();
            // Another worker may be taking a job with the same payload at this moment, and this loop may have just done
            // so.
            if job.kind.deduplicated && !self.claim_payload(job.kind, &payload)? {
                continue;
            }
            job.begin(now);
            self.update_job(&job)?;
            taken.push(LeasedJob { job, payload });
        }
        Ok(taken)
    }

    /// Renews an attempt's lease; returns the updated job. `None` if the attempt is not the current one, as with
    /// [`Jobs::finish_job`].
    fn renew_job(&mut self, taken: &Job, now: Timestamp) -> Result<Option<Job>, StoreError> {
        let Some(mut job) = self.lock_attempt(taken)? else { return Ok(None) };
        job.renew(now);
        self.update_job(&job)?;
        Ok(Some(job))
    }

    /// Records the outcome of an attempt; returns the updated job. `None` if the attempt is not the current one: its
    /// lease has lapsed, or the job was deleted. Deletes a scheduled job that is done.
    fn finish_job(&mut self, taken: &Job, outcome: Outcome, env: &dyn Env) -> Result<Option<Job>, StoreError> {
        let Some(mut job) = self.lock_attempt(taken)? else { return Ok(None) };
        job.end(outcome, env);
        if job.kind.schedule.is_some() && job.state == State::Done {
            self.delete_job(job.id)?;
        } else {
            self.update_job(&job)?;
        }
        Ok(Some(job))
    }

    /// Locks the job of an attempt, if the attempt is the current one.
    fn lock_attempt(&mut self, taken: &Job) -> Result<Option<Job>, StoreError> {
        let job = self.lock_job(&[taken.kind], taken.id)?;
        Ok(job.filter(|job| job.state == State::Running && job.due_at == taken.due_at))
    }

    /// Retries a job of one of these kinds that was set aside. `None` if there is no such job, `Some(false)` if it is
    /// not set aside.
    fn retry_job(&mut self, kinds: &[JobKind], job: JobId, now: Timestamp) -> Result<Option<bool>, StoreError> {
        let Some(mut job) = self.lock_job(kinds, job)? else { return Ok(None) };
        if job.state != State::SetAside {
            return Ok(Some(false));
        }
        job.retry(now);
        self.update_job(&job)?;
        Ok(Some(true))
    }

    /// Retries all jobs of a kind that were set aside, for work that must be done eventually.
    fn retry_jobs(&mut self, kind: JobKind, now: Timestamp) -> Result<(), StoreError> {
        self.retry_jobs_if(kind, now, usize::MAX, |_| true).map(|_| ())
    }

    /// Retries jobs of a kind that were set aside and certainly had no effect, newest first, as many as `most`. Returns how many were
    /// retried, and how many are still set aside.
    fn retry_failed_jobs(&mut self, kind: JobKind, most: usize, now: Timestamp) -> Result<(u64, u64), StoreError> {
        self.retry_jobs_if(kind, now, most, Job::has_certainly_failed)
    }

    /// Retries jobs of a kind that were set aside and for which `may` holds, newest first, as many as `most`. Returns how many were
    /// retried, and how many are still set aside.
    fn retry_jobs_if(
        &mut self,
        kind: JobKind,
        now: Timestamp,
        most: usize,
        may: fn(&Job) -> bool,
    ) -> Result<(u64, u64), StoreError> {
        let (mut after, mut retried, mut left) = (None, 0_u64, 0_u64);
        loop {
            let page = self.jobs(&[kind], Some(State::SetAside), after, Limit::clamped(Limit::MAX))?;
            for job in &page.items {
                let is_due = may(job) && retried < most as u64;
                if is_due && self.retry_job(&[kind], job.id, now)? == Some(true) {
                    retried += 1;
                } else {
                    left += 1;
                }
            }
            if page.next.is_none() {
                return Ok((retried, left));
            }
            after = page.next;
        }
    }

    /// Creates the missing schedules of these kinds; they are due now.
    fn add_schedules(&mut self, kinds: &[JobKind], now: Timestamp) -> Result<(), StoreError> {
        kinds.iter().filter(|kind| kind.schedule.is_some()).try_for_each(|kind| self.insert_schedule(*kind, now))
    }

    /// Queues the scheduled jobs of these kinds that are due, and sets their next due times; returns how many schedules
    /// were due. Of several nodes that call this at the same moment, only one finds a schedule due.
    ///
    /// A job of an earlier due time that is not done is not queued a second time: one that is running goes on, one that
    /// waits for its next attempt becomes due now, and one that was set aside is retried.
    fn queue_scheduled_jobs(&mut self, kinds: &[JobKind], now: Timestamp) -> Result<usize, StoreError> {
        let due = self.lock_schedules_due(kinds, now)?;
        for (kind, due_at) in &due {
            let Some(schedule) = kind.schedule else { continue };
            self.update_schedule(*kind, schedule.next(*due_at, now))?;
            let before = self.jobs_of_kinds(&[*kind], None, None, Limit::clamped(1))?.pop();
            match before.map(|job| (job.state, job.id)) {
                Some((State::Running, _)) => {}
                Some((State::SetAside, id)) => {
                    self.retry_job(&[*kind], id, now)?;
                }
                Some((State::Queued, id)) => self.hasten_job(*kind, id, now)?,
                Some((State::Done, _)) | None => {
                    self.queue_job(JobRequest { kind: *kind, about: "", recipient: None, payload: &[] }, now)?;
                }
            }
        }
        Ok(due.len())
    }

    /// Makes a queued job due now.
    fn hasten_job(&mut self, kind: JobKind, job: JobId, now: Timestamp) -> Result<(), StoreError> {
        match self.lock_job(&[kind], job)? {
            Some(mut job) if job.state == State::Queued && job.due_at > now => {
                job.due_at = now;
                self.update_job(&job)
            }
            _ => Ok(()),
        }
    }

    /// Deletes jobs that were done or set aside more than [`JOB_RETENTION`] ago; returns how many.
    fn sweep_jobs(&mut self, now: Timestamp) -> Result<u64, StoreError> {
        self.delete_jobs_over_before(now.plus(-JOB_RETENTION))
    }

    /// Deletes all jobs for the person with this address; returns how many. A running attempt continues, but its
    /// outcome is not recorded.
    fn forget_jobs_of(&mut self, recipient: &Email) -> Result<u64, StoreError> {
        self.delete_jobs_of_recipient(RecipientKey::of(recipient), None)
    }

    /// Deletes the jobs with the label `about` for the person with this address; returns how many.
    fn forget_jobs_about(&mut self, recipient: &Email, about: &str) -> Result<u64, StoreError> {
        self.delete_jobs_of_recipient(RecipientKey::of(recipient), Some(about))
    }
}

impl<S: JobStore + ?Sized> Jobs for S {}

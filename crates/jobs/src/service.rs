//! What jobs offer.

use kernel::{DAY, Email, Env, JobId, Limit, StoreError, Timestamp};

use crate::{Job, JobKind, JobStore, LeasedJob, NewJob, Outcome, RecipientKey, State, mask_address};

/// How long a job that is done or set aside stays in the store, in milliseconds: admins can see what was sent, and retry
/// what was not.
pub const JOB_RETENTION: i64 = 30 * DAY;

/// Jobs that are set aside by one query.
const SET_ASIDE_BATCH: usize = 1_000;
/// Later than every due moment: the end of the year 9999, which Postgres can store.
const FOREVER: Timestamp = Timestamp::from_millis(253_402_300_799_000);

/// Work to be queued.
#[derive(Clone, Copy)]
pub struct JobRequest<'a> {
    pub kind: JobKind,
    /// What it is about, in one word of the kind's own.
    pub about: &'a str,
    /// The recipient, of whose jobs none stays when they leave.
    pub recipient: Option<&'a Email>,
    /// The payload. Sealed where it holds secrets or personal data: the database alone reveals nothing.
    pub payload: &'a [u8],
}

/// Jobs, over any store of them. Everything happens in the store's transaction.
pub trait Jobs: JobStore {
    /// Queues work. It can be taken once the transaction has committed.
    ///
    /// Work of a deduplicated kind is queued once. While it is running it is queued again, for what it depends on may
    /// have changed since it began.
    fn queue_job(&mut self, work: JobRequest<'_>, now: Timestamp) -> Result<JobId, StoreError> {
        self.queue_job_for(work, now, now)
    }

    /// [`Jobs::queue_job`], not to be taken before a moment.
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

    /// Cancels queued work of a deduplicated kind; `false` when it is running, or was begun by a worker that died.
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

    /// Ends the attempts of these kinds whose lease has lapsed, up to so many: the jobs are queued again, or set aside
    /// when their effect may have happened twice. Gives each as it is then; who records an end must do so in this
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

    /// Sets aside every queued and running job of these kinds, for a reason that admins read: after a restore nobody
    /// knows whether their effect happened. Gives each as it is then; who records an end must do so in this transaction.
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

    /// Takes up to so many jobs of these kinds that are due. When the transaction has committed, each has an attempt
    /// that may begin.
    fn take_jobs(&mut self, kinds: &[JobKind], limit: usize, now: Timestamp) -> Result<Vec<LeasedJob>, StoreError> {
        let mut taken = Vec::new();
        for (mut job, payload) in self.lock_jobs_due(kinds, State::Queued, now, limit)? {
            let payload = payload.unwrap_or_default();
            // Another worker may be taking an equal one at this moment, and this one may just have done so.
            if job.kind.deduplicated && !self.claim_payload(job.kind, &payload)? {
                continue;
            }
            job.begin(now);
            self.update_job(&job)?;
            taken.push(LeasedJob { job, payload });
        }
        Ok(taken)
    }

    /// Renews an attempt's lease; gives the job as it is then. `None` when the attempt is not the current one, as with
    /// [`Jobs::finish_job`].
    fn renew_job(&mut self, taken: &Job, now: Timestamp) -> Result<Option<Job>, StoreError> {
        let Some(mut job) = self.lock_attempt(taken)? else { return Ok(None) };
        job.renew(now);
        self.update_job(&job)?;
        Ok(Some(job))
    }

    /// Records how an attempt ended; gives the job as it is then. `None` when the attempt is not the current one: its
    /// lease has lapsed, or the job is gone. A scheduled job that is done has no row any more.
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

    /// Queues a job of one of these kinds again that was set aside; `None` when there is no such job, `Some(false)` when
    /// it is not set aside.
    fn retry_job(&mut self, kinds: &[JobKind], job: JobId, now: Timestamp) -> Result<Option<bool>, StoreError> {
        let Some(mut job) = self.lock_job(kinds, job)? else { return Ok(None) };
        if job.state != State::SetAside {
            return Ok(Some(false));
        }
        job.retry(now);
        self.update_job(&job)?;
        Ok(Some(true))
    }

    /// Queues all jobs of a kind again that were set aside: for work that must be done some day.
    fn retry_jobs(&mut self, kind: JobKind, now: Timestamp) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let page = self.jobs(&[kind], Some(State::SetAside), after, Limit::clamped(Limit::MAX))?;
            for job in &page.items {
                self.retry_job(&[kind], job.id, now)?;
            }
            if page.next.is_none() {
                return Ok(());
            }
            after = page.next;
        }
    }

    /// Gives a schedule to each of these kinds that should have one and has none; the first due moment is now.
    fn add_schedules(&mut self, kinds: &[JobKind], now: Timestamp) -> Result<(), StoreError> {
        kinds.iter().filter(|kind| kind.schedule.is_some()).try_for_each(|kind| self.insert_schedule(*kind, now))
    }

    /// Queues the scheduled jobs of these kinds whose moment is due, and moves their schedules on; gives how many were
    /// due. Of several nodes that call this at the same moment, one finds a schedule due.
    ///
    /// A job of an earlier moment that is still there is not queued a second time: one that waits for its next attempt
    /// has it now, and one that was set aside is retried.
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

    /// Deletes jobs that were done or set aside long ago; gives their number.
    fn sweep_jobs(&mut self, now: Timestamp) -> Result<u64, StoreError> {
        self.delete_jobs_over_before(now.plus(-JOB_RETENTION))
    }

    /// Deletes all jobs for the person with this address; gives their number. A running attempt goes on, and leaves no
    /// trace.
    fn forget_jobs_of(&mut self, recipient: &Email) -> Result<u64, StoreError> {
        self.delete_jobs_of_recipient(RecipientKey::of(recipient), None)
    }

    /// Deletes the jobs about one thing for the person with this address; gives their number.
    fn forget_jobs_about(&mut self, recipient: &Email, about: &str) -> Result<u64, StoreError> {
        self.delete_jobs_of_recipient(RecipientKey::of(recipient), Some(about))
    }
}

impl<S: JobStore + ?Sized> Jobs for S {}

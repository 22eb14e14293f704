//! An in-memory store, for tests.

use std::collections::BTreeMap;

use kernel::{JobId, Limit, StoreError, Timestamp};

use crate::{Job, JobKind, JobQueries, JobStore, NewJob, RecipientKey, State, StoredCount, WithPayload};

/// All jobs, in a map. It has one caller at a time, so it needs no locks.
#[derive(Debug, Default)]
pub struct Memory {
    jobs: BTreeMap<JobId, Row>,
    ids: i64,
    schedules: BTreeMap<&'static str, Timestamp>,
}

#[derive(Debug)]
struct Row {
    job: Job,
    payload: Option<Vec<u8>>,
    recipient_key: Option<RecipientKey>,
}

impl Row {
    fn is_of(&self, kind: JobKind, payload: Option<&[u8]>) -> bool {
        self.job.kind == kind && self.payload.as_deref() == payload
    }
}

impl Memory {
    /// Whether a queued job has to wait because one with the same payload is running.
    fn waits_for_another(&self, row: &Row) -> bool {
        let running = |other: &Row| other.job.state == State::Running;
        let equal = |other: &Row| other.is_of(row.job.kind, row.payload.as_deref());
        row.job.state == State::Queued
            && row.job.kind.deduplicated
            && self.jobs.values().any(|other| running(other) && equal(other))
    }
}

impl JobQueries for Memory {
    fn jobs_of_kinds(
        &mut self,
        kinds: &[JobKind],
        state: Option<State>,
        after: Option<JobId>,
        limit: Limit,
    ) -> Result<Vec<Job>, StoreError> {
        let wanted = |job: &&Job| {
            kinds.contains(&job.kind)
                && state.is_none_or(|state| job.state == state)
                && after.is_none_or(|after| job.id < after)
        };
        let newest = self.jobs.values().rev().map(|row| &row.job);
        Ok(newest.filter(wanted).take(limit.get() + 1).cloned().collect())
    }

    fn count_jobs(&mut self) -> Result<Vec<StoredCount>, StoreError> {
        let mut counts: Vec<StoredCount> = Vec::new();
        for Row { job, .. } in self.jobs.values() {
            match counts.iter_mut().find(|count| count.kind == job.kind.name && count.state == job.state) {
                Some(count) => {
                    count.count += 1;
                    count.oldest_due_at = count.oldest_due_at.min(job.due_at);
                }
                None => counts.push(StoredCount {
                    kind: job.kind.name.to_owned(),
                    state: job.state,
                    count: 1,
                    oldest_due_at: job.due_at,
                }),
            }
        }
        Ok(counts)
    }

    fn next_job_due(&mut self, kinds: &[JobKind]) -> Result<Option<Timestamp>, StoreError> {
        let waits = |row: &&Row| {
            kinds.contains(&row.job.kind)
                && matches!(row.job.state, State::Queued | State::Running)
                && !self.waits_for_another(row)
        };
        Ok(self.jobs.values().filter(waits).map(|row| row.job.due_at).min())
    }

    fn next_schedule_due(&mut self, kinds: &[JobKind]) -> Result<Option<Timestamp>, StoreError> {
        Ok(kinds.iter().filter_map(|kind| self.schedules.get(kind.name).copied()).min())
    }
}

impl JobStore for Memory {
    fn insert_job(&mut self, new: NewJob<'_>) -> Result<JobId, StoreError> {
        self.ids += 1;
        let id = JobId::from_store(self.ids);
        let job = Job {
            id,
            kind: new.kind,
            about: new.about.to_owned(),
            recipient: new.recipient.map(str::to_owned),
            state: State::Queued,
            attempts: 0,
            uncertain: 0,
            retries: 0,
            last_error: None,
            created_at: new.created_at,
            due_at: new.due_at,
            done_at: None,
            trace_context: None,
        };
        let row = Row { job, payload: Some(new.payload.to_vec()), recipient_key: new.recipient_key };
        self.jobs.insert(id, row);
        Ok(id)
    }

    fn lock_jobs_due(
        &mut self,
        kinds: &[JobKind],
        state: State,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<WithPayload>, StoreError> {
        let is_due = |row: &&Row| {
            kinds.contains(&row.job.kind)
                && row.job.state == state
                && row.job.due_at <= now
                && !self.waits_for_another(row)
        };
        let mut due: Vec<_> =
            self.jobs.values().filter(is_due).map(|row| (row.job.clone(), row.payload.clone())).collect();
        due.sort_by_key(|(job, _)| (job.due_at, job.id));
        due.truncate(limit);
        Ok(due)
    }

    fn lock_jobs_with_payload(
        &mut self,
        kind: JobKind,
        payload: &[u8],
        states: &[State],
    ) -> Result<Vec<Job>, StoreError> {
        let equal = |row: &&Row| row.is_of(kind, Some(payload)) && states.contains(&row.job.state);
        Ok(self.jobs.values().filter(equal).map(|row| row.job.clone()).collect())
    }

    fn claim_payload(&mut self, kind: JobKind, payload: &[u8]) -> Result<bool, StoreError> {
        Ok(self.lock_jobs_with_payload(kind, payload, &[State::Running])?.is_empty())
    }

    fn lock_job(&mut self, kinds: &[JobKind], job: JobId) -> Result<Option<Job>, StoreError> {
        Ok(self.jobs.get(&job).map(|row| row.job.clone()).filter(|job| kinds.contains(&job.kind)))
    }

    fn update_job(&mut self, job: &Job) -> Result<(), StoreError> {
        if let Some(row) = self.jobs.get_mut(&job.id) {
            row.job = job.clone();
            if job.state == State::Done {
                row.payload = None;
            }
        }
        Ok(())
    }

    fn delete_job(&mut self, job: JobId) -> Result<(), StoreError> {
        self.jobs.remove(&job);
        Ok(())
    }

    fn delete_jobs_over_before(&mut self, moment: Timestamp) -> Result<u64, StoreError> {
        let before = self.jobs.len();
        self.jobs.retain(|_, Row { job, .. }| match job.state {
            State::Done => job.done_at.is_none_or(|at| at >= moment),
            State::SetAside => job.due_at >= moment,
            State::Queued | State::Running => true,
        });
        Ok((before - self.jobs.len()) as u64)
    }

    fn delete_jobs_of_recipient(&mut self, recipient: RecipientKey, about: Option<&str>) -> Result<u64, StoreError> {
        let before = self.jobs.len();
        self.jobs
            .retain(|_, row| row.recipient_key != Some(recipient) || about.is_some_and(|about| row.job.about != about));
        Ok((before - self.jobs.len()) as u64)
    }

    fn insert_schedule(&mut self, kind: JobKind, due_at: Timestamp) -> Result<(), StoreError> {
        self.schedules.entry(kind.name).or_insert(due_at);
        Ok(())
    }

    fn lock_schedules_due(
        &mut self,
        kinds: &[JobKind],
        now: Timestamp,
    ) -> Result<Vec<(JobKind, Timestamp)>, StoreError> {
        let due = |kind: &JobKind| self.schedules.get(kind.name).map(|due_at| (*kind, *due_at));
        Ok(kinds.iter().filter_map(due).filter(|(_, due_at)| *due_at <= now).collect())
    }

    fn update_schedule(&mut self, kind: JobKind, due_at: Timestamp) -> Result<(), StoreError> {
        self.schedules.insert(kind.name, due_at);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}

//! Jobs in Postgres.

use ::jobs::{Job, JobKind, JobQueries, JobStore, NewJob, RecipientKey, State, StoredCount, WithPayload};
use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper, alias, delete,
    dsl::{count_star, exists, min, not},
    insert_into, select,
    sql_types::{Bool, Bytea, Text},
    update,
};
use kernel::{JobId, Limit, StoreError, Timestamp};

use crate::{
    Change, Pg,
    schema::{job_schedules, jobs},
    statement::statement,
    time::{from_db, to_db},
    traces,
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = jobs)]
struct JobRow {
    id: i64,
    kind: String,
    about: String,
    recipient: Option<String>,
    state: String,
    attempts: i32,
    uncertain: i32,
    retries: i32,
    last_error: Option<String>,
    created_at: DateTime<Utc>,
    due_at: DateTime<Utc>,
    done_at: Option<DateTime<Utc>>,
    trace_context: Option<String>,
}

impl JobRow {
    /// Converts the row. Fails if its kind is not one of `kinds`.
    fn into_job(self, kinds: &[JobKind]) -> Result<Job, StoreError> {
        let number = |n: i32| u32::try_from(n).map_err(StoreError::new);
        let kind = kinds.iter().find(|kind| kind.name == self.kind).copied();
        Ok(Job {
            id: JobId::from_store(self.id),
            kind: kind
                .ok_or_else(|| StoreError::new(format!("a job of the kind {:?} was not asked for", self.kind)))?,
            about: self.about,
            recipient: self.recipient,
            state: self.state.parse().map_err(StoreError::new)?,
            attempts: number(self.attempts)?,
            uncertain: number(self.uncertain)?,
            retries: number(self.retries)?,
            last_error: self.last_error,
            created_at: from_db(self.created_at),
            due_at: from_db(self.due_at),
            done_at: self.done_at.map(from_db),
            trace_context: self.trace_context,
        })
    }
}

fn names(kinds: &[JobKind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.name).collect()
}

/// The names of the deduplicated kinds.
fn deduplicated(kinds: &[JobKind]) -> Vec<&'static str> {
    kinds.iter().filter(|kind| kind.deduplicated).map(|kind| kind.name).collect()
}

fn number(n: u32) -> Result<i32, StoreError> {
    i32::try_from(n).map_err(StoreError::new)
}

statement! {
    /// Tries to lock a kind and payload until the transaction ends; returns whether it got the lock.
    ClaimPayload { kind: &'static str, payload: Vec<u8> } -> Bool = [
        "SELECT pg_try_advisory_xact_lock(hashtextextended(encode(" (payload: Bytea) ", 'hex'), hashtext(" (kind: Text) ")))"
    ]
}

alias!(jobs as others: Others);

/// Excludes a queued job of a deduplicated kind while a job of the same kind and payload is running.
#[diesel::dsl::auto_type]
fn waits_for_no_other(deduplicated: Vec<&'static str>) -> _ {
    let (kind, payload, state) = (others.field(jobs::kind), others.field(jobs::payload), others.field(jobs::state));
    let running = others.filter(state.eq("running")).filter(kind.eq(jobs::kind)).filter(payload.eq(jobs::payload));
    jobs::state.ne("queued").or(jobs::kind.ne_all(deduplicated)).or(not(exists(running)))
}

impl<A> JobQueries for Pg<'_, A> {
    fn jobs_of_kinds(
        &mut self,
        kinds: &[JobKind],
        state: Option<State>,
        after: Option<JobId>,
        limit: Limit,
    ) -> Result<Vec<Job>, StoreError> {
        let mut query = jobs::table.filter(jobs::kind.eq_any(names(kinds))).select(JobRow::as_select()).into_boxed();
        if let Some(state) = state {
            query = query.filter(jobs::state.eq(state.as_str()));
        }
        if let Some(after) = after {
            query = query.filter(jobs::id.lt(after.get()));
        }
        let found = self.run(|conn| query.order(jobs::id.desc()).limit(limit.with_surplus()).load(conn))?;
        found.into_iter().map(|row| row.into_job(kinds)).collect()
    }

    fn count_jobs(&mut self) -> Result<Vec<StoredCount>, StoreError> {
        type Row = (String, String, i64, Option<DateTime<Utc>>);
        let counted = (jobs::kind, jobs::state, count_star(), min(jobs::due_at));
        let found: Vec<Row> =
            self.run(|conn| jobs::table.group_by((jobs::kind, jobs::state)).select(counted).load(conn))?;
        let count = |(kind, state, count, oldest): Row| {
            Ok(StoredCount {
                kind,
                state: state.parse().map_err(StoreError::new)?,
                count: count.unsigned_abs(),
                oldest_due_at: from_db(oldest.ok_or_else(|| StoreError::new("a job has no due time"))?),
            })
        };
        found.into_iter().map(count).collect()
    }

    fn next_job_due(&mut self, kinds: &[JobKind]) -> Result<Option<Timestamp>, StoreError> {
        let waiting = [State::Queued.as_str(), State::Running.as_str()];
        let first: Option<DateTime<Utc>> = self.run(|conn| {
            jobs::table
                .filter(jobs::state.eq_any(waiting))
                .filter(jobs::kind.eq_any(names(kinds)))
                .filter(waits_for_no_other(deduplicated(kinds)))
                .select(min(jobs::due_at))
                .first(conn)
        })?;
        Ok(first.map(from_db))
    }

    fn next_schedule_due(&mut self, kinds: &[JobKind]) -> Result<Option<Timestamp>, StoreError> {
        let theirs = job_schedules::table.filter(job_schedules::kind.eq_any(names(kinds)));
        let first: Option<DateTime<Utc>> = self.run(|conn| theirs.select(min(job_schedules::due_at)).first(conn))?;
        Ok(first.map(from_db))
    }
}

impl JobStore for Pg<'_> {
    fn insert_job(&mut self, job: NewJob<'_>) -> Result<JobId, StoreError> {
        self.record_change(Change::Jobs);
        let row = (
            jobs::kind.eq(job.kind.name),
            jobs::about.eq(job.about),
            jobs::payload.eq(job.payload),
            jobs::recipient.eq(job.recipient),
            jobs::recipient_key.eq(job.recipient_key.as_ref().map(|key| key.as_bytes().as_slice())),
            jobs::created_at.eq(to_db(job.created_at)),
            jobs::due_at.eq(to_db(job.due_at)),
            jobs::trace_context.eq(traces::current_context()),
        );
        self.run(|conn| insert_into(jobs::table).values(row).returning(jobs::id).get_result(conn))
            .map(JobId::from_store)
    }

    fn lock_jobs_due(
        &mut self,
        kinds: &[JobKind],
        state: State,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<WithPayload>, StoreError> {
        let limit = i64::try_from(limit).map_err(StoreError::new)?;
        let found: Vec<(JobRow, Option<Vec<u8>>)> = self.run(|conn| {
            jobs::table
                .filter(jobs::state.eq(state.as_str()))
                .filter(jobs::due_at.le(to_db(now)))
                .filter(jobs::kind.eq_any(names(kinds)))
                .filter(waits_for_no_other(deduplicated(kinds)))
                .order((jobs::due_at, jobs::id))
                .limit(limit)
                .select((JobRow::as_select(), jobs::payload))
                .for_update()
                .skip_locked()
                .load(conn)
        })?;
        found.into_iter().map(|(row, payload)| Ok((row.into_job(kinds)?, payload))).collect()
    }

    fn lock_jobs_with_payload(
        &mut self,
        kind: JobKind,
        payload: &[u8],
        states: &[State],
    ) -> Result<Vec<Job>, StoreError> {
        let states: Vec<&str> = states.iter().map(|state| state.as_str()).collect();
        let found: Vec<JobRow> = self.run(|conn| {
            jobs::table
                .filter(jobs::kind.eq(kind.name))
                .filter(jobs::payload.eq(payload))
                .filter(jobs::state.eq_any(states))
                .order(jobs::id)
                .select(JobRow::as_select())
                .for_update()
                .load(conn)
        })?;
        found.into_iter().map(|row| row.into_job(&[kind])).collect()
    }

    fn claim_payload(&mut self, kind: JobKind, payload: &[u8]) -> Result<bool, StoreError> {
        let claim = ClaimPayload { kind: kind.name, payload: payload.to_owned() };
        if !self.run(|conn| claim.get_result::<bool>(conn))? {
            return Ok(false);
        }
        // Only after the lock: the transaction that held it before may have started a job.
        let running = jobs::table
            .filter(jobs::kind.eq(kind.name))
            .filter(jobs::payload.eq(payload))
            .filter(jobs::state.eq(State::Running.as_str()));
        self.run(|conn| select(not(exists(running))).get_result(conn))
    }

    fn lock_job(&mut self, kinds: &[JobKind], job: JobId) -> Result<Option<Job>, StoreError> {
        let found = self.run(|conn| {
            jobs::table
                .find(job.get())
                .filter(jobs::kind.eq_any(names(kinds)))
                .select(JobRow::as_select())
                .for_update()
                .first(conn)
                .optional()
        })?;
        found.map(|row| row.into_job(kinds)).transpose()
    }

    fn update_job(&mut self, job: &Job) -> Result<(), StoreError> {
        if job.state == State::Queued {
            self.record_change(Change::Jobs);
        }
        let row = (
            jobs::state.eq(job.state.as_str()),
            jobs::attempts.eq(number(job.attempts)?),
            jobs::uncertain.eq(number(job.uncertain)?),
            jobs::retries.eq(number(job.retries)?),
            jobs::last_error.eq(job.last_error.as_deref()),
            jobs::due_at.eq(to_db(job.due_at)),
            jobs::done_at.eq(job.done_at.map(to_db)),
        );
        let found = jobs::table.find(job.id.get());
        self.run(|conn| {
            update(found).set(row).execute(conn)?;
            if job.state == State::Done {
                update(found).set(jobs::payload.eq(None::<&[u8]>)).execute(conn)?;
            }
            Ok(())
        })
    }

    fn delete_job(&mut self, job: JobId) -> Result<(), StoreError> {
        self.run(|conn| delete(jobs::table.find(job.get())).execute(conn)).map(|_| ())
    }

    fn delete_jobs_over_before(&mut self, moment: Timestamp) -> Result<u64, StoreError> {
        let done = jobs::table.filter(jobs::state.eq(State::Done.as_str())).filter(jobs::done_at.lt(to_db(moment)));
        let aside = jobs::table.filter(jobs::state.eq(State::SetAside.as_str())).filter(jobs::due_at.lt(to_db(moment)));
        self.run(|conn| Ok(delete(done).execute(conn)? + delete(aside).execute(conn)?)).map(|count| count as u64)
    }

    fn delete_jobs_of_recipient(&mut self, recipient: RecipientKey, about: Option<&str>) -> Result<u64, StoreError> {
        let theirs = jobs::table.filter(jobs::recipient_key.eq(recipient.as_bytes().as_slice()));
        self.run(|conn| match about {
            Some(about) => delete(theirs.filter(jobs::about.eq(about))).execute(conn),
            None => delete(theirs).execute(conn),
        })
        .map(|count| count as u64)
    }

    fn insert_schedule(&mut self, kind: JobKind, due_at: Timestamp) -> Result<(), StoreError> {
        let row = (job_schedules::kind.eq(kind.name), job_schedules::due_at.eq(to_db(due_at)));
        self.run(|conn| insert_into(job_schedules::table).values(row).on_conflict_do_nothing().execute(conn))
            .map(|_| ())
    }

    fn lock_schedules_due(
        &mut self,
        kinds: &[JobKind],
        now: Timestamp,
    ) -> Result<Vec<(JobKind, Timestamp)>, StoreError> {
        let found: Vec<(String, DateTime<Utc>)> = self.run(|conn| {
            job_schedules::table
                .filter(job_schedules::kind.eq_any(names(kinds)))
                .filter(job_schedules::due_at.le(to_db(now)))
                .order(job_schedules::kind)
                .select((job_schedules::kind, job_schedules::due_at))
                .for_update()
                .skip_locked()
                .load(conn)
        })?;
        let known = |(name, due_at): (String, _)| {
            kinds.iter().find(|kind| kind.name == name).map(|kind| (*kind, from_db(due_at)))
        };
        Ok(found.into_iter().filter_map(known).collect())
    }

    fn update_schedule(&mut self, kind: JobKind, due_at: Timestamp) -> Result<(), StoreError> {
        let row = job_schedules::table.find(kind.name);
        self.run(|conn| update(row).set(job_schedules::due_at.eq(to_db(due_at))).execute(conn)).map(|_| ())
    }
}

//! The job definitions of a process.

use std::{collections::HashMap, pin::Pin, sync::Arc};

use jobs::{
    Effect, ExternalJob, Job, JobDefinition, JobKind, Jobs, LeasedJob, LongJob, Outcome, Queue, RESTORED, State,
};
use kernel::{StoreError, Timestamp};
use postgres::Pg;

use crate::{RecordEnd, TransactionalJob};

/// A future of an attempt's outcome.
pub(crate) type Running<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// [`JobDefinition`] without its payload type, for trait objects.
pub(crate) trait AnyDefinition: Send + Sync {
    fn is_available(&self) -> bool;
}

impl<D: JobDefinition> AnyDefinition for D {
    fn is_available(&self) -> bool {
        JobDefinition::is_available(self)
    }
}

/// [`RecordEnd`] for stored payloads.
trait AnyRecordEnd: Send + Sync {
    fn record_end(&self, pg: &mut Pg<'_>, job: &Job, payload: &[u8]) -> Result<(), StoreError>;
}

impl<D: RecordEnd> AnyRecordEnd for D {
    fn record_end(&self, pg: &mut Pg<'_>, job: &Job, payload: &[u8]) -> Result<(), StoreError> {
        match self.decode(payload) {
            Ok(payload) => RecordEnd::record_end(self, pg, job, &payload),
            // A payload that can't be decoded names nothing whose end could be recorded.
            Err(error) => {
                tracing::error!(job = job.id.get(), kind = job.kind.name, %error, "a job's end can't be recorded");
                Ok(())
            }
        }
    }
}

/// [`TransactionalJob`] for stored payloads.
pub(crate) trait AnyTransactional: AnyDefinition {
    fn run(&self, pg: &mut Pg<'_>, payload: &[u8]) -> Result<(), StoreError>;
}

impl<D: TransactionalJob> AnyTransactional for D {
    fn run(&self, pg: &mut Pg<'_>, payload: &[u8]) -> Result<(), StoreError> {
        self.run_transactional(pg, &self.decode(payload).map_err(StoreError::new)?)
    }
}

/// [`ExternalJob`] for stored payloads.
pub(crate) trait AnyExternal: AnyDefinition {
    fn run<'a>(&'a self, job: &'a Job, payload: &'a [u8]) -> Running<'a>;
}

impl<D: ExternalJob> AnyExternal for D {
    fn run<'a>(&'a self, job: &'a Job, payload: &'a [u8]) -> Running<'a> {
        Box::pin(async move {
            match self.decode(payload) {
                Ok(payload) => self.run_external(job, &payload).await,
                Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: true },
            }
        })
    }
}

/// [`LongJob`] for stored payloads.
pub(crate) trait AnyLong: AnyDefinition {
    fn run<'a>(&'a self, payload: &'a [u8]) -> Running<'a>;
}

impl<D: LongJob> AnyLong for D {
    fn run<'a>(&'a self, payload: &'a [u8]) -> Running<'a> {
        Box::pin(async move {
            match self.decode(payload) {
                Ok(payload) => self.run_long(&payload).await,
                Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: true },
            }
        })
    }
}

/// The work of a job, by the kind's effect.
#[derive(Clone)]
pub(crate) enum Work {
    Transactional(Arc<dyn AnyTransactional>),
    External(Arc<dyn AnyExternal>),
    Long(Arc<dyn AnyLong>),
}

impl Work {
    fn definition(&self) -> &dyn AnyDefinition {
        match self {
            Self::Transactional(work) => &**work,
            Self::External(work) => &**work,
            Self::Long(work) => &**work,
        }
    }
}

/// The job definitions of a process. Jobs of unknown kinds are left alone, because a newer node may have queued them.
#[derive(Clone, Default)]
pub struct Registry {
    kinds: Vec<JobKind>,
    work: HashMap<&'static str, Work>,
    ends: HashMap<&'static str, Arc<dyn AnyRecordEnd>>,
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Registry").field("kinds", &self.kinds).finish_non_exhaustive()
    }
}

impl Registry {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a job whose effect is in the database only.
    #[must_use]
    pub fn transactional<D: TransactionalJob>(self, definition: D) -> Self {
        const { assert!(matches!(D::KIND.effect, Effect::Transactional), "the kind has another effect") };
        self.add(D::KIND, Work::Transactional(Arc::new(definition)))
    }

    /// Adds a job with an external effect.
    #[must_use]
    pub fn external<D: ExternalJob>(self, definition: D) -> Self {
        const { assert!(matches!(D::KIND.effect, Effect::External), "the kind has another effect") };
        self.add(D::KIND, Work::External(Arc::new(definition)))
    }

    /// Adds a job that may take minutes and be repeated.
    #[must_use]
    pub fn long<D: LongJob>(self, definition: D) -> Self {
        const { assert!(matches!(D::KIND.effect, Effect::Long), "the kind has another effect") };
        self.add(D::KIND, Work::Long(Arc::new(definition)))
    }

    /// Records the ends of a job that was added before.
    ///
    /// # Panics
    /// If no such job was added.
    #[must_use]
    pub fn records_end<D: RecordEnd>(mut self, definition: D) -> Self {
        assert!(self.work.contains_key(D::KIND.name), "no job is called {:?}", D::KIND.name);
        self.ends.insert(D::KIND.name, Arc::new(definition));
        self
    }

    /// # Panics
    /// If another job of the process has the same name.
    fn add(mut self, kind: JobKind, work: Work) -> Self {
        assert!(self.work.insert(kind.name, work).is_none(), "two jobs are called {:?}", kind.name);
        self.kinds.push(kind);
        self
    }

    /// All kinds, in the order in which they were added.
    pub fn kinds(&self) -> &[JobKind] {
        &self.kinds
    }

    /// The kinds whose work this process can do.
    pub(crate) fn available(&self) -> impl Iterator<Item = JobKind> {
        let available = |kind: &JobKind| self.work.get(kind.name).is_some_and(|work| work.definition().is_available());
        self.kinds.iter().copied().filter(available)
    }

    /// The queues of the available kinds, each with its kinds.
    pub(crate) fn queues(&self) -> Vec<(Queue, Vec<JobKind>)> {
        let mut queues: Vec<(Queue, Vec<JobKind>)> = Vec::new();
        for kind in self.available() {
            match queues.iter_mut().find(|(queue, _)| *queue == kind.queue) {
                Some((_, kinds)) => kinds.push(kind),
                None => queues.push((kind.queue, vec![kind])),
            }
        }
        queues
    }

    /// The work of a job; `None` for an unknown kind.
    pub(crate) fn work(&self, job: &Job) -> Option<Work> {
        self.work.get(job.kind.name).cloned()
    }

    /// Records the job's end, if it has ended and its definition records ends.
    pub(crate) fn record_end(&self, pg: &mut Pg<'_>, job: &Job, payload: &[u8]) -> Result<(), StoreError> {
        match (job.state, self.ends.get(job.kind.name)) {
            (State::Done | State::SetAside, Some(definition)) => definition.record_end(pg, job, payload),
            (State::Queued | State::Running, _) | (_, None) => Ok(()),
        }
    }

    /// After a restore, sets aside the jobs that were queued or running when the backup was made and may have been done
    /// since: mails, deliveries, and what sends mails. Jobs that may be repeated stay as they are. Returns how many
    /// were set aside.
    pub fn set_aside_restored(&self, pg: &mut Pg<'_>, now: Timestamp) -> Result<usize, StoreError> {
        let may_repeat = |kind: &JobKind| kind.effect == Effect::Long || kind.schedule.is_some();
        let kinds: Vec<JobKind> = self.kinds.iter().copied().filter(|kind| !may_repeat(kind)).collect();
        let set_aside = pg.set_aside_jobs(&kinds, RESTORED, now)?;
        for LeasedJob { job, payload } in &set_aside {
            self.record_end(pg, job, payload)?;
        }
        Ok(set_aside.len())
    }
}

//! What a worker is made of.

use std::sync::Arc;

use jobs::{Job, JobCount};
use kernel::Env;
use postgres::Db;
use tokio::sync::Notify;

use crate::Registry;

/// What operators count of the worker.
pub trait Monitor: Send + Sync {
    /// How many jobs there are, by kind and state.
    fn jobs_counted(&self, counts: &[JobCount]);

    /// An attempt of this process has ended, and left the job so.
    fn attempt_ended(&self, job: &Job);
}

/// What a worker is made of.
pub struct WorkerParts {
    /// The database.
    pub db: Db,
    /// Time and randomness.
    pub env: Arc<dyn Env>,
    /// Wakes the worker when a job was queued.
    pub queued: Arc<Notify>,
    /// Counts for operators.
    pub monitor: Arc<dyn Monitor>,
    /// The jobs that the process knows.
    pub registry: Registry,
}

/// The worker of a process. Cheap to clone.
#[derive(Clone)]
pub struct Worker(Arc<WorkerParts>);

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").field("registry", &self.0.registry).finish_non_exhaustive()
    }
}

impl Worker {
    /// A worker that does nothing yet.
    pub fn new(parts: WorkerParts) -> Self {
        Self(Arc::new(parts))
    }

    pub(crate) fn db(&self) -> &Db {
        &self.0.db
    }

    pub(crate) fn env(&self) -> &dyn Env {
        &*self.0.env
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.0.registry
    }

    pub(crate) fn monitor(&self) -> &dyn Monitor {
        &*self.0.monitor
    }

    pub(crate) fn queued(&self) -> &Notify {
        &self.0.queued
    }
}

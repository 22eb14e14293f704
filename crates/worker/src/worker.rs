//! The worker and its dependencies.

use std::{sync::Arc, time::Duration};

use jobs::Job;
use kernel::Env;
use postgres::Db;
use tokio::sync::Notify;

use crate::Registry;

/// Receives what operators monitor of the worker.
pub trait Monitor: Send + Sync {
    /// Reports that an attempt of this process ended, with the job's new state and how long it took.
    fn attempt_ended(&self, job: &Job, after: Duration);
}

/// The dependencies of a worker.
pub struct WorkerParts {
    pub db: Db,
    pub env: Arc<dyn Env>,
    /// Wakes the worker when a job was queued.
    pub queued: Arc<Notify>,
    pub monitor: Arc<dyn Monitor>,
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
    /// A worker that is not running yet.
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

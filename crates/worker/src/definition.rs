//! The parts of a job's definition that work on the database.

use jobs::{Job, JobDefinition};
use kernel::StoreError;
use postgres::Pg;

/// A job with [`jobs::Effect::Transactional`].
pub trait TransactionalJob: JobDefinition {
    /// Does the work, in the transaction that ends the attempt, so that its effect happens exactly once.
    fn run_transactional(&self, pg: &mut Pg<'_>, payload: &Self::Payload) -> Result<(), StoreError>;
}

/// A job whose end is also recorded outside of the queue.
pub trait RecordEnd: JobDefinition {
    /// Records the job's end, in the transaction that ends it: the job is done, or it was set aside after a failure, a
    /// lapsed lease or a restore. Not called if the job will be tried again.
    fn record_end(&self, pg: &mut Pg<'_>, job: &Job, payload: &Self::Payload) -> Result<(), StoreError>;
}

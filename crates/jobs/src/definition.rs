//! Job definitions, implemented by the crates that own the work.

use crate::{Job, JobKind, Outcome};

/// The payload can't be decoded. The text is for admins: no personal data, no secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PayloadError(pub String);

/// The definition of a job, with the dependencies of its work. The work itself is in the trait of the kind's effect:
/// [`ExternalJob`], [`LongJob`], or `worker::TransactionalJob`. `worker::RecordEnd` records how a job ended.
///
/// Work may run twice, if its process dies or its outcome can't be recorded. That must do no harm, or show in
/// [`crate::Deliveries`].
pub trait JobDefinition: Send + Sync + 'static {
    /// Name, queue, effect, deduplication, retry policy and schedule.
    const KIND: JobKind;

    /// The decoded payload.
    type Payload: Send + Sync + 'static;

    /// Decodes a payload.
    fn decode(&self, payload: &[u8]) -> Result<Self::Payload, PayloadError>;

    /// Whether this process can do the work. Otherwise the jobs wait for a process that can.
    fn is_available(&self) -> bool {
        true
    }
}

/// A job with [`crate::Effect::External`].
pub trait ExternalJob: JobDefinition {
    /// Does the work within 100 seconds, and returns its outcome.
    fn run_external(&self, job: &Job, payload: &Self::Payload) -> impl Future<Output = Outcome> + Send;
}

/// A job whose external effect may be repeated without harm ([`crate::Effect::Long`]).
pub trait LongJob: JobDefinition {
    /// Does the work. The future is dropped when the process stops or the lease is lost: the work ends with it.
    fn run_long(&self, payload: &Self::Payload) -> impl Future<Output = Outcome> + Send;
}

//! What the crate that owns a job says of it.

use crate::{Job, JobKind, Outcome};

/// The payload can't be read. The text is for admins: no personal data, no secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PayloadError(pub String);

/// The definition of a job. It holds what the work needs of the process. What runs is in the trait of the kind's effect:
/// [`ExternalJob`], [`LongJob`], or `worker::TransactionalJob`. What is recorded of an end is in `worker::RecordEnd`.
///
/// Work may run twice (its process dies, or its end can't be recorded): that must do no harm, or be known as
/// [`crate::Deliveries`] tells.
pub trait JobDefinition: Send + Sync + 'static {
    /// Name, queue, effect, deduplication, retry policy and schedule.
    const KIND: JobKind;

    /// What to do, as the work reads it.
    type Payload: Send + Sync + 'static;

    /// Reads a payload as it was queued.
    fn decode(&self, payload: &[u8]) -> Result<Self::Payload, PayloadError>;

    /// Whether this process has what the work needs. The jobs wait for a process that has.
    fn is_available(&self) -> bool {
        true
    }
}

/// A job with [`crate::Effect::External`].
pub trait ExternalJob: JobDefinition {
    /// Does the work, within 100 s, and says what is known of it.
    fn run_external(&self, job: &Job, payload: &Self::Payload) -> impl Future<Output = Outcome> + Send;
}

/// A job whose effect is outside and may be repeated without harm ([`crate::Effect::Long`]).
pub trait LongJob: JobDefinition {
    /// Does the work. The future is dropped when the process stops or the lease is lost: the work ends with it.
    fn run_long(&self, payload: &Self::Payload) -> impl Future<Output = Outcome> + Send;
}

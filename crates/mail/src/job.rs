//! The job that sends a mail.

use std::sync::Arc;

use jobs::{ExternalJob, Job, JobDefinition, JobKind, Outcome, PayloadError};

use crate::{
    mailer::Mailer,
    queue::{QueuedMail, SEND_MAIL},
};

/// The job that sends a queued mail.
#[derive(Clone, Debug)]
pub struct SendMail(pub Arc<Mailer>);

impl JobDefinition for SendMail {
    const KIND: JobKind = SEND_MAIL;
    type Payload = QueuedMail;

    fn decode(&self, payload: &[u8]) -> Result<QueuedMail, PayloadError> {
        // The job is kept: an operator can restore the right secret and retry it.
        self.0.open(payload).map_err(|error| PayloadError(format!("It can't be opened: {error}.")))
    }
}

impl ExternalJob for SendMail {
    async fn run_external(&self, job: &Job, mail: &QueuedMail) -> Outcome {
        self.0.send(job, mail).await
    }
}

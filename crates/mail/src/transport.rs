//! The mail transport: a mail server over SMTP, or the operator's outbox when none is configured.

use std::path::Path;

use jobs::{Job, Outcome};

use crate::{config::MailConfig, message::EncodedMail, outbox::Outbox, smtp::Smtp};

/// How mails are delivered.
#[derive(Debug)]
pub enum MailTransport {
    /// A mail server.
    Smtp(Box<Smtp>),
    /// Files in the data folder.
    Outbox(Outbox),
}

/// The mail transport can't be set up.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct TransportError(#[from] lettre::transport::smtp::Error);

impl MailTransport {
    /// The configured transport, with `home` as the data folder. Nothing is connected or written yet.
    pub fn new(config: &MailConfig, home: &Path) -> Result<Self, TransportError> {
        Ok(match &config.smtp {
            Some(server) => Self::Smtp(Box::new(Smtp::new(server.clone())?)),
            None => Self::Outbox(Outbox::in_home(home)),
        })
    }

    /// Sends a mail; returns what is known of its delivery.
    pub(crate) async fn send(&self, job: &Job, mail: EncodedMail) -> Outcome {
        match self {
            Self::Smtp(smtp) => smtp.send(&mail).await,
            Self::Outbox(outbox) => outbox.put(job, mail.bytes).await,
        }
    }

    /// Closes the connections to the mail server.
    pub(crate) async fn close(&self) {
        match self {
            Self::Smtp(smtp) => smtp.close().await,
            Self::Outbox(_) => {}
        }
    }
}

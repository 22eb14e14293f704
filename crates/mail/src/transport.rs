//! The mail transport: a mail server over SMTP, or the operator's outbox when none is configured.

use std::path::Path;

use jobs::{Job, Outcome};
use tracing::Instrument;

use crate::{config::MailConfig, message::EncodedMail, outbox::Outbox, smtp::Smtp};

/// How mails are delivered.
#[derive(Debug)]
pub enum MailTransport {
    /// Over SMTP, to the configured mail server.
    Smtp(Box<Smtp>),
    /// Into files in the data folder, for an operator to read.
    Outbox(Outbox),
}

/// The TLS parameters of the SMTP client can't be set up.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct TransportError(#[from] lettre::transport::smtp::Error);

impl MailTransport {
    /// The configured transport, with `home` as the data folder. It connects and writes nothing yet.
    pub fn new(config: &MailConfig, home: &Path) -> Result<Self, TransportError> {
        Ok(match &config.smtp {
            Some(server) => Self::Smtp(Box::new(Smtp::new(server.clone())?)),
            None => Self::Outbox(Outbox::in_home(home)),
        })
    }

    /// The mail server's host; `None` without one.
    pub fn host(&self) -> Option<&str> {
        match self {
            Self::Smtp(smtp) => Some(smtp.host()),
            Self::Outbox(_) => None,
        }
    }

    /// Sends a mail; reports whether it was delivered, was not delivered, or may have been.
    pub(crate) async fn send(&self, job: &Job, mail: EncodedMail) -> Outcome {
        match self {
            Self::Smtp(smtp) => {
                let span = tracing::debug_span!(
                    target: "trace",
                    "smtp",
                    otel.kind = "client",
                    server.address = smtp.host()
                );
                smtp.send(&mail).instrument(span).await
            }
            Self::Outbox(outbox) => outbox.put(job, mail.bytes).await,
        }
    }

    /// Whether mails can be handed over: connects and logs in to the mail server.
    ///
    /// # Errors
    /// Why not, in a sentence.
    pub(crate) async fn check(&self) -> Result<(), String> {
        match self {
            Self::Smtp(smtp) => smtp.check().await,
            Self::Outbox(_) => Ok(()),
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

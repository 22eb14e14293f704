//! Where mails go: to the mail server, or to the outbox when none is configured.

use jobs::{Job, Outcome};

use super::{message::Ready, outbox::Outbox, smtp::Smtp};
use crate::config::Config;

/// The way out of the house.
#[derive(Debug)]
pub enum Post {
    /// A mail server.
    Smtp(Box<Smtp>),
    /// Files in the data folder.
    Outbox(Outbox),
}

impl Post {
    /// The way that is configured. Nothing is connected or written yet.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        Ok(match &config.mail.smtp {
            Some(server) => Self::Smtp(Box::new(Smtp::new(server.clone())?)),
            None => Self::Outbox(Outbox::of(config)),
        })
    }

    /// Sends a mail and says what is known of it.
    pub(super) async fn send(&self, job: &Job, mail: Ready) -> Outcome {
        match self {
            Self::Smtp(smtp) => smtp.send(&mail).await,
            Self::Outbox(outbox) => outbox.put(job, mail.bytes).await,
        }
    }

    /// Says goodbye to the mail server.
    pub async fn close(&self) {
        match self {
            Self::Smtp(smtp) => smtp.close().await,
            Self::Outbox(_) => {}
        }
    }
}

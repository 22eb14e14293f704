//! Sends a queued mail: decrypt, render, encode, hand to the transport.

use identity::{Seal, SealError};
use jobs::{Job, Outcome, State};
use kernel::{Email, Env, JobId};
use lettre::message::Mailbox;

use crate::{
    attachment::Attachment,
    config::MailConfig,
    mail::Mail,
    message::build_message,
    queue::{QueuedMail, SEND_MAIL, unseal},
    render::{RenderedMail, render},
    site::Site,
    transport::MailTransport,
};

/// Sends mails: the site that they come from, the sender, the key of their payloads, and the transport.
#[derive(Debug)]
pub struct Mailer {
    seal: Seal,
    site: Site,
    from: Mailbox,
    transport: MailTransport,
}

impl Mailer {
    pub fn new(seal: Seal, site: Site, config: &MailConfig, transport: MailTransport) -> Self {
        Self { seal, site, from: config.from.clone(), transport }
    }

    pub const fn transport(&self) -> &MailTransport {
        &self.transport
    }

    /// Decrypts the payload of a mail job.
    pub(crate) fn open(&self, payload: &[u8]) -> Result<QueuedMail, SealError> {
        unseal(&self.seal, payload)
    }

    /// Sends the mail of a leased job.
    pub(crate) async fn send(&self, job: &Job, queued: &QueuedMail) -> Outcome {
        match render(&queued.mail, &self.site) {
            Ok(rendered) => self.transmit(job, &queued.to, &queued.id, rendered).await,
            Err(error) => failed_permanently(format!("It can't be written: {error}.")),
        }
    }

    /// Sends a mail with an attached file, for a job of another kind. `id` is the local part of the Message-ID.
    pub async fn send_file(&self, job: &Job, to: &str, id: &str, mail: &Mail, file: Attachment) -> Outcome {
        match render(mail, &self.site) {
            Ok(rendered) => self.transmit(job, to, id, RenderedMail { file: Some(file), ..rendered }).await,
            Err(error) => failed_permanently(format!("It can't be written: {error}.")),
        }
    }

    async fn transmit(&self, job: &Job, to: &str, id: &str, rendered: RenderedMail) -> Outcome {
        match build_message(to, id, job.created_at, rendered, &self.from) {
            Ok(message) => self.transport.send(job, message).await,
            Err(error) => failed_permanently(error.to_string()),
        }
    }

    /// Sends a mail at once, without a job and without a retry: for an operator who waits for the result.
    ///
    /// # Errors
    /// Why it was not delivered, or may not have been, in a sentence.
    pub async fn send_now(&self, to: &Email, mail: &Mail, env: &dyn Env) -> Result<(), String> {
        let mut id = [0; 16];
        env.fill_random(&mut id);
        let now = env.now();
        let job = Job {
            id: JobId::from_store(0),
            kind: SEND_MAIL,
            about: mail.name().to_owned(),
            recipient: None,
            state: State::Running,
            attempts: 1,
            uncertain: 0,
            retries: 0,
            last_error: None,
            created_at: now,
            due_at: now,
            done_at: None,
            trace_context: None,
        };
        let outcome = match render(mail, &self.site) {
            Ok(rendered) => self.transmit(&job, to.as_str(), &hex::encode(id), rendered).await,
            Err(error) => failed_permanently(format!("It can't be written: {error}.")),
        };
        match outcome {
            Outcome::Done => Ok(()),
            Outcome::Failed { reason, .. } | Outcome::Uncertain { reason } => Err(reason),
            Outcome::Released => Err("The process stops.".to_owned()),
        }
    }

    /// Whether mails can be handed over: connects and logs in to the mail server, and sends none.
    ///
    /// # Errors
    /// Why not, in a sentence.
    pub async fn check(&self) -> Result<(), String> {
        self.transport.check().await
    }

    /// Closes the connections to the mail server.
    pub async fn close(&self) {
        self.transport.close().await;
    }
}

fn failed_permanently(reason: String) -> Outcome {
    Outcome::Failed { reason, is_permanent: true }
}

//! Queues mails as jobs with an encrypted payload.

use identity::{Seal, SealError};
use jobs::{JobKind, JobRequest, Jobs};
use kernel::{Email, Env, StoreError};
use serde::{Deserialize, Serialize};

use crate::mail::Mail;

/// The job that sends a mail.
pub const SEND_MAIL: JobKind = JobKind::external("mail");

/// The purpose for which a mail's payload is sealed.
pub const PURPOSE: &[u8] = b"mail";

/// A queued mail: the plaintext of a job's sealed payload.
#[derive(Debug, Serialize, Deserialize)]
pub struct QueuedMail {
    /// The recipient's e-mail address.
    pub(crate) to: String,
    /// The local part of the Message-ID: the same on every attempt, so that a mail server can drop a duplicate.
    pub(crate) id: String,
    pub(crate) mail: Mail,
}

/// Queues a mail in the transaction of `store`; it is sent after the commit. The payload is sealed because its links sign
/// people in. Nothing is queued to a made-up member of the demo (`site.made-up-members`).
pub fn queue(
    store: &mut (impl Jobs + ?Sized),
    seal: &Seal,
    env: &dyn Env,
    to: &Email,
    mail: &Mail,
) -> Result<(), StoreError> {
    if to.is_made_up() {
        return Ok(());
    }
    let mut id = [0; 16];
    env.fill_random(&mut id);
    let queued = QueuedMail { to: to.as_str().to_owned(), id: hex::encode(id), mail: mail.clone() };
    let text = serde_json::to_vec(&queued).map_err(StoreError::new)?;
    let sealed = seal.close(&text, PURPOSE, env);
    // A deleted account's address must not be found through its last job.
    let recipient = (!matches!(mail, Mail::AccountDeleted { .. })).then_some(to);
    let work = JobRequest { kind: SEND_MAIL, about: mail.name(), recipient, payload: &sealed };
    store.queue_job(work, env.now()).map(|_| ())
}

/// Decrypts the payload of a mail job into the recipient's address and the mail.
pub fn open(seal: &Seal, sealed: &[u8]) -> Result<(String, Mail), SealError> {
    unseal(seal, sealed).map(|queued| (queued.to, queued.mail))
}

pub(crate) fn unseal(seal: &Seal, sealed: &[u8]) -> Result<QueuedMail, SealError> {
    let text = seal.open(sealed, PURPOSE)?;
    serde_json::from_slice(&text).map_err(|_| SealError::Damaged)
}

//! The mails that the product sends (`decisions.md` 60): queued with the change that causes them, sent by a worker.

mod letter;
mod letters;
mod message;
mod names;
mod outbox;
mod post;
mod render;
mod smtp;

use identity::{Seal, SealError};
use jobs::{Assignment, Job, Jobs, Kind, Outcome, Taken};
use kernel::{Email, Env, StoreError};
use serde::{Deserialize, Serialize};

use crate::app::App;

pub use message::Attachment;
pub use outbox::{Outbox, OutboxMail};
pub use post::Post;

/// What the payload of a mail is sealed for.
const PURPOSE: &[u8] = b"mail";

/// A mail, before it is written. `link` is a whole address, `at` milliseconds since the Unix epoch, to be
/// told in the person's `timezone` (an IANA name).
///
/// Another mail is a variant here, its name below, and its words in `letters.rs`; the look is the same for all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are what the letters call them")]
pub enum Mail {
    /// Asks a new member to confirm the address.
    ConfirmEmail { first_name: String, link: String },
    /// Lets somebody choose a new password.
    ResetPassword { first_name: String, link: String },
    /// Tells that the password is another one.
    PasswordChanged { first_name: String, device: String, place: String, at: i64, timezone: String },
    /// Tells that somebody signed in on a device that is not known yet.
    NewSignIn { first_name: String, device: String, place: String, at: i64, timezone: String },
    /// Says goodbye.
    AccountDeleted { first_name: String },
    /// Signs somebody in, by a link or six digits.
    LoginLink { first_name: String, link: String, code: String },
    /// Asks for the confirmation of a new address, at that address.
    ConfirmNewEmail { first_name: String, link: String },
    /// Tells the old address of the new one.
    EmailChanged { first_name: String, new_email: String },
    /// Brings the link to the archive of everything.
    Archive { first_name: String, link: String },
    /// Invites a friend.
    Invitation { your_name: String, friend_name: String, link: String },
    /// Passes on to support what somebody wrote.
    Message { kind: String, name: String, email: String, body: String },
    /// Tells that the second factor or a passkey changed; `what` is a whole sentence.
    SecondFactorChanged { first_name: String, what: String },
    /// Brings a book to an e-reader, as a file.
    EReaderFile { title: String, author: String, link: String },
}

impl Mail {
    /// The name by which admins see it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ConfirmEmail { .. } => "confirm_email",
            Self::ResetPassword { .. } => "reset_password",
            Self::PasswordChanged { .. } => "password_changed",
            Self::NewSignIn { .. } => "new_sign_in",
            Self::AccountDeleted { .. } => "account_deleted",
            Self::LoginLink { .. } => "login_link",
            Self::ConfirmNewEmail { .. } => "confirm_new_email",
            Self::EmailChanged { .. } => "email_changed",
            Self::Archive { .. } => "archive",
            Self::Invitation { .. } => "invitation",
            Self::Message { .. } => "message",
            Self::SecondFactorChanged { .. } => "second_factor_changed",
            Self::EReaderFile { .. } => "e_reader_file",
        }
    }
}

/// A mail as it waits: what is sealed in the payload of a job.
#[derive(Debug, Serialize, Deserialize)]
struct Waiting {
    /// The address.
    to: String,
    /// The local part of the Message-ID: the same at every attempt, so that a server can drop the second one.
    id: String,
    /// The mail.
    mail: Mail,
}

/// Queues a mail as a job of the transaction. What it says is sealed: links in it let people in.
pub fn queue(
    store: &mut (impl Jobs + ?Sized),
    seal: &Seal,
    env: &dyn Env,
    to: &Email,
    mail: &Mail,
) -> Result<(), StoreError> {
    let mut id = [0; 16];
    env.fill_random(&mut id);
    let waiting = Waiting { to: to.as_str().to_owned(), id: hex::encode(id), mail: mail.clone() };
    let text = serde_json::to_vec(&waiting).map_err(StoreError::new)?;
    let sealed = seal.close(&text, PURPOSE, env);
    // Who has left is not to be found again.
    let recipient = (!matches!(mail, Mail::AccountDeleted { .. })).then_some(to);
    let work = Assignment { kind: Kind::Mail, about: mail.name(), recipient, payload: &sealed };
    store.queue_job(work, env.now()).map(|_| ())
}

/// Reads what [`queue`] wrote: the address and the mail.
pub fn open(app: &App, sealed: &[u8]) -> Result<(String, Mail), SealError> {
    unseal(app, sealed).map(|waiting| (waiting.to, waiting.mail))
}

fn unseal(app: &App, sealed: &[u8]) -> Result<Waiting, SealError> {
    let text = app.seal.open(sealed, PURPOSE)?;
    serde_json::from_slice(&text).map_err(|_| SealError::Damaged)
}

/// Sends the mail of a job that was taken.
pub async fn send(app: &App, taken: &Taken) -> Outcome {
    let waiting = match unseal(app, &taken.payload) {
        Ok(waiting) => waiting,
        // An operator may bring the right secret back and have it retried.
        Err(error) => return for_good(format!("It can't be opened: {error}.")),
    };
    let rendered = match render::render(&waiting.mail, &app.config) {
        Ok(rendered) => rendered,
        Err(error) => return for_good(format!("It can't be written: {error}.")),
    };
    post(app, &taken.job, &waiting.to, &waiting.id, rendered).await
}

/// Sends a mail that bears a file, as another job's work. `id` is the local part of the Message-ID.
pub async fn send_file(app: &App, job: &Job, to: &str, id: &str, mail: &Mail, file: Attachment) -> Outcome {
    match render::render(mail, &app.config) {
        Ok(rendered) => post(app, job, to, id, render::Rendered { file: Some(file), ..rendered }).await,
        Err(error) => for_good(format!("It can't be written: {error}.")),
    }
}

async fn post(app: &App, job: &Job, to: &str, id: &str, rendered: render::Rendered) -> Outcome {
    match message::message(to, id, job.created_at, rendered, &app.config.mail.from) {
        Ok(message) => app.post.send(job, message).await,
        Err(error) => for_good(error.to_string()),
    }
}

fn for_good(reason: String) -> Outcome {
    Outcome::Failed { reason, for_good: true }
}

#[cfg(test)]
mod tests;

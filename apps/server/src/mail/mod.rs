//! The mails that the product sends (`decisions.md` 60): queued with the change that causes them.

use identity::SealError;
use jobs::Jobs;
use kernel::{Email, StoreError};
use postgres::Pg;
use serde::{Deserialize, Serialize};

use crate::app::App;

/// The kind of the jobs that send mails.
pub const JOB: &str = "mail";

/// A mail, before it is written. `link` is a whole address, `at` milliseconds since the Unix epoch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are what the templates call them")]
pub enum Mail {
    /// Asks a new member to confirm the address.
    ConfirmEmail { first_name: String, link: String },
    /// Lets somebody choose a new password.
    ResetPassword { first_name: String, link: String },
    /// Tells that the password is another one.
    PasswordChanged { first_name: String, device: String, place: String, at: i64 },
    /// Tells that somebody signed in on a device that is not known yet.
    NewSignIn { first_name: String, device: String, place: String, at: i64 },
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
}

/// Leaves a mail to be sent when the transaction is committed. What it says is sealed: links in it let people in.
pub fn queue(pg: &mut Pg<'_>, app: &App, to: &Email, mail: &Mail) -> Result<(), StoreError> {
    let text = serde_json::to_vec(&(to.as_str(), mail)).map_err(StoreError::new)?;
    let sealed = app.seal.close(&text, JOB.as_bytes(), &*app.env);
    pg.queue_job(JOB, &sealed, Some(to.as_str()), app.env.now())
}

/// Reads what [`queue`] wrote.
pub fn open(app: &App, sealed: &[u8]) -> Result<(String, Mail), SealError> {
    let text = app.seal.open(sealed, JOB.as_bytes())?;
    serde_json::from_slice(&text).map_err(|_| SealError::Damaged)
}

//! E-mail: the mails that the product sends (`site.queued-mails`), queued with the change that causes them and delivered by
//! the job worker.
//!
//! This crate owns the list of mails ([`Mail`]), their words and layout, the MIME message, the sealed payload of a mail job
//! ([`queue`]), and delivery by SMTP or into the operator's outbox ([`MailTransport`]). It knows no HTTP and no database:
//! a mail is queued in any job store.
//!
//! Invariants:
//!
//! - A mail is queued in the transaction of the change that causes it: both are committed, or neither.
//! - The payload is sealed: the links in a mail sign people in, and a reader of the database alone must not get them.
//! - Every attempt sends the same bytes with the same Message-ID, so that a mail server can drop a duplicate.
//! - [`SendMail`] reports delivered, certainly not delivered, or uncertain. Retries, backoff and the limit of uncertain
//!   attempts are the rules of `jobs`.
//! - Text that a person typed never becomes markup, a header or a link.
//!
//! Words: a *mail* is one variant with its data; a *letter* is its text in parts; a *message* is the MIME form that is sent;
//! an *address* is an e-mail address.

mod attachment;
mod config;
mod display_name;
mod job;
mod letter;
mod letters;
mod mail;
mod mailer;
mod message;
mod outbox;
mod queue;
mod received;
mod render;
mod site;
mod smtp;
mod transport;

pub use attachment::Attachment;
pub use config::{MailConfig, SmtpServer, SmtpTls};
pub use display_name::display_name;
pub use job::SendMail;
pub use mail::{AskedInMail, DigestHighlight, Mail, PlanMailBook, ReceiptGift};
pub use mailer::Mailer;
pub use outbox::{Outbox, OutboxMail};
pub use queue::{PURPOSE, QueuedMail, SEND_MAIL, open, queue};
pub use received::ReceivedMail;
pub use site::Site;
pub use transport::{MailTransport, TransportError};

#[cfg(test)]
mod tests;

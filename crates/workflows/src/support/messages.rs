//! Messages to support, book suggestions and feedback: stored in the inbox and mailed to support, both or neither; and an admin's
//! answer.

use std::net::IpAddr;

use admin::{AuditEvent, Subject, SubjectKind};
use identity::{IdentityError, RateLimitBucket};
use kernel::{Email, MessageId, UserId, network_of};
use mail::Mail;
use support::{Message, NewMessage, Support, SupportCommands, SupportError};

use crate::{audit::AuditTrail, rate_limits::count_attempt, tx::Tx};

/// Accepts a message within the sender's rate limit. A message that the honeypot has caught (`is_spam`) is counted and dropped.
pub fn accept_message(
    tx: &mut Tx<'_, '_>,
    address: IpAddr,
    message: &NewMessage,
    is_spam: bool,
) -> Result<(), IdentityError> {
    let now = tx.now();
    count_attempt(tx, RateLimitBucket::Contact, &network_of(address))?;
    if is_spam {
        return Ok(());
    }
    tx.pg.insert_message(message, now)?;
    let mail = Mail::Message {
        kind: message.kind().as_str().to_owned(),
        name: message.name().unwrap_or_default().to_owned(),
        email: message.email().map(Email::as_str).unwrap_or_default().to_owned(),
        body: message.body().to_owned(),
    };
    let support = &tx.settings.support_email;
    Ok(tx.queue_mail(support, &mail)?)
}

/// Mails an answer to the sender of a message, and marks the message as done. Repeating the same answer sends no second mail.
pub fn answer_to_writer(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: MessageId,
    text: &str,
    by: UserId,
) -> Result<Message, SupportError> {
    let now = tx.now();
    let (message, answer) = tx.pg.answer_message(id, text, by, now)?;
    if let (Some(answer), Some(to)) = (answer, &message.email) {
        let mail = Mail::Answer {
            name: message.name.clone().unwrap_or_default(),
            text: answer.text,
            message: message.body.clone(),
        };
        tx.queue_mail(to, &mail)?;
        trail.record(AuditEvent::new(
            "message.answer",
            Subject::named(SubjectKind::Message, id.get(), message.kind.as_str()),
        ));
    }
    Ok(message)
}

//! A message to support, a book suggestion or feedback: stored in the inbox and mailed to support, both or neither.

use std::net::IpAddr;

use identity::{Attempt, Identity, IdentityError, RateLimitBucket, network_of};
use inbox::{InboxCommands, NewMessage};
use kernel::Email;
use mail::Mail;

use super::tx::Tx;

/// Accepts a message within the sender's rate limit. One that the honeypot has caught (`is_spam`) is counted and dropped.
pub fn accept_message(
    tx: &mut Tx<'_, '_>,
    address: IpAddr,
    message: &NewMessage,
    is_spam: bool,
) -> Result<(), IdentityError> {
    let (now, network, limits) = (tx.now(), network_of(address), &tx.settings.limits.contact);
    tx.pg.count_attempts(&[Attempt { bucket: RateLimitBucket::Contact, subject: &network, limits }], now)?;
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

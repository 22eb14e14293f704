//! A message to support, a book suggestion or feedback: stored in the inbox and mailed to support, both or neither.

use std::net::IpAddr;

use identity::{IdentityError, RateLimitBucket, network_of};
use inbox::{InboxCommands, NewMessage};
use kernel::Email;
use mail::Mail;

use super::{rate_limits::count_attempt, tx::Tx};

/// Accepts a message within the sender's rate limit. One that the honeypot has caught (`is_spam`) is counted and dropped.
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

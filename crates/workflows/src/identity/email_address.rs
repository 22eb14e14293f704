//! Confirming the address of an account, and changing it (`identity.address-confirmation`).

use identity::{Claims, Factors, IdentityError, IdentityQueries, PasswordHash, RateLimitBucket, Recovery, User};
use kernel::{Email, StoreError, UserId};
use mail::Mail;

use crate::{
    client::ClientContext,
    identity::security::complete_first_proof,
    rate_limits::{count_attempt, release_of_network},
    tx::Tx,
};

/// Mails the link that confirms an account's address.
pub fn mail_confirmation(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    let code = tx.pg.issue_confirmation(user, tx.env)?.token;
    let link = tx.settings.link(&format!("/confirm-email#{code}"));
    tx.queue_mail(&user.email, &Mail::ConfirmEmail { first_name: user.first_name.clone(), link })
}

/// Mails the confirmation link again, within the member's rate limit. Does nothing if the address is confirmed.
pub fn resend_confirmation(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), IdentityError> {
    let Some(user) = tx.pg.user(member)?.filter(|user| user.email_confirmed_at.is_none()) else { return Ok(()) };
    count_confirmation_mail(tx, member)?;
    Ok(mail_confirmation(tx, &user)?)
}

/// Starts a change of address: mails the confirmation link to the new address. `verified` is the hash that the member's password
/// was verified against.
pub fn change_email(
    tx: &mut Tx<'_, '_>,
    claims: &Claims,
    verified: Option<&PasswordHash>,
    new: &Email,
) -> Result<(), IdentityError> {
    let user = tx.pg.allow_change_of_ways_in(claims.user, claims.session, verified, tx.now())?;
    count_confirmation_mail(tx, claims.user)?;
    let code = tx.pg.issue_address_change(user.id, new, tx.env)?.token;
    let link = tx.settings.link(&format!("/confirm-email#{code}"));
    Ok(tx.queue_mail(new, &Mail::ConfirmNewEmail { first_name: user.first_name, link })?)
}

/// Confirms an address by a mailed link, in the session of the access token or of the cookie. Returns whether the first proof of
/// the address removed a password that another person may have set. If the link changes the address, the old one is notified.
pub fn confirm_email(
    tx: &mut Tx<'_, '_>,
    code: &str,
    claims: Option<&Claims>,
    client: &ClientContext,
) -> Result<bool, IdentityError> {
    let session = match claims {
        Some(claims) => Some(claims.session),
        None => client.held_session(tx)?,
    };
    let confirmed = tx.pg.confirm_email(code, session, tx.now())?.ok_or(IdentityError::LinkInvalid)?;
    release_of_network(tx, RateLimitBucket::Confirm, client.address)?;
    if confirmed.first_proof.is_some() {
        release_of_network(tx, RateLimitBucket::SignUp, client.address)?;
    }
    complete_first_proof(tx, confirmed.user.id, confirmed.first_proof)?;
    let is_password_removed = confirmed.first_proof.is_some_and(|first| first.removed.password);
    if let Some(old) = confirmed.old_email {
        let (first_name, new_email) = (confirmed.user.first_name, confirmed.user.email.as_str().to_owned());
        tx.queue_mail(&old, &Mail::EmailChanged { first_name, new_email })?;
    }
    Ok(is_password_removed)
}

/// Counts a mail that a member requests to their own mailbox.
pub(super) fn count_confirmation_mail(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), IdentityError> {
    count_attempt(tx, RateLimitBucket::ConfirmMail, &member.to_string())
}

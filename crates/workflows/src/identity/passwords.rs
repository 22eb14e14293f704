//! Changing a password, and setting one by a mailed link. The owner is notified by mail (`identity.password-change`).

use std::net::IpAddr;

use identity::{Claims, Factors, IdentityError, PasswordHash, RateLimitBucket, Recovery, RemovedMethods, User};
use kernel::{Email, StoreError, network_of};
use mail::Mail;
use study::NoticeCommands;

use crate::{
    client::ClientContext,
    identity::security::notify_removed_methods,
    rate_limits::{count_attempt, release_of_network},
    tx::Tx,
};

/// Changes a member's password and ends all other sessions. `verified` is the hash that the current password was verified
/// against.
pub fn change_password(
    tx: &mut Tx<'_, '_>,
    claims: &Claims,
    verified: Option<&PasswordHash>,
    new: &PasswordHash,
    client: &ClientContext,
) -> Result<(), IdentityError> {
    let now = tx.now();
    let user = tx.pg.allow_change_of_ways_in(claims.user, claims.session, verified, now)?;
    tx.pg.change_password(user.id, claims.session, new, now)?;
    Ok(notify_password_changed(tx, &user, client)?)
}

/// Counts an attempt with the code of a mailed link; returns whether the code is valid. Called before the new password is
/// hashed, so that only a valid code makes the server compute a hash.
pub fn is_reset_code_valid(
    tx: &mut Tx<'_, '_>,
    address: IpAddr,
    code: &str,
    email: &Email,
) -> Result<bool, IdentityError> {
    count_attempt(tx, RateLimitBucket::Reset, &network_of(address))?;
    Ok(tx.pg.user_of_reset(code, email, tx.now())?.is_some())
}

/// Sets a new password by a mailed link, and ends all sessions.
pub fn reset_password(
    tx: &mut Tx<'_, '_>,
    code: &str,
    email: &Email,
    hash: &PasswordHash,
    client: &ClientContext,
) -> Result<(), IdentityError> {
    let reset = tx.pg.reset_password(code, email, hash, tx.now())?.ok_or(IdentityError::LinkInvalid)?;
    // Another person may have set it.
    tx.pg.delete_webhook(reset.user.id)?;
    for bucket in [RateLimitBucket::Reset, RateLimitBucket::Recovery] {
        release_of_network(tx, bucket, client.address)?;
    }
    notify_password_changed(tx, &reset.user, client)?;
    Ok(notify_removed_methods(tx, &reset.user, RemovedMethods { password: false, ..reset.removed })?)
}

fn notify_password_changed(tx: &mut Tx<'_, '_>, user: &User, client: &ClientContext) -> Result<(), StoreError> {
    let notice = Mail::PasswordChanged {
        first_name: user.first_name.clone(),
        device: client.device.clone(),
        place: client.place.clone(),
        at: tx.now().millis(),
        timezone: user.timezone.clone(),
    };
    tx.queue_mail(&user.email, &notice)
}

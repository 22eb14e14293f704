//! A fresh proof of who acts in a session, for dangerous steps (`decisions.md` 21): the password, a code by mail, or a
//! passkey. It counts for [`identity::FRESH`], as a sign-in does.

use identity::{Claims, Factors, Identity, IdentityError, PasswordHash, ProofOfAddress, StoredPasskey};
use mail::Mail;
use passkeys::Passkeys;
use serde_json::Value;

use super::{email_address::count_confirmation_mail, passkeys::authenticate, security::notify_first_proof, tx::Tx};

/// Mails six digits to the member, within the member's rate limit for mails.
pub fn mail_proof_code(tx: &mut Tx<'_, '_>, claims: &Claims) -> Result<(), IdentityError> {
    count_confirmation_mail(tx, claims.user)?;
    let (user, code) = tx.pg.issue_proof(claims.user, claims.session, tx.env)?;
    Ok(tx.queue_mail(&user.email, &Mail::ProofCode { first_name: user.first_name.clone(), code })?)
}

/// Proves by the password, which was verified against this hash.
pub fn prove_by_password(
    tx: &mut Tx<'_, '_>,
    claims: &Claims,
    verified: Option<&PasswordHash>,
) -> Result<(), IdentityError> {
    tx.pg.prove_by_password(claims.user, claims.session, verified, tx.now())
}

/// Proves by the six digits of a mail; says whether they are right. `false` is no error, because the attempt that was counted
/// is to be committed. Digits that reached the member prove the address too.
pub fn prove_by_code(tx: &mut Tx<'_, '_>, claims: &Claims, code: &str) -> Result<bool, IdentityError> {
    let now = tx.now();
    if !tx.pg.prove_by_code(claims.user, claims.session, code, now)? {
        return Ok(false);
    }
    let first_proof = tx.pg.accept_proof_of_address(claims.user, Some(claims.session), now)?;
    notify_first_proof(tx, claims.user, first_proof)?;
    Ok(true)
}

/// Proves by a passkey of the member; says whether the browser's answer is right.
pub fn prove_by_passkey(
    tx: &mut Tx<'_, '_>,
    passkeys: &Passkeys,
    claims: &Claims,
    (ceremony, answer): (&str, Value),
) -> Result<bool, IdentityError> {
    let now = tx.now();
    match authenticate(tx, passkeys, (ceremony, answer))? {
        Some(StoredPasskey { user, .. }) if user == claims.user => {
            tx.pg.prove_by_passkey(claims.user, claims.session, now)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Checks that the session of an access token may take a dangerous step now; `false` when it has ended.
pub fn require_fresh_proof(tx: &mut Tx<'_, '_>, claims: &Claims) -> Result<bool, IdentityError> {
    let session = tx.pg.live_session(claims.session, tx.now())?;
    match session.filter(|session| session.user == claims.user) {
        None => Ok(false),
        Some(session) if session.is_fresh(tx.now()) => Ok(true),
        Some(_) => Err(IdentityError::FreshLoginRequired),
    }
}

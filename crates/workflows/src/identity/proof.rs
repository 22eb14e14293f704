//! A fresh proof of identity in a session, required for sensitive steps (`identity.fresh-proof`): the password, a mailed code, or
//! a passkey. It is valid for [`identity::FRESH_PROOF_LIFETIME`], like a sign-in.

use std::sync::Arc;

use identity::{
    Claims, Factors, IdentityError, IdentityQueries, PasswordHash, ProofOfAddress, RateLimitBucket, StoredPasskey,
};
use mail::Mail;
use passkeys::Passkeys;
use serde_json::Value;

use crate::{
    identity::{
        email_address::count_confirmation_mail, passkeys::authenticate, password_hashing::Passwords,
        security::complete_first_proof,
    },
    rate_limits,
    tx::{Transactions, Tx},
};

/// How a member proves their identity in a session.
#[derive(Clone, Debug)]
pub enum Proof {
    /// The current password.
    Password(String),
    /// The six digits of a mailed code.
    Code(String),
    /// A passkey.
    Passkey {
        /// The token of the ceremony, as sent with the options.
        ceremony: String,
        /// The browser's `AuthenticationResponseJSON`.
        answer: Value,
    },
}

/// Why a proof is refused.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The code is wrong, used or expired.
    #[error("This code is wrong or has expired. Please check it or ask for a new one.")]
    WrongCode,
    /// The passkey belongs to another member, or the browser's response is wrong.
    #[error("This passkey is not one of yours. Please try again or use another way.")]
    WrongPasskey,
    /// The site does not support passkeys.
    #[error("this site has no passkeys")]
    NoPasskeys,
    /// The password is wrong, the session has ended, or a rate limit is reached.
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

/// Proves the member's identity in a session. Each attempt, by whatever method, counts against the member's rate limit for
/// passwords.
pub async fn prove(
    (transactions, passwords): (&Transactions, &Passwords),
    site_passkeys: Option<Arc<Passkeys>>,
    claims: Claims,
    proof: Proof,
) -> Result<(), ProofError> {
    let count = rate_limits::count(transactions, RateLimitBucket::Password, claims.user.to_string());
    match proof {
        Proof::Password(password) => {
            let verified = passwords.check_current(claims.user, Some(password)).await?.password_hash;
            Ok(transactions.write(move |tx| prove_by_password(tx, &claims, verified.as_ref())).await?)
        }
        Proof::Code(code) => {
            count.await?;
            let is_right = transactions.write(move |tx| prove_by_code(tx, &claims, &code)).await?;
            if is_right { Ok(()) } else { Err(ProofError::WrongCode) }
        }
        Proof::Passkey { ceremony, answer } => {
            count.await?;
            let passkeys = site_passkeys.ok_or(ProofError::NoPasskeys)?;
            let prove = move |tx: &mut Tx<'_, '_>| prove_by_passkey(tx, &passkeys, &claims, (&ceremony, answer));
            if transactions.write(prove).await? { Ok(()) } else { Err(ProofError::WrongPasskey) }
        }
    }
}

/// Mails a six-digit code to the member, within the member's rate limit for mails.
pub fn mail_proof_code(tx: &mut Tx<'_, '_>, claims: &Claims) -> Result<(), IdentityError> {
    count_confirmation_mail(tx, claims.user)?;
    let (user, code) = tx.pg.issue_proof(claims.user, claims.session, tx.env)?;
    Ok(tx.queue_mail(&user.email, &Mail::ProofCode { first_name: user.first_name.clone(), code })?)
}

/// Records a proof by the password, which was verified against this hash.
fn prove_by_password(
    tx: &mut Tx<'_, '_>,
    claims: &Claims,
    verified: Option<&PasswordHash>,
) -> Result<(), IdentityError> {
    tx.pg.prove_by_password(claims.user, claims.session, verified, tx.now())
}

/// Proves identity by a mailed code; returns whether the code is right. `false` is not an error, so that the counted attempt is
/// committed. A code that reached the member also proves the address.
fn prove_by_code(tx: &mut Tx<'_, '_>, claims: &Claims, code: &str) -> Result<bool, IdentityError> {
    let now = tx.now();
    if !tx.pg.prove_by_code(claims.user, claims.session, code, now)? {
        return Ok(false);
    }
    let first_proof = tx.pg.accept_proof_of_address(claims.user, Some(claims.session), now)?;
    complete_first_proof(tx, claims.user, first_proof)?;
    Ok(true)
}

/// Proves identity by a passkey of the member; returns whether the browser's response is right.
fn prove_by_passkey(
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

/// Checks that the session of an access token may take a sensitive step now; `false` if the session has ended.
///
/// # Errors
/// [`IdentityError::FreshLoginRequired`] if the session has no fresh proof.
pub fn require_fresh_proof<A>(tx: &mut Tx<'_, '_, A>, claims: &Claims) -> Result<bool, IdentityError> {
    let session = tx.pg.live_session(claims.session, tx.now())?;
    match session.filter(|session| session.user == claims.user) {
        None => Ok(false),
        Some(session) if session.is_fresh(tx.now()) => Ok(true),
        Some(_) => Err(IdentityError::FreshLoginRequired),
    }
}

//! A fresh proof of who acts in a session, for dangerous steps (`identity.fresh-proof`): the password, a code by mail, or a
//! passkey. It counts for [`identity::FRESH_PROOF_LIFETIME`], as a sign-in does.

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
        security::notify_first_proof,
    },
    rate_limits,
    tx::{Transactions, Tx},
};

/// By what a member proves who acts in a session.
#[derive(Clone, Debug)]
pub enum Proof {
    /// The current password.
    Password(String),
    /// The six digits of a mail.
    Code(String),
    /// A browser's answer with a passkey.
    Passkey {
        /// What came with the options.
        ceremony: String,
        /// `AuthenticationResponseJSON`.
        answer: Value,
    },
}

/// Why a proof is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The digits are wrong, were used already, or came late.
    #[error("This code is wrong or has expired. Please check it or ask for a new one.")]
    WrongCode,
    /// The passkey is another member's, or the browser's answer is wrong.
    #[error("This passkey is not one of yours. Please try again or use another way.")]
    WrongPasskey,
    /// The site can have no passkeys.
    #[error("this site has no passkeys")]
    NoPasskeys,
    /// The password is wrong, the session has ended, or a rate limit is reached.
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

/// Proves who acts in a session. Each try counts against the member's rate limit for passwords, whatever it is made with.
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

/// Mails six digits to the member, within the member's rate limit for mails.
pub fn mail_proof_code(tx: &mut Tx<'_, '_>, claims: &Claims) -> Result<(), IdentityError> {
    count_confirmation_mail(tx, claims.user)?;
    let (user, code) = tx.pg.issue_proof(claims.user, claims.session, tx.env)?;
    Ok(tx.queue_mail(&user.email, &Mail::ProofCode { first_name: user.first_name.clone(), code })?)
}

/// Proves by the password, which was verified against this hash.
fn prove_by_password(
    tx: &mut Tx<'_, '_>,
    claims: &Claims,
    verified: Option<&PasswordHash>,
) -> Result<(), IdentityError> {
    tx.pg.prove_by_password(claims.user, claims.session, verified, tx.now())
}

/// Proves by the six digits of a mail; says whether they are right. `false` is no error, because the attempt that was counted
/// is to be committed. Digits that reached the member prove the address too.
fn prove_by_code(tx: &mut Tx<'_, '_>, claims: &Claims, code: &str) -> Result<bool, IdentityError> {
    let now = tx.now();
    if !tx.pg.prove_by_code(claims.user, claims.session, code, now)? {
        return Ok(false);
    }
    let first_proof = tx.pg.accept_proof_of_address(claims.user, Some(claims.session), now)?;
    notify_first_proof(tx, claims.user, first_proof)?;
    Ok(true)
}

/// Proves by a passkey of the member; says whether the browser's answer is right.
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

/// Checks that the session of an access token may take a dangerous step now; `false` when it has ended.
pub fn require_fresh_proof<A>(tx: &mut Tx<'_, '_, A>, claims: &Claims) -> Result<bool, IdentityError> {
    let session = tx.pg.live_session(claims.session, tx.now())?;
    match session.filter(|session| session.user == claims.user) {
        None => Ok(false),
        Some(session) if session.is_fresh(tx.now()) => Ok(true),
        Some(_) => Err(IdentityError::FreshLoginRequired),
    }
}

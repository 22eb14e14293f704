//! Account recovery by mail: a link to set a new password, or a link with a six-digit code to log in
//! (`identity.recovery-answer`).
//!
//! A request is only recorded as a job. A worker answers it later, so that neither the response nor its timing reveals which
//! addresses have an account.

use identity::{IdentityError, IdentityQueries, RateLimitBucket, Recovery, RefreshKey, Seal, User};
use jobs::{JobDefinition, JobKind, JobRequest, Jobs, PayloadError};
use kernel::{Email, StoreError};
use mail::Mail;
use postgres::Pg;
use serde::{Deserialize, Serialize};
use worker::TransactionalJob;

use crate::{
    client::ClientContext,
    rate_limits::{AttemptBuckets, admit},
    tx::{Transactions, Tx},
};

/// The job that answers a recovery request, out of the client's sight.
pub const ANSWER_RECOVERY: JobKind = JobKind::transactional("recovery");

/// The purpose for which the payloads are sealed.
pub(crate) const PURPOSE: &[u8] = b"recovery";

/// What a user who can't log in requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryRequest {
    /// A link to set a new password.
    NewPassword,
    /// A link with a six-digit code to log in.
    LoginLink {
        /// The path on this site to continue to.
        redirect: Option<String>,
    },
}

impl RecoveryRequest {
    const fn name(&self) -> &'static str {
        match self {
            Self::NewPassword => "new_password",
            Self::LoginLink { .. } => "login_link",
        }
    }

    const fn buckets(&self) -> AttemptBuckets {
        match self {
            Self::NewPassword => {
                AttemptBuckets { network: RateLimitBucket::Recovery, account: RateLimitBucket::RecoveryAccount }
            }
            Self::LoginLink { .. } => {
                AttemptBuckets { network: RateLimitBucket::LoginLink, account: RateLimitBucket::LoginLinkAccount }
            }
        }
    }
}

/// Records a request, within its rate limits. Every address causes the same work: a row that only a worker can read.
pub fn request_recovery(
    tx: &mut Tx<'_, '_>,
    key: &RefreshKey,
    client: &ClientContext,
    email: &Email,
    request: &RecoveryRequest,
) -> Result<(), IdentityError> {
    admit(tx, request.buckets(), key, client, Some(email))?;
    let text = serde_json::to_vec(&(email.as_str(), request)).map_err(StoreError::new)?;
    let sealed = tx.seal.close(&text, PURPOSE, tx.env);
    let work = JobRequest { kind: ANSWER_RECOVERY, about: request.name(), recipient: None, payload: &sealed };
    tx.pg.queue_job(work, tx.now())?;
    Ok(())
}

/// Opens the payload of a job that [`request_recovery`] queued: the address and the request.
pub fn open_request(seal: &Seal, payload: &[u8]) -> Result<(Email, RecoveryRequest), StoreError> {
    let text = seal.open(payload, PURPOSE).map_err(StoreError::new)?;
    let (email, request): (String, RecoveryRequest) = serde_json::from_slice(&text).map_err(StoreError::new)?;
    Ok((Email::parse(&email).map_err(StoreError::new)?, request))
}

/// Answers a request that [`request_recovery`] recorded: mails the link if the address has an account. Running it twice
/// invalidates the first link.
pub fn answer_recovery(tx: &mut Tx<'_, '_>, email: &Email, request: &RecoveryRequest) -> Result<(), StoreError> {
    let user = tx.pg.account(email)?.map(|account| account.user);
    match (request, user) {
        (RecoveryRequest::NewPassword, Some(user)) => mail_reset(tx, &user),
        (RecoveryRequest::NewPassword, None) => Ok(()),
        (RecoveryRequest::LoginLink { redirect }, user) => mail_login_link(tx, email, user, redirect.as_deref()),
    }
}

/// The job that answers queued requests.
#[derive(Debug)]
pub struct AnswerRecovery {
    /// Opens the payloads.
    pub seal: Seal,
    pub transactions: Transactions,
}

impl JobDefinition for AnswerRecovery {
    const KIND: JobKind = ANSWER_RECOVERY;
    type Payload = (Email, RecoveryRequest);

    fn decode(&self, payload: &[u8]) -> Result<Self::Payload, PayloadError> {
        open_request(&self.seal, payload).map_err(|error| PayloadError(error.to_string()))
    }
}

impl TransactionalJob for AnswerRecovery {
    fn run_transactional(&self, pg: &mut Pg<'_>, (email, request): &Self::Payload) -> Result<(), StoreError> {
        answer_recovery(&mut self.transactions.tx(pg), email, request)
    }
}

/// Mails the link by which a person sets a password.
pub fn mail_reset(tx: &mut Tx<'_, '_>, user: &User) -> Result<(), StoreError> {
    let code = tx.pg.issue_reset(user.id, tx.env)?.token;
    let link = tx.settings.link(&format!("/reset-password/{}/{code}", escaped(user.email.as_str())));
    tx.queue_mail(&user.email, &Mail::ResetPassword { first_name: user.first_name.clone(), link })
}

/// Mails a login link, whose secret is behind `#`, where no server, log or mail scanner sees it. An address without an account
/// gets a secret too, which is discarded, so that trying codes for it behaves the same.
fn mail_login_link(
    tx: &mut Tx<'_, '_>,
    email: &Email,
    user: Option<User>,
    redirect: Option<&str>,
) -> Result<(), StoreError> {
    let secret = tx.pg.issue_login_link(email, user.as_ref().map(|user| user.id), tx.env)?;
    let (Some(user), Some(code)) = (user, secret.code) else { return Ok(()) };
    let query = redirect.map(|path| format!("?redirect={}", escaped(path))).unwrap_or_default();
    let link = tx.settings.link(&format!("/login-link{query}#{}", secret.token));
    tx.queue_mail(&user.email, &Mail::LoginLink { first_name: user.first_name, link, code })
}

/// Percent-encodes a text for a path or a query.
fn escaped(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_address_is_escaped_in_a_path() {
        assert_eq!(super::escaped("a+b/c?d#e%@example.com"), "a%2Bb%2Fc%3Fd%23e%25%40example.com");
    }
}

//! Rate limiting, per network and per account (`identity.rate-limits`).

use std::net::IpAddr;

use identity::{Account, Attempt, Identity, IdentityError, IdentityQueries, RateLimitBucket, RefreshKey};
use kernel::{Email, StoreError, network_of};

use crate::{
    client::ClientContext,
    tx::{Settings, Transactions, Tx},
};

/// Counts an attempt in a transaction of its own, so that it counts whatever its outcome: refused attempts count, and failed
/// ones may have cost as much as others.
///
/// # Errors
/// [`IdentityError::RateLimited`] if the limit is reached.
pub async fn count(transactions: &Transactions, bucket: RateLimitBucket, subject: String) -> Result<(), IdentityError> {
    transactions.write(move |tx| count_attempt(tx, bucket, &subject)).await
}

/// Counts an attempt in the transaction of the attempted work: if that is rolled back, the attempt does not count.
///
/// # Errors
/// [`IdentityError::RateLimited`] if the limit is reached.
pub fn count_attempt(tx: &mut Tx<'_, '_>, bucket: RateLimitBucket, subject: &str) -> Result<(), IdentityError> {
    count_attempts(tx, &[CountedAttempt::new(bucket, subject.to_owned())])
}

/// The two rate limits of one kind of attempt.
#[derive(Clone, Copy, Debug)]
pub struct AttemptBuckets {
    /// Per network of the client.
    pub network: RateLimitBucket,
    /// Per typed e-mail address, whether it has an account or not.
    pub account: RateLimitBucket,
}

/// A counted attempt, which can be released.
#[derive(Clone, Debug)]
pub struct CountedAttempt {
    bucket: RateLimitBucket,
    subject: String,
}

/// An attempt on the account of an address that the limits allow.
#[derive(Clone, Debug)]
pub struct Admission {
    /// `None` if the address has no account.
    pub account: Option<Account>,
    /// The counted attempts: [`release`] them if this turns out not to be a guess.
    pub counted: Vec<CountedAttempt>,
}

/// Counts an attempt on the account of an address. A text that is not an address counts for the network only.
///
/// A device on which the member has signed in before has a limit of its own instead of the network's and the account's: neither
/// attempts from elsewhere nor colleagues in the same office can lock the owner out.
pub fn admit(
    tx: &mut Tx<'_, '_>,
    buckets: AttemptBuckets,
    key: &RefreshKey,
    client: &ClientContext,
    email: Option<&Email>,
) -> Result<Admission, IdentityError> {
    let account = email.map(|email| tx.pg.account(email)).transpose()?.flatten();
    let known = account
        .as_ref()
        .map(|account| &account.user)
        .filter(|user| client.mark.as_deref().is_some_and(|mark| key.knows_device(user, mark)));
    let counted = match (known, email) {
        (Some(user), _) => vec![CountedAttempt::new(buckets.network, format!("known device of {}", user.id))],
        (None, None) => vec![CountedAttempt::of_network(buckets.network, client.address)],
        (None, Some(email)) => vec![
            CountedAttempt::of_network(buckets.network, client.address),
            CountedAttempt::new(buckets.account, email.key().to_owned()),
        ],
    };
    count_attempts(tx, &counted)?;
    Ok(Admission { account, counted })
}

/// Counts attempts in the transaction of the attempted work. If one limit refuses, none is counted.
pub(super) fn count_attempts(tx: &mut Tx<'_, '_>, counted: &[CountedAttempt]) -> Result<(), IdentityError> {
    tx.pg.count_attempts(&attempts(tx.settings, counted), tx.now())
}

/// Releases attempts that turned out not to be guesses, so that an office behind one IP does not look like an attacker.
pub fn release(tx: &mut Tx<'_, '_>, counted: &[CountedAttempt]) -> Result<(), StoreError> {
    tx.pg.release_attempts(&attempts(tx.settings, counted), tx.now())
}

/// Releases one attempt of a network, because its mail or request proved to be genuine.
pub(super) fn release_of_network(
    tx: &mut Tx<'_, '_>,
    bucket: RateLimitBucket,
    address: IpAddr,
) -> Result<(), StoreError> {
    release(tx, &[CountedAttempt::of_network(bucket, address)])
}

impl CountedAttempt {
    const fn new(bucket: RateLimitBucket, subject: String) -> Self {
        Self { bucket, subject }
    }

    pub(super) fn of_network(bucket: RateLimitBucket, address: IpAddr) -> Self {
        Self::new(bucket, network_of(address))
    }
}

fn attempts<'a>(settings: &'a Settings, counted: &'a [CountedAttempt]) -> Vec<Attempt<'a>> {
    let attempt = |CountedAttempt { bucket, subject }: &'a CountedAttempt| Attempt {
        bucket: *bucket,
        subject,
        limits: settings.limits.of(*bucket),
    };
    counted.iter().map(attempt).collect()
}

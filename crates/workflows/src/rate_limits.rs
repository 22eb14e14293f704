//! Rate limiting: how often something may be tried, by one network and by one account (`identity.rate-limits`).

use std::net::IpAddr;

use identity::{Account, Attempt, Identity, IdentityError, IdentityQueries, RateLimitBucket, RefreshKey};
use kernel::{Email, StoreError, network_of};

use crate::{
    client::ClientContext,
    tx::{Settings, Transactions, Tx},
};

/// Counts an attempt in a transaction of its own, so that it counts whatever becomes of what is attempted: refused
/// attempts count, and failed ones may have cost as much.
///
/// # Errors
/// [`IdentityError::RateLimited`] when the limit is reached.
pub async fn count(transactions: &Transactions, bucket: RateLimitBucket, subject: String) -> Result<(), IdentityError> {
    transactions.write(move |tx| count_attempt(tx, bucket, &subject)).await
}

/// Counts an attempt in the transaction of what is attempted: when that is rolled back, the attempt does not count.
///
/// # Errors
/// [`IdentityError::RateLimited`] when the limit is reached.
pub fn count_attempt(tx: &mut Tx<'_, '_>, bucket: RateLimitBucket, subject: &str) -> Result<(), IdentityError> {
    count_attempts(tx, &[CountedAttempt::new(bucket, subject.to_owned())])
}

/// The buckets of one kind of attempt.
#[derive(Clone, Copy, Debug)]
pub struct AttemptBuckets {
    /// For one IP address.
    pub network: RateLimitBucket,
    /// Counted by the typed address, whether it has an account or not.
    pub account: RateLimitBucket,
}

/// An attempt that was counted, so that it can be given back.
#[derive(Clone, Debug)]
pub struct CountedAttempt {
    bucket: RateLimitBucket,
    subject: String,
}

/// An attempt at the account of an address, which its limits admit.
#[derive(Clone, Debug)]
pub struct Admission {
    /// The account, if there is one.
    pub account: Option<Account>,
    /// What was counted: [`release`] gives it back when the attempt turns out to be no guess.
    pub counted: Vec<CountedAttempt>,
}

/// Counts an attempt at the account of an address. A text that is no address counts for the network alone.
///
/// A device on which the member has signed in before has a limit of its own instead of the network's and the account's:
/// attempts from elsewhere lock no owner out, nor do those of the others in the same office.
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

/// Counts attempts in the transaction of what is attempted; when one limit refuses, none is counted.
pub(super) fn count_attempts(tx: &mut Tx<'_, '_>, counted: &[CountedAttempt]) -> Result<(), IdentityError> {
    tx.pg.count_attempts(&attempts(tx.settings, counted), tx.now())
}

/// Counts attempts no more that turned out to be no guesses, so that an office behind one IP address is no attacker.
pub fn release(tx: &mut Tx<'_, '_>, counted: &[CountedAttempt]) -> Result<(), StoreError> {
    tx.pg.release_attempts(&attempts(tx.settings, counted), tx.now())
}

/// Counts one attempt of a network no more: what was mailed for it came back from there.
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

//! Rate limiting: how often something may be tried, by one network and by one account (`decisions.md` 18 and 46).

use identity::{
    Account, Attempt, Identity, IdentityError, IdentityQueries, Limits, RateLimitBucket, RefreshKey, network_of,
};
use kernel::Email;

use super::{
    client::ClientContext,
    tx::{Transactions, Tx},
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
    let limits = tx.settings.limits.of(bucket);
    tx.pg.count_attempts(&[Attempt { bucket, subject, limits }], tx.now())
}

/// The limits of one kind of attempt, each with its bucket.
#[derive(Clone, Copy, Debug)]
pub struct AttemptLimits<'a> {
    /// For one IP address.
    pub network: (RateLimitBucket, &'a Limits),
    /// For one account, whether it exists or not.
    pub account: (RateLimitBucket, &'a Limits),
}

/// Counts an attempt at the account of an address; gives the account, if there is one. A text that is no address counts
/// for the network alone.
///
/// A device on which the member has signed in before is exempt from the account's limit: attempts from elsewhere lock no
/// owner out.
pub fn admit(
    tx: &mut Tx<'_, '_>,
    limits: AttemptLimits<'_>,
    key: &RefreshKey,
    client: &ClientContext,
    email: Option<&Email>,
) -> Result<Option<Account>, IdentityError> {
    let (now, network) = (tx.now(), network_of(client.address));
    let by_network = Attempt { bucket: limits.network.0, subject: &network, limits: limits.network.1 };
    let Some(email) = email else {
        tx.pg.count_attempts(&[by_network], now)?;
        return Ok(None);
    };
    let account = tx.pg.account(email)?;
    let user = account.as_ref().map(|account| &account.user);
    if user.zip(client.mark.as_deref()).is_some_and(|(user, mark)| key.knows_device(user, mark)) {
        tx.pg.count_attempts(&[by_network], now)?;
    } else {
        let by_account = Attempt { bucket: limits.account.0, subject: email.key(), limits: limits.account.1 };
        tx.pg.count_attempts(&[by_network, by_account], now)?;
    }
    Ok(account)
}

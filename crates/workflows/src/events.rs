//! Events that pages count, within a rate limit.

use std::net::IpAddr;

use identity::{Attempt, Identity, IdentityError, RateLimitBucket, network_of};
use kernel::UserId;

use super::tx::Tx;

/// Counts an event of a page (`decisions.md` 59).
///
/// # Errors
/// [`IdentityError::RateLimited`] when the client's network has sent too many.
pub fn record_event(
    tx: &mut Tx<'_, '_>,
    address: IpAddr,
    name: &str,
    user: Option<UserId>,
) -> Result<(), IdentityError> {
    let (now, network, limits) = (tx.now(), network_of(address), &tx.settings.limits.event);
    tx.pg.count_attempts(&[Attempt { bucket: RateLimitBucket::Event, subject: &network, limits }], now)?;
    Ok(tx.pg.record_event(name, user, now)?)
}

//! Analytics events that pages send, within a rate limit.

use std::net::IpAddr;

use identity::{IdentityError, RateLimitBucket};
use kernel::{UserId, network_of};

use crate::{rate_limits::count_attempt, tx::Tx};

/// Records an analytics event that a page has sent (`site.own-analytics`).
///
/// # Errors
/// [`IdentityError::RateLimited`] if the client's network has sent too many.
pub fn record_event(
    tx: &mut Tx<'_, '_>,
    address: IpAddr,
    name: &str,
    user: Option<UserId>,
) -> Result<(), IdentityError> {
    count_attempt(tx, RateLimitBucket::Event, &network_of(address))?;
    Ok(tx.pg.record_event(name, user, tx.now())?)
}

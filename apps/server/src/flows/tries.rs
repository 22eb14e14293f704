//! Tries: how often somebody is let through.

use identity::{Account, Identity, IdentityError, Limits, RefreshKey, Try, network_of};
use kernel::{Email, Timestamp};
use postgres::Pg;

use crate::{app::App, error::ApiError, extract::Doorway};

/// Counts a try by itself and for good, whatever becomes of what is tried: what is refused counts, and what fails may
/// have cost as much.
pub async fn count(app: &App, what: &'static str, whose: String, limits: &Limits) -> Result<(), ApiError> {
    let (limits, now) = (limits.clone(), app.env.now());
    let count = move |pg: &mut Pg<'_>| pg.take_tries(&[Try { what, whose: &whose, limits: &limits }], now);
    Ok(app.db.write::<_, IdentityError, _>(count).await?)
}

/// The limits of one kind of try, each with the word under which it is counted.
#[derive(Clone, Copy, Debug)]
pub struct TryLimits<'a> {
    /// For one address of the network.
    pub network: (&'a str, &'a Limits),
    /// For one account, whether there is one or not.
    pub account: (&'a str, &'a Limits),
}

/// Counts a try at an account; gives the account, if the address is somebody's. A text that is no address is counted
/// for the network alone.
///
/// Whoever has signed in on the device before passes the account's limit: what strangers try elsewhere locks no owner
/// out.
pub fn admit(
    pg: &mut Pg<'_>,
    limits: TryLimits<'_>,
    key: &RefreshKey,
    doorway: &Doorway,
    email: Option<&Email>,
    now: Timestamp,
) -> Result<Option<Account>, IdentityError> {
    let network = network_of(doorway.address);
    let by_network = Try { what: limits.network.0, whose: &network, limits: limits.network.1 };
    let Some(email) = email else {
        pg.take_tries(&[by_network], now)?;
        return Ok(None);
    };
    let account = pg.account(email)?;
    let id = account.as_ref().map(|account| account.user.id);
    if id.zip(doorway.mark.as_deref()).is_some_and(|(id, mark)| key.knows_device(id, mark)) {
        pg.take_tries(&[by_network], now)?;
    } else {
        let by_account = Try { what: limits.account.0, whose: email.key(), limits: limits.account.1 };
        pg.take_tries(&[by_network, by_account], now)?;
    }
    Ok(account)
}

//! Signing up and in: a session, and the account that every answer about a person tells of.

use identity::{Identity, IdentityError, PasswordHash, RefreshKey, RefreshSecret, Refreshed, Registration};
use kernel::{Env, SessionId, StoreError, Timestamp, UserId};
use postgres::Pg;

use super::account::{Account, account};

/// Somebody who is signed in on a device.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The person, with plan and choices.
    pub account: Account,
    /// The device.
    pub session: SessionId,
    /// What the device keeps.
    pub secret: RefreshSecret,
}

/// Makes an account and begins a session.
pub fn sign_up(
    pg: &mut Pg<'_>,
    registration: &Registration,
    hash: &PasswordHash,
    env: &dyn Env,
) -> Result<Entry, IdentityError> {
    let user = pg.register(registration, hash, env.now())?;
    sign_in(pg, user.id, None, env)?
        .ok_or_else(|| StoreError::new("the account that was just made is not there").into())
}

/// Begins a session for somebody whose password was right, and renews its hash; `None` when the account has gone
/// meanwhile.
pub fn sign_in(
    pg: &mut Pg<'_>,
    user: UserId,
    renewed: Option<&PasswordHash>,
    env: &dyn Env,
) -> Result<Option<Entry>, StoreError> {
    let Some(account) = account(pg, user, env.now())? else { return Ok(None) };
    if let Some(hash) = renewed {
        pg.renew_password_hash(user, hash)?;
    }
    let (session, secret) = pg.begin_session(user, env)?;
    Ok(Some(Entry { account, session, secret }))
}

/// Renews a device's access; `None` when its session is over.
pub fn refresh(
    pg: &mut Pg<'_>,
    secret: &RefreshSecret,
    key: &RefreshKey,
    now: Timestamp,
) -> Result<Option<Entry>, StoreError> {
    let Some(Refreshed { user, session, secret }) = pg.refresh_session(secret, key, now)? else { return Ok(None) };
    let account = account(pg, user, now)?;
    Ok(account.map(|account| Entry { account, session, secret }))
}

//! Refresh token rotation: a device trades its refresh token for a new one and an access token (`identity.refresh-rotation`).
//! Reuse of an old token ends the session; [`Identity::refresh_session`] has that rule.

use identity::{DeviceDescription, Identity, RefreshKey, RefreshToken, RefreshedSession};
use kernel::StoreError;

use crate::{
    account::account,
    client::ClientContext,
    identity::sign_in::{StartedSession, with_effective_role},
    tx::Tx,
};

/// Renews a session; `None` if it has ended.
pub fn refresh_session(
    tx: &mut Tx<'_, '_>,
    secret: &RefreshToken,
    key: &RefreshKey,
    client: &ClientContext,
) -> Result<Option<StartedSession>, StoreError> {
    let now = tx.now();
    let seen = DeviceDescription { device: &client.device, place: &client.place };
    let Some(RefreshedSession { user, session, strong, secret }) = tx.pg.refresh_session(secret, key, seen, now)?
    else {
        return Ok(None);
    };
    let account = account(tx.pg, user, now)?;
    let settings = tx.settings;
    Ok(account.map(|account| StartedSession {
        account: with_effective_role(account, strong, settings),
        session,
        secret,
    }))
}

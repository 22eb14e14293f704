//! From where a request comes, as far as workflows need to know.

use std::net::IpAddr;

use identity::{Identity, RefreshToken};
use kernel::{SessionId, StoreError};

use crate::tx::Tx;

/// The device and the network from which a request comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientContext {
    /// The device as its owner recognises it, such as `Firefox on Windows`.
    pub device: String,
    /// The country of the IP address, as coarsely as that tells.
    pub place: String,
    /// The IP address, for rate limits; never stored.
    pub address: IpAddr,
    /// The device cookie, which an earlier sign-in on this device has set (`identity.known-device`).
    pub mark: Option<String>,
    /// The refresh token of the cookie: the session that the browser holds already.
    pub held: Option<RefreshToken>,
}

impl ClientContext {
    /// The live session of the cookie.
    pub(super) fn held_session(&self, tx: &mut Tx<'_, '_>) -> Result<Option<SessionId>, StoreError> {
        let Some(secret) = &self.held else { return Ok(None) };
        Ok(tx.pg.session_held(secret, tx.now())?.map(|session| session.id))
    }
}

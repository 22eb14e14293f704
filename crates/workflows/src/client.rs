//! The client of a request, as far as workflows need to know it.

use std::net::IpAddr;

use identity::{Identity, RefreshToken};
use kernel::{SessionId, StoreError};

use crate::tx::Tx;

/// The device and the network that a request comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientContext {
    /// The device, as its owner recognizes it, such as `Firefox on Windows`.
    pub device: String,
    /// The place that the IP belongs to: no more precise than its country.
    pub place: String,
    /// The IP, for rate limits; never stored.
    pub address: IpAddr,
    /// The device cookie, set by an earlier sign-in on this device (`identity.known-device`).
    pub mark: Option<String>,
    /// The refresh token in the cookie: of the session that the browser has already.
    pub held: Option<RefreshToken>,
}

impl ClientContext {
    /// The live session of the refresh token.
    pub(super) fn held_session(&self, tx: &mut Tx<'_, '_>) -> Result<Option<SessionId>, StoreError> {
        let Some(secret) = &self.held else { return Ok(None) };
        Ok(tx.pg.session_held(secret, tx.now())?.map(|session| session.id))
    }
}

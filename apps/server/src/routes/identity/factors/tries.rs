//! Limits on guessing at what protects an account.

use std::net::IpAddr;

use identity::{Identity, Try, network_of};
use kernel::UserId;

use crate::{app::App, error::ApiError};

/// Counts a code that is tried on an account.
pub(super) async fn of_code(app: &App, user: UserId) -> Result<(), ApiError> {
    let (limits, now) = (app.config.limits.second_factor.clone(), app.env.now());
    let whose = user.to_string();
    app.db.write(move |pg| pg.take_tries(&[Try { what: "factor", whose: &whose, limits: &limits }], now)).await?;
    Ok(())
}

/// Counts a ceremony that is begun or finished from an address of the network.
pub(super) async fn of_ceremony(app: &App, address: IpAddr) -> Result<(), ApiError> {
    let (limits, now, network) = (app.config.limits.passkey.clone(), app.env.now(), network_of(address));
    app.db.write(move |pg| pg.take_tries(&[Try { what: "passkey", whose: &network, limits: &limits }], now)).await?;
    Ok(())
}

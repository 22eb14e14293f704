//! Limits on guessing at what protects an account.

use std::net::IpAddr;

use identity::network_of;
use kernel::UserId;

use crate::{app::App, error::ApiError, flows::tries};

/// Counts a code that is tried on an account.
pub(super) async fn of_code(app: &App, user: UserId) -> Result<(), ApiError> {
    tries::count(app, "factor", user.to_string(), &app.config.limits.second_factor).await
}

/// Counts a ceremony that is begun or finished from an address of the network.
pub(super) async fn of_ceremony(app: &App, address: IpAddr) -> Result<(), ApiError> {
    tries::count(app, "passkey", network_of(address), &app.config.limits.passkey).await
}

//! Rate limits on guessing second factors.

use std::net::IpAddr;

use identity::network_of;
use kernel::UserId;

use crate::{app::App, error::ApiError, flows::rate_limits};

/// Counts an attempt with a code on an account.
pub(super) async fn of_code(app: &App, user: UserId) -> Result<(), ApiError> {
    Ok(rate_limits::count(&app.transactions, "factor", user.to_string(), &app.config.limits.second_factor).await?)
}

/// Counts a passkey ceremony that is begun or finished from an IP address.
pub(super) async fn of_ceremony(app: &App, address: IpAddr) -> Result<(), ApiError> {
    Ok(rate_limits::count(&app.transactions, "passkey", network_of(address), &app.config.limits.passkey).await?)
}

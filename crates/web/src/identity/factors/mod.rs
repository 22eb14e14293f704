//! The second factor and passkeys.

mod passkeys;
mod proof;
mod second_factor;
mod totp;
mod types;

use std::{net::IpAddr, sync::Arc};
use workflows::rate_limits;

use ::passkeys::Passkeys;
use identity::RateLimitBucket;
use kernel::{UserId, network_of};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    http::{error::ApiError, openapi::Routes},
};

/// Registers the API routes of this module.
pub(super) fn configure(config: &mut impl Routes) {
    config
        .service(second_factor::second_factor)
        .service(second_factor::security)
        .service(totp::begin_totp)
        .service(totp::confirm_totp)
        .service(totp::end_totp)
        .service(totp::renew_recovery_codes)
        .service(passkeys::begin_passkey)
        .service(passkeys::add_passkey)
        .service(passkeys::rename_passkey)
        .service(passkeys::remove_passkey)
        .service(passkeys::begin_passkey_login)
        .service(passkeys::passkey_login)
        .service(proof::prove)
        .service(proof::mail_code);
}

/// A fresh proof of who is there. Without it the sign-in must be at most ten minutes old.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Proof {
    /// The password.
    current_password: Option<String>,
}

/// A code of the authenticator app, or a recovery code.
#[derive(Deserialize, ToSchema)]
struct FactorCode {
    /// Six digits, or sixteen characters; blanks and dashes do not count.
    code: String,
}

/// The passkey verifier; `404` when the site can't have passkeys.
fn site_passkeys(app: &App) -> Result<Arc<Passkeys>, ApiError> {
    app.passkeys.clone().ok_or_else(|| ApiError::not_found("page"))
}

/// Counts an attempt at a second factor against the user's rate limit.
async fn limit_codes(app: &App, user: UserId) -> Result<(), ApiError> {
    Ok(rate_limits::count(&app.transactions, RateLimitBucket::Factor, user.to_string()).await?)
}

/// Counts a passkey ceremony against the network's rate limit.
async fn limit_ceremonies(app: &App, address: IpAddr) -> Result<(), ApiError> {
    Ok(rate_limits::count(&app.transactions, RateLimitBucket::Passkey, network_of(address)).await?)
}

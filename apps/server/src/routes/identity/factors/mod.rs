//! The second factor and passkeys.

mod add_passkey;
mod begin_passkey;
mod begin_passkey_login;
mod begin_totp;
mod confirm_totp;
mod end_totp;
mod passkey_login;
mod rate_limits;
mod remove_passkey;
mod rename_passkey;
mod renew_recovery_codes;
mod second_factor;
mod security;

use passkeys::Passkeys;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::{app::App, error::ApiError};

/// The calls of this folder.
pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(second_factor::second_factor)
        .service(security::security)
        .service(begin_totp::begin_totp)
        .service(confirm_totp::confirm_totp)
        .service(end_totp::end_totp)
        .service(renew_recovery_codes::renew_recovery_codes)
        .service(begin_passkey::begin_passkey)
        .service(add_passkey::add_passkey)
        .service(rename_passkey::rename_passkey)
        .service(remove_passkey::remove_passkey)
        .service(begin_passkey_login::begin_passkey_login)
        .service(passkey_login::passkey_login);
}

/// What proves anew who is there. Without it the sign-in has to be fresh: at most a quarter of an hour old.
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

/// Passkeys, where the site can have any.
fn passkeys(app: &App) -> Result<&Passkeys, ApiError> {
    app.passkeys.as_ref().ok_or_else(|| ApiError::not_found("page"))
}

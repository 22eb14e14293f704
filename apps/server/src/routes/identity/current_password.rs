//! The password that a signed-in member types to change something.

use identity::{Account, Identity, IdentityError, Try};
use kernel::UserId;

use super::hashing::{self, Checked};
use crate::{app::App, error::ApiError};

/// Checks the current password, and how often it is tried; gives the account. Somebody who never had a password needs
/// none, but a fresh session: see [`identity::Factors::allow_change_of_ways_in`]. Each try counts, also on a device that is known: it may be a stolen one.
pub(super) async fn check(app: &App, user: UserId, password: Option<String>) -> Result<Account, ApiError> {
    let (limits, now) = (app.config.limits.password.clone(), app.env.now());
    let account = app
        .db
        .write::<_, IdentityError, _>(move |pg| {
            pg.take_tries(&[Try { what: "password", whose: &user.to_string(), limits: &limits }], now)?;
            Ok(match pg.user(user)? {
                Some(user) => pg.account(&user.email)?,
                None => None,
            })
        })
        .await?
        .ok_or_else(ApiError::unauthenticated)?;
    if let Some(hash) = account.password_hash.clone() {
        let checked = hashing::check(app, password.unwrap_or_default(), Some(hash)).await?;
        if matches!(checked, Checked::Wrong) {
            return Err(IdentityError::CurrentPasswordWrong.into());
        }
    }
    Ok(account)
}

//! Typing the password again before something that matters.

use identity::{Identity, IdentityError, Try};
use kernel::UserId;

use super::hashing::{self, Checked};
use crate::{
    app::App,
    error::{ApiError, Code},
};

/// Whether a password was typed; a wrong one is refused, and each counts towards the account's limit.
pub(super) async fn was_typed(app: &App, user: UserId, typed: Option<String>) -> Result<bool, ApiError> {
    let Some(typed) = typed else { return Ok(false) };
    let (limits, now) = (app.config.limits.password.clone(), app.env.now());
    let hash = app
        .db
        .write::<_, IdentityError, _>(move |pg| {
            pg.take_tries(&[Try { what: "password", whose: &user.to_string(), limits: &limits }], now)?;
            let Some(user) = pg.user(user)? else { return Err(IdentityError::SessionEnded) };
            Ok(pg.account(&user.email)?.and_then(|account| account.password_hash))
        })
        .await?;
    match hashing::check(app, typed, hash).await? {
        Checked::Right(_) => Ok(true),
        Checked::Wrong => {
            Err(ApiError::new(Code::InvalidCredentials, "The password is not correct.").on_field("currentPassword"))
        }
    }
}

//! Whether somebody has typed the password before something that matters.

use kernel::UserId;

use super::current_password;
use crate::{app::App, error::ApiError};

/// Whether the right password was typed; a wrong one is refused. Who has none has typed none.
pub(super) async fn was_typed(app: &App, user: UserId, typed: Option<String>) -> Result<bool, ApiError> {
    match typed {
        None => Ok(false),
        Some(typed) => Ok(current_password::check(app, user, Some(typed)).await?.password_hash.is_some()),
    }
}

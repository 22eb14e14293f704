//! Hashing passwords: long work of the processor, done beside the requests, as many at once as there are cores, and
//! before a connection to the database is taken.

use std::{sync::Arc, time::Duration};

use identity::{Password, PasswordHash, verify_password};
use tracing::Span;

use crate::{app::App, error::ApiError};

/// How long a login waits for its turn in a flood of them.
const WAIT: Duration = Duration::from_secs(10);

/// What checking a password came to.
pub(super) enum PasswordCheck {
    /// It is not the password.
    Wrong,
    /// It is, and its hash is to be replaced by this one when there is one.
    Right(Option<PasswordHash>),
}

/// Hashes a new password.
pub(super) async fn hash(app: &App, password: Password) -> Result<PasswordHash, ApiError> {
    let env = Arc::clone(&app.env);
    in_turn(app, move || password.hash(&*env)).await
}

/// Checks a password, for as long without a hash as with one. A hash with outdated parameters is replaced.
pub(super) async fn check(app: &App, password: String, hash: Option<PasswordHash>) -> Result<PasswordCheck, ApiError> {
    let env = Arc::clone(&app.env);
    in_turn(app, move || {
        if !verify_password(&password, hash.as_ref()) {
            return PasswordCheck::Wrong;
        }
        let is_old = hash.is_some_and(|hash| hash.is_old());
        PasswordCheck::Right(is_old.then(|| PasswordHash::of(&password, &*env)))
    })
    .await
}

async fn in_turn<T: Send + 'static>(app: &App, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    let turn = tokio::time::timeout(WAIT, Arc::clone(&app.hashing).acquire_owned());
    let turn = turn.await.map_err(|_| ApiError::busy())?.map_err(ApiError::internal)?;
    let span = Span::current();
    let done = tokio::task::spawn_blocking(move || {
        let done = span.in_scope(work);
        drop(turn);
        done
    });
    done.await.map_err(ApiError::internal)
}

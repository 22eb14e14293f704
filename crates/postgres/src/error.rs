//! Converts Diesel's errors to [`StoreError`], and says why a restore fails.

use diesel::result::{ConnectionError, DatabaseErrorKind, Error};
use kernel::StoreError;

/// Why a backup can't be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The database has tables already.
    #[error("the database is not empty: restore into a new one")]
    NotEmpty,
    /// The backup lists a migration that this release does not have.
    #[error("the backup was made by a newer release: it has the migration {0}")]
    Newer(String),
    /// A table of the backup has other columns than this release's migrations create.
    #[error("the backup has other tables than this release makes of its migrations: {0}")]
    OtherTables(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Converts a Diesel error. A lost connection, a full disk, a database that is starting or stopping, and a deadlock become
/// [`StoreError::unavailable`].
pub fn store_error(error: Error) -> StoreError {
    if is_lost_connection(&error) || is_out_of_resources(&error) || is_deadlock(&error) {
        StoreError::unavailable(error)
    } else if is_owner_gone(&error) {
        StoreError::owner_gone(error)
    } else if is_unstorable_text(&error) {
        StoreError::unstorable_text(error)
    } else {
        StoreError::new(error)
    }
}

/// Whether the connection is gone. A statement that only reads may be retried on another one.
pub(crate) fn is_lost_connection(error: &Error) -> bool {
    match error {
        Error::DatabaseError(DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand, _)
        | Error::BrokenTransactionManager => true,
        Error::DatabaseError(_, info) => {
            let text = info.message();
            [
                "terminating connection",
                "server closed the connection",
                "the database system is",
                "no connection to the server",
            ]
            .iter()
            .any(|sign| text.contains(sign))
        }
        _ => false,
    }
}

/// Diesel does not expose SQLSTATE, so this matches the messages that Postgres fixes for these classes.
fn is_out_of_resources(error: &Error) -> bool {
    match error {
        Error::DatabaseError(DatabaseErrorKind::ReadOnlyTransaction, _) => true,
        Error::DatabaseError(_, info) => {
            let text = info.message();
            text.contains("No space left on device")
                || text.contains("too many clients")
                || text.contains("out of memory")
        }
        _ => false,
    }
}

/// Whether a deadlock aborted the transaction. Nothing was written, and a retry will succeed.
fn is_deadlock(error: &Error) -> bool {
    matches!(error, Error::DatabaseError(_, info) if info.message().contains("deadlock detected"))
}

/// Whether a row would belong to a user or a session that no longer exists. Postgres names foreign key constraints after table
/// and column.
fn is_owner_gone(error: &Error) -> bool {
    let Error::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, info) = error else { return false };
    info.constraint_name().is_some_and(|name| name.ends_with("_user_id_fkey") || name.ends_with("_session_id_fkey"))
}

/// Whether a text contains U+0000: SQLSTATE 22021 in a text, 22P05 in JSON.
fn is_unstorable_text(error: &Error) -> bool {
    let Error::DatabaseError(_, info) = error else { return false };
    let text = info.message();
    text.contains("invalid byte sequence for encoding") || text.contains("unsupported Unicode escape sequence")
}

/// Converts a failure to connect.
pub(crate) fn connection_error(error: ConnectionError) -> StoreError {
    StoreError::unavailable(error)
}

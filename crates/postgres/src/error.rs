//! Diesel's errors as the one way in which a store fails, and why a restore fails.

use diesel::result::{ConnectionError, DatabaseErrorKind, Error};
use kernel::StoreError;

/// Why a backup can't be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The database has tables.
    #[error("the database is not empty: restore into a new one")]
    NotEmpty,
    /// The backup has a migration that this release does not know.
    #[error("the backup was made by a newer release: it has the migration {0}")]
    Newer(String),
    /// A table of the backup has other columns than this release's migrations make.
    #[error("the backup has other tables than this release makes of its migrations: {0}")]
    OtherTables(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Turns a failure of the database into a [`StoreError`]; a lost connection, a full disk, a database that is
/// starting or stopping and two transactions that waited for each other are `unavailable`.
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

/// The connection is gone: the statement may be tried on another when it only reads.
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

/// Diesel does not tell SQLSTATE classes apart, so the sentences that Postgres fixes for them are looked for.
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

/// Nothing was written, and a retry will succeed.
fn is_deadlock(error: &Error) -> bool {
    matches!(error, Error::DatabaseError(_, info) if info.message().contains("deadlock detected"))
}

/// A row was to belong to a person or a session that is not there any more. Postgres names the constraints of columns
/// that refer to something after table and column.
fn is_owner_gone(error: &Error) -> bool {
    let Error::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, info) = error else { return false };
    info.constraint_name().is_some_and(|name| name.ends_with("_user_id_fkey") || name.ends_with("_session_id_fkey"))
}

/// A text has U+0000: SQLSTATE 22021 for a text, 22P05 for one in JSON.
fn is_unstorable_text(error: &Error) -> bool {
    let Error::DatabaseError(_, info) = error else { return false };
    let text = info.message();
    text.contains("invalid byte sequence for encoding") || text.contains("unsupported Unicode escape sequence")
}

/// A connection could not be had.
pub(crate) fn connection_error(error: ConnectionError) -> StoreError {
    StoreError::unavailable(error)
}

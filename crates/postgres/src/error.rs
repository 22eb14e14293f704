//! Diesel's errors as the one way in which a store fails.

use diesel::result::{ConnectionError, DatabaseErrorKind, Error};
use kernel::StoreError;

/// Turns a failure of the database into a [`StoreError`]; a lost connection, a full disk and a database that is
/// starting or stopping are `unavailable`.
pub fn store_error(error: Error) -> StoreError {
    if is_lost_connection(&error) || is_out_of_resources(&error) {
        StoreError::unavailable(error)
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

/// A connection could not be had.
pub(crate) fn connection_error(error: ConnectionError) -> StoreError {
    StoreError::unavailable(error)
}

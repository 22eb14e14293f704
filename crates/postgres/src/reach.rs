//! Whether the database can be reached, and whether waiting for it makes sense.

use diesel::{RunQueryDsl, sql_query, sql_types::Integer};
use kernel::StoreError;

use crate::{
    connect::connect,
    error::{connection_error, store_error},
};

/// Why no connection could be opened. Each is one sentence, in the words of libpq or the server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectFailure {
    /// Nothing listens there, or the server is starting, stopping, a standby that is being promoted, or full. It may pass.
    #[error("{0}")]
    Transient(String),
    /// Anything else, such as a wrong password, database or host. It will not pass by itself.
    #[error("{0}")]
    Permanent(String),
}

/// Parts of the messages of transient failures: libpq gives no code.
const TRANSIENT: [&str; 8] = [
    "Connection refused",
    "No such file or directory",
    "the database system is",
    "too many clients",
    "remaining connection slots",
    "session is read-only",
    "server is in hot standby mode",
    "server closed the connection unexpectedly",
];

impl ConnectFailure {
    fn of(text: &str) -> Self {
        let sentence = one_line(text);
        if TRANSIENT.iter().any(|sign| sentence.contains(sign)) {
            Self::Transient(sentence)
        } else {
            Self::Permanent(sentence)
        }
    }
}

/// Puts a message of several lines on one.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Opens a connection and closes it.
///
/// # Errors
/// Why none can be opened.
pub fn reach(database_url: &str) -> Result<(), ConnectFailure> {
    connect(database_url).map(drop).map_err(|error| ConnectFailure::of(&error.to_string()))
}

/// The connections that the server allows to others than superusers, and those that are open now, this one included.
///
/// # Errors
/// [`StoreError`]
pub fn connection_slots(database_url: &str) -> Result<(u32, u32), StoreError> {
    #[derive(diesel::QueryableByName)]
    struct Slots {
        #[diesel(sql_type = Integer)]
        allowed: i32,
        #[diesel(sql_type = Integer)]
        open: i32,
    }
    let mut connection = connect(database_url).map_err(connection_error)?;
    let slots: Slots = sql_query(
        "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS allowed, \
         (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS open",
    )
    .get_result(&mut connection)
    .map_err(store_error)?;
    Ok((u32::try_from(slots.allowed).unwrap_or(0), u32::try_from(slots.open).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_pass_is_waited_for() {
        for text in [
            "connection to server at \"127.0.0.1\", port 5 failed: Connection refused\n\tIs the server running on that host?\n",
            "connection to server on socket \"/tmp/.s.PGSQL.5\" failed: No such file or directory",
            "connection to server at \"db\", port 5432 failed: FATAL:  the database system is starting up",
            "connection to server at \"db\", port 5432 failed: FATAL:  sorry, too many clients already",
            "connection to server at \"a\", port 1 failed: Connection refused\nconnection to server at \"b\", port 1 failed: session is read-only",
        ] {
            let failure = ConnectFailure::of(text);
            assert!(matches!(failure, ConnectFailure::Transient(_)), "{text}");
            assert!(!failure.to_string().contains(['\n', '\t']));
        }
        for text in [
            "connection to server at \"db\", port 5432 failed: FATAL:  password authentication failed for user \"pith\"",
            "connection to server at \"db\", port 5432 failed: FATAL:  database \"pit\" does not exist",
            "could not translate host name \"nowhere\" to address: Name or service not known",
            "missing \"=\" after \"nonsense\" in connection info string",
        ] {
            assert!(matches!(ConnectFailure::of(text), ConnectFailure::Permanent(_)), "{text}");
        }
    }
}

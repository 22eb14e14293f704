//! Moments between the kernel's milliseconds and Postgres' `timestamptz`.

use chrono::{DateTime, Utc};
use kernel::Timestamp;

/// A moment as a column's value. Moments outside chrono's range (250,000 years away) become its end.
pub(crate) fn to_db(at: Timestamp) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(at.millis()).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// A column's value as a moment.
pub(crate) fn from_db(at: DateTime<Utc>) -> Timestamp {
    Timestamp::from_millis(at.timestamp_millis())
}

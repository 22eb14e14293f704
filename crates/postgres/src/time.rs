//! Converts times between the kernel's milliseconds and Postgres' `timestamptz`, and days between the kernel's and `date`.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use kernel::{Day, Timestamp};

/// Converts to a column's value. Times outside chrono's range (250,000 years away) become its end.
pub(crate) fn to_db(at: Timestamp) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(at.millis()).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// Converts from a column's value.
pub(crate) fn from_db(at: DateTime<Utc>) -> Timestamp {
    Timestamp::from_millis(at.timestamp_millis())
}

/// Converts to a column's value. Days outside chrono's range (250,000 years away) become its end.
pub(crate) fn day_to_db(day: Day) -> NaiveDate {
    let days = TimeDelta::days(i64::from(day.since_epoch()));
    NaiveDate::default().checked_add_signed(days).unwrap_or(NaiveDate::MAX)
}

/// Converts from a column's value.
pub(crate) fn day_from_db(day: NaiveDate) -> Day {
    let days = day.signed_duration_since(NaiveDate::default()).num_days();
    Day::from_epoch(i32::try_from(days).unwrap_or(i32::MAX))
}

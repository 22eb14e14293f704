//! Timestamps, in milliseconds since the Unix epoch (`api.time-format`).

/// One second, in milliseconds.
pub const SECOND: i64 = 1_000;
/// One minute, in milliseconds.
pub const MINUTE: i64 = 60 * SECOND;
/// One hour, in milliseconds.
pub const HOUR: i64 = 60 * MINUTE;
/// Twenty-four hours, in milliseconds. A calendar day may be an hour longer or shorter.
pub const DAY: i64 = 24 * HOUR;

/// A point in time, in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Adds milliseconds, subtracts when negative. Saturates.
    #[must_use]
    pub const fn plus(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Milliseconds from `earlier` to this time; negative if `earlier` is later.
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

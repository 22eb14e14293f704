//! Days and months of a person's own calendar.

use crate::Timestamp;
use jiff::{civil, tz};

/// The time zone of a person. A name that the IANA database does not have stands for UTC (`decisions.md` 23).
#[derive(Clone, Debug, PartialEq)]
pub struct TimeZone(tz::TimeZone);

impl TimeZone {
    /// Coordinated universal time.
    pub const UTC: Self = Self(tz::TimeZone::UTC);

    /// The zone of an IANA name such as `Europe/Vienna`; UTC when there is none of that name.
    pub fn named(name: &str) -> Self {
        Self(tz::TimeZone::get(name).unwrap_or(tz::TimeZone::UTC))
    }

    /// The day of the calendar at a moment.
    pub fn day_of(&self, at: Timestamp) -> Day {
        let days = self.date_of(at).duration_since(EPOCH).as_secs() / (24 * 60 * 60);
        // Dates lie within the years -9999 to 9999: their days fit many times over.
        Day(i32::try_from(days).unwrap_or_default())
    }

    /// The month of the calendar at a moment.
    pub fn month_of(&self, at: Timestamp) -> Month {
        let date = self.date_of(at);
        Month(i32::from(date.year()) * 12 + i32::from(date.month()) - 1)
    }

    fn date_of(&self, at: Timestamp) -> civil::Date {
        let end = if at.millis() < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        self.0.to_datetime(jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(end)).date()
    }
}

const EPOCH: civil::Date = civil::date(1970, 1, 1);

/// A day of the calendar, wherever it is lived: counted from 1 January 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

impl Day {
    /// The day that many days after 1 January 1970.
    pub const fn from_epoch(days: i32) -> Self {
        Self(days)
    }

    /// Days since 1 January 1970.
    pub const fn since_epoch(self) -> i32 {
        self.0
    }

    /// The day before.
    #[must_use]
    pub const fn yesterday(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

/// A month of the calendar. Later months are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(i32);

#[cfg(test)]
mod tests {
    use super::{Day, TimeZone};
    use crate::{HOUR, Timestamp};

    /// 2026-01-31T23:30:00Z.
    const LAST_HOUR_OF_JANUARY: Timestamp = Timestamp::from_millis(1_769_902_200_000);

    #[test]
    fn a_day_begins_at_the_readers_midnight() {
        let (utc, tokyo) = (TimeZone::UTC, TimeZone::named("Asia/Tokyo"));
        assert_eq!(utc.day_of(LAST_HOUR_OF_JANUARY), tokyo.day_of(LAST_HOUR_OF_JANUARY).yesterday());
        assert!(utc.month_of(LAST_HOUR_OF_JANUARY) < tokyo.month_of(LAST_HOUR_OF_JANUARY));
        assert_eq!(
            utc.month_of(LAST_HOUR_OF_JANUARY.plus(HOUR)),
            tokyo.month_of(LAST_HOUR_OF_JANUARY),
            "UTC follows half an hour later"
        );
    }

    #[test]
    fn days_are_counted_from_the_epoch() {
        assert_eq!(TimeZone::UTC.day_of(Timestamp::from_millis(0)), Day::from_epoch(0));
        assert_eq!(TimeZone::UTC.day_of(Timestamp::from_millis(-1)), Day::from_epoch(-1));
        assert_eq!(TimeZone::UTC.day_of(LAST_HOUR_OF_JANUARY), Day::from_epoch(20_484));
    }

    #[test]
    fn an_unknown_zone_is_utc_and_no_moment_is_too_far() {
        for name in ["", "Mars/Olympus", "UTC+3", "../etc/passwd"] {
            assert_eq!(TimeZone::named(name), TimeZone::UTC, "{name:?}");
        }
        for millis in [i64::MIN, i64::MAX] {
            TimeZone::named("America/Lima").day_of(Timestamp::from_millis(millis));
        }
    }
}

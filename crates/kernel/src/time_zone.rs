//! Days and months in a member's time zone.

use std::{fmt, str::FromStr};

use crate::Timestamp;
use jiff::{civil, tz};

/// A member's time zone. An unknown IANA name means UTC (`identity.time-zone`).
#[derive(Clone, Debug, PartialEq)]
pub struct TimeZone(tz::TimeZone);

impl TimeZone {
    /// Coordinated universal time.
    pub const UTC: Self = Self(tz::TimeZone::UTC);

    /// The zone with this IANA name, such as `Europe/Vienna`; UTC if there is none.
    pub fn named(name: &str) -> Self {
        Self(tz::TimeZone::get(name).unwrap_or(tz::TimeZone::UTC))
    }

    /// The calendar day at this time.
    pub fn day_of(&self, at: Timestamp) -> Day {
        let days = self.date_of(at).duration_since(EPOCH).as_secs() / (24 * 60 * 60);
        // Dates are within the years -9999 to 9999, so their day numbers always fit.
        Day(i32::try_from(days).unwrap_or_default())
    }

    /// The calendar month at this time.
    pub fn month_of(&self, at: Timestamp) -> Month {
        self.day_of(at).month()
    }

    /// The time at which local clocks show a full hour (0 to 23) of a day. If clocks show the hour twice, the first
    /// time; if they skip it, later by as much as the clocks jump.
    pub fn moment(&self, day: Day, hour: u8) -> Timestamp {
        let time = civil::Time::new(i8::try_from(hour).unwrap_or_default(), 0, 0, 0).unwrap_or_default();
        let clock = self.0.to_ambiguous_timestamp(day.date().to_datetime(time)).compatible();
        Timestamp::from_millis(clock.unwrap_or(jiff::Timestamp::MAX).as_millisecond())
    }

    fn date_of(&self, at: Timestamp) -> civil::Date {
        let end = if at.millis() < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        self.0.to_datetime(jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(end)).date()
    }
}

const EPOCH: civil::Date = civil::date(1970, 1, 1);

/// A calendar day without a time zone, counted from January 1, 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

impl Day {
    /// The day this many days after January 1, 1970; before when negative.
    pub const fn from_epoch(days: i32) -> Self {
        Self(days)
    }

    /// Days since January 1, 1970; negative before.
    pub const fn since_epoch(self) -> i32 {
        self.0
    }

    /// The day before.
    #[must_use]
    pub const fn yesterday(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The day this many days later; earlier when negative.
    #[must_use]
    pub const fn plus(self, days: i32) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Its calendar year.
    pub fn year(self) -> Year {
        Year(self.date().year())
    }

    /// Its calendar month.
    pub fn month(self) -> Month {
        let date = self.date();
        Month(i32::from(date.year()) * 12 + i32::from(date.month()) - 1)
    }

    fn date(self) -> civil::Date {
        EPOCH.saturating_add(jiff::SignedDuration::from_hours(i64::from(self.0) * 24))
    }
}

/// ISO 8601, such as `2026-11-23`.
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.date())
    }
}

/// The text is not a calendar day such as `2026-11-23`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no day such as 2026-11-23")]
pub struct InvalidDay;

impl FromStr for Day {
    type Err = InvalidDay;

    fn from_str(text: &str) -> Result<Self, InvalidDay> {
        let is_plain = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let date: civil::Date = if is_plain { text.parse().map_err(|_| InvalidDay)? } else { return Err(InvalidDay) };
        let days = date.duration_since(EPOCH).as_secs() / (24 * 60 * 60);
        i32::try_from(days).map(Self).map_err(|_| InvalidDay)
    }
}

/// A calendar month without a time zone. Later months compare greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(i32);

impl Month {
    /// Its number within its year, from 0 for January to 11.
    pub fn index(self) -> usize {
        usize::try_from(self.0.rem_euclid(12)).unwrap_or_default()
    }
}

/// A calendar year, such as 2026. Later years compare greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Year(i16);

impl Year {
    /// The year with this number. Those beyond -9998 to 9998, at which the calendar ends, become the first or the last.
    pub fn new(number: i64) -> Self {
        Self(i16::try_from(number.clamp(-9_998, 9_998)).unwrap_or_default())
    }

    pub const fn number(self) -> i16 {
        self.0
    }

    /// January 1.
    pub fn first_day(self) -> Day {
        let days = civil::date(self.0, 1, 1).duration_since(EPOCH).as_secs() / (24 * 60 * 60);
        Day(i32::try_from(days).unwrap_or_default())
    }

    /// December 31.
    pub fn last_day(self) -> Day {
        Self(self.0 + 1).first_day().yesterday()
    }
}

#[cfg(test)]
mod tests {
    use super::{Day, InvalidDay, TimeZone, Year};
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
    fn an_hour_of_a_day_is_the_clocks_also_when_it_jumps() {
        let moment = |zone: &str, day: &str, hour| TimeZone::named(zone).moment(day.parse().unwrap(), hour);
        let at = |text: &str| Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond());
        for (zone, day, hour, expected) in [
            ("UTC", "2026-11-23", 7, "2026-11-23T07:00:00Z"),
            ("Asia/Kolkata", "2026-11-23", 0, "2026-11-22T18:30:00Z"),
            // The clock goes from 2 to 3: there is no 2 o'clock. In autumn there are two.
            ("Europe/Vienna", "2026-03-29", 2, "2026-03-29T01:00:00Z"),
            ("Europe/Vienna", "2026-03-29", 7, "2026-03-29T05:00:00Z"),
            ("Europe/Vienna", "2026-10-25", 2, "2026-10-25T00:00:00Z"),
            ("Europe/Vienna", "2026-10-25", 7, "2026-10-25T06:00:00Z"),
            // No midnight.
            ("America/Santiago", "2026-09-06", 0, "2026-09-06T04:00:00Z"),
        ] {
            assert_eq!(moment(zone, day, hour), at(expected), "{zone} {day} {hour}");
        }
    }

    #[test]
    fn days_are_counted_from_the_epoch() {
        assert_eq!(TimeZone::UTC.day_of(Timestamp::from_millis(0)), Day::from_epoch(0));
        assert_eq!(TimeZone::UTC.day_of(Timestamp::from_millis(-1)), Day::from_epoch(-1));
        assert_eq!(TimeZone::UTC.day_of(LAST_HOUR_OF_JANUARY), Day::from_epoch(20_484));
    }

    #[test]
    fn a_day_is_written_and_read() {
        for (text, days) in [("1970-01-01", 0), ("1969-12-31", -1), ("2026-02-01", 20_485), ("2028-02-29", 21_243)] {
            assert_eq!((text.parse(), Day::from_epoch(days).to_string().as_str()), (Ok(Day::from_epoch(days)), text));
        }
        for text in ["", "2026-02-29", "2026-2-1", "2026-02-01T00", "20260201", "2026-13-01", "-026-01-01"] {
            assert_eq!(text.parse::<Day>(), Err(InvalidDay), "{text:?}");
        }
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

    #[test]
    fn a_year_goes_from_january_to_december() {
        for (number, first, last) in [(2026, "2026-01-01", "2026-12-31"), (2028, "2028-01-01", "2028-12-31")] {
            let year = Year::new(number);
            assert_eq!((year.first_day().to_string(), year.last_day().to_string()), (first.into(), last.into()));
            assert_eq!((year.first_day().year(), year.last_day().year()), (year, year));
            assert_eq!((year.first_day().month().index(), year.last_day().month().index()), (0, 11));
            assert_eq!(i64::from(year.number()), number);
        }
        assert_eq!(Year::new(2028).last_day().since_epoch() - Year::new(2028).first_day().since_epoch(), 365);
        assert_eq!("1969-12-31".parse::<Day>().unwrap().month().index(), 11);
        for number in [i64::MIN, i64::MAX] {
            assert_eq!(Year::new(number).first_day().year(), Year::new(number));
        }
    }
}

//! Formats times: in the member's time zone for people, in UTC for programs.

use jiff::{Zoned, tz::TimeZone};
use kernel::Day;
use kernel::Timestamp;

use crate::calendar::moment;

#[derive(Clone, Debug)]
pub(super) struct LocalTime(TimeZone);

impl LocalTime {
    /// The time zone with this IANA name; UTC if there is none.
    pub(super) fn of_zone(name: &str) -> Self {
        Self(TimeZone::get(name).unwrap_or(TimeZone::UTC))
    }

    /// Such as `June 15, 2026`.
    pub(super) fn day(&self, at: Timestamp) -> String {
        self.at(at).strftime("%B %-d, %Y").to_string()
    }

    /// Such as `June 15, 2026, 2:00 PM`.
    pub(super) fn moment(&self, at: Timestamp) -> String {
        self.at(at).strftime("%B %-d, %Y, %-I:%M %p").to_string()
    }

    /// Such as `2026-06-15`.
    pub(super) fn date(&self, at: Timestamp) -> String {
        self.at(at).strftime("%Y-%m-%d").to_string()
    }

    fn at(&self, at: Timestamp) -> Zoned {
        moment(at).to_zoned(self.0.clone())
    }
}

/// Such as `2026-06-15T12:00:00Z`.
pub(super) fn utc(at: Timestamp) -> String {
    moment(at).to_string()
}

/// Such as `2026-06-15`: a day of the reader's calendar, in whatever time zone they read.
pub fn date_of(day: Day) -> String {
    let midnight = Timestamp::from_millis(i64::from(day.since_epoch()) * kernel::DAY);
    LocalTime(TimeZone::UTC).date(midnight)
}

#[cfg(test)]
mod tests {
    use kernel::Day;
    use kernel::Timestamp;

    use super::{LocalTime, date_of, utc};

    #[test]
    fn moments_are_in_the_members_time_zone_or_utc_when_it_is_unknown() {
        // 2026-06-15T22:30:00Z.
        let at = Timestamp::from_millis(1_781_562_600_000);
        let vienna = LocalTime::of_zone("Europe/Vienna");
        assert_eq!((vienna.day(at).as_str(), vienna.date(at).as_str()), ("June 16, 2026", "2026-06-16"));
        assert_eq!(vienna.moment(at), "June 16, 2026, 12:30 AM");
        assert_eq!(LocalTime::of_zone("Mars/Olympus").moment(at), "June 15, 2026, 10:30 PM");
        assert_eq!(utc(at), "2026-06-15T22:30:00Z");
        assert_eq!(date_of(Day::from_epoch(20_484)), "2026-01-31");
    }
}

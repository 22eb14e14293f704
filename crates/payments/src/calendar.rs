//! Periods of subscriptions by the calendar, in UTC.

use billing::gateway::RenewalInterval;
use jiff::{Span, tz::TimeZone};
use kernel::Timestamp;

/// The moment `count` intervals after `anchor`, before it when negative: the same day and time of a later month, its last day where it is too short.
/// So a month counted from 31 January ends on 28 February, and the next one on 31 March.
pub(crate) fn add_intervals(anchor: Timestamp, interval: RenewalInterval, count: i32) -> Timestamp {
    let months = count * if interval == RenewalInterval::Year { 12 } else { 1 };
    jiff::Timestamp::from_millisecond(anchor.millis())
        .ok()
        .and_then(|at| at.to_zoned(TimeZone::UTC).checked_add(Span::new().months(months)).ok())
        // Beyond the year 9999 there is no next period.
        .map_or(Timestamp::from_millis(i64::MAX), |at| Timestamp::from_millis(at.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    #[test]
    fn periods_end_on_the_day_of_the_anchor_or_the_last_of_the_month() {
        for (anchor, interval, count, end) in [
            ("2026-01-31T10:20:30Z", RenewalInterval::Month, 1, "2026-02-28T10:20:30Z"),
            ("2026-01-31T10:20:30Z", RenewalInterval::Month, 2, "2026-03-31T10:20:30Z"),
            ("2024-02-29T00:00:00Z", RenewalInterval::Year, 1, "2025-02-28T00:00:00Z"),
            ("2024-02-29T00:00:00Z", RenewalInterval::Year, 4, "2028-02-29T00:00:00Z"),
            ("2026-03-31T10:20:30Z", RenewalInterval::Month, -1, "2026-02-28T10:20:30Z"),
            ("2026-12-15T23:59:59Z", RenewalInterval::Month, 1, "2027-01-15T23:59:59Z"),
        ] {
            assert_eq!(add_intervals(at(anchor), interval, count), at(end), "{anchor} + {count}");
        }
    }
}

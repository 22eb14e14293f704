//! Calendar month arithmetic, for billing periods.

use jiff::{Span, tz::TimeZone};

use crate::Timestamp;

impl Timestamp {
    /// Adds calendar months in UTC (subtracts when negative), keeping the time of day. A day that the target month does
    /// not have becomes its last day: a month after January 31 is February 28 or 29. A result outside the calendar's
    /// range becomes the latest timestamp.
    ///
    /// Count periods from their first start (`start.plus_months(n)`), not from each other: then January 31 is followed
    /// by March 31.
    #[must_use]
    pub fn plus_months(self, months: impl Into<i64>) -> Self {
        let months = months.into();
        let later = || {
            let at = jiff::Timestamp::from_millisecond(self.millis()).ok()?;
            let later = at.to_zoned(TimeZone::UTC).checked_add(Span::new().try_months(months).ok()?).ok()?;
            Some(Self::from_millis(later.timestamp().as_millisecond()))
        };
        later().unwrap_or(Self::from_millis(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{DAY, Timestamp};

    fn at(text: &str) -> Timestamp {
        Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    #[test]
    fn months_end_on_the_same_day_or_the_months_last() {
        for (start, months, end) in [
            ("2026-01-31T10:20:30Z", 1, "2026-02-28T10:20:30Z"),
            ("2026-01-31T10:20:30Z", 2, "2026-03-31T10:20:30Z"),
            ("2028-01-31T10:20:30Z", 1, "2028-02-29T10:20:30Z"),
            ("2028-02-29T00:00:00Z", 12, "2029-02-28T00:00:00Z"),
            ("2028-02-29T00:00:00Z", 48, "2032-02-29T00:00:00Z"),
            ("2026-12-31T23:59:59Z", 2, "2027-02-28T23:59:59Z"),
            ("2026-03-28T12:00:00Z", 1, "2026-04-28T12:00:00Z"),
            ("2026-03-28T12:00:00Z", 0, "2026-03-28T12:00:00Z"),
            ("2024-02-29T00:00:00Z", 12, "2025-02-28T00:00:00Z"),
            ("2024-02-29T00:00:00Z", 48, "2028-02-29T00:00:00Z"),
            ("2026-12-15T23:59:59Z", 1, "2027-01-15T23:59:59Z"),
            ("2026-03-31T10:20:30Z", -1, "2026-02-28T10:20:30Z"),
        ] {
            assert_eq!(at(start).plus_months(months), at(end), "{start} and {months} months");
        }
        assert_eq!(at("9999-01-01T00:00:00Z").plus_months(24), Timestamp::from_millis(i64::MAX));
        assert_eq!(Timestamp::from_millis(i64::MIN).plus_months(u32::MAX), Timestamp::from_millis(i64::MAX));
    }

    proptest! {
        #[test]
        fn a_month_has_28_to_31_days(seconds in 0..4_000_000_000_i64, months in 1..1_200_u32) {
            let start = Timestamp::from_millis(seconds * 1_000);
            let (before, after) = (start.plus_months(months - 1), start.plus_months(months));
            prop_assert!((28 * DAY..=31 * DAY).contains(&after.since(before)));
            prop_assert_eq!(after.since(start) % DAY, 0);
        }
    }
}

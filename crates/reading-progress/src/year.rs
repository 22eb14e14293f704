//! A year of reading in figures (`reading-progress.year-of-reading`).

use std::ops::Range;

use kernel::{BookId, Day, TimeZone, Timestamp, Year};

use crate::{DaysOfReading, streaks};

/// The first year that has a page.
pub const FIRST_YEAR: i16 = 2020;

/// The moments of a year in a time zone.
pub(crate) fn moments_of(year: Year, time_zone: &TimeZone) -> Range<Timestamp> {
    let start = |day: Day| time_zone.moment(day, 0);
    start(year.first_day())..start(year.last_day().plus(1))
}

/// A month in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MonthOfReading {
    /// Whole minutes of reading and listening.
    pub minutes: u32,
    /// The summaries that were completed for the first time.
    pub summaries: u32,
}

/// A year in figures.
#[derive(Clone, Debug, PartialEq)]
pub struct YearOfReading {
    pub year: Year,
    /// The time zone of the member's calendar.
    pub time_zone: TimeZone,
    /// Whether it has ended in the member's time zone.
    pub is_over: bool,
    /// Whole minutes of reading and listening; `None` when none were counted and the member has switched counting off.
    pub minutes: Option<u32>,
    /// The days with a completed summary or a minute of reading.
    pub reading_days: u32,
    /// The longest streak within the year, in days.
    pub best_streak: u32,
    /// From January to December.
    pub months: [MonthOfReading; 12],
    /// The summaries that were completed for the first time, in that order.
    pub completed: Vec<(BookId, Timestamp)>,
}

impl YearOfReading {
    /// Computes the figures from what is stored about the days of the year, and its first completions, ascending. `other_days`,
    /// of any year, count for the streak too (`reading-progress.streak-days`).
    pub fn of(
        year: Year,
        stored: &DaysOfReading,
        completed: Vec<(BookId, Timestamp)>,
        other_days: &[Day],
        now: Timestamp,
    ) -> Self {
        let range = year.first_day()..=year.last_day();
        let days: Vec<_> = stored.days.iter().filter(|day| range.contains(&day.day)).collect();
        let mut seconds = [0_u32; 12];
        for day in &days {
            add(&mut seconds, day.day, day.seconds);
        }
        let mut summaries = [0_u32; 12];
        for (_, at) in &completed {
            add(&mut summaries, stored.time_zone.day_of(*at), 1);
        }
        let total: u32 = seconds.iter().sum();
        let mut months = [MonthOfReading::default(); 12];
        for (month, (seconds, summaries)) in months.iter_mut().zip(seconds.iter().zip(summaries)) {
            *month = MonthOfReading { minutes: seconds / 60, summaries };
        }
        let read = days.iter().filter(|day| day.summaries > 0 || day.minutes() > 0).count();
        let mut streak_days: Vec<Day> = days.iter().filter(|day| day.summaries > 0).map(|day| day.day).collect();
        streak_days.extend(other_days.iter().filter(|day| range.contains(day)));
        streak_days.sort_unstable();
        streak_days.dedup();
        let today = stored.time_zone.day_of(now);
        Self {
            year,
            time_zone: stored.time_zone.clone(),
            is_over: today > year.last_day(),
            minutes: (total > 0 || stored.settings.counts_time()).then_some(total / 60),
            reading_days: u32::try_from(read).unwrap_or(u32::MAX),
            best_streak: streaks(&streak_days, today).best,
            months,
            completed,
        }
    }

    /// The moments of the year in the member's time zone.
    pub fn moments(&self) -> Range<Timestamp> {
        moments_of(self.year, &self.time_zone)
    }
}

/// Adds to the month of a day.
fn add(months: &mut [u32; 12], day: Day, amount: u32) {
    if let Some(month) = months.get_mut(day.month().index()) {
        *month = month.saturating_add(amount);
    }
}

#[cfg(test)]
mod tests {
    use kernel::{BookId, DAY, Day, TimeZone, Timestamp, Year};
    use proptest::prelude::*;

    use super::{MonthOfReading, YearOfReading, moments_of};
    use crate::{DayOfReading, DaysOfReading, GoalSettings};

    fn day(text: &str) -> Day {
        text.parse().expect("a day")
    }

    fn noon(text: &str) -> Timestamp {
        TimeZone::UTC.moment(day(text), 12)
    }

    fn stored(days: Vec<DayOfReading>) -> DaysOfReading {
        DaysOfReading { time_zone: TimeZone::UTC, settings: GoalSettings::default(), days }
    }

    #[test]
    fn a_year_is_added_up_by_month() {
        let days = [
            ("2025-12-31", 9_000, 9),
            ("2026-01-01", 90, 0),
            ("2026-01-02", 30, 1),
            ("2026-01-03", 59, 0),
            ("2026-06-15", 600, 2),
            ("2026-12-31", 60, 0),
            ("2027-01-01", 9_000, 9),
        ];
        let days = days.map(|(text, seconds, summaries)| DayOfReading::new(day(text), seconds, summaries));
        let completed: Vec<_> = ["2026-01-02", "2026-06-15", "2026-06-16"]
            .iter()
            .zip(1..)
            .map(|(text, book)| (BookId::from_store(book), noon(text)))
            .collect();
        let other = ["2025-12-30", "2026-01-03", "2026-01-04", "2027-01-02"].map(day);
        let year =
            YearOfReading::of(Year::new(2026), &stored(days.to_vec()), completed.clone(), &other, noon("2026-12-31"));
        assert_eq!((year.minutes, year.reading_days, year.best_streak, year.is_over), (Some(13), 4, 3, false));
        assert_eq!(year.months[0], MonthOfReading { minutes: 2, summaries: 1 });
        assert_eq!(year.months[5], MonthOfReading { minutes: 10, summaries: 2 });
        assert_eq!(year.months[11], MonthOfReading { minutes: 1, summaries: 0 });
        assert_eq!(year.completed, completed);
        let later = YearOfReading::of(Year::new(2026), &stored(Vec::new()), Vec::new(), &[], noon("2027-01-01"));
        assert_eq!((later.minutes, later.reading_days, later.best_streak, later.is_over), (Some(0), 0, 0, true));
    }

    #[test]
    fn time_that_is_not_counted_is_none_and_not_zero() {
        let settings = GoalSettings::new(None, false).expect("settings");
        let days = DaysOfReading { settings, ..stored(Vec::new()) };
        let year = |days: &DaysOfReading| YearOfReading::of(Year::new(2026), days, Vec::new(), &[], noon("2026-05-05"));
        assert_eq!(year(&days).minutes, None);
        let days = DaysOfReading { days: vec![DayOfReading::new(day("2026-02-02"), 120, 0)], ..days };
        assert_eq!(year(&days).minutes, Some(2), "what was counted before stays");
    }

    #[test]
    fn a_year_begins_at_the_members_midnight() {
        let moments = moments_of(Year::new(2026), &TimeZone::named("Asia/Tokyo"));
        let utc = moments_of(Year::new(2026), &TimeZone::UTC);
        assert_eq!(utc.start.since(moments.start), 9 * DAY / 24);
        assert_eq!(utc.end.since(utc.start), 365 * DAY);
    }

    proptest! {
        #[test]
        fn months_and_days_add_up(days in proptest::collection::btree_map(20_400..20_900_i32, (0..9_000_u64, 0..3_u32), 0..200)) {
            let days: Vec<DayOfReading> = days
                .into_iter()
                .map(|(number, (seconds, summaries))| DayOfReading::new(Day::from_epoch(number), seconds, summaries))
                .collect();
            let year = YearOfReading::of(Year::new(2026), &stored(days), Vec::new(), &[], noon("2027-02-02"));
            let minutes: u32 = year.months.iter().map(|month| month.minutes).sum();
            let all = year.minutes.expect("it is counted");
            prop_assert!((minutes..minutes + 12).contains(&all), "only the rest of each month is lost");
            prop_assert!(year.best_streak <= year.reading_days && year.reading_days <= 365);
        }
    }
}

//! The daily goal, and the time that counts for it (`reading-progress.daily-goal`, `reading-progress.reading-time`).

use std::collections::BTreeMap;

use kernel::{Day, TimeZone, Timestamp};

use crate::ProgressError;

/// The least and the most of a goal, in minutes a day.
pub const GOAL_MINUTES: (u32, u32) = (5, 180);
/// The least and the most of a goal, in summaries a day.
pub const GOAL_SUMMARIES: (u32, u32) = (1, 10);
/// How many days a device reports at most in one call.
pub const REPORTED_DAYS: usize = 35;
/// How many devices of a member count on one day.
pub const DEVICES_A_DAY: u32 = 20;
/// How many days the figures of a goal have, today included.
pub const GOAL_DAYS: i32 = 7;
/// How long after its day reading time still counts, in days.
const LATEST_DAYS: i32 = 30;

const SECONDS_A_DAY: u32 = 24 * 60 * 60;

/// What a goal counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalUnit {
    /// Minutes of reading and listening.
    Minutes,
    /// Summaries that were completed on the day, for the first time or again.
    Summaries,
}

/// A daily goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    unit: GoalUnit,
    amount: u32,
}

impl Goal {
    /// A goal within [`GOAL_MINUTES`] or [`GOAL_SUMMARIES`].
    pub fn new(unit: GoalUnit, amount: u32) -> Result<Self, ProgressError> {
        let ((least, most), error) = match unit {
            GoalUnit::Minutes => (GOAL_MINUTES, ProgressError::InvalidMinutes),
            GoalUnit::Summaries => (GOAL_SUMMARIES, ProgressError::InvalidSummaries),
        };
        if (least..=most).contains(&amount) { Ok(Self { unit, amount }) } else { Err(error) }
    }

    pub const fn unit(self) -> GoalUnit {
        self.unit
    }

    pub const fn amount(self) -> u32 {
        self.amount
    }

    /// Whether a day meets the goal.
    pub const fn is_met_by(self, day: &DayOfReading) -> bool {
        match self.unit {
            GoalUnit::Minutes => day.minutes() >= self.amount,
            GoalUnit::Summaries => day.summaries >= self.amount,
        }
    }
}

/// What a member has chosen about goal and reading time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalSettings {
    goal: Option<Goal>,
    counts_time: bool,
}

impl GoalSettings {
    /// A goal of minutes needs the reading time (`reading-progress.time-switch`).
    pub fn new(goal: Option<Goal>, counts_time: bool) -> Result<Self, ProgressError> {
        let needs_time = goal.is_some_and(|goal| goal.unit == GoalUnit::Minutes);
        if needs_time && !counts_time { Err(ProgressError::TimeNotCounted) } else { Ok(Self { goal, counts_time }) }
    }

    pub const fn goal(self) -> Option<Goal> {
        self.goal
    }

    /// Whether reading time is counted.
    pub const fn counts_time(self) -> bool {
        self.counts_time
    }
}

/// Without a choice there is no goal, and the time is counted.
impl Default for GoalSettings {
    fn default() -> Self {
        Self { goal: None, counts_time: true }
    }
}

/// A day of a member's calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayOfReading {
    pub day: Day,
    /// How long the member read and listened on all devices, in seconds; at most 24 hours.
    pub seconds: u32,
    /// How many summaries were completed, for the first time or again.
    pub summaries: u32,
}

impl DayOfReading {
    /// A day of which all devices together counted these seconds.
    pub fn new(day: Day, seconds: u64, summaries: u32) -> Self {
        let seconds = u32::try_from(seconds).map_or(SECONDS_A_DAY, |seconds| seconds.min(SECONDS_A_DAY));
        Self { day, seconds, summaries }
    }

    /// Whole minutes.
    pub const fn minutes(&self) -> u32 {
        self.seconds / 60
    }
}

/// What is stored about a range of a member's days.
#[derive(Clone, Debug, PartialEq)]
pub struct DaysOfReading {
    pub time_zone: TimeZone,
    pub settings: GoalSettings,
    /// The days with reading time or completed summaries, ascending.
    pub days: Vec<DayOfReading>,
}

/// The last days in the light of the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalState {
    pub settings: GoalSettings,
    pub today: Day,
    /// The last [`GOAL_DAYS`] days, ascending, today the last.
    pub days: Vec<DayOfReading>,
}

impl GoalState {
    /// Picks the last days from those that are stored.
    pub(crate) fn of(stored: &DaysOfReading, now: Timestamp) -> Self {
        let today = stored.time_zone.day_of(now);
        let by_day: BTreeMap<Day, &DayOfReading> = stored.days.iter().map(|day| (day.day, day)).collect();
        let day = |back: i32| {
            let day = today.plus(-back);
            by_day.get(&day).map_or_else(|| DayOfReading::new(day, 0, 0), |found| **found)
        };
        Self { settings: stored.settings, today, days: (0..GOAL_DAYS).rev().map(day).collect() }
    }

    /// Whether a day meets the goal; `false` without one.
    pub fn is_met_by(&self, day: &DayOfReading) -> bool {
        self.settings.goal.is_some_and(|goal| goal.is_met_by(day))
    }
}

/// What counts of a device's report: each day once, with its greatest total, at most 24 hours, without the days that are over
/// for more than a month, those after tomorrow, and those without a full second.
pub(crate) fn counted_days(reported: &[(Day, u32)], today: Day) -> Vec<(Day, u32)> {
    let mut counted: BTreeMap<Day, u32> = BTreeMap::new();
    for &(day, seconds) in reported {
        if (today.plus(-LATEST_DAYS)..=today.plus(1)).contains(&day) && seconds > 0 {
            let total = counted.entry(day).or_default();
            *total = seconds.min(SECONDS_A_DAY).max(*total);
        }
    }
    counted.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, Day, TimeZone, Timestamp};
    use proptest::prelude::*;

    use super::{
        DayOfReading, DaysOfReading, GOAL_DAYS, Goal, GoalSettings, GoalState, GoalUnit, SECONDS_A_DAY, counted_days,
    };
    use crate::ProgressError;

    fn day(number: i32, seconds: u64, summaries: u32) -> DayOfReading {
        DayOfReading::new(Day::from_epoch(number), seconds, summaries)
    }

    #[test]
    fn a_goal_has_its_limits() {
        for (unit, least, most) in [(GoalUnit::Minutes, 5, 180), (GoalUnit::Summaries, 1, 10)] {
            for amount in [least, most] {
                assert_eq!(Goal::new(unit, amount).expect("within the limits").amount(), amount);
            }
            for amount in [0, least - 1, most + 1, u32::MAX] {
                assert!(Goal::new(unit, amount).is_err(), "{unit:?} {amount}");
            }
        }
    }

    #[test]
    fn a_goal_of_minutes_needs_the_reading_time() {
        let minutes = Goal::new(GoalUnit::Minutes, 10).ok();
        let summaries = Goal::new(GoalUnit::Summaries, 1).ok();
        assert!(matches!(GoalSettings::new(minutes, false), Err(ProgressError::TimeNotCounted)));
        for (goal, counts) in [(minutes, true), (summaries, false), (None, false), (None, true)] {
            let settings = GoalSettings::new(goal, counts).expect("they go together");
            assert_eq!((settings.goal(), settings.counts_time()), (goal, counts));
        }
        assert_eq!(GoalSettings::default(), GoalSettings::new(None, true).expect("without a goal"));
    }

    #[test]
    fn a_day_meets_a_goal_by_full_minutes_or_summaries() {
        let minutes = Goal::new(GoalUnit::Minutes, 10).expect("a goal");
        let summaries = Goal::new(GoalUnit::Summaries, 2).expect("a goal");
        assert!(!minutes.is_met_by(&day(1, 599, 9)));
        assert!(minutes.is_met_by(&day(1, 600, 0)));
        assert!(!summaries.is_met_by(&day(1, 86_400, 1)));
        assert!(summaries.is_met_by(&day(1, 0, 2)));
        assert_eq!(day(1, u64::MAX, 0).minutes(), 24 * 60);
    }

    #[test]
    fn the_state_has_each_of_the_last_seven_days() {
        let goal = Goal::new(GoalUnit::Summaries, 1).ok();
        let stored = DaysOfReading {
            time_zone: TimeZone::named("Asia/Tokyo"),
            settings: GoalSettings::new(goal, true).expect("a goal"),
            days: vec![day(993, 60, 1), day(995, 90, 0), day(1001, 0, 1), day(1002, 5, 5)],
        };
        // 23:00 in UTC is the next day in Tokyo.
        let state = GoalState::of(&stored, Timestamp::from_millis(1000 * DAY + 23 * DAY / 24));
        assert_eq!(state.today, Day::from_epoch(1001));
        let shown = [day(995, 90, 0), day(996, 0, 0), day(997, 0, 0), day(998, 0, 0), day(999, 0, 0), day(1000, 0, 0)];
        assert_eq!(state.days[..6], shown);
        assert_eq!(state.days[6], day(1001, 0, 1));
        let met: Vec<bool> = state.days.iter().map(|day| state.is_met_by(day)).collect();
        assert_eq!(met, [false, false, false, false, false, false, true]);
        let without = GoalState { settings: GoalSettings::default(), ..state };
        assert!(!without.is_met_by(&day(1001, 0, 9)), "without a goal");
    }

    #[test]
    fn days_long_over_and_days_to_come_do_not_count() {
        let today = Day::from_epoch(1000);
        let reported = [(969, 10), (970, 10), (1000, 20), (1001, 30), (1002, 40), (999, 0), (1000, 90_000)];
        let reported = reported.map(|(number, seconds)| (Day::from_epoch(number), seconds));
        let counted = [(970, 10), (1000, SECONDS_A_DAY), (1001, 30)];
        assert_eq!(counted_days(&reported, today), counted.map(|(number, seconds)| (Day::from_epoch(number), seconds)));
    }

    proptest! {
        #[test]
        fn the_order_of_a_report_and_its_repetition_do_not_matter(
            reported in proptest::collection::vec((960..1010_i32, 0..100_000_u32), 0..40),
        ) {
            let today = Day::from_epoch(1000);
            let reported: Vec<(Day, u32)> = reported.into_iter().map(|(day, seconds)| (Day::from_epoch(day), seconds)).collect();
            let turned: Vec<(Day, u32)> = reported.iter().rev().chain(&reported).copied().collect();
            let counted = counted_days(&reported, today);
            prop_assert_eq!(&counted, &counted_days(&turned, today));
            prop_assert!(counted.iter().all(|(_, seconds)| (1..=SECONDS_A_DAY).contains(seconds)));
            prop_assert_eq!(&counted_days(&counted, today), &counted);
        }

        #[test]
        fn a_state_always_has_seven_days_in_a_row(stored in proptest::collection::btree_map(0..2_000_i32, (0..100_000_u64, 0..5_u32), 0..30), now in 0..2_000_i64) {
            let days = stored.into_iter().map(|(number, (seconds, summaries))| day(number, seconds, summaries)).collect();
            let stored = DaysOfReading { time_zone: TimeZone::UTC, settings: GoalSettings::default(), days };
            let state = GoalState::of(&stored, Timestamp::from_millis(now * DAY));
            let numbers: Vec<i64> = state.days.iter().map(|day| i64::from(day.day.since_epoch())).collect();
            prop_assert_eq!(numbers, (now - i64::from(GOAL_DAYS) + 1..=now).collect::<Vec<_>>());
        }
    }
}

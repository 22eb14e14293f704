//! Streaks: days in a row on which a summary was completed, with pauses for a few days that were missed
//! (`reading-progress.streak-days`, `reading-progress.streak-pauses`).

use std::collections::BTreeMap;

use kernel::{Day, Month};

/// How many missed days of a month a streak pauses for.
pub const PAUSES_PER_MONTH: u32 = 2;

/// A reader's streaks, in days. Days for which they paused are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Streaks {
    /// The current streak: it reaches to today or yesterday, or pauses since; 0 if there is none.
    pub current: u32,
    /// The longest streak ever.
    pub best: u32,
    /// The missed days for which a streak paused, ascending.
    pub paused: Vec<Day>,
}

/// Computes the streaks from the days on which a summary was completed: ascending, each day once. A streak ends when more days
/// of a month are missed than it pauses for.
pub fn streaks(days: &[Day], today: Day) -> Streaks {
    let mut pauses = Pauses::default();
    let (mut run, mut best) = (0_u32, 0);
    let mut last: Option<Day> = None;
    for &day in days {
        run = if last.is_some_and(|last| pauses.bridge(last, day)) { run + 1 } else { 1 };
        best = best.max(run);
        last = Some(day);
    }
    // A last day after today comes from a time zone that the reader has left: the streak has not ended.
    let runs = last.is_some_and(|last| pauses.bridge(last, today));
    Streaks { current: if runs { run } else { 0 }, best, paused: pauses.days }
}

/// The pauses of a reader's streaks.
#[derive(Default)]
struct Pauses {
    of_month: BTreeMap<Month, u32>,
    days: Vec<Day>,
}

impl Pauses {
    /// Pauses for the days between two days, if their months allow it; `false`: the streak ends. Of a streak that ends no day is
    /// paused.
    fn bridge(&mut self, from: Day, to: Day) -> bool {
        let mut of_month = self.of_month.clone();
        let mut missed = Vec::new();
        let mut day = from.plus(1);
        while day < to {
            let count = of_month.entry(day.month()).or_default();
            if *count == PAUSES_PER_MONTH {
                return false;
            }
            *count += 1;
            missed.push(day);
            day = day.plus(1);
        }
        self.of_month = of_month;
        self.days.extend(missed);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use kernel::{Day, Month};
    use proptest::prelude::*;

    use super::{PAUSES_PER_MONTH, Streaks, streaks};

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    fn at(read: &[&str], today: &str) -> (u32, u32, Vec<String>) {
        let days: Vec<Day> = read.iter().copied().map(day).collect();
        let Streaks { current, best, paused } = streaks(&days, day(today));
        (current, best, paused.iter().map(Day::to_string).collect())
    }

    #[test]
    fn a_streak_runs_through_today_and_pauses_for_two_missed_days() {
        let read = ["2026-06-01", "2026-06-02", "2026-06-03"];
        let none = Vec::<String>::new();
        assert_eq!(at(&read, "2026-06-03"), (3, 3, none.clone()));
        assert_eq!(at(&read, "2026-06-04"), (3, 3, none.clone()), "today is not over");
        assert_eq!(at(&read, "2026-06-05"), (3, 3, vec!["2026-06-04".to_owned()]));
        assert_eq!(at(&read, "2026-06-06"), (3, 3, vec!["2026-06-04".to_owned(), "2026-06-05".to_owned()]));
        assert_eq!(at(&read, "2026-06-07"), (0, 3, none), "a third missed day ends it, and no day was paused");
        assert_eq!(streaks(&[], day("2026-06-07")), Streaks::default());
    }

    #[test]
    fn the_pauses_of_a_month_are_used_up() {
        let read = ["2026-06-01", "2026-06-03", "2026-06-05", "2026-06-07"];
        let paused = vec!["2026-06-02".to_owned(), "2026-06-04".to_owned()];
        assert_eq!(at(&read, "2026-06-07"), (1, 3, paused.clone()));
        // The next month has two more.
        assert_eq!(at(&["2026-06-29", "2026-07-03"], "2026-07-03").0, 2);
        assert_eq!(at(&["2026-06-28", "2026-07-03"], "2026-07-03").0, 2);
        assert_eq!(at(&["2026-06-27", "2026-07-03"], "2026-07-03").0, 1);
    }

    /// Walks day by day.
    fn walked(read: &BTreeSet<Day>, today: Day) -> (u32, u32, Vec<Day>) {
        let Some(first) = read.first().copied() else { return (0, 0, Vec::new()) };
        let mut used: BTreeMap<Month, Vec<Day>> = BTreeMap::new();
        let (mut run, mut best, mut pending) = (0, 0, Vec::<Day>::new());
        let mut day = first;
        while day <= today.max(*read.last().unwrap()) {
            if read.contains(&day) {
                for paused in pending.drain(..) {
                    used.entry(paused.month()).or_default().push(paused);
                }
                run += 1;
                best = best.max(run);
            } else if run > 0 && day < today.max(*read.last().unwrap()) {
                let of_month = used.get(&day.month()).map_or(0, Vec::len)
                    + pending.iter().filter(|one| one.month() == day.month()).count();
                if of_month < PAUSES_PER_MONTH as usize {
                    pending.push(day);
                } else {
                    (run, pending) = (0, Vec::new());
                }
            }
            day = day.plus(1);
        }
        let mut paused: Vec<Day> = used.into_values().flatten().chain(pending).collect();
        paused.sort_unstable();
        (run, best, paused)
    }

    proptest! {
        #[test]
        fn streaks_are_those_found_by_walking_from_day_to_day(
            read in proptest::collection::btree_set(20_600..20_700_i32, 0..80), beyond in 0..5_i32,
        ) {
            let read: BTreeSet<Day> = read.into_iter().map(Day::from_epoch).collect();
            let today = read.last().map_or(Day::from_epoch(20_650), |last| last.plus(beyond));
            let found = streaks(&read.iter().copied().collect::<Vec<_>>(), today);
            prop_assert_eq!((found.current, found.best, found.paused), walked(&read, today));
        }

        #[test]
        fn no_month_has_more_pauses_than_two_and_none_on_a_day_of_reading(
            read in proptest::collection::btree_set(20_000..20_400_i32, 0..300), today in 20_000..20_500_i32,
        ) {
            let read: Vec<Day> = read.into_iter().map(Day::from_epoch).collect();
            let found = streaks(&read, Day::from_epoch(today));
            prop_assert!(found.paused.iter().all(|day| !read.contains(day)));
            let mut of_month: BTreeMap<Month, u32> = BTreeMap::new();
            for day in &found.paused {
                *of_month.entry(day.month()).or_default() += 1;
            }
            prop_assert!(of_month.values().all(|count| *count <= PAUSES_PER_MONTH));
        }
    }
}

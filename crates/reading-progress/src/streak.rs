//! Streaks: days in a row on which a summary was completed (`reading-progress.streak-days`).

use kernel::Day;

/// A reader's streaks, in days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Streaks {
    /// The current streak: its last day is today or yesterday; 0 if there is none.
    pub current: u32,
    /// The longest streak ever.
    pub best: u32,
}

/// Computes the streaks from the days on which a summary was completed: ascending, each day once.
pub fn streaks(days: &[Day], today: Day) -> Streaks {
    let mut run = 0_u32;
    let mut best = 0;
    let mut last: Option<Day> = None;
    for &day in days {
        run = if last == Some(day.yesterday()) { run + 1 } else { 1 };
        best = best.max(run);
        last = Some(day);
    }
    // A last day after today comes from a time zone that the reader has left: the streak has not ended.
    let runs = last.is_some_and(|last| last >= today.yesterday());
    Streaks { current: if runs { run } else { 0 }, best }
}

#[cfg(test)]
mod tests {
    use super::{Streaks, streaks};
    use kernel::Day;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn days(numbers: &[i32]) -> Vec<Day> {
        numbers.iter().copied().map(Day::from_epoch).collect()
    }

    #[test]
    fn a_streak_runs_until_a_whole_day_was_missed() {
        let read = days(&[1, 2, 3, 5, 6]);
        let at = |today| streaks(&read, Day::from_epoch(today));
        assert_eq!(at(6), Streaks { current: 2, best: 3 });
        assert_eq!(at(7), Streaks { current: 2, best: 3 });
        assert_eq!(at(8), Streaks { current: 0, best: 3 });
        assert_eq!(streaks(&[], Day::from_epoch(0)), Streaks::default());
    }

    proptest! {
        #[test]
        fn streaks_are_those_found_by_walking_back_from_each_day(
            read in proptest::collection::btree_set(0..60_i32, 0..50),
            today in 0..62_i32,
        ) {
            let walk = |from: i32| (0..=from).take_while(|back| read.contains(&(from - back))).count();
            let best = read.iter().map(|day| walk(*day)).max().unwrap_or(0);
            let known: BTreeSet<i32> = read.iter().copied().filter(|day| *day <= today).collect();
            let found = streaks(&days(&read.iter().copied().collect::<Vec<_>>()), Day::from_epoch(today));
            prop_assert_eq!(found.best as usize, best);
            if known.len() == read.len() {
                let current = if read.contains(&today) { walk(today) } else { walk(today - 1) };
                prop_assert_eq!(found.current as usize, current);
            }
        }
    }
}

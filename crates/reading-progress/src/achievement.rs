//! What reading earns: XP, levels, awards and skills (`reading-progress.experience-points`, `reading-progress.award-thresholds`,
//! `reading-progress.skill-counts`).

use std::collections::BTreeSet;

use kernel::{CategoryId, Day, TimeZone, Timestamp};

use crate::{Streaks, streaks};

/// XP for a summary completed for the first time.
pub const XP_PER_SUMMARY: u32 = 10;
/// The completed summaries of a category that complete its skill.
pub const SKILL_TARGET: u32 = 10;

/// The length of the progress calendar, in days: 53 weeks.
pub const CALENDAR_DAYS: i32 = 53 * 7;

/// An award for XP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Award {
    pub name: &'static str,
    /// The XP that it requires.
    pub xp: u32,
}

/// The awards, in ascending order.
pub const AWARDS: [Award; 5] = [
    Award { name: "Starter", xp: 50 },
    Award { name: "Trailblazer", xp: 100 },
    Award { name: "Champ", xp: 500 },
    Award { name: "Genius", xp: 1000 },
    Award { name: "Scholar", xp: 5000 },
];

/// The XP range of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelXp {
    /// The XP at which the level begins.
    pub from: u32,
    /// The XP at which the next level begins; `None` at the last level.
    pub to: Option<u32>,
}

/// The number of completed summaries of a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    pub category: CategoryId,
    /// First completions in the category; [`SKILL_TARGET`] complete the skill.
    pub count: u32,
}

/// The facts that a reader's progress is computed from.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgressFacts {
    /// The time zone of the reader's calendar.
    pub time_zone: TimeZone,
    /// The first completion of each completed summary, ascending.
    pub completions: Vec<Timestamp>,
    /// How many of the completed summaries are published and not hidden from history.
    pub finished: u32,
    /// The days with completed summaries and their number, ascending, each day once.
    pub days: Vec<(Day, u32)>,
    /// Completed summaries by category, in any order, without the categories that have none.
    pub skills: Vec<Skill>,
}

/// What a reader has earned by reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of completed summaries that the library and the history show.
    pub num_completed: u32,
    /// [`XP_PER_SUMMARY`] for each summary that was ever completed.
    pub xp: u32,
    pub streaks: Streaks,
    /// Categories with at least one completed summary: most completions first, then by id.
    pub skills: Vec<Skill>,
    /// When each of [`AWARDS`] was achieved: at the completion that reached its XP; `None`: not yet.
    pub achieved_at: [Option<Timestamp>; AWARDS.len()],
    /// Today in the reader's time zone.
    pub today: Day,
    /// The days with completed summaries and their number within the last [`CALENDAR_DAYS`], ascending.
    pub calendar: Vec<(Day, u32)>,
    /// The missed days within the last [`CALENDAR_DAYS`] for which a streak paused, ascending.
    pub paused: Vec<Day>,
}

impl Progress {
    /// Computes the progress from the facts. For the streak, `other_days` count as days with completed summaries do.
    pub(crate) fn of(facts: ProgressFacts, other_days: &[Day], now: Timestamp) -> Self {
        let mut skills = facts.skills;
        skills.sort_by_key(|skill| (std::cmp::Reverse(skill.count), skill.category));
        let today = facts.time_zone.day_of(now);
        let completed = u32::try_from(facts.completions.len()).unwrap_or(u32::MAX);
        let days: BTreeSet<Day> = facts.days.iter().map(|(day, _)| *day).chain(other_days.iter().copied()).collect();
        let days: Vec<Day> = days.into_iter().collect();
        let first_shown = Day::from_epoch(today.since_epoch() - CALENDAR_DAYS + 1);
        let streaks = streaks(&days, today);
        Self {
            num_completed: facts.finished,
            xp: completed.saturating_mul(XP_PER_SUMMARY),
            paused: streaks.paused.iter().copied().filter(|day| *day >= first_shown).collect(),
            streaks,
            skills,
            achieved_at: AWARDS.map(|award| achieved_at(award, &facts.completions)),
            today,
            calendar: facts.days.into_iter().filter(|(day, _)| *day >= first_shown).collect(),
        }
    }

    /// Each award, and when it was achieved; `None`: not yet.
    pub fn awards(&self) -> impl Iterator<Item = (Award, Option<Timestamp>)> + use<'_> {
        AWARDS.into_iter().zip(self.achieved_at)
    }

    /// The level: the number of award thresholds that were reached.
    pub fn level(&self) -> u32 {
        AWARDS.iter().map(|award| u32::from(self.xp >= award.xp)).sum()
    }

    /// The XP range of the present level.
    pub fn level_xp(&self) -> LevelXp {
        LevelXp {
            from: AWARDS.iter().map(|award| award.xp).filter(|xp| *xp <= self.xp).max().unwrap_or(0),
            to: AWARDS.iter().map(|award| award.xp).find(|xp| *xp > self.xp),
        }
    }
}

/// When the completion happened that reached an award's XP. It is computed from all completions, so that one that
/// arrives late counts at its own time.
fn achieved_at(award: Award, completions: &[Timestamp]) -> Option<Timestamp> {
    let needed = usize::try_from(award.xp.div_ceil(XP_PER_SUMMARY)).unwrap_or(usize::MAX);
    completions.get(needed.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::{AWARDS, CALENDAR_DAYS, LevelXp, Progress, ProgressFacts, SKILL_TARGET, XP_PER_SUMMARY};
    use kernel::{DAY, Day, TimeZone, Timestamp};

    fn facts(completions: i64, days: &[(i32, u32)]) -> ProgressFacts {
        ProgressFacts {
            time_zone: TimeZone::UTC,
            completions: (1..=completions).map(Timestamp::from_millis).collect(),
            finished: u32::try_from(completions).unwrap(),
            days: days.iter().map(|(day, count)| (Day::from_epoch(*day), *count)).collect(),
            skills: Vec::new(),
        }
    }

    fn with(xp: u32) -> Progress {
        Progress { xp, ..Progress::of(facts(i64::from(xp / 10), &[]), &[], Timestamp::from_millis(0)) }
    }

    #[test]
    fn the_documented_numbers() {
        assert_eq!((XP_PER_SUMMARY, SKILL_TARGET), (10, 10));
        let awards = AWARDS.map(|award| (award.name, award.xp));
        assert_eq!(
            awards,
            [("Starter", 50), ("Trailblazer", 100), ("Champ", 500), ("Genius", 1000), ("Scholar", 5000)]
        );
    }

    #[test]
    fn the_calendar_goes_back_fifty_three_weeks() {
        assert_eq!(CALENDAR_DAYS, 371);
        let today = Timestamp::from_millis(1000 * DAY);
        let days = [(1, 1), (629, 2), (630, 3), (999, 1), (1000, 4)];
        let progress = Progress::of(facts(5, &days), &[], today);
        let shown: Vec<(i32, u32)> = progress.calendar.iter().map(|(day, count)| (day.since_epoch(), *count)).collect();
        assert_eq!(shown, [(630, 3), (999, 1), (1000, 4)]);
        assert_eq!((progress.today, progress.streaks.best), (Day::from_epoch(1000), 2));
    }

    #[test]
    fn other_days_count_for_the_streak_alone() {
        let today = Timestamp::from_millis(1000 * DAY);
        let days = [(997, 1), (999, 1)];
        let other = [996, 998, 999].map(Day::from_epoch);
        let progress = Progress::of(facts(2, &days), &other, today);
        assert_eq!((progress.streaks.current, progress.streaks.best), (4, 4));
        assert_eq!(progress.calendar, days.map(|(day, count)| (Day::from_epoch(day), count)));
        assert_eq!(progress.xp, 20);
    }

    #[test]
    fn a_level_is_the_number_of_thresholds_passed() {
        let levels = [0, 49, 50, 99, 100, 499, 500, 999, 1000, 4999, 5000, 9000].map(|xp| with(xp).level());
        assert_eq!(levels, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(with(40).level_xp(), LevelXp { from: 0, to: Some(50) });
        assert_eq!(with(100).level_xp(), LevelXp { from: 100, to: Some(500) });
        assert_eq!(with(6000).level_xp(), LevelXp { from: 5000, to: None });
    }

    #[test]
    fn awards_come_with_their_xp() {
        let achieved: Vec<&str> =
            with(500).awards().filter(|(_, at)| at.is_some()).map(|(award, _)| award.name).collect();
        assert_eq!(achieved, ["Starter", "Trailblazer", "Champ"]);
    }

    #[test]
    fn an_award_is_of_the_moment_of_the_completion_that_brought_it() {
        let moments: Vec<Option<i64>> = with(110).awards().map(|(_, at)| at.map(Timestamp::millis)).collect();
        assert_eq!(moments, [Some(5), Some(10), None, None, None]);
    }
}

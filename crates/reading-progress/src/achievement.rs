//! What reading earns: XP, levels, awards and skills (`reading-progress.experience-points`, `reading-progress.award-thresholds`,
//! `reading-progress.skill-counts`).

use kernel::{CategoryId, Day, TimeZone, Timestamp};

use crate::{Streaks, streaks};

/// XP for a summary completed for the first time.
pub const XP_PER_SUMMARY: u32 = 10;
/// The summaries of a category that make its skill complete.
pub const SKILL_TARGET: u32 = 10;

/// The days that the calendar of a reader's progress goes back: 53 weeks.
pub const CALENDAR_DAYS: i32 = 53 * 7;

/// Something to be proud of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Award {
    pub name: &'static str,
    /// The XP that it takes.
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

/// The XP between which a level lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelXp {
    /// Where the level began.
    pub from: u32,
    /// Where the next one begins; `None` at the last.
    pub to: Option<u32>,
}

/// How many summaries of a category were completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    pub category: CategoryId,
    /// First completions in it; [`SKILL_TARGET`] make the skill complete.
    pub count: u32,
}

/// What a reader's progress is counted from.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgressFacts {
    /// The zone of the reader's calendar.
    pub time_zone: TimeZone,
    /// When each completed summary was completed for the first time, ascending.
    pub completions: Vec<Timestamp>,
    /// The days on which a summary was completed and how many were, ascending, each day once.
    pub days: Vec<(Day, u32)>,
    /// Completed summaries by category, in any order, without the categories that have none.
    pub skills: Vec<Skill>,
}

/// What a reader's reading has earned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many different summaries were completed.
    pub num_completed: u32,
    /// [`XP_PER_SUMMARY`] for each of those.
    pub xp: u32,
    /// Days in a row.
    pub streaks: Streaks,
    /// Categories with at least one completed summary: most first, then by id.
    pub skills: Vec<Skill>,
    /// When each of [`AWARDS`] was achieved: with the completion that brought its XP.
    pub achieved_at: [Option<Timestamp>; AWARDS.len()],
    /// The day that it is where the reader lives.
    pub today: Day,
    /// The days of the last [`CALENDAR_DAYS`] on which summaries were completed and how many, ascending.
    pub calendar: Vec<(Day, u32)>,
}

impl Progress {
    /// Counts what the facts have earned.
    pub(crate) fn of(facts: ProgressFacts, now: Timestamp) -> Self {
        let mut skills = facts.skills;
        skills.sort_by_key(|skill| (std::cmp::Reverse(skill.count), skill.category));
        let today = facts.time_zone.day_of(now);
        let num_completed = u32::try_from(facts.completions.len()).unwrap_or(u32::MAX);
        let days: Vec<Day> = facts.days.iter().map(|(day, _)| *day).collect();
        let first_shown = Day::from_epoch(today.since_epoch() - CALENDAR_DAYS + 1);
        Self {
            num_completed,
            xp: num_completed.saturating_mul(XP_PER_SUMMARY),
            streaks: streaks(&days, today),
            skills,
            achieved_at: AWARDS.map(|award| achieved_at(award, &facts.completions)),
            today,
            calendar: facts.days.into_iter().filter(|(day, _)| *day >= first_shown).collect(),
        }
    }

    /// Each award, and when it was achieved.
    pub fn awards(&self) -> impl Iterator<Item = (Award, Option<Timestamp>)> + use<'_> {
        AWARDS.into_iter().zip(self.achieved_at)
    }

    /// The level: the number of award thresholds passed.
    pub fn level(&self) -> u32 {
        AWARDS.iter().map(|award| u32::from(self.xp >= award.xp)).sum()
    }

    /// The XP between which the level lies.
    pub fn level_xp(&self) -> LevelXp {
        LevelXp {
            from: AWARDS.iter().map(|award| award.xp).filter(|xp| *xp <= self.xp).max().unwrap_or(0),
            to: AWARDS.iter().map(|award| award.xp).find(|xp| *xp > self.xp),
        }
    }
}

/// When the completion came that brought an award's XP: found in the completions, so that one that arrives late falls
/// into its place.
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
            days: days.iter().map(|(day, count)| (Day::from_epoch(*day), *count)).collect(),
            skills: Vec::new(),
        }
    }

    fn with(xp: u32) -> Progress {
        Progress { xp, ..Progress::of(facts(i64::from(xp / 10), &[]), Timestamp::from_millis(0)) }
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
        let progress = Progress::of(facts(5, &days), today);
        let shown: Vec<(i32, u32)> = progress.calendar.iter().map(|(day, count)| (day.since_epoch(), *count)).collect();
        assert_eq!(shown, [(630, 3), (999, 1), (1000, 4)]);
        assert_eq!((progress.today, progress.streaks.best), (Day::from_epoch(1000), 2));
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

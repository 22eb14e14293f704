//! What reading earns: XP, levels, awards and skills (`decisions.md` 25, `member.md §3`, `§9`).

use kernel::{CategoryId, Timestamp};

use crate::{Entitlement, ProgressFacts, Streaks, streaks};

/// XP for a summary completed for the first time.
pub const XP_PER_SUMMARY: u32 = 10;
/// The summaries of a category that make its skill complete.
pub const SKILL_TARGET: u32 = 10;

/// Something to be proud of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Award {
    /// Its name.
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
    /// The category.
    pub category: CategoryId,
    /// First completions in it; [`SKILL_TARGET`] make the skill complete.
    pub count: u32,
}

/// What a reader's reading has earned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Whether the reader is paid.
    pub is_paid: bool,
    /// How many different summaries were completed.
    pub num_completed: u32,
    /// [`XP_PER_SUMMARY`] for each of those.
    pub xp: u32,
    /// Days in a row.
    pub streaks: Streaks,
    /// Categories with at least one completed summary: most first, then by id.
    pub skills: Vec<Skill>,
}

impl Progress {
    /// Counts what the facts have earned.
    pub(crate) fn of(facts: ProgressFacts, now: Timestamp) -> Self {
        let mut skills = facts.skills;
        skills.sort_by_key(|skill| (std::cmp::Reverse(skill.count), skill.category));
        Self {
            is_paid: Entitlement::best(&facts.entitlements, now).is_some(),
            num_completed: facts.num_completed,
            xp: facts.num_completed.saturating_mul(XP_PER_SUMMARY),
            streaks: streaks(&facts.days, facts.time_zone.day_of(now)),
            skills,
        }
    }

    /// Each award, and whether it was achieved.
    pub fn awards(&self) -> impl Iterator<Item = (Award, bool)> + use<'_> {
        AWARDS.iter().map(|award| (*award, self.xp >= award.xp))
    }

    /// The level: the number of award thresholds passed.
    pub fn level(&self) -> u32 {
        self.awards().map(|(_, achieved)| u32::from(achieved)).sum()
    }

    /// The XP between which the level lies.
    pub fn level_xp(&self) -> LevelXp {
        LevelXp {
            from: AWARDS.iter().map(|award| award.xp).filter(|xp| *xp <= self.xp).max().unwrap_or(0),
            to: AWARDS.iter().map(|award| award.xp).find(|xp| *xp > self.xp),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LevelXp, Progress};
    use crate::Streaks;

    fn with(xp: u32) -> Progress {
        Progress { is_paid: false, num_completed: xp / 10, xp, streaks: Streaks::default(), skills: Vec::new() }
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
            with(500).awards().filter(|(_, achieved)| *achieved).map(|(award, _)| award.name).collect();
        assert_eq!(achieved, ["Starter", "Trailblazer", "Champ"]);
    }
}

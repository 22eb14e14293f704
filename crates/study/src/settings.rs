//! What a member has switched on or off (`study.study-switches`), and how much a day asks (`study.daily-maximum`).

use crate::{DAILY_MAX, DAILY_MAX_RANGE, StudyError};

/// The settings of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct StudySettings {
    /// Whether the reader offers and shows highlights.
    pub has_highlights: bool,
    /// Whether the member's highlights count for popular passages.
    pub counts_in_popular: bool,
    /// Whether popular passages are shown to the member.
    pub shows_popular: bool,
    /// How many cards a day asks at most.
    pub daily_max: u32,
    /// Whether a day with an answer counts for the streak (`study.review-streak`).
    pub counts_for_streak: bool,
}

impl StudySettings {
    /// Checks the daily maximum.
    pub fn check(&self) -> Result<(), StudyError> {
        if DAILY_MAX_RANGE.contains(&self.daily_max) { Ok(()) } else { Err(StudyError::InvalidDailyMax) }
    }
}

impl Default for StudySettings {
    fn default() -> Self {
        Self {
            has_highlights: true,
            counts_in_popular: true,
            shows_popular: true,
            daily_max: DAILY_MAX,
            counts_for_streak: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StudySettings;
    use crate::StudyError;

    #[test]
    fn a_day_asks_from_5_to_200_cards_and_20_at_first() {
        let check = |daily_max| StudySettings { daily_max, ..StudySettings::default() }.check();
        assert_eq!(StudySettings::default().daily_max, 20);
        assert_eq!(
            [4, 5, 200, 201].map(check),
            [Err(StudyError::InvalidDailyMax), Ok(()), Ok(()), Err(StudyError::InvalidDailyMax)]
        );
    }
}

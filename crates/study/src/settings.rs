//! What a member has switched on or off (`study.study-switches`), and how much a day asks (`study.daily-maximum`).

use crate::{DAILY_MAX, DAILY_MAX_RANGE, StudyError, words::words};

/// The hours of a day.
pub const NOTICE_HOURS: std::ops::RangeInclusive<u32> = 0..=23;
/// The hour until a member chooses another.
pub const NOTICE_HOUR: u32 = 8;

words! {
    /// How a member is reminded of due cards.
    Reminder {
        Off = "off",
        Mail = "mail",
        /// By a push message, in the browsers that the member has allowed to show some.
        Push = "push",
    }
}

words! {
    /// How often a member gets highlights by mail.
    Digest {
        Off = "off",
        Daily = "daily",
        /// On Mondays.
        Weekly = "weekly",
    }
}

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
    /// How the member is reminded of due cards (`study.due-reminder`).
    pub reminder: Reminder,
    /// How often the member gets highlights by mail (`study.highlight-digest`).
    pub digest: Digest,
    /// The hour of both, from 0 to 23, in the member's time zone.
    pub notice_hour: u32,
    /// Whether the member is asked for a commitment and what became of it (`study.commitment-askings`).
    pub asks_commitments: bool,
}

impl StudySettings {
    /// Checks the daily maximum and the hour.
    pub fn check(&self) -> Result<(), StudyError> {
        if !DAILY_MAX_RANGE.contains(&self.daily_max) {
            return Err(StudyError::InvalidDailyMax);
        }
        if NOTICE_HOURS.contains(&self.notice_hour) { Ok(()) } else { Err(StudyError::InvalidNoticeHour) }
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
            reminder: Reminder::Off,
            digest: Digest::Off,
            notice_hour: NOTICE_HOUR,
            asks_commitments: true,
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

    #[test]
    fn notices_have_an_hour_of_the_day() {
        let check = |notice_hour| StudySettings { notice_hour, ..StudySettings::default() }.check();
        assert_eq!([0, 23, 24].map(check), [Ok(()), Ok(()), Err(StudyError::InvalidNoticeHour)]);
    }
}

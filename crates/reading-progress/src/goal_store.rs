//! What the daily goal, the reading time and the year need from storage.

use std::ops::Range;

use kernel::{BookId, Day, Device, StoreError, TimeZone, Timestamp, UserId, Year};

use crate::{
    DaysOfReading, GOAL_DAYS, GoalSettings, GoalState, ProgressError, YearOfReading, goal::counted_days,
    year::moments_of,
};

/// Reads, callable with any connection.
pub trait GoalQueries {
    /// What is stored about the reader's days from `from` to `to`; `None` when there is no such reader.
    fn days_of_reading(&mut self, reader: UserId, from: Day, to: Day) -> Result<Option<DaysOfReading>, StoreError>;

    /// The first completions within the range, ascending, of published books that are shown in the history.
    fn completions_within(
        &mut self,
        reader: UserId,
        range: Range<Timestamp>,
    ) -> Result<Vec<(BookId, Timestamp)>, StoreError>;

    /// The years of the days with reading time or completed summaries, ascending, each once.
    fn years_of_reading(&mut self, reader: UserId) -> Result<Vec<Year>, StoreError>;

    /// The last days in the light of the reader's goal (`reading-progress.daily-goal`).
    fn goal_state(&mut self, reader: UserId, now: Timestamp) -> Result<GoalState, ProgressError> {
        // Every time zone's today is at most a day from that of UTC.
        let today = TimeZone::UTC.day_of(now);
        let stored = self.days_of_reading(reader, today.plus(-GOAL_DAYS), today.plus(1))?;
        Ok(GoalState::of(&stored.ok_or(ProgressError::UnknownReader)?, now))
    }

    /// The reader's year in figures; `other_days` count for the streak too (`reading-progress.year-of-reading`).
    fn year_of_reading(
        &mut self,
        reader: UserId,
        year: Year,
        other_days: &[Day],
        now: Timestamp,
    ) -> Result<YearOfReading, ProgressError> {
        let stored = self.days_of_reading(reader, year.first_day(), year.last_day())?;
        let stored = stored.ok_or(ProgressError::UnknownReader)?;
        let completed = self.completions_within(reader, moments_of(year, &stored.time_zone))?;
        Ok(YearOfReading::of(year, &stored, completed, other_days, now))
    }
}

/// Writes, callable in any transaction.
pub trait GoalCommands: GoalQueries {
    /// Stores what the reader has chosen.
    fn save_goal_settings(&mut self, reader: UserId, settings: GoalSettings) -> Result<(), StoreError>;

    /// Stores the seconds that a device has counted on each of these days, each day once: the greater number of a device and a
    /// day stays. Further devices than [`crate::DEVICES_A_DAY`] do not count on a day.
    fn merge_reading_time(&mut self, reader: UserId, device: &Device, days: &[(Day, u32)]) -> Result<(), StoreError>;

    /// Counts what a device reports: its total of each day (`reading-progress.reading-time`). Nothing is counted while the reader
    /// has switched it off. Returns the state then.
    fn report_reading_time(
        &mut self,
        reader: UserId,
        device: &Device,
        reported: &[(Day, u32)],
        now: Timestamp,
    ) -> Result<GoalState, ProgressError> {
        let state = self.goal_state(reader, now)?;
        let days = counted_days(reported, state.today);
        if !state.settings.counts_time() || days.is_empty() {
            return Ok(state);
        }
        self.merge_reading_time(reader, device, &days)?;
        self.goal_state(reader, now)
    }
}

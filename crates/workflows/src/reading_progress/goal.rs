//! The daily goal and the reading time (`reading-progress.daily-goal`, `reading-progress.reading-time`).

use kernel::{Day, UserId};
use reading_progress::{Device, GoalCommands, GoalQueries, GoalSettings, GoalState, ReadingProgress};

use crate::{error::ViewError, tx::Tx};

/// The last days in the light of the reader's goal.
pub fn goal_state<A>(tx: &mut Tx<'_, '_, A>, reader: UserId) -> Result<GoalState, ViewError> {
    Ok(tx.pg.goal_state(reader, tx.now())?)
}

/// Stores what the reader has chosen, and returns the state then.
pub fn choose_goal(tx: &mut Tx<'_, '_>, reader: UserId, settings: GoalSettings) -> Result<GoalState, ViewError> {
    tx.pg.choose_goal(reader, settings)?;
    goal_state(tx, reader)
}

/// Counts what a device reports, its total of each day, and returns the state then.
pub fn report_reading_time(
    tx: &mut Tx<'_, '_>,
    reader: UserId,
    device: &Device,
    reported: &[(Day, u32)],
) -> Result<GoalState, ViewError> {
    let now = tx.now();
    Ok(tx.pg.report_reading_time(reader, device, reported, now)?)
}

//! Reads on a standby that streams from the primary.

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use diesel::{
    QueryableByName, RunQueryDsl,
    r2d2::HandleError,
    sql_query,
    sql_types::{Bool, Text},
};
use kernel::StoreError;

use crate::{
    pg::{Pg, PgRead},
    pool::{Lane, PgPool, PoolMonitor, PoolParts, PoolUse, READ_TIMEOUT, Settings, check_out},
    reach::one_line,
};

/// How long a read waits for a connection to the replica before it runs on the primary.
const CONNECT_WAIT: Duration = Duration::from_millis(250);
/// How long a read waits for the replica to replay what was committed before it.
const CATCH_UP: Duration = Duration::from_millis(30);
/// Interval at which a waiting read asks the replica.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// How long reads run on the primary after the replica could not be reached or was behind. Each further failure doubles it, because
/// a replica that hangs costs a read some seconds.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The shortest time between two warnings.
const WARN_INTERVAL: Duration = Duration::from_mins(1);

/// A position in Postgres' write-ahead log, in its text form. What was committed before it was asked for lies before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogPosition(String);

#[derive(QueryableByName)]
struct PositionRow {
    #[diesel(sql_type = Text)]
    position: String,
}

#[derive(QueryableByName)]
struct ReplayedRow {
    #[diesel(sql_type = Bool)]
    is_replayed: bool,
}

impl<A> Pg<'_, A> {
    /// The primary's position: everything up to it is on its disk, and nothing later was acknowledged.
    pub(crate) fn log_position(&mut self) -> Result<LogPosition, StoreError> {
        let row: PositionRow =
            self.run(|conn| sql_query("SELECT pg_current_wal_flush_lsn()::text AS position").get_result(conn))?;
        Ok(LogPosition(row.position))
    }

    /// Whether the server is a standby that shows everything up to a position of the primary.
    fn has_replayed(&mut self, LogPosition(position): &LogPosition) -> Result<bool, StoreError> {
        let row: ReplayedRow = self.run(|conn| {
            sql_query(
                "SELECT pg_is_in_recovery() AND coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS is_replayed",
            )
            .bind::<Text, _>(position)
            .get_result(conn)
        })?;
        Ok(row.is_replayed)
    }
}

/// A pool of the replica's connections. After a failure it is not tried for a moment.
#[derive(Clone)]
pub(crate) struct Replica {
    lane: Lane,
    health: Arc<Mutex<Health>>,
}

#[derive(Debug, Default)]
struct Health {
    /// When it may be tried again; `None`: now.
    paused_until: Option<Instant>,
    /// Failures since the last read that ran there.
    failures: u32,
    warned_at: Option<Instant>,
}

/// Why a read did not run on the replica.
enum Unread {
    /// It can't be used at the moment.
    Failed(String),
    /// A statement of the read failed there: it may have conflicted with what the replica replays.
    Conflict,
}

impl From<StoreError> for Unread {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Ignores why no connection could be opened: the read that needed one says that it got none.
#[derive(Debug)]
struct Silent;

impl HandleError<diesel::r2d2::Error> for Silent {
    fn handle_error(&self, error: diesel::r2d2::Error) {
        tracing::debug!(error = %one_line(&error.to_string()), "no connection to the replica");
    }
}

impl Replica {
    pub(crate) fn new(url: &str, size: u32, settings: Settings, monitor: &Arc<dyn PoolMonitor>) -> Self {
        let parts = PoolParts { url, size, wait: CONNECT_WAIT, settings, errors: Box::new(Silent) };
        Self { lane: Lane::new("replica", parts, monitor), health: Arc::default() }
    }

    pub(crate) fn usage(&self) -> PoolUse {
        self.lane.usage()
    }

    /// Whether reads are tried on it at the moment.
    pub(crate) fn is_tried(&self) -> bool {
        let health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        health.paused_until.is_none_or(|until| until <= Instant::now())
    }

    /// Runs reads once everything up to the position has been replayed. `None` if that, or a statement of the work, fails there.
    pub(crate) async fn read<T, E>(
        &self,
        position: LogPosition,
        work: Arc<impl Fn(&mut PgRead<'_>) -> Result<T, E> + Send + Sync + 'static>,
    ) -> Option<Result<T, E>>
    where
        T: Send + 'static,
        E: Send + 'static,
    {
        let until = Instant::now() + CONNECT_WAIT;
        let ran = self.lane.run(until, move |pool| {
            let ran = read_replayed(pool, until, &position, &*work);
            Ok::<_, StoreError>(ran)
        });
        let unread = match tokio::time::timeout_at((until + READ_TIMEOUT).into(), ran).await {
            Ok(Ok(Ok(answer))) => {
                self.health.lock().unwrap_or_else(PoisonError::into_inner).failures = 0;
                return Some(answer);
            }
            Ok(Ok(Err(unread))) => unread,
            Ok(Err(error)) => error.into(),
            Err(_) => Unread::Failed("it does not answer".to_owned()),
        };
        if let Unread::Failed(reason) = unread {
            self.pause(&reason);
        }
        None
    }

    fn pause(&self, reason: &str) {
        let mut health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        health.paused_until = Some(now + pause_after(health.failures));
        health.failures = health.failures.saturating_add(1);
        if health.warned_at.is_none_or(|at| now - at >= WARN_INTERVAL) {
            health.warned_at = Some(now);
            tracing::warn!(reason, "DATABASE_REPLICA_URL: the replica can't be read from; reads run on the primary");
        }
    }
}

/// The pause after a failure that followed on some others.
fn pause_after(failures: u32) -> Duration {
    PAUSE.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_PAUSE)
}

/// Runs the work on a connection whose server has replayed everything up to the position.
fn read_replayed<T, E>(
    pool: &PgPool,
    until: Instant,
    position: &LogPosition,
    work: &impl Fn(&mut PgRead<'_>) -> Result<T, E>,
) -> Result<Result<T, E>, Unread> {
    // Connections from before a restart of the replica are dropped.
    for _ in 0..=pool.max_size() {
        let mut connection = check_out(pool, until)?;
        let mut pg = PgRead::on(&mut connection);
        match wait_until_replayed(&mut pg, position) {
            Ok(true) => {
                let answer = work(&mut pg);
                return if answer.is_err() && pg.has_failed { Err(Unread::Conflict) } else { Ok(answer) };
            }
            Ok(false) => return Err(Unread::Failed("it is behind the primary".to_owned())),
            Err(_) if pg.lost_connection => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Unread::Failed("it closes every connection".to_owned()))
}

fn wait_until_replayed(pg: &mut PgRead<'_>, position: &LogPosition) -> Result<bool, StoreError> {
    let until = Instant::now() + CATCH_UP;
    loop {
        if pg.has_replayed(position)? {
            return Ok(true);
        }
        if Instant::now() >= until {
            return Ok(false);
        }
        thread::sleep(POLL_INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replica_that_goes_on_failing_is_tried_more_and_more_seldom() {
        let pauses = [0, 1, 4, 5, u32::MAX].map(|failures| pause_after(failures).as_secs());
        assert_eq!(pauses, [1, 2, 16, 30, 30]);
    }
}

//! Connection pools with a fair queue, and how a connection is taken from one.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use diesel::{
    Connection, PgConnection, RunQueryDsl,
    connection::{CacheSize, SimpleConnection, TransactionManager},
    r2d2::{
        ConnectionManager, CustomizeConnection, HandleError, HandleEvent, Pool, PooledConnection, event::TimeoutEvent,
    },
};
use kernel::StoreError;
use tokio::sync::Semaphore;
use tracing::Span;

use crate::{
    connect::init_openssl,
    error::{is_lost_connection, store_error},
    reach::one_line,
    traces::{self, StatementSpans},
};

pub(crate) type PgPool = Pool<ConnectionManager<PgConnection>>;

/// Time limit of a read, in addition to the longest wait for a connection.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_millis(3_500);

/// Turns off the compilation of plans: for statements that answer in milliseconds it takes many times as long as it saves.
pub(crate) const WITHOUT_JIT: &str = "SET jit = off";
/// Also plans each statement once. By itself Postgres plans the statement of combined saves at each call as soon as the saves are of
/// many members, because the length of its arrays promises fewer rows than it assumes without them: four times what the plan saves.
pub(crate) const PLANNED_ONCE: &str = "SET jit = off; SET plan_cache_mode = force_generic_plan";

/// Settings of each connection of a pool.
#[derive(Debug)]
pub(crate) enum Settings {
    /// The connection is one of Postgres for as long as it is open: what is set on it stays.
    OfSession(&'static str),
    /// The connection is one of a pooler, which may run each transaction on another one of Postgres: nothing is set, and no statement
    /// is prepared under a name.
    Pooled,
}

impl CustomizeConnection<PgConnection, diesel::r2d2::Error> for Settings {
    fn on_acquire(&self, connection: &mut PgConnection) -> Result<(), diesel::r2d2::Error> {
        match self {
            Self::OfSession(settings) => {
                connection.batch_execute(settings).map_err(diesel::r2d2::Error::QueryError)?;
            }
            Self::Pooled => connection.set_prepared_statement_cache_size(CacheSize::Disabled),
        }
        if traces::are_sent() {
            connection.set_instrumentation(StatementSpans::default());
        }
        Ok(())
    }
}

/// A connection pool with a fair queue. The pool wakes any of its waiters, the semaphore the one that has waited longest, so
/// that under load no caller waits several times as long as the others. Waiting for the semaphore blocks no thread.
#[derive(Clone)]
pub(crate) struct Lane {
    name: &'static str,
    pub(crate) pool: PgPool,
    turns: Arc<Semaphore>,
    pub(crate) monitor: Arc<dyn PoolMonitor>,
}

/// Receives what operators monitor of the pools.
pub trait PoolMonitor: Send + Sync + std::fmt::Debug {
    /// Reports how long a caller waited until it was its turn to use a connection of a pool. To open a new one is not included.
    fn waited(&self, pool: &'static str, wait: Duration);

    /// Reports that a caller got no connection of a pool in time.
    fn refused(&self, pool: &'static str);

    /// Reports whether a [`crate::Db::read_from_replica`] ran there, and not on the primary.
    fn ran_on_replica(&self, on_replica: bool);
}

/// A monitor that nobody reads, for commands and tests.
impl PoolMonitor for () {
    fn waited(&self, _: &'static str, _: Duration) {}

    fn refused(&self, _: &'static str) {}

    fn ran_on_replica(&self, _: bool) {}
}

/// Reports waits that the pool itself ends: no connection could be opened.
#[derive(Debug)]
struct TimeoutHandler(&'static str, Arc<dyn PoolMonitor>);

impl HandleEvent for TimeoutHandler {
    fn handle_timeout(&self, _: TimeoutEvent) {
        self.1.refused(self.0);
    }
}

/// The connections of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUse {
    /// `read`, `write` or `replica`.
    pub pool: &'static str,
    /// Open connections that nobody uses.
    pub idle: u32,
    pub used: u32,
    /// The most connections that it opens.
    pub max: u32,
}

/// Logs why no connection to the primary could be opened: once in [`WARN_INTERVAL`] for all pools of the process, which try several
/// times a second.
#[derive(Debug)]
pub(crate) struct ThrottledWarnings;

/// The shortest time between two warnings that the database can't be reached.
const WARN_INTERVAL: Duration = Duration::from_secs(10);

impl HandleError<diesel::r2d2::Error> for ThrottledWarnings {
    fn handle_error(&self, error: diesel::r2d2::Error) {
        static LAST: Mutex<Option<Instant>> = Mutex::new(None);
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= WARN_INTERVAL) {
            *last = Some(Instant::now());
            tracing::warn!(error = %one_line(&error.to_string()), "DATABASE_URL: the database can't be reached");
        }
    }
}

/// What pools differ in.
pub(crate) struct PoolParts<'a> {
    pub(crate) url: &'a str,
    pub(crate) size: u32,
    /// The longest wait for a connection.
    pub(crate) wait: Duration,
    pub(crate) settings: Settings,
    /// Receives why no connection could be opened.
    pub(crate) errors: Box<dyn HandleError<diesel::r2d2::Error>>,
}

pub(crate) fn pool(parts: PoolParts<'_>, events: Box<dyn HandleEvent>) -> PgPool {
    init_openssl();
    Pool::builder()
        .event_handler(events)
        .max_size(parts.size)
        .min_idle(Some(0))
        .connection_timeout(parts.wait)
        // A test would cost one query per check-out. Reads are retried if the connection was dead.
        .test_on_check_out(false)
        .connection_customizer(Box::new(parts.settings))
        .error_handler(parts.errors)
        .build_unchecked(ConnectionManager::new(parts.url))
}

impl Lane {
    pub(crate) fn new(name: &'static str, parts: PoolParts<'_>, monitor: &Arc<dyn PoolMonitor>) -> Self {
        let turns = Arc::new(Semaphore::new(parts.size as usize));
        let pool = pool(parts, Box::new(TimeoutHandler(name, Arc::clone(monitor))));
        Self { name, pool, turns, monitor: Arc::clone(monitor) }
    }

    pub(crate) fn usage(&self) -> PoolUse {
        let state = self.pool.state();
        let idle = state.idle_connections;
        PoolUse { pool: self.name, idle, used: state.connections.saturating_sub(idle), max: self.pool.max_size() }
    }

    /// Runs blocking work that takes one connection, on the blocking thread pool and in the caller's tracing span. Calls get
    /// their connection in order; a call that gets none by `until` fails as unavailable.
    pub(crate) async fn run<T, E>(
        &self,
        until: Instant,
        work: impl FnOnce(&PgPool) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let began = Instant::now();
        let no_turn = || {
            self.monitor.refused(self.name);
            StoreError::unavailable("no connection in time")
        };
        let turn = tokio::time::timeout_at(until.into(), Arc::clone(&self.turns).acquire_owned()).await;
        let turn = turn.map_err(|_| no_turn())?.map_err(StoreError::new)?;
        let (lane, span) = (self.clone(), Span::current());
        let ran = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            lane.monitor.waited(lane.name, began.elapsed());
            span.in_scope(|| work(&lane.pool))
        });
        ran.await.unwrap_or_else(|error| Err(StoreError::new(error).into()))
    }
}
type Pooled = PooledConnection<ConnectionManager<PgConnection>>;

pub(crate) fn check_out(pool: &PgPool, until: Instant) -> Result<Pooled, StoreError> {
    let left = until.saturating_duration_since(Instant::now());
    if !left.is_zero() {
        return pool.get_timeout(left).map_err(StoreError::unavailable);
    }
    // The wait for a thread used up the deadline. Under load a connection is free now; without a database none is.
    pool.try_get().or_else(|| wait_for_held(pool)).ok_or_else(|| StoreError::unavailable("no connection in time"))
}

/// Waits for a connection that another caller uses; does not wait for a new one to be opened.
fn wait_for_held(pool: &PgPool) -> Option<Pooled> {
    let wait = if pool.state().connections == 0 { Duration::ZERO } else { pool.connection_timeout() };
    (!wait.is_zero()).then(|| pool.get_timeout(wait).ok()).flatten()
}

/// A connection that responds to a query. Dead ones, left by a restart of the database, are dropped.
pub(crate) fn check_out_live(pool: &PgPool, until: Instant) -> Result<Pooled, StoreError> {
    for _ in 0..=pool.max_size() {
        let mut connection = check_out(pool, until)?;
        match diesel::sql_query("SELECT 1").execute(&mut connection) {
            Ok(_) => return Ok(connection),
            Err(error) if is_lost_connection(&error) => drop(connection),
            Err(error) => return Err(store_error(error)),
        }
    }
    Err(StoreError::unavailable("the database closes every connection"))
}

/// A connection in a new transaction. `BEGIN` also shows whether the connection is alive.
pub(crate) fn check_out_in_transaction(pool: &PgPool, until: Instant) -> Result<Pooled, StoreError> {
    let mut connection = check_out(pool, until)?;
    match begin(&mut connection) {
        Ok(()) => Ok(connection),
        Err(error) if is_lost_connection(&error) => {
            drop(connection);
            let mut connection = check_out_live(pool, until)?;
            begin(&mut connection).map_err(store_error)?;
            Ok(connection)
        }
        Err(error) => Err(store_error(error)),
    }
}

type Transactions = <PgConnection as Connection>::TransactionManager;

fn begin(connection: &mut PgConnection) -> diesel::QueryResult<()> {
    Transactions::begin_transaction(connection)
}

pub(crate) fn commit(connection: &mut PgConnection) -> Result<(), StoreError> {
    Transactions::commit_transaction(connection).map_err(store_error)
}

pub(crate) fn rollback(connection: &mut PgConnection) {
    // A connection that can't roll back is broken; the pool drops it.
    if let Err(error) = Transactions::rollback_transaction(connection) {
        tracing::debug!(%error, "a transaction could not be rolled back");
    }
}

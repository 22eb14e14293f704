//! The connection pools, and the only ways to use them: `read`, `read_from_replica`, `write` and `write_statement`.

use std::{
    marker::PhantomData,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use diesel::{
    Connection, PgConnection, RunQueryDsl,
    connection::{CacheSize, SimpleConnection, TransactionManager},
    r2d2::{
        ConnectionManager, CustomizeConnection, HandleError, HandleEvent, NopEventHandler, Pool, PooledConnection,
        event::TimeoutEvent,
    },
};
use kernel::StoreError;
use tokio::sync::Semaphore;
use tracing::Span;

use crate::{
    change::{Change, Notification, notify},
    connect::init_openssl,
    error::{is_lost_connection, store_error},
    listen::ChangeListener,
    reach::one_line,
    replica::Replica,
    traces::{self, StatementSpans},
};

pub(crate) type PgPool = Pool<ConnectionManager<PgConnection>>;

/// Turns off the compilation of plans: for statements that answer in milliseconds it takes many times as long as it saves.
const WITHOUT_JIT: &str = "SET jit = off";
/// Also plans each statement once. By itself Postgres plans the statement of combined saves at each call as soon as the saves are of
/// many members, because the length of its arrays promises fewer rows than it assumes without them: four times what the plan saves.
const PLANNED_ONCE: &str = "SET jit = off; SET plan_cache_mode = force_generic_plan";

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
    pool: PgPool,
    turns: Arc<Semaphore>,
    monitor: Arc<dyn PoolMonitor>,
}

/// Receives what operators monitor of the pools.
pub trait PoolMonitor: Send + Sync + std::fmt::Debug {
    /// Reports how long a caller waited until it was its turn to use a connection of a pool. To open a new one is not included.
    fn waited(&self, pool: &'static str, wait: Duration);

    /// Reports that a caller got no connection of a pool in time.
    fn refused(&self, pool: &'static str);

    /// Reports whether a [`Db::read_from_replica`] ran there, and not on the primary.
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
struct ThrottledWarnings;

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

/// What the pools of a [`Db`] differ in.
pub(crate) struct PoolParts<'a> {
    pub(crate) url: &'a str,
    pub(crate) size: u32,
    /// The longest wait for a connection.
    pub(crate) wait: Duration,
    pub(crate) settings: Settings,
    /// Receives why no connection could be opened.
    pub(crate) errors: Box<dyn HandleError<diesel::r2d2::Error>>,
}

fn pool(parts: PoolParts<'_>, events: Box<dyn HandleEvent>) -> PgPool {
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
type Handler = Arc<dyn Fn(Notification) + Send + Sync>;

/// Time limit of a read, in addition to the longest wait for a connection.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_millis(3_500);

/// URL and pool sizes of the database.
#[derive(Clone, Debug)]
pub struct DbConfig {
    /// A libpq connection URL.
    pub url: String,
    /// The URL of Postgres itself, if [`Self::url`] is that of a pooler that gives a connection for one transaction at a time, such as
    /// `PgBouncer` in transaction mode. Only listening needs a connection of its own.
    pub direct_url: Option<String>,
    /// The URL of a standby that streams from the primary, for [`Db::read_from_replica`].
    pub replica_url: Option<String>,
    /// Connections for reads: about four per worker thread of the server.
    pub read_connections: u32,
    /// Connections for writes. Commits wait for the disk, so more connections than cores are useful.
    pub write_connections: u32,
    /// How long a caller waits for a thread and a free connection together.
    pub wait: Duration,
}

impl DbConfig {
    /// The URL for what needs one connection of Postgres for longer than a transaction.
    pub fn session_url(&self) -> &str {
        self.direct_url.as_ref().unwrap_or(&self.url)
    }

    /// The most connections of the pools that requests wait for.
    pub const fn pooled_connections(&self) -> u32 {
        let replica = if self.replica_url.is_some() { self.read_connections } else { 0 };
        self.read_connections + self.write_connections + replica
    }

    /// The most connections to the primary that a process holds: both pools, the one of saved positions, and the one that listens for
    /// changes. Those to a pooler are not included.
    pub const fn most_connections(&self) -> u32 {
        match self.direct_url {
            Some(_) => 1,
            None => self.read_connections + self.write_connections + 2,
        }
    }

    const fn settings(&self, of_session: &'static str) -> Settings {
        if self.direct_url.is_some() { Settings::Pooled } else { Settings::OfSession(of_session) }
    }

    /// A pool of the primary's connections.
    fn pool(&self, size: u32, settings: &'static str) -> PoolParts<'_> {
        let (url, wait, settings) = (self.url.as_str(), self.wait, self.settings(settings));
        PoolParts { url, size, wait, settings, errors: Box::new(ThrottledWarnings) }
    }
}

/// The database, shared by the whole process. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    reads: Lane,
    writes: Lane,
    replica: Option<Replica>,
    /// The connection of [`Db::write_statement`].
    statements: PgPool,
    wait: Duration,
    /// This process's unique name on the `NOTIFY` channel.
    node: Arc<str>,
    handler: Arc<OnceLock<Handler>>,
    listener: Arc<ChangeListener>,
}

impl std::fmt::Debug for Db {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Db").field("node", &self.node).finish_non_exhaustive()
    }
}

impl Db {
    /// Creates the pools without waiting for the database: a server may start before its database.
    ///
    /// `node` is unique among the processes that use this database.
    pub fn new(config: &DbConfig, node: &str) -> Self {
        let nobody: Arc<dyn PoolMonitor> = Arc::new(());
        Self::monitored(config, node, &nobody)
    }

    /// [`Db::new`] with a monitor of its pools.
    pub fn monitored(config: &DbConfig, node: &str, monitor: &Arc<dyn PoolMonitor>) -> Self {
        let handler = Arc::new(OnceLock::new());
        let node: Arc<str> = Arc::from(node);
        let listener = ChangeListener::start(config.session_url().to_owned(), Arc::clone(&node), Arc::clone(&handler));
        Self {
            reads: Lane::new("read", config.pool(config.read_connections, WITHOUT_JIT), monitor),
            writes: Lane::new("write", config.pool(config.write_connections, WITHOUT_JIT), monitor),
            replica: config
                .replica_url
                .as_deref()
                .map(|url| Replica::new(url, config.read_connections, config.settings(WITHOUT_JIT), monitor)),
            statements: pool(config.pool(1, PLANNED_ONCE), Box::new(NopEventHandler)),
            wait: config.wait,
            node,
            handler,
            listener: Arc::new(listener),
        }
    }

    /// The connections of the pools.
    pub fn pool_use(&self) -> Vec<PoolUse> {
        let replica = self.replica.as_ref().map(Replica::usage);
        [self.reads.usage(), self.writes.usage()].into_iter().chain(replica).collect()
    }

    /// Sets the handler of changes, made by this node (called before `write` returns) or by others. Only the first call counts.
    pub fn on_change(&self, handler: impl Fn(Notification) + Send + Sync + 'static) {
        // A second handler would be a wiring error.
        let _ = self.handler.set(Arc::new(handler));
    }

    /// Runs reads on one connection, outside a transaction: for a consistent snapshot, use one query. Retried once if the
    /// connection was dead, as after a restart of the database. Fails as unavailable after [`READ_TIMEOUT`].
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut PgRead<'_>) -> Result<T, E> + Send + 'static,
    {
        let until = self.deadline();
        let answer = self.reads.run(until, move |pool| {
            let mut connection = check_out(pool, until)?;
            let mut pg = PgRead::on(&mut connection);
            let answer = work(&mut pg);
            if answer.is_ok() || !pg.lost_connection {
                return answer;
            }
            drop(connection);
            let mut connection = check_out_live(pool, until)?;
            work(&mut PgRead::on(&mut connection))
        });
        // A database that hangs neither answers nor closes its connections. Abandoning a read is harmless.
        let timed_out = |_| Err(StoreError::unavailable("the database does not answer").into());
        tokio::time::timeout_at((until + READ_TIMEOUT).into(), answer).await.unwrap_or_else(timed_out)
    }

    /// Like [`Db::read`], for reads that take longer than the others, such as lists, searches, statistics and exports: runs on the
    /// replica if there is one, and it has everything that was committed before this call. So a caller sees its own earlier writes
    /// and those of all others, as on the primary, where the read runs otherwise.
    pub async fn read_from_replica<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut PgRead<'_>) -> Result<T, E> + Send + Sync + 'static,
    {
        let Some(replica) = &self.replica else { return self.read(work).await };
        let work = Arc::new(work);
        let position = |pg: &mut PgRead<'_>| pg.log_position();
        if replica.is_tried()
            && let Ok(position) = self.read(position).await
            && let Some(answer) = replica.read(position, Arc::clone(&work)).await
        {
            self.reads.monitor.ran_on_replica(true);
            return answer;
        }
        self.reads.monitor.ran_on_replica(false);
        self.read(move |pg| work(pg)).await
    }

    /// Runs the work in one transaction on one connection. When it returns, the changes are on disk and this node has
    /// invalidated its caches. On an error, nothing was written.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut Pg<'_>) -> Result<T, E> + Send + 'static,
    {
        let db = self.clone();
        let until = self.deadline();
        self.writes.run(until, move |_| db.write_until(until, work)).await
    }

    /// Runs a write that is one statement, and so a transaction by itself: it saves the round trips of `BEGIN` and `COMMIT`. The
    /// statement must be idempotent, because it is retried once if the connection was dead. It has a connection of its own, for which
    /// the caller waits until `until`, and is planned once, not for its values. Blocks the thread.
    ///
    /// # Panics
    /// In debug builds, if the work succeeds with more than one statement, or fails after more than one statement that writes:
    /// these would not be atomic.
    pub fn write_statement<T, E>(&self, until: Instant, work: impl Fn(&mut Pg<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        let mut connection = check_out(&self.statements, until)?;
        let (mut answer, mut changes, lost) = self.run_statement(&mut connection, &work);
        if answer.is_err() && lost {
            drop(connection);
            let mut connection = check_out_live(&self.statements, until)?;
            (answer, changes, _) = self.run_statement(&mut connection, &work);
        }
        let value = answer?;
        self.publish(changes);
        Ok(value)
    }

    /// Like [`Db::run`]; in debug builds, also checks that the work was one statement.
    fn run_statement<T, E: From<StoreError>>(
        &self,
        connection: &mut PgConnection,
        work: impl FnOnce(&mut Pg<'_>) -> Result<T, E>,
    ) -> (Result<T, E>, Vec<Change>, bool) {
        #[cfg(debug_assertions)]
        let count = crate::statement_count::StatementCount::start(connection);
        let outcome = self.run(connection, work);
        #[cfg(debug_assertions)]
        count.finish(connection, outcome.0.is_ok());
        outcome
    }

    /// Runs the work, and sends its notifications on the same connection. Returns the result, the changes, and whether the
    /// connection was lost.
    fn run<T, E: From<StoreError>>(
        &self,
        connection: &mut PgConnection,
        work: impl FnOnce(&mut Pg<'_>) -> Result<T, E>,
    ) -> (Result<T, E>, Vec<Change>, bool) {
        let mut pg = Pg::new(connection);
        let answer = work(&mut pg).and_then(|value| {
            pg.notify_changes(&self.node)?;
            Ok(value)
        });
        (answer, std::mem::take(&mut pg.changes), pg.lost_connection)
    }

    /// Like [`Db::write`], but blocks the thread: for commands and background work.
    pub fn write_now<T, E>(&self, work: impl FnOnce(&mut Pg<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        self.write_until(self.deadline(), work)
    }

    /// Until when a call that starts now waits for a connection. It counts from the call, not from when a thread runs it: without a
    /// database every thread waits, and queued calls would wait for all of them.
    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.wait
    }

    fn write_until<T, E>(&self, until: Instant, work: impl FnOnce(&mut Pg<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        let mut connection = check_out_in_transaction(&self.writes.pool, until)?;
        let (answer, changes, _) = self.run(&mut connection, work);
        match answer {
            Ok(value) => {
                commit(&mut connection)?;
                self.publish(changes);
                Ok(value)
            }
            Err(error) => {
                rollback(&mut connection);
                Err(error)
            }
        }
    }

    /// Passes committed changes to this node's handler; announces to other nodes those that were not announced at commit.
    fn publish(&self, changes: Vec<Change>) {
        for change in changes {
            if !change.is_announced_at_commit() {
                self.listener.announce(change);
            }
            if let Some(handler) = self.handler.get() {
                handler(Notification::Change(change));
            }
        }
    }

    /// Whether the database responds to a query.
    pub async fn is_up(&self) -> bool {
        self.read::<_, StoreError, _>(|pg| pg.run(|conn| diesel::sql_query("SELECT 1").execute(conn))).await.is_ok()
    }
}

/// Marks a [`Pg`] on which only reads may run.
#[derive(Clone, Copy, Debug)]
pub enum Read {}

/// Marks a [`Pg`] on which writes may run too.
#[derive(Clone, Copy, Debug)]
pub enum Write {}

/// One connection, in the transaction of a [`Db::write`] or in a [`Db::read`]. It implements the queries of all domains, and
/// with [`Write`] also their commands and stores: a command in a read does not compile.
pub struct Pg<'c, A = Write> {
    connection: &'c mut PgConnection,
    changes: Vec<Change>,
    pub(crate) lost_connection: bool,
    /// Whether a statement failed.
    pub(crate) has_failed: bool,
    access: PhantomData<A>,
}

/// A connection in a [`Db::read`].
pub type PgRead<'c> = Pg<'c, Read>;

impl<'c, A> Pg<'c, A> {
    pub(crate) fn on(connection: &'c mut PgConnection) -> Self {
        Self { connection, changes: Vec::new(), lost_connection: false, has_failed: false, access: PhantomData }
    }

    /// Converts a Diesel error to a [`StoreError`], and records whether the connection was lost.
    pub(crate) fn fail(&mut self, error: diesel::result::Error) -> StoreError {
        self.lost_connection |= is_lost_connection(&error);
        self.has_failed = true;
        store_error(error)
    }

    /// Runs Diesel code on the connection; converts its error.
    pub(crate) fn run<T>(
        &mut self,
        work: impl FnOnce(&mut PgConnection) -> diesel::QueryResult<T>,
    ) -> Result<T, StoreError> {
        work(self.connection).map_err(|error| self.fail(error))
    }
}

impl<'c> Pg<'c> {
    /// The stores on a given connection, for tests and for code with a connection of its own.
    pub fn new(connection: &'c mut PgConnection) -> Self {
        Self::on(connection)
    }

    /// Records a change that invalidates caches, to be announced when the transaction commits.
    pub(crate) fn record_change(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    fn notify_changes(&mut self, node: &str) -> Result<(), StoreError> {
        let payloads: Vec<String> = self
            .changes
            .iter()
            .filter(|change| change.is_announced_at_commit())
            .map(|change| change.to_payload())
            .collect();
        for payload in payloads {
            notify(self.connection, node, &payload).map_err(store_error)?;
        }
        Ok(())
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
fn check_out_live(pool: &PgPool, until: Instant) -> Result<Pooled, StoreError> {
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
fn check_out_in_transaction(pool: &PgPool, until: Instant) -> Result<Pooled, StoreError> {
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

fn commit(connection: &mut PgConnection) -> Result<(), StoreError> {
    Transactions::commit_transaction(connection).map_err(store_error)
}

fn rollback(connection: &mut PgConnection) {
    // A connection that can't roll back is broken; the pool drops it.
    if let Err(error) = Transactions::rollback_transaction(connection) {
        tracing::debug!(%error, "a transaction could not be rolled back");
    }
}

//! The single door to the database.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use diesel::{
    Connection, PgConnection, RunQueryDsl,
    connection::TransactionManager,
    r2d2::{ConnectionManager, Pool, PooledConnection},
    sql_types::Text,
};
use kernel::StoreError;
use tracing::Span;

use crate::{
    change::{CHANNEL, Change, Heard},
    error::{is_lost_connection, store_error},
    listen::Hearing,
};

type PgPool = Pool<ConnectionManager<PgConnection>>;
type Listener = Arc<dyn Fn(Heard) + Send + Sync>;

/// How long a read may go on after the longest wait for a connection.
const GRACE: Duration = Duration::from_millis(3_500);

/// How the database is reached.
#[derive(Clone, Debug)]
pub struct DbConfig {
    /// A libpq address.
    pub url: String,
    /// Connections for reads: about four for each worker thread of the server.
    pub read_connections: u32,
    /// Connections for writes. They wait for the disk, so more than the cores pay.
    pub write_connections: u32,
    /// How long a caller waits for a free connection, with the wait for a thread, before it is told to come back
    /// later.
    pub wait: Duration,
}

/// The database, shared by all of a process. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    reads: PgPool,
    writes: PgPool,
    wait: Duration,
    /// Tells this process apart from the others on the channel.
    node: Arc<str>,
    on_change: Arc<OnceLock<Listener>>,
    hearing: Arc<Hearing>,
}

impl std::fmt::Debug for Db {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Db").field("node", &self.node).finish_non_exhaustive()
    }
}

impl Db {
    /// Makes the pools, without waiting for the database: a server starts while its database still does.
    ///
    /// `node` is a name that no other process on this database has.
    pub fn new(config: &DbConfig, node: &str) -> Self {
        let pool = |size: u32| {
            Pool::builder()
                .max_size(size)
                .min_idle(Some(0))
                .connection_timeout(config.wait)
                // One more query at each check-out otherwise. Reads are tried again when a connection was dead.
                .test_on_check_out(false)
                .build_unchecked(ConnectionManager::new(&config.url))
        };
        let on_change = Arc::new(OnceLock::new());
        let node: Arc<str> = Arc::from(node);
        let hearing = Hearing::start(config.url.clone(), Arc::clone(&node), Arc::clone(&on_change));
        Self {
            reads: pool(config.read_connections),
            writes: pool(config.write_connections),
            wait: config.wait,
            node,
            on_change,
            hearing: Arc::new(hearing),
        }
    }

    /// Names who is told of changes, made here (before `write` returns) or by other nodes. Once for a process.
    pub fn on_change(&self, listener: impl Fn(Heard) + Send + Sync + 'static) {
        // A second listener would be a mistake of the wiring; the first one stays.
        let _ = self.on_change.set(Arc::new(listener));
    }

    /// Runs reads on one connection, outside a transaction: what must be seen at one moment is one query.
    /// Run once more when the connection turns out to be dead, as after a restart of the database, and given up when
    /// the database does not answer.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut Pg<'_>) -> Result<T, E> + Send + 'static,
    {
        let db = self.clone();
        let until = self.patience();
        let answer = blocking(move || {
            let mut connection = take(&db.reads, until)?;
            let mut pg = Pg::new(&mut connection);
            let answer = work(&mut pg);
            if answer.is_ok() || !pg.lost_connection {
                return answer;
            }
            drop(connection);
            let mut connection = take_fresh(&db.reads, until)?;
            work(&mut Pg::new(&mut connection))
        });
        // A database that hangs holds on to its connections and says nothing. What only reads can be given up.
        let given_up = |_| Err(StoreError::unavailable("the database does not answer").into());
        tokio::time::timeout_at((until + GRACE).into(), answer).await.unwrap_or_else(given_up)
    }

    /// Runs the work in one transaction on one connection. When it returns, everything is on disk and this node
    /// has dropped what it held of it; on an error nothing was written.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut Pg<'_>) -> Result<T, E> + Send + 'static,
    {
        let db = self.clone();
        let until = self.patience();
        blocking(move || db.write_until(until, work)).await
    }

    /// Runs a write that is one statement, which is a transaction by itself: what happens at every turn of a page
    /// needs no rounds to begin and to commit. It must be one that may be made twice, for it is run once more when
    /// the connection turns out to be dead.
    pub async fn write_statement<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut Pg<'_>) -> Result<T, E> + Send + 'static,
    {
        let db = self.clone();
        let until = self.patience();
        blocking(move || {
            let mut connection = take(&db.writes, until)?;
            let (mut answer, mut changes, lost) = db.run(&mut connection, &work);
            if answer.is_err() && lost {
                drop(connection);
                let mut connection = take_fresh(&db.writes, until)?;
                (answer, changes, _) = db.run(&mut connection, &work);
            }
            let value = answer?;
            db.tell(changes);
            Ok(value)
        })
        .await
    }

    /// Does the work and says its changes on the connection; gives the outcome, the changes, and whether the
    /// connection was lost.
    fn run<T, E: From<StoreError>>(
        &self,
        connection: &mut PgConnection,
        work: impl FnOnce(&mut Pg<'_>) -> Result<T, E>,
    ) -> (Result<T, E>, Vec<Change>, bool) {
        let mut pg = Pg::new(connection);
        let answer = work(&mut pg).and_then(|value| {
            pg.say_changes(&self.node)?;
            Ok(value)
        });
        (answer, std::mem::take(&mut pg.changes), pg.lost_connection)
    }

    /// [`Db::write`] for a thread that may block: commands and background work.
    pub fn write_now<T, E>(&self, work: impl FnOnce(&mut Pg<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        self.write_until(self.patience(), work)
    }

    /// Until when whoever asks now waits. Counted from the question, not from when a thread takes it up: without a
    /// database every thread waits, and whoever stood in line behind them would wait for their waits too.
    fn patience(&self) -> Instant {
        Instant::now() + self.wait
    }

    fn write_until<T, E>(&self, until: Instant, work: impl FnOnce(&mut Pg<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        let mut connection = take_begun(&self.writes, until)?;
        let (answer, changes, _) = self.run(&mut connection, work);
        match answer {
            Ok(value) => {
                commit(&mut connection)?;
                self.tell(changes);
                Ok(value)
            }
            Err(error) => {
                rollback(&mut connection);
                Err(error)
            }
        }
    }

    /// Passes on what was changed: to this node now, and to the others where the commit has not said it.
    fn tell(&self, changes: Vec<Change>) {
        for change in changes {
            if !change.is_said_at_commit() {
                self.hearing.announce(change);
            }
            if let Some(listener) = self.on_change.get() {
                listener(Heard::Change(change));
            }
        }
    }

    /// Whether the database answers.
    pub async fn is_up(&self) -> bool {
        self.read::<_, StoreError, _>(|pg| pg.run(|conn| diesel::sql_query("SELECT 1").execute(conn))).await.is_ok()
    }
}

/// One connection, in the transaction of a `write` or in a `read`: it bears the stores of all domains.
pub struct Pg<'c> {
    connection: &'c mut PgConnection,
    changes: Vec<Change>,
    lost_connection: bool,
}

impl<'c> Pg<'c> {
    /// Bears the stores on a connection of one's own: tests do.
    pub fn new(connection: &'c mut PgConnection) -> Self {
        Self { connection, changes: Vec::new(), lost_connection: false }
    }

    /// Notes that something which nodes hold in memory has changed; said when the transaction commits.
    pub(crate) fn changed(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    /// Turns a failure of the database into the store's error, and remembers when the connection is gone.
    pub(crate) fn fail(&mut self, error: diesel::result::Error) -> StoreError {
        self.lost_connection |= is_lost_connection(&error);
        store_error(error)
    }

    /// Runs one piece of Diesel work on the connection, its failure being the store's.
    pub(crate) fn run<T>(
        &mut self,
        work: impl FnOnce(&mut PgConnection) -> diesel::QueryResult<T>,
    ) -> Result<T, StoreError> {
        work(self.connection).map_err(|error| self.fail(error))
    }

    fn say_changes(&mut self, node: &str) -> Result<(), StoreError> {
        let said: Vec<String> =
            self.changes.iter().filter(|change| change.is_said_at_commit()).map(|change| change.to_payload()).collect();
        for payload in said {
            notify(self.connection, node, &payload).map_err(store_error)?;
        }
        Ok(())
    }
}

/// Says a change on the channel, with the name of the node that says it.
pub(crate) fn notify(connection: &mut PgConnection, node: &str, payload: &str) -> diesel::QueryResult<()> {
    diesel::sql_query("SELECT pg_notify($1, $2)")
        .bind::<Text, _>(CHANNEL)
        .bind::<Text, _>(format!("{node} {payload}"))
        .execute(connection)
        .map(|_| ())
}

/// Runs blocking work beside the async threads, in the caller's tracing span.
async fn blocking<T, E>(work: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, E>
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
{
    let span = Span::current();
    match tokio::task::spawn_blocking(move || span.in_scope(work)).await {
        Ok(answer) => answer,
        Err(error) => Err(StoreError::new(error).into()),
    }
}

type Pooled = PooledConnection<ConnectionManager<PgConnection>>;

fn take(pool: &PgPool, until: Instant) -> Result<Pooled, StoreError> {
    let left = until.saturating_duration_since(Instant::now());
    if !left.is_zero() {
        return pool.get_timeout(left).map_err(StoreError::unavailable);
    }
    // Whoever has waited for a thread all the time: in a crowd there is a connection now, without a database none.
    pool.try_get().or_else(|| wait_for_held(pool)).ok_or_else(|| StoreError::unavailable("no connection in time"))
}

/// Waits for a connection that somebody else holds; not for one that would have to be made.
fn wait_for_held(pool: &PgPool) -> Option<Pooled> {
    let wait = if pool.state().connections == 0 { Duration::ZERO } else { pool.connection_timeout() };
    (!wait.is_zero()).then(|| pool.get_timeout(wait).ok()).flatten()
}

/// A connection that answers: dead ones, as many as a restart of the database left behind, are dropped on the way.
fn take_fresh(pool: &PgPool, until: Instant) -> Result<Pooled, StoreError> {
    for _ in 0..=pool.max_size() {
        let mut connection = take(pool, until)?;
        match diesel::sql_query("SELECT 1").execute(&mut connection) {
            Ok(_) => return Ok(connection),
            Err(error) if is_lost_connection(&error) => drop(connection),
            Err(error) => return Err(store_error(error)),
        }
    }
    Err(StoreError::unavailable("the database closes every connection"))
}

/// A connection on which a transaction has begun. Beginning is also what shows whether the connection is alive.
fn take_begun(pool: &PgPool, until: Instant) -> Result<Pooled, StoreError> {
    let mut connection = take(pool, until)?;
    match begin(&mut connection) {
        Ok(()) => Ok(connection),
        Err(error) if is_lost_connection(&error) => {
            drop(connection);
            let mut connection = take_fresh(pool, until)?;
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
    // A connection that can't roll back is broken, and the pool drops it.
    if let Err(error) = Transactions::rollback_transaction(connection) {
        tracing::debug!(%error, "a transaction could not be rolled back");
    }
}

//! The database, and the only ways to use its pools: `read`, `read_from_replica`, `write` and `write_statement`.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use diesel::{PgConnection, RunQueryDsl, r2d2::NopEventHandler};
use kernel::StoreError;

use crate::{
    change::{Change, Notification},
    listen::ChangeListener,
    pg::{Pg, PgRead},
    pool::{
        Lane, PLANNED_ONCE, PgPool, PoolMonitor, PoolParts, PoolUse, READ_TIMEOUT, Settings, ThrottledWarnings,
        WITHOUT_JIT, check_out, check_out_in_transaction, check_out_live, commit, pool, rollback,
    },
    replica::Replica,
};

type Handler = Arc<dyn Fn(Notification) + Send + Sync>;

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

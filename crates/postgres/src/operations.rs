//! What operators ask of an instance: its processes, its backups, its webhooks, and how it was set up. Each is read or written a few
//! times a minute at most, so the statements are text that Postgres plans each time.

use ::operations::{Backup, DatabaseUse, DelayedJobs, DiskSpace, Node, Process, Verification, WebhookActivity};
use chrono::{DateTime, Utc};
use diesel::{
    QueryableByName, RunQueryDsl,
    connection::SimpleConnection,
    sql_query,
    sql_types::{BigInt, Binary, Bool, Integer, Nullable, Text, Timestamptz},
};
use kernel::{StoreError, Timestamp};

use crate::{
    Change, Pg,
    connect::connect,
    error::connection_error,
    migrate::has_table,
    time::{from_db, to_db},
};

#[derive(QueryableByName)]
struct NodeRow {
    #[diesel(sql_type = Text)]
    id: String,
    #[diesel(sql_type = Text)]
    host: String,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    release: String,
    #[diesel(sql_type = Text)]
    commit: String,
    #[diesel(sql_type = Timestamptz)]
    started_at: DateTime<Utc>,
    #[diesel(sql_type = Timestamptz)]
    seen_at: DateTime<Utc>,
    #[diesel(sql_type = BigInt)]
    clock_offset_ms: i64,
    #[diesel(sql_type = Integer)]
    max_connections: i32,
    #[diesel(sql_type = Nullable<BigInt>)]
    disk_free_bytes: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    disk_total_bytes: Option<i64>,
}

impl TryFrom<NodeRow> for Node {
    type Error = StoreError;

    fn try_from(row: NodeRow) -> Result<Self, StoreError> {
        let disk = row.disk_free_bytes.zip(row.disk_total_bytes);
        Ok(Self {
            process: Process {
                id: row.id,
                host: row.host,
                kind: row.kind.parse().map_err(StoreError::new)?,
                release: row.release,
                commit: row.commit,
                started_at: from_db(row.started_at),
                max_connections: u32::try_from(row.max_connections).unwrap_or(0),
                disk: disk.map(|(free, total)| DiskSpace { free: free.unsigned_abs(), total: total.unsigned_abs() }),
            },
            seen_at: from_db(row.seen_at),
            clock_offset: row.clock_offset_ms,
        })
    }
}

#[derive(QueryableByName)]
struct DatabaseRow {
    #[diesel(sql_type = Text)]
    version: String,
    #[diesel(sql_type = BigInt)]
    bytes: i64,
    #[diesel(sql_type = Integer)]
    connections: i32,
    #[diesel(sql_type = Integer)]
    max_connections: i32,
    #[diesel(sql_type = Timestamptz)]
    now: DateTime<Utc>,
}

#[derive(QueryableByName)]
struct WebhookRow {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = BigInt)]
    waiting: i64,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    oldest_waiting_at: Option<DateTime<Utc>>,
}

#[derive(QueryableByName)]
struct BackupRow {
    #[diesel(sql_type = Timestamptz)]
    ended_at: DateTime<Utc>,
    #[diesel(sql_type = BigInt)]
    bytes: i64,
    #[diesel(sql_type = Nullable<Bool>)]
    is_verified: Option<bool>,
    #[diesel(sql_type = Nullable<Text>)]
    fault: Option<String>,
}

impl From<BackupRow> for Backup {
    fn from(row: BackupRow) -> Self {
        let verification = match row.is_verified {
            None => Verification::NotTried,
            Some(true) => Verification::Passed,
            Some(false) => Verification::Failed(row.fault.unwrap_or_default()),
        };
        Self { ended_at: from_db(row.ended_at), bytes: row.bytes.unsigned_abs(), verification }
    }
}

#[derive(QueryableByName)]
struct Moment {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    at: Option<DateTime<Utc>>,
}

#[derive(QueryableByName)]
struct DelayedRow {
    #[diesel(sql_type = BigInt)]
    count: i64,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    since: Option<DateTime<Utc>>,
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    found: bool,
}

#[derive(QueryableByName)]
struct Offset {
    #[diesel(sql_type = BigInt)]
    clock_offset_ms: i64,
}

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Nullable<Text>)]
    name: Option<String>,
}

/// Whether there is neither content nor an admin, and the site was never set up by its page.
const IS_SETUP_OPEN: &str = "NOT EXISTS (SELECT FROM site_settings WHERE set_up_at IS NOT NULL) AND NOT EXISTS (SELECT FROM books) \
     AND NOT EXISTS (SELECT FROM users WHERE role = 'admin')";

impl<A> Pg<'_, A> {
    /// The processes that were seen within the hour (others are deleted), those that serve first. One that was stopped in order is
    /// not among them.
    pub fn nodes(&mut self) -> Result<Vec<Node>, StoreError> {
        let rows: Vec<NodeRow> =
            self.run(|conn| sql_query("SELECT * FROM nodes ORDER BY kind, host, started_at, id").load(conn))?;
        rows.into_iter().map(Node::try_from).collect()
    }

    /// Version, size, connections and clock of the database.
    pub fn database_use(&mut self) -> Result<DatabaseUse, StoreError> {
        let row: DatabaseRow = self.run(|conn| {
            sql_query(
                "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes, \
                 (SELECT sum(numbackends)::int FROM pg_stat_database) AS connections, \
                 current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int \
                 AS max_connections, clock_timestamp() AS now",
            )
            .get_result(conn)
        })?;
        Ok(DatabaseUse {
            version: row.version,
            bytes: row.bytes.unsigned_abs(),
            connections: u32::try_from(row.connections).unwrap_or(0),
            max_connections: u32::try_from(row.max_connections).unwrap_or(0),
            now: from_db(row.now),
        })
    }

    /// The webhooks of a payment provider.
    pub fn webhook_activity(&mut self, provider: &'static str) -> Result<WebhookActivity, StoreError> {
        let row: WebhookRow = self.run(|conn| {
            sql_query(
                "SELECT (SELECT received_at FROM provider_events WHERE provider = $1 ORDER BY id DESC LIMIT 1) AS last_at, count(*) AS waiting, \
                 min(received_at) AS oldest_waiting_at FROM provider_events WHERE provider = $1 AND applied_at IS NULL",
            )
            .bind::<Text, _>(provider)
            .get_result(conn)
        })?;
        Ok(WebhookActivity {
            provider: provider.to_owned(),
            last_at: row.last_at.map(from_db),
            waiting: row.waiting.unsigned_abs(),
            oldest_waiting_at: row.oldest_waiting_at.map(from_db),
        })
    }

    /// When the latest backup of a schedule was begun; `None` if none was made.
    pub fn last_scheduled_backup(&mut self) -> Result<Option<Timestamp>, StoreError> {
        let row: Moment = self.run(|conn| sql_query("SELECT max(scheduled_at) AS at FROM backups").get_result(conn))?;
        Ok(row.at.map(from_db))
    }

    /// The latest backup; `None` if none was made.
    pub fn last_backup(&mut self) -> Result<Option<Backup>, StoreError> {
        let rows: Vec<BackupRow> = self.run(|conn| {
            sql_query("SELECT ended_at, bytes, is_verified, fault FROM backups ORDER BY ended_at DESC, id DESC LIMIT 1")
                .load(conn)
        })?;
        Ok(rows.into_iter().next().map(Backup::from))
    }

    /// The queued jobs of a kind that were tried in vain more than `tries` times.
    pub fn delayed_jobs(&mut self, kind: &'static str, tries: i32) -> Result<Option<DelayedJobs>, StoreError> {
        let row: DelayedRow = self.run(|conn| {
            sql_query(
                "SELECT count(*) AS count, min(created_at) AS since FROM jobs \
                 WHERE kind = $1 AND state = 'queued' AND attempts > $2",
            )
            .bind::<Text, _>(kind)
            .bind::<Integer, _>(tries)
            .get_result(conn)
        })?;
        Ok(row.since.map(|since| DelayedJobs { count: row.count.unsigned_abs(), since: from_db(since) }))
    }

    /// When a job of a kind was last done; `None`: never, or longer ago than done jobs are kept.
    pub fn last_job_done(&mut self, kind: &'static str) -> Result<Option<Timestamp>, StoreError> {
        let row: Moment = self.run(|conn| {
            sql_query("SELECT max(done_at) AS at FROM jobs WHERE kind = $1 AND state = 'done'")
                .bind::<Text, _>(kind)
                .get_result(conn)
        })?;
        Ok(row.at.map(from_db))
    }

    /// The name that the setup page gave the site; `None` if it gave none.
    pub fn stored_site_name(&mut self) -> Result<Option<String>, StoreError> {
        let rows: Vec<Name> = self.run(|conn| sql_query("SELECT name FROM site_settings").load(conn))?;
        Ok(rows.into_iter().find_map(|row| row.name))
    }

    /// Whether the site waits for its setup: it has neither content nor an admin, and was never set up by its page.
    pub fn is_setup_open(&mut self) -> Result<bool, StoreError> {
        self.run(|conn| {
            sql_query(format!("SELECT {IS_SETUP_OPEN} AS found")).get_result(conn).map(|row: Found| row.found)
        })
    }

    /// Whether this is the hash of the current setup token.
    pub fn is_setup_token(&mut self, hash: &[u8]) -> Result<bool, StoreError> {
        self.run(|conn| {
            sql_query("SELECT EXISTS (SELECT FROM site_settings WHERE setup_token_hash = $1) AS found")
                .bind::<Binary, _>(hash)
                .get_result(conn)
                .map(|row: Found| row.found)
        })
    }
}

impl Pg<'_> {
    /// Records that a process runs. Forgets those that were not seen for an hour, and those of its machine and kind that were not seen
    /// for a minute: it has taken their place.
    ///
    /// # Returns
    /// The clock of its machine, which shows `now`, minus the database's, in milliseconds.
    pub fn save_node(&mut self, process: &Process, now: Timestamp) -> Result<i64, StoreError> {
        let disk = process.disk;
        let bytes = |of: fn(DiskSpace) -> u64| disk.map(|disk| i64::try_from(of(disk)).unwrap_or(i64::MAX));
        self.run(|conn| {
            sql_query(
                "DELETE FROM nodes WHERE seen_at < clock_timestamp() - interval '1 hour' \
                 OR (host = $1 AND kind = $2 AND id <> $3 AND seen_at < clock_timestamp() - interval '1 minute')",
            )
            .bind::<Text, _>(&process.host)
            .bind::<Text, _>(process.kind.as_str())
            .bind::<Text, _>(&process.id)
            .execute(conn)?;
            let saved: Offset = sql_query(
                "INSERT INTO nodes AS node (id, host, kind, release, commit, started_at, seen_at, clock_offset_ms, \
                 max_connections, disk_free_bytes, disk_total_bytes) \
                 VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp(), \
                 (extract(epoch FROM $7 - clock_timestamp()) * 1000)::bigint, $8, $9, $10) \
                 ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, clock_offset_ms = excluded.clock_offset_ms, \
                 disk_free_bytes = excluded.disk_free_bytes, disk_total_bytes = excluded.disk_total_bytes \
                 RETURNING clock_offset_ms",
            )
            .bind::<Text, _>(&process.id)
            .bind::<Text, _>(&process.host)
            .bind::<Text, _>(process.kind.as_str())
            .bind::<Text, _>(&process.release)
            .bind::<Text, _>(&process.commit)
            .bind::<Timestamptz, _>(to_db(process.started_at))
            .bind::<Timestamptz, _>(to_db(now))
            .bind::<Integer, _>(i32::try_from(process.max_connections).unwrap_or(i32::MAX))
            .bind::<Nullable<BigInt>, _>(bytes(|disk| disk.free))
            .bind::<Nullable<BigInt>, _>(bytes(|disk| disk.total))
            .get_result(conn)?;
            Ok(saved.clock_offset_ms)
        })
    }

    /// Records that a process stops.
    pub fn delete_node(&mut self, id: &str) -> Result<(), StoreError> {
        self.run(|conn| sql_query("DELETE FROM nodes WHERE id = $1").bind::<Text, _>(id).execute(conn)).map(|_| ())
    }

    /// Forgets what a restore has brought along of the instance that was backed up: its processes, its backups, its setup token.
    pub fn forget_other_instance(&mut self) -> Result<(), StoreError> {
        self.run(|conn| {
            conn.batch_execute(
                "DELETE FROM nodes; DELETE FROM backups; UPDATE site_settings SET setup_token_hash = NULL",
            )
        })
    }

    /// Records a backup that was written whole, and for which moment of a schedule; `None`: it was made by hand.
    pub fn insert_backup(&mut self, backup: &Backup, scheduled_at: Option<Timestamp>) -> Result<(), StoreError> {
        let (is_verified, fault) = match &backup.verification {
            Verification::NotTried => (None, None),
            Verification::Passed => (Some(true), None),
            Verification::Failed(fault) => (Some(false), Some(fault.as_str())),
        };
        self.run(|conn| {
            sql_query(
                "INSERT INTO backups (ended_at, bytes, scheduled_at, is_verified, fault) VALUES ($1, $2, $3, $4, $5)",
            )
            .bind::<Timestamptz, _>(to_db(backup.ended_at))
            .bind::<BigInt, _>(i64::try_from(backup.bytes).unwrap_or(i64::MAX))
            .bind::<Nullable<Timestamptz>, _>(scheduled_at.map(to_db))
            .bind::<Nullable<Bool>, _>(is_verified)
            .bind::<Nullable<Text>, _>(fault)
            .execute(conn)
        })
        .map(|_| ())
    }

    /// Stores the hash of a new setup token in place of the one before, if the site waits for its setup. Returns whether it does.
    pub fn replace_setup_token(&mut self, hash: &[u8]) -> Result<bool, StoreError> {
        let stored = self.run(|conn| {
            sql_query(format!(
                "INSERT INTO site_settings (setup_token_hash) SELECT $1 WHERE {IS_SETUP_OPEN} \
                 ON CONFLICT (id) DO UPDATE SET setup_token_hash = excluded.setup_token_hash"
            ))
            .bind::<Binary, _>(hash)
            .execute(conn)
        })?;
        Ok(stored > 0)
    }

    /// Locks the setup until the transaction ends: of several that finish it only one finds it open.
    ///
    /// # Returns
    /// Whether the site waits for its setup.
    pub fn lock_setup(&mut self) -> Result<bool, StoreError> {
        self.run(|conn| sql_query("SELECT id FROM site_settings FOR UPDATE").execute(conn))?;
        self.is_setup_open()
    }

    /// Ends the setup, under a name of the site if one was chosen. The token is used up.
    pub fn finish_setup(&mut self, name: Option<&str>, now: Timestamp) -> Result<(), StoreError> {
        if name.is_some() {
            self.record_change(Change::SiteName);
        }
        self.run(|conn| {
            sql_query("UPDATE site_settings SET name = $1, set_up_at = $2, setup_token_hash = NULL")
                .bind::<Nullable<Text>, _>(name)
                .bind::<Timestamptz, _>(to_db(now))
                .execute(conn)
        })
        .map(|_| ())
    }
}

/// The name that the setup page gave the site; `None` if it gave none, or the database is not migrated.
pub fn site_name(database_url: &str) -> Result<Option<String>, StoreError> {
    let mut connection = connect(database_url).map_err(connection_error)?;
    if !has_table(&mut connection, "site_settings")? {
        return Ok(None);
    }
    Pg::new(&mut connection).stored_site_name()
}

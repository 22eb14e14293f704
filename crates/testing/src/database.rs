//! A database for each test.

use std::{
    env, fmt,
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use diesel::{
    Connection, PgConnection, QueryableByName, RunQueryDsl, connection::SimpleConnection, sql_query, sql_types::BigInt,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");
/// The application's role in all tests, with the rights that `pith migrate` grants.
const APPLICATION: &str = "pith_test_application";
const RIGHTS: &str = include_str!("../../postgres/src/rights.sql");
/// Advisory lock so that only one test at a time creates the template, across all test binaries.
const TEMPLATE_LOCK: i64 = 0x7465_7374;

static COUNT: AtomicU32 = AtomicU32::new(0);
/// Idle admin connections to the cluster.
static ADMINS: Mutex<Vec<PgConnection>> = Mutex::new(Vec::new());
static TEMPLATE: OnceLock<String> = OnceLock::new();

/// A freshly migrated, empty database for one test; dropped with the value.
pub struct TestDatabase {
    name: String,
    url: String,
    /// An open connection for [`TestDatabase::with_connection`]: connecting would take half of a test's time.
    idle: Mutex<Option<PgConnection>>,
}

impl fmt::Debug for TestDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestDatabase").field("name", &self.name).finish_non_exhaustive()
    }
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

impl TestDatabase {
    /// Creates the database.
    ///
    /// # Panics
    /// When `TEST_DATABASE_URL` is not set or the cluster can't be used: a test without its database has failed.
    pub fn new() -> Self {
        let name = free_name();
        with_admin(|admin| {
            let template = TEMPLATE.get_or_init(|| template(admin));
            run(admin, &format!("DROP DATABASE IF EXISTS {name}"));
            run(admin, &format!("CREATE DATABASE {name} TEMPLATE {template}"));
        });
        let url = with_database(&cluster(), &name);
        Self { name, url, idle: Mutex::new(None) }
    }

    /// Creates a database without tables.
    ///
    /// # Panics
    /// As [`TestDatabase::new`].
    pub fn empty() -> Self {
        let name = free_name();
        with_admin(|admin| {
            run(admin, &format!("DROP DATABASE IF EXISTS {name}"));
            run(admin, &format!("CREATE DATABASE {name}"));
        });
        let url = with_database(&cluster(), &name);
        Self { name, url, idle: Mutex::new(None) }
    }

    /// The URL of the database, for its owner.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The URL with which `serve` connects: its role has only the rights that `pith migrate` grants.
    pub fn application_url(&self) -> String {
        with_user(&self.url, APPLICATION, APPLICATION)
    }

    pub fn connect(&self) -> PgConnection {
        connect(&self.url)
    }

    /// Calls `work` with a connection that is kept open and reused: `work` must leave neither a transaction nor a setting behind.
    pub fn with_connection<T>(&self, work: impl FnOnce(&mut PgConnection) -> T) -> T {
        let idle = self.idle().take();
        let mut connection = idle.unwrap_or_else(|| self.connect());
        let done = work(&mut connection);
        *self.idle() = Some(connection);
        done
    }

    fn idle(&self) -> MutexGuard<'_, Option<PgConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TestDatabase {
    /// Closes all connections to the database and refuses new ones, as if Postgres were down.
    ///
    /// # Panics
    /// When the cluster can't be used.
    pub fn cut(&self) {
        *self.idle() = None;
        let ended = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'", self.name);
        with_admin(|admin| {
            run(admin, &format!("ALTER DATABASE {} ALLOW_CONNECTIONS false", self.name));
            run(admin, &ended);
        });
    }

    /// Allows connections again.
    ///
    /// # Panics
    /// When the cluster can't be used.
    pub fn restore(&self) {
        with_admin(|admin| run(admin, &format!("ALTER DATABASE {} ALLOW_CONNECTIONS true", self.name)));
    }
}

impl Default for TestDatabase {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // The cluster is thrown away after the run, so a database that can't be dropped does no harm.
        let admin = admins().pop().or_else(|| PgConnection::establish(&cluster()).ok());
        if let Some(mut admin) = admin
            && sql_query(format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name)).execute(&mut admin).is_ok()
        {
            admins().push(admin);
        }
    }
}

/// Calls `work` with an admin connection to the cluster, which is kept open and reused.
fn with_admin<T>(work: impl FnOnce(&mut PgConnection) -> T) -> T {
    let idle = admins().pop();
    let mut admin = idle.unwrap_or_else(|| connect(&cluster()));
    let done = work(&mut admin);
    admins().push(admin);
    done
}

fn admins() -> MutexGuard<'static, Vec<PgConnection>> {
    ADMINS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn free_name() -> String {
    format!("pith_test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst))
}

/// The name of the migrated template, which is created when it does not exist. The name contains a fingerprint of the migrations'
/// content, so that changed migrations get a new template.
fn template(admin: &mut PgConnection) -> String {
    let versions = MIGRATIONS_FINGERPRINT;
    let name = format!("pith_template_{versions:016x}");
    run(admin, &format!("SELECT pg_advisory_lock({TEMPLATE_LOCK})"));
    let there: Count = sql_query(format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'"))
        .get_result(admin)
        .expect("the cluster lists its databases");
    if there.count == 0 {
        let making = format!("{name}_new");
        run(admin, &format!("DROP DATABASE IF EXISTS {making}"));
        run(admin, &format!("CREATE DATABASE {making}"));
        let mut database = connect(&with_database(&cluster(), &making));
        database.run_pending_migrations(MIGRATIONS).expect("the migrations run");
        make_application(&mut database);
        let rights = format!("BEGIN; SET LOCAL pith.application_role = '{APPLICATION}'; {RIGHTS}; COMMIT");
        database.batch_execute(&rights).expect("the application's role gets its rights");
        drop(database);
        run(admin, &format!("ALTER DATABASE {making} RENAME TO {name}"));
    }
    run(admin, &format!("SELECT pg_advisory_unlock({TEMPLATE_LOCK})"));
    name
}

/// Creates the application's role, which is shared by all databases of the cluster.
fn make_application(connection: &mut PgConnection) {
    let found: Count = sql_query(format!("SELECT count(*) FROM pg_roles WHERE rolname = '{APPLICATION}'"))
        .get_result(connection)
        .expect("the cluster lists its roles");
    if found.count == 0 {
        run(connection, &format!("CREATE ROLE {APPLICATION} LOGIN PASSWORD '{APPLICATION}'"));
    }
}

/// A hash of the content of all migrations.
const MIGRATIONS_FINGERPRINT: u64 = parse_hex(env!("MIGRATIONS_FINGERPRINT"));

const fn parse_hex(text: &str) -> u64 {
    match u64::from_str_radix(text, 16) {
        Ok(value) => value,
        Err(_) => panic!("the build script writes a hexadecimal number"),
    }
}

fn cluster() -> String {
    env::var("TEST_DATABASE_URL")
        .expect("TEST_DATABASE_URL names a Postgres cluster for tests; `cargo xtask test` starts one and sets it")
}

fn connect(url: &str) -> PgConnection {
    // As in the server: OpenSSL's handler at exit frees locks that the threads of a pool still use.
    openssl_sys::init();
    PgConnection::establish(url).expect("the test cluster answers")
}

fn run(connection: &mut PgConnection, statement: &str) {
    if let Err(error) = sql_query(statement).execute(connection) {
        panic!("{statement}: {error}");
    }
}

/// Replaces the database in a `postgres://` URL: its path; the query is kept.
fn with_database(url: &str, name: &str) -> String {
    let (base, query) = url.split_once('?').map_or((url, None), |(base, query)| (base, Some(query)));
    let scheme_end = base.find("://").map_or(0, |at| at + 3);
    let host_end = base[scheme_end..].find('/').map_or(base.len(), |at| scheme_end + at);
    let address = format!("{}/{name}", &base[..host_end]);
    query.map_or(address.clone(), |query| format!("{address}?{query}"))
}

/// Replaces the user and the password in a `postgres://` URL.
fn with_user(url: &str, user: &str, password: &str) -> String {
    let scheme_end = url.find("://").map_or(0, |at| at + 3);
    let authority_end = url[scheme_end..].find(['/', '?']).map_or(url.len(), |at| scheme_end + at);
    let host = url[scheme_end..authority_end].rfind('@').map_or(scheme_end, |at| scheme_end + at + 1);
    format!("{}{user}:{password}@{}", &url[..scheme_end], &url[host..])
}

#[cfg(test)]
mod tests {
    use super::{with_database, with_user};

    #[test]
    fn only_the_user_of_an_address_changes() {
        assert_eq!(with_user("postgres://u:p@h:1/x", "a", "b"), "postgres://a:b@h:1/x");
        assert_eq!(with_user("postgres://u@/x?host=/run/a", "a", "b"), "postgres://a:b@/x?host=/run/a");
        assert_eq!(with_user("postgres://h", "a", "b"), "postgres://a:b@h");
    }

    #[test]
    fn only_the_database_of_an_address_changes() {
        assert_eq!(with_database("postgres://u:p@h:1/postgres", "x"), "postgres://u:p@h:1/x");
        assert_eq!(with_database("postgres://u@/postgres?host=/run/a", "x"), "postgres://u@/x?host=/run/a");
        assert_eq!(with_database("postgres://h", "x"), "postgres://h/x");
    }
}

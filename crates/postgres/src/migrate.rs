//! Migrations: embedded in the binary, run by an operator's command, by one node at a time.

use std::{thread, time::Duration};

use diesel::{
    PgConnection, RunQueryDsl,
    connection::SimpleConnection,
    migration::{Migration, MigrationSource},
    pg::Pg as Postgres,
    sql_query,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use kernel::StoreError;

use crate::{
    connect::connect,
    error::{RestoreError, connection_error, store_error},
};

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// How long a migration in a transaction waits for a table lock, in Postgres' syntax. While it waits, all later queries of the table
/// wait too. A migration that can't get its lock fails, changes nothing, and can be run again.
const LOCK_TIMEOUT: &str = "10s";

/// The advisory lock that keeps two nodes from migrating at the same time.
const MIGRATION_LOCK: i64 = 0x5049_5448;

/// How long to wait before asking again for [`MIGRATION_LOCK`].
const LOCK_POLL: Duration = Duration::from_millis(100);

/// Runs the pending migrations; returns their names.
///
/// One outside a transaction, which makes an index while others write, waits for transactions that began before it, and nobody
/// waits for it: it has no limit. If it is broken off, its index stays and is invalid: the next call drops that and begins again.
pub fn migrate(database_url: &str) -> Result<Vec<String>, StoreError> {
    let mut connection = connect(database_url).map_err(connection_error)?;
    lock_migrations(&mut connection)?;
    drop_invalid_indexes(&mut connection)?;
    let pending = connection.pending_migrations(MIGRATIONS).map_err(StoreError::new)?;
    for migration in &pending {
        let limit = if migration.metadata().run_in_transaction() { LOCK_TIMEOUT } else { "0" };
        connection.batch_execute(&format!("SET lock_timeout = '{limit}'")).map_err(store_error)?;
        connection.run_migration(&**migration).map_err(StoreError::new)?;
    }
    Ok(pending.iter().map(|migration| migration.name().version().to_string()).collect())
}

/// Waits until nobody else migrates, and keeps others from it until the connection is closed.
///
/// Who waited in a statement would have a snapshot meanwhile, which an index that is made concurrently waits for.
pub(crate) fn lock_migrations(connection: &mut PgConnection) -> Result<(), StoreError> {
    let lock = format!("SELECT pg_try_advisory_lock({MIGRATION_LOCK}) AS found");
    while !sql_query(&lock).get_result::<Found>(connection).map_err(store_error)?.found {
        thread::sleep(LOCK_POLL);
    }
    Ok(())
}

/// Drops the indexes that nobody finished making. The connection has [`MIGRATION_LOCK`].
fn drop_invalid_indexes(connection: &mut PgConnection) -> Result<(), StoreError> {
    #[derive(diesel::QueryableByName)]
    struct Index {
        #[diesel(sql_type = diesel::sql_types::Text)]
        name: String,
    }
    let found: Vec<Index> = sql_query(
        "SELECT i.indexrelid::regclass::text AS name FROM pg_index i
         JOIN pg_class c ON c.oid = i.indexrelid AND c.relnamespace = current_schema()::regnamespace
         WHERE NOT i.indisvalid",
    )
    .load(connection)
    .map_err(store_error)?;
    for Index { name } in found {
        connection.batch_execute(&format!("DROP INDEX CONCURRENTLY {name}")).map_err(store_error)?;
    }
    Ok(())
}

/// The version of this release's schema: that of its last migration, such as `20261127000022`.
pub fn schema_version() -> String {
    let known: Vec<Box<dyn Migration<Postgres>>> = MIGRATIONS.migrations().unwrap_or_default();
    known.iter().map(|one| one.name().version().to_string()).max().unwrap_or_default()
}

/// Whether every migration of this release has been run. Diesel's own check would create its table if it is missing, which
/// the application's role may not do.
pub fn is_migrated(database_url: &str) -> Result<bool, StoreError> {
    #[derive(diesel::QueryableByName)]
    struct Applied {
        #[diesel(sql_type = diesel::sql_types::Text)]
        version: String,
    }
    let mut connection = connect(database_url).map_err(connection_error)?;
    if !has_table(&mut connection, "__diesel_schema_migrations")? {
        return Ok(false);
    }
    let applied: Vec<Applied> = sql_query("SELECT version::text AS version FROM __diesel_schema_migrations")
        .load(&mut connection)
        .map_err(store_error)?;
    let known: Vec<Box<dyn Migration<Postgres>>> = MIGRATIONS.migrations().map_err(StoreError::new)?;
    let version_of = |migration: &dyn Migration<Postgres>| migration.name().version().to_string();
    Ok(known.iter().all(|one| applied.iter().any(|row| row.version == version_of(&**one))))
}

/// Whether the database has root keys, which are sealed with the operator's secret.
pub fn has_sealed_keys(database_url: &str) -> Result<bool, StoreError> {
    let mut connection = connect(database_url).map_err(connection_error)?;
    if !has_table(&mut connection, "root_keys")? {
        return Ok(false);
    }
    let keys: Found =
        sql_query("SELECT EXISTS (SELECT FROM root_keys) AS found").get_result(&mut connection).map_err(store_error)?;
    Ok(keys.found)
}

#[derive(diesel::QueryableByName)]
struct Found {
    #[diesel(sql_type = diesel::sql_types::Bool)]
    found: bool,
}

pub(crate) fn has_table(connection: &mut PgConnection, name: &str) -> Result<bool, StoreError> {
    let table: Found = sql_query("SELECT to_regclass($1) IS NOT NULL AS found")
        .bind::<diesel::sql_types::Text, _>(name)
        .get_result(connection)
        .map_err(store_error)?;
    Ok(table.found)
}

/// Runs the migrations with these versions on an empty database, in the connection's transaction. Leaves out those that can't run in
/// one, which make indexes: [`run_pending`] runs them later. Fails with [`RestoreError::Newer`] if one is unknown.
pub(crate) fn run_until(connection: &mut PgConnection, versions: &[String]) -> Result<(), RestoreError> {
    let known: Vec<Box<dyn Migration<Postgres>>> =
        connection.pending_migrations(MIGRATIONS).map_err(StoreError::new)?;
    let version_of = |migration: &dyn Migration<Postgres>| migration.name().version().to_string();
    if let Some(newer) = versions.iter().find(|version| !known.iter().any(|one| version_of(&**one) == **version)) {
        return Err(RestoreError::Newer(newer.clone()));
    }
    let of_backup = known.into_iter().filter(|one| versions.contains(&version_of(&**one)));
    Ok(run_in_transaction(connection, of_backup)?)
}

/// Runs pending migrations in the connection's transaction, without those that can't run in one.
pub(crate) fn run_pending_in_transaction(connection: &mut PgConnection) -> Result<(), StoreError> {
    let pending = connection.pending_migrations(MIGRATIONS).map_err(StoreError::new)?;
    run_in_transaction(connection, pending)
}

/// Runs all pending migrations.
pub(crate) fn run_pending(connection: &mut PgConnection) -> Result<(), StoreError> {
    connection.run_pending_migrations(MIGRATIONS).map(|_| ()).map_err(StoreError::new)
}

fn run_in_transaction(
    connection: &mut PgConnection,
    migrations: impl IntoIterator<Item = Box<dyn Migration<Postgres>>>,
) -> Result<(), StoreError> {
    for migration in migrations.into_iter().filter(|one| one.metadata().run_in_transaction()) {
        connection.run_migration(&*migration).map_err(StoreError::new)?;
    }
    Ok(())
}

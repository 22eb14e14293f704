//! Migrations: embedded in the binary, run by an operator's command, one at a time over all nodes.

use diesel::{Connection, PgConnection, RunQueryDsl, migration::Migration, pg::Pg as Postgres, sql_query};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use kernel::StoreError;

use crate::error::{RestoreError, connection_error, store_error};

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// The advisory lock that lets one node migrate at a time.
const MIGRATION_LOCK: i64 = 0x5049_5448;

/// Brings the database up to date; gives the names of the migrations that were run.
pub fn migrate(database_url: &str) -> Result<Vec<String>, StoreError> {
    let mut connection = PgConnection::establish(database_url).map_err(connection_error)?;
    sql_query(format!("SELECT pg_advisory_lock({MIGRATION_LOCK})")).execute(&mut connection).map_err(store_error)?;
    let run = connection.run_pending_migrations(MIGRATIONS).map_err(StoreError::new)?;
    Ok(run.iter().map(ToString::to_string).collect())
}

/// Whether every migration that this server knows has been run.
pub fn is_migrated(database_url: &str) -> Result<bool, StoreError> {
    let mut connection = PgConnection::establish(database_url).map_err(connection_error)?;
    connection.has_pending_migration(MIGRATIONS).map(|pending| !pending).map_err(StoreError::new)
}

/// Whether the database holds keys that were sealed with an operator's secret.
pub fn has_sealed_keys(database_url: &str) -> Result<bool, StoreError> {
    #[derive(diesel::QueryableByName)]
    struct Found {
        #[diesel(sql_type = diesel::sql_types::Bool)]
        found: bool,
    }
    let mut connection = PgConnection::establish(database_url).map_err(connection_error)?;
    let table: Found = sql_query("SELECT to_regclass('root_keys') IS NOT NULL AS found")
        .get_result(&mut connection)
        .map_err(store_error)?;
    if !table.found {
        return Ok(false);
    }
    let keys: Found =
        sql_query("SELECT EXISTS (SELECT FROM root_keys) AS found").get_result(&mut connection).map_err(store_error)?;
    Ok(keys.found)
}

/// Runs the migrations with these versions on an empty database, in the connection's transaction.
pub(crate) fn run_until(connection: &mut PgConnection, versions: &[String]) -> Result<(), RestoreError> {
    let known: Vec<Box<dyn Migration<Postgres>>> =
        connection.pending_migrations(MIGRATIONS).map_err(StoreError::new)?;
    let version_of = |migration: &dyn Migration<Postgres>| migration.name().version().to_string();
    if let Some(newer) = versions.iter().find(|version| !known.iter().any(|one| version_of(&**one) == **version)) {
        return Err(RestoreError::Newer(newer.clone()));
    }
    for migration in known.iter().filter(|one| versions.contains(&version_of(&***one))) {
        connection.run_migration(&**migration).map_err(StoreError::new)?;
    }
    Ok(())
}

/// Runs what is pending, in the connection's transaction.
pub(crate) fn run_pending(connection: &mut PgConnection) -> Result<(), StoreError> {
    connection.run_pending_migrations(MIGRATIONS).map(|_| ()).map_err(StoreError::new)
}

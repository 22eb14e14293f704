//! Reads a consistent snapshot of all tables, and restores it into an empty database.
//!
//! Rows are copied in Postgres' own text format of a row (`row::text`, read back by a cast), so that no type needs code here
//! and every version of Postgres reads what another version wrote.

use diesel::{
    PgConnection, QueryableByName, RunQueryDsl,
    connection::{AnsiTransactionManager, SimpleConnection, TransactionManager},
    sql_query,
    sql_types::{Array, BigInt, Bool, Text},
};
use kernel::StoreError;

use crate::{
    connect::connect,
    error::{RestoreError, connection_error, store_error},
    migrate::{run_pending, run_pending_in_transaction, run_until},
    pg::Pg,
};

/// Rows that are read at a time.
const BATCH: usize = 500;

/// Settings that make the text format of a row independent of the server's configuration.
const TEXT_FORM: &str = "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC'; \
     SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;";

/// A table: what a backup must know of it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Table {
    pub name: String,
    /// The stored columns, in their order; not generated ones.
    pub columns: Vec<String>,
}

/// A sequence, which numbers the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Sequence {
    pub name: String,
    /// The last number that the sequence issued.
    pub last: i64,
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
}

#[derive(QueryableByName)]
struct LastValue {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = BigInt)]
    last: i64,
}

#[derive(QueryableByName)]
struct Constraint {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    definition: String,
}

/// A snapshot of all tables, in a transaction of its own. The site may be in use meanwhile.
pub struct Snapshot {
    connection: PgConnection,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").finish_non_exhaustive()
    }
}

impl Snapshot {
    /// Takes the snapshot.
    pub fn begin(database_url: &str) -> Result<Self, StoreError> {
        let mut connection = connect(database_url).map_err(connection_error)?;
        // The first query takes the snapshot, not `BEGIN`.
        let begin = format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {TEXT_FORM} SELECT 1");
        connection.batch_execute(&begin).map_err(store_error)?;
        Ok(Self { connection })
    }

    /// Runs queries on the snapshot.
    pub fn pg(&mut self) -> Pg<'_> {
        Pg::new(&mut self.connection)
    }

    /// The versions of the migrations that were run, earliest first.
    pub fn migrations(&mut self) -> Result<Vec<String>, StoreError> {
        let found: Vec<Line> = sql_query("SELECT version::text AS line FROM __diesel_schema_migrations ORDER BY 1")
            .load(&mut self.connection)
            .map_err(store_error)?;
        Ok(found.into_iter().map(|row| row.line).collect())
    }

    /// All tables with their stored columns, by name.
    pub fn tables(&mut self) -> Result<Vec<Table>, StoreError> {
        tables(&mut self.connection)
    }

    /// All sequences that have issued a number. A sequence may be ahead of the snapshot, never behind it.
    pub fn sequences(&mut self) -> Result<Vec<Sequence>, StoreError> {
        let found: Vec<LastValue> = sql_query(
            "SELECT sequencename::text AS name, last_value AS last FROM pg_sequences
             WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1",
        )
        .load(&mut self.connection)
        .map_err(store_error)?;
        Ok(found.into_iter().map(|LastValue { name, last }| Sequence { name, last }).collect())
    }

    /// Passes a table's rows in their text format to `each`, some hundred at a time.
    pub fn rows<E: From<StoreError>>(
        &mut self,
        table: &Table,
        mut each: impl FnMut(Vec<String>) -> Result<(), E>,
    ) -> Result<(), E> {
        let name = quoted(&table.name);
        let declare = format!("DECLARE backup_rows NO SCROLL CURSOR FOR SELECT t::text AS line FROM {name} t");
        self.connection.batch_execute(&declare).map_err(store_error)?;
        loop {
            let batch: Vec<Line> =
                sql_query(format!("FETCH {BATCH} FROM backup_rows")).load(&mut self.connection).map_err(store_error)?;
            if batch.is_empty() {
                break;
            }
            each(batch.into_iter().map(|row| row.line).collect())?;
        }
        self.connection.batch_execute("CLOSE backup_rows").map_err(|error| store_error(error).into())
    }
}

/// Fills an empty database in one transaction: nothing is visible before [`Restoration::commit`].
pub struct Restoration {
    connection: PgConnection,
    /// The foreign keys, which are dropped for the restore and added again once all rows are there.
    references: Vec<Constraint>,
    /// The statements that make again the indexes that were dropped: to update an index with each row takes longer, and one of texts
    /// many times as long.
    indexes: Vec<Line>,
}

impl std::fmt::Debug for Restoration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Restoration").finish_non_exhaustive()
    }
}

impl Restoration {
    /// Runs these migrations on the database and leaves its tables empty.
    ///
    /// # Errors
    /// [`RestoreError::NotEmpty`] if the database has tables, [`RestoreError::Newer`] if this release lacks a migration.
    pub fn begin(database_url: &str, migrations: &[String]) -> Result<Self, RestoreError> {
        let mut connection = connect(database_url).map_err(connection_error)?;
        AnsiTransactionManager::begin_transaction(&mut connection).map_err(store_error)?;
        connection.batch_execute(TEXT_FORM).map_err(store_error)?;
        if !tables(&mut connection)?.is_empty() {
            return Err(RestoreError::NotEmpty);
        }
        run_until(&mut connection, migrations)?;
        let references: Vec<Constraint> = sql_query(
            "SELECT c.conrelid::regclass::text AS table_name, c.conname::text AS name,
                    pg_get_constraintdef(c.oid) AS definition
             FROM pg_constraint c
             WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace ORDER BY 1, 2",
        )
        .load(&mut connection)
        .map_err(store_error)?;
        for Constraint { table_name, name, .. } in &references {
            let drop = format!("ALTER TABLE {table_name} DROP CONSTRAINT {}", quoted(name));
            connection.batch_execute(&drop).map_err(store_error)?;
        }
        let indexes = drop_indexes(&mut connection)?;
        // Rows that migrations insert are in the backup too.
        for table in tables(&mut connection)? {
            let delete = format!("DELETE FROM {}", quoted(&table.name));
            connection.batch_execute(&delete).map_err(store_error)?;
        }
        Ok(Self { connection, references, indexes })
    }

    /// Returns the tables, which must be those of the backup. Backups of earlier releases list generated columns too.
    pub fn check_tables(&mut self, mut expected: Vec<Table>) -> Result<Vec<Table>, RestoreError> {
        let found = tables(&mut self.connection)?;
        for Column { table_name, column_name } in columns(&mut self.connection, true)? {
            if let Some(table) = expected.iter_mut().find(|table| table.name == table_name) {
                table.columns.retain(|column| *column != column_name);
            }
        }
        let differs = |table: &&Table| !found.contains(table);
        if let Some(table) = expected.iter().find(differs) {
            return Err(RestoreError::OtherTables(table.name.clone()));
        }
        match found.iter().find(|table| !expected.contains(table)) {
            Some(table) => Err(RestoreError::OtherTables(table.name.clone())),
            None => Ok(found),
        }
    }

    /// Inserts rows that are in their text format.
    pub fn insert(&mut self, table: &Table, rows: &[String]) -> Result<(), StoreError> {
        let stored: Vec<String> = table.columns.iter().map(|column| quoted(column)).collect();
        let values: Vec<String> = stored.iter().map(|column| format!("(rows.value).{column}")).collect();
        // OFFSET 0: each row is parsed once, not once per column.
        let insert = format!(
            "INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE
             SELECT {values} FROM (SELECT line::{name} AS value FROM unnest($1) AS line OFFSET 0) AS rows",
            name = quoted(&table.name),
            columns = stored.join(", "),
            values = values.join(", "),
        );
        sql_query(insert).bind::<Array<Text>, _>(rows).execute(&mut self.connection).map(|_| ()).map_err(store_error)
    }

    /// Makes the indexes, adds the foreign keys, sets the sequences, and runs migrations that are newer than the backup,
    /// without those that can't run in a transaction.
    pub fn finish_rows(&mut self, sequences: &[Sequence]) -> Result<(), RestoreError> {
        // Checks the deferred constraints, such as the balance of the ledger, now: pending checks would block changes
        // to their tables.
        let checks = "SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED";
        self.connection.batch_execute(checks).map_err(store_error)?;
        self.connection.batch_execute("SET LOCAL maintenance_work_mem = '256MB'").map_err(store_error)?;
        for Line { line } in &self.indexes {
            self.connection.batch_execute(line).map_err(store_error)?;
        }
        for Constraint { table_name, name, definition } in &self.references {
            let add = format!("ALTER TABLE {table_name} ADD CONSTRAINT {} {definition}", quoted(name));
            self.connection.batch_execute(&add).map_err(store_error)?;
        }
        for Sequence { name, last } in sequences {
            sql_query("SELECT setval($1::regclass, $2)")
                .bind::<Text, _>(quoted(name))
                .bind::<BigInt, _>(last)
                .execute(&mut self.connection)
                .map_err(store_error)?;
        }
        Ok(run_pending_in_transaction(&mut self.connection)?)
    }

    /// Changes the restored rows before they become visible.
    pub fn change<T>(&mut self, work: impl FnOnce(&mut Pg<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        work(&mut Pg::new(&mut self.connection))
    }

    /// Rolls everything back: the database is empty again.
    pub fn undo(mut self) -> Result<(), StoreError> {
        AnsiTransactionManager::rollback_transaction(&mut self.connection).map_err(store_error)
    }

    /// Commits: makes everything visible at once. Then runs the migrations that can't run in a transaction, which make indexes, and
    /// updates the planner's statistics. If that fails, everything is there, and [`migrate`](crate::migrate()) runs the rest.
    pub fn commit(mut self) -> Result<(), StoreError> {
        AnsiTransactionManager::commit_transaction(&mut self.connection).map_err(store_error)?;
        run_pending(&mut self.connection)?;
        self.connection.batch_execute("ANALYZE").map_err(store_error)
    }
}

/// Drops the indexes that no constraint needs. Returns the statements that make them again. Tables with deferred checks keep theirs, which
/// the checks look rows up by, except those of texts.
fn drop_indexes(connection: &mut PgConnection) -> Result<Vec<Line>, StoreError> {
    #[derive(QueryableByName)]
    struct Index {
        #[diesel(sql_type = Text)]
        name: String,
        #[diesel(sql_type = Text)]
        line: String,
    }
    let found: Vec<Index> = sql_query(
        "SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS line
         FROM pg_index i
         JOIN pg_class c ON c.oid = i.indexrelid AND c.relnamespace = current_schema()::regnamespace
         JOIN pg_am m ON m.oid = c.relam
         WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
           AND (m.amname = 'gin' OR NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = i.indrelid AND t.tginitdeferred))
         ORDER BY 1",
    )
    .load(connection)
    .map_err(store_error)?;
    for Index { name, .. } in &found {
        connection.batch_execute(&format!("DROP INDEX {name}")).map_err(store_error)?;
    }
    Ok(found.into_iter().map(|Index { line, .. }| Line { line }).collect())
}

/// The product's tables with their stored columns, by name, without Diesel's table of migrations.
fn tables(connection: &mut PgConnection) -> Result<Vec<Table>, StoreError> {
    let mut tables: Vec<Table> = Vec::new();
    for Column { table_name, column_name } in columns(connection, false)? {
        match tables.last_mut().filter(|table| table.name == table_name) {
            Some(table) => table.columns.push(column_name),
            None => tables.push(Table { name: table_name, columns: vec![column_name] }),
        }
    }
    Ok(tables)
}

/// The columns of all tables, in their order: the stored ones, or the generated (`computed`) ones.
fn columns(connection: &mut PgConnection, computed: bool) -> Result<Vec<Column>, StoreError> {
    sql_query(
        "SELECT c.relname::text AS table_name, a.attname::text AS column_name
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
           AND c.relname <> '__diesel_schema_migrations' AND a.attnum > 0 AND NOT a.attisdropped
           AND (a.attgenerated <> '') = $1
         ORDER BY c.relname, a.attnum",
    )
    .bind::<Bool, _>(computed)
    .load(connection)
    .map_err(store_error)
}

/// Quotes an SQL identifier.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

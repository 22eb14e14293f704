//! A consistent copy of all tables, and its way back into an empty database.
//!
//! Rows travel in Postgres' own text form of a row (`row::text`, and back by a cast), so that no type needs a rule here
//! and every version of Postgres reads what another one wrote.

use diesel::{
    Connection, PgConnection, QueryableByName, RunQueryDsl,
    connection::{AnsiTransactionManager, SimpleConnection, TransactionManager},
    sql_query,
    sql_types::{Array, BigInt, Bool, Text},
};
use kernel::StoreError;

use crate::{
    db::Pg,
    error::{RestoreError, connection_error, store_error},
    migrate::{self, run_until},
};

/// Rows that are read at once.
const BATCH: usize = 500;

/// The settings under which the text form of a row is the same everywhere.
const TEXT_FORM: &str = "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC'; \
     SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;";

/// A table, as far as a backup must know it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Table {
    pub name: String,
    /// Its columns, in their order; not those that Postgres computes from others.
    pub columns: Vec<String>,
}

/// The counter of a column that numbers its rows.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Sequence {
    pub name: String,
    /// The last number that it gave.
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

/// All tables as of one moment, in a transaction of its own. The site may be used meanwhile.
pub struct Snapshot {
    connection: PgConnection,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").finish_non_exhaustive()
    }
}

impl Snapshot {
    /// Fixes the moment.
    pub fn begin(database_url: &str) -> Result<Self, StoreError> {
        let mut connection = PgConnection::establish(database_url).map_err(connection_error)?;
        // The first query fixes the moment, not `BEGIN`.
        let begin = format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {TEXT_FORM} SELECT 1");
        connection.batch_execute(&begin).map_err(store_error)?;
        Ok(Self { connection })
    }

    /// Everything that can be read of that moment.
    pub fn pg(&mut self) -> Pg<'_> {
        Pg::new(&mut self.connection)
    }

    /// The versions of the migrations that were run, the earliest first.
    pub fn migrations(&mut self) -> Result<Vec<String>, StoreError> {
        let found: Vec<Line> = sql_query("SELECT version::text AS line FROM __diesel_schema_migrations ORDER BY 1")
            .load(&mut self.connection)
            .map_err(store_error)?;
        Ok(found.into_iter().map(|row| row.line).collect())
    }

    /// All tables, by name.
    pub fn tables(&mut self) -> Result<Vec<Table>, StoreError> {
        tables(&mut self.connection)
    }

    /// The counters of numbered rows. A counter may be ahead of the snapshot, never behind it.
    pub fn sequences(&mut self) -> Result<Vec<Sequence>, StoreError> {
        let found: Vec<LastValue> = sql_query(
            "SELECT sequencename::text AS name, last_value AS last FROM pg_sequences
             WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1",
        )
        .load(&mut self.connection)
        .map_err(store_error)?;
        Ok(found.into_iter().map(|LastValue { name, last }| Sequence { name, last }).collect())
    }

    /// Gives a table's rows in their text form to `each`, some hundred at a time.
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

/// An empty database that is being filled, in one transaction: until [`Restoration::commit`] nothing has happened.
pub struct Restoration {
    connection: PgConnection,
    /// The tables' references, which hold again once all rows are there.
    references: Vec<Constraint>,
}

impl std::fmt::Debug for Restoration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Restoration").finish_non_exhaustive()
    }
}

impl Restoration {
    /// Makes the tables as they were after these migrations.
    pub fn begin(database_url: &str, migrations: &[String]) -> Result<Self, RestoreError> {
        let mut connection = PgConnection::establish(database_url).map_err(connection_error)?;
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
        // What migrations themselves put into tables is in the backup.
        for table in tables(&mut connection)? {
            let delete = format!("DELETE FROM {}", quoted(&table.name));
            connection.batch_execute(&delete).map_err(store_error)?;
        }
        Ok(Self { connection, references })
    }

    /// Fails unless the tables are those of the backup; gives them. Backups of earlier releases name computed columns too.
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

    /// Stores rows in their text form.
    pub fn insert(&mut self, table: &Table, rows: &[String]) -> Result<(), StoreError> {
        let stored: Vec<String> = table.columns.iter().map(|column| quoted(column)).collect();
        let values: Vec<String> = stored.iter().map(|column| format!("(rows.value).{column}")).collect();
        // OFFSET 0: each text is read once, and not once for each column.
        let insert = format!(
            "INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE
             SELECT {values} FROM (SELECT line::{name} AS value FROM unnest($1) AS line OFFSET 0) AS rows",
            name = quoted(&table.name),
            columns = stored.join(", "),
            values = values.join(", "),
        );
        sql_query(insert).bind::<Array<Text>, _>(rows).execute(&mut self.connection).map(|_| ()).map_err(store_error)
    }

    /// Ends the restoring of rows: references hold, counters go on, and newer migrations of this release are run.
    pub fn finish_rows(&mut self, sequences: &[Sequence]) -> Result<(), RestoreError> {
        // The ledger balances, or it is not restored; what waits for the commit would refuse changes to its tables.
        let checks = "SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED";
        self.connection.batch_execute(checks).map_err(store_error)?;
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
        Ok(migrate::run_pending(&mut self.connection)?)
    }

    /// Changes what was restored, before anyone sees it.
    pub fn change<T>(&mut self, work: impl FnOnce(&mut Pg<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        work(&mut Pg::new(&mut self.connection))
    }

    /// Makes everything visible, at once.
    pub fn commit(mut self) -> Result<(), StoreError> {
        AnsiTransactionManager::commit_transaction(&mut self.connection).map_err(store_error)?;
        self.connection.batch_execute("ANALYZE").map_err(store_error)
    }
}

/// All tables of the product with the columns that are stored, by name; not Diesel's table of migrations.
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

/// The columns of all tables, in their order: those that are stored, or those that Postgres computes from others.
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

/// An identifier of SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

//! Backups: what is known of tables.

use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types::Text};
use postgres::{Restoration, RestoreError, Snapshot, Table, is_migrated};
use testing::TestDatabase;

#[test]
fn computed_columns_are_not_stored_and_a_backup_that_names_them_is_restored() {
    let source = TestDatabase::new();
    let mut snapshot = Snapshot::begin(source.url()).unwrap();
    let (migrations, tables) = (snapshot.migrations().unwrap(), snapshot.tables().unwrap());
    let with_column = |column: &str| -> Vec<Table> {
        let mut named = tables.clone();
        let stats = named.iter_mut().find(|table| table.name == "book_stats").unwrap();
        assert!(!stats.columns.iter().any(|name| name == column), "{column} is not stored");
        stats.columns.insert(1, column.to_owned());
        named
    };

    let target = TestDatabase::empty();
    let mut restoration = Restoration::begin(target.url(), &migrations).unwrap();
    assert_eq!(restoration.check_tables(with_column("merit")).unwrap(), tables);
    let refused = restoration.check_tables(with_column("unknown"));
    assert!(matches!(refused, Err(RestoreError::OtherTables(name)) if name == "book_stats"));
}

#[test]
fn a_restored_database_has_the_indexes_of_migrations_that_run_outside_a_transaction() {
    let (source, target) = (TestDatabase::new(), TestDatabase::empty());
    let mut snapshot = Snapshot::begin(source.url()).unwrap();
    let migrations = snapshot.migrations().unwrap();
    let mut restoration = Restoration::begin(target.url(), &migrations).unwrap();
    restoration.finish_rows(&snapshot.sequences().unwrap()).unwrap();
    restoration.commit().unwrap();
    assert!(is_migrated(target.url()).unwrap());
    assert_eq!(indexes(&target), indexes(&source));
}

/// The statements that make the indexes, by their names.
fn indexes(database: &TestDatabase) -> Vec<String> {
    #[derive(QueryableByName)]
    struct Index {
        #[diesel(sql_type = Text)]
        line: String,
    }
    let found: Vec<Index> = sql_query(
        "SELECT pg_get_indexdef(i.indexrelid) AS line FROM pg_index i
         JOIN pg_class c ON c.oid = i.indexrelid AND c.relnamespace = current_schema()::regnamespace
         WHERE i.indisvalid ORDER BY c.relname",
    )
    .load(&mut database.connect())
    .unwrap();
    found.into_iter().map(|index| index.line).collect()
}

//! Backups: what is known of tables.

use postgres::{Restoration, RestoreError, Snapshot, Table};
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

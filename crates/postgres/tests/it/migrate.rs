//! Migrations that make an index while others write.

use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use diesel::{
    PgConnection, QueryableByName, RunQueryDsl,
    connection::SimpleConnection,
    sql_query,
    sql_types::{Bool, Integer},
};
use postgres::{is_migrated, migrate};
use testing::TestDatabase;

/// A migration that makes an index.
const VERSION: &str = "20261128000032";
const INDEX: &str = "checkouts_plan";
/// What a purchase locks.
const WRITE: &str = "LOCK TABLE checkouts IN ROW EXCLUSIVE MODE";

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    found: bool,
}

#[derive(QueryableByName)]
struct Backend {
    #[diesel(sql_type = Integer)]
    pid: i32,
}

/// A database in which the migration is pending.
fn without_the_index() -> (TestDatabase, PgConnection) {
    let database = TestDatabase::new();
    let mut owner = database.connect();
    let undo = format!("DROP INDEX {INDEX}; DELETE FROM __diesel_schema_migrations WHERE version = '{VERSION}'");
    owner.batch_execute(&undo).unwrap();
    (database, owner)
}

/// Waits until an index is being made, which waits for a transaction; returns the backend that makes it. `migrating`: the thread that migrates.
fn await_index<T>(owner: &mut PgConnection, migrating: &[ScopedJoinHandle<'_, T>]) -> i32 {
    let waits = "SELECT p.pid FROM pg_stat_progress_create_index p JOIN pg_stat_activity a USING (pid)
        WHERE p.datname = current_database() AND a.wait_event_type = 'Lock'";
    loop {
        let found: Vec<Backend> = sql_query(waits).load(owner).unwrap();
        if let Some(backend) = found.first() {
            return backend.pid;
        }
        assert!(migrating.iter().any(|one| !one.is_finished()), "the migration ended without waiting");
        thread::sleep(Duration::from_millis(10));
    }
}

fn is_valid(owner: &mut PgConnection) -> bool {
    let valid = format!("SELECT indisvalid AS found FROM pg_index WHERE indexrelid = '{INDEX}'::regclass");
    sql_query(valid).get_result::<Found>(owner).unwrap().found
}

#[test]
fn others_write_while_an_index_is_made_and_only_one_of_two_makes_it() {
    let (database, mut owner) = without_the_index();
    assert!(!is_migrated(database.url()).unwrap());
    let (mut purchase, mut another) = (database.connect(), database.connect());
    purchase.batch_execute(&format!("BEGIN; {WRITE}")).unwrap();
    let mut ran = thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| migrate(database.url()).unwrap()));
        await_index(&mut owner, &both);
        another.batch_execute(&format!("BEGIN; SET LOCAL lock_timeout = '1ms'; {WRITE}; COMMIT")).unwrap();
        purchase.batch_execute("COMMIT").unwrap();
        both.map(|one| one.join().unwrap())
    });
    ran.sort();
    assert_eq!(ran, [vec![], vec![VERSION.to_owned()]]);
    assert!(is_migrated(database.url()).unwrap());
    assert!(is_valid(&mut owner));
}

#[test]
fn an_index_that_was_broken_off_is_made_again() {
    let (database, mut owner) = without_the_index();
    let mut purchase = database.connect();
    purchase.batch_execute(&format!("BEGIN; {WRITE}")).unwrap();
    thread::scope(|scope| {
        let broken_off = scope.spawn(|| migrate(database.url()));
        let pid = await_index(&mut owner, std::slice::from_ref(&broken_off));
        let ended = sql_query(format!("SELECT pg_terminate_backend({pid}) AS found"));
        assert!(ended.get_result::<Found>(&mut owner).unwrap().found);
        broken_off.join().unwrap().unwrap_err();
    });
    assert!(!is_valid(&mut owner));
    assert!(!is_migrated(database.url()).unwrap());
    purchase.batch_execute("COMMIT").unwrap();
    assert_eq!(migrate(database.url()).unwrap(), [VERSION]);
    assert!(is_valid(&mut owner));
}

#[test]
fn a_migration_that_made_its_index_and_was_not_recorded_is_recorded() {
    let database = TestDatabase::new();
    let mut owner = database.connect();
    owner.batch_execute(&format!("DELETE FROM __diesel_schema_migrations WHERE version = '{VERSION}'")).unwrap();
    assert_eq!(migrate(database.url()).unwrap(), [VERSION]);
    assert!(is_migrated(database.url()).unwrap());
}

//! `Db`: its threads end with it, `write_statement` refuses more than one statement, and a read has no commands.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use admin::{AuditCommands, EditCommands, RefundCommands, StatsCommands};
use billing::{BillingCommands, BillingStore};
use catalogue::{
    CatalogueCommands, CatalogueQueries, CatalogueStore, EditingCommands, RecordingCommands, RecordingStore,
};
use challenge::{ChallengeCommands, ChallengeStore};
use delivery::{EReaderCommands, EReaderStore};
use diesel::{RunQueryDsl, sql_query, sql_types::Text};
use editorial::{EditorialCommands, EditorialStore};
use identity::{FactorCommands, FactorStore, IdentityCommands, IdentityStore, ProviderCommands, ProviderStore};
use jobs::JobStore;
use kernel::{Limit, StoreError, Timestamp};
use postgres::{Db, DbConfig, Pg, PgRead, PoolMonitor, store_error};
use reading_progress::{ProgressCommands, ProgressStore};
use referral::{ReferralCommands, ReferralStore};
use static_assertions::assert_not_impl_any;
use summaries::{MemberSummaryCommands, MemberSummaryStore};
use support::{NewMessage, SupportCommands, SupportQueries, SupportStore};
use testing::TestDatabase;

// Proved when it is compiled: whatever changes something asks for the connection of a write.
assert_not_impl_any!(PgRead<'static>: AuditCommands, EditCommands, RefundCommands, StatsCommands);
assert_not_impl_any!(PgRead<'static>: BillingCommands, BillingStore);
assert_not_impl_any!(PgRead<'static>: CatalogueCommands, CatalogueStore, EditingCommands, RecordingCommands, RecordingStore);
assert_not_impl_any!(PgRead<'static>: ChallengeCommands, ChallengeStore);
assert_not_impl_any!(PgRead<'static>: EReaderCommands, EReaderStore);
assert_not_impl_any!(PgRead<'static>: EditorialCommands, EditorialStore);
assert_not_impl_any!(PgRead<'static>: FactorCommands, FactorStore, IdentityCommands, IdentityStore, ProviderCommands, ProviderStore);
assert_not_impl_any!(PgRead<'static>: JobStore);
assert_not_impl_any!(PgRead<'static>: MemberSummaryCommands, MemberSummaryStore);
assert_not_impl_any!(PgRead<'static>: ProgressCommands, ProgressStore);
assert_not_impl_any!(PgRead<'static>: ReferralCommands, ReferralStore);
assert_not_impl_any!(PgRead<'static>: SupportCommands, SupportStore);

/// Also without a database: a thread that still connects could crash the process when it exits.
#[test]
fn dropping_the_last_handle_ends_the_listener_thread() {
    let database = TestDatabase::new();
    for url in [database.url(), "postgres://nobody@127.0.0.1:1/nothing"] {
        let config = DbConfig {
            url: url.to_owned(),
            direct_url: None,
            replica_url: None,
            read_connections: 1,
            write_connections: 1,
            wait: Duration::from_secs(1),
        };
        let held = Arc::new(());
        let db = Db::new(&config, "test");
        let listening = Arc::clone(&held);
        db.on_change(move |_| {
            let _ = &listening;
        });
        drop(db.clone());
        assert!(Arc::strong_count(&held) > 1, "one handle is left");
        drop(db);
        assert_eq!(Arc::strong_count(&held), 1, "{url}");
    }
}

#[cfg(debug_assertions)]
#[test]
fn write_statement_accepts_one_statement_and_panics_on_two_in_debug_builds() {
    let database = TestDatabase::new();
    let wait = Duration::from_secs(10);
    let config = DbConfig {
        url: database.url().to_owned(),
        direct_url: None,
        replica_url: None,
        read_connections: 1,
        write_connections: 1,
        wait,
    };
    let db = Db::new(&config, "test");
    let message = NewMessage::feedback("Good.", "ada@example.com").unwrap();
    let now = Timestamp::from_millis(1_795_226_400_000);
    let write = |work: &dyn Fn(&mut Pg<'_>) -> Result<(), StoreError>| {
        catch_unwind(AssertUnwindSafe(|| db.write_statement(Instant::now() + wait, work)))
    };

    let one = |pg: &mut Pg<'_>| pg.insert_message(&message, now).map(|_| ());
    write(&one).expect("one statement is accepted").unwrap();
    assert!(write(&|pg| one(pg).and_then(|()| one(pg))).is_err());
    // A read beside the write is a second statement too.
    let inbox = |pg: &mut Pg<'_>| pg.inbox(&support::MessageFilter::default(), None, Limit::clamped(1)).map(|_| ());
    assert!(write(&|pg| one(pg).and_then(|()| inbox(pg))).is_err());
}

#[test]
fn a_text_with_u0000_is_told_apart_from_a_failure_of_the_database() {
    let database = TestDatabase::new();
    let connection = &mut database.connect();
    let text =
        sql_query("SELECT length($1)").bind::<Text, _>("a\0b").execute(connection).expect_err("it can't be stored");
    let json = sql_query(r#"SELECT '"\u0000"'::jsonb"#).execute(connection).expect_err("it can't be stored");
    for error in [text, json] {
        let error = store_error(error);
        assert!(error.is_unstorable_text() && !error.is_unavailable(), "{error}");
    }
    let other = sql_query("SELECT 1 / 0").execute(connection).expect_err("it fails");
    assert!(!store_error(other).is_unstorable_text());
}

#[tokio::test]
async fn reads_run_on_the_primary_while_the_replica_is_gone_or_is_no_standby() {
    let database = TestDatabase::new();
    let url = database.url().to_owned();
    for replica in [url.as_str(), "postgres://nobody@127.0.0.1:1/nothing"] {
        let config = DbConfig {
            url: url.clone(),
            direct_url: None,
            replica_url: Some(replica.to_owned()),
            read_connections: 1,
            write_connections: 1,
            wait: Duration::from_secs(10),
        };
        let monitor = Arc::new(ReplicaReads::default());
        let db = Db::monitored(&config, "test", &(Arc::clone(&monitor) as Arc<dyn PoolMonitor>));
        for _ in 0..2 {
            assert_eq!(db.read_from_replica::<_, StoreError, _>(|pg| pg.book_count()).await.unwrap(), 0);
        }
        assert_eq!(*monitor.0.lock().unwrap(), [false, false], "{replica}");
    }
}

/// Where reads that may run on the replica ran.
#[derive(Debug, Default)]
struct ReplicaReads(Mutex<Vec<bool>>);

impl PoolMonitor for ReplicaReads {
    fn waited(&self, _: &'static str, _: Duration) {}

    fn refused(&self, _: &'static str) {}

    fn ran_on_replica(&self, on_replica: bool) {
        self.0.lock().unwrap().push(on_replica);
    }
}

//! The door to the database, as a process opens and closes it.

use std::{sync::Arc, time::Duration};

use postgres::{Db, DbConfig};
use testing::TestDatabase;

/// Also where the database is away: a thread that went on connecting could bring the process down at its very end.
#[test]
fn nothing_goes_on_behind_the_last_handle() {
    let database = TestDatabase::new();
    for url in [database.url(), "postgres://nobody@127.0.0.1:1/nothing"] {
        let config =
            DbConfig { url: url.to_owned(), read_connections: 1, write_connections: 1, wait: Duration::from_secs(1) };
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

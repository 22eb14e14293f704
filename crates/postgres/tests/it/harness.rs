//! What the tests of storage share: a contract's cases on empty tables, and work that comes at the same moment.

use std::sync::Barrier;

use diesel::Connection;
use kernel::StoreError;
use postgres::Pg;
use testing::TestDatabase;

/// Work in a transaction of its own on a database that nothing was written to; nothing of it stays.
pub fn on_empty_tables(database: &TestDatabase, work: impl FnOnce(&mut Pg<'_>)) {
    let mut connection = database.connect();
    connection.begin_test_transaction().unwrap();
    work(&mut Pg::new(&mut connection));
}

/// What ended a transaction: a refusal of the domain, or a failure of the database.
enum Failure<E> {
    Refused(E),
    Store(StoreError),
}

impl<E> From<diesel::result::Error> for Failure<E> {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(postgres::store_error(error))
    }
}

/// Runs the work in as many transactions at the same moment, each on a connection of its own.
pub fn at_once<T: Send, E: Send>(
    database: &TestDatabase,
    count: usize,
    work: impl Fn(usize, &mut Pg<'_>) -> Result<T, E> + Sync,
) -> Vec<Result<T, E>> {
    let barrier = Barrier::new(count);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count)
            .map(|n| {
                let (barrier, work) = (&barrier, &work);
                scope.spawn(move || {
                    let mut connection = database.connect();
                    barrier.wait();
                    let done = connection.transaction(|conn| work(n, &mut Pg::new(conn)).map_err(Failure::Refused));
                    done.map_err(|failure| match failure {
                        Failure::Refused(error) => error,
                        Failure::Store(error) => panic!("{error}"),
                    })
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

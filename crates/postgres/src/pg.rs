//! One connection, for reads or for writes.

use std::marker::PhantomData;

use diesel::{PgConnection, RunQueryDsl, sql_query, sql_types::BigInt};
use kernel::StoreError;

use crate::{
    change::{Change, notify},
    error::{is_lost_connection, store_error},
};

/// Marks a [`Pg`] on which only reads may run.
#[derive(Clone, Copy, Debug)]
pub enum Read {}

/// Marks a [`Pg`] on which writes may run too.
#[derive(Clone, Copy, Debug)]
pub enum Write {}

/// One connection, in the transaction of a [`crate::Db::write`] or in a [`crate::Db::read`]. It implements the queries of all domains, and
/// with [`Write`] also their commands and stores: a command in a read does not compile.
pub struct Pg<'c, A = Write> {
    connection: &'c mut PgConnection,
    pub(crate) changes: Vec<Change>,
    pub(crate) lost_connection: bool,
    /// Whether a statement failed.
    pub(crate) has_failed: bool,
    access: PhantomData<A>,
}

/// A connection in a [`crate::Db::read`].
pub type PgRead<'c> = Pg<'c, Read>;

impl<'c, A> Pg<'c, A> {
    pub(crate) fn on(connection: &'c mut PgConnection) -> Self {
        Self { connection, changes: Vec::new(), lost_connection: false, has_failed: false, access: PhantomData }
    }

    /// Converts a Diesel error to a [`StoreError`], and records whether the connection was lost.
    pub(crate) fn fail(&mut self, error: diesel::result::Error) -> StoreError {
        self.lost_connection |= is_lost_connection(&error);
        self.has_failed = true;
        store_error(error)
    }

    /// Runs Diesel code on the connection; converts its error.
    pub(crate) fn run<T>(
        &mut self,
        work: impl FnOnce(&mut PgConnection) -> diesel::QueryResult<T>,
    ) -> Result<T, StoreError> {
        work(self.connection).map_err(|error| self.fail(error))
    }
}

impl<'c> Pg<'c> {
    /// The stores on a given connection, for tests and for code with a connection of its own.
    pub fn new(connection: &'c mut PgConnection) -> Self {
        Self::on(connection)
    }

    /// Takes an advisory lock until the transaction ends.
    pub(crate) fn lock(&mut self, key: i64) -> Result<(), StoreError> {
        self.run(|conn| sql_query("SELECT pg_advisory_xact_lock($1)").bind::<BigInt, _>(key).execute(conn).map(|_| ()))
    }

    /// Records a change that invalidates caches, to be announced when the transaction commits.
    pub(crate) fn record_change(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    pub(crate) fn notify_changes(&mut self, node: &str) -> Result<(), StoreError> {
        let payloads: Vec<String> = self
            .changes
            .iter()
            .filter(|change| change.is_announced_at_commit())
            .map(|change| change.to_payload())
            .collect();
        for payload in payloads {
            notify(self.connection, node, &payload).map_err(store_error)?;
        }
        Ok(())
    }
}

//! Counts the statements of [`crate::Db::write_statement`], in debug builds.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use diesel::{
    Connection, PgConnection,
    connection::{Instrumentation, InstrumentationEvent},
};

use crate::traces::{self, StatementSpans};

/// Counts the statements that run on a connection after [`StatementCount::start`].
#[derive(Clone, Debug, Default)]
pub(crate) struct StatementCount {
    all: Arc<AtomicU32>,
    writing: Arc<AtomicU32>,
}

impl StatementCount {
    pub(crate) fn start(connection: &mut PgConnection) -> Self {
        let count = Self::default();
        connection.set_instrumentation(count.clone());
        count
    }

    /// Stops counting.
    ///
    /// # Panics
    /// If a success took more than one statement, or a failure more than one that writes.
    pub(crate) fn finish(self, connection: &mut PgConnection, is_success: bool) {
        if traces::are_sent() {
            connection.set_instrumentation(StatementSpans::default());
        } else {
            connection.set_instrumentation(None::<Box<dyn Instrumentation>>);
        }
        let count = if is_success { self.all } else { self.writing };
        let count = count.load(Ordering::SeqCst);
        assert!(count <= 1, "`Db::write_statement` ran {count} statements, which are not atomic: use `Db::write`");
    }
}

impl Instrumentation for StatementCount {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            self.all.fetch_add(1, Ordering::SeqCst);
            if !query.to_string().trim_start().starts_with("SELECT") {
                self.writing.fetch_add(1, Ordering::SeqCst);
            }
        }
    }
}

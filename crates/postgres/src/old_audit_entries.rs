//! Takes old entries out of the audit log, as the owner of its tables: no other user can.

use admin::{Actor, AuditCommands, AuditEvent, NewAuditEntry};
use diesel::{
    PgConnection, QueryableByName, RunQueryDsl,
    connection::{AnsiTransactionManager, SimpleConnection, TransactionManager},
    sql_query,
    sql_types::{Bool, Text, Timestamptz},
};
use kernel::{StoreError, Timestamp};

use crate::{
    connect::connect,
    error::{connection_error, store_error},
    pg::Pg,
    time::to_db,
};

/// Entries that are read at a time.
const BATCH: usize = 500;

/// The triggers that keep everybody from deleting entries. The owner may switch them off, for the transaction: until its end nobody adds
/// an entry. Waits ten seconds for those who do.
const UNLOCK: &str = "SET LOCAL lock_timeout = '10s'; ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only; \
     ALTER TABLE audit_personal_changes DISABLE TRIGGER audit_personal_changes_no_delete";
const LOCK_AGAIN: &str = "ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_append_only; \
     ALTER TABLE audit_personal_changes ENABLE TRIGGER audit_personal_changes_no_delete";

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

#[derive(QueryableByName)]
struct Owner {
    #[diesel(sql_type = Bool)]
    is_owner: bool,
}

/// The entries of the audit log before a time, as of one moment.
pub struct OldAuditEntries {
    connection: PgConnection,
    before: Timestamp,
    count: u64,
}

impl std::fmt::Debug for OldAuditEntries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OldAuditEntries").field("before", &self.before).finish_non_exhaustive()
    }
}

impl OldAuditEntries {
    /// Connects as the owner of the tables.
    ///
    /// # Errors
    /// The user is not their owner, or the database can't be reached.
    pub fn begin(owner_url: &str, before: Timestamp) -> Result<Self, StoreError> {
        let mut connection = connect(owner_url).map_err(connection_error)?;
        let owner: Owner = sql_query(
            "SELECT pg_has_role(relowner, 'USAGE') AS is_owner FROM pg_class WHERE oid = 'audit_entries'::regclass",
        )
        .get_result(&mut connection)
        .map_err(store_error)?;
        if !owner.is_owner {
            return Err(StoreError::new("only the owner of the audit log's tables may take entries out of it"));
        }
        AnsiTransactionManager::begin_transaction(&mut connection).map_err(store_error)?;
        Ok(Self { connection, before, count: 0 })
    }

    /// Passes the entries to `each`, oldest first, some hundred at a time, each as a line of JSON. Values that name a person are
    /// not in them: those belong to the account.
    pub fn lines<E: From<StoreError>>(&mut self, mut each: impl FnMut(Vec<String>) -> Result<(), E>) -> Result<(), E> {
        let declare = "DECLARE old_entries NO SCROLL CURSOR FOR \
             SELECT to_jsonb(e)::text AS line FROM audit_entries e WHERE at < $1 ORDER BY id";
        sql_query(declare)
            .bind::<Timestamptz, _>(to_db(self.before))
            .execute(&mut self.connection)
            .map_err(store_error)?;
        loop {
            let batch: Vec<Line> =
                sql_query(format!("FETCH {BATCH} FROM old_entries")).load(&mut self.connection).map_err(store_error)?;
            if batch.is_empty() {
                break;
            }
            self.count += batch.len() as u64;
            each(batch.into_iter().map(|row| row.line).collect())?;
        }
        // Without a lock so far: the site goes on.
        AnsiTransactionManager::commit_transaction(&mut self.connection).map_err(|error| store_error(error).into())
    }

    /// Deletes the entries with all their values, and records that as an entry, at `now`. Fails if there are others than were read.
    pub fn delete(mut self, event: &AuditEvent, now: Timestamp) -> Result<(), StoreError> {
        AnsiTransactionManager::begin_transaction(&mut self.connection).map_err(store_error)?;
        self.connection.batch_execute(UNLOCK).map_err(store_error)?;
        let mut deleted = 0;
        for statement in [
            "DELETE FROM audit_personal_changes WHERE entry_id IN (SELECT id FROM audit_entries WHERE at < $1)",
            "DELETE FROM audit_entries WHERE at < $1",
        ] {
            let bound = sql_query(statement).bind::<Timestamptz, _>(to_db(self.before));
            deleted = bound.execute(&mut self.connection).map_err(store_error)?;
        }
        if deleted as u64 != self.count {
            return Err(StoreError::new("an entry of that time was added meanwhile"));
        }
        self.connection.batch_execute(LOCK_AGAIN).map_err(store_error)?;
        let entry = NewAuditEntry { actor: &Actor::Operator("archive-audit"), event, at: now };
        Pg::new(&mut self.connection).insert_audit_entry(entry)?;
        AnsiTransactionManager::commit_transaction(&mut self.connection).map_err(store_error)
    }
}

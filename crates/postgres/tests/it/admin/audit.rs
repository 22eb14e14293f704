//! The audit log on Postgres: the contract that memory keeps too, and that the database refuses to change an entry.

use admin::{
    Actor, AuditCommands, AuditEntryId, AuditEvent, AuditFilter, AuditQueries, EditCommands, EditQueries, FieldChange,
    NewAuditEntry, NewRevision, Revision, RowRef, RowVersion, Subject, SubjectKind,
    contract::{self, People},
};
use diesel::{RunQueryDsl, sql_query};
use identity::{IdentityStore, NewUser};
use kernel::{Email, Limit, Page, StoreError, Timestamp, UserId};
use postgres::Pg;
use testing::TestDatabase;

use crate::harness::on_empty_tables;

/// People in Postgres.
struct Accounts<'p, 'c>(&'p mut Pg<'c>);

impl AuditQueries for Accounts<'_, '_> {
    fn audit_entries(
        &mut self,
        filter: &AuditFilter,
        after: Option<AuditEntryId>,
        limit: Limit,
    ) -> Result<Page<admin::AuditEntry, AuditEntryId>, StoreError> {
        self.0.audit_entries(filter, after, limit)
    }
}

impl AuditCommands for Accounts<'_, '_> {
    fn insert_audit_entry(&mut self, entry: NewAuditEntry<'_>) -> Result<AuditEntryId, StoreError> {
        self.0.insert_audit_entry(entry)
    }
}

impl EditQueries for Accounts<'_, '_> {
    fn row_versions(&mut self, kind: SubjectKind, rows: &[i64]) -> Result<Vec<(i64, RowVersion)>, StoreError> {
        self.0.row_versions(kind, rows)
    }

    fn revisions(&mut self, row: RowRef) -> Result<Vec<Revision>, StoreError> {
        self.0.revisions(row)
    }
}

impl EditCommands for Accounts<'_, '_> {
    fn lock_row(&mut self, row: RowRef) -> Result<RowVersion, StoreError> {
        self.0.lock_row(row)
    }

    fn advance_row(&mut self, row: RowRef, by: Option<UserId>, now: Timestamp) -> Result<i64, StoreError> {
        self.0.advance_row(row, by, now)
    }

    fn insert_revision(&mut self, revision: NewRevision<'_>) -> Result<(), StoreError> {
        self.0.insert_revision(revision)
    }

    fn forget_row(&mut self, row: RowRef) -> Result<(), StoreError> {
        self.0.forget_row(row)
    }
}

impl People for Accounts<'_, '_> {
    fn add_person(&mut self, name: &str) -> UserId {
        let email = Email::parse(&format!("{}@example.com", name.to_lowercase())).unwrap();
        let new = NewUser {
            email: &email,
            first_name: name,
            last_name: name,
            timezone: "UTC",
            password_hash: None,
            created_at: Timestamp::from_millis(0),
            email_confirmed_at: None,
        };
        self.0.insert_user(new).unwrap().unwrap().id
    }

    fn delete_person(&mut self, user: UserId) {
        self.0.delete_user(user).unwrap();
    }
}

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| on_empty_tables(&database, |pg| case(&mut Accounts(pg))));
}

#[test]
fn the_database_refuses_to_change_or_remove_an_entry() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let member = Accounts(&mut pg).add_person("Ada");
    let change = FieldChange::personal("firstName", Some("Ad"), Some("Ada"));
    let event = AuditEvent::new("user.update", Subject::user(member)).with([change]);
    let actor = Actor::Operator("seed");
    pg.insert_audit_entry(NewAuditEntry { actor: &actor, event: &event, at: Timestamp::from_millis(1) }).unwrap();
    for statement in [
        "UPDATE audit_entries SET action = 'other'",
        "DELETE FROM audit_entries",
        "TRUNCATE audit_entries CASCADE",
        "UPDATE audit_personal_changes SET changes = '[]'",
        "DELETE FROM audit_personal_changes",
        "TRUNCATE audit_personal_changes",
    ] {
        let error = sql_query(statement).execute(&mut connection).unwrap_err().to_string();
        assert!(error.contains("the audit log is append-only"), "{statement}: {error}");
    }
    sql_query("DELETE FROM users").execute(&mut connection).unwrap();
}

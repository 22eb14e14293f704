//! What the audit log and the list of people can be asked, and what writes an entry.

use kernel::{DateCursor, Limit, Page, StoreError, Timestamp, UserId};

use crate::{
    AuditEntry, AuditEntryId, AuditFilter, NewAuditEntry, PeopleFilter, PeopleStart, PersonRow, ReadingCounts,
};

/// Reads of the audit log, callable by everyone who holds a connection.
pub trait AuditQueries {
    /// A page of the entries that the filter admits, latest first, after the one with this number.
    fn audit_entries(
        &mut self,
        filter: &AuditFilter,
        after: Option<AuditEntryId>,
        limit: Limit,
    ) -> Result<Page<AuditEntry, AuditEntryId>, StoreError>;
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait AuditCommands: AuditQueries {
    /// Stores an entry. Values that name a person go with the account of the subject.
    fn insert_audit_entry(&mut self, entry: NewAuditEntry<'_>) -> Result<AuditEntryId, StoreError>;
}

/// Reads of people across domains, callable by everyone who holds a connection.
pub trait PeopleQueries {
    /// A page of the people whom the filter admits, newest first.
    fn people(
        &mut self,
        filter: &PeopleFilter,
        start: PeopleStart,
        limit: Limit,
        now: Timestamp,
    ) -> Result<Page<PersonRow, DateCursor<UserId>>, StoreError>;

    /// How many people the filter admits.
    fn count_people(&mut self, filter: &PeopleFilter, now: Timestamp) -> Result<u64, StoreError>;

    /// One person as the list shows them.
    fn person(&mut self, user: UserId, now: Timestamp) -> Result<Option<PersonRow>, StoreError>;

    /// What a person has read, in counts.
    fn reading_counts_of(&mut self, user: UserId) -> Result<ReadingCounts, StoreError>;
}

//! Storage of the audit log, and reads for the list of people.

use kernel::{DateCursor, Limit, ListTotal, Page, StoreError, Timestamp, UserId};

use crate::{
    AuditEntry, AuditEntryId, AuditFilter, NewAuditEntry, PeopleFilter, PeopleStart, PersonRow, ReadingCounts,
};

/// Reads of the audit log, available on any connection.
pub trait AuditQueries {
    /// A page of the entries that match the filter, newest first, after the entry `after`.
    fn audit_entries(
        &mut self,
        filter: &AuditFilter,
        after: Option<AuditEntryId>,
        limit: Limit,
    ) -> Result<Page<AuditEntry, AuditEntryId>, StoreError>;
}

/// Writes without business rules, available in any transaction.
pub trait AuditCommands: AuditQueries {
    /// Stores an entry. Personal values are deleted with the subject's account.
    fn insert_audit_entry(&mut self, entry: NewAuditEntry<'_>) -> Result<AuditEntryId, StoreError>;
}

/// Reads of people across domains, available on any connection.
pub trait PeopleQueries {
    /// A page of the people who match the filter, newest first.
    fn people(
        &mut self,
        filter: &PeopleFilter,
        start: PeopleStart,
        limit: Limit,
        now: Timestamp,
    ) -> Result<Page<PersonRow, DateCursor<UserId>>, StoreError>;

    /// The number of people who match the filter.
    fn count_people(&mut self, filter: &PeopleFilter, now: Timestamp) -> Result<ListTotal, StoreError>;

    /// A person as in the list; `None` if there is no such account.
    fn person(&mut self, user: UserId, now: Timestamp) -> Result<Option<PersonRow>, StoreError>;

    /// A person's reading counts.
    fn reading_counts_of(&mut self, user: UserId) -> Result<ReadingCounts, StoreError>;
}

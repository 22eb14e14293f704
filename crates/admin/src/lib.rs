//! The back office's own data (the audit log, edit versions and daily statistics), and its reads across domains (people
//! and money).
//!
//! # What it owns
//!
//! - The audit log (`admin.audit-log`): who changed what, from which value to which, when and from where.
//! - The read model of the list of people, which combines data of several domains.
//! - The business statistics (`admin.business-figures`): daily counts over the data of several domains, and figures
//!   derived from them for a range of days.
//! - Where readers stop (`admin.drop-offs`), by counts of reading positions.
//!
//! # Invariants
//!
//! - An entry is written in the same transaction as the change that it records, and is never changed or deleted.
//! - Personal values (names, addresses) are stored apart from the entry and are deleted with the account
//!   (`admin.audit-log`). The entry itself stays.
//!
//! # Words
//!
//! *Entry*: one change in the audit log. *Actor*: who made it. *Subject*: what was changed. *Person*: a member, editor or
//! admin in the list of people.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod drop_offs;
mod edits;
#[cfg(any(test, feature = "testing"))]
mod memory;
mod model;
mod money;
mod people;
mod refund;
mod stats;
mod store;

pub use drop_offs::{BookPositions, DROP_OFF_DAYS, DropOff, FEWEST_READERS, OBSERVED_BOOKS, STOPPED_AFTER, drop_offs};
pub use edits::{
    EditCommands, EditConflict, EditQueries, Edits, NewRevision, Revision, RevisionId, RowRef, RowVersion, StaleOrder,
    ordered,
};
#[cfg(any(test, feature = "testing"))]
pub use memory::Memory;
pub use model::{
    AUDIT_PAGE, Actor, ActorName, AuditEntry, AuditEntryId, AuditEvent, AuditFilter, FieldChange, InvalidSubjectKind,
    NewAuditEntry, SHOWN_CHARS, Subject, SubjectKind,
};
pub use money::{
    CodeFilter, CodeRow, CodeState, DisputeRow, DisputeState, EarnerRow, FailedRenewalRow, LedgerFilter, LedgerRow,
    MONEY_PAGE, MoneyQueries, OrderFilter, OrderRow, OrderState, PayingMember, TeamRow,
};
pub use people::{PEOPLE_PAGE, PeopleFilter, PeopleStart, PersonRow, PersonState, ReadingCounts};
pub use refund::{InvalidRefundGrounds, REFUND_NOTE_MAX, RefundCommands, RefundGrounds, RefundReason};
pub use stats::{
    BookReaders, BookReads, COUNTED_AT_ONCE, Cohort, CountedDay, DayFigures, DayRange, InvalidDayRange, LastCount,
    PlanRevenue, PlanTotal, RECOUNTED_DAYS, RangeTotals, STATS_MAX_DAYS, StatsCommands, StatsQueries, TODAY_FRESH,
    TOP_BOOKS, days_to_count, is_today_stale, plan_totals, series, totals,
};
pub use store::{AuditCommands, AuditQueries, PeopleQueries};

//! What the back office stores of its own: the audit log, the daily counts; and what it reads across domains: people, money.
//!
//! # What it owns
//!
//! The audit log (`admin.audit-log`): who changed what, from what, to what, when, and from where. The read model of the list
//! of people, which shows of each what several domains know. The figures of the business (`admin.business-figures`): what is counted
//! for each day out of several domains' rows, and what follows from it for a range of days.
//!
//! # Invariants
//!
//! - An entry is written in the transaction of the change that it records, and is never changed or deleted.
//! - What names a person (names, addresses) is stored apart from the entry and goes with the account (`admin.audit-log`).
//!   The entry itself stays.
//!
//! # Words
//!
//! *Entry*: one change in the audit log. *Actor*: who made it. *Subject*: what was changed. *Person*: a member, editor or
//! admin as the list of people shows them.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod edits;
#[cfg(any(test, feature = "testing"))]
mod memory;
mod model;
mod money;
mod people;
mod refund;
mod stats;
mod store;

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
    BookReaders, BookReads, COUNTED_AT_ONCE, Cohort, CountedDay, DayFigures, DayRange, InvalidDayRange, PlanRevenue,
    PlanTotal, RECOUNTED_DAYS, RangeTotals, STATS_MAX_DAYS, StatsCommands, StatsQueries, TOP_BOOKS, days_to_count,
    plan_totals, series, totals,
};
pub use store::{AuditCommands, AuditQueries, PeopleQueries};

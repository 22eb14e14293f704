//! The product's data in Postgres: the only crate that knows Diesel.
//!
//! Each domain has a module that implements its `…Queries` and `…Store` traits on [`Pg`]; a blanket implementation then adds
//! the domain's service. [`Db`] is the only access: `read` and `write`, each with its own pool. The crate knows no HTTP.

mod admin;
mod backup;
mod billing;
mod built_statement;
mod catalogue;
mod challenge;
mod change;
mod connect;
mod db;
mod delivery;
mod editorial;
mod error;
mod files;
mod identity;
mod jobs;
mod listen;
mod migrate;
mod old_audit_entries;
mod operations;
mod pg;
mod pool;
mod reach;
mod reading_progress;
mod referral;
mod replica;
mod rights;
mod schema;
mod sealed;
mod site;
mod statement;
#[cfg(debug_assertions)]
mod statement_count;
mod study;
mod summaries;
mod support;
mod thread;
mod time;
mod traces;

pub use backup::{Restoration, Sequence, Snapshot, Table};
pub use change::{Change, Notification};
pub use db::{Db, DbConfig};
pub use error::RestoreError;
pub use error::store_error;
pub use pg::{Pg, PgRead, Read, Write};
pub use pool::{PoolMonitor, PoolUse};

pub use migrate::{has_sealed_keys, is_migrated, migrate, schema_version};
pub use old_audit_entries::OldAuditEntries;
pub use operations::site_name;
pub use reach::{ConnectFailure, connection_slots, reach};
pub use reading_progress::{CombinedSaves, MemberBook, PositionSave};
pub use rights::{RightsOutcome, grant_rights};
pub use sealed::{SealedPlace, SealedValue};
pub use site::Event;

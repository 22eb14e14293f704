//! Backup and restore: the database and the object store in one file. And archives of the audit log.
//!
//! A backup is a tar archive: `backup.json` (the [`Contents`]), `rows/<table>/<number>.json.gz` (rows in Postgres' text
//! format), `media/<path>` (objects), and last `sha256`, the hash of everything before it. It needs none of Postgres'
//! programs and is not tied to a version of Postgres.
//!
//! - **One point in time**: rows are read in one snapshot, objects after it. A file that a row names is deleted a day after
//!   the row at the earliest, so every file of the snapshot is still there. Files stored meanwhile may be included too.
//! - **All or nothing**: a backup gets its final name when it is complete. A damaged one is refused before anything is
//!   written. The rows of a restore become visible when it commits.
//! - **Encrypted** with the operator's key, if there is one: the archive as a whole, in parts that are authenticated.
//! - **Nothing is done twice**: a restore turns the mails and deliveries that were queued at the time of the backup into
//!   dead letters, because the site has sent them since.

mod archive;
mod audit;
mod config;
mod encryption;
mod error;
mod job;
mod partial;
mod place;
mod restore;
mod schedule;
mod write;

use postgres::{Sequence, Table};

pub use audit::archive_audit;
pub use config::{BackupConfig, ScheduleConfig};
pub use encryption::BackupKey;
pub use error::BackupError;
pub use job::MakeBackup;
pub use place::PlaceConfig;
pub use restore::restore;
pub use schedule::{Retention, Schedule};
pub use write::Source;

/// The version of the archive format.
const FORMAT: u32 = 1;

/// The metadata of a backup: everything but rows and files.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Contents {
    /// The [`FORMAT`] of the release that wrote it.
    format: u32,
    /// When the backup was made, in milliseconds since the Unix epoch.
    made_at: i64,
    /// The versions of the migrations that the database had.
    migrations: Vec<String>,
    tables: Vec<Table>,
    sequences: Vec<Sequence>,
}

/// What a backup or restore has written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows in all tables.
    pub rows: u64,
    /// Objects in the object store.
    pub files: u64,
    /// Jobs that the restore turned into dead letters; 0 for a backup.
    pub set_aside: usize,
}

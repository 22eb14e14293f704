//! Backups: the database and the object store in one file, and back.
//!
//! A backup is a tar archive: `backup.json` (the [`Contents`]), `rows/<table>/<number>.json.gz` (rows in Postgres' text
//! form), `media/<path>` (objects), and last `sha256`, the hash of everything before it. It needs no program of Postgres
//! and is not bound to a version of it.
//!
//! - **One moment**: rows are read in one snapshot. Objects are read after it; a file that a row names is deleted a day
//!   after the row at the earliest, so every file of the snapshot is there. A file that is stored meanwhile may be there too.
//! - **All or nothing**: a backup gets its name when it is whole. A damaged one is refused before anything is written,
//!   and a restore becomes visible at its end.
//! - **Nothing is done twice**: mails and deliveries that were queued at the moment of the backup are set aside by a
//!   restore, because the site has done them since.

mod archive;
mod error;
mod restore;
mod write;

use postgres::{Sequence, Table};

pub use error::BackupError;
pub use restore::restore;
pub use write::write;

/// The version of the format.
const FORMAT: u32 = 1;

/// What a backup holds, besides rows and files.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Contents {
    /// [`FORMAT`].
    format: u32,
    /// When it was made, in milliseconds since the epoch.
    made_at: i64,
    /// The versions of the migrations that had been run.
    migrations: Vec<String>,
    tables: Vec<Table>,
    sequences: Vec<Sequence>,
}

/// How much was written or restored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows of all tables.
    pub rows: u64,
    /// Objects of the store.
    pub files: u64,
    /// Jobs that were set aside by a restore.
    pub set_aside: usize,
}

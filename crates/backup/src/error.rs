//! Errors of making and restoring a backup.

use std::io;

use kernel::{ConfigError, StoreError};
use media::MediaError;
use postgres::RestoreError;

/// A backup could not be made or restored. The texts are for operators.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file is not a backup, or has been changed since it was written.
    #[error("the backup is damaged or is none: nothing was restored")]
    Damaged,
    /// A newer release wrote the backup.
    #[error("the backup has format {0}, which this release does not know: nothing was restored")]
    UnknownFormat(u32),
    /// The backup is encrypted, and there is no key.
    #[error("the backup is encrypted, and BACKUP_KEY is not set: nothing was restored")]
    KeyIsMissing,
    /// It was stopped before its end.
    #[error("it was stopped")]
    Stopped,
    /// A file with this name exists already.
    #[error("there is a file of this name already: a backup is never overwritten")]
    Exists,
    /// The file could not be written or read.
    #[error("the file could not be written or read: {0}")]
    Disk(#[from] io::Error),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] StoreError),
    /// The database can't take the backup: it is not empty, or the backup's migrations or tables are not those of this release.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The place of backups can't be opened.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The object store failed.
    #[error(transparent)]
    Media(#[from] MediaError),
}

impl From<serde_json::Error> for BackupError {
    /// JSON is parsed only from a file whose hash was verified: if it can't be parsed, something else wrote the file.
    fn from(_: serde_json::Error) -> Self {
        Self::Damaged
    }
}

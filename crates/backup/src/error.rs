//! How making and restoring a backup fail.

use std::io;

use kernel::StoreError;
use media::MediaError;
use postgres::RestoreError;

/// A backup could not be made or restored. The texts are for operators.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file is no backup, or not as it was written.
    #[error("the backup is damaged or is none: nothing was restored")]
    Damaged,
    /// A newer release has made it.
    #[error("the backup has format {0}, which this release does not know: nothing was restored")]
    UnknownFormat(u32),
    /// The file is there already.
    #[error("there is a file of this name already: a backup is never overwritten")]
    Exists,
    /// The file could not be written or read.
    #[error("the file could not be written or read: {0}")]
    Disk(#[from] io::Error),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] StoreError),
    /// The database can't take the backup.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The object store failed.
    #[error(transparent)]
    Media(#[from] MediaError),
}

impl From<serde_json::Error> for BackupError {
    /// Only a file that was checked is read as JSON: what can't be read then was written by something else.
    fn from(_: serde_json::Error) -> Self {
        Self::Damaged
    }
}

//! Errors of narration jobs.

use kernel::StoreError;
use media::MediaError;

use crate::program::ProgramError;

/// Why a recording could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NarrationError {
    /// A speech program or an encoder failed.
    #[error("{0}")]
    Program(#[from] ProgramError),
    /// The object store failed.
    #[error("{0}")]
    Media(#[from] MediaError),
    /// The database failed.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// No speech program is installed or enabled.
    #[error("no program of this machine speaks")]
    NoVoice,
}

impl From<std::io::Error> for NarrationError {
    fn from(error: std::io::Error) -> Self {
        Self::Program(error.into())
    }
}

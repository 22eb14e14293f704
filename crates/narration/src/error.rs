//! Why a recording could not be made.

use kernel::StoreError;
use media::MediaError;

use crate::program::ProgramError;

/// Why a recording could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NarrationError {
    /// A program of the machine failed.
    #[error("{0}")]
    Program(#[from] ProgramError),
    /// The object store did not take it.
    #[error("{0}")]
    Media(#[from] MediaError),
    /// The database failed.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The machine has no speech program.
    #[error("no program of this machine speaks")]
    NoVoice,
}

impl From<std::io::Error> for NarrationError {
    fn from(error: std::io::Error) -> Self {
        Self::Program(error.into())
    }
}

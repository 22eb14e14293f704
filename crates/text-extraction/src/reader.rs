//! The parent's side: starts processes that read documents.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::extract::{Document, ExtractionError};

use crate::child::Answer;
use crate::limits::ProcessLimits;
use crate::process::{Canceller, LimitedProgram, ProcessError, Running};

/// Why a document was not read. The message is for the person who uploaded it.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The document itself can't be read.
    #[error(transparent)]
    Document(#[from] ExtractionError),
    /// Exceeded its wall-clock or processor time.
    #[error("Reading this file took longer than {} seconds, so we stopped. Please choose a smaller or simpler one.", .0.as_secs())]
    TimedOut(Duration),
    #[error(
        "This file needs more memory to be read than we allow, so we stopped. Please choose a smaller or simpler one."
    )]
    OutOfMemory,
    /// The child ended with an unexpected status, or was killed.
    #[error("We could not read this file. Please save it in another format, for example as plain text, and try again.")]
    Crashed {
        /// How it ended, for the log.
        status: String,
    },
    #[error("Reading this file was cancelled.")]
    Cancelled,
    /// The process could not be started, which is the server's fault.
    #[error("We can't read files at the moment. Please try again later.")]
    Unavailable(#[source] io::Error),
}

impl ReadError {
    fn of_process(error: ProcessError, limits: &ProcessLimits) -> Self {
        match error {
            ProcessError::TimedOut | ProcessError::OutOfProcessorTime => Self::TimedOut(limits.time),
            ProcessError::OutOfMemory => Self::OutOfMemory,
            ProcessError::Crashed(status) => Self::Crashed { status },
            ProcessError::Killed => Self::Crashed { status: "killed".to_owned() },
            ProcessError::Cancelled => Self::Cancelled,
            ProcessError::Unavailable(error) => Self::Unavailable(error),
        }
    }
}

/// Starts processes that read documents. Callers limit how many run at a time.
#[derive(Clone, Debug)]
pub struct Reader {
    program: LimitedProgram,
    limits: ProcessLimits,
}

impl Reader {
    /// Creates a reader. `program`, started with `arguments`, must call [`crate::run_child`].
    pub fn new(program: PathBuf, arguments: Vec<OsString>, limits: ProcessLimits) -> Self {
        Self { program: LimitedProgram::new(program, arguments, limits), limits }
    }

    /// Starts to read a document. `charset` is the encoding from the server's `Content-Type`.
    ///
    /// Linux kills the child when the calling thread ends: call this and [`Reading::wait`] in one thread.
    pub fn start(&self, document: Vec<u8>, charset: Option<&str>) -> Result<Reading, ReadError> {
        let started = self.program.start(document, &[charset.unwrap_or_default()]);
        let process = started.map_err(|error| ReadError::of_process(error, &self.limits))?;
        Ok(Reading { process, limits: self.limits })
    }

    /// Reads a document; blocks until it is read.
    pub fn read(&self, document: Vec<u8>, charset: Option<&str>) -> Result<Document, ReadError> {
        self.start(document, charset)?.wait()
    }
}

/// A document that is being read. Dropping it kills the process.
pub struct Reading {
    process: Running,
    limits: ProcessLimits,
}

impl Reading {
    /// A handle that cancels it from another thread.
    pub fn canceller(&self) -> Canceller {
        self.process.canceller()
    }

    /// The process's id, for measurements.
    pub fn process_id(&self) -> u32 {
        self.process.process_id()
    }

    /// Waits for the result.
    pub fn wait(self) -> Result<Document, ReadError> {
        let output = self.process.wait().map_err(|error| ReadError::of_process(error, &self.limits))?;
        let answer: Answer = serde_json::from_slice(&output)
            .map_err(|error| ReadError::Crashed { status: format!("unreadable output: {error}") })?;
        Ok(answer?)
    }
}

//! The parent: starts a reader, feeds it, waits for it, kills it.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use text_extraction::{Document, ExtractionError};

use crate::child::Answer;
use crate::limits::ProcessLimits;

/// How much of what a child says of its failure is kept, in bytes.
const MAX_COMPLAINT: u64 = 4_096;
/// Polling interval for the end of a child that has closed its pipes.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Why a document was not read. The text is for the person who sent it.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The document itself.
    #[error(transparent)]
    Document(#[from] ExtractionError),
    /// It took longer than its time.
    #[error("Reading this file took longer than {} seconds, so we stopped. Please choose a smaller or simpler one.", .0.as_secs())]
    TimedOut(Duration),
    /// It took more than its memory.
    #[error(
        "This file needs more memory to be read than we allow, so we stopped. Please choose a smaller or simpler one."
    )]
    OutOfMemory,
    /// The reader broke. The text in it is for the log.
    #[error("We could not read this file. Please save it in another format, for example as plain text, and try again.")]
    Crashed {
        /// How it ended, for the log.
        status: String,
    },
    /// The reading was cancelled.
    #[error("Reading this file was cancelled.")]
    Cancelled,
    /// No process could be started, which is the server's fault.
    #[error("We can't read files at the moment. Please try again later.")]
    Unavailable(#[source] io::Error),
}

/// Starts processes that read documents. Callers limit how many run at a time.
#[derive(Clone, Debug)]
pub struct Reader {
    program: PathBuf,
    arguments: Vec<OsString>,
    limits: ProcessLimits,
}

impl Reader {
    /// A reader by `program`, which calls [`crate::run_child`] when it is started with `arguments`.
    pub fn new(program: PathBuf, arguments: Vec<OsString>, limits: ProcessLimits) -> Self {
        Self { program, arguments, limits }
    }

    /// Starts to read a document. `charset` is what a server said of its encoding.
    ///
    /// Linux kills the child when the calling thread ends: call this and [`Reading::wait`] in one thread.
    pub fn start(&self, document: Vec<u8>, charset: Option<&str>) -> Result<Reading, ReadError> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .args(self.limits.arguments())
            .arg(charset.unwrap_or_default())
            .env_clear()
            // The server's allocator would reserve more address space at once than the limit allows.
            .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(ReadError::Unavailable)?;
        let deadline = Instant::now() + self.limits.time;
        let (input, output, complaint) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // A child that stops reading breaks the pipe, which its end explains better than the writer could.
        thread::spawn(move || input.map(|mut input| input.write_all(&document)));
        let (sender, receiver) = mpsc::channel();
        let limit = self.limits.output;
        thread::spawn(move || {
            let complaints = thread::spawn(move || read_up_to(complaint, MAX_COMPLAINT));
            let output = read_up_to(output, limit);
            let complaint = complaints.join().unwrap_or_default();
            let _ = sender.send(Output { output, complaint: String::from_utf8_lossy(&complaint).into_owned() });
        });
        let state = State { child, is_cancelled: false };
        Ok(Reading { child: Canceller(Arc::new(Mutex::new(state))), receiver, deadline, limits: self.limits })
    }

    /// Reads a document; blocks until it is read.
    pub fn read(&self, document: Vec<u8>, charset: Option<&str>) -> Result<Document, ReadError> {
        self.start(document, charset)?.wait()
    }
}

/// What a child wrote.
struct Output {
    output: Vec<u8>,
    complaint: String,
}

struct State {
    child: Child,
    is_cancelled: bool,
}

/// Stops a reading from another thread.
#[derive(Clone)]
pub struct Canceller(Arc<Mutex<State>>);

impl Canceller {
    /// Kills the process. The waiting thread gets [`ReadError::Cancelled`].
    pub fn cancel(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_cancelled = true;
        let _ = state.child.kill();
    }

    fn kill(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = state.child.kill();
        let _ = state.child.wait();
    }

    fn is_cancelled(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_cancelled
    }

    /// How the child ended; waits for it until `deadline` and kills it then.
    fn end_by(&self, deadline: Instant) -> io::Result<Option<ExitStatus>> {
        loop {
            if let Some(status) = self.0.lock().unwrap_or_else(PoisonError::into_inner).child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

/// A document that is being read. Dropping it kills the process.
pub struct Reading {
    child: Canceller,
    receiver: Receiver<Output>,
    deadline: Instant,
    limits: ProcessLimits,
}

impl Reading {
    /// What stops it.
    pub fn canceller(&self) -> Canceller {
        self.child.clone()
    }

    /// The process's id, for measurements.
    pub fn process_id(&self) -> u32 {
        self.child.0.lock().unwrap_or_else(PoisonError::into_inner).child.id()
    }

    /// Waits for the text.
    pub fn wait(self) -> Result<Document, ReadError> {
        let patience = self.deadline.saturating_duration_since(Instant::now());
        let output = match self.receiver.recv_timeout(patience) {
            Ok(output) => output,
            Err(RecvTimeoutError::Timeout) => return Err(ReadError::TimedOut(self.limits.time)),
            Err(RecvTimeoutError::Disconnected) => return Err(ReadError::Crashed { status: "no output".to_owned() }),
        };
        if self.child.is_cancelled() {
            return Err(ReadError::Cancelled);
        }
        let status = self.child.end_by(self.deadline).map_err(ReadError::Unavailable)?;
        let Some(status) = status else { return Err(ReadError::TimedOut(self.limits.time)) };
        if !status.success() {
            return Err(self.failure(status, &output.complaint));
        }
        let answer: Answer = serde_json::from_slice(&output.output)
            .map_err(|error| ReadError::Crashed { status: format!("unreadable output: {error}") })?;
        Ok(answer?)
    }

    fn failure(&self, status: ExitStatus, complaint: &str) -> ReadError {
        // The standard library's words when it can't allocate, before it aborts.
        if complaint.contains("memory allocation of") {
            return ReadError::OutOfMemory;
        }
        if status.signal() == Some(Signal::XCPU.as_raw()) {
            return ReadError::TimedOut(self.limits.time);
        }
        ReadError::Crashed { status: format!("{status}: {}", complaint.trim()) }
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.child.kill();
    }
}

/// What a pipe says, up to a limit; then it is closed.
fn read_up_to(pipe: Option<impl Read>, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        // What came before an error is kept.
        let _ = pipe.take(limit).read_to_end(&mut bytes);
    }
    bytes
}

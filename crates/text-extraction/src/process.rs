//! A child process with limits: starting it, feeding it, waiting for it, killing it.

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

use crate::limits::ProcessLimits;

/// How much of a child's standard error is kept, in bytes.
const MAX_COMPLAINT: u64 = 4_096;
/// Polling interval for the end of a child that has closed its pipes.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Why a process failed.
#[derive(Debug)]
pub(crate) enum ProcessError {
    /// Exceeded its wall-clock time.
    TimedOut,
    /// Exceeded its processor time.
    OutOfProcessorTime,
    /// Exceeded its memory.
    OutOfMemory,
    /// Ended with an unexpected status; the text is for the log.
    Crashed(String),
    /// Killed by something else.
    Killed,
    Cancelled,
    /// Could not be started.
    Unavailable(io::Error),
}

/// A program that sets its own limits before it reads its input ([`crate::run_child`]).
#[derive(Clone, Debug)]
pub(crate) struct LimitedProgram {
    program: PathBuf,
    arguments: Vec<OsString>,
    limits: ProcessLimits,
}

impl LimitedProgram {
    pub(crate) fn new(program: PathBuf, arguments: Vec<OsString>, limits: ProcessLimits) -> Self {
        Self { program, arguments, limits }
    }

    /// Starts the program with an input; `more` are the arguments after those of its limits.
    ///
    /// Linux kills the child when the calling thread ends: call this and [`Running::wait`] in one thread.
    pub(crate) fn start(
        &self,
        input: impl AsRef<[u8]> + Send + 'static,
        more: &[&str],
    ) -> Result<Running, ProcessError> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .args(self.limits.arguments())
            .args(more)
            .env_clear()
            // The server's allocator would reserve more address space at once than the limit allows.
            .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(ProcessError::Unavailable)?;
        let deadline = Instant::now() + self.limits.time;
        let (stdin, output, complaint) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // If the child stops reading, the pipe breaks; the child's exit status explains more than the write error.
        thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(input.as_ref())));
        let (sender, receiver) = mpsc::channel();
        let limit = self.limits.output;
        thread::spawn(move || {
            let complaints = thread::spawn(move || read_up_to(complaint, MAX_COMPLAINT));
            let output = read_up_to(output, limit);
            let complaint = complaints.join().unwrap_or_default();
            let _ = sender.send(Output { output, complaint: String::from_utf8_lossy(&complaint).into_owned() });
        });
        let state = State { child, is_cancelled: false };
        Ok(Running { child: Canceller(Arc::new(Mutex::new(state))), receiver, deadline })
    }
}

struct Output {
    output: Vec<u8>,
    complaint: String,
}

struct State {
    child: Child,
    is_cancelled: bool,
}

/// Kills a process from another thread.
#[derive(Clone)]
pub struct Canceller(Arc<Mutex<State>>);

impl Canceller {
    /// Kills the process. The waiting thread gets [`crate::ReadError::Cancelled`].
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

    /// Waits for the child to end and returns its status; `None` if it still runs at `deadline`.
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

/// A running process. Dropping it kills it.
pub(crate) struct Running {
    child: Canceller,
    receiver: Receiver<Output>,
    deadline: Instant,
}

impl Running {
    /// A handle that kills it from another thread.
    pub(crate) fn canceller(&self) -> Canceller {
        self.child.clone()
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.child.0.lock().unwrap_or_else(PoisonError::into_inner).child.id()
    }

    /// Waits for the process to end, and returns its output.
    pub(crate) fn wait(self) -> Result<Vec<u8>, ProcessError> {
        let patience = self.deadline.saturating_duration_since(Instant::now());
        let output = match self.receiver.recv_timeout(patience) {
            Ok(output) => output,
            Err(RecvTimeoutError::Timeout) => return Err(ProcessError::TimedOut),
            Err(RecvTimeoutError::Disconnected) => return Err(ProcessError::Crashed("no output".to_owned())),
        };
        if self.child.is_cancelled() {
            return Err(ProcessError::Cancelled);
        }
        let status = self.child.end_by(self.deadline).map_err(ProcessError::Unavailable)?;
        match status {
            None => Err(ProcessError::TimedOut),
            Some(status) if status.success() => Ok(output.output),
            Some(status) => Err(failure(status, &output.complaint)),
        }
    }
}

fn failure(status: ExitStatus, complaint: &str) -> ProcessError {
    // The standard library's message when an allocation fails, before it aborts.
    if complaint.contains("memory allocation of") {
        return ProcessError::OutOfMemory;
    }
    if status.signal() == Some(Signal::XCPU.as_raw()) {
        return ProcessError::OutOfProcessorTime;
    }
    if status.signal() == Some(Signal::KILL.as_raw()) {
        return ProcessError::Killed;
    }
    ProcessError::Crashed(format!("{status}: {}", complaint.trim()))
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill();
    }
}

/// Reads a pipe up to a limit; then the pipe is closed.
fn read_up_to(pipe: Option<impl Read>, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        // What was read before an error is kept.
        let _ = pipe.take(limit).read_to_end(&mut bytes);
    }
    bytes
}

//! External programs: run at the lowest priority, and killed when the waiting future is dropped.

use std::{
    io::{self, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

/// Polling interval for the exit of a program.
const POLL_INTERVAL: Duration = Duration::from_millis(15);
/// Timeout of a program.
const TIMEOUT: Duration = Duration::from_mins(15);

/// Why a program failed.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The program can't be started, or its files can't be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The program exited with a failure status.
    #[error("{program} failed ({status})")]
    Failed { program: String, status: ExitStatus },
    /// The program did not exit within its timeout.
    #[error("{0} took too long")]
    TimedOut(String),
    /// The output of the program is not usable.
    #[error("{0}")]
    BadOutput(String),
}

/// A running program. Dropping it kills its process group.
struct RunningProgram(Child);

impl Drop for RunningProgram {
    fn drop(&mut self) {
        // Not after its exit: the process id may have been reused by then.
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
            let _ = self.0.wait();
        }
    }
}

/// Runs a program at the lowest priority, with `input` on its standard input, and waits for its exit.
pub(crate) async fn run(program: &Path, arguments: &[&std::ffi::OsStr], input: &str) -> Result<(), ProgramError> {
    let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
    let mut command = if find_on_path("nice").is_some() {
        let mut nice = Command::new("nice");
        nice.args(["-n", "19"]).arg(program);
        nice
    } else {
        Command::new(program)
    };
    // A process group of its own: Ctrl-C in a terminal stops the server and must not fail the program.
    command.process_group(0).args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = RunningProgram(command.spawn()?);
    if let Some(mut stdin) = running.0.stdin.take() {
        // A sentence fits into the pipe's buffer. A program that doesn't read it fails by its exit status.
        let _ = stdin.write_all(input.as_bytes());
    }
    let begun = Instant::now();
    loop {
        match running.0.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(ProgramError::Failed { program: name, status }),
            None if begun.elapsed() > TIMEOUT => return Err(ProgramError::TimedOut(name)),
            None => tokio::time::sleep(POLL_INTERVAL).await,
        }
    }
}

/// Runs blocking file work on the blocking thread pool.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ProgramError> + Send + 'static,
) -> Result<T, ProgramError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| ProgramError::BadOutput(error.to_string()))?
}

/// Finds a program on the `PATH`.
pub(crate) fn find_on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, path::Path};

    use super::{ProgramError, run};

    async fn shell(script: &str, input: &str) -> Result<(), ProgramError> {
        run(Path::new("/bin/sh"), &[OsStr::new("-c"), OsStr::new(script)], input).await
    }

    #[tokio::test]
    async fn a_program_gets_its_input_and_its_exit_status_is_returned() {
        assert!(shell("read line; test \"$line\" = hello", "hello\n").await.is_ok());
        let failed = shell("exit 3", "").await.expect_err("it failed");
        assert!(failed.to_string().starts_with("sh failed"), "{failed}");
        let missing = run(Path::new("/nowhere/at/all"), &[], "").await;
        assert!(missing.is_err());
    }

    #[tokio::test]
    async fn a_program_is_killed_when_its_future_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let pid = folder.path().join("pid");
        let script = format!("echo $$ > '{}'; exec sleep 600", pid.display());
        {
            let mut waiting = Box::pin(shell(&script, ""));
            while std::fs::read_to_string(&pid).unwrap_or_default().trim().is_empty() {
                let turn = tokio::time::timeout(std::time::Duration::from_millis(1), &mut waiting).await;
                assert!(turn.is_err(), "it has not ended by itself");
            }
        }
        let pid = std::fs::read_to_string(&pid).expect("it has begun");
        assert!(!Path::new(&format!("/proc/{}", pid.trim())).exists(), "it is gone");
    }

    /// Whether a process is running. A zombie (exited, but not waited for) is not.
    fn runs(pid: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
    }

    #[tokio::test]
    async fn the_children_of_a_program_are_killed_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let pid = folder.path().join("pid");
        let script = format!("sleep 600 & echo $! > '{}'; wait", pid.display());
        {
            let mut waiting = Box::pin(shell(&script, ""));
            while std::fs::read_to_string(&pid).unwrap_or_default().trim().is_empty() {
                let turn = tokio::time::timeout(std::time::Duration::from_millis(1), &mut waiting).await;
                assert!(turn.is_err(), "it has not ended by itself");
            }
        }
        let pid = std::fs::read_to_string(&pid).expect("it has begun");
        let begun = std::time::Instant::now();
        while runs(&pid) {
            assert!(begun.elapsed().as_secs() < 20, "it goes on");
            tokio::task::yield_now().await;
        }
    }
}

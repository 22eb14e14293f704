//! A program that works in the background: it stands behind everything else on the machine, and ends with whoever waits
//! for it.

use std::{
    io::{self, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

/// How often it is looked whether a program has ended.
const LOOK: Duration = Duration::from_millis(15);
/// The longest that a program may take.
const LIMIT: Duration = Duration::from_mins(15);

/// A program did not do its work.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It can't be run, or its files can't be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It ended with a failure.
    #[error("{program} failed ({status})")]
    Failed {
        /// Its name.
        program: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// It did not end.
    #[error("{0} took too long")]
    TooLong(String),
    /// What it made can't be used.
    #[error("{0}")]
    Useless(String),
}

/// A running program, which is ended with all that it began when nobody waits for it any more.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Not after its end: its number may be another one's by then.
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
            let _ = self.0.wait();
        }
    }
}

/// Runs a program to its end, at the lowest priority.
pub(super) async fn run(program: &Path, arguments: &[&std::ffi::OsStr], input: &str) -> Result<(), ProgramError> {
    let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
    let mut command = if super::on_path("nice").is_some() {
        let mut nice = Command::new("nice");
        nice.args(["-n", "19"]).arg(program);
        nice
    } else {
        Command::new(program)
    };
    // A group of its own: a key that stops the server in a terminal is not to stop the program too, as if it had failed.
    command.process_group(0).args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = Running(command.spawn()?);
    if let Some(mut stdin) = running.0.stdin.take() {
        // A sentence fits into a pipe. A program that does not read it has said what it thinks by its end.
        let _ = stdin.write_all(input.as_bytes());
    }
    let begun = Instant::now();
    loop {
        match running.0.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(ProgramError::Failed { program: name, status }),
            None if begun.elapsed() > LIMIT => return Err(ProgramError::TooLong(name)),
            None => tokio::time::sleep(LOOK).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, path::Path};

    use super::{ProgramError, run};

    async fn shell(script: &str, input: &str) -> Result<(), ProgramError> {
        run(Path::new("/bin/sh"), &[OsStr::new("-c"), OsStr::new(script)], input).await
    }

    #[actix_web::test]
    async fn a_program_is_given_its_input_and_its_end_is_told() {
        assert!(shell("read line; test \"$line\" = hello", "hello\n").await.is_ok());
        let failed = shell("exit 3", "").await.expect_err("it failed");
        assert!(failed.to_string().starts_with("sh failed"), "{failed}");
        let missing = run(Path::new("/nowhere/at/all"), &[], "").await;
        assert!(missing.is_err());
    }

    #[actix_web::test]
    async fn a_program_ends_with_whoever_waits_for_it() {
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

    /// Whether a process runs. One that has ended is in the table until somebody asks how.
    fn runs(pid: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
    }

    #[actix_web::test]
    async fn what_a_program_began_ends_with_it() {
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

//! Runs other programs so that this process controls when, and in which order, Ctrl-C reaches them.
//!
//! Each program gets its own process group: otherwise a terminal's Ctrl-C would stop Postgres while the server is still
//! draining. In return, every wait in here checks for a stop request and ends the whole group.
//!
//! `duct` and `xshell` keep the shell's process group: there a Ctrl-C reaches Postgres before the server has drained.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::{console, signals};

/// Polling interval of waits.
const TICK: Duration = Duration::from_millis(20);
/// How long a tool (cargo, npm, …) has to end after a signal before it is killed.
const PATIENCE: Duration = Duration::from_secs(5);

/// A running program with all its children; ended when dropped.
pub(crate) struct Running {
    child: Child,
    name: String,
}

impl Running {
    /// Starts a program in its own process group, without standard input unless the caller set one.
    pub(crate) fn spawn(command: &mut Command, name: &str) -> Result<Self> {
        signals::check()?;
        let child = command.process_group(0).spawn().with_context(|| format!("cannot start {name}"))?;
        Ok(Self { child, name: name.to_owned() })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The exit status, or `None` while it runs.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().with_context(|| format!("cannot wait for {}", self.name))
    }

    /// Waits for the program to end; a stop request ends it first and is returned as an error.
    fn wait(&mut self) -> Result<ExitStatus> {
        loop {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            if signals::stop_asked() {
                self.end();
            }
            signals::check()?;
            thread::sleep(TICK);
        }
    }

    /// Sends each signal to the program itself, waiting for the given time after each; finally kills its group.
    pub(crate) fn stop(&mut self, steps: &[(Signal, Duration)]) {
        for (signal, patience) in steps {
            if self.has_ended() {
                return;
            }
            if let Some(pid) = pid(self.id()) {
                // It may end between the check and the signal; that is the goal anyway.
                let _ = kill_process(pid, *signal);
            }
            self.await_end(*patience);
        }
        self.kill();
    }

    /// Kills it with `SIGKILL`, without a chance to clean up.
    pub(crate) fn kill_without_warning(&mut self) {
        if let (false, Some(pid)) = (self.has_ended(), pid(self.id())) {
            let _ = kill_process(pid, Signal::KILL);
        }
        let _ = self.child.wait();
    }

    /// Ends a tool with all its children: signals the whole group, then kills it.
    fn end(&mut self) {
        if self.has_ended() {
            return;
        }
        self.signal_group(Signal::TERM);
        self.await_end(PATIENCE);
        self.kill();
    }

    fn kill(&mut self) {
        if !self.has_ended() {
            self.signal_group(Signal::KILL);
            let _ = self.child.wait();
        }
    }

    fn signal_group(&self, signal: Signal) {
        if let Some(group) = pid(self.id()) {
            let _ = kill_process_group(group, signal);
        }
    }

    fn await_end(&mut self, patience: Duration) {
        let start = Instant::now();
        while start.elapsed() < patience && !self.has_ended() {
            thread::sleep(TICK);
        }
    }

    fn has_ended(&mut self) -> bool {
        // A program that can't be waited for is gone.
        !matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Converts a process id to the type that system calls need.
pub(crate) fn pid(id: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(id).ok()?)
}

/// The direct children of this process that are still running.
pub(crate) fn children(parent: u32) -> Result<Vec<u32>> {
    if !cfg!(target_os = "linux") {
        let lines = output(Command::new("ps").args(["-axo", "pid=,ppid="]))?;
        return Ok(lines.lines().filter_map(pair).filter(|(_, of)| *of == parent).map(|(child, _)| child).collect());
    }
    let ids = std::fs::read_dir("/proc")?.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    Ok(ids.filter(|id| parent_of(*id) == Some(parent)).collect())
}

fn pair(line: &str) -> Option<(u32, u32)> {
    let mut words = line.split_whitespace().map(str::parse);
    Some((words.next()?.ok()?, words.next()?.ok()?))
}

fn parent_of(id: u32) -> Option<u32> {
    stat_field(id, 4)?.parse().ok()
}

/// A field of /proc/<id>/stat by its number in proc(5), from the third on. The second field, a name in parentheses, may
/// contain anything.
pub(crate) fn stat_field(id: u32, number: usize) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(number.checked_sub(3)?).map(str::to_owned)
}

/// Runs a program with our standard output to its end.
pub(crate) fn run(command: &mut Command) -> Result<ExitStatus> {
    if console::is_shared() {
        return run_lines(command, console::print);
    }
    let name = name_of(command);
    Running::spawn(command.stdin(Stdio::null()), &name)?.wait()
}

/// Like [`run`], but an unsuccessful exit is an error.
pub(crate) fn run_well(command: &mut Command) -> Result<()> {
    let status = run(command)?;
    if !status.success() {
        bail!("`{}` failed ({status})", line_of(command));
    }
    Ok(())
}

/// Runs a program, calls `each` with each line of its standard output as it arrives, and returns the exit status. Its standard
/// error is printed.
pub(crate) fn run_lines(command: &mut Command, mut each: impl FnMut(&str)) -> Result<ExitStatus> {
    let name = name_of(command);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    if console::is_shared() {
        command.stderr(Stdio::piped());
    }
    let mut running = Running::spawn(command, &name)?;
    let stdout = running.child.stdout.take().context("the standard output is piped")?;
    let (sender, receiver) = mpsc::channel();
    if let Some(stderr) = running.child.stderr.take() {
        send_lines(stderr, Line::Error, sender.clone());
    }
    send_lines(stdout, Line::Output, sender);
    // A child that outlives the program may hold the pipe open, so the wait for its end is limited.
    let mut ended_at: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(Line::Output(line)) => each(&line),
            Ok(Line::Error(line)) => console::print(&line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if ended_at.is_some_and(|at| at.elapsed() > PATIENCE) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if ended_at.is_none() && running.ended()?.is_some() {
            ended_at = Some(Instant::now());
        }
        if signals::stop_asked() {
            running.end();
            signals::check()?;
        }
    }
    running.wait()
}

/// A line of output.
enum Line {
    Output(String),
    Error(String),
}

/// Reads a pipe to its end, in a separate thread.
fn send_lines<R: Read + Send + 'static>(pipe: R, kind: fn(String) -> Line, sender: Sender<Line>) {
    thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        let mut line = Vec::new();
        while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
            if sender.send(kind(text)).is_err() {
                return;
            }
            line.clear();
        }
    });
}

/// Runs a program and returns its standard output; its standard error is shown only when it fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = line_of(command);
    let name = name_of(command);
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let status = Running::spawn(command, &name)?.wait()?;
    if !status.success() {
        bail!("`{line}` failed ({status})\n{}", read_back(&mut stderr)?.trim_end());
    }
    read_back(&mut stdout)
}

/// Reads what a program wrote to a file.
fn read_back(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a program can be started and exits successfully; prints nothing.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Like [`succeeds`], with a timeout, after which the program and all its children are ended and false is returned.
pub(crate) fn succeeds_within(command: &mut Command, time: Duration) -> Result<bool> {
    let name = name_of(command);
    let mut running = Running::spawn(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()), &name)?;
    let start = Instant::now();
    while start.elapsed() < time {
        if let Some(status) = running.ended()? {
            return Ok(status.success());
        }
        signals::check()?;
        thread::sleep(TICK);
    }
    Ok(false)
}

fn name_of(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

/// The command line as typed in a shell, for messages.
fn line_of(command: &Command) -> String {
    let mut line = name_of(command);
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_arrive_in_order_and_the_end_is_told() {
        let mut seen = Vec::new();
        let status = run_lines(Command::new("sh").args(["-c", "echo one; echo two; printf three; exit 4"]), |line| {
            seen.push(line.to_owned());
        })
        .unwrap();
        assert_eq!(seen, ["one", "two", "three"]);
        assert_eq!(status.code(), Some(4));
    }

    #[test]
    fn a_failure_names_the_command_and_what_it_said() {
        let error =
            output(Command::new("sh").args(["-c", "echo 'no such thing' >&2; exit 3"])).unwrap_err().to_string();
        assert!(error.contains("sh -c"), "{error}");
        assert!(error.contains("no such thing"), "{error}");
    }

    #[test]
    fn what_does_not_exist_is_said() {
        let error = run(&mut Command::new("a-program-that-does-not-exist")).unwrap_err().to_string();
        assert_eq!(error, "cannot start a-program-that-does-not-exist");
    }

    #[test]
    fn dropping_ends_the_helpers_too() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & echo $!; wait"]).stdout(Stdio::piped());
        let mut running = Running::spawn(&mut command, "sh").unwrap();
        let mut line = String::new();
        BufReader::new(running.child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let helper = pid(line.trim().parse().unwrap()).unwrap();
        drop(running);
        // The orphaned child belongs to init now, which may take a moment to reap it.
        let start = Instant::now();
        while rustix::process::test_kill_process(helper).is_ok()
            && stat_field(helper.as_raw_nonzero().get().cast_unsigned(), 3).as_deref() != Some("Z")
        {
            assert!(start.elapsed() < Duration::from_secs(10), "the helper still runs");
            thread::yield_now();
        }
    }

    #[test]
    fn children_are_found() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        assert!(children(std::process::id()).unwrap().contains(&child.id()));
        assert!(!children(child.id()).unwrap().contains(&child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn a_kill_leaves_no_time() {
        let mut running =
            Running::spawn(Command::new("sh").args(["-c", "trap '' TERM; exec sleep 600"]), "sh").unwrap();
        running.kill_without_warning();
        assert!(running.has_ended());
    }
}

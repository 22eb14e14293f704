//! Running other programs so that a Ctrl-C reaches them when, and in the order, that we say.
//!
//! Each program gets a process group of its own: a terminal's Ctrl-C would otherwise stop Postgres while the server still
//! drains. In exchange every wait in here watches for the request to stop and ends the whole group.
//!
//! `duct` and `xshell` leave the process group to the shell: there a Ctrl-C reaches Postgres before the server has drained.

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

/// How often a wait looks up.
const TICK: Duration = Duration::from_millis(20);
/// What a tool (cargo, npm, …) gets to end by itself before it is killed.
const PATIENCE: Duration = Duration::from_secs(5);

/// A running program with everything that it started; ended when dropped.
pub(crate) struct Running {
    child: Child,
    name: String,
}

impl Running {
    /// Starts a program in a process group of its own, without a standard input unless the caller gave one.
    pub(crate) fn spawn(command: &mut Command, name: &str) -> Result<Self> {
        signals::check()?;
        let child = command.process_group(0).spawn().with_context(|| format!("cannot start {name}"))?;
        Ok(Self { child, name: name.to_owned() })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, or `None` while it runs.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().with_context(|| format!("cannot wait for {}", self.name))
    }

    /// Waits for the end; a request to stop ends it first and comes back as an error.
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

    /// Sends each signal to the program itself and gives it the time beside it to end; kills its group at last.
    pub(crate) fn stop(&mut self, steps: &[(Signal, Duration)]) {
        for (signal, patience) in steps {
            if self.has_ended() {
                return;
            }
            if let Some(pid) = pid(self.id()) {
                // It may end between the look and the signal; that is what is wanted anyway.
                let _ = kill_process(pid, *signal);
            }
            self.await_end(*patience);
        }
        self.kill();
    }

    /// `kill -9`: no warning, no time to put anything away.
    pub(crate) fn kill_without_warning(&mut self) {
        if let (false, Some(pid)) = (self.has_ended(), pid(self.id())) {
            let _ = kill_process(pid, Signal::KILL);
        }
        let _ = self.child.wait();
    }

    /// Ends a tool with all of its helpers: asks the whole group, then kills it.
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
        // A program that cannot be waited for any more is gone.
        !matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// A process id as the system's calls want it.
pub(crate) fn pid(id: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(id).ok()?)
}

/// The processes that this one started itself and that still run.
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

/// A field of what Linux tells of a process, by its number in proc(5), from the third. The second one, a name in brackets, may
/// hold anything.
pub(crate) fn stat_field(id: u32, number: usize) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(number.checked_sub(3)?).map(str::to_owned)
}

/// Runs a program that speaks for itself on our output, to its end.
pub(crate) fn run(command: &mut Command) -> Result<ExitStatus> {
    if console::is_shared() {
        return run_lines(command, console::print);
    }
    let name = name_of(command);
    Running::spawn(command.stdin(Stdio::null()), &name)?.wait()
}

/// Like [`run`], and an end other than a good one is an error.
pub(crate) fn run_well(command: &mut Command) -> Result<()> {
    let status = run(command)?;
    if !status.success() {
        bail!("`{}` failed ({status})", line_of(command));
    }
    Ok(())
}

/// Runs a program, hands over each line of its standard output as it comes, and returns how it ended. Its standard error
/// is printed.
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
    // A helper that outlives the program may hold the pipe open, so its end is not waited for without limit.
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

/// What a program prints, line by line.
enum Line {
    Output(String),
    Error(String),
}

/// Reads the pipe in a thread of its own, to its end.
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

/// Runs a program and returns its standard output; what it says on its standard error is shown only when it fails.
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

/// What a program wrote into a file.
fn read_back(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a program can be started and ends well; says nothing.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// [`succeeds`], in this time; then the program is ended with all of its helpers, and has failed.
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

/// The command as a person would type it.
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
        // The helper is init's child now, which may take a moment to reap it.
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

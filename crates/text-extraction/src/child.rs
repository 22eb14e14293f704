//! The process that reads a document.

use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::panic;
use std::process::{Command, ExitCode};

use crate::extract::{Document, ExtractionError, Limits, extract};

use crate::limits::{ARGUMENTS, ProcessLimits};

/// The argument of a process that has its limits.
const LIMITED: &str = "--limited";

/// What goes over the pipe.
pub(crate) type Answer = Result<Document, ExtractionError>;

/// Reads a document from standard input and writes its text to standard output. `command` is how this program is told to come here
/// (`["read-document"]`), `arguments` are those that follow it.
pub fn run_child(command: &[&str], arguments: &[String]) -> ExitCode {
    run_limited(command, arguments, |rest| {
        // A panic's message would name a place in a library; the parent only needs to know of it.
        panic::set_hook(Box::new(|_| {}));
        match read_document(rest.first().map(String::as_str).filter(|charset| !charset.is_empty())) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failure(&error),
        }
    })
}

/// Limits this process and does `work` with the arguments that are left. The process replaces itself once (`exec`), so that
/// what its allocator reserved without limits is gone.
pub fn run_limited(command: &[&str], arguments: &[String], work: impl FnOnce(&[String]) -> ExitCode) -> ExitCode {
    match arguments.split_first() {
        Some((first, rest)) if first == LIMITED => work(rest),
        _ => match restart_with_limits(command, arguments) {
            Ok(never) => match never {},
            Err(error) => failure(&error),
        },
    }
}

fn restart_with_limits(command: &[&str], arguments: &[String]) -> Result<Infallible, String> {
    ProcessLimits::apply(arguments)?;
    end_with_parent()?;
    let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let rest = arguments.get(ARGUMENTS..).unwrap_or_default();
    Err(Command::new(program).args(command).arg(LIMITED).args(rest).exec().to_string())
}

/// The kernel kills this process when the thread that started it ends; `exec` does not change that.
#[cfg(target_os = "linux")]
fn end_with_parent() -> Result<(), String> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
        .map_err(|error| format!("cannot tie this process to its parent: {error}"))
}

#[cfg(not(target_os = "linux"))]
fn end_with_parent() -> Result<(), String> {
    Ok(())
}

fn read_document(charset: Option<&str>) -> Result<(), String> {
    let limits = Limits::default();
    let mut bytes = Vec::new();
    let input = io::stdin().lock().take(limits.input as u64 + 1).read_to_end(&mut bytes);
    input.map_err(|error| format!("cannot read the document: {error}"))?;
    let answer: Answer = extract(&bytes, charset, &limits);
    drop(bytes);
    let mut output = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut output, &answer).map_err(|error| error.to_string())?;
    output.flush().map_err(|error| error.to_string())
}

pub(crate) fn failure(error: &str) -> ExitCode {
    // Nobody is left to hear it when the pipe is closed.
    let _ = writeln!(io::stderr(), "{error}");
    ExitCode::FAILURE
}

//! The child process that reads a document.

use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::panic;
use std::process::{Command, ExitCode};

use crate::extract::{Document, ExtractionError, Limits, extract};

use crate::limits::{ARGUMENTS, ProcessLimits};

/// Marks a process that already runs under its limits (after the `exec`).
const LIMITED: &str = "--limited";

/// What the child writes to the pipe, as JSON.
pub(crate) type Answer = Result<Document, ExtractionError>;

/// Reads a document from standard input and writes its text to standard output. `command` is the subcommand that leads here
/// (`["read-document"]`), `arguments` are those after it.
pub fn run_child(command: &[&str], arguments: &[String]) -> ExitCode {
    run_limited(command, arguments, |rest| {
        // A panic's message would name a source line of a library; the parent only needs to know that there was one.
        panic::set_hook(Box::new(|_| {}));
        match read_document(rest.first().map(String::as_str).filter(|charset| !charset.is_empty())) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failure(&error),
        }
    })
}

/// Sets this process's limits and calls `work` with the remaining arguments. The process replaces itself once (`exec`), so that
/// its allocator does not keep memory that it reserved before the limits.
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

/// Makes the kernel kill this process when the thread that started it ends; this survives `exec`.
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
    // The parent may have closed the pipe.
    let _ = writeln!(io::stderr(), "{error}");
    ExitCode::FAILURE
}

//! `pith`: the server and the operators' commands in one binary.

use std::process::ExitCode;

use clap::Parser;
use server::arguments::Arguments;
use web::app::DRAW;

/// mimalloc returns memory to the system after a burst. After 2,000 slow clients, the C library's allocator kept 120 MB,
/// this one nothing.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The internal command of the child process that reads an untrusted document under limits.
const READ_DOCUMENT: &str = "read-document";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if std::env::args().nth(1).as_deref() == Some(READ_DOCUMENT) {
        let rest: Vec<String> = arguments.by_ref().skip(1).collect();
        return text_extraction::run_child(&[READ_DOCUMENT], &rest);
    }
    if std::env::args().nth(1).as_deref() == Some(DRAW) {
        let rest: Vec<String> = arguments.by_ref().skip(1).collect();
        return text_extraction::run_drawing_child(&[DRAW], &rest);
    }
    match server::command::run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One line each: the error, then its causes after colons.
            #[expect(clippy::print_stderr, reason = "a command's last word")]
            for line in format!("{error:#}").lines() {
                eprintln!("pith: {line}");
            }
            ExitCode::FAILURE
        }
    }
}

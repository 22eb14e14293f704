//! `pith`: the server, and the commands that operators have without a toolchain.

use std::process::ExitCode;

use web::app::DRAW;

/// Gives memory back to the system after a burst. With the C library's allocator a process kept 120 MB of what 2,000 slow
/// clients had made it take, with this one nothing.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How this program is told to read a document, in a process of its own with limits.
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
    match server::command::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One sentence; what led to it follows after colons.
            #[expect(clippy::print_stderr, reason = "a command's last word")]
            {
                eprintln!("pith: {error:#}");
            }
            ExitCode::FAILURE
        }
    }
}

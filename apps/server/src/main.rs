//! `pith`: the server, and the commands that operators have without a toolchain.

use std::process::ExitCode;

/// Gives memory back to the system after a burst. With the C library's allocator a process kept 120 MB of what 2,000 slow
/// clients had made it take, with this one nothing.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match server::command::run(std::env::args().skip(1)) {
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

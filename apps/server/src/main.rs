//! `pith`: the server, and the commands that operators have without a toolchain.

use std::process::ExitCode;

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

//! The server's program `pith`: building it, running it, waiting until it is ready.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::checkout::Checkout;
use crate::home::Home;
use crate::http::Client;
use crate::postgres::DatabaseUrls;
use crate::process::{self, Running};
use crate::{signals, tools};

/// The server's package and program.
const SERVER: (&str, &str) = ("server", PROGRAM);
/// The name of the server's program.
pub(crate) const PROGRAM: &str = "pith";
/// The package and program of the tool for synthetic data and measurements, which is not part of the product.
const SYNTHETIC: (&str, &str) = ("synthetic", "pith-synthetic");

/// The profile with demo accounts and content.
pub(crate) const DEMO: &str = "demo";

/// The build profile of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Fast to build.
    Debug,
    /// Fast to run.
    Release,
}

/// Builds the server and returns the path of its program.
pub(crate) fn build(checkout: &Checkout, profile: Profile) -> Result<PathBuf> {
    build_program(checkout, profile, SERVER)
}

/// Builds the tool for synthetic data and returns the path of its program.
pub(crate) fn build_synthetic(checkout: &Checkout, profile: Profile) -> Result<PathBuf> {
    build_program(checkout, profile, SYNTHETIC)
}

fn build_program(checkout: &Checkout, profile: Profile, (package, program): (&str, &str)) -> Result<PathBuf> {
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--package", package, "--bin", program]);
    let folder = match profile {
        Profile::Debug => "debug",
        Profile::Release => {
            cargo.arg("--release");
            "release"
        }
    };
    process::run_well(&mut cargo)?;
    Ok(checkout.target()?.join(folder).join(program))
}

/// `PITH_PROFILE`, or by default the demo profile; production sites set the variable.
pub(crate) fn content_profile() -> String {
    std::env::var("PITH_PROFILE").ok().filter(|name| !name.is_empty()).unwrap_or_else(|| DEMO.to_owned())
}

/// A subcommand of the server on this database, with the rights of `serve`. It is ended when this process dies, if the system
/// supports that.
pub(crate) fn command(checkout: &Checkout, pith: &Path, home: &Home, database: &DatabaseUrls) -> Command {
    let mut command = if tools::has("setpriv") {
        let mut setpriv = Command::new("setpriv");
        setpriv.args(["--pdeathsig", "TERM"]).arg(pith);
        setpriv
    } else {
        Command::new(pith)
    };
    command.current_dir(checkout.root());
    command.env("DATABASE_URL", &database.application).env_remove("DATABASE_OWNER_URL");
    command.env("PITH_HOME", home.dir()).env("PITH_PROFILE", content_profile());
    command
}

/// Like [`command`], for a subcommand that creates tables.
pub(crate) fn owner_command(checkout: &Checkout, pith: &Path, home: &Home, database: &DatabaseUrls) -> Command {
    let mut command = command(checkout, pith, home, database);
    if let Some(owner) = &database.owner {
        command.env("DATABASE_OWNER_URL", owner);
    }
    command
}

/// Waits until a GET of this path returns 200; fails when the server exits before that, or after `limit`.
pub(crate) fn await_ready(server: &mut Running, address: SocketAddr, path: &str, limit: Duration) -> Result<()> {
    let begin = Instant::now();
    // Short, so that a server that accepts a connection and never responds does not delay a Ctrl-C.
    let client = Client::with_patience(address, Duration::from_secs(2));
    loop {
        if let Some(status) = server.ended()? {
            bail!("the server ended before it was ready ({status}); what it said stands above");
        }
        if client.get(path, None).is_ok_and(|reply| reply.is_ok()) {
            return Ok(());
        }
        signals::check()?;
        if begin.elapsed() > limit {
            bail!("the server did not become ready within {} seconds", limit.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_ends_early_is_told() {
        let mut server = Running::spawn(Command::new("sh").args(["-c", "exit 3"]), "sh").unwrap();
        let unreachable = SocketAddr::from(([127, 0, 0, 1], 1));
        let error = await_ready(&mut server, unreachable, "/readyz", Duration::from_secs(20)).unwrap_err().to_string();
        assert!(error.contains("ended before it was ready"), "{error}");
    }
}

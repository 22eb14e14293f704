//! The server's program `pith`: built, called, and asked whether it is ready.

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

/// The package and its program.
const SERVER: (&str, &str) = ("server", PROGRAM);
/// The name of the server's program.
pub(crate) const PROGRAM: &str = "pith";
/// The tool with synthetic data and measurements, which is not part of the product.
const SYNTHETIC: (&str, &str) = ("synthetic", "pith-synthetic");

/// The profile with demo accounts and content.
pub(crate) const DEMO: &str = "demo";

/// How the server is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quick to build.
    Debug,
    /// Quick to run.
    Release,
}

/// Builds the server and returns where its program lies.
pub(crate) fn build(checkout: &Checkout, profile: Profile) -> Result<PathBuf> {
    build_program(checkout, profile, SERVER)
}

/// Builds the tool with synthetic data and returns where its program lies.
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

/// `PITH_PROFILE`, or the one with demo content; a site for members sets it.
pub(crate) fn content_profile() -> String {
    std::env::var("PITH_PROFILE").ok().filter(|name| !name.is_empty()).unwrap_or_else(|| DEMO.to_owned())
}

/// A subcommand of the server on this database, with the rights of `serve`. It ends when this process dies, where the system
/// can do that.
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

/// [`command`] for one that makes tables.
pub(crate) fn owner_command(checkout: &Checkout, pith: &Path, home: &Home, database: &DatabaseUrls) -> Command {
    let mut command = command(checkout, pith, home, database);
    if let Some(owner) = &database.owner {
        command.env("DATABASE_OWNER_URL", owner);
    }
    command
}

/// Waits until a GET of this path is answered with 200; an end of the server before that is an error.
pub(crate) fn await_ready(server: &mut Running, address: SocketAddr, path: &str, limit: Duration) -> Result<()> {
    let begin = Instant::now();
    // A server that takes a connection and says nothing must not hold up a Ctrl-C.
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

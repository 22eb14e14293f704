//! The server's program `pith`: built, called, and asked whether it is ready.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::checkout::Checkout;
use crate::home::Home;
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

/// Waits until the server takes requests; an end of it before that is an error.
pub(crate) fn await_ready(server: &mut Running, address: SocketAddr, limit: Duration) -> Result<()> {
    let begin = Instant::now();
    loop {
        if let Some(status) = server.ended()? {
            bail!("the server ended before it was ready ({status}); what it said stands above");
        }
        if asks_well(address, "/readyz") {
            return Ok(());
        }
        signals::check()?;
        if begin.elapsed() > limit {
            bail!("the server did not become ready within {} seconds", limit.as_secs());
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a GET of this path is answered with 200.
fn asks_well(address: SocketAddr, path: &str) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut head = [0_u8; 12];
        stream.read_exact(&mut head)?;
        Ok(head.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::net::TcpListener;

    use super::*;

    fn answering(text: &'static str) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            // All of it: what is left unread when the socket closes takes the answer along.
            let request: Vec<String> =
                BufReader::new(&stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            assert!(request[0].starts_with("GET /readyz HTTP"));
            stream.write_all(text.as_bytes()).unwrap();
        });
        address
    }

    #[test]
    fn only_200_is_ready() {
        assert!(asks_well(answering("HTTP/1.1 200 OK\r\n\r\n"), "/readyz"));
        assert!(!asks_well(answering("HTTP/1.1 503 Service Unavailable\r\n\r\n"), "/readyz"));
    }

    #[test]
    fn a_server_that_ends_early_is_told() {
        let mut server = Running::spawn(Command::new("sh").args(["-c", "exit 3"]), "sh").unwrap();
        let unreachable = SocketAddr::from(([127, 0, 0, 1], 1));
        let error = await_ready(&mut server, unreachable, Duration::from_secs(20)).unwrap_err().to_string();
        assert!(error.contains("ended before it was ready"), "{error}");
    }
}

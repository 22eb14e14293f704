//! A process of the product, with its log.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::http::{self, Client};
use crate::process::Running;
use crate::{ports, server};

/// How long it may take to start.
const READY_LIMIT: Duration = Duration::from_mins(5);

/// A running process.
pub(super) struct Node {
    address: SocketAddr,
    log: PathBuf,
    process: Running,
}

impl Node {
    /// Starts `serve` and waits until it is ready. `command` is one of the server's program with its settings; the log is written to
    /// the file `name` in `folder`.
    pub(super) fn serve(command: Command, folder: &Path, name: &str) -> Result<Self> {
        Self::start(command, "serve", "PORT", folder, name)
    }

    /// Starts `worker` and waits until it is ready.
    pub(super) fn worker(command: Command, folder: &Path, name: &str) -> Result<Self> {
        Self::start(command, "worker", "WORKER_PORT", folder, name)
    }

    fn start(mut command: Command, verb: &str, port: &str, folder: &Path, name: &str) -> Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, ports::free_on_loopback()?));
        let log = folder.join(format!("{name}.log"));
        command.arg(verb).env("BIND", address.ip().to_string()).env(port, address.port().to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log)?);
        let mut process = Running::spawn(&mut command, name)?;
        server::await_ready(&mut process, address, "/readyz", READY_LIMIT)
            .with_context(|| format!("{name} says:\n{}", read(&log)))?;
        Ok(Self { address, log, process })
    }

    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// A client with connections of its own.
    pub(super) fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// The value of a series of its metrics; 0 if it has none.
    pub(super) fn metric(&self, series: &str) -> Result<u64> {
        let text = http::agent().get(format!("http://{}/metrics", self.address)).call()?.body_mut().read_to_string()?;
        let value = text.lines().find_map(|line| line.strip_prefix(series));
        value.map_or(Ok(0), |value| value.trim().parse().with_context(|| format!("{series} is `{value}`")))
    }

    /// What it has logged.
    pub(super) fn log(&self) -> String {
        read(&self.log)
    }

    /// Fails when the process has ended.
    pub(super) fn check(&mut self) -> Result<()> {
        match self.process.ended()? {
            None => Ok(()),
            Some(status) => anyhow::bail!("it ended with {status}:\n{}", self.log()),
        }
    }
}

fn read(log: &Path) -> String {
    fs::read_to_string(log).unwrap_or_default().trim().to_owned()
}

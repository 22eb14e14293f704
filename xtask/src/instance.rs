//! An instance of the product for tests and benchmarks: its own Postgres and data folder, the demo content, a free port.
//!
//! It is started like `up`, with fixed settings.

use std::fs::{self, Permissions};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::checkout::Checkout;
use crate::home::Home;
use crate::http::Client;
use crate::postgres::{Cluster, DatabaseUrls, Kind};
use crate::process::{self, Running};
use crate::{ports, server};

/// How long the server may take to start before it is considered hung.
const READY_LIMIT: Duration = Duration::from_mins(5);
/// Seconds that the server gives open requests when it is asked to stop. Long, so that on any machine, however busy, a stop that
/// takes half of it must have waited for something that never comes.
pub(crate) const DRAIN: u64 = 120;
/// The password of all demo accounts.
pub(crate) const PASSWORD: &str = "pith-demo-2026";
/// Demo accounts with a plan.
pub(crate) const PAID: [&str; 3] = ["paid@example.com", "editor@example.com", "admin@example.com"];

/// An instance's data; its Postgres and server may or may not be running.
pub(crate) struct Instance<'a> {
    checkout: &'a Checkout,
    pith: PathBuf,
    home: Home,
    address: SocketAddr,
}

/// Creates a folder that is removed with the value. It can be traversed by other accounts, because Postgres may run under one;
/// secret files in it have their own permissions.
pub(crate) fn temporary_folder(parent: &Path, prefix: &str) -> Result<TempDir> {
    let folder =
        tempfile::Builder::new().prefix(prefix).tempdir_in(parent).context("cannot make a temporary folder")?;
    fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
    Ok(folder)
}

impl<'a> Instance<'a> {
    /// Creates an instance with the demo content in a new folder, and starts its Postgres.
    pub(crate) fn set_up(checkout: &'a Checkout, pith: &Path, folder: &Path) -> Result<(Self, Cluster)> {
        let instance = Self::at(checkout, pith, Home::at(folder)?)?;
        let cluster = instance.start_postgres()?;
        let mut migrate = instance.pith(&cluster);
        migrate.env("DATABASE_OWNER_URL", cluster.url());
        process::output(migrate.arg("migrate")).context("`pith migrate`")?;
        process::output(instance.pith(&cluster).arg("seed")).context("`pith seed`")?;
        Ok((instance, cluster))
    }

    /// Copies this instance, whose Postgres is stopped, to a new folder.
    pub(crate) fn copy(&self, folder: &Path) -> Result<Self> {
        process::output(Command::new("cp").arg("-a").arg(self.home.dir()).arg(folder))?;
        Self::at(self.checkout, &self.pith, Home::at(folder)?)
    }

    /// An instance whose data are in this folder already.
    pub(crate) fn at(checkout: &'a Checkout, pith: &Path, home: Home) -> Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, ports::free_on_loopback()?));
        Ok(Self { checkout, pith: pith.to_owned(), home, address })
    }

    /// Starts Postgres with the durability settings of production.
    pub(crate) fn start_postgres(&self) -> Result<Cluster> {
        Cluster::start(self.checkout, &self.home.postgres(), Kind::Kept)
    }

    /// Starts the server and waits until it is ready.
    pub(crate) fn start_server(&self, cluster: &Cluster) -> Result<Running> {
        let mut serve = self.pith(cluster);
        serve.arg("serve").stdin(Stdio::null()).stdout(Stdio::null());
        let mut server = Running::spawn(&mut serve, "the server")?;
        server::await_ready(&mut server, self.address, "/readyz", READY_LIMIT)?;
        Ok(server)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// A client with its own connections.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// A command of the server's program for this instance.
    pub(crate) fn pith(&self, cluster: &Cluster) -> Command {
        self.command(&self.pith, &cluster.urls())
    }

    /// A command of the server's program on this database.
    pub(crate) fn pith_on(&self, urls: &DatabaseUrls) -> Command {
        self.command(&self.pith, urls)
    }

    /// A command of a program that reads the server's configuration.
    pub(crate) fn command(&self, program: &Path, urls: &DatabaseUrls) -> Command {
        let mut command = server::command(self.checkout, program, &self.home, urls);
        command.env("BIND", self.address.ip().to_string()).env("PORT", self.address.port().to_string());
        command
            .env("PITH_PROFILE", server::DEMO)
            .env("DEMO_YEAR", "off")
            .env("LOG", "error,r2d2=off")
            .env("LOG_FORMAT", "text");
        command.env("RATE_LIMITS", "off").env("SPEECH", "off").env("DRAIN_SECONDS", DRAIN.to_string());
        for own in ["PITH_SECRET", "PUBLIC_URL", "PITH_CACHE"] {
            command.env_remove(own);
        }
        command
    }
}

//! A `PgBouncer` in transaction mode, in front of a cluster.

use std::fs::{self, File, Permissions};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::cluster::Cluster;
use crate::process::Running;
use crate::{ports, signals, tools};

/// How long it may take to start.
const READY_LIMIT: Duration = Duration::from_mins(1);

/// A running pooler; ended when dropped.
pub(crate) struct Pooler {
    running: Running,
    url: String,
    log: PathBuf,
}

impl Pooler {
    /// Starts one in `folder`, a new folder, which opens at most this many connections for each user.
    pub(crate) fn start(cluster: &Cluster, folder: &Path, connections: u32) -> Result<Self> {
        fs::create_dir_all(folder)?;
        // As root it runs as `nobody`.
        fs::set_permissions(folder, Permissions::from_mode(0o711))?;
        let (listen, (host, port)) = (ports::free_on_loopback()?, cluster.host_and_port());
        let [(_, _), (user, password)] = cluster.roles();
        let users = folder.join("users.txt");
        fs::write(&users, format!("\"{user}\" \"{password}\"\n"))?;
        let config = folder.join("pgbouncer.ini");
        fs::write(
            &config,
            format!(
                "[databases]\n* = host={host} port={port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {listen}\n\
                 unix_socket_dir =\nauth_type = scram-sha-256\nauth_file = {}\npool_mode = transaction\n\
                 default_pool_size = {connections}\nmax_client_conn = 500\n",
                users.display()
            ),
        )?;
        let log = folder.join("log");
        let mut command = Command::new(tools::find_admin("pgbouncer").context("PgBouncer is not installed")?);
        if rustix::process::geteuid().is_root() {
            command.args(["-u", "nobody"]);
        }
        command.arg(&config).stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log)?);
        let mut running = Running::spawn(&mut command, "PgBouncer")?;
        let begin = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, listen)).is_err() {
            signals::check()?;
            if running.ended()?.is_some() || begin.elapsed() > READY_LIMIT {
                bail!("PgBouncer did not start:\n{}", fs::read_to_string(&log)?);
            }
            thread::sleep(Duration::from_millis(10));
        }
        let url = cluster.urls().application;
        let (user_and_password, database) = (format!("postgres://{user}:{password}"), url.rsplit('/').next());
        let database = database.context("a URL names a database")?;
        Ok(Self { running, url: format!("{user_and_password}@127.0.0.1:{listen}/{database}"), log })
    }

    /// The URL of the product's database for the server.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// What it has logged.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Fails when it has ended.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.running.ended()? {
            None => Ok(()),
            Some(status) => bail!("PgBouncer ended by itself ({status}):\n{}", self.log()),
        }
    }
}

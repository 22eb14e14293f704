//! A primary and a standby that streams from it, made of one stopped cluster.
//!
//! `pg_basebackup` copies a running cluster, but the npm package does not have it. A stopped cluster can be copied as it is.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::account::Account;
use super::cluster::{Cluster, Files, Kind};
use super::locate;
use super::psql::psql;
use crate::checkout::Checkout;
use crate::{process, signals};

/// The name by which the primary knows the standby.
const STANDBY: &str = "standby";
/// WAL that the primary keeps for a standby that is down: more than a test writes.
const KEPT_WAL: &str = "1GB";
/// How soon a standby that has lost its primary looks for it again. A promotion may have to wait for that, by default 5 s.
const RETRY_INTERVAL: &str = "200ms";
/// Timeout of the standby's connection to the primary.
const CONNECT_LIMIT: Duration = Duration::from_mins(2);

/// When the primary acknowledges a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replication {
    /// When it is on the standby's disk.
    Synchronous,
    /// When it is on the primary's disk.
    Asynchronous,
}

/// Copies the stopped cluster in `primary` to `standby`, a new folder, and starts both. Returns the primary and the standby, which is
/// connected.
pub(crate) fn start_pair(
    checkout: &Checkout,
    primary: &Path,
    standby: &Path,
    replication: Replication,
) -> Result<(Cluster, Cluster)> {
    fs::create_dir_all(standby).with_context(|| format!("cannot make {}", standby.display()))?;
    let (from, to) = (Files::at(primary)?, Files::at(standby)?);
    for (from, to) in [
        (from.data(), to.data()),
        (from.password(), to.password()),
        (from.application_password(), to.application_password()),
    ] {
        process::output(Command::new("cp").arg("-a").arg(from).arg(to))?;
    }
    let account = Account::choose(&locate::find(checkout, to.version()?)?.bin)?;
    configure(&from, "wal_keep_size", KEPT_WAL)?;
    if replication == Replication::Synchronous {
        configure(&from, "synchronous_standby_names", STANDBY)?;
    }
    let primary = Cluster::start(checkout, primary, Kind::Kept)?;
    configure(&to, "primary_conninfo", &format!("{}?application_name={STANDBY}", primary.admin_url()))?;
    configure(&to, "wal_retrieve_retry_interval", RETRY_INTERVAL)?;
    let signal = to.data().join("standby.signal");
    fs::write(&signal, "")?;
    account.own(&signal)?;
    let standby = Cluster::start(checkout, standby, Kind::Kept)?;
    await_streaming(&primary, replication)?;
    Ok((primary, standby))
}

/// Adds a setting to a stopped cluster. The value has no quotes.
fn configure(files: &Files, name: &str, value: &str) -> Result<()> {
    let path = files.data().join("postgresql.auto.conf");
    let mut file =
        OpenOptions::new().append(true).open(&path).with_context(|| format!("cannot open {}", path.display()))?;
    writeln!(file, "{name} = '{value}'")?;
    Ok(())
}

/// Waits until the standby of this primary receives what is written, in the way that is wanted.
fn await_streaming(primary: &Cluster, replication: Replication) -> Result<()> {
    let begin = Instant::now();
    let kind = match replication {
        Replication::Synchronous => "sync",
        Replication::Asynchronous => "async",
    };
    let statement =
        format!("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '{kind}'");
    while psql(&primary.admin_url(), &statement)?.trim() == "0" {
        signals::check()?;
        if begin.elapsed() > CONNECT_LIMIT {
            bail!("the standby does not connect to the primary");
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

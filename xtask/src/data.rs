//! `cargo xtask seed` and `rotate-keys`: the server's subcommands of the same name, on the database that `up` uses.

use std::process::ExitCode;

use anyhow::Result;

use crate::checkout::Checkout;
use crate::home::{Home, Lock};
use crate::postgres::Database;
use crate::server::{self, Profile};
use crate::{process, tools};

/// Runs the subcommand beside a running `up`, or starts the cluster for it and stops it afterwards.
pub(crate) fn command(checkout: &Checkout, verb: &str, rest: &[String]) -> Result<ExitCode> {
    let home = Home::open(checkout)?;
    tools::ensure_build_tools()?;
    let pith = server::build(checkout, Profile::Debug)?;
    let lock = home.lock(verb)?;
    let database = match &lock {
        Lock::Ours(_) => Database::open(checkout, &home)?,
        Lock::Theirs { .. } => Database::of_running(&home)?,
    };
    if database.is_embedded() {
        // A cluster that was just made has no tables yet; on one that has them this changes nothing.
        process::run_well(server::command(checkout, &pith, &home, database.url()).arg("migrate"))?;
    }
    let status = process::run(server::command(checkout, &pith, &home, database.url()).arg(verb).args(rest))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

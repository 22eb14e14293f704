//! `cargo xtask seed`, `export`, `backup`, `restore`, `rotate-keys`, `grant-role`, `reset-second-factor` and `ledger-check`: run
//! the server's subcommand of that name on the database of `up`. `seed --scale N` loads the demo content and N synthetic books
//! with as many members, or with `--members M`.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::checkout::Checkout;
use crate::home::{Home, Lock};
use crate::postgres::Database;
use crate::server::{self, Profile};
use crate::{process, tools};

/// Runs the subcommand beside a running `up`, or else starts the cluster for it and stops it afterwards.
pub(crate) fn command(checkout: &Checkout, verb: &str, rest: &[String]) -> Result<ExitCode> {
    let home = Home::open(checkout)?;
    tools::ensure_build_tools()?;
    let pith = server::build(checkout, Profile::Debug)?;
    let lock = home.lock(verb)?;
    let database = match &lock {
        Lock::Ours(_) => Database::open(checkout, &home)?,
        Lock::Theirs { holder } if verb == "restore" => {
            bail!("{holder} uses {}: stop it first, or restore into another PITH_HOME", home.dir().display())
        }
        Lock::Theirs { .. } => Database::of_running(&home)?,
    };
    // A restore creates the tables itself.
    if database.is_embedded() && verb != "restore" {
        // A new cluster has no tables yet; on an existing one this changes nothing.
        process::run_well(server::owner_command(checkout, &pith, &home, database.urls()).arg("migrate"))?;
    }
    if let ("seed", [option, sizes @ ..]) = (verb, rest)
        && option == "--scale"
    {
        process::run_well(server::command(checkout, &pith, &home, database.urls()).arg("seed"))?;
        let synthetic = server::build_synthetic(checkout, Profile::Debug)?;
        let mut call = server::command(checkout, &synthetic, &home, database.urls());
        // The tool writes in bulk, bypassing the domain rules.
        if let Some(owner) = &database.urls().owner {
            call.env("DATABASE_URL", owner);
        }
        let status = process::run(call.arg("books").args(sizes))?;
        return Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let with = if verb == "restore" { server::owner_command } else { server::command };
    let mut call = with(checkout, &pith, &home, database.urls());
    let status = process::run(
        call.arg(verb)
            .args(rest.iter().map(|argument| if names_files(verb) { absolute(argument) } else { argument.into() })),
    )?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether a subcommand's arguments are paths, relative to the user's working directory. The server runs in the
/// checkout's root.
fn names_files(verb: &str) -> bool {
    matches!(verb, "seed" | "export" | "backup" | "restore")
}

fn absolute(argument: &str) -> OsString {
    let is_option = argument.starts_with("--");
    if is_option { argument.into() } else { std::path::absolute(argument).map_or_else(|_| argument.into(), Into::into) }
}

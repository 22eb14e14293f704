//! Runs statements with `psql`.

use std::process::Command;

use anyhow::{Context, Result};

use crate::{process, tools};

/// Runs one statement and returns its rows, one per line.
pub(crate) fn psql(database: &str, statement: &str) -> Result<String> {
    let program = tools::find_postgres("psql").context("psql is missing: Debian has it in postgresql-client")?;
    let mut command = Command::new(program);
    command.args(["--no-psqlrc", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", "--command", statement]);
    process::output(command.arg(database))
}

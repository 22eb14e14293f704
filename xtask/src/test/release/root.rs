//! A root folder of its own, with a few programs of this machine, in which others run by `chroot`.
//!
//! `debootstrap` would fetch a whole system. Copies of a dozen programs and their libraries are enough for maintainer scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::program;
use crate::checkout::Checkout;
use crate::process;
use crate::release::libraries;

/// Folders that a debug build of the server reads at its start; a release build contains them.
const READ_BY_DEBUG_BUILD: [&str; 2] = ["frontend/dist", "apps/server/seed"];
/// Folders through which it names them.
const NAMED_BY_DEBUG_BUILD: [&str; 2] = ["crates/pages", "crates/seed"];

/// The root folder.
pub(super) struct Root {
    folder: PathBuf,
}

impl Root {
    /// Makes a root with what a debug build of the server reads.
    pub(super) fn new(folder: PathBuf, checkout: &Checkout) -> Result<Self> {
        fs::create_dir_all(&folder)?;
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755))?;
        let root = Self { folder };
        for part in READ_BY_DEBUG_BUILD {
            let from = checkout.root().join(part);
            let to = root.path(&from);
            fs::create_dir_all(&to)?;
            process::output(Command::new("cp").arg("-r").arg(from.join(".")).arg(&to))?;
        }
        for part in NAMED_BY_DEBUG_BUILD {
            fs::create_dir_all(root.path(checkout.root().join(part)))?;
        }
        Ok(root)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a path of the root lies on this machine.
    pub(super) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        self.folder.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Copies programs of this machine with their libraries.
    pub(super) fn add_programs(&self, names: &[&str]) -> Result<()> {
        for name in names {
            let program = program(name)?;
            let to = self.path("/usr/bin").join(name);
            copy(&program, &to)?;
            self.add_libraries(&program)?;
        }
        Ok(())
    }

    /// Copies the libraries of a program.
    pub(super) fn add_libraries(&self, program: &Path) -> Result<()> {
        libraries::of_program(program)?.iter().try_for_each(|library| copy(library, &self.path(library)))
    }

    /// Writes a file.
    pub(super) fn write(&self, path: &str, text: &str) -> Result<()> {
        let path = self.path(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Reads a file.
    pub(super) fn read(&self, path: &str) -> Result<String> {
        let path = self.path(path);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// A command that runs in the root, without an environment, as root or as `user:group`. It ends when this process dies.
    pub(super) fn command(&self, user: Option<&str>, entry: &str) -> Result<Command> {
        let mut command = Command::new(program("setpriv")?);
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").args(["--pdeathsig", "TERM"]);
        command.arg(program("chroot")?);
        if let Some(user) = user {
            command.arg(format!("--userspec={user}"));
        }
        command.arg(&self.folder).arg(entry);
        Ok(command)
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display())).map(drop)
}

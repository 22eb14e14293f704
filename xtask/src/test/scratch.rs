//! What the suites share and what is removed after them: a temporary folder, a Postgres in it, what cargo compiled.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::compile::{Compiled, Selection};
use crate::checkout::Checkout;
use crate::console::say;
use crate::frontend;
use crate::postgres::{Cluster, Kind};

/// Shared by the threads of the suites.
pub(super) struct Scratch<'a> {
    pub(super) checkout: &'a Checkout,
    /// Which packages of the workspace are compiled and tested.
    pub(super) selection: Selection,
    // Fields are dropped in this order: Postgres stops before its folder goes.
    cluster: Mutex<Option<Cluster>>,
    compiled: OnceLock<Compiled>,
    folder: TempDir,
}

impl<'a> Scratch<'a> {
    pub(super) fn new(checkout: &'a Checkout, selection: Selection) -> Result<Self> {
        let folder =
            tempfile::Builder::new().prefix("pith-test-").tempdir().context("cannot make a temporary folder")?;
        // Postgres may run under another account, which has to pass through; what is secret in here has rights of its own.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
        Ok(Self { checkout, selection, cluster: Mutex::default(), compiled: OnceLock::new(), folder })
    }

    /// A folder for reports.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A database from which tests make their own: `TEST_DATABASE_URL`, or a Postgres for this run, started at the first
    /// call.
    pub(super) fn database(&self) -> Result<String> {
        if let Some(url) = std::env::var("TEST_DATABASE_URL").ok().filter(|url| !url.is_empty()) {
            return Ok(url);
        }
        let mut cluster = self.cluster.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cluster) = &mut *cluster {
            cluster.check()?;
            return Ok(cluster.admin_url());
        }
        // The npm package that brings a Postgres comes with the web app's.
        if self.checkout.frontend().is_dir() {
            frontend::install_packages(self.checkout)?;
        }
        say!("Starting a Postgres for the tests …");
        let started = Cluster::start(self.checkout, &self.folder.path().join("postgres"), Kind::Throwaway)?;
        let url = started.admin_url();
        *cluster = Some(started);
        Ok(url)
    }

    /// Keeps what the step `build` compiled. The server's program is copied, so that another build beside this run
    /// doesn't replace it.
    pub(super) fn keep_compiled(&self, mut compiled: Compiled) -> Result<()> {
        if let Some(pith) = &mut compiled.pith {
            let copy = self.folder.path().join("pith");
            fs::copy(&pith, &copy).with_context(|| format!("cannot copy {}", pith.display()))?;
            *pith = copy;
        }
        self.compiled.set(compiled).ok().context("the step `build` runs once")
    }

    /// What the step `build` compiled.
    pub(super) fn compiled(&self) -> Result<&Compiled> {
        self.compiled.get().context("the step `build` has not run")
    }

    /// The server's program.
    pub(super) fn pith(&self) -> Result<PathBuf> {
        self.compiled()?.pith.clone().context("the server's program was not built")
    }
}

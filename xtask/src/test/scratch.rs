//! What the suites share and what goes away with them: a temporary folder and a Postgres in it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::checkout::Checkout;
use crate::frontend;
use crate::postgres::{Cluster, Kind};
use crate::server::{self, Profile};

/// Everything in here is made when a suite first asks for it.
pub(super) struct Scratch<'a> {
    pub(super) checkout: &'a Checkout,
    // Fields are dropped in this order: Postgres stops before its folder goes.
    cluster: Option<Cluster>,
    pith: Option<PathBuf>,
    folder: TempDir,
}

impl<'a> Scratch<'a> {
    pub(super) fn new(checkout: &'a Checkout) -> Result<Self> {
        let folder =
            tempfile::Builder::new().prefix("pith-test-").tempdir().context("cannot make a temporary folder")?;
        // Postgres may run under another account, which has to pass through; what is secret in here has rights of its own.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
        Ok(Self { checkout, cluster: None, pith: None, folder })
    }

    /// A folder for reports.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A database from which tests make their own: `TEST_DATABASE_URL`, or a Postgres for this run.
    pub(super) fn database(&mut self) -> Result<String> {
        if let Some(url) = std::env::var("TEST_DATABASE_URL").ok().filter(|url| !url.is_empty()) {
            return Ok(url);
        }
        if let Some(cluster) = &mut self.cluster {
            cluster.check()?;
            return Ok(cluster.admin_url());
        }
        // The npm package that brings a Postgres comes with the web app's.
        if self.checkout.frontend().is_dir() {
            frontend::install_packages(self.checkout)?;
        }
        println!("Starting a Postgres for the tests …");
        let cluster = Cluster::start(self.checkout, &self.folder.path().join("postgres"), Kind::Throwaway)?;
        let url = cluster.admin_url();
        self.cluster = Some(cluster);
        Ok(url)
    }

    /// The server's program.
    pub(super) fn pith(&mut self) -> Result<PathBuf> {
        if let Some(pith) = &self.pith {
            return Ok(pith.clone());
        }
        let pith = server::build(self.checkout, Profile::Debug)?;
        self.pith = Some(pith.clone());
        Ok(pith)
    }
}

//! The paths of the sources and of cargo's build output.
//!
//! Only a few fields of `cargo metadata` are read; the crate `cargo_metadata` would bring serde's macros for them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;

/// The workspace's checkout, by the folder of its root manifest.
pub(crate) struct Checkout {
    root: PathBuf,
}

impl Checkout {
    /// The checkout that this program was started from (cargo sets its path), or else that it was built in.
    pub(crate) fn find() -> Result<Self> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package.parent().context("xtask lies in a folder of the checkout")?;
        Ok(Self { root: root.to_owned() })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The web app's folder.
    pub(crate) fn frontend(&self) -> PathBuf {
        self.root.join("frontend")
    }

    /// The HTML templates of the server; the web app's styles are also generated from their classes.
    pub(crate) fn templates(&self) -> PathBuf {
        self.root.join("crates/web/templates")
    }

    /// A `cargo` command in the root folder.
    pub(crate) fn cargo(&self) -> Command {
        self.command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// A command in the root folder, without the environment variables that the surrounding `cargo run` has set: build scripts
    /// that look at those variables (ring's does) would be rerun each time between a plain cargo and this one.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(is_cargos_own) {
                command.env_remove(name);
            }
        }
        command
    }

    /// `cargo metadata` of the workspace's own packages.
    pub(crate) fn metadata(&self) -> Result<Value> {
        let mut command = self.cargo();
        command.args(["metadata", "--no-deps", "--format-version", "1"]);
        let text = process::output(&mut command)?;
        serde_json::from_str(&text).context("cargo metadata is not JSON")
    }

    /// Cargo's target folder, which depends on its configuration.
    pub(crate) fn target(&self) -> Result<PathBuf> {
        let metadata = self.metadata()?;
        let target = metadata["target_directory"].as_str().context("cargo metadata names no target folder")?;
        Ok(PathBuf::from(target))
    }
}

/// Whether an environment variable is one that `cargo run` sets for the program that it runs.
fn is_cargos_own(name: &str) -> bool {
    const PREFIXES: [&str; 3] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_"];
    const NAMES: [&str; 3] = ["CARGO_CRATE_NAME", "CARGO_PRIMARY_PACKAGE", "CARGO_TARGET_TMPDIR"];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_run_adds_is_told_from_what_a_person_sets() {
        assert!(is_cargos_own("CARGO_MANIFEST_DIR"));
        assert!(is_cargos_own("CARGO_PKG_NAME"));
        assert!(!is_cargos_own("CARGO_HOME"));
        assert!(!is_cargos_own("CARGO_TARGET_DIR"));
        assert!(!is_cargos_own("CARGO_TERM_COLOR"));
    }

    #[test]
    fn the_root_holds_this_package() {
        let checkout = Checkout::find().unwrap();
        assert!(checkout.root().join("xtask/Cargo.toml").is_file());
    }
}

